/*-------------------------------------------------------------------------
 *
 * consumer.c
 *	  broker.consume(): the next records of a group, which goes on behind them when
 *	  the transaction commits.
 *
 * A session takes partitions that no other transaction of the group has: first those that
 * it has already, then those that were longest not consumed, until there are enough records.  It
 * keeps them until the transaction ends, so that the records of a partition are processed in
 * order.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "access/xact.h"
#include "am/cursor.h"
#include "am/row.h"
#include "am/statement_wait.h"
#include "catalog/pg_type.h"
#include "consume/consume.h"
#include "executor/executor.h"
#include "fmgr.h"
#include "funcapi.h"
#include "log/log.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

PG_FUNCTION_INFO_V1(consume_sql_consume);
PG_FUNCTION_INFO_V1(consume_sql_consume_typed);

/* New records wake who waits; DROP, TRUNCATE and REVOKE don't, so look for them from time to time. */
#define LOOK_AGAIN_MS 1000

typedef struct Consumer
{
	Topic	   *topic;
	int			n;				/* partitions */
	ConsumeAsk	ask;
	PositionState *states;
	int64	   *log_starts;
	int64	   *ends;			/* high watermarks */
	uint64		wakes;			/* before they were looked at */
	RelFileNode	node;
} Consumer;

/* ---------- looking ---------- */

static void
consumer_begin(Consumer *c, const char *group, Topic *topic)
{
	c->topic = topic;
	c->n = topic->n_partitions;
	c->ask.group = group;
	c->ask.purpose = SESSION_CONSUME;
	c->ask.member = NULL;
	c->ask.generation = -1;
	c->ask.notes = palloc(c->n * sizeof(Note *));
	c->ask.n = c->n;
	c->states = palloc(c->n * sizeof(PositionState));
	c->log_starts = palloc(c->n * sizeof(int64));
	c->ends = palloc(c->n * sizeof(int64));
	for (int i = 0; i < c->n; i++)
	{
		PositionKey	key;

		position_key(&key, group, strlen(group), topic->id.data, i);
		c->ask.notes[i] = note_get(&key, topic);
	}
}

/* The topic, which may have been dropped since we looked last. */
static Relation
open_topic(const Consumer *c)
{
	Relation	rel = try_relation_open(c->topic->relid, AccessShareLock);

	if (rel == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE), errmsg("topic \"%s\" does not exist", c->topic->name)));
	topic_require_right(c->topic->relid, c->topic->name, TOPIC_READ);
	return rel;
}

static void
look(Consumer *c, Relation rel)
{
	c->wakes = log_wakes();
	c->node = rel->rd_node;
	consume_learn(&c->ask, c->states);
	for (int i = 0; i < c->n; i++)
	{
		LogPartition *part = log_open(rel, i);
		LogBounds	bounds = {0};

		if (part)
			log_bounds(rel, part, &bounds);
		c->log_starts[i] = bounds.log_start;
		c->ends[i] = bounds.high_watermark;
	}
}

/* Where this transaction goes on in a partition. */
static int64
next_offset(const Consumer *c, int i)
{
	const Note *note = c->ask.notes[i];
	int64		offset = note->state.next >= 0 ? note->state.next : c->states[i].offset;

	return Max(offset, c->log_starts[i]); /* also if there is none, which is -1 */
}

static bool
has_more(const Consumer *c, int i)
{
	return !c->states[i].taken && next_offset(c, i) < c->ends[i];
}

/* ---------- reading ---------- */

static void
check_fence(const Consumer *c, int i)
{
	const Note *note = c->ask.notes[i];
	StringInfoData mismatch;

	if (note->fence == c->states[i].fence)
		return;
	initStringInfo(&mismatch);
	consume_mismatch(&mismatch, note->topic, i, "its offset was reset or deleted");
	consume_report_mismatches(c->ask.group, mismatch.data);
}

/* Take a partition; false if somebody was quicker. */
static bool
take(Consumer *c, int i)
{
	Note	   *note = c->ask.notes[i];

	if (!position_consume(note->position, &c->states[i]))
		return false;
	if (note_is_empty(note))
	{
		note->fence = c->states[i].fence;
		note->start = c->states[i].offset;
	}
	note_change(note);
	note->state.consuming = true;
	check_fence(c, i);
	return true;
}

typedef struct Output
{
	ReturnSetInfo *rsinfo;
	TupleTableSlot *slot;
	AmRow	   *row;
} Output;

/* How many records there were. */
static int
read_partition(Consumer *c, Relation rel, int i, int max_records, Output *out)
{
	MemoryContext cxt =
		AllocSetContextCreate(CurrentMemoryContext, "pg_broker consume", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old_cxt = MemoryContextSwitchTo(cxt);
	Note	   *note = c->ask.notes[i];
	AmCursor   *cursor = cursor_create(rel, InvalidSnapshot, false);
	int64		first = next_offset(c, i);
	int64		next = first;
	Record		record;
	int			n = 0;

	cursor_open(cursor, i, first, c->ends[i], 0);
	while (n < max_records)
	{
		CHECK_FOR_INTERRUPTS();
		if (!cursor_next(cursor, &record))
		{
			next = c->ends[i];	/* there are only gaps up to here */
			break;
		}
		row_store(out->row, i, &record, out->slot);
		tuplestore_puttupleslot(out->rsinfo->setResult, out->slot);
		next = record.offset + 1;
		n++;
	}
	cursor_close(cursor);
	MemoryContextSwitchTo(old_cxt);
	MemoryContextDelete(cxt);

	if (n > 0)
	{
		if (note->state.next < 0)
		{
			note->state.first = first;
			note->state.may_skip = false;
		}
		note->state.next = next;
	}
	return n;
}

/* Give it back if there was nothing in it after all. */
static void
give_back(Note *note)
{
	if (note->state.next >= 0)
		return;
	note->state.consuming = false;
	position_consume_end(note->position);
}

/* ---------- choosing ---------- */

typedef struct Choice
{
	int			partition;
	bool		mine;
	uint64		consumed;
} Choice;

static int
compare_choices(const void *a, const void *b)
{
	const Choice *x = a;
	const Choice *y = b;

	if (x->mine != y->mine)
		return x->mine ? -1 : 1;
	if (x->consumed != y->consumed)
		return x->consumed < y->consumed ? -1 : 1;
	return x->partition - y->partition;
}

static int
read_records(Consumer *c, int max_records, Output *out)
{
	Relation	rel = open_topic(c);
	Choice	   *choices = palloc(c->n * sizeof(Choice));
	int			n_choices = 0;
	int			n = 0;

	look(c, rel);
	for (int i = 0; i < c->n; i++)
	{
		if (!has_more(c, i))
			continue;
		choices[n_choices].partition = i;
		choices[n_choices].mine = c->ask.notes[i]->state.consuming;
		choices[n_choices++].consumed = c->states[i].consumed;
	}
	qsort(choices, n_choices, sizeof(Choice), compare_choices);
	for (int j = 0; j < n_choices && n < max_records; j++)
	{
		int			i = choices[j].partition;

		if (!take(c, i))
			continue;
		n += read_partition(c, rel, i, max_records - n, out);
		give_back(c->ask.notes[i]);
	}
	pfree(choices);
	relation_close(rel, AccessShareLock);
	return n;
}

/* ---------- waiting ---------- */

/* For records behind those that were looked at, or for partitions that others give back. */
static bool
wait_for_more(Consumer *c, TimestampTz deadline)
{
	long		left = TimestampDifferenceMilliseconds(GetCurrentTimestamp(), deadline);

	if (left <= 0)
		return false;
	/* Looking at the catalog has taken a snapshot, too. */
	InvalidateCatalogSnapshot();
	(void) log_wait_any(&c->node, c->ends, c->n, c->wakes, Min(left, LOOK_AGAIN_MS));
	return true;
}

static const char *awaited_group;
static Topic *awaited_topic;

static Topic *
topic_of_type(Oid type)
{
	Oid			relid = get_typ_typrelid(type);
	const Topic *topic = OidIsValid(relid) ? topic_get(relid) : NULL;

	if (topic == NULL)
		ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
						errmsg("type %s is not the row type of a topic", format_type_be(type)),
						errhint("Give NULL::topic.\"name\" of a topic.")));
	return consume_topic(cstring_to_text_with_len(topic->name, topic->name_len));
}

static bool
wants_to_wait(const FuncExpr *call, const Datum *args)
{
	Oid			type = exprType(linitial(call->args));

	if (DatumGetInt32(args[2]) <= 0 || XactReadOnly)
		return false;			/* it is told when it is called */
	if (type == TEXTOID)
	{
		awaited_group = consume_group(DatumGetTextPP(args[0]));
		awaited_topic = consume_topic(DatumGetTextPP(args[1]));
	}
	else
	{
		awaited_group = consume_group(DatumGetTextPP(args[1]));
		awaited_topic = topic_of_type(type);
	}
	return true;
}

static void
wait_for_statement(TimestampTz deadline)
{
	Consumer	c;
	bool		found = false;

	consumer_begin(&c, awaited_group, awaited_topic);
	do
	{
		Relation	rel = open_topic(&c);

		look(&c, rel);
		relation_close(rel, AccessShareLock);
		for (int i = 0; i < c.n && !found; i++)
			found = has_more(&c, i);
	} while (!found && wait_for_more(&c, deadline));
}

static const StatementWait statement_wait = {"consume", 4, wants_to_wait, wait_for_statement};

void
consume_init(void)
{
	note_init();
	statement_wait_register(&statement_wait);
}

/* ---------- functions ---------- */

static void
refuse_nulls(FunctionCallInfo fcinfo, int from)
{
	for (int i = from; i < 4; i++)
		if (PG_ARGISNULL(i))
			ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
							errmsg("group, topic, max_records and max_wait must not be null")));
}

static void
consume(FunctionCallInfo fcinfo, const char *group, Topic *topic)
{
	int32		max_records = PG_GETARG_INT32(2);
	TimestampTz	deadline = statement_deadline(&statement_wait, PG_GETARG_INTERVAL_P(3));
	Consumer	c;
	Output		out;

	if (max_records < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("max_records must not be negative")));
	InitMaterializedSRF(fcinfo, 0);
	if (max_records == 0)
		return;
	out.rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	out.slot = MakeSingleTupleTableSlot(out.rsinfo->setDesc, &TTSOpsVirtual);
	out.row = row_create(out.rsinfo->setDesc, NULL, true);
	consumer_begin(&c, group, topic);
	while (read_records(&c, max_records, &out) == 0 && wait_for_more(&c, deadline))
		;
	ExecDropSingleTupleTableSlot(out.slot);
}

/* broker.consume(group, topic, max_records, max_wait) */
Datum
consume_sql_consume(PG_FUNCTION_ARGS)
{
	PreventCommandIfReadOnly("broker.consume()");
	PreventCommandIfParallelMode("broker.consume()");
	refuse_nulls(fcinfo, 0);
	consume(fcinfo, consume_group(PG_GETARG_TEXT_PP(0)), consume_topic(PG_GETARG_TEXT_PP(1)));
	return (Datum) 0;
}

/* broker.consume(NULL::topic.name, group, max_records, max_wait) */
Datum
consume_sql_consume_typed(PG_FUNCTION_ARGS)
{
	PreventCommandIfReadOnly("broker.consume()");
	PreventCommandIfParallelMode("broker.consume()");
	refuse_nulls(fcinfo, 1);
	consume(fcinfo, consume_group(PG_GETARG_TEXT_PP(1)),
			topic_of_type(get_fn_expr_argtype(fcinfo->flinfo, 0)));
	return (Datum) 0;
}
