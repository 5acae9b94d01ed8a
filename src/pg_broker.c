/*-------------------------------------------------------------------------
 *
 * pg_broker.c
 *	  Entry point of the shared library.
 *
 * Each layer defines its own settings and hooks; what needs shared memory or
 * processes does so only when the server preloads the library.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <limits.h>

#include "fmgr.h"
#include "miscadmin.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "utils/guc.h"


#include "am/am.h"
#include "broker/settings.h"
#include "compact/compact.h"
#include "consume/consume.h"
#include "exchange/position.h"
#include "log/log.h"
#include "log/stop_point.h"
#include "net/net.h"
#include "topic/topic.h"

PG_MODULE_MAGIC;

void		_PG_init(void);

static shmem_request_hook_type prev_shmem_request_hook = NULL;
static shmem_startup_hook_type prev_shmem_startup_hook = NULL;

static void
shmem_request(void)
{
	if (prev_shmem_request_hook)
		prev_shmem_request_hook();
	log_shmem_request();
	net_shmem_request();
}

static void
shmem_startup(void)
{
	if (prev_shmem_startup_hook)
		prev_shmem_startup_hook();
	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	log_shmem_init();
	net_shmem_init();
	LWLockRelease(AddinShmemInitLock);
}

static void
define_log_settings(void)
{
	DefineCustomIntVariable("pg_broker.max_partitions",
							"Sets how many partitions of topics can be in use at the same time.",
							"Each takes about 700 bytes of shared memory.",
							&log_max_partitions, 10000, 16, 1000000,
							PGC_POSTMASTER, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("pg_broker.max_producers",
							"Sets how many idempotent producers are remembered, over all partitions.",
							"Each partition counts its own. The one that was idle longest "
							"is forgotten first.",
							&log_max_producers, 20000, 16, INT_MAX / 2,
							PGC_POSTMASTER, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("pg_broker.max_consumed_partitions",
							"Sets for how many partitions groups can have offsets in use by SQL sessions.",
							"Each pair of a group and a partition takes about 600 bytes of shared memory.",
							&position_max, 10000, 16, 1000000,
							PGC_POSTMASTER, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("pg_broker.log_cleaner_dedupe_buffer_size",
							"Sets the memory in which compaction notes the keys of a partition.",
							"A key takes 24 bytes. When they don't fit, compaction takes more rounds.",
							&compact_dedupe_buffer_kb, 128 * 1024, 1, INT_MAX,
							PGC_SIGHUP, GUC_UNIT_KB, NULL, NULL, NULL);
	DefineCustomIntVariable("pg_broker.wal_reserve",
							"Sets how much space must be free for WAL when records are produced.",
							"Below it producers are told to try again. 0 turns this off.",
							&log_wal_reserve_mb, 64, 0, INT_MAX,
							PGC_SIGHUP, GUC_UNIT_MB, NULL, NULL, NULL);
}

void
_PG_init(void)
{
	if (process_shared_preload_libraries_in_progress)
	{
		define_log_settings();
#ifdef PG_BROKER_STOP_POINTS
		log_define_stop_points();
#endif
		broker_settings_define();
	}

	topic_init();
	am_init();
	consume_init();
	log_init();

	if (process_shared_preload_libraries_in_progress)
	{
		prev_shmem_request_hook = shmem_request_hook;
		shmem_request_hook = shmem_request;
		prev_shmem_startup_hook = shmem_startup_hook;
		shmem_startup_hook = shmem_startup;
		net_init();
		MarkGUCPrefixReserved("pg_broker");
	}
}
