/*-------------------------------------------------------------------------
 *
 * prepared.c
 *	  Ranges of prepared transactions.
 *
 * PREPARE TRANSACTION leaves its ranges undecided in their partitions' queues, and no
 * backend that would call back when they are decided: COMMIT PREPARED calls no hook
 * of ours.  So they are marked, and looked up in the procarray and the commit log by
 * whoever asks for the watermark, and after each COMMIT PREPARED and ROLLBACK PREPARED
 * at once, so that waiting consumers are woken.  After a restart they are found in the
 * transaction index.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "access/xlog.h"
#include "nodes/parsenodes.h"
#include "storage/procarray.h"
#include "tcop/utility.h"

#include "log/internal.h"

static ProcessUtility_hook_type prev_process_utility = NULL;

/*
 * Queue a range that was found in the index, of a prepared transaction, or an aborted one
 * behind it; the append lock is held.
 */
void
log_prepared_queue(LogPartition *part, const LogTxnEntry *entry, bool undecided)
{
	int32		index = log_range_alloc();

	SpinLockAcquire(&part->mutex);
	log_range_queue(part, index, entry->first_offset, entry->last_offset, entry->xid);
	if (undecided)
	{
		log_ranges[index].prepared = true;
		part->n_prepared++;
	}
	else
		log_ranges[index].state = LOG_RANGE_ABORTED;
	SpinLockRelease(&part->mutex);
}

/* The xid of the first undecided prepared range from `first` on. */
static bool
next_prepared(LogPartition *part, int64 first, FullTransactionId *xid, int64 *next)
{
	bool		found = false;

	SpinLockAcquire(&part->mutex);
	for (int32 i = part->ranges_head; i != LOG_NO_INDEX && !found; i = log_ranges[i].next)
	{
		LogRange   *range = &log_ranges[i];

		if (range->prepared && range->first >= first)
		{
			found = true;
			*xid = range->xid;
			*next = range->last + 1;
		}
	}
	SpinLockRelease(&part->mutex);
	return found;
}

static void
decide_prepared(LogPartition *part, FullTransactionId xid, LogRangeState state)
{
	/* COMMIT PREPARED flushes WAL before anybody can see that it has committed. */
	XLogRecPtr	lsn = state == LOG_RANGE_COMMITTED ? log_flushed_lsn() : InvalidXLogRecPtr;

	SpinLockAcquire(&part->mutex);
	for (int32 i = part->ranges_head; i != LOG_NO_INDEX; i = log_ranges[i].next)
	{
		LogRange   *range = &log_ranges[i];

		if (range->prepared && FullTransactionIdEquals(range->xid, xid))
		{
			range->commit_lsn = lsn;
			range->state = state;
			range->prepared = false;
			part->n_prepared--;
		}
	}
	SpinLockRelease(&part->mutex);
	log_set_dirty(part);
}

/* See what became of the prepared transactions that wrote to a partition. */
void
log_settle_prepared(LogPartition *part)
{
	FullTransactionId full_xid;
	int64		next = 0;

	while (next_prepared(part, next, &full_xid, &next))
	{
		TransactionId xid = XidFromFullTransactionId(full_xid);

		if (TransactionIdIsInProgress(xid))
			continue;
		decide_prepared(part, full_xid,
						TransactionIdDidCommit(xid) ? LOG_RANGE_COMMITTED : LOG_RANGE_ABORTED);
	}
}

static void
prepared_process_utility(PlannedStmt *pstmt, const char *query, bool read_only_tree,
						 ProcessUtilityContext context, ParamListInfo params,
						 QueryEnvironment *query_env, DestReceiver *dest, QueryCompletion *qc)
{
	bool		ends_prepared = false;

	if (IsA(pstmt->utilityStmt, TransactionStmt))
	{
		TransactionStmtKind kind = ((TransactionStmt *) pstmt->utilityStmt)->kind;

		ends_prepared = kind == TRANS_STMT_COMMIT_PREPARED || kind == TRANS_STMT_ROLLBACK_PREPARED;
	}

	if (prev_process_utility)
		prev_process_utility(pstmt, query, read_only_tree, context, params, query_env, dest, qc);
	else
		standard_ProcessUtility(pstmt, query, read_only_tree, context, params, query_env, dest, qc);

	if (!ends_prepared || log_shared == NULL)
		return;
	for (int i = 0; i < log_max_partitions; i++)
	{
		if (log_slots[i].n_prepared > 0)
			log_refresh(&log_slots[i]);
	}
}

void
log_prepared_init(void)
{
	prev_process_utility = ProcessUtility_hook;
	ProcessUtility_hook = prepared_process_utility;
}
