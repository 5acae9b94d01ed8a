/*-------------------------------------------------------------------------
 *
 * controller.c
 *	  The controller: what may block or takes long.
 *
 * It runs the requests that network workers hand over (see ask.h), each in a
 * transaction of its own as the client's role, and keeps the topics within
 * their retention.  A lock that is not to be had soon makes a request fail; the
 * client tries again.
 *
 * Retention is looked at more often while it finds something to free, so that
 * a topic under load stays near its limit, and seldom while nothing happens.
 * Logs that grow fast wake the controller early.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "broker/settings.h"
#include "log/log.h"
#include "miscadmin.h"
#include "net/ask.h"
#include "net/connection.h"
#include "net/process.h"
#include "net/report.h"
#include "net/shared.h"
#include "pgstat.h"
#include "postmaster/interrupt.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "storage/lmgr.h"
#include "topic/topic.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#define LOCK_TIMEOUT	"1s"
#define RETENTION_MIN_MS	1000
#define RETENTION_START_MS	30000

static TimestampTz next_retention;
static int	retention_ms = RETENTION_START_MS;

static void
controller_exit(int code, Datum arg)
{
	LWLockReleaseAll();
	net_detach_latch(&net_shared->controller);
}

/* ---------- requests ---------- */

/* false: there is none. */
static bool
serve_ask(void)
{
	NetAsk		ask;
	char	   *message;
	char	   *volatile answer = NULL;
	uint32		length;
	uint32		answer_length = 0;
	int			slot = net_ask_take(&ask, &message, &length);

	if (slot < 0)
		return false;

	pgstat_report_activity(STATE_RUNNING, wire_api(ask.api_key) ? wire_api(ask.api_key)->name : "");
	PG_TRY();
	{
		if (message)
			answer = net_request_run_asked(&ask, message, length, &answer_length);
		net_transaction_end();	/* what is answered is committed */
	}
	PG_CATCH();
	{
		net_transaction_failed(net_may_report());
		answer = NULL;
	}
	PG_END_TRY();
	net_ask_answer(slot, answer, answer_length);
	net_turn_done();
	return true;
}

/* ---------- retention ---------- */

/* Returns how many extents were freed. */
static int
apply_retention(Oid relid)
{
	LogRetention policy;
	const Topic *topic;
	Relation	rel;
	bool		busy;
	int			freed = 0;
	int			n_partitions;

	net_transaction_begin();
	if (!ConditionalLockRelationOid(relid, ShareUpdateExclusiveLock))
		return 0;				/* the next pass will find it */
	topic = topic_try_get(relid, &busy);
	if (topic == NULL || !(topic->config.cleanup_policy & CONFIG_CLEANUP_DELETE) ||
		(topic->config.retention_ms < 0 && topic->config.retention_bytes < 0))
		return 0;

	policy.retention_ms = topic->config.retention_ms;
	policy.retention_bytes = topic->config.retention_bytes;
	policy.segment_ms = topic->config.segment_ms;
	policy.segment_bytes = topic->config.segment_bytes;
	policy.now_ms = (GetCurrentTimestamp() / 1000) +
		((POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * INT64CONST(86400000));
	n_partitions = topic->n_partitions;

	rel = relation_open(relid, NoLock);
	for (int i = 0; i < n_partitions; i++)
	{
		LogPartition *part;

		CHECK_FOR_INTERRUPTS();
		part = log_open(rel, i);
		if (part)
			freed += log_apply_retention(rel, part, &policy);
	}
	relation_close(rel, NoLock);
	return freed;
}

static void
retention_pass(void)
{
	MemoryContext context = AllocSetContextCreate(TopMemoryContext, "pg_broker retention",
												  ALLOCSET_SMALL_SIZES);
	const Oid  *list;
	Oid		   *topics;
	volatile int freed = 0;
	int			n;

	pgstat_report_activity(STATE_RUNNING, "retention");
	net_transaction_begin();
	list = topic_list(&n);
	topics = MemoryContextAlloc(context, Max(n, 1) * sizeof(Oid));
	memcpy(topics, list, n * sizeof(Oid));
	net_turn_done();

	for (int i = 0; i < n; i++)
	{
		PG_TRY();
		{
			freed += apply_retention(topics[i]);
			net_turn_done();
		}
		PG_CATCH();
		{
			net_transaction_failed(true);
		}
		PG_END_TRY();

		/* Clients don't wait for the rest. */
		net_process_interrupts();
		while (serve_ask())
			;
	}
	MemoryContextDelete(context);

	retention_ms = freed > 0 ? Max(retention_ms / 2, RETENTION_MIN_MS) :
		Min((int64) retention_ms * 2, broker_retention_check_interval_ms);
	retention_ms = Min(retention_ms, broker_retention_check_interval_ms);
}

/* ---------- the loop ---------- */

static void
turn(void)
{
	while (serve_ask())
		net_process_interrupts();

	if (GetCurrentTimestamp() >= next_retention || log_growth(false) >= LOG_MUCH_GROWTH)
	{
		(void) log_growth(true);
		retention_pass();
		next_retention = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), retention_ms);
	}
}

static long
time_to_sleep(void)
{
	long		ms = TimestampDifferenceMilliseconds(GetCurrentTimestamp(), next_retention);
	long		stats = net_report_stats();

	return stats >= 0 ? Min(ms, stats) : ms;
}

void
net_controller_main(Datum arg)
{
	before_shmem_exit(controller_exit, 0);
	net_process_start(broker_database, &net_shared->controller);
	SetConfigOption("lock_timeout", LOCK_TIMEOUT, PGC_SUSET, PGC_S_OVERRIDE);

	/* Never wait for a standby here: it may be away for long. */
	SetConfigOption("synchronous_commit", "local", PGC_SUSET, PGC_S_OVERRIDE);
	net_requests_init();
	net_chunks_init(0);
	net_ask_attach();
	net_ask_reset_controller();
	log_retention_attach();

	next_retention = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), retention_ms);
	for (;;)
	{
		bool		reload = ConfigReloadPending;

		ResetLatch(MyLatch);
		net_process_interrupts();
		net_wait_for_extension();
		if (reload && retention_ms > broker_retention_check_interval_ms)
		{
			retention_ms = broker_retention_check_interval_ms;
			next_retention = GetCurrentTimestamp();
		}

		MemoryContextSwitchTo(net_turn_context);
		PG_TRY();
		{
			turn();
		}
		PG_CATCH();
		{
			net_transaction_failed(net_may_report());
			MemoryContextReset(net_turn_context);
			next_retention = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), RETENTION_START_MS);
		}
		PG_END_TRY();

		pgstat_report_activity(STATE_IDLE, NULL);
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_EXIT_ON_PM_DEATH | WL_TIMEOUT,
						 time_to_sleep(), PG_WAIT_EXTENSION);
	}
}
