/*-------------------------------------------------------------------------
 *
 * fetch.c
 *	  broker.fetch(): read a partition as a Kafka consumer does.
 *
 * It follows the log up to the high watermark, whatever the snapshot, and waits
 * for more if there is nothing.  While it waits it holds no lock on the topic, and, where
 * that is possible (statement_wait.c), no snapshot.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "am/am.h"
#include "am/cursor.h"
#include "am/headers.h"
#include "am/row.h"
#include "am/statement_wait.h"
#include "log/log.h"
#include "topic/topic.h"

#include "access/relation.h"
#include "access/table.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

PG_FUNCTION_INFO_V1(am_sql_fetch);

typedef struct FetchArgs
{
	const char *name;			/* for errors */
	Oid			relid;
	int32		partition;
	int64		offset;
} FetchArgs;

/*
 * New records wake who waits; DROP, TRUNCATE and REVOKE don't, so they are
 * looked for from time to time.
 */
#define FETCH_LOOK_AGAIN_MS 1000

/* Result columns of broker.fetch(). */
enum
{
	FETCH_OFFSET,
	FETCH_TS,
	FETCH_KEY,
	FETCH_VALUE,
	FETCH_HEADERS,
	FETCH_N_COLUMNS
};

static void
report_absent(const FetchArgs *args)
{
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_TABLE),
			 errmsg("topic \"%s\" does not exist", args->name)));
}

/* The topic of that name, which the current user may read, into *args. */
static void
fetch_topic(text *name, FetchArgs *args)
{
	args->name = text_to_cstring(name);
	args->relid = topic_lookup(VARDATA_ANY(name), VARSIZE_ANY_EXHDR(name));
	if (!OidIsValid(args->relid))
		report_absent(args);
	topic_require_right(args->relid, args->name, TOPIC_READ);
}

static void
put_record(ReturnSetInfo *rsinfo, const Record *record)
{
	Datum		values[FETCH_N_COLUMNS] = {0};
	bool		nulls[FETCH_N_COLUMNS] = {0};

	values[FETCH_OFFSET] = Int64GetDatum(record->offset);
	nulls[FETCH_TS] = record->timestamp < 0;
	if (!nulls[FETCH_TS])
		values[FETCH_TS] = TimestampTzGetDatum(row_timestamp_from_ms(record->timestamp));
	nulls[FETCH_KEY] = record->key_len < 0;
	if (!nulls[FETCH_KEY])
		values[FETCH_KEY] = PointerGetDatum(cstring_to_text_with_len(record->key, record->key_len));
	nulls[FETCH_VALUE] = record->value_len < 0;
	if (!nulls[FETCH_VALUE])
		values[FETCH_VALUE] = PointerGetDatum(cstring_to_text_with_len(record->value, record->value_len));
	nulls[FETCH_HEADERS] = record->n_headers == 0;
	if (!nulls[FETCH_HEADERS])
		values[FETCH_HEADERS] =
			headers_decode(get_element_type(TupleDescAttr(rsinfo->setDesc, FETCH_HEADERS)->atttypid),
						   record);
	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
}

/*
 * Open the topic (again), with a cursor from the offset to the high watermark, which is
 * returned.
 */
static int64
open_cursor(const FetchArgs *args, Relation *rel, AmCursor **cursor)
{
	LogPartition *part;
	LogBounds	bounds;

	*rel = try_relation_open(args->relid, AccessShareLock);
	if (*rel == NULL)
		report_absent(args);	/* dropped while we waited */
	topic_require_right(args->relid, args->name, TOPIC_READ);

	part = log_open(*rel, args->partition);
	if (part == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("topic \"%s\" has no partition %d", RelationGetRelationName(*rel),
						args->partition)));
	log_bounds(*rel, part, &bounds);
	if (args->offset < bounds.log_start || args->offset > bounds.end_offset)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("offset %lld of partition %d is out of range", (long long) args->offset,
						args->partition),
				 errdetail("The partition can be read from offset %lld to %lld.",
						   (long long) bounds.log_start, (long long) bounds.high_watermark)));

	*cursor = cursor_create(*rel, InvalidSnapshot, false);
	cursor_open(*cursor, args->partition, args->offset, bounds.high_watermark, 0);
	return Max(bounds.high_watermark, args->offset);
}

/* Is there a record?  If not, *offset moves to where the next may be, in the file *node. */
static bool
has_record(const FetchArgs *args, int64 *offset, RelFileNode *node)
{
	MemoryContext cxt = AllocSetContextCreate(CurrentMemoryContext, "pg_broker fetch",
											  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old_cxt = MemoryContextSwitchTo(cxt);
	Relation	rel;
	AmCursor   *cursor;
	int64		end = open_cursor(args, &rel, &cursor);
	int64		n = 0;

	*node = rel->rd_node;

	while (n == 0 && cursor_count(cursor, &n))
		continue;
	if (n == 0)
		*offset = end;
	cursor_close(cursor);
	MemoryContextSwitchTo(old_cxt);
	MemoryContextDelete(cxt);
	relation_close(rel, AccessShareLock);
	return n > 0;
}

/*
 * Wait until the partition has a record at or after the offset that a consumer may
 * read, or until the deadline.
 */
static void
fetch_wait(const FetchArgs *args, TimestampTz deadline)
{
	FetchArgs	next = *args;
	RelFileNode node;

	while (!has_record(&next, &next.offset, &node))
	{
		long		left = TimestampDifferenceMilliseconds(GetCurrentTimestamp(), deadline);

		if (left <= 0)
			break;
		/* Looking at the catalog has taken a snapshot, too. */
		InvalidateCatalogSnapshot();
		(void) log_wait_advance(&node, next.partition, next.offset, Min(left, FETCH_LOOK_AGAIN_MS));
	}
}

static void
put_records(const FetchArgs *args, int max_records, ReturnSetInfo *rsinfo)
{
	MemoryContext cxt = AllocSetContextCreate(CurrentMemoryContext, "pg_broker fetch",
											  ALLOCSET_DEFAULT_SIZES);
	MemoryContext row_cxt = AllocSetContextCreate(cxt, "pg_broker fetch row", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old_cxt = MemoryContextSwitchTo(cxt);
	Relation	rel;
	AmCursor   *cursor;
	Record		record;

	(void) open_cursor(args, &rel, &cursor);
	for (int n = 0; n < max_records && cursor_next(cursor, &record); n++)
	{
		MemoryContextSwitchTo(row_cxt);
		put_record(rsinfo, &record);
		MemoryContextSwitchTo(cxt);
		MemoryContextReset(row_cxt);
	}
	cursor_close(cursor);
	MemoryContextSwitchTo(old_cxt);
	MemoryContextDelete(cxt);
	relation_close(rel, AccessShareLock);
}

/* ---------- before the statement has a snapshot ---------- */

static FetchArgs awaited;

static bool
wants_to_wait(const FuncExpr *call, const Datum *args)
{
	if (DatumGetInt32(args[3]) <= 0)
		return false;
	fetch_topic(DatumGetTextPP(args[0]), &awaited);
	awaited.partition = DatumGetInt32(args[1]);
	awaited.offset = DatumGetInt64(args[2]);
	return true;
}

static void
wait_for_statement(TimestampTz deadline)
{
	fetch_wait(&awaited, deadline);
}

static const StatementWait statement_wait = {"fetch", 5, wants_to_wait, wait_for_statement};

void
am_fetch_init(void)
{
	statement_wait_register(&statement_wait);
}

/* broker.fetch(topic, partition, offset, max_records, max_wait) */
Datum
am_sql_fetch(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	int32		max_records = PG_GETARG_INT32(3);
	FetchArgs	args;

	fetch_topic(PG_GETARG_TEXT_PP(0), &args);
	args.partition = PG_GETARG_INT32(1);
	args.offset = PG_GETARG_INT64(2);
	if (args.offset < 0 || max_records < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("offset and max_records must not be negative")));

	InitMaterializedSRF(fcinfo, 0);
	if (max_records > 0)
		fetch_wait(&args, statement_deadline(&statement_wait, PG_GETARG_INTERVAL_P(4)));
	put_records(&args, max_records, rsinfo);
	return (Datum) 0;
}
