/*-------------------------------------------------------------------------
 *
 * fetch_wait.c
 *	  Waiting for broker.fetch() without a snapshot.
 *
 * When the function is called, the statement around it has long taken its
 * snapshot, and as long as that exists VACUUM can't remove what dies: a
 * consumer that waits in a loop would hold the whole database back.  So the
 * waiting is done before the executor starts, if the statement is one of the
 * kind
 *
 *		SELECT ... FROM broker.fetch('topic', 0, $1, max_wait => '10s') ...
 *
 * that is, a SELECT by the client itself under READ COMMITTED, whose
 * arguments are known by then.  Its snapshot is given back, and a new one is
 * taken after the wait; nothing has been read by the old one.
 * Everywhere else (in functions, under REPEATABLE READ) the function waits
 * under the snapshot that there is.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "am/am.h"
#include "am/fetch.h"

#include "access/xact.h"
#include "catalog/namespace.h"
#include "executor/executor.h"
#include "nodes/params.h"
#include "nodes/plannodes.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#define FETCH_N_ARGS 5

static ExecutorStart_hook_type prev_executor_start = NULL;

/* What the current statement has waited for. */
static FetchArgs waited_for;
static TimestampTz waited_until;
static bool waited = false;

static TimestampTz
deadline_from_now(const Interval *max_wait)
{
	return DatumGetTimestampTz(DirectFunctionCall2(timestamptz_pl_interval,
												   TimestampTzGetDatum(GetCurrentTimestamp()),
												   PointerGetDatum(max_wait)));
}

TimestampTz
fetch_deadline(const FetchArgs *args, const Interval *max_wait)
{
	if (waited && args->relid == waited_for.relid && args->partition == waited_for.partition &&
		args->offset == waited_for.offset)
	{
		waited = false;
		return waited_until;
	}
	return deadline_from_now(max_wait);
}

/* The call of broker.fetch() in a plan, if there is just one, as a FunctionScan. */
static void
find_call(Plan *plan, FuncExpr **call, int *n_calls)
{
	ListCell   *lc;

	if (plan == NULL)
		return;
	if (IsA(plan, FunctionScan))
	{
		foreach(lc, ((FunctionScan *) plan)->functions)
		{
			FuncExpr   *func = (FuncExpr *) lfirst_node(RangeTblFunction, lc)->funcexpr;
			char	   *name;

			if (!IsA(func, FuncExpr) || list_length(func->args) != FETCH_N_ARGS)
				continue;
			name = get_func_name(func->funcid);
			if (name != NULL && strcmp(name, "fetch") == 0 &&
				get_func_namespace(func->funcid) == get_namespace_oid("broker", true))
			{
				*call = func;
				(*n_calls)++;
			}
		}
	}
	if (IsA(plan, SubqueryScan))
		find_call(((SubqueryScan *) plan)->subplan, call, n_calls);
	find_call(plan->lefttree, call, n_calls);
	find_call(plan->righttree, call, n_calls);
}

/* A constant or a parameter of the statement; false for anything else and for null. */
static bool
known_value(Node *expr, ParamListInfo params, Datum *value)
{
	if (IsA(expr, Const))
	{
		*value = ((Const *) expr)->constvalue;
		return !((Const *) expr)->constisnull;
	}
	if (IsA(expr, Param) && ((Param *) expr)->paramkind == PARAM_EXTERN && params != NULL)
	{
		int			id = ((Param *) expr)->paramid;
		ParamExternData workspace;
		ParamExternData *p;

		if (id <= 0 || id > params->numParams)
			return false;
		p = params->paramFetch != NULL ? params->paramFetch(params, id, false, &workspace) :
			&params->params[id - 1];
		*value = p->value;
		return p->ptype == ((Param *) expr)->paramtype && !p->isnull;
	}
	return false;
}

/* Is the snapshot of the statement the only one there is? */
static bool
owns_snapshot(QueryDesc *query)
{
	return query->snapshot != InvalidSnapshot && ActiveSnapshotSet() &&
		query->snapshot == GetActiveSnapshot() &&
		query->snapshot->active_count == 1 && query->snapshot->regd_count == 1;
}

static void
wait_without_snapshot(QueryDesc *query, const FetchArgs *args, TimestampTz deadline)
{
	UnregisterSnapshot(query->snapshot);
	query->snapshot = InvalidSnapshot;
	PopActiveSnapshot();

	if (!ActiveSnapshotSet())
	{
		fetch_wait(args, deadline);
		waited_for = *args;
		waited_until = deadline;
		waited = true;
	}

	PushActiveSnapshot(GetTransactionSnapshot());
	query->snapshot = RegisterSnapshot(GetActiveSnapshot());
}

static void
maybe_wait(QueryDesc *query)
{
	FuncExpr   *call = NULL;
	int			n_calls = 0;
	Datum		args[FETCH_N_ARGS];
	FetchArgs	fetch;
	TimestampTz deadline;
	int			i = 0;
	ListCell   *lc;

	find_call(query->plannedstmt->planTree, &call, &n_calls);
	if (n_calls != 1)
		return;
	foreach(lc, call->args)
	{
		if (!known_value(lfirst(lc), query->params, &args[i++]))
			return;
	}
	deadline = deadline_from_now(DatumGetIntervalP(args[4]));
	if (deadline <= GetCurrentTimestamp() || DatumGetInt32(args[3]) <= 0)
		return;
	fetch_topic(DatumGetTextPP(args[0]), &fetch);
	fetch.partition = DatumGetInt32(args[1]);
	fetch.offset = DatumGetInt64(args[2]);
	wait_without_snapshot(query, &fetch, deadline);
}

static void
executor_start(QueryDesc *query, int eflags)
{
	waited = false;
	if (query->operation == CMD_SELECT && !IsolationUsesXactSnapshot() &&
		(eflags & EXEC_FLAG_EXPLAIN_ONLY) == 0 && owns_snapshot(query))
		maybe_wait(query);

	if (prev_executor_start)
		prev_executor_start(query, eflags);
	else
		standard_ExecutorStart(query, eflags);
}

void
am_fetch_init(void)
{
	prev_executor_start = ExecutorStart_hook;
	ExecutorStart_hook = executor_start;
}
