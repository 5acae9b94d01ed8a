/*-------------------------------------------------------------------------
 *
 * coordinator.c
 *	  The coordinator: one owner of the state of all groups.
 *
 * It takes requests from network workers and SQL sessions (exchange/call.h), lets the state
 * machine of src/group work on them, appends the records that come out to
 * __consumer_offsets, and gives back the answers when what they tell is
 * durable.  It waits for no flush and no standby: answers wait, in the order of
 * the WAL that they need, and others pass them.
 *
 * The state is made of records.  So when one can't be stored there is no way
 * back but to begin anew: the process ends with an error, and its successor
 * loads what is stored.  Whoever waits for an answer then loses its connection, and
 * asks again.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <time.h>

#include "access/xlog.h"
#include "broker/group_settings.h"
#include "broker/group_store.h"
#include "broker/settings.h"
#include "exchange/call.h"
#include "lib/ilist.h"
#include "log/log.h"
#include "miscadmin.h"
#include "net/coordinator.h"
#include "net/process.h"
#include "net/report.h"
#include "net/shared.h"
#include "pgstat.h"
#include "postmaster/interrupt.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"
#include "wire/api_list.h"
#include "wire/error.h"

#define LOCK_TIMEOUT	"1s"

/* Requests of one turn: their records are appended together. */
#define MAX_CALLS	1000

#define ARENA_BASE	(64 * 1024 * 1024)

/* An answer that waits for WAL. */
typedef struct Held
{
	dlist_node	node;
	uint64		token;
	XLogRecPtr	lsn;
	uint32		length;
	char		data[FLEXIBLE_ARRAY_MEMBER];
} Held;

/* Records up to this number are durable with this position. */
typedef struct Stored
{
	dlist_node	node;
	uint64		record;
	XLogRecPtr	lsn;
} Stored;

static GroupCoordinator *co;
static MemoryContext held_context;
static dlist_head held = DLIST_STATIC_INIT(held);	/* by position */
static dlist_head stored = DLIST_STATIC_INIT(stored);	/* not yet durable */
static XLogRecPtr loaded_lsn;	/* of what was there when the state was loaded */
static WireArena arena;
static WireWriter writer;

/* ---------- time ---------- */

/* Milliseconds since 1970, that go on evenly whatever is done to the clock. */
static int64
now_ms(void)
{
	static int64 offset;
	struct timespec t;
	int64		ms;

	clock_gettime(CLOCK_MONOTONIC, &t);
	ms = (int64) t.tv_sec * 1000 + t.tv_nsec / 1000000;
	if (offset == 0)
		offset = GetCurrentTimestamp() / 1000 +
			(POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * INT64CONST(86400000) - ms;
	return ms + offset;
}

/* ---------- what the state machine calls ---------- */

static void
no_memory(void *arg)
{
	ereport(FATAL, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory for consumer groups")));
}

static void
random_bytes(void *arg, uint8_t *bytes, size_t n)
{
	if (!pg_strong_random(bytes, n))
		ereport(FATAL, (errmsg("could not generate random values")));
}

/*
 * Catalogs are looked at here.  If that fails, for a lock that isn't to be had say, nothing is
 * lost but the transaction of the turn, in which nothing has been written yet.
 */
static int16
access_failed(void)
{
	net_transaction_failed(net_may_report());
	net_transaction_begin();
	return KAFKA_COORDINATOR_NOT_AVAILABLE;
}

static int16_t
match(void *arg, WireString pattern, int32_t n, const WireString *topics, bool *matches)
{
	return broker_group_match(pattern, n, topics, matches);
}

static int16_t
served(void *arg, WireString group)
{
	return broker_group_served(group);
}

static int16_t
may(void *arg, uint32_t who, WireString group, uint32_t owner, GroupRight right)
{
	volatile int16 error;

	PG_TRY();
	{
		error = broker_group_may(who, group, owner, right);
	}
	PG_CATCH();
	{
		error = access_failed();
	}
	PG_END_TRY();
	return error;
}

static int16_t
may_topic(void *arg, uint32_t who, const WireUuid *topic_id, bool read)
{
	volatile int16 error;

	PG_TRY();
	{
		error = broker_group_may_topic(who, topic_id, read);
	}
	PG_CATCH();
	{
		error = access_failed();
	}
	PG_END_TRY();
	return error;
}

static const GroupCallbacks callbacks = {
	.no_memory = no_memory,
	.random = random_bytes,
	.match = match,
	.served = served,
	.may = may,
	.may_topic = may_topic,
	.fenced = net_sql_fenced,
	.begin_change = net_sql_begin_change,
	.is_settled = net_sql_is_settled,
};

/* ---------- answers ---------- */

/* What position of WAL must be durable before a record may be told of? */
static XLogRecPtr
lsn_of(uint64 record)
{
	dlist_iter	iter;

	dlist_foreach(iter, &stored)
	{
		Stored	   *s = dlist_container(Stored, node, iter.cur);

		if (s->record >= record)
			return Max(s->lsn, loaded_lsn);
	}
	return loaded_lsn;
}

static void
hold(uint64 token, XLogRecPtr lsn, const char *data, uint32 length)
{
	Held	   *h = MemoryContextAllocHuge(held_context, offsetof(Held, data) + Max(length, 1));
	dlist_node *before = dlist_is_empty(&held) ? NULL : dlist_tail_node(&held);

	h->token = token;
	h->lsn = lsn;
	h->length = length;
	memcpy(h->data, data, length);
	while (before && dlist_container(Held, node, before)->lsn > lsn)
		before = dlist_has_prev(&held, before) ? dlist_prev_node(&held, before) : NULL;
	if (before)
		dlist_insert_after(before, &h->node);
	else
		dlist_push_head(&held, &h->node);
}

static void
release_durable(void)
{
	XLogRecPtr	durable = log_durable_lsn();

	if (!dlist_is_empty(&held) && dlist_head_element(Held, node, &held)->lsn > durable)
	{
		/* Ask to be woken, then look again. */
		log_wake_on_flush(NET_COORDINATOR_NUMBER);
		durable = log_durable_lsn();
	}
	while (!dlist_is_empty(&held) && dlist_head_element(Held, node, &held)->lsn <= durable)
	{
		Held	   *h = dlist_container(Held, node, dlist_pop_head_node(&held));

		call_answer(h->token, h->data, h->length);
		pfree(h);
	}
	while (!dlist_is_empty(&stored) && dlist_head_element(Stored, node, &stored)->lsn <= durable)
		pfree(dlist_container(Stored, node, dlist_pop_head_node(&stored)));
	if (!dlist_is_empty(&held))
		log_wake_on_flush(NET_COORDINATOR_NUMBER);
}

static void
give_answer(const GroupAnswer *answer, XLogRecPtr durable)
{
	const WireApi *api = wire_api(answer->api_key);
	XLogRecPtr	lsn = lsn_of(answer->after);

	wire_writer_reset(&writer);
	if (!wire_encode(api->response, answer->api_version, answer->response, &writer))
	{
		elog(LOG, "could not encode the response to Kafka request %s, version %d: %s %s", api->name,
			 answer->api_version, writer.field ? writer.field : "it", writer.why);
		call_answer(answer->token, NULL, 0);
	}
	else if (lsn <= durable)
		call_answer(answer->token, writer.data, writer.len);
	else
		hold(answer->token, lsn, writer.data, writer.len);
}

/* Store and send what the state machine has produced. */
static void
drain(void)
{
	int32		n;
	const GroupRecord *records = group_records(co, &n);
	const GroupAnswer *answers;
	XLogRecPtr	durable;

	if (n > 0)
	{
		Stored	   *s;
		XLogRecPtr	lsn;

		net_transaction_begin();
		if (!broker_group_store_exists())
		{
			broker_group_store_create();
			net_transaction_end();
			net_transaction_begin();
		}
		lsn = broker_group_store_append(records, n, now_ms());
		s = MemoryContextAlloc(held_context, sizeof(Stored));
		s->record = group_last_record(co);
		s->lsn = lsn;
		dlist_push_tail(&stored, &s->node);
		log_flush_request(lsn);
	}
	durable = log_durable_lsn();
	answers = group_answers(co, &n);
	for (int32 i = 0; i < n; i++)
		if (answers[i].token != 0)
			give_answer(&answers[i], durable);
	group_clear(co);
}

/* ---------- requests ---------- */

/* false: there is none. */
static bool
serve_call(void)
{
	Call		call;
	char	   *message;
	uint32		length;
	uint64		token;
	const WireApi *api;
	WireReader	reader;
	void	   *decoded = NULL;

	if (!call_take(&call, &message, &length, &token))
		return false;
	if (net_sql_serve(co, &call, message, length, token, now_ms()))
	{
		if (message)
			pfree(message);
		return true;
	}
	api = wire_api(call.api_key);
	wire_arena_reset(&arena);
	arena.cap = ARENA_BASE + (size_t) length * 2;
	if (message && api && group_handles(call.api_key))
	{
		wire_reader_init(&reader, message, length);
		decoded = wire_alloc(&arena, api->request->size);
		if (decoded && !wire_decode(api->request, call.api_version, &reader, &arena, decoded))
			decoded = NULL;
	}
	if (decoded)
	{
		GroupRequest req = {
			.token = token,
			.api_key = call.api_key,
			.api_version = call.api_version,
			.client_id = wire_string(call.client_id),
			.client_host = wire_string(call.client_host),
			.who = call.role,
			.message = decoded,
		};

		group_request(co, &req, now_ms());
	}
	else
	{
		if (net_may_report())
			ereport(LOG,
					(errcode(ERRCODE_PROTOCOL_VIOLATION),
					 errmsg("request %s of Kafka client %s is malformed", api ? api->name : "?",
							call.client_host)));
		call_answer(token, NULL, 0);
	}
	if (message)
		pfree(message);
	return true;
}

/* true: there may be more. */
static bool
turn(void)
{
	int			n = 0;

	net_transaction_begin();
	net_sql_settle(co);
	broker_group_topics_update(co, now_ms());
	while (n < MAX_CALLS && serve_call())
		n++;
	group_tick(co, now_ms());
	drain();
	net_sql_reply();
	net_turn_done();
	release_durable();
	return n == MAX_CALLS;
}

/* ---------- the process ---------- */

/*
 * Network workers wait for this before they listen the first time, so that clients never meet
 * groups that are not loaded.  If loading fails they have waited long enough.
 */
static void
open_port(void)
{
	if (pg_atomic_exchange_u32(&net_shared->groups_loaded, 1) == 0)
		net_wake_all();
}

static void
coordinator_exit(int code, Datum arg)
{
	if (code != 0 && !ShutdownRequestPending)
		open_port();
	LWLockReleaseAll();
	log_worker_detach(NET_COORDINATOR_NUMBER);
	call_coordinator_detach();
	net_detach_latch(&net_shared->coordinator);
}

static void
load(void)
{
	GroupSettings settings;

	broker_group_settings(&settings);
	co = group_create(&settings, &callbacks);
	net_transaction_begin();
	broker_group_store_load(co, now_ms());
	loaded_lsn = log_insert_end();
	net_turn_done();

	/* Offsets of topics that aren't there are deleted, so none may be overlooked. */
	net_transaction_begin();
	broker_group_topics_load(co, now_ms());
	net_turn_done();
	group_loaded(co, now_ms());
	net_sql_restart(co);
	log_flush_request(loaded_lsn);
	open_port();
}

static long
time_to_sleep(void)
{
	int64		deadline = group_next_deadline(co);
	int64		now = now_ms();
	long		stats = net_report_stats();

	if (deadline <= now)
		return 0;
	if (deadline != INT64_MAX && (stats < 0 || deadline - now < stats))
		return (long) Min(deadline - now, INT_MAX);
	return stats;
}

void
net_coordinator_main(Datum arg)
{
	before_shmem_exit(coordinator_exit, 0);
	net_process_start(broker_database, &net_shared->coordinator);
	SetConfigOption("lock_timeout", LOCK_TIMEOUT, PGC_SUSET, PGC_S_OVERRIDE);
	call_attach();
	call_coordinator_attach();
	log_worker_attach(NET_COORDINATOR_NUMBER);
	held_context = AllocSetContextCreate(TopMemoryContext, "pg_broker held answers", ALLOCSET_DEFAULT_SIZES);
	wire_arena_init(&arena, ARENA_BASE);
	wire_writer_init(&writer, INT32_MAX);
	net_wait_for_extension();

	/*
	 * An error is not caught here: it ends the process, and the next one loads
	 * what is stored.
	 */
	MemoryContextSwitchTo(net_turn_context);
	load();
	for (;;)
	{
		bool		reload = ConfigReloadPending;
		bool		busy;
		long		timeout;

		ResetLatch(MyLatch);
		net_process_interrupts();
		if (!net_extension_exists())
			proc_exit(1);		/* with all groups; the next one waits for another */
		if (reload)
		{
			GroupSettings settings;

			broker_group_settings(&settings);
			group_settings_change(co, &settings);
		}
		pgstat_report_activity(STATE_RUNNING, NULL);
		busy = turn();
		if (busy)
			continue;

		timeout = time_to_sleep();
		pgstat_report_activity(STATE_IDLE, NULL);
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_EXIT_ON_PM_DEATH | (timeout >= 0 ? WL_TIMEOUT : 0),
						 timeout, PG_WAIT_EXTENSION);
	}
}
