/*-------------------------------------------------------------------------
 *
 * seek.c
 *	  broker.seek(): a group goes on somewhere else when the transaction commits.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "am/produce.h"
#include "consume/consume.h"
#include "fmgr.h"
#include "log/log.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

PG_FUNCTION_INFO_V1(consume_sql_seek);
PG_FUNCTION_INFO_V1(consume_sql_seek_time);
PG_FUNCTION_INFO_V1(consume_sql_seek_text);

typedef enum SeekKind
{
	SEEK_OFFSET,
	SEEK_TIME,
	SEEK_EARLIEST,
	SEEK_LATEST
} SeekKind;

typedef struct Seek
{
	SeekKind	kind;
	int64		offset;
	int64		time_ms;
} Seek;

static int64
find_offset(const Topic *topic, int32 partition, const Seek *seek)
{
	Relation	rel = relation_open(topic->relid, AccessShareLock);
	LogPartition *part = log_open(rel, partition);
	LogBounds	bounds;
	Record		record;
	int64		offset = seek->offset;

	if (part == NULL)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("topic \"%s\" has no partition %d", topic->name, partition)));
	log_bounds(rel, part, &bounds);
	if (seek->kind == SEEK_EARLIEST)
		offset = bounds.log_start;
	else if (seek->kind != SEEK_OFFSET)
		offset = bounds.high_watermark;
	if (seek->kind == SEEK_TIME)
	{
		int64		from = log_find_time(rel, part, seek->time_ms);

		if (from >= 0 && consume_first_record(rel, partition, Max(from, bounds.log_start),
											  bounds.high_watermark, seek->time_ms, &record))
			offset = record.offset;
	}
	relation_close(rel, AccessShareLock);

	if (offset < bounds.log_start || offset > bounds.high_watermark)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("offset %lld of partition %d is out of range", (long long) offset, partition),
						errdetail("The partition can be read from offset %lld to %lld.",
								  (long long) bounds.log_start, (long long) bounds.high_watermark)));
	return offset;
}

static Datum
seek_to(FunctionCallInfo fcinfo, const Seek *seek)
{
	char	   *group = consume_group(PG_GETARG_TEXT_PP(0));
	Topic	   *topic = consume_topic(PG_GETARG_TEXT_PP(1));
	int32		partition = PG_GETARG_INT32(2);
	int64		offset = find_offset(topic, partition, seek);
	Note	   *note;
	PositionKey	key;
	PositionState state;
	ConsumeAsk	ask = {.group = group, .purpose = SESSION_SEEK, .generation = -1, .notes = &note, .n = 1};

	PreventCommandIfReadOnly("broker.seek()");
	PreventCommandIfParallelMode("broker.seek()");
	position_key(&key, group, strlen(group), topic->id.data, partition);
	note = note_get(&key, topic);
	consume_learn(&ask, &state);

	/* Wherever the group is now, but not if somebody else has sent it away meanwhile. */
	note_change(note);
	if (note_is_empty(note))
		note->start = state.offset;
	note->fence = state.fence;
	note->state.first = PG_INT64_MAX;
	note->state.may_skip = true;
	note->state.next = offset;
	note->state.metadata = NULL;
	PG_RETURN_INT64(offset);
}

/* broker.seek(group, topic, partition, offset): the offset */
Datum
consume_sql_seek(PG_FUNCTION_ARGS)
{
	Seek		seek = {.kind = SEEK_OFFSET, .offset = PG_GETARG_INT64(3)};

	return seek_to(fcinfo, &seek);
}

static void
set_time(Seek *seek, TimestampTz time)
{
	if (TIMESTAMP_NOT_FINITE(time))
		ereport(ERROR, (errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE), errmsg("the time must be finite"),
						errhint("Use 'earliest' or 'latest'.")));
	seek->kind = SEEK_TIME;
	seek->time_ms = Max(produce_timestamp_ms(time), 0);
}

/* To the first record of that time or a later one, or to the end. */
Datum
consume_sql_seek_time(PG_FUNCTION_ARGS)
{
	Seek		seek = {0};

	set_time(&seek, PG_GETARG_TIMESTAMPTZ(3));
	return seek_to(fcinfo, &seek);
}

/* 'earliest', 'latest', or what is an offset or a time as text: untyped literals come here. */
Datum
consume_sql_seek_text(PG_FUNCTION_ARGS)
{
	char	   *to = text_to_cstring(PG_GETARG_TEXT_PP(3));
	Seek		seek = {0};

	if (pg_strcasecmp(to, "earliest") == 0)
		seek.kind = SEEK_EARLIEST;
	else if (pg_strcasecmp(to, "latest") == 0)
		seek.kind = SEEK_LATEST;
	else if (to[0] != '\0' && strspn(to, "0123456789") == strlen(to))
		seek.offset = DatumGetInt64(DirectFunctionCall1(int8in, CStringGetDatum(to)));
	else
		set_time(&seek,
				 DatumGetTimestampTz(DirectFunctionCall3(timestamptz_in, CStringGetDatum(to),
														 ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1))));
	return seek_to(fcinfo, &seek);
}
