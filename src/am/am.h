/*-------------------------------------------------------------------------
 *
 * am.h
 *	  The table access method broker_log: what its files share.
 *
 * handler.c		the callback table, and what a log refuses
 * storage.c		callbacks that make, empty, move, measure and vacuum a topic
 * analyze.c		ANALYZE's sampling
 * cursor.c			the records of one partition, in order or backwards
 * row.c			a record becomes a row
 * headers.c		headers and the type broker.header[]
 * scan.c			ranges of partitions, one after the other or in parallel
 * scan_end.c		where a scan ends
 * tablescan.c		the plain scan, for COPY TO, ANALYZE and the like
 * condition.c		conditions that say where in the log to look
 * estimate.c		how many records there are
 * plan.c			planner: paths and their costs
 * customscan.c		executor node BrokerLogScan
 * produce.c		INSERT, COPY: a row becomes a record of some partition
 * produce_buffer.c	the records of the open transaction, until its pre-commit
 * produce_batch.c	they become batches and are appended
 * spill.c			the part of them that is in a temporary file
 * produce_sql.c	broker.produce(), broker.last_produced()
 * fetch.c			broker.fetch()
 * statement_wait.c	waiting before a statement has a snapshot
 *
 * Rules of the layer: rows are virtual tuples in slots; nothing is stored that
 * is not a Kafka record; a backend appends in pre-commit only.
 *
 *-------------------------------------------------------------------------
 */
#ifndef AM_H
#define AM_H

#include "access/relscan.h"
#include "access/tableam.h"
#include "executor/tuptable.h"
#include "utils/relcache.h"

#include "compat.h"

/* From _PG_init: planner hook, custom scan, transaction callbacks. */
extern void am_init(void);

/* ERROR: a log can't do this. */
extern void am_refuse(const char *what, const char *hint) pg_attribute_noreturn();

/* ---------- callbacks by file ---------- */

/* storage.c */
extern void am_relation_set_new_filenode(Relation rel, const RelFileNode *newrnode, char persistence,
										 TransactionId *freezeXid, MultiXactId *minmulti);
extern void am_relation_nontransactional_truncate(Relation rel);
extern void am_relation_copy_data(Relation rel, const RelFileNode *newrnode);
extern uint64 am_relation_size(Relation rel, ForkNumber fork);
extern void am_relation_estimate_size(Relation rel, int32 *attr_widths, BlockNumber *pages,
									  double *tuples, double *allvisfrac);
extern void am_relation_vacuum(Relation rel, struct VacuumParams *params, BufferAccessStrategy bstrategy);

/* tablescan.c */
extern TableScanDesc am_scan_begin(Relation rel, Snapshot snapshot, int nkeys, struct ScanKeyData *key,
								   ParallelTableScanDesc pscan, uint32 flags);
extern void am_scan_end(TableScanDesc scan);
extern void am_scan_rescan(TableScanDesc scan, struct ScanKeyData *key, bool set_params, bool allow_strat,
						   bool allow_sync, bool allow_pagemode);
extern bool am_scan_getnextslot(TableScanDesc scan, ScanDirection direction, TupleTableSlot *slot);
extern Size am_parallelscan_estimate(Relation rel);
extern Size am_parallelscan_initialize(Relation rel, ParallelTableScanDesc pscan);
extern void am_parallelscan_reinitialize(Relation rel, ParallelTableScanDesc pscan);
extern bool am_fetch_row_version(Relation rel, ItemPointer tid, Snapshot snapshot, TupleTableSlot *slot);

/* analyze.c */
#if PG_VERSION_NUM >= 170000
extern bool am_scan_analyze_next_block(TableScanDesc scan, ReadStream *stream);
#else
extern bool am_scan_analyze_next_block(TableScanDesc scan, BlockNumber blockno,
									   BufferAccessStrategy bstrategy);
#endif
extern bool am_scan_analyze_next_tuple(TableScanDesc scan, TransactionId OldestXmin, double *liverows,
									   double *deadrows, TupleTableSlot *slot);

/* produce.c */
extern void am_tuple_insert(Relation rel, TupleTableSlot *slot, CommandId cid, int options,
							struct BulkInsertStateData *bistate);
extern void am_multi_insert(Relation rel, TupleTableSlot **slots, int nslots, CommandId cid, int options,
							struct BulkInsertStateData *bistate);

/* ---------- start-up by file ---------- */

extern void am_scan_end_init(void);
extern void am_plan_init(void);
extern void am_customscan_init(void);
extern void am_produce_buffer_init(void);
extern void am_fetch_init(void);
extern void am_statement_wait_init(void);

#endif							/* AM_H */
