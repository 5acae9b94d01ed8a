/*-------------------------------------------------------------------------
 *
 * sql.c
 *	  SQL functions that create, change and drop topics, and those that the
 *	  views of topics are made of.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "commands/trigger.h"
#include "common/int.h"
#include "funcapi.h"
#include "log/log.h"
#include "miscadmin.h"
#include "topic/internal.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/timestamp.h"
#include "utils/tuplestore.h"
#include "utils/uuid.h"
#include "wire/batch.h"

PG_FUNCTION_INFO_V1(topic_sql_create);
PG_FUNCTION_INFO_V1(topic_sql_alter);
PG_FUNCTION_INFO_V1(topic_sql_drop);
PG_FUNCTION_INFO_V1(topic_sql_refuse_changes);
PG_FUNCTION_INFO_V1(topic_sql_info);
PG_FUNCTION_INFO_V1(topic_sql_config);
PG_FUNCTION_INFO_V1(topic_sql_partitions);

/* ---------- arguments ---------- */

static char *
name_argument(FunctionCallInfo fcinfo)
{
	if (PG_ARGISNULL(0))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("the name of a topic must not be null")));
	return text_to_cstring(PG_GETARG_TEXT_PP(0));
}

static Oid
existing_topic(const char *name)
{
	Oid			relid = topic_lookup(name, strlen(name));

	if (!OidIsValid(relid))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("topic \"%s\" does not exist", name)));
	return relid;
}

static TopicType
type_argument(FunctionCallInfo fcinfo, int argno, bool is_key)
{
	TopicType	result = TOPIC_BYTEA;

	if (!PG_ARGISNULL(argno) && !topic_type_from_oid(PG_GETARG_OID(argno), is_key, &result))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 is_key ? errmsg("keys of topics can't be of type %s", format_type_be(PG_GETARG_OID(argno))) :
				 errmsg("values of topics can't be of type %s", format_type_be(PG_GETARG_OID(argno))),
				 is_key ? errhint("Keys are bytea or text.") :
				 errhint("Values are bytea, text or json.")));
	return result;
}

/* {"retention.ms": 1000, "cleanup.policy": null, ...}; null resets. */
static TopicSetting *
config_argument(FunctionCallInfo fcinfo, int argno, int *n)
{
	TopicSetting *result;
	Jsonb	   *config;
	JsonbIterator *it;
	JsonbIteratorToken token;
	JsonbValue	v;

	*n = 0;
	if (PG_ARGISNULL(argno))
		return NULL;
	config = PG_GETARG_JSONB_P(argno);
	if (!JB_ROOT_IS_OBJECT(config))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the configuration of a topic must be a json object"),
				 errhint("Write it like '{\"retention.ms\": 3600000}'.")));

	result = palloc0(Max(1, JB_ROOT_COUNT(config)) * sizeof(TopicSetting));
	it = JsonbIteratorInit(&config->root);
	while ((token = JsonbIteratorNext(&it, &v, true)) != WJB_DONE)
	{
		TopicSetting *setting = &result[*n];

		if (token == WJB_KEY)
			setting->name = pnstrdup(v.val.string.val, v.val.string.len);
		if (token != WJB_VALUE)
			continue;

		setting->op = TOPIC_SET;
		switch (v.type)
		{
			case jbvNull:
				setting->op = TOPIC_RESET;
				break;
			case jbvString:
				setting->value = pnstrdup(v.val.string.val, v.val.string.len);
				break;
			case jbvNumeric:
				setting->value = DatumGetCString(DirectFunctionCall1(numeric_out,
																	 NumericGetDatum(v.val.numeric)));
				break;
			case jbvBool:
				setting->value = v.val.boolean ? "true" : "false";
				break;
			default:
				ereport(ERROR,
						(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						 errmsg("invalid value for topic setting \"%s\"", setting->name),
						 errdetail("It must be a string, a number, a boolean or null.")));
		}
		(*n)++;
	}
	return result;
}

/* ---------- changes ---------- */

/* create_topic(name text, partitions int, config jsonb, key_type regtype, value_type regtype) */
Datum
topic_sql_create(PG_FUNCTION_ARGS)
{
	char	   *name = name_argument(fcinfo);
	int			n_settings;
	TopicSetting *settings = config_argument(fcinfo, 2, &n_settings);

	PG_RETURN_OID(topic_create(name, PG_ARGISNULL(1) ? 1 : PG_GETARG_INT32(1), settings, n_settings,
							   type_argument(fcinfo, 3, true), type_argument(fcinfo, 4, false),
							   false, NULL));
}

/* alter_topic(name text, partitions int, config jsonb) */
Datum
topic_sql_alter(PG_FUNCTION_ARGS)
{
	char	   *name = name_argument(fcinfo);
	int			n_settings;
	TopicSetting *settings = config_argument(fcinfo, 2, &n_settings);
	Oid			relid = existing_topic(name);

	if (!PG_ARGISNULL(1))
		topic_add_partitions(relid, PG_GETARG_INT32(1), false);
	if (n_settings > 0)
		topic_alter_config(relid, settings, n_settings, false, false);
	PG_RETURN_VOID();
}

/* drop_topic(name text) */
Datum
topic_sql_drop(PG_FUNCTION_ARGS)
{
	topic_drop(existing_topic(name_argument(fcinfo)));
	PG_RETURN_VOID();
}

/* Trigger of the tables that catalog.c writes: a statement would leave the cache as it was. */
Datum
topic_sql_refuse_changes(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;

	if (!CALLED_AS_TRIGGER(fcinfo))
		elog(ERROR, "not called as a trigger");
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("table \"%s.%s\" can't be written to", TOPIC_BROKER_SCHEMA,
					RelationGetRelationName(trigger->tg_relation)),
			 errhint("Use broker.alter_topic().")));
}

/* ---------- what the views show ---------- */

/* May the user see this topic?  NULL if it is none (or gone by now). */
static const Topic *
visible_topic(Oid relid)
{
	const Topic *topic = topic_is_topic(relid) ? topic_get(relid) : NULL;

	if (topic != NULL && !topic_may(GetUserId(), relid, TOPIC_DESCRIBE))
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_TABLE, topic->name);
	return topic;
}

/* topic_info(topic regclass): name text, topic_id uuid, partitions int */
Datum
topic_sql_info(PG_FUNCTION_ARGS)
{
	const Topic *topic = visible_topic(PG_GETARG_OID(0));
	TupleDesc	desc;
	Datum		values[3];
	bool		nulls[3] = {false};
	pg_uuid_t	id;

	if (topic == NULL)
		PG_RETURN_NULL();
	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	id = topic->id;
	values[0] = CStringGetTextDatum(topic->name);
	values[1] = UUIDPGetDatum(&id);
	values[2] = Int32GetDatum(topic->n_partitions);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc), values, nulls)));
}

static const char *
setting_value(List *settings, const char *name)
{
	ListCell   *lc;

	foreach(lc, settings)
	{
		TopicSetting *setting = lfirst(lc);

		if (strcmp(setting->name, name) == 0)
			return setting->value;
	}
	return NULL;
}

static Datum
text_or_null(const char *value, bool *isnull)
{
	*isnull = (value == NULL);
	return value ? CStringGetTextDatum(value) : (Datum) 0;
}

/*
 * topic_config_info(topic regclass): name text, value text, source text, default_value text,
 * effective boolean, description text
 */
Datum
topic_sql_config(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	List	   *settings;

	InitMaterializedSRF(fcinfo, 0);
	if (visible_topic(PG_GETARG_OID(0)) == NULL)
		return (Datum) 0;

	settings = topic_settings(PG_GETARG_OID(0));
	for (int i = 0; i < config_topic_count; i++)
	{
		const ConfigDef *def = &config_topic[i];
		const char *own = setting_value(settings, def->name);
		Datum		values[6];
		bool		nulls[6] = {false};

		values[0] = CStringGetTextDatum(def->name);
		values[1] = text_or_null(own ? own : def->default_value, &nulls[1]);
		values[2] = CStringGetTextDatum(own ? "topic" : "default");
		values[3] = text_or_null(def->default_value, &nulls[3]);
		values[4] = BoolGetDatum(def->effective);
		values[5] = text_or_null(def->doc, &nulls[5]);
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}

/* Milliseconds since 1970, -1: none. */
static Datum
time_or_null(int64 ms, bool *isnull)
{
	const int64 epoch = (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * USECS_PER_DAY;
	int64		us;

	/* clients may write any time; show what timestamptz can hold */
	*isnull = (ms < 0 || pg_mul_s64_overflow(ms, 1000, &us) || pg_sub_s64_overflow(us, epoch, &us) ||
			   !IS_VALID_TIMESTAMP(us));
	return *isnull ? (Datum) 0 : TimestampTzGetDatum(us);
}

/* The time of the first record that can be read, -1: there is none. */
static int64
first_timestamp(Relation rel, LogPartition *partition, const LogBounds *bounds)
{
	char		header[BATCH_HEADER_SIZE];
	LogSlice	slice;
	LogSliceInfo info;

	/* a batch is cut into slices only where an extent ends */
	if (bounds->log_start >= bounds->high_watermark ||
		!log_find_slices(rel, partition, bounds->log_start, bounds->high_watermark, 1, true,
						 &slice, 1, &info) ||
		info.n_slices == 0 || slice.length < sizeof(header) ||
		!log_slice_copy(rel, &slice, 0, header, sizeof(header)))
		return bounds->first_timestamp;
	return batch_is_log_append_time(header) ? batch_max_timestamp(header) : batch_base_timestamp(header);
}

/*
 * partition_info(topic regclass): partition int, log_start_offset bigint, high_watermark bigint,
 * last_stable_offset bigint, end_offset bigint, size_bytes bigint, first_time timestamptz,
 * last_time timestamptz, undecided_transactions int, leader_epoch int
 */
Datum
topic_sql_partitions(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	Oid			relid = PG_GETARG_OID(0);
	Relation	rel;
	LogTopicInfo info;

	InitMaterializedSRF(fcinfo, 0);
	if (visible_topic(relid) == NULL)
		return (Datum) 0;
	rel = try_relation_open(relid, AccessShareLock);
	if (rel == NULL)
		return (Datum) 0;

	log_topic_info(rel, &info);
	for (int32 i = 0; i < info.n_partitions; i++)
	{
		LogPartition *partition;
		LogBounds	bounds;
		Datum		values[10];
		bool		nulls[10] = {false};

		CHECK_FOR_INTERRUPTS();
		partition = log_open(rel, i);
		if (partition == NULL)
			break;
		log_bounds(rel, partition, &bounds);
		values[0] = Int32GetDatum(i);
		values[1] = Int64GetDatum(bounds.log_start);
		values[2] = Int64GetDatum(bounds.high_watermark);
		values[3] = Int64GetDatum(bounds.last_stable);
		values[4] = Int64GetDatum(bounds.end_offset);
		values[5] = Int64GetDatum(bounds.size_bytes);
		values[6] = time_or_null(first_timestamp(rel, partition, &bounds), &nulls[6]);
		values[7] = time_or_null(bounds.max_timestamp, &nulls[7]);
		values[8] = Int32GetDatum(bounds.n_undecided);
		values[9] = Int32GetDatum(bounds.leader_epoch);
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	relation_close(rel, AccessShareLock);
	return (Datum) 0;
}
