/*-------------------------------------------------------------------------
 *
 * sync_waiter.c
 *	  Waits for the synchronous standbys, for all who wait for them.
 *
 * SyncRepWaitForLSN() blocks its process, so it has one of its own: started by the
 * flusher when synchronous_standby_names is set.  What it learns raises high
 * watermarks and answers producers with acks=all, as a flush does for the others.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "log/log.h"
#include "miscadmin.h"
#include "net/process.h"
#include "net/report.h"
#include "net/shared.h"
#include "pgstat.h"
#include "postmaster/bgworker.h"
#include "replication/walsender.h"
#include "replication/syncrep.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "utils/memutils.h"

static void
waiter_exit(int code, Datum arg)
{
	SyncRepCleanupAtProcExit();
	net_detach_latch(&net_shared->sync_waiter);
}

/* Wait for one position; false: there is nothing to wait for. */
static bool
wait_once(void)
{
	XLogRecPtr	target;

	if (!log_replicates())
		return false;
	target = GetFlushRecPtr(NULL);
	if (target <= log_replicated_lsn())
		return false;

	HOLD_INTERRUPTS();
	SyncRepWaitForLSN(target, true);
	RESUME_INTERRUPTS();

	/* It gives up, with a warning, when the process shall end: then nothing was confirmed. */
	net_process_interrupts();
	CHECK_FOR_INTERRUPTS();
	log_replicated(target);
	return true;
}

void
net_sync_waiter_main(Datum arg)
{
	before_shmem_exit(waiter_exit, 0);
	net_process_start(NULL, &net_shared->sync_waiter);
	pqsignal(SIGINT, SIG_IGN);	/* a cancelled wait would look like a confirmation */

	for (;;)
	{
		ResetLatch(MyLatch);
		net_process_interrupts();
		if (wait_once())
			continue;
		pgstat_report_activity(STATE_IDLE, NULL);
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_EXIT_ON_PM_DEATH, -1, PG_WAIT_EXTENSION);
	}
}

static bool
waiter_is_running(void)
{
	bool		running;

	SpinLockAcquire(&net_shared->mutex);
	running = net_shared->sync_waiter != NULL;
	SpinLockRelease(&net_shared->mutex);
	return running;
}

/*
 * The flusher has flushed something: have it confirmed, if there is anybody to
 * confirm it.
 */
void
net_sync_waiter_wake(void)
{
	static bool started = false;
	BackgroundWorker worker = {0};

	if (!log_replicates())
		return;
	if (started)
	{
		net_wake(&net_shared->sync_waiter);
		return;
	}

	worker.bgw_flags = BGWORKER_SHMEM_ACCESS | BGWORKER_BACKEND_DATABASE_CONNECTION;
	worker.bgw_start_time = BgWorkerStart_RecoveryFinished;
	worker.bgw_restart_time = 1;
	strlcpy(worker.bgw_library_name, "pg_broker", sizeof(worker.bgw_library_name));
	strlcpy(worker.bgw_function_name, "net_sync_waiter_main", sizeof(worker.bgw_function_name));
	strlcpy(worker.bgw_name, "pg_broker sync waiter", sizeof(worker.bgw_name));
	strlcpy(worker.bgw_type, "pg_broker sync waiter", sizeof(worker.bgw_type));
	started = waiter_is_running() || RegisterDynamicBackgroundWorker(&worker, NULL);
	if (!started && net_may_report())
		ereport(WARNING,
				(errcode(ERRCODE_INSUFFICIENT_RESOURCES),
				 errmsg("no background worker is free to wait for synchronous standbys"),
				 errdetail("Records are not acknowledged to producers that want all replicas to have them."),
				 errhint("Increase \"max_worker_processes\".")));
}
