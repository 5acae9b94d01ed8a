/*-------------------------------------------------------------------------
 *
 * net.c
 *	  Shared memory and registration of the broker's processes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "broker/settings.h"
#include "exchange/call.h"
#include "exchange/position.h"
#include "miscadmin.h"
#include "net/ask.h"
#include "net/net.h"
#include "net/process.h"
#include "net/shared.h"
#include "postmaster/bgworker.h"
#include "replication/logicallauncher.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"

void
net_shmem_request(void)
{
	RequestAddinShmemSpace(net_shared_size());
	RequestAddinShmemSpace(net_ask_shmem_size());
	RequestAddinShmemSpace(call_shmem_size(broker_max_connections));
	RequestAddinShmemSpace(position_shmem_size());
	RequestNamedLWLockTranche("pg_broker_listen", 1);
	RequestNamedLWLockTranche("pg_broker_ask", 1);
	RequestNamedLWLockTranche("pg_broker_ask_memory", 1);
	RequestNamedLWLockTranche("pg_broker_call", 1);
	RequestNamedLWLockTranche("pg_broker_call_memory", 1);
	RequestNamedLWLockTranche("pg_broker_position", 1);
}

void
net_shmem_init(void)
{
	net_shared_init();
	net_ask_shmem_init();
	call_shmem_init(broker_max_connections);
	position_shmem_init();
}

static void
register_worker(const char *name, const char *function, int number)
{
	BackgroundWorker worker = {0};

	worker.bgw_flags = BGWORKER_SHMEM_ACCESS | BGWORKER_BACKEND_DATABASE_CONNECTION;
	worker.bgw_start_time = BgWorkerStart_RecoveryFinished;
	worker.bgw_restart_time = 1;
	strlcpy(worker.bgw_library_name, "pg_broker", sizeof(worker.bgw_library_name));
	strlcpy(worker.bgw_function_name, function, sizeof(worker.bgw_function_name));
	strlcpy(worker.bgw_name, name, sizeof(worker.bgw_name));
	strlcpy(worker.bgw_type, name, sizeof(worker.bgw_type));
	worker.bgw_main_arg = Int32GetDatum(number);
	RegisterBackgroundWorker(&worker);
}

void
net_init(void)
{
	int			needed = broker_network_workers + 3;

	net_catalog_hook_init();
	if (!broker_enabled || IsBinaryUpgrade)
		return;

	/*
	 * All or none: workers without a flusher would never answer a producer.
	 * (Other libraries may still take what we count on; the server says so.)
	 */
	if (max_logical_replication_workers > 0)
		needed++;				/* the server's own launcher */
	if (needed > max_worker_processes)
	{
		ereport(WARNING,
				(errcode(ERRCODE_INSUFFICIENT_RESOURCES),
				 errmsg("the Kafka broker is not started: with it the server needs %d background workers, "
						"but \"%s\" is %d", needed, "max_worker_processes", max_worker_processes),
				 errhint("Increase \"max_worker_processes\", or lower \"pg_broker.network_workers\".")));
		return;
	}
	register_worker("pg_broker flusher", "net_flusher_main", 0);
	register_worker("pg_broker controller", "net_controller_main", 0);
	register_worker("pg_broker coordinator", "net_coordinator_main", 0);
	for (int i = 0; i < broker_network_workers; i++)
	{
		char		name[BGW_MAXLEN];

		snprintf(name, sizeof(name), "pg_broker worker %d", i + 1);
		register_worker(name, "net_worker_main", i);
	}
}
