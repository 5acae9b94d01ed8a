/*-------------------------------------------------------------------------
 *
 * condition.c
 *	  Conditions of a query that say where in the log to look.
 *
 * Those on partition and log_offset are decided by what is read; one on ts
 * only says where reading may begin, for times needn't ascend in a log.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "am/condition.h"
#include "am/produce.h"
#include "log/log.h"
#include "topic/topic.h"

#include "access/stratnum.h"
#include "catalog/pg_am.h"
#include "catalog/pg_opfamily.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

/* The btree operator family datetime_ops, which has no name in the server's headers. */
#define DATETIME_BTREE_FAM_OID	434

static bool
match_column(Node *node, Index rti, ConditionKind *kind)
{
	Var		   *var = (Var *) node;

	if (!IsA(node, Var) || var->varno != rti || var->varlevelsup != 0)
		return false;
	switch (var->varattno)
	{
		case TOPIC_COL_PARTITION:
			*kind = CONDITION_PARTITION;
			return true;
		case TOPIC_COL_OFFSET:
			*kind = CONDITION_OFFSET;
			return true;
		case TOPIC_COL_TS:
			*kind = CONDITION_TIME;
			return true;
		default:
			return false;
	}
}

static bool
type_ok(ConditionKind kind, Oid type)
{
	if (kind == CONDITION_TIME)
		return type == TIMESTAMPTZOID;
	return type == INT2OID || type == INT4OID || type == INT8OID;
}

static bool
match_operator(Oid op, Condition *c)
{
	c->strategy = get_op_opfamily_strategy(op, c->kind == CONDITION_TIME ?
										   DATETIME_BTREE_FAM_OID : INTEGER_BTREE_FAM_OID);
	return c->strategy != 0;
}

bool
condition_match(Node *clause, Index rti, Condition *c)
{
	if (IsA(clause, OpExpr) && list_length(((OpExpr *) clause)->args) == 2)
	{
		OpExpr	   *op = (OpExpr *) clause;
		Node	   *left = linitial(op->args);
		Node	   *right = lsecond(op->args);
		Oid			opno = op->opno;

		if (!match_column(left, rti, &c->kind))
		{
			if (!match_column(right, rti, &c->kind))
				return false;
			right = left;
			opno = get_commutator(opno);
			if (!OidIsValid(opno))
				return false;
		}
		c->expr = (Expr *) right;
		c->any = false;
		c->type = exprType(right);
		return type_ok(c->kind, c->type) && match_operator(opno, c);
	}
	if (IsA(clause, ScalarArrayOpExpr))
	{
		ScalarArrayOpExpr *op = (ScalarArrayOpExpr *) clause;

		if (!op->useOr || !match_column(linitial(op->args), rti, &c->kind) ||
			c->kind == CONDITION_TIME)
			return false;
		c->expr = lsecond(op->args);
		c->any = true;
		c->type = get_element_type(exprType((Node *) c->expr));
		return type_ok(c->kind, c->type) && match_operator(op->opno, c) &&
			c->strategy == BTEqualStrategyNumber;
	}
	return false;
}

bool
condition_is_trivial(Node *clause, Index rti)
{
	NullTest   *test = (NullTest *) clause;
	ConditionKind kind;

	return IsA(clause, NullTest) && test->nulltesttype == IS_NOT_NULL && !test->argisrow &&
		match_column((Node *) test->arg, rti, &kind) && kind != CONDITION_TIME;
}

/* ---------- values ---------- */

void
condition_range_init(ConditionRange *range)
{
	memset(range, 0, sizeof(*range));
	range->partition_hi = PG_INT64_MAX;
	range->offset_hi = PG_INT64_MAX;
	range->time_lo = PG_INT64_MIN;
	range->time_hi = PG_INT64_MAX;
}

static int64
integer_value(Oid type, Datum value)
{
	switch (type)
	{
		case INT2OID:
			return DatumGetInt16(value);
		case INT4OID:
			return DatumGetInt32(value);
		default:
			return DatumGetInt64(value);
	}
}

/* Narrow lo..hi (inclusive) by a comparison; false: nothing is left. */
static bool
narrow(int64 *lo, int64 *hi, int strategy, int64 v)
{
	switch (strategy)
	{
		case BTLessStrategyNumber:
			if (v == PG_INT64_MIN)
				return false;
			*hi = Min(*hi, v - 1);
			break;
		case BTLessEqualStrategyNumber:
			*hi = Min(*hi, v);
			break;
		case BTEqualStrategyNumber:
			*lo = Max(*lo, v);
			*hi = Min(*hi, v);
			break;
		case BTGreaterEqualStrategyNumber:
			*lo = Max(*lo, v);
			break;
		case BTGreaterStrategyNumber:
			if (v == PG_INT64_MAX)
				return false;
			*lo = Max(*lo, v + 1);
			break;
	}
	return *lo <= *hi;
}

static int
int64_cmp(const void *a, const void *b)
{
	int64		x = *(const int64 *) a;
	int64		y = *(const int64 *) b;

	return x < y ? -1 : x > y;
}

/* The elements of an array, sorted, without duplicates and nulls, and only those in `old` if there is one. */
static int64 *
array_values(Oid type, Datum array, const int64 *old, int n_old, int *n)
{
	int16		len;
	bool		byval;
	char		align;
	Datum	   *elems;
	bool	   *nulls;
	int			n_elems;
	int64	   *values;
	int			used = 0;

	get_typlenbyvalalign(type, &len, &byval, &align);
	deconstruct_array(DatumGetArrayTypeP(array), type, len, byval, align, &elems, &nulls, &n_elems);
	values = palloc(Max(1, n_elems) * sizeof(int64));
	for (int i = 0; i < n_elems; i++)
	{
		if (!nulls[i])
			values[used++] = integer_value(type, elems[i]);
	}
	qsort(values, used, sizeof(int64), int64_cmp);

	*n = 0;
	for (int i = 0; i < used; i++)
	{
		if (*n > 0 && values[*n - 1] == values[i])
			continue;
		if (old != NULL && bsearch(&values[i], old, n_old, sizeof(int64), int64_cmp) == NULL)
			continue;
		values[(*n)++] = values[i];
	}
	return values;
}

static bool
restrict_time(ConditionRange *range, int strategy, TimestampTz ts)
{
	int64		ms;

	if (TIMESTAMP_NOT_FINITE(ts))
		return true;			/* no bound that is of use; the condition itself is checked */
	ms = produce_timestamp_ms(ts);

	/* Times are whole milliseconds, so ts > t begins in t's own, at the earliest. */
	if (strategy >= BTEqualStrategyNumber)
		range->time_lo = Max(range->time_lo, ms);
	if (strategy <= BTEqualStrategyNumber)
		range->time_hi = Min(range->time_hi, ms);
	return true;
}

void
condition_range_restrict(ConditionRange *range, const Condition *c, Datum value, bool isnull)
{
	bool		some = true;

	if (isnull)
		some = false;
	else if (c->kind == CONDITION_TIME)
		some = restrict_time(range, c->strategy, DatumGetTimestampTz(value));
	else if (c->any && c->kind == CONDITION_PARTITION)
		range->partitions = array_values(c->type, value, range->partitions, range->n_partitions,
										 &range->n_partitions);
	else if (c->any)
		range->offsets = array_values(c->type, value, range->offsets, range->n_offsets,
									  &range->n_offsets);
	else if (c->kind == CONDITION_PARTITION)
		some = narrow(&range->partition_lo, &range->partition_hi, c->strategy, integer_value(c->type, value));
	else
		some = narrow(&range->offset_lo, &range->offset_hi, c->strategy, integer_value(c->type, value));

	if (!some)
		range->empty = true;
}

static int64
exclusive(int64 hi)
{
	return hi == PG_INT64_MAX ? hi : hi + 1;
}

/* Where reading has to begin for records of a time or later; false: there are none. */
static bool
find_time(Relation rel, int32 partition, int64 time_lo, int64 *lo)
{
	LogPartition *part;
	int64		start;

	if (time_lo <= 0)
		return true;
	part = log_open(rel, partition);
	if (part == NULL)
		return false;
	start = log_find_time(rel, part, time_lo);
	*lo = Max(*lo, start);
	return start >= 0;
}

static void
read_partition(const ConditionRange *range, Relation rel, int32 partition, Snapshot snapshot, bool backward,
			   AmRangeList *list)
{
	int64		lo = range->offset_lo;

	if (!find_time(rel, partition, range->time_lo, &lo))
		return;
	if (range->offsets == NULL)
	{
		(void) range_add_partition(list, rel, partition, lo, exclusive(range->offset_hi), snapshot);
		return;
	}
	for (int i = 0; i < range->n_offsets; i++)
	{
		int64		offset = range->offsets[backward ? range->n_offsets - 1 - i : i];

		if (offset >= lo && offset <= range->offset_hi)
			(void) range_add_partition(list, rel, partition, offset, exclusive(offset), snapshot);
	}
}

void
condition_range_read(const ConditionRange *range, Relation rel, Snapshot snapshot, bool backward,
					 AmRangeList *list)
{
	LogTopicInfo info;
	int64		first = range->partition_lo;
	int64		last;
	int64		n;

	if (range->empty)
		return;
	log_topic_info(rel, &info);
	last = Min(range->partition_hi, info.n_partitions - 1);
	n = range->partitions != NULL ? range->n_partitions : last - first + 1;

	for (int64 i = 0; i < n; i++)
	{
		int64		k = backward ? n - 1 - i : i;
		int64		p = range->partitions != NULL ? range->partitions[k] : first + k;

		if (p >= first && p <= last)
			read_partition(range, rel, p, snapshot, backward, list);
	}
}
