/*-------------------------------------------------------------------------
 *
 * views.c
 *	  What the views of groups, members and offsets are made of.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "am/produce.h"
#include "am/row.h"
#include "catalog/pg_type.h"
#include "consume/consume.h"
#include "fmgr.h"
#include "funcapi.h"
#include "group/group.h"
#include "log/log.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

PG_FUNCTION_INFO_V1(consume_sql_group_info);
PG_FUNCTION_INFO_V1(consume_sql_group_member_info);
PG_FUNCTION_INFO_V1(consume_sql_group_offset_info);

/* The rows of all groups that the user may see. */
static int32
ask(GroupShow what, WireReader *r)
{
	Call		call = {.api_key = CALL_SHOW};
	WireWriter *writer = consume_writer();
	char	   *answer;
	uint32		length;

	call.role = GetUserId();
	wire_write_int8(writer, what);
	answer = consume_call(&call, writer, &length);
	wire_reader_init(r, answer, length);
	return wire_read_int32(r);
}

/* Clients may send what is no text; that is shown as bytes. */
static bool
text_value(WireString s, Datum *value)
{
	char	   *copy;

	if (s.len < 0)
		return true;
	copy = pnstrdup(s.data, s.len);
	if (!pg_verify_mbstr(PG_UTF8, copy, s.len, true))
	{
		bytea	   *bytes = (bytea *) cstring_to_text_with_len(copy, s.len);

		copy = DatumGetCString(DirectFunctionCall1(byteaout, PointerGetDatum(bytes)));
	}
	*value = CStringGetTextDatum(pg_any_to_server(copy, strlen(copy), PG_UTF8));
	return false;
}

/* Null if empty. */
static bool
optional_value(WireString s, Datum *value)
{
	if (s.len == 0)
		s.len = -1;
	return text_value(s, value);
}

/* group, kind, state, protocol_type, protocol, generation, members, owner */
Datum
consume_sql_group_info(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	WireReader	r;
	int32		n;

	InitMaterializedSRF(fcinfo, 0);
	n = ask(GROUP_SHOW_GROUPS, &r);
	for (int32 i = 0; i < n && !r.failed; i++)
	{
		Datum		values[8];
		bool		nulls[8] = {0};

		CHECK_FOR_INTERRUPTS();
		for (int c = 0; c < 5; c++)
			nulls[c] = (c < 3 ? text_value : optional_value)(wire_read_string(&r, false), &values[c]);
		values[5] = Int32GetDatum(wire_read_int32(&r));
		values[6] = Int32GetDatum(wire_read_int32(&r));
		values[7] = ObjectIdGetDatum((Oid) wire_read_int32(&r));
		nulls[7] = values[7] == 0;
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}

/* group, member, instance, client_id, client_host, topic, partitions: a row for each topic of a member */
Datum
consume_sql_group_member_info(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	WireReader	r;
	int32		n;

	InitMaterializedSRF(fcinfo, 0);
	n = ask(GROUP_SHOW_MEMBERS, &r);
	for (int32 i = 0; i < n && !r.failed; i++)
	{
		Datum		values[7];
		bool		nulls[7] = {0};
		int32		n_topics;

		CHECK_FOR_INTERRUPTS();
		for (int c = 0; c < 5; c++)
			nulls[c] = text_value(wire_read_string(&r, false), &values[c]);
		n_topics = wire_read_int32(&r);
		if (n_topics == 0)
		{
			nulls[5] = nulls[6] = true;
			tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
		}
		for (int32 t = 0; t < n_topics && !r.failed; t++)
		{
			int32		n_partitions;
			Datum	   *partitions;

			nulls[5] = text_value(wire_read_string(&r, false), &values[5]);
			n_partitions = wire_read_array_len(&r, false, sizeof(int32));
			partitions = palloc(Max(n_partitions, 1) * sizeof(Datum));
			for (int32 p = 0; p < n_partitions; p++)
				partitions[p] = Int32GetDatum(wire_read_int32(&r));
			values[6] = PointerGetDatum(
				construct_array(partitions, Max(n_partitions, 0), INT4OID, 4, true, TYPALIGN_INT));
			tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
		}
	}
	return (Datum) 0;
}

/* ---------- offsets ---------- */

enum
{
	OFFSET_GROUP,
	OFFSET_TOPIC,
	OFFSET_PARTITION,
	OFFSET_COMMITTED,
	OFFSET_METADATA,
	OFFSET_TIME,
	OFFSET_BY_SQL,
	OFFSET_START,
	OFFSET_END,
	OFFSET_LAG,
	OFFSET_LAG_TIME,
	OFFSET_N_COLUMNS
};

/* What the log has; only for who may see the topic. */
static void
add_lag(WireString topic, int32 partition, int64 committed, Datum *values, bool *nulls)
{
	Oid			relid = topic_lookup(topic.data, topic.len);
	Relation	rel = NULL;
	LogPartition *part = NULL;
	LogBounds	bounds;
	Record		record;
	int64		next;

	if (OidIsValid(relid) && topic_may(GetUserId(), relid, TOPIC_DESCRIBE))
		rel = try_relation_open(relid, AccessShareLock);
	if (rel)
		part = log_open(rel, partition);
	for (int c = OFFSET_START; c < OFFSET_N_COLUMNS; c++)
		nulls[c] = part == NULL;
	if (part)
	{
		log_bounds(rel, part, &bounds);
		next = Max(committed, bounds.log_start);
		values[OFFSET_START] = Int64GetDatum(bounds.log_start);
		values[OFFSET_END] = Int64GetDatum(bounds.high_watermark);
		values[OFFSET_LAG] = Int64GetDatum(Max(bounds.high_watermark - next, 0));
		nulls[OFFSET_LAG_TIME] =
			!consume_first_record(rel, partition, next, bounds.high_watermark, -1, &record);
		if (!nulls[OFFSET_LAG_TIME])
		{
			TimestampTz	now = GetCurrentTimestamp();
			TimestampTz	since = Min(row_timestamp_from_ms(record.timestamp), now);

			values[OFFSET_LAG_TIME] = Float8GetDatum(record.timestamp < 0 ? 0 : (now - since) / 1000000.0);
		}
	}
	if (rel)
		relation_close(rel, AccessShareLock);
}

Datum
consume_sql_group_offset_info(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	WireReader	r;
	int32		n;

	InitMaterializedSRF(fcinfo, 0);
	n = ask(GROUP_SHOW_OFFSETS, &r);
	for (int32 i = 0; i < n && !r.failed; i++)
	{
		Datum		values[OFFSET_N_COLUMNS];
		bool		nulls[OFFSET_N_COLUMNS] = {0};
		WireString	topic;
		int32		partition;
		int64		offset;

		CHECK_FOR_INTERRUPTS();
		nulls[OFFSET_GROUP] = text_value(wire_read_string(&r, false), &values[OFFSET_GROUP]);
		topic = wire_read_string(&r, false);
		nulls[OFFSET_TOPIC] = text_value(topic, &values[OFFSET_TOPIC]);
		partition = wire_read_int32(&r);
		offset = wire_read_int64(&r);
		values[OFFSET_PARTITION] = Int32GetDatum(partition);
		values[OFFSET_COMMITTED] = Int64GetDatum(offset);
		nulls[OFFSET_METADATA] = optional_value(wire_read_string(&r, false), &values[OFFSET_METADATA]);
		values[OFFSET_TIME] = TimestampTzGetDatum(row_timestamp_from_ms(wire_read_int64(&r)));
		values[OFFSET_BY_SQL] = BoolGetDatum(wire_read_int8(&r) != 0);
		if (r.failed)
			break;
		add_lag(topic, partition, offset, values, nulls);
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}
