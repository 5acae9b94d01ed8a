/*-------------------------------------------------------------------------
 *
 * handler.c
 *	  The callback table of the access method broker_log, and what it refuses.
 *
 * Statements that a log can't do are refused when they are planned or, for
 * DDL, before they start; the callbacks here are the last line, for paths that
 * nobody thought of.  So each raises ERRCODE_FEATURE_NOT_SUPPORTED, or, where
 * the server can't bear an error, does nothing.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "am/am.h"

#include "access/genam.h"
#include "fmgr.h"
#include "nodes/execnodes.h"
#include "topic/topic.h"

PG_FUNCTION_INFO_V1(broker_log_handler);

void
am_refuse(const char *what, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("%s is not possible on a topic", what),
			 errhint("%s", hint)));
}

#define HINT_APPEND_ONLY "A topic is a log: records are appended, and leave by retention or TRUNCATE."
#define HINT_NO_INDEX "A topic needs no index: reading by partition and log_offset or ts is fast as it is."

static const TupleTableSlotOps *
am_slot_callbacks(Relation rel)
{
	return &TTSOpsVirtual;
}

/* ---------- indexes ---------- */

static struct IndexFetchTableData *
refuse_index_fetch_begin(Relation rel)
{
	am_refuse("an index scan", HINT_NO_INDEX);
}

static void
no_index_fetch_reset(struct IndexFetchTableData *data)
{
}

static bool
refuse_index_fetch_tuple(struct IndexFetchTableData *scan, ItemPointer tid, Snapshot snapshot,
						 TupleTableSlot *slot, bool *call_again, bool *all_dead)
{
	am_refuse("an index scan", HINT_NO_INDEX);
}

static TransactionId
no_index_delete_tuples(Relation rel, TM_IndexDeleteOp *delstate)
{
	return InvalidTransactionId;	/* must not raise */
}

static double
refuse_index_build(Relation table_rel, Relation index_rel, struct IndexInfo *index_info, bool allow_sync,
				   bool anyvisible, bool progress, BlockNumber start_blockno, BlockNumber numblocks,
				   IndexBuildCallback callback, void *callback_state, TableScanDesc scan)
{
	am_refuse("an index", HINT_NO_INDEX);
}

static void
refuse_index_validate(Relation table_rel, Relation index_rel, struct IndexInfo *index_info,
					  Snapshot snapshot, struct ValidateIndexState *state)
{
	am_refuse("an index", HINT_NO_INDEX);
}

/* ---------- single rows ---------- */

static bool
no_tid_valid(TableScanDesc scan, ItemPointer tid)
{
	return false;
}

static void
refuse_get_latest_tid(TableScanDesc scan, ItemPointer tid)
{
	am_refuse("currtid", HINT_APPEND_ONLY);
}

static bool
always_satisfies(Relation rel, TupleTableSlot *slot, Snapshot snapshot)
{
	return true;				/* what a scan returned stays visible to its snapshot */
}

static void
refuse_insert_speculative(Relation rel, TupleTableSlot *slot, CommandId cid, int options,
						  struct BulkInsertStateData *bistate, uint32 specToken)
{
	am_refuse("ON CONFLICT", "A topic has no unique keys that a record could conflict with.");
}

static void
refuse_complete_speculative(Relation rel, TupleTableSlot *slot, uint32 specToken, bool succeeded)
{
	am_refuse("ON CONFLICT", "A topic has no unique keys that a record could conflict with.");
}

static TM_Result
refuse_delete(Relation rel, ItemPointer tid, CommandId cid, Snapshot snapshot, Snapshot crosscheck,
			  bool wait, TM_FailureData *tmfd, bool changingPart)
{
	am_refuse("DELETE", HINT_APPEND_ONLY);
}

#if PG_VERSION_NUM >= 160000
static TM_Result
refuse_update(Relation rel, ItemPointer otid, TupleTableSlot *slot, CommandId cid, Snapshot snapshot,
			  Snapshot crosscheck, bool wait, TM_FailureData *tmfd, LockTupleMode *lockmode,
			  TU_UpdateIndexes *update_indexes)
#else
static TM_Result
refuse_update(Relation rel, ItemPointer otid, TupleTableSlot *slot, CommandId cid, Snapshot snapshot,
			  Snapshot crosscheck, bool wait, TM_FailureData *tmfd, LockTupleMode *lockmode,
			  bool *update_indexes)
#endif
{
	am_refuse("UPDATE", HINT_APPEND_ONLY);
}

static TM_Result
refuse_lock(Relation rel, ItemPointer tid, Snapshot snapshot, TupleTableSlot *slot, CommandId cid,
			LockTupleMode mode, LockWaitPolicy wait_policy, uint8 flags, TM_FailureData *tmfd)
{
	am_refuse("locking rows", "Records don't change; there is nothing to lock.");
}

/* ---------- rewrites and samples ---------- */

static void
refuse_copy_for_cluster(Relation OldTable, Relation NewTable, Relation OldIndex, bool use_sort,
						TransactionId OldestXmin, TransactionId *xid_cutoff, MultiXactId *multi_cutoff,
						double *num_tuples, double *tups_vacuumed, double *tups_recently_dead)
{
	am_refuse("a rewrite", "Space is given back by retention and plain VACUUM.");
}

static bool
refuse_sample_next_block(TableScanDesc scan, struct SampleScanState *scanstate)
{
	am_refuse("TABLESAMPLE", "Use a condition on log_offset, or random() in WHERE.");
}

static bool
refuse_sample_next_tuple(TableScanDesc scan, struct SampleScanState *scanstate, TupleTableSlot *slot)
{
	am_refuse("TABLESAMPLE", "Use a condition on log_offset, or random() in WHERE.");
}

static bool
no_toast_table(Relation rel)
{
	return false;				/* records of any size lie in the log itself */
}

static const TableAmRoutine am_routine = {
	.type = T_TableAmRoutine,

	.slot_callbacks = am_slot_callbacks,

	.scan_begin = am_scan_begin,
	.scan_end = am_scan_end,
	.scan_rescan = am_scan_rescan,
	.scan_getnextslot = am_scan_getnextslot,

	.parallelscan_estimate = am_parallelscan_estimate,
	.parallelscan_initialize = am_parallelscan_initialize,
	.parallelscan_reinitialize = am_parallelscan_reinitialize,

	.index_fetch_begin = refuse_index_fetch_begin,
	.index_fetch_reset = no_index_fetch_reset,
	.index_fetch_end = no_index_fetch_reset,
	.index_fetch_tuple = refuse_index_fetch_tuple,
	.index_delete_tuples = no_index_delete_tuples,

	.tuple_fetch_row_version = am_fetch_row_version,
	.tuple_tid_valid = no_tid_valid,
	.tuple_get_latest_tid = refuse_get_latest_tid,
	.tuple_satisfies_snapshot = always_satisfies,

	.tuple_insert = am_tuple_insert,
	.tuple_insert_speculative = refuse_insert_speculative,
	.tuple_complete_speculative = refuse_complete_speculative,
	.multi_insert = am_multi_insert,
	.tuple_delete = refuse_delete,
	.tuple_update = refuse_update,
	.tuple_lock = refuse_lock,

#if PG_VERSION_NUM >= 160000
	.relation_set_new_filelocator = am_relation_set_new_filenode,
#else
	.relation_set_new_filenode = am_relation_set_new_filenode,
#endif
	.relation_nontransactional_truncate = am_relation_nontransactional_truncate,
	.relation_copy_data = am_relation_copy_data,
	.relation_copy_for_cluster = refuse_copy_for_cluster,
	.relation_vacuum = am_relation_vacuum,
	.scan_analyze_next_block = am_scan_analyze_next_block,
	.scan_analyze_next_tuple = am_scan_analyze_next_tuple,
	.index_build_range_scan = refuse_index_build,
	.index_validate_scan = refuse_index_validate,

	.relation_size = am_relation_size,
	.relation_needs_toast_table = no_toast_table,
	.relation_estimate_size = am_relation_estimate_size,

	.scan_sample_next_block = refuse_sample_next_block,
	.scan_sample_next_tuple = refuse_sample_next_tuple,
};

Datum
broker_log_handler(PG_FUNCTION_ARGS)
{
	/* without shared memory and guards a topic had better not be opened */
	topic_require_preload();
	PG_RETURN_POINTER(&am_routine);
}

void
am_init(void)
{
	am_produce_buffer_init();
	am_scan_end_init();
	am_customscan_init();
	am_plan_init();
	am_fetch_init();
	am_statement_wait_init();
}
