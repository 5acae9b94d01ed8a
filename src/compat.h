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
typedef RelFileLocator RelFileNode;
#define rd_node rd_locator
#else
#include "storage/relfilenode.h"
#endif

#if PG_VERSION_NUM >= 160000
/* 16 replaced the functions of each object class by general ones. */
#define compat_table_ownercheck(relid, role) object_ownercheck(RelationRelationId, relid, role)
#define compat_schema_aclcheck(schema, role, mode) \
	object_aclcheck(NamespaceRelationId, schema, role, mode)
#else
#define compat_table_ownercheck(relid, role) pg_class_ownercheck(relid, role)
#define compat_schema_aclcheck(schema, role, mode) pg_namespace_aclcheck(schema, role, mode)
#endif

#endif							/* PG_BROKER_COMPAT_H */
