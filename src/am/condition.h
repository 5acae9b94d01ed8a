/*-------------------------------------------------------------------------
 *
 * condition.h
 *	  Conditions of a query that say where in the log to look.
 *
 *-------------------------------------------------------------------------
 */
#ifndef AM_CONDITION_H
#define AM_CONDITION_H

#include "am/scan.h"
#include "nodes/execnodes.h"
#include "nodes/primnodes.h"

typedef enum ConditionKind
{
	CONDITION_PARTITION,
	CONDITION_OFFSET,
	CONDITION_TIME				/* a hint only: the condition is checked as well */
} ConditionKind;

/* column <strategy> expr, or column = ANY (expr) */
typedef struct Condition
{
	ConditionKind kind;
	int			strategy;		/* BTLessStrategyNumber ... */
	bool		any;			/* expr is an array */
	Oid			type;			/* of expr, or of its elements */
	Expr	   *expr;
} Condition;

/* Is the clause such a condition on a column of relation `rti`?  Doesn't look into expr. */
extern bool condition_match(Node *clause, Index rti, Condition *condition);

/* `column IS NOT NULL` on a column that never is null: holds always. */
extern bool condition_is_trivial(Node *clause, Index rti);

/* The values of conditions: which ranges are to be read. */
typedef struct ConditionRange
{
	bool		empty;			/* nothing fulfils them */
	int64		partition_lo;
	int64		partition_hi;	/* inclusive */
	int64	   *partitions;		/* of an ANY, sorted; NULL: no such condition */
	int			n_partitions;
	int64		offset_lo;
	int64		offset_hi;		/* inclusive */
	int64	   *offsets;
	int			n_offsets;
	int64		time_lo;		/* Kafka's milliseconds; PG_INT64_MIN: no bound */
	int64		time_hi;		/* inclusive; for estimates only */
} ConditionRange;

extern void condition_range_init(ConditionRange *range);
extern void condition_range_restrict(ConditionRange *range, const Condition *condition,
									 Datum value, bool isnull);

/* What is to be read, in order (or backwards). */
extern void condition_range_read(const ConditionRange *range, Relation rel, Snapshot snapshot, bool backward,
								 AmRangeList *list);

#endif							/* AM_CONDITION_H */
