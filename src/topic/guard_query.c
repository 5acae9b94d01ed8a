/*-------------------------------------------------------------------------
 *
 * guard_query.c
 *	  Refuses queries that do to a topic what a log can't do.
 *
 * Checked when a query is planned: by then views and rules are expanded, and
 * every way to run a query (prepared, in functions, in cursors, EXPLAIN) has
 * come through here before it has done anything.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/planner.h"
#include "parser/parsetree.h"
#include "topic/internal.h"
#include "topic/refusal.h"
#include "utils/lsyscache.h"

static planner_hook_type prev_planner = NULL;

/* The topic that this range table entry is, or NULL. */
static const char *
rte_topic(const RangeTblEntry *rte)
{
	if (rte->rtekind != RTE_RELATION || rte->relkind != RELKIND_RELATION ||
		!topic_is_topic(rte->relid))
		return NULL;
	return get_rel_name(rte->relid);
}

static void
check_target(Query *query, const char *topic)
{
	switch (query->commandType)
	{
		case CMD_UPDATE:
			topic_refuse(TOPIC_NO_UPDATE, topic);
		case CMD_DELETE:
			topic_refuse(TOPIC_NO_DELETE, topic);
		case CMD_MERGE:
			topic_refuse(TOPIC_NO_MERGE, topic);
		case CMD_INSERT:
			/* DO NOTHING without a target does nothing here */
			if (query->onConflict != NULL &&
				(query->onConflict->action != ONCONFLICT_NOTHING ||
				 query->onConflict->arbiterElems != NIL))
				topic_refuse(TOPIC_NO_ON_CONFLICT, topic);
			break;
		default:
			break;
	}
}

static bool
check_node(Node *node, void *context)
{
	Query	   *query;
	const char *topic;
	ListCell   *lc;

	if (node == NULL)
		return false;
	if (!IsA(node, Query))
		return expression_tree_walker(node, check_node, context);

	query = (Query *) node;
	if (query->resultRelation > 0)
	{
		topic = rte_topic(rt_fetch(query->resultRelation, query->rtable));
		if (topic != NULL)
			check_target(query, topic);
	}
	foreach(lc, query->rowMarks)
	{
		topic = rte_topic(rt_fetch(((RowMarkClause *) lfirst(lc))->rti, query->rtable));
		if (topic != NULL)
			topic_refuse(TOPIC_NO_ROW_LOCK, topic);
	}
	foreach(lc, query->rtable)
	{
		RangeTblEntry *rte = (RangeTblEntry *) lfirst(lc);

		if (rte->tablesample != NULL && (topic = rte_topic(rte)) != NULL)
			topic_refuse(TOPIC_NO_TABLESAMPLE, topic);
	}
	return query_tree_walker(query, check_node, context, 0);
}

static PlannedStmt *
guard_planner(Query *parse, const char *query_string, int cursorOptions, ParamListInfo boundParams)
{
	if (OidIsValid(topic_ids()->access_method))
		check_node((Node *) parse, NULL);

	return prev_planner ?
		prev_planner(parse, query_string, cursorOptions, boundParams) :
		standard_planner(parse, query_string, cursorOptions, boundParams);
}

void
topic_guard_query_init(void)
{
	prev_planner = planner_hook;
	planner_hook = guard_planner;
}
