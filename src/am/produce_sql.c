/*-------------------------------------------------------------------------
 *
 * produce_sql.c
 *	  broker.produce() and broker.last_produced().
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "am/am.h"
#include "am/produce.h"
#include "am/produce_buffer.h"
#include "topic/topic.h"
#include "topic/value_check.h"

#include "access/table.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/rel.h"
#include "utils/timestamp.h"

PG_FUNCTION_INFO_V1(am_sql_produce);
PG_FUNCTION_INFO_V1(am_sql_last_produced);

static Relation
open_topic(text *name)
{
	Oid			relid = topic_lookup(VARDATA_ANY(name), VARSIZE_ANY_EXHDR(name));

	if (!OidIsValid(relid))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("topic \"%s\" does not exist", text_to_cstring(name)),
				 errhint("Create it with broker.create_topic().")));
	topic_require_right(relid, text_to_cstring(name), TOPIC_WRITE);
	return table_open(relid, RowExclusiveLock);
}

/*
 * A key or value of the function's argument type for a column of the topic's:
 * the bytes are the same, but have to be valid for that type.
 */
static Datum
argument_for_column(FunctionCallInfo fcinfo, int argno, TopicType type, const char *what)
{
	struct varlena *v = PG_GETARG_VARLENA_PP(argno);
	TopicValueError error = TOPIC_VALUE_OK;

	if (type != TOPIC_BYTEA)
		error = topic_check_value(type, VARDATA_ANY(v), VARSIZE_ANY_EXHDR(v));
	if (error != TOPIC_VALUE_OK)
		ereport(ERROR,
				(errcode(error == TOPIC_VALUE_BAD_TEXT ? ERRCODE_CHARACTER_NOT_IN_REPERTOIRE :
						 ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("%s is not valid for the topic", what),
				 errdetail("%s", topic_value_error_message(error))));
	return PointerGetDatum(v);
}

/* broker.produce(topic, value, key, headers, partition, ts): the partition that was chosen */
Datum
am_sql_produce(PG_FUNCTION_ARGS)
{
	Relation	rel;
	const Topic *topic;
	Datum		values[TOPIC_N_COLUMNS] = {0};
	bool		isnull[TOPIC_N_COLUMNS] = {true, true, true, true, true, true};

	if (PG_ARGISNULL(0))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("the topic must not be null")));
	PreventCommandIfReadOnly("broker.produce()");
	PreventCommandIfParallelMode("broker.produce()");

	rel = open_topic(PG_GETARG_TEXT_PP(0));
	topic = produce_begin(rel);

	if (!PG_ARGISNULL(1))
	{
		values[TOPIC_COL_VALUE - 1] = argument_for_column(fcinfo, 1, topic->value_type, "value");
		isnull[TOPIC_COL_VALUE - 1] = false;
	}
	if (!PG_ARGISNULL(2))
	{
		values[TOPIC_COL_KEY - 1] = argument_for_column(fcinfo, 2, topic->key_type, "key");
		isnull[TOPIC_COL_KEY - 1] = false;
	}
	if (!PG_ARGISNULL(3))
	{
		values[TOPIC_COL_HEADERS - 1] = PG_GETARG_DATUM(3);
		isnull[TOPIC_COL_HEADERS - 1] = false;
	}
	if (!PG_ARGISNULL(4))
	{
		values[TOPIC_COL_PARTITION - 1] = PG_GETARG_DATUM(4);
		isnull[TOPIC_COL_PARTITION - 1] = false;
	}
	if (!PG_ARGISNULL(5))
	{
		values[TOPIC_COL_TS - 1] = PG_GETARG_DATUM(5);
		isnull[TOPIC_COL_TS - 1] = false;
	}
	produce_row(rel, topic, values, isnull);
	table_close(rel, NoLock);
	PG_RETURN_DATUM(values[TOPIC_COL_PARTITION - 1]);
}

Datum
am_sql_last_produced(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	int			n;
	const ProducedRange *ranges = produce_buffer_last(&n);

	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; i < n; i++)
	{
		Datum		values[4];
		bool		nulls[4] = {0};

		if (ranges[i].first_offset < 0)
			continue;
		values[0] = CStringGetTextDatum(ranges[i].topic);
		values[1] = Int32GetDatum(ranges[i].partition);
		values[2] = Int64GetDatum(ranges[i].first_offset);
		values[3] = Int64GetDatum(ranges[i].last_offset);
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}
