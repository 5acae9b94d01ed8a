/*-------------------------------------------------------------------------
 *
 * commit.c
 *	  broker.commit_offsets(), broker.commit_all_offsets(): this transaction has
 *	  processed these records.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/pg_type.h"
#include "consume/consume.h"
#include "fmgr.h"
#include "log/log.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

PG_FUNCTION_INFO_V1(consume_sql_commit_offsets);
PG_FUNCTION_INFO_V1(consume_sql_commit_all_offsets);

#define MAX_METADATA 4096

/* Records that the transaction has processed. */
typedef struct Processed
{
	const Topic *topic;
	int32		partition;
	int64		first;
	int64		last;
	const char *metadata;
	Note	   *note;
} Processed;

/* ---------- what the log has ---------- */

/* Do the records that were processed follow those up to `position`? */
static void
check_log(const Processed *p, int64 position, bool allow_skip, StringInfo mismatches)
{
	Relation	rel = relation_open(p->topic->relid, AccessShareLock);
	LogPartition *part = log_open(rel, p->partition);
	LogBounds	bounds;
	int64		skipped = -1;

	log_bounds(rel, part, &bounds);
	if (p->last >= bounds.high_watermark)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("partition %d of topic \"%s\" has no offset %lld yet", p->partition, p->topic->name,
						(long long) p->last),
				 errdetail("Consumers can read offsets less than %lld.", (long long) bounds.high_watermark)));
	if (position != POSITION_NONE && position < p->first && !allow_skip)
	{
		Record		record;

		if (consume_first_record(rel, p->partition, Max(position, bounds.log_start), p->first, -1, &record))
			skipped = record.offset;
	}
	relation_close(rel, AccessShareLock);

	if (skipped >= 0)
		consume_mismatch(mismatches, p->topic->name, p->partition,
						 "the record at offset %lld would be skipped: the group's position is %lld, "
						 "the first offset %lld",
						 (long long) skipped, (long long) position, (long long) p->first);
}

/* ---------- noting ---------- */

static void
note_processed(Processed *p, const PositionState *state, bool allow_skip, StringInfo mismatches)
{
	Note	   *note = p->note;
	bool		fresh = note_is_empty(note);
	int64		position;

	if (fresh)
	{
		note->fence = state->fence;
		note->start = state->offset;
	}
	position = note->state.next >= 0 ? note->state.next : note->start;
	if (note->fence != state->fence)
	{
		consume_mismatch(mismatches, p->topic->name, p->partition,
						 "it was given to another consumer, or its offset was reset or deleted");
		return;
	}
	if (p->first < position)
	{
		consume_mismatch(mismatches, p->topic->name, p->partition,
						 "offset %lld was processed already: the group's position is %lld",
						 (long long) p->first, (long long) position);
		return;
	}
	check_log(p, position, allow_skip, mismatches);

	note_change(note);
	if (note->state.next < 0)
	{
		note->state.first = p->first;
		note->state.may_skip = allow_skip;
	}
	note->state.next = p->last + 1;
	note->state.metadata = p->metadata ? note_string(p->metadata) : NULL;
}

static void
commit_offsets(char *group, Processed *list, int n, const char *member, int32 generation, bool allow_skip)
{
	Note	  **notes = palloc(Max(n, 1) * sizeof(Note *));
	PositionState *states = palloc(Max(n, 1) * sizeof(PositionState));
	ConsumeAsk	ask = {.group = group,
					  .purpose = SESSION_COMMIT,
					  .member = member,
					  .generation = generation,
					  .notes = notes,
					  .n = n};
	StringInfoData mismatches;

	if (n == 0)
		return;
	for (int i = 0; i < n; i++)
	{
		PositionKey	key;

		position_key(&key, group, strlen(group), list[i].topic->id.data, list[i].partition);
		notes[i] = list[i].note = note_get(&key, list[i].topic);
	}
	consume_learn(&ask, states);
	initStringInfo(&mismatches);
	for (int i = 0; i < n; i++)
		note_processed(&list[i], &states[i], allow_skip, &mismatches);
	if (mismatches.len > 0)
		consume_report_mismatches(group, mismatches.data);
}

/* ---------- arguments ---------- */

static void
check_processed(const Processed *p)
{
	if (p->partition < 0 || p->partition >= p->topic->n_partitions)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("topic \"%s\" has no partition %d", p->topic->name, p->partition)));
	if (p->first < 0 || p->last < p->first)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the offsets %lld to %lld are no range", (long long) p->first, (long long) p->last),
				 errhint("Give the offsets of the first and of the last record that was processed.")));
	if (p->metadata && strlen(p->metadata) > MAX_METADATA)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("metadata of an offset can't be longer than %d bytes", MAX_METADATA)));
}

static void
refuse_nulls(FunctionCallInfo fcinfo, int n)
{
	for (int i = 0; i < n; i++)
		if (PG_ARGISNULL(i))
			ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
							errmsg("group, topic, partition and offsets must not be null")));
}

static char *
text_or_null(FunctionCallInfo fcinfo, int n)
{
	char	   *s;

	if (PG_ARGISNULL(n))
		return NULL;
	s = text_to_cstring(PG_GETARG_TEXT_PP(n));
	return pg_server_to_any(s, strlen(s), PG_UTF8);
}

static void
commit_with_options(FunctionCallInfo fcinfo, Processed *list, int n)
{
	if (!PG_ARGISNULL(6) && PG_ARGISNULL(5))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("a generation is checked together with its member"),
						errhint("Give member_id, too.")));
	for (int i = 0; i < n; i++)
		check_processed(&list[i]);
	commit_offsets(consume_group(PG_GETARG_TEXT_PP(0)), list, n, text_or_null(fcinfo, 5),
				   PG_ARGISNULL(6) ? -1 : PG_GETARG_INT32(6), !PG_ARGISNULL(8) && PG_GETARG_BOOL(8));
}

/* broker.commit_offsets(group, topic, partition, first, last, member_id, generation, metadata, allow_skip) */
Datum
consume_sql_commit_offsets(PG_FUNCTION_ARGS)
{
	Processed	p = {0};

	PreventCommandIfReadOnly("broker.commit_offsets()");
	PreventCommandIfParallelMode("broker.commit_offsets()");
	refuse_nulls(fcinfo, 5);
	p.topic = consume_topic(PG_GETARG_TEXT_PP(1));
	p.partition = PG_GETARG_INT32(2);
	p.first = PG_GETARG_INT64(3);
	p.last = PG_GETARG_INT64(4);
	p.metadata = text_or_null(fcinfo, 7);
	commit_with_options(fcinfo, &p, 1);
	PG_RETURN_VOID();
}

static Datum *
array_elements(FunctionCallInfo fcinfo, int argno, Oid type, int16 size, bool by_value, char align, int *n)
{
	Datum	   *elements;
	bool	   *nulls;

	deconstruct_array(PG_GETARG_ARRAYTYPE_P(argno), type, size, by_value, align, &elements, &nulls, n);
	for (int i = 0; i < *n; i++)
		if (nulls[i])
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("the arrays must not have nulls")));
	return elements;
}

/* broker.commit_all_offsets(): the same, with an array for each of topic, partition, first and last; one
 * metadata for all. */
Datum
consume_sql_commit_all_offsets(PG_FUNCTION_ARGS)
{
	Datum	   *topics, *partitions, *firsts, *lasts;
	Processed  *list;
	char	   *metadata;
	int			n[4];

	PreventCommandIfReadOnly("broker.commit_all_offsets()");
	PreventCommandIfParallelMode("broker.commit_all_offsets()");
	refuse_nulls(fcinfo, 5);
	topics = array_elements(fcinfo, 1, TEXTOID, -1, false, TYPALIGN_INT, &n[0]);
	partitions = array_elements(fcinfo, 2, INT4OID, 4, true, TYPALIGN_INT, &n[1]);
	firsts = array_elements(fcinfo, 3, INT8OID, 8, FLOAT8PASSBYVAL, TYPALIGN_DOUBLE, &n[2]);
	lasts = array_elements(fcinfo, 4, INT8OID, 8, FLOAT8PASSBYVAL, TYPALIGN_DOUBLE, &n[3]);
	if (n[0] != n[1] || n[0] != n[2] || n[0] != n[3])
		ereport(ERROR,
				(errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR), errmsg("the arrays must have the same length")));
	metadata = text_or_null(fcinfo, 7);
	list = palloc0(Max(n[0], 1) * sizeof(Processed));
	for (int i = 0; i < n[0]; i++)
	{
		list[i].topic = consume_topic(DatumGetTextPP(topics[i]));
		list[i].partition = DatumGetInt32(partitions[i]);
		list[i].first = DatumGetInt64(firsts[i]);
		list[i].last = DatumGetInt64(lasts[i]);
		list[i].metadata = metadata;
	}
	commit_with_options(fcinfo, list, n[0]);
	PG_RETURN_VOID();
}
