/*-------------------------------------------------------------------------
 *
 * statement_wait.c
 *	  Waiting for records before a statement has a snapshot.
 *
 * When a function is called, the statement around it has long taken its
 * snapshot, and as long as that exists VACUUM can't remove what dies: a
 * consumer that waits in a loop would hold the whole database back.  So the
 * waiting is done before the executor starts, if the statement is one of the
 * kind
 *
 *		SELECT ... FROM broker.fetch('topic', 0, $1, max_wait => '10s') ...
 *		INSERT INTO ... SELECT ... FROM broker.consume('group', 'topic', max_wait => '10s')
 *
 * that is, a statement by the client itself under READ COMMITTED, in which the function
 * is called once, with arguments that are known by then.  Its snapshot is given back, and a
 * new one is taken after the wait; nothing has been read by the old one.
 * Everywhere else (in functions, under REPEATABLE READ) the function waits
 * under the snapshot that there is.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "am/am.h"
#include "am/statement_wait.h"

#include "access/xact.h"
#include "catalog/namespace.h"
#include "executor/executor.h"
#include "nodes/params.h"
#include "nodes/plannodes.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#define MAX_WAITING_FUNCTIONS 4

static ExecutorStart_hook_type prev_executor_start = NULL;
static const StatementWait *functions[MAX_WAITING_FUNCTIONS];
static int	n_functions = 0;

/* What the current statement has waited for. */
static const StatementWait *waited = NULL;
static TimestampTz waited_until;

static TimestampTz
deadline_from_now(const Interval *max_wait)
{
	return DatumGetTimestampTz(DirectFunctionCall2(timestamptz_pl_interval,
												   TimestampTzGetDatum(GetCurrentTimestamp()),
												   PointerGetDatum(max_wait)));
}

TimestampTz
statement_deadline(const StatementWait *function, const Interval *max_wait)
{
	if (waited == function)
	{
		waited = NULL;
		return waited_until;
	}
	return deadline_from_now(max_wait);
}

/* ---------- the call in a plan ---------- */

typedef struct Call
{
	const StatementWait *function;
	FuncExpr   *expr;
	int			n;				/* how many calls there are */
} Call;

static const StatementWait *
function_of(const FuncExpr *expr)
{
	char	   *name = get_func_name(expr->funcid);

	if (name == NULL || get_func_namespace(expr->funcid) != get_namespace_oid("broker", true))
		return NULL;
	for (int i = 0; i < n_functions; i++)
		if (strcmp(name, functions[i]->function) == 0 && list_length(expr->args) == functions[i]->n_args)
			return functions[i];
	return NULL;
}

/* Calls as FunctionScans. */
static void
find_call(Plan *plan, Call *call)
{
	ListCell   *lc;

	if (plan == NULL)
		return;
	if (IsA(plan, FunctionScan))
	{
		foreach(lc, ((FunctionScan *) plan)->functions)
		{
			FuncExpr   *expr = (FuncExpr *) lfirst_node(RangeTblFunction, lc)->funcexpr;
			const StatementWait *function = IsA(expr, FuncExpr) ? function_of(expr) : NULL;

			if (function == NULL)
				continue;
			call->function = function;
			call->expr = expr;
			call->n++;
		}
	}
	if (IsA(plan, SubqueryScan))
		find_call(((SubqueryScan *) plan)->subplan, call);
	find_call(plan->lefttree, call);
	find_call(plan->righttree, call);
}

/* A constant or a parameter of the statement; false for anything else. */
static bool
known_value(Node *expr, ParamListInfo params, Datum *value, bool *isnull)
{
	if (IsA(expr, Const))
	{
		*value = ((Const *) expr)->constvalue;
		*isnull = ((Const *) expr)->constisnull;
		return true;
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
		*isnull = p->isnull;
		return p->ptype == ((Param *) expr)->paramtype;
	}
	return false;
}

static bool
known_arguments(const Call *call, ParamListInfo params, Datum *values)
{
	ListCell   *lc;
	int			i = 0;

	foreach(lc, call->expr->args)
	{
		bool		isnull;

		/* Only an argument that stands for its type can be null. */
		if (!known_value(lfirst(lc), params, &values[i], &isnull) || (isnull && i > 0))
			return false;
		i++;
	}
	return true;
}

/* ---------- waiting ---------- */

/* Is the snapshot of the statement the only one there is? */
static bool
owns_snapshot(QueryDesc *query)
{
	return query->snapshot != InvalidSnapshot && ActiveSnapshotSet() &&
		query->snapshot == GetActiveSnapshot() &&
		query->snapshot->active_count == 1 && query->snapshot->regd_count == 1;
}

static void
wait_without_snapshot(QueryDesc *query, const Call *call, TimestampTz deadline)
{
	UnregisterSnapshot(query->snapshot);
	query->snapshot = InvalidSnapshot;
	PopActiveSnapshot();

	if (!ActiveSnapshotSet())
	{
		call->function->wait(deadline);
		waited = call->function;
		waited_until = deadline;
	}

	PushActiveSnapshot(GetTransactionSnapshot());
	query->snapshot = RegisterSnapshot(GetActiveSnapshot());
}

static void
maybe_wait(QueryDesc *query)
{
	Call		call = {0};
	Datum		values[STATEMENT_MAX_ARGS];
	TimestampTz deadline;
	ListCell   *lc;

	find_call(query->plannedstmt->planTree, &call);
	foreach(lc, query->plannedstmt->subplans)
		find_call(lfirst(lc), &call);
	if (call.n != 1 || !known_arguments(&call, query->params, values))
		return;
	deadline = deadline_from_now(DatumGetIntervalP(values[call.function->n_args - 1]));
	if (deadline > GetCurrentTimestamp() && call.function->wants(call.expr, values))
		wait_without_snapshot(query, &call, deadline);
}

static void
executor_start(QueryDesc *query, int eflags)
{
	waited = NULL;
	if (!IsolationUsesXactSnapshot() &&
		(eflags & EXEC_FLAG_EXPLAIN_ONLY) == 0 && owns_snapshot(query))
		maybe_wait(query);

	if (prev_executor_start)
		prev_executor_start(query, eflags);
	else
		standard_ExecutorStart(query, eflags);
}

void
statement_wait_register(const StatementWait *function)
{
	Assert(n_functions < MAX_WAITING_FUNCTIONS && function->n_args <= STATEMENT_MAX_ARGS);
	functions[n_functions++] = function;
}

void
am_statement_wait_init(void)
{
	prev_executor_start = ExecutorStart_hook;
	ExecutorStart_hook = executor_start;
}
