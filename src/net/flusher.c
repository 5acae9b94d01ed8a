/*-------------------------------------------------------------------------
 *
 * flusher.c
 *	  Flushes WAL for those who wait to acknowledge records.
 *
 * It is connected to no database, so it also tells the others whether theirs
 * exists.
 *
 * While a flush is under way the next appends gather behind it, so the more
 * producers there are the more of them a flush serves.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xlog.h"
#include "log/log.h"
#include "miscadmin.h"
#include "net/process.h"
#include "net/report.h"
#include "net/shared.h"
#include "pgstat.h"
#include "postmaster/interrupt.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "utils/memutils.h"

static void
flusher_exit(int code, Datum arg)
{
	net_detach_latch(&net_shared->flusher);
}

/* false: there was nothing to flush. */
static bool
flush_once(void)
{
	XLogRecPtr	target = log_flush_target();

	if (target == InvalidXLogRecPtr)
		return false;
	if (target > log_flushed_lsn())
	{
		pgstat_report_activity(STATE_RUNNING, NULL);
		XLogFlush(target);
		log_flush_done();
		net_sync_waiter_wake();
		return true;
	}
	log_flush_done();			/* another's flush has served it */
	net_sync_waiter_wake();
	return log_flush_target() > target;
}

void
net_flusher_main(Datum arg)
{
	before_shmem_exit(flusher_exit, 0);
	net_process_start(NULL, &net_shared->flusher);
	log_flusher_attach();

	for (;;)
	{
		volatile bool busy = false;
		volatile long timeout = -1;
		bool		reload = ConfigReloadPending;

		ResetLatch(MyLatch);
		net_process_interrupts();
		PG_TRY();
		{
			net_look_for_database();
			if (reload)
				log_replication_changed();
			busy = flush_once();
		}
		PG_CATCH();
		{
			net_transaction_failed(net_may_report());
			timeout = 1000;
		}
		PG_END_TRY();
		if (busy)
			continue;

		(void) net_report_stats();
		pgstat_report_activity(STATE_IDLE, NULL);
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_EXIT_ON_PM_DEATH | (timeout >= 0 ? WL_TIMEOUT : 0),
						 timeout, PG_WAIT_EXTENSION);
	}
}
