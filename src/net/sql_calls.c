/*-------------------------------------------------------------------------
 *
 * sql_calls.c
 *	  The coordinator's part in offsets that SQL sessions commit.
 *
 * It answers what sessions ask (exchange/session.h), tells them positions, and takes
 * the offsets that they have committed into the state of the groups, as soon as these are
 * durable (exchange/position.h).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "exchange/call.h"
#include "exchange/position.h"
#include "exchange/session.h"
#include "log/log.h"
#include "net/coordinator.h"
#include "utils/memutils.h"
#include "wire/error.h"

/* An offset that a session has committed, and that is not durable yet. */
typedef struct Untold
{
	struct Untold *next;
	XLogRecPtr	lsn;
	PositionKey	key;
	PositionValue value;
} Untold;

/* An answer that waits for this turn's records to be appended. */
typedef struct Reply
{
	struct Reply *next;
	uint64		token;
	char	   *data;
	uint32		length;
} Reply;

static Untold *untold;
static Untold **untold_tail = &untold;
static Reply *replies; /* of this turn, in its memory */

static WireString
key_group(const PositionKey *key)
{
	return wire_string(key->group);
}

static const WireUuid *
key_topic(const PositionKey *key)
{
	return (const WireUuid *) key->topic_id;
}

/* ---------- what the state machine calls ---------- */

static bool
make_key(PositionKey *key, WireString group, const WireUuid *topic_id, int32 partition)
{
	if (group.len > POSITION_GROUP_MAX)
		return false;			/* no session can use it */
	position_key(key, group.data, group.len, topic_id, partition);
	return true;
}

void
net_sql_fenced(void *arg, WireString group, const WireUuid *topic_id, int32 partition, uint64 fence)
{
	PositionKey	key;

	if (make_key(&key, group, topic_id, partition))
		position_fence(&key);
}

bool
net_sql_begin_change(void *arg, WireString group, const WireUuid *topic_id, int32 partition)
{
	PositionKey	key;

	return !make_key(&key, group, topic_id, partition) || position_begin_change(&key);
}

bool
net_sql_is_settled(void *arg, WireString group, const WireUuid *topic_id, int32 partition)
{
	PositionKey	key;

	return !make_key(&key, group, topic_id, partition) || position_is_settled(&key);
}

/* ---------- what sessions have committed ---------- */

/* Fences have to reach sessions that asked before we started. */
static void
watch(void *arg, const PositionKey *key)
{
	GroupCoordinator *co = arg;
	WireString	name = group_topic_name(co, key_topic(key));

	if (name.len >= 0)
		(void) group_fence(co, key_group(key), name, key->partition);
}

void
net_sql_restart(GroupCoordinator *co)
{
	position_restart(watch, co);
}

static void
take_committed(void)
{
	PositionKey	key;
	PositionValue value;
	XLogRecPtr	lsn;

	while (position_take_committed(&key, &value, &lsn))
	{
		Untold	   *u = MemoryContextAlloc(TopMemoryContext, sizeof(Untold));

		u->next = NULL;
		u->lsn = lsn;
		u->key = key;
		u->value = value;
		if (value.metadata_len > 0)
		{
			u->value.metadata = MemoryContextAlloc(TopMemoryContext, value.metadata_len);
			memcpy(u->value.metadata, value.metadata, value.metadata_len);
		}
		*untold_tail = u;
		untold_tail = &u->next;
		log_flush_request(lsn);	/* it may have committed asynchronously */
	}
}

static void
tell(GroupCoordinator *co, Untold *u)
{
	GroupOffset	offset = {
		.offset = u->value.offset,
		.leader_epoch = u->value.leader_epoch,
		.metadata = u->value.metadata_len > 0 ? wire_string_n(u->value.metadata, u->value.metadata_len)
											  : wire_string(""),
		.commit_ms = u->value.commit_ms,
	};

	group_committed(co, key_group(&u->key), key_topic(&u->key), u->key.partition, &offset);
	position_told(&u->key);
	if (u->value.metadata_len > 0)
		pfree(u->value.metadata);
	pfree(u);
}

static void
tell_durable(GroupCoordinator *co)
{
	XLogRecPtr	durable = log_durable_lsn();
	Untold	  **link = &untold;

	while (*link)
	{
		Untold	   *u = *link;

		if (u->lsn > durable)
		{
			link = &u->next;
			continue;
		}
		*link = u->next;
		tell(co, u);
	}
	untold_tail = link;
}

void
net_sql_settle(GroupCoordinator *co)
{
	take_committed();
	tell_durable(co);
	if (untold == NULL)
		return;
	/* Ask to be woken, then look again. */
	log_wake_on_flush(NET_COORDINATOR_NUMBER);
	tell_durable(co);
}

/* ---------- what sessions ask ---------- */

static void
reply(uint64 token, const WireWriter *w)
{
	Reply	   *r;

	if (token == 0)
		return;
	r = palloc(sizeof(Reply));
	r->token = token;
	r->length = w->failed ? 0 : w->len;
	r->data = w->failed ? NULL : memcpy(palloc(w->len + 1), w->data, w->len);
	r->next = replies;
	replies = r;
}

void
net_sql_reply(void)
{
	position_stored();
	for (Reply *r = replies; r; r = r->next)
		call_answer(r->token, r->data, r->length);
	replies = NULL;
}

/* What the session wants the group to be. */
static int16
prepare_group(GroupCoordinator *co, WireString group, SessionPurpose purpose, Oid role, int64 now_ms)
{
	int16		error = group_check(co, role, group, purpose == SESSION_LOOK ? GROUP_DESCRIBE : GROUP_USE);

	if (error)
		return error;
	switch (purpose)
	{
		case SESSION_CONSUME:
			return group_set_sql(co, group, true, now_ms) ? SESSION_WRONG_KIND : KAFKA_NONE;
		case SESSION_SEEK:
			group_ensure(co, group, now_ms);
			return group_has_members(co, group) ? KAFKA_NON_EMPTY_GROUP : KAFKA_NONE;
		default:
			return KAFKA_NONE;
	}
}

typedef struct Use
{
	WireString	group;
	SessionPurpose purpose;
	WireString	member;
	int32		generation;
} Use;

static int16
use_partition(GroupCoordinator *co, const Use *use, WireString name, const WireUuid *id, int32 partition,
			  WireWriter *offsets, int64 now_ms)
{
	int16		error = KAFKA_NONE;
	PositionState state = {.offset = POSITION_NONE};
	GroupOffset	offset;
	PositionKey	key;

	if (!wire_string_equal(group_topic_name(co, id), name))
		return KAFKA_UNKNOWN_TOPIC_ID;
	if (use->purpose == SESSION_COMMIT)
		error = group_claim_offsets(co, use->group, name, true, now_ms);
	if (error == KAFKA_NONE && use->member.len >= 0)
		error = group_check_member(co, use->group, use->member, use->generation, name, partition);
	if (error)
		return error;

	state.kind = group_kind(co, use->group);
	state.claimed = group_is_claimed(co, use->group, name);
	state.owner = group_owner(co, use->group);
	if (group_offset(co, use->group, name, partition, &offset))
		state.offset = offset.offset;
	wire_write_int64(offsets, state.offset);
	if (state.kind == GROUP_KIND_NONE || !make_key(&key, use->group, id, partition))
		return KAFKA_NONE;
	(void) group_fence(co, use->group, name, partition);
	position_tell(&key, &state);
	return KAFKA_NONE;
}

static int16
use_next(GroupCoordinator *co, const Use *use, WireReader *r, WireWriter *offsets, int64 now_ms)
{
	WireString	name = wire_read_string(r, false);
	const char *bytes = wire_read_raw(r, sizeof(WireUuid));
	int32		partition = wire_read_int32(r);
	WireUuid	id;

	if (r->failed)
		return KAFKA_INVALID_REQUEST;
	memcpy(&id, bytes, sizeof(id));
	return use_partition(co, use, name, &id, partition, offsets, now_ms);
}

static void
serve_use(GroupCoordinator *co, WireReader *r, WireWriter *w, Oid role, int64 now_ms)
{
	Use			use = {0};
	WireWriter	offsets;
	int32		n;
	int32		done = 0;
	int16		error;

	use.group = wire_read_string(r, false);
	use.purpose = wire_read_int8(r);
	use.member = wire_read_string(r, false);
	use.generation = wire_read_int32(r);
	n = wire_read_int32(r);

	wire_writer_init(&offsets, MaxAllocSize);
	error = r->failed ? KAFKA_INVALID_REQUEST : prepare_group(co, use.group, use.purpose, role, now_ms);
	for (; done < n && error == KAFKA_NONE; done++)
		error = use_next(co, &use, r, &offsets, now_ms);

	wire_write_int16(w, error);
	wire_write_int8(w, group_kind(co, use.group));
	wire_write_int32(w, done - 1);
	if (error == KAFKA_NONE)
		wire_write_raw(w, offsets.data, offsets.len);
	wire_writer_free(&offsets);
}

static void
serve_release(GroupCoordinator *co, WireReader *r, WireWriter *w, Oid role, int64 now_ms)
{
	WireString	group = wire_read_string(r, false);
	WireString	topic = wire_read_string(r, false);
	GroupKind	kind = group_kind(co, group);
	int16		error = KAFKA_NONE;

	if (r->failed)
		error = KAFKA_INVALID_REQUEST;
	else if ((error = group_check(co, role, group, GROUP_USE)) != KAFKA_NONE)
		;
	else if (kind == GROUP_KIND_NONE)
		error = KAFKA_GROUP_ID_NOT_FOUND;
	else if (topic.len >= 0)
		error = group_claim_offsets(co, group, topic, false, now_ms);
	else
	{
		group_release_offsets(co, group, now_ms);
		error = group_set_sql(co, group, false, now_ms);
	}
	wire_write_int16(w, error);
	wire_write_int8(w, kind);
}

bool
net_sql_serve(GroupCoordinator *co, const Call *call, const char *message, uint32 length, uint64 token,
			  int64 now_ms)
{
	WireReader	r;
	WireWriter	w;

	if (call->api_key >= 0)
		return false;
	wire_reader_init(&r, message, message ? length : 0);
	wire_writer_init(&w, MaxAllocSize);
	group_act_as(co, call->role);
	switch (call->api_key)
	{
		case CALL_USE:
			serve_use(co, &r, &w, call->role, now_ms);
			break;
		case CALL_RELEASE:
			serve_release(co, &r, &w, call->role, now_ms);
			break;
		case CALL_SHOW:
			group_show(co, wire_read_int8(&r), call->role, &w);
			break;
		default:
			wire_writer_fail(&w, "unknown call");
			break;
	}
	reply(token, &w);
	wire_writer_free(&w);
	return true;
}
