/*-------------------------------------------------------------------------
 *
 * compat.h
 *	  The one place for differences between PostgreSQL 15, 17 and 18.
 *
 * Each shim names the major that changed things.  Include after postgres.h.
 *
 *-------------------------------------------------------------------------
 */
#ifndef PG_BROKER_COMPAT_H
#define PG_BROKER_COMPAT_H

#if PG_VERSION_NUM >= 160000
/* 16 renamed RelFileNode to RelFileLocator and its relation number. */
#include "storage/relfilelocator.h"
#include "utils/relfilenumbermap.h"
typedef RelFileLocator RelFileNode;
#define rd_node rd_locator
#define RelFileNodeEquals RelFileLocatorEquals
#define compat_node_database(node) ((node).dbOid)
#define compat_node_relid(node) RelidByRelfilenumber((node).spcOid, (node).relNumber)
#else
#include "storage/relfilenode.h"
#include "utils/relfilenodemap.h"
#define compat_node_database(node) ((node).dbNode)
#define compat_node_relid(node) RelidByRelfilenode((node).spcNode, (node).relNode)
#endif

#if PG_VERSION_NUM >= 160000
/* 16 took the macros of varlena values out of postgres.h. */
#include "varatt.h"

/* 16 replaced the functions of each object class by general ones. */
#define compat_table_ownercheck(relid, role) object_ownercheck(RelationRelationId, relid, role)
#define compat_schema_aclcheck(schema, role, mode) \
	object_aclcheck(NamespaceRelationId, schema, role, mode)
#else
#define compat_table_ownercheck(relid, role) pg_class_ownercheck(relid, role)
#define compat_schema_aclcheck(schema, role, mode) pg_namespace_aclcheck(schema, role, mode)
#endif

/* 16 dropped the nullable relids. */
#if PG_VERSION_NUM >= 160000
#define compat_expression_pathkey(root, expr, op, relids) \
	build_expression_pathkey(root, expr, op, relids, false)
#else
#define compat_expression_pathkey(root, expr, op, relids) \
	build_expression_pathkey(root, expr, NULL, op, relids, false)
#endif

/* 18 counts the all-frozen pages, and wants to know when a vacuum began. */
#if PG_VERSION_NUM >= 180000
#define compat_update_relstats(rel, pages, tuples, frozen_xid, min_multi) \
	vac_update_relstats(rel, pages, tuples, 0, 0, false, frozen_xid, min_multi, NULL, NULL, false)
#define compat_report_vacuum(rel, tuples, started) \
	pgstat_report_vacuum(RelationGetRelid(rel), (rel)->rd_rel->relisshared, tuples, 0, started)
#else
#define compat_update_relstats(rel, pages, tuples, frozen_xid, min_multi) \
	vac_update_relstats(rel, pages, tuples, 0, false, frozen_xid, min_multi, NULL, NULL, false)
#define compat_report_vacuum(rel, tuples, started) \
	pgstat_report_vacuum(RelationGetRelid(rel), (rel)->rd_rel->relisshared, tuples, 0)
#endif

/* 17 gave the number of a process among all that share memory another name and home. */
#if PG_VERSION_NUM >= 170000
#define compat_my_proc_number() MyProcNumber
#else
#define compat_my_proc_number() (MyProc->pgprocno)
#endif

/* 17 replaced the backend's local transaction id in PGPROC. */
#if PG_VERSION_NUM >= 170000
#define compat_lxid() (MyProc->vxid.lxid)
#else
#define compat_lxid() (MyProc->lxid)
#endif

#if PG_VERSION_NUM >= 170000
/* 17 renamed the test for an autovacuum worker, */
#define IsAutoVacuumWorkerProcess() AmAutoVacuumWorkerProcess()

/* and replaced backend ids by proc numbers. */
#define InvalidBackendId INVALID_PROC_NUMBER

/* 17 ties wait event sets to a resource owner instead of a memory context; none: for ever. */
#define CreateSessionWaitEventSet(n) CreateWaitEventSet(NULL, n)
#else
#define CreateSessionWaitEventSet(n) CreateWaitEventSet(TopMemoryContext, n)
#endif


#if PG_VERSION_NUM >= 160000
/* 16 renamed the fields and added one. */
#define compat_reuse_page(rec, rel, xid) \
	((rec)->locator = (rel)->rd_locator, (rec)->block = 0, \
	 (rec)->snapshotConflictHorizon = (xid), (rec)->isCatalogRel = false)
#else
#define compat_reuse_page(rec, rel, xid) \
	((rec)->node = (rel)->rd_node, (rec)->block = 0, (rec)->latestRemovedFullXid = (xid))
#endif

/* 18 has pg_noreturn, which stands before the declaration. */
#if PG_VERSION_NUM >= 180000
#define pg_attribute_noreturn() __attribute__((noreturn))
#endif

/* 18 names the relation of a parallel scan by its file, and split a header. */
#if PG_VERSION_NUM >= 180000
#include "commands/explain_format.h"
#define compat_set_parallel_relation(scan, rel) ((scan)->phs_locator = (rel)->rd_locator)
#else
#define compat_set_parallel_relation(scan, rel) ((scan)->phs_relid = RelationGetRelid(rel))
#endif

/* 17 renamed the question. */
#if PG_VERSION_NUM >= 170000
#define IsAutoVacuumWorkerProcess() AmAutoVacuumWorkerProcess()
#endif

#endif							/* PG_BROKER_COMPAT_H */
