/*-------------------------------------------------------------------------
 *
 * ask.c
 *	  The coordinator is asked, and who may ask.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xlog.h"
#include "consume/consume.h"
#include "exchange/call.h"
#include "group/group.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "wire/error.h"

Topic *
consume_topic(text *name)
{
	Oid			relid = topic_lookup(VARDATA_ANY(name), VARSIZE_ANY_EXHDR(name));
	const Topic *topic = OidIsValid(relid) ? topic_get(relid) : NULL;
	Topic	   *copy;

	if (topic == NULL)
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_TABLE),
						errmsg("topic \"%s\" does not exist", text_to_cstring(name))));
	topic_require_right(relid, topic->name, TOPIC_READ);
	copy = palloc(sizeof(Topic));
	*copy = *topic;
	return copy;
}

char *
consume_group(text *name)
{
	int			len = VARSIZE_ANY_EXHDR(name);
	char	   *group = text_to_cstring(name);

	topic_require_broker();
	group = pg_server_to_any(group, len, PG_UTF8);
	if (group[0] == '\0' || strlen(group) > POSITION_GROUP_MAX)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("the name of a group must have 1 to %d bytes", POSITION_GROUP_MAX)));
	return group;
}

/* ---------- asking ---------- */

WireWriter *
consume_writer(void)
{
	static WireWriter writer;

	topic_require_broker();
	if (writer.max == 0)
		wire_writer_init(&writer, MaxAllocSize);
	wire_writer_reset(&writer);
	return &writer;
}

char *
consume_call(const Call *call, const WireWriter *message, uint32 *length)
{
	char	   *answer = NULL;

	if (RecoveryInProgress())
		ereport(ERROR, (errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION),
						errmsg("consumer groups can't be used during recovery"),
						errhint("Their coordinator runs on the primary server.")));
	if (message->failed)
		ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
	while (answer == NULL)
		answer = call_ask(call, message->data, message->len, length);
	return answer;
}

static WireWriter *
write_question(const ConsumeAsk *ask)
{
	WireWriter *writer = consume_writer();

	wire_write_string(writer, wire_string(ask->group), false);
	wire_write_int8(writer, ask->purpose);
	wire_write_string(writer, wire_string(ask->member), false);
	wire_write_int32(writer, ask->generation);
	wire_write_int32(writer, ask->n);
	for (int i = 0; i < ask->n; i++)
	{
		wire_write_string(writer, wire_string(ask->notes[i]->topic), false);
		wire_write_raw(writer, ask->notes[i]->key.topic_id, UUID_LEN);
		wire_write_int32(writer, ask->notes[i]->key.partition);
	}
	return writer;
}

int64 *
consume_ask(const ConsumeAsk *ask)
{
	Call		call = {.api_key = CALL_USE, .role = GetUserId()};
	int64	   *offsets = palloc(Max(ask->n, 1) * sizeof(int64));
	char	   *answer;
	uint32		length;
	WireReader	r;
	int16		error;
	int			kind;
	int32		about;

	answer = consume_call(&call, write_question(ask), &length);
	wire_reader_init(&r, answer, length);
	error = wire_read_int16(&r);
	kind = wire_read_int8(&r);
	about = wire_read_int32(&r);
	if (error)
	{
		const Note *note = ask->notes[about >= 0 && about < ask->n ? about : 0];

		consume_report_error(ask->group, error, kind, note->topic, note->key.partition);
	}
	for (int i = 0; i < ask->n; i++)
		offsets[i] = wire_read_int64(&r);
	if (r.failed)
		elog(ERROR, "the coordinator's answer is malformed");
	pfree(answer);
	return offsets;
}

static bool
is_learned(const ConsumeAsk *ask, const PositionState *state)
{
	if (!state->known)
		return false;
	switch (ask->purpose)
	{
		case SESSION_COMMIT:
			return state->claimed;
		case SESSION_CONSUME:
			return state->kind == GROUP_KIND_SQL;
		default:
			return true;
	}
}

void
consume_learn(const ConsumeAsk *ask, PositionState *states)
{
	bool		asked = ask->member == NULL && ask->purpose != SESSION_SEEK;

	for (;;)
	{
		bool		learned = true;

		for (int i = 0; i < ask->n; i++)
		{
			/* Who consumes takes what is free. */
			if (ask->purpose == SESSION_CONSUME)
				position_peek(ask->notes[i]->position, &states[i]);
			else
				position_look(ask->notes[i]->position, &states[i]);
			learned &= is_learned(ask, &states[i]);
		}
		if (learned && asked)
			break;
		CHECK_FOR_INTERRUPTS();
		pfree(consume_ask(ask));
		asked = true;
	}

	/* The coordinator has checked this, but may have been asked by another role. */
	if (ask->n > 0 &&
		!topic_may_use_group(GetUserId(), ask->group, strlen(ask->group), states[0].owner, TOPIC_GROUP_USE))
		consume_report_error(ask->group, KAFKA_GROUP_AUTHORIZATION_FAILED, GROUP_KIND_NONE, "", 0);
}
