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
 * Retention is applied to topics that have grown by an extent soon after, so that
 * a topic under load stays near its limit, and to all of them from time to time,
 * because records also grow old.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "broker/settings.h"
#include "log/log.h"
#include "miscadmin.h"
#include "net/ask.h"
#include "net/compactor.h"
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
#define MAX_GROWN		1024

/* Topics that grow all the time are looked at this often. */
#define GROWTH_INTERVAL_MS	100

/* The first look at all topics, and the next one after an error. */
#define RETENTION_START_MS	30000

static TimestampTz next_retention;
static TimestampTz next_growth;

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

static void
serve_asks(void)
{
	net_process_interrupts();
	while (serve_ask())
		net_process_interrupts();
}

/* ---------- retention and compaction ---------- */

/*
 * Only the size can have become too large by growth; whether records have grown old
 * is for the pass over all topics (who loads old records has some time with them).
 */
static void
apply_retention(Oid relid, bool only_size)
{
	LogRetention policy;
	const Topic *topic;
	Relation	rel;
	bool		busy,
				deletes,
				compacts;
	int			n_partitions;

	net_transaction_begin();
	if (!ConditionalLockRelationOid(relid, ShareUpdateExclusiveLock))
		return;					/* the next pass will find it */
	topic = topic_try_get(relid, &busy);
	if (topic == NULL)
		return;
	deletes = (topic->config.cleanup_policy & CONFIG_CLEANUP_DELETE) != 0;
	compacts = (topic->config.cleanup_policy & CONFIG_CLEANUP_COMPACT) != 0;
	policy.retention_ms = only_size || !deletes ? -1 : topic->config.retention_ms;
	policy.retention_bytes = topic_config_retention_bytes(&topic->config);
	/* The active extent is closed in time for compaction, too. */
	if (policy.retention_ms < 0 && policy.retention_bytes < 0 && (only_size || !compacts))
		return;
	policy.segment_ms = only_size ? 0 : topic_config_segment_ms(&topic->config);
	policy.segment_bytes = topic->config.segment_bytes;
	policy.now_ms = GetCurrentTimestamp() / 1000 +
		(POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * INT64CONST(86400000);
	n_partitions = topic->n_partitions;

	rel = relation_open(relid, NoLock);
	for (int i = 0; i < n_partitions; i++)
	{
		LogPartition *part;

		CHECK_FOR_INTERRUPTS();
		part = log_open(rel, i);
		if (part)
			(void) log_apply_retention(rel, part, &policy);
	}
	relation_close(rel, NoLock);
}

/* Each in a transaction of its own; clients don't wait for the rest. */
static void
apply_retention_to(const Oid *topics, int n, bool only_size)
{
	pgstat_report_activity(STATE_RUNNING, "retention");
	for (int i = 0; i < n; i++)
	{
		/* Partitions of a topic come one after the other. */
		if (i > 0 && topics[i] == topics[i - 1])
			continue;
		PG_TRY();
		{
			apply_retention(topics[i], only_size);
			net_turn_done();
		}
		PG_CATCH();
		{
			net_transaction_failed(true);
		}
		PG_END_TRY();

		serve_asks();
		net_compact_topic(topics[i], serve_asks);
	}
}

static void
retention_of_all(void)
{
	MemoryContext context = AllocSetContextCreate(TopMemoryContext, "pg_broker retention",
												  ALLOCSET_SMALL_SIZES);
	const Oid  *list;
	Oid		   *topics;
	int			n;

	net_transaction_begin();
	list = topic_list(&n);
	topics = MemoryContextAlloc(context, Max(n, 1) * sizeof(Oid));
	memcpy(topics, list, n * sizeof(Oid));
	net_turn_done();
	apply_retention_to(topics, n, false);
	MemoryContextDelete(context);
}

static int
compare_oids(const void *a, const void *b)
{
	Oid			oa = *(const Oid *) a;
	Oid			ob = *(const Oid *) b;

	return oa < ob ? -1 : oa > ob;
}

static void
retention_of_grown(void)
{
	static Oid	topics[MAX_GROWN];
	int			n;

	net_transaction_begin();
	n = log_take_grown(topics, MAX_GROWN);
	net_turn_done();
	qsort(topics, n, sizeof(Oid), compare_oids);
	apply_retention_to(topics, n, true);
}

/* ---------- the loop ---------- */

static void
turn(void)
{
	serve_asks();
	if (log_has_grown() && GetCurrentTimestamp() >= next_growth)
	{
		retention_of_grown();
		next_growth = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), GROWTH_INTERVAL_MS);
	}
	if (GetCurrentTimestamp() >= next_retention)
	{
		retention_of_all();
		next_retention = TimestampTzPlusMilliseconds(GetCurrentTimestamp(),
													 broker_retention_check_interval_ms);
	}
}

static long
time_to_sleep(void)
{
	TimestampTz now = GetCurrentTimestamp();
	long		ms = TimestampDifferenceMilliseconds(now, next_retention);
	long		stats = net_report_stats();

	if (log_has_grown())
		ms = Min(ms, TimestampDifferenceMilliseconds(now, next_growth));
	return stats >= 0 ? Min(ms, stats) : ms;
}

void
net_controller_main(Datum arg)
{
	before_shmem_exit(controller_exit, 0);
	net_process_start(broker_database, &net_shared->controller);
	SetConfigOption("lock_timeout", LOCK_TIMEOUT, PGC_SUSET, PGC_S_OVERRIDE);
	net_requests_init();
	net_chunks_init(0);
	net_ask_attach();
	net_ask_reset_controller();
	log_controller_attach();

	next_retention = TimestampTzPlusMilliseconds(GetCurrentTimestamp(),
												 Min(RETENTION_START_MS,
													 broker_retention_check_interval_ms));
	for (;;)
	{
		bool		reload = ConfigReloadPending;

		ResetLatch(MyLatch);
		net_process_interrupts();
		net_wait_for_extension();
		if (reload)
			next_retention = Min(next_retention,
								 TimestampTzPlusMilliseconds(GetCurrentTimestamp(),
															 broker_retention_check_interval_ms));

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
