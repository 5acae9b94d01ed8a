/*-------------------------------------------------------------------------
 *
 * customscan.c
 *	  The executor node BrokerLogScan.
 *
 * The conditions are evaluated when the first row is asked for, and again after a rescan;
 * then the ranges that they leave are read.  A parallel scan's leader evaluates
 * them once, for all, when it sets up the shared memory.
 *
 * A scan whose rows nobody looks into, as for count(*), counts the records of
 * whole batches by their headers.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "am/am.h"
#include "am/condition.h"
#include "am/customscan.h"
#include "log/log.h"

#include "access/sysattr.h"
#include "access/table.h"
#include "commands/explain.h"
#include "compat.h"
#include "executor/executor.h"
#include "nodes/makefuncs.h"
#include "optimizer/optimizer.h"
#include "pgstat.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/ruleutils.h"

typedef struct ScanCondition
{
	Condition	condition;
	ExprState  *value;
} ScanCondition;

typedef struct LogScanState
{
	CustomScanState css;		/* must be first */
	bool		backward;
	bool		count_only;		/* nobody looks at a column */
	bool		no_columns;		/* and the node returns none */
	bool		started;
	ScanCondition *conditions;
	int			n_conditions;
	ExprState  *recheck;		/* all conditions, for EvalPlanQual */
	MemoryContext ranges_cxt;	/* of what the conditions left, until a rescan */
	AmRangeList ranges;
	int64		min_timestamp;
	int64		max_timestamp;
	AmScan	   *scan;
	AmSharedScan *shared;
} LogScanState;

static Node *create_state(CustomScan *cscan);

const CustomScanMethods am_log_scan_methods = {
	.CustomName = LOG_SCAN_NAME,
	.CreateCustomScanState = create_state,
};

static void
begin_scan(CustomScanState *node, EState *estate, int eflags)
{
	LogScanState *state = (LogScanState *) node;
	CustomScan *cscan = (CustomScan *) node->ss.ps.plan;
	Index		rti = cscan->scan.scanrelid;
	Bitmapset  *attrs = NULL;
	Bitmapset  *columns = NULL;
	bool		all = false;
	bool		system = false;
	ListCell   *lc;
	int			i = -1;

	state->backward = linitial_int(cscan->custom_private) != 0;
	state->conditions = palloc(list_length(cscan->custom_exprs) * sizeof(ScanCondition));
	foreach(lc, cscan->custom_exprs)
	{
		ScanCondition *c = &state->conditions[state->n_conditions++];

		if (!condition_match(lfirst(lc), rti, &c->condition))
			elog(ERROR, "unexpected condition of a " LOG_SCAN_NAME);
		c->value = ExecInitExpr(c->condition.expr, &node->ss.ps);
	}
	state->recheck = ExecInitQual(cscan->custom_exprs, &node->ss.ps);

	pull_varattnos((Node *) cscan->scan.plan.targetlist, rti, &attrs);
	pull_varattnos((Node *) cscan->scan.plan.qual, rti, &attrs);
	while ((i = bms_next_member(attrs, i)) >= 0)
	{
		AttrNumber	attno = i + FirstLowInvalidHeapAttributeNumber;

		if (attno == 0)
			all = true;			/* the whole row */
		else if (attno < 0)
			system = true;
		else
			columns = bms_add_member(columns, attno);
	}
	state->count_only = !all && !system && columns == NULL && cscan->scan.plan.qual == NIL &&
		!state->backward && estate->es_epq_active == NULL;
	state->no_columns = state->count_only && cscan->scan.plan.targetlist == NIL;

	if (eflags & EXEC_FLAG_EXPLAIN_ONLY)
		return;
	state->ranges_cxt = AllocSetContextCreate(estate->es_query_cxt, "pg_broker ranges",
											  ALLOCSET_SMALL_SIZES);
	state->scan = scan_create(node->ss.ss_currentRelation, estate->es_snapshot, state->backward,
							  columns, all);
}

static void
evaluate_conditions(LogScanState *state)
{
	ExprContext *econtext = state->css.ss.ps.ps_ExprContext;
	ConditionRange range;
	MemoryContext old_cxt;

	MemoryContextReset(state->ranges_cxt);
	old_cxt = MemoryContextSwitchTo(state->ranges_cxt);
	memset(&state->ranges, 0, sizeof(state->ranges));
	condition_range_init(&range);
	for (int i = 0; i < state->n_conditions; i++)
	{
		ScanCondition *c = &state->conditions[i];
		bool		isnull;
		Datum		value = ExecEvalExprSwitchContext(c->value, econtext, &isnull);

		condition_range_restrict(&range, &c->condition, value, isnull);
	}
	condition_range_read(&range, state->css.ss.ss_currentRelation, state->css.ss.ps.state->es_snapshot,
						 state->backward, &state->ranges);
	state->min_timestamp = range.time_lo;
	state->max_timestamp = range.time_hi;
	MemoryContextSwitchTo(old_cxt);
	ResetExprContext(econtext);
}

static void
start(LogScanState *state)
{
	if (state->shared != NULL)
	{
		scan_start_shared(state->scan, state->shared);
		cursor_set_times(state->scan->cursor, state->shared->min_timestamp,
						 state->shared->max_timestamp);
	}
	else
	{
		evaluate_conditions(state);
		scan_start(state->scan, &state->ranges);
		cursor_set_times(state->scan->cursor, state->min_timestamp, state->max_timestamp);
	}
	state->started = true;
	pgstat_count_heap_scan(state->css.ss.ss_currentRelation);
}

static TupleTableSlot *
next_row(ScanState *ss)
{
	LogScanState *state = (LogScanState *) ss;
	TupleTableSlot *slot = ss->ss_ScanTupleSlot;

	if (!state->started)
		start(state);
	if (!scan_next(state->scan, slot))
		return NULL;
	slot->tts_tableOid = RelationGetRelid(ss->ss_currentRelation);
	pgstat_count_heap_getnext(ss->ss_currentRelation);
	return slot;
}

static bool
recheck_row(ScanState *ss, TupleTableSlot *slot)
{
	LogScanState *state = (LogScanState *) ss;
	ExprContext *econtext = ss->ps.ps_ExprContext;

	econtext->ecxt_scantuple = slot;
	return ExecQualAndReset(state->recheck, econtext);
}

/* The next row of which nobody looks at a column. */
static TupleTableSlot *
next_empty_row(LogScanState *state)
{
	ScanState  *ss = &state->css.ss;
	TupleTableSlot *slot = ss->ss_ScanTupleSlot;
	ProjectionInfo *projection = ss->ps.ps_ProjInfo;

	if (!state->started)
		start(state);
	if (!scan_next_empty(state->scan, slot))
		return projection == NULL ? NULL : ExecClearTuple(projection->pi_state.resultslot);
	if (projection == NULL)
		return slot;
	if (state->no_columns && !TTS_EMPTY(projection->pi_state.resultslot))
		return projection->pi_state.resultslot; /* the same as before: nothing */
	ResetExprContext(ss->ps.ps_ExprContext);
	ss->ps.ps_ExprContext->ecxt_scantuple = slot;
	return ExecProject(projection);
}

static TupleTableSlot *
exec_scan(CustomScanState *node)
{
	LogScanState *state = (LogScanState *) node;

	if (state->count_only)
		return next_empty_row(state);
	return ExecScan(&node->ss, next_row, recheck_row);
}

static void
end_scan(CustomScanState *node)
{
	LogScanState *state = (LogScanState *) node;

	if (state->scan != NULL)
		scan_stop(state->scan);
}

static void
rescan(CustomScanState *node)
{
	LogScanState *state = (LogScanState *) node;

	scan_stop(state->scan);
	state->started = false;
	ExecScanReScan(&node->ss);
}

/* ---------- parallel ---------- */

static Size
estimate_dsm(CustomScanState *node, ParallelContext *pcxt)
{
	LogScanState *state = (LogScanState *) node;

	evaluate_conditions(state);
	return shared_scan_size(state->ranges.n, pcxt->nworkers + 1);
}

static void
init_dsm(CustomScanState *node, ParallelContext *pcxt, void *coordinate)
{
	LogScanState *state = (LogScanState *) node;

	state->shared = coordinate;
	shared_scan_init(state->shared, &state->ranges, pcxt->nworkers + 1);
	state->shared->min_timestamp = state->min_timestamp;
	state->shared->max_timestamp = state->max_timestamp;
}

/* A parallel scan's conditions have no parameters that change, so its ranges stay. */
static void
reinit_dsm(CustomScanState *node, ParallelContext *pcxt, void *coordinate)
{
	shared_scan_restart(coordinate);
}

static void
init_worker(CustomScanState *node, shm_toc *toc, void *coordinate)
{
	((LogScanState *) node)->shared = coordinate;
}

/* ---------- EXPLAIN ---------- */

static void
explain_conditions(CustomScanState *node, ConditionKind kind, const char *label, List *ancestors,
				   ExplainState *es)
{
	CustomScan *cscan = (CustomScan *) node->ss.ps.plan;
	List	   *clauses = NIL;
	List	   *context;
	ListCell   *lc;

	foreach(lc, cscan->custom_exprs)
	{
		Condition	c;

		if (condition_match(lfirst(lc), cscan->scan.scanrelid, &c) && c.kind == kind)
			clauses = lappend(clauses, lfirst(lc));
	}
	if (clauses == NIL)
		return;
	context = set_deparse_context_plan(es->deparse_cxt, node->ss.ps.plan, ancestors);
	ExplainPropertyText(label,
						deparse_expression((Node *) make_ands_explicit(clauses), context,
										   list_length(es->rtable) > 1 || es->verbose, false),
						es);
}

static void
explain(CustomScanState *node, List *ancestors, ExplainState *es)
{
	explain_conditions(node, CONDITION_PARTITION, "Partition", ancestors, es);
	explain_conditions(node, CONDITION_OFFSET, "Log Offset", ancestors, es);
	explain_conditions(node, CONDITION_TIME, "Time", ancestors, es);
	if (((LogScanState *) node)->backward)
		ExplainPropertyText("Direction", "backward", es);
}

static const CustomExecMethods exec_methods = {
	.CustomName = LOG_SCAN_NAME,
	.BeginCustomScan = begin_scan,
	.ExecCustomScan = exec_scan,
	.EndCustomScan = end_scan,
	.ReScanCustomScan = rescan,
	.EstimateDSMCustomScan = estimate_dsm,
	.InitializeDSMCustomScan = init_dsm,
	.ReInitializeDSMCustomScan = reinit_dsm,
	.InitializeWorkerCustomScan = init_worker,
	.ExplainCustomScan = explain,
};

static Node *
create_state(CustomScan *cscan)
{
	LogScanState *state = palloc0(sizeof(LogScanState));

	NodeSetTag(state, T_CustomScanState);
	state->css.flags = cscan->flags;
	state->css.methods = &exec_methods;
#if PG_VERSION_NUM >= 160000
	state->css.slotOps = &TTSOpsVirtual;
#endif
	return (Node *) state;
}

void
am_customscan_init(void)
{
	RegisterCustomScanMethods(&am_log_scan_methods);
}
