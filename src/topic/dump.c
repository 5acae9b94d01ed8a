/*-------------------------------------------------------------------------
 *
 * dump.c
 *	  What pg_dump keeps of topics beyond their tables and records.
 *
 * The table broker.dumped_topics is empty, but is dumped as if it held what
 * broker.dump_topics() returns: a row for each topic with its Kafka name, its
 * settings, and for each partition the offset of the last record and the next
 * offset.  A trigger on the table acts on the rows that a restore inserts.
 *
 * A partition's next offset may be past its last record (records expired, or
 * a transaction was rolled back), and no offset may be given twice.  But
 * the records are restored with their own, smaller offsets, before, after
 * or (pg_restore -j) beside that row.  So the next offset is applied when
 * the last record is there: by the trigger if it is, else when the
 * transaction that brings it commits; until then the row stays.  Should that
 * record never come (a topic that was written to during a parallel dump),
 * the row is applied before the first record that is no restored one.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/relation.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/indexing.h"
#include "catalog/pg_type.h"
#include "commands/trigger.h"
#include "funcapi.h"
#include "log/log.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "topic/catalog.h"
#include "topic/internal.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/tuplestore.h"
#include "wire/batch.h"

PG_FUNCTION_INFO_V1(topic_sql_dump);
PG_FUNCTION_INFO_V1(topic_sql_restore);

/* broker.dumped_topics */
#define DUMP_TABLE			"dumped_topics"
#define DUMP_COL_TABLE		1	/* table_name text */
#define DUMP_COL_NAME		2	/* name text */
#define DUMP_COL_CONFIG		3	/* config text[]: names and values in turn */
#define DUMP_COL_LAST		4	/* last_offsets int8[], null: no record */
#define DUMP_COL_NEXT		5	/* next_offsets int8[] */
#define DUMP_COLUMNS		5

/* ---------- dump ---------- */

/* The last record that the snapshot sees; false: none. */
static bool
last_offset(Relation rel, int32 partition, int64 *result)
{
	LogReader  *reader = log_reader_begin(rel, partition, 0, PG_INT64_MAX, GetActiveSnapshot(),
										  log_scan_end(rel, partition), true);
	uint32		length;
	char	   *batch = log_reader_next(reader, &length);

	if (batch != NULL)
		*result = batch_last_offset(batch);
	log_reader_end(reader);
	return batch != NULL;
}

static Datum
offset_array(Datum *values, bool *nulls, int n)
{
	int			lower_bound = 1;

	return PointerGetDatum(construct_md_array(values, nulls, 1, &n, &lower_bound, INT8OID,
											  sizeof(int64), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
}

static Datum
config_array(List *settings)
{
	Datum	   *values = palloc(Max(1, 2 * list_length(settings)) * sizeof(Datum));
	int			n = 0;
	ListCell   *lc;

	foreach(lc, settings)
	{
		TopicSetting *setting = lfirst(lc);

		values[n++] = CStringGetTextDatum(setting->name);
		values[n++] = CStringGetTextDatum(setting->value);
	}
	return PointerGetDatum(construct_array(values, n, TEXTOID, -1, false, TYPALIGN_INT));
}

static void
dump_topic(Relation rel, const char *name, Datum *values)
{
	LogTopicInfo info;
	Datum	   *last;
	Datum	   *next;
	bool	   *no_last;

	log_topic_info(rel, &info);
	last = palloc0(info.n_partitions * sizeof(Datum));
	next = palloc0(info.n_partitions * sizeof(Datum));
	no_last = palloc0(info.n_partitions * sizeof(bool));
	for (int32 i = 0; i < info.n_partitions; i++)
	{
		LogBounds	bounds;
		int64		offset;

		CHECK_FOR_INTERRUPTS();
		no_last[i] = !last_offset(rel, i, &offset);
		if (!no_last[i])
			last[i] = Int64GetDatum(offset);
		log_bounds(rel, log_open(rel, i), &bounds);
		next[i] = Int64GetDatum(bounds.end_offset);
	}

	values[DUMP_COL_TABLE - 1] = CStringGetTextDatum(RelationGetRelationName(rel));
	values[DUMP_COL_NAME - 1] = CStringGetTextDatum(name);
	values[DUMP_COL_CONFIG - 1] = config_array(topic_settings(RelationGetRelid(rel)));
	values[DUMP_COL_LAST - 1] = offset_array(last, no_last, info.n_partitions);
	values[DUMP_COL_NEXT - 1] = offset_array(next, NULL, info.n_partitions);
}

/* dump_topics() returns setof broker.dumped_topics */
Datum
topic_sql_dump(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	MemoryContext context;
	int			n;
	Oid		   *topics;

	InitMaterializedSRF(fcinfo, 0);
	topics = topic_list(&n);
	context = AllocSetContextCreate(CurrentMemoryContext, "dump of a topic", ALLOCSET_DEFAULT_SIZES);
	for (int i = 0; i < n; i++)
	{
		MemoryContext old = MemoryContextSwitchTo(context);
		Relation	rel = try_relation_open(topics[i], AccessShareLock);
		const Topic *topic = rel ? topic_get(topics[i]) : NULL;
		Datum		values[DUMP_COLUMNS];
		bool		nulls[DUMP_COLUMNS] = {false};

		if (topic != NULL && topic_may(GetUserId(), topics[i], TOPIC_READ) &&
			!topic_name_internal(topic->name, topic->name_len))
		{
			dump_topic(rel, topic->name, values);
			tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
		}
		if (rel != NULL)
			relation_close(rel, AccessShareLock);
		MemoryContextSwitchTo(old);
		MemoryContextReset(context);
	}
	return (Datum) 0;
}

/* ---------- next offsets ---------- */

/*
 * Apply a row's next offsets where the last record is there, or everywhere with
 * `force`.  True: there is nothing left to apply.
 */
static bool
apply_next_offsets(Relation rel, HeapTuple tuple, TupleDesc desc, bool force)
{
	bool		isnull;
	Datum	   *last;
	Datum	   *next;
	bool	   *no_last;
	bool	   *no_next;
	int			n_last;
	int			n_next;
	bool		all = true;

	deconstruct_array(DatumGetArrayTypeP(heap_getattr(tuple, DUMP_COL_LAST, desc, &isnull)),
					  INT8OID, sizeof(int64), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE,
					  &last, &no_last, &n_last);
	deconstruct_array(DatumGetArrayTypeP(heap_getattr(tuple, DUMP_COL_NEXT, desc, &isnull)),
					  INT8OID, sizeof(int64), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE,
					  &next, &no_next, &n_next);

	for (int i = 0; i < Min(n_last, n_next); i++)
	{
		LogPartition *part = log_open(rel, i);
		LogBounds	bounds;

		if (part == NULL || no_next[i])
			continue;
		log_bounds(rel, part, &bounds);
		if (DatumGetInt64(next[i]) <= bounds.end_offset)
			continue;
		if (force || no_last[i] || bounds.end_offset > DatumGetInt64(last[i]))
			log_advance_next_offset(rel, part, DatumGetInt64(next[i]));
		else
			all = false;
	}
	return all;
}

/* Call `act` for the rows that wait for this topic; it may delete them. */
static int
for_waiting_rows(const char *table_name,
				 void (*act) (Relation rows, HeapTuple tuple, void *arg), void *arg)
{
	Oid			relid = topic_catalog_table(DUMP_TABLE);
	Relation	rows;
	LOCKMODE	lockmode = act ? RowExclusiveLock : AccessShareLock;	/* a standby reads */
	SysScanDesc scan;
	HeapTuple	tuple;
	int			n = 0;

	/* when the extension is being dropped the table may be gone first */
	if (!OidIsValid(relid) || (rows = try_table_open(relid, lockmode)) == NULL)
		return 0;
	scan = systable_beginscan(rows, InvalidOid, false, NULL, 0, NULL);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		bool		isnull;
		Datum		name = heap_getattr(tuple, DUMP_COL_TABLE, RelationGetDescr(rows), &isnull);

		if (isnull || strcmp(TextDatumGetCString(name), table_name) != 0)
			continue;
		n++;
		if (act != NULL)
			act(rows, tuple, arg);
	}
	systable_endscan(scan);
	table_close(rows, lockmode);
	return n;
}

static void
forget_row(Relation rows, HeapTuple tuple, void *arg)
{
	CatalogTupleDelete(rows, &tuple->t_self);
}

void
topic_forget_dumped(Oid relid)
{
	char	   *name = get_rel_name(relid);

	if (name != NULL)
		for_waiting_rows(name, forget_row, NULL);
}

bool
topic_is_being_restored(const char *table_name)
{
	return for_waiting_rows(table_name, NULL, NULL) > 0;
}

typedef struct FinishRestore
{
	Relation	rel;
	bool		force;
	bool		keep_rows;
} FinishRestore;

static void
finish_row(Relation rows, HeapTuple tuple, void *arg)
{
	FinishRestore *finish = arg;

	if (apply_next_offsets(finish->rel, tuple, RelationGetDescr(rows), finish->force) &&
		!finish->keep_rows)
	{
		CatalogTupleDelete(rows, &tuple->t_self);
		CacheInvalidateRelcache(finish->rel);
		CommandCounterIncrement();
	}
}

void
topic_restored_records(Relation rel)
{
	FinishRestore finish = {.rel = rel};

	/* see the row that another session of pg_restore has just inserted, or have it see the records */
	LockRelation(rel, ShareUpdateExclusiveLock);
	for_waiting_rows(RelationGetRelationName(rel), finish_row, &finish);
}

void
topic_end_restore(Relation rel, bool in_worker)
{
	FinishRestore finish = {.rel = rel,.force = true,.keep_rows = in_worker};

	for_waiting_rows(RelationGetRelationName(rel), finish_row, &finish);
}

/* ---------- restore ---------- */

static List *
config_from_array(Datum array)
{
	Datum	   *values;
	bool	   *nulls;
	int			n;
	List	   *result = NIL;

	deconstruct_array(DatumGetArrayTypeP(array), TEXTOID, -1, false, TYPALIGN_INT,
					  &values, &nulls, &n);
	for (int i = 0; i + 1 < n; i += 2)
	{
		TopicSetting *setting = palloc0(sizeof(TopicSetting));

		if (nulls[i] || nulls[i + 1])
			continue;
		setting->name = TextDatumGetCString(values[i]);
		setting->value = TextDatumGetCString(values[i + 1]);
		result = lappend(result, setting);
	}
	return result;
}

static void
restore_settings(Oid relid, List *settings)
{
	int			n = list_length(settings);
	TopicSetting *array = palloc(Max(1, n) * sizeof(TopicSetting));

	for (int i = 0; i < n; i++)
		array[i] = *(TopicSetting *) list_nth(settings, i);
	topic_alter_config(relid, array, n, true, false);
}

/*
 * BEFORE INSERT trigger of broker.dumped_topics: make the topic, whose table is
 * there already, what it was.  The row is stored if something waits for records.
 */
Datum
topic_sql_restore(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	HeapTuple	tuple;
	TupleDesc	desc;
	char	   *table_name;
	Relation	rel;
	LogTopicInfo info;
	int			n_partitions;
	Oid			relid;

	if (!CALLED_AS_TRIGGER(fcinfo) || !TRIGGER_FIRED_BEFORE(trigger->tg_event) ||
		!TRIGGER_FIRED_BY_INSERT(trigger->tg_event))
		elog(ERROR, "not called as a trigger before INSERT");
	tuple = trigger->tg_trigtuple;
	desc = RelationGetDescr(trigger->tg_relation);
	for (AttrNumber i = 1; i <= DUMP_COLUMNS; i++)
	{
		if (heap_attisnull(tuple, i, desc))
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("a dumped topic must not have nulls")));
	}
#define COLUMN(n) fastgetattr(tuple, n, desc, &(bool){false})

	table_name = TextDatumGetCString(COLUMN(DUMP_COL_TABLE));
	relid = get_relname_relid(table_name, topic_ids()->topic_schema);
	if (!topic_is_topic(relid))
	{
		ereport(WARNING,
				(errmsg("topic \"%s\" is in the dump without its table", table_name),
				 errdetail("Its settings and offsets are not restored.")));
		return PointerGetDatum(NULL);
	}

	if (!topic_name_is_table(table_name))
		topic_catalog_put_name(relid, TextDatumGetCString(COLUMN(DUMP_COL_NAME)));
	restore_settings(relid, config_from_array(COLUMN(DUMP_COL_CONFIG)));

	rel = relation_open(relid, ShareUpdateExclusiveLock);
	log_topic_info(rel, &info);
	n_partitions = ArrayGetNItems(ARR_NDIM(DatumGetArrayTypeP(COLUMN(DUMP_COL_NEXT))),
								  ARR_DIMS(DatumGetArrayTypeP(COLUMN(DUMP_COL_NEXT))));

	/* at once, not at commit: the offsets need them, and a failed restore is no topic anyway */
	if (n_partitions > info.n_partitions)
		log_add_partitions(rel, Min(n_partitions, LOG_MAX_PARTITIONS));
	CacheInvalidateRelcache(rel);
	CommandCounterIncrement();
	if (apply_next_offsets(rel, tuple, desc, false))
		tuple = NULL;
	relation_close(rel, NoLock);
	return PointerGetDatum(tuple);
}
