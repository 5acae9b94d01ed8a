/*-------------------------------------------------------------------------
 *
 * plan.c
 *	  Paths for reading a topic.
 *
 * A topic is read by the custom scan BrokerLogScan only: the server's own paths
 * for the table are dropped.  A scan takes conditions on partition, log_offset
 * and ts to find its place in the log; those on the first two are thereby
 * fulfilled, those on ts are checked as well.  It comes in these kinds:
 *
 *		forwards, ordered by (partition, log_offset)
 *		backwards, likewise
 *		parallel, in no order
 *		inside of a nested loop, with conditions on the outer row's columns
 *
 * Rows are estimated from offsets, since statistics of a log are old at once.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "am/am.h"
#include "am/condition.h"
#include "am/customscan.h"
#include "am/estimate.h"
#include "topic/topic.h"

#include "access/stratnum.h"
#include "access/sysattr.h"
#include "access/table.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/planner.h"
#include "optimizer/restrictinfo.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

static set_rel_pathlist_hook_type prev_pathlist_hook = NULL;

/* Operators that have no name in the server's headers: > of int4 and of int8. */
#define INT4_GT_OPERATOR 521
#define INT8_GT_OPERATOR 413

/* Finding a place in a log: some pages of the directory and of the data. */
#define SEEK_PAGES 3

static Plan *plan_custom_path(PlannerInfo *root, RelOptInfo *rel, CustomPath *path, List *tlist,
							  List *clauses, List *custom_plans);

static const CustomPathMethods path_methods = {
	.CustomName = LOG_SCAN_NAME,
	.PlanCustomPath = plan_custom_path,
};

/* ---------- conditions ---------- */

static bool
usable_condition(PlannerInfo *root, RelOptInfo *rel, Node *clause, Condition *c)
{
	return condition_match(clause, rel->relid, c) &&
		!bms_is_member(rel->relid, pull_varnos(root, (Node *) c->expr)) &&
		!contain_volatile_functions((Node *) c->expr);
}

/*
 * Estimate the records that a scan with these clauses (RestrictInfos) reads,
 * and those that it returns.  *one_partition: it reads no more than one.
 */
static void
estimate_clauses(PlannerInfo *root, RelOptInfo *rel, Relation heap, List *clauses,
				 double *read, double *returned, bool *one_partition)
{
	ConditionRange range;
	List	   *others = NIL;
	double		unknown = 1;
	double		max_rows = -1;
	bool		partition_eq = false;
	ListCell   *lc;

	condition_range_init(&range);
	*one_partition = false;
	foreach(lc, clauses)
	{
		RestrictInfo *ri = lfirst_node(RestrictInfo, lc);
		Condition	c;
		Node	   *value;

		if (!usable_condition(root, rel, (Node *) ri->clause, &c))
		{
			if (!condition_is_trivial((Node *) ri->clause, rel->relid))
				others = lappend(others, ri);
			continue;
		}
		if (c.kind == CONDITION_PARTITION && c.strategy == BTEqualStrategyNumber && !c.any)
			*one_partition = true;
		value = estimate_expression_value(root, (Node *) c.expr);
		if (IsA(value, Const))
		{
			condition_range_restrict(&range, &c, ((Const *) value)->constvalue,
									 ((Const *) value)->constisnull);
			continue;
		}
		/* A value that is known later. */
		if (c.strategy != BTEqualStrategyNumber)
			unknown *= DEFAULT_INEQ_SEL;
		else if (c.kind == CONDITION_PARTITION)
			partition_eq = true;
		else if (c.kind == CONDITION_OFFSET)
			max_rows = c.any ? 10 : 1;
		else
			unknown *= DEFAULT_EQ_SEL;
	}

	*read = estimate_range(heap, &range) * unknown;
	if (partition_eq)
	{
		const Topic *topic = topic_get(RelationGetRelid(heap));

		if (topic != NULL && range.partitions == NULL)
			*read /= topic->n_partitions;
	}
	if (max_rows >= 0)
		*read = Min(*read, max_rows);
	*returned = clamp_row_est(*read * clauselist_selectivity(root, others, rel->relid, JOIN_INNER, NULL));
}

/* ---------- paths ---------- */

static CustomPath *
make_path(RelOptInfo *rel, ParamPathInfo *param_info, double read, double returned, bool backward,
		  List *pathkeys, int workers)
{
	CustomPath *cp = makeNode(CustomPath);
	Path	   *path = &cp->path;
	double		share = rel->tuples > 0 ? Min(1, read / rel->tuples) : 1;
	double		divisor = 1;
	QualCost	target_cost = rel->reltarget->cost;
	Cost		cpu;
	Cost		disk;

	path->pathtype = T_CustomScan;
	path->parent = rel;
	path->pathtarget = rel->reltarget;
	path->param_info = param_info;
	path->parallel_safe = rel->consider_parallel;
	path->parallel_aware = workers > 0;
	path->parallel_workers = workers;
	path->pathkeys = pathkeys;
	cp->flags = CUSTOMPATH_SUPPORT_PROJECTION;
	cp->custom_private = list_make1_int(backward ? 1 : 0);
	cp->methods = &path_methods;

	if (workers > 0)
	{
		/* The leader helps, less so the more workers it has to listen to. */
		divisor = workers;
		if (parallel_leader_participation && workers < 4)
			divisor += 1.0 - 0.3 * workers;
	}
	disk = seq_page_cost * rel->pages * share;
	cpu = (cpu_tuple_cost + rel->baserestrictcost.per_tuple) * read;
	path->rows = clamp_row_est(returned / divisor);
	path->startup_cost = SEEK_PAGES * random_page_cost * (share < 1 ? 1 : 0) +
		rel->baserestrictcost.startup + target_cost.startup;
	path->total_cost = path->startup_cost + disk + cpu / divisor + target_cost.per_tuple * path->rows;
	/* Backwards, a batch is unpacked before its last record comes. */
	if (backward)
		path->total_cost *= 1.01;
	return cp;
}

/* The order of a scan, less what is constant anyway, as far as the query cares for it. */
static List *
scan_pathkeys(PlannerInfo *root, RelOptInfo *rel, bool backward, bool one_partition)
{
	Var		   *partition = makeVar(rel->relid, TOPIC_COL_PARTITION, INT4OID, -1, InvalidOid, 0);
	Var		   *offset = makeVar(rel->relid, TOPIC_COL_OFFSET, INT8OID, -1, InvalidOid, 0);
	List	   *keys = NIL;
	List	   *offset_keys;

	if (!one_partition)
	{
		keys = compat_expression_pathkey(root, (Expr *) partition,
										 backward ? INT4_GT_OPERATOR : Int4LessOperator, rel->relids);
		if (keys == NIL)
			return NIL;
	}
	offset_keys = compat_expression_pathkey(root, (Expr *) offset,
											backward ? INT8_GT_OPERATOR : Int8LessOperator, rel->relids);
	/* log_offset = constant: any order will do */
	if (offset_keys != NIL && EC_MUST_BE_REDUNDANT(((PathKey *) linitial(offset_keys))->pk_eclass))
		return keys;
	return list_concat(keys, offset_keys);
}

static bool
is_position_column(PlannerInfo *root, RelOptInfo *rel, EquivalenceClass *ec, EquivalenceMember *em, void *arg)
{
	Var		   *var = (Var *) em->em_expr;

	return IsA(var, Var) && var->varno == rel->relid &&
		(var->varattno == TOPIC_COL_PARTITION || var->varattno == TOPIC_COL_OFFSET);
}

/* list_append_unique() won't do: before 16 a Bitmapset is no node that equal() knows. */
static List *
append_relids(List *list, Relids relids)
{
	ListCell   *lc;

	foreach(lc, list)
	{
		if (bms_equal(lfirst(lc), relids))
			return list;
	}
	return lappend(list, relids);
}

/* Paths for the inside of a nested loop: what the outer row says about the place. */
static void
add_parameterized_paths(PlannerInfo *root, RelOptInfo *rel, Relation heap)
{
	List	   *clauses;
	List	   *outers = NIL;
	Relids		all = NULL;
	ListCell   *lc;

	clauses = generate_implied_equalities_for_column(root, rel, is_position_column, NULL,
													 rel->lateral_referencers);
	foreach(lc, list_concat(clauses, list_copy(rel->joininfo)))
	{
		RestrictInfo *ri = lfirst_node(RestrictInfo, lc);
		Relids		outer;
		Condition	c;

		if (!join_clause_is_movable_to(ri, rel) ||
			!usable_condition(root, rel, (Node *) ri->clause, &c) ||
			c.kind == CONDITION_TIME)
			continue;
		outer = bms_union(ri->clause_relids, rel->lateral_relids);
		outer = bms_del_member(outer, rel->relid);
		if (bms_is_empty(outer))
			continue;
		outers = append_relids(outers, outer);
		all = bms_union(all, outer);
	}
	if (list_length(outers) > 1)
		outers = append_relids(outers, all);

	foreach(lc, outers)
	{
		ParamPathInfo *ppi = get_baserel_parampathinfo(root, rel, lfirst(lc));
		double		read,
					returned;
		bool		one_partition;

		estimate_clauses(root, rel, heap,
						 list_concat_copy(rel->baserestrictinfo, ppi->ppi_clauses),
						 &read, &returned, &one_partition);
		ppi->ppi_rows = returned;
		add_path(rel, &make_path(rel, ppi, read, returned, false, NIL, 0)->path);
	}
}

/* The only system columns that a row has are tableoid and a made-up ctid. */
static void
refuse_system_columns(RelOptInfo *rel)
{
	Bitmapset  *attrs = NULL;
	ListCell   *lc;
	int			i = -1;

	pull_varattnos((Node *) rel->reltarget->exprs, rel->relid, &attrs);
	foreach(lc, rel->baserestrictinfo)
		pull_varattnos((Node *) lfirst_node(RestrictInfo, lc)->clause, rel->relid, &attrs);
	while ((i = bms_next_member(attrs, i)) >= 0)
	{
		AttrNumber	attno = i + FirstLowInvalidHeapAttributeNumber;

		if (attno < 0 && attno != TableOidAttributeNumber && attno != SelfItemPointerAttributeNumber)
			am_refuse("reading xmin, xmax, cmin or cmax",
					  "Records are identified by partition and log_offset.");
	}
}

static void
add_topic_paths(PlannerInfo *root, RelOptInfo *rel, Relation heap)
{
	double		read,
				returned;
	bool		one_partition;
	List	   *pathkeys;
	ParamPathInfo *lateral = rel->lateral_relids == NULL ? NULL :
		get_baserel_parampathinfo(root, rel, rel->lateral_relids);

	rel->pathlist = NIL;
	rel->partial_pathlist = NIL;
	refuse_system_columns(rel);

	estimate_clauses(root, rel, heap, rel->baserestrictinfo, &read, &returned, &one_partition);
	rel->rows = returned;

	pathkeys = scan_pathkeys(root, rel, false, one_partition);
	add_path(rel, &make_path(rel, lateral, read, returned, false, pathkeys, 0)->path);
	pathkeys = scan_pathkeys(root, rel, true, one_partition);
	if (pathkeys != NIL)
		add_path(rel, &make_path(rel, lateral, read, returned, true, pathkeys, 0)->path);

	if (rel->consider_parallel && lateral == NULL)
	{
		double		share = rel->tuples > 0 ? Min(1, read / rel->tuples) : 1;
		int			workers = compute_parallel_worker(rel, rel->pages * share, -1,
													  max_parallel_workers_per_gather);

		if (workers > 0)
			add_partial_path(rel, &make_path(rel, NULL, read, returned, false, NIL, workers)->path);
	}
	add_parameterized_paths(root, rel, heap);
}

static void
pathlist_hook(PlannerInfo *root, RelOptInfo *rel, Index rti, RangeTblEntry *rte)
{
	Relation	heap;

	if (prev_pathlist_hook)
		prev_pathlist_hook(root, rel, rti, rte);

	if (rte->rtekind != RTE_RELATION || rte->inh || IS_DUMMY_REL(rel) ||
		rte->relkind != RELKIND_RELATION || !topic_is_topic(rte->relid))
		return;
	heap = table_open(rte->relid, NoLock);
	add_topic_paths(root, rel, heap);
	table_close(heap, NoLock);
}

/* ---------- plan ---------- */

static Plan *
plan_custom_path(PlannerInfo *root, RelOptInfo *rel, CustomPath *path, List *tlist, List *clauses,
				 List *custom_plans)
{
	CustomScan *scan = makeNode(CustomScan);
	List	   *quals = NIL;
	ListCell   *lc;

	foreach(lc, clauses)
	{
		RestrictInfo *ri = lfirst_node(RestrictInfo, lc);
		Node	   *clause = (Node *) ri->clause;
		Condition	c;

		if (ri->pseudoconstant || condition_is_trivial(clause, rel->relid))
			continue;
		if (usable_condition(root, rel, clause, &c))
		{
			scan->custom_exprs = lappend(scan->custom_exprs, clause);
			if (c.kind != CONDITION_TIME)
				continue;		/* decided by what is read */
		}
		quals = lappend(quals, clause);
	}

	scan->scan.plan.targetlist = tlist;
	scan->scan.plan.qual = quals;
	scan->scan.scanrelid = rel->relid;
	scan->flags = path->flags;
	scan->custom_private = path->custom_private;
	scan->methods = &am_log_scan_methods;
	return &scan->scan.plan;
}

void
am_plan_init(void)
{
	prev_pathlist_hook = set_rel_pathlist_hook;
	set_rel_pathlist_hook = pathlist_hook;
}
