/*-------------------------------------------------------------------------
 *
 * guard_utility.c
 *	  Refuses utility statements that do to a topic what a log can't do.
 *
 * Looks at a statement before it runs and resolves the tables that it names,
 * without locking them: a topic is never renamed or moved, so what a name
 * means changes only by DROP and CREATE at the same moment.  What slips
 * through there, or comes another way than by a statement, meets
 * guard_object.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/tableam.h"
#include "access/xact.h"
#include "catalog/namespace.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "miscadmin.h"
#include "parser/parse_type.h"
#include "tcop/utility.h"
#include "topic/internal.h"
#include "topic/refusal.h"
#include "utils/lsyscache.h"

static ProcessUtility_hook_type prev_process_utility = NULL;

/* ---------- names ---------- */

/* The name of the topic that a statement means by this, or NULL. */
static const char *
topic_named(const RangeVar *name)
{
	Oid			relid;

	if (name == NULL)
		return NULL;
	relid = RangeVarGetRelid(name, NoLock, true);
	return topic_is_topic(relid) ? get_rel_name(relid) : NULL;
}

static void
refuse_if_topic(const RangeVar *name, TopicRefusal refusal)
{
	const char *topic = topic_named(name);

	if (topic != NULL)
		topic_refuse(refusal, topic);
}

static bool
is_our_access_method(const char *name)
{
	return strcmp(name ? name : default_table_access_method, TOPIC_ACCESS_METHOD) == 0;
}

static bool
is_topic_schema(const char *name)
{
	return name != NULL && strcmp(name, TOPIC_SCHEMA) == 0;
}

/* ---------- ALTER TABLE ---------- */

/* What a subcommand would do to a topic; false: it may. */
static bool
alter_refusal(const AlterTableCmd *cmd, TopicRefusal *refusal)
{
	switch (cmd->subtype)
	{
		case AT_ChangeOwner:
		case AT_SetTableSpace:
		case AT_EnableTrigAll:	/* pg_dump --disable-triggers writes these */
		case AT_DisableTrigAll:
			return false;

		case AT_AddColumn:
		case AT_DropColumn:
		case AT_AlterColumnType:
		case AT_SetStatistics:
		case AT_SetOptions:
		case AT_ResetOptions:
		case AT_SetStorage:
		case AT_SetCompression:
			*refusal = TOPIC_NO_COLUMN_CHANGE;
			return true;

		case AT_ColumnDefault:
		case AT_DropNotNull:
		case AT_SetNotNull:
		case AT_DropExpression:
		case AT_AddIdentity:
		case AT_SetIdentity:
		case AT_DropIdentity:
		case AT_AlterConstraint:
		case AT_ValidateConstraint:
		case AT_DropConstraint:
			*refusal = TOPIC_NO_CONSTRAINT;
			return true;

		case AT_AddConstraint:
			switch (castNode(Constraint, cmd->def)->contype)
			{
				case CONSTR_FOREIGN:
					*refusal = TOPIC_NO_FOREIGN_KEY;
					break;
				case CONSTR_PRIMARY:
				case CONSTR_UNIQUE:
				case CONSTR_EXCLUSION:
					*refusal = TOPIC_NO_INDEX;
					break;
				default:
					*refusal = TOPIC_NO_CONSTRAINT;
					break;
			}
			return true;

		case AT_AddIndexConstraint:
		case AT_ReplicaIdentity:
			*refusal = TOPIC_NO_INDEX;
			return true;

		case AT_EnableTrig:
		case AT_EnableAlwaysTrig:
		case AT_EnableReplicaTrig:
		case AT_DisableTrig:
		case AT_EnableTrigUser:
		case AT_DisableTrigUser:
			*refusal = TOPIC_NO_TRIGGER;
			return true;

		case AT_EnableRule:
		case AT_EnableAlwaysRule:
		case AT_EnableReplicaRule:
		case AT_DisableRule:
			*refusal = TOPIC_NO_RULE;
			return true;

		case AT_EnableRowSecurity:
		case AT_DisableRowSecurity:
		case AT_ForceRowSecurity:
		case AT_NoForceRowSecurity:
			*refusal = TOPIC_NO_ROW_SECURITY;
			return true;

		case AT_AddInherit:
		case AT_DropInherit:
		case AT_AddOf:
		case AT_DropOf:
		case AT_AttachPartition:
		case AT_DetachPartition:
		case AT_DetachPartitionFinalize:
			*refusal = TOPIC_NO_INHERITANCE;
			return true;

		case AT_SetLogged:
		case AT_SetUnLogged:
			*refusal = TOPIC_NO_PERSISTENCE;
			return true;

		case AT_SetAccessMethod:
			*refusal = TOPIC_NO_SET_ACCESS_METHOD;
			return true;

		case AT_SetRelOptions:
		case AT_ResetRelOptions:
			*refusal = TOPIC_NO_OPTIONS;
			return true;

		case AT_ClusterOn:
		case AT_DropCluster:
			*refusal = TOPIC_NO_CLUSTER;
			return true;

		default:
			*refusal = TOPIC_NO_OTHER_ALTER;
			return true;
	}
}

/* Another table may not reach out to a topic either. */
static void
check_constraints(const List *constraints)
{
	ListCell   *lc;

	foreach(lc, constraints)
	{
		if (IsA(lfirst(lc), Constraint))
			refuse_if_topic(lfirst_node(Constraint, lc)->pktable, TOPIC_NO_FOREIGN_KEY);
	}
}

static void
check_alter_other_table(const AlterTableCmd *cmd)
{
	switch (cmd->subtype)
	{
		case AT_AttachPartition:
			refuse_if_topic(((PartitionCmd *) cmd->def)->name, TOPIC_NO_INHERITANCE);
			break;
		case AT_AddInherit:
			refuse_if_topic((RangeVar *) cmd->def, TOPIC_NO_INHERITANCE);
			break;
		case AT_AddConstraint:
			check_constraints(list_make1(cmd->def));
			break;
		case AT_AddColumn:
			check_constraints(castNode(ColumnDef, cmd->def)->constraints);
			break;
		case AT_SetAccessMethod:
			if (is_our_access_method(cmd->name))
				topic_refuse(TOPIC_NO_SET_ACCESS_METHOD, NULL);
			break;
		default:
			break;
	}
}

static void
check_alter_table(const AlterTableStmt *stmt)
{
	const char *topic = topic_named(stmt->relation);
	TopicRefusal refusal;
	ListCell   *lc;

	foreach(lc, stmt->cmds)
	{
		AlterTableCmd *cmd = lfirst_node(AlterTableCmd, lc);

		if (topic == NULL)
			check_alter_other_table(cmd);
		else if (alter_refusal(cmd, &refusal))
			topic_refuse(refusal, topic);
	}
}

/* ---------- CREATE TABLE ---------- */

/* Columns, and nothing but columns of the right names and types. */
static void
check_column_definitions(const CreateStmt *stmt)
{
	TupleDesc	desc = CreateTemplateTupleDesc(TOPIC_N_COLUMNS);
	AttrNumber	attnum = 0;
	TopicType	key_type;
	TopicType	value_type;
	const char *name = stmt->relation->relname;
	ListCell   *lc;

	foreach(lc, stmt->tableElts)
	{
		ColumnDef  *column = (ColumnDef *) lfirst(lc);

		if (IsA(column, Constraint))
			topic_refuse(TOPIC_NO_CONSTRAINT, name);
		if (!IsA(column, ColumnDef))
			topic_refuse(TOPIC_NO_OTHER_COLUMNS, name);
		if (column->constraints != NIL)
			topic_refuse(TOPIC_NO_CONSTRAINT, name);
		if (++attnum > TOPIC_N_COLUMNS || column->compression || column->collClause)
			topic_refuse(TOPIC_NO_OTHER_COLUMNS, name);
		TupleDescInitEntry(desc, attnum, column->colname,
						   typenameTypeId(NULL, column->typeName), -1, 0);
	}
	if (attnum != TOPIC_N_COLUMNS || !topic_columns_ok(desc, &key_type, &value_type))
		topic_refuse(TOPIC_NO_OTHER_COLUMNS, name);
	topic_check_types(key_type, value_type);
}

static void
check_create_topic_table(const CreateStmt *stmt)
{
	const RangeVar *rv = stmt->relation;

	if (rv->relpersistence != RELPERSISTENCE_PERMANENT)
		topic_refuse(TOPIC_NO_PERSISTENCE, rv->relname);
	if (rv->schemaname ? !is_topic_schema(rv->schemaname) :
		RangeVarGetCreationNamespace(rv) != topic_ids()->topic_schema)
		topic_refuse(TOPIC_NO_OTHER_SCHEMA, rv->relname);
	if (stmt->inhRelations != NIL || stmt->partbound != NULL || stmt->partspec != NULL ||
		stmt->ofTypename != NULL)
		topic_refuse(TOPIC_NO_INHERITANCE, rv->relname);
	if (stmt->constraints != NIL)
		topic_refuse(TOPIC_NO_CONSTRAINT, rv->relname);
	if (stmt->options != NIL)
		topic_refuse(TOPIC_NO_OPTIONS, rv->relname);
	check_column_definitions(stmt);

	/* IF NOT EXISTS will say that it exists */
	if (!OidIsValid(get_relname_relid(rv->relname, topic_ids()->topic_schema)))
		topic_check_new_table(rv->relname);
}

static void
check_create_table(const CreateStmt *stmt)
{
	ListCell   *lc;

	foreach(lc, stmt->inhRelations)
		refuse_if_topic((RangeVar *) lfirst(lc), TOPIC_NO_INHERITANCE);

	/* only plain tables take the default access method */
	if (stmt->accessMethod != NULL || stmt->partspec == NULL)
	{
		if (is_our_access_method(stmt->accessMethod))
		{
			check_create_topic_table(stmt);
			return;
		}
	}
	if (is_topic_schema(stmt->relation->schemaname))
		topic_refuse(TOPIC_NO_OTHER_OBJECT, stmt->relation->relname);

	check_constraints(stmt->constraints);
	foreach(lc, stmt->tableElts)
	{
		if (IsA(lfirst(lc), ColumnDef))
			check_constraints(lfirst_node(ColumnDef, lc)->constraints);
		else
			check_constraints(list_make1(lfirst(lc)));
	}
}

static void
check_create_table_as(const CreateTableAsStmt *stmt)
{
	if (is_our_access_method(stmt->into->accessMethod))
		topic_refuse(TOPIC_NO_TABLE_AS, stmt->into->rel->relname);
	if (is_topic_schema(stmt->into->rel->schemaname))
		topic_refuse(TOPIC_NO_OTHER_OBJECT, stmt->into->rel->relname);
}

/* ---------- the rest ---------- */

static void
check_publication(const List *objects)
{
	ListCell   *lc;

	foreach(lc, objects)
	{
		PublicationObjSpec *object = lfirst_node(PublicationObjSpec, lc);

		switch (object->pubobjtype)
		{
			case PUBLICATIONOBJ_TABLE:
				refuse_if_topic(object->pubtable->relation, TOPIC_NO_PUBLICATION);
				break;
			case PUBLICATIONOBJ_TABLES_IN_SCHEMA:
				if (is_topic_schema(object->name))
					topic_refuse(TOPIC_NO_PUBLICATION, NULL);
				break;
			case PUBLICATIONOBJ_TABLES_IN_CUR_SCHEMA:
				{
					List	   *path = fetch_search_path(false);

					if (path != NIL && linitial_oid(path) == topic_ids()->topic_schema)
						topic_refuse(TOPIC_NO_PUBLICATION, NULL);
					break;
				}
			default:
				break;
		}
	}
}

static void
check_vacuum(const VacuumStmt *stmt)
{
	bool		full = false;
	int			n_topics;
	ListCell   *lc;

	foreach(lc, stmt->options)
	{
		DefElem    *option = lfirst_node(DefElem, lc);

		if (strcmp(option->defname, "full") == 0)
			full = defGetBoolean(option);
	}
	if (!full)
		return;

	foreach(lc, stmt->rels)
		refuse_if_topic(lfirst_node(VacuumRelation, lc)->relation, TOPIC_NO_VACUUM_FULL);

	if (stmt->rels == NIL)
	{
		topic_list(&n_topics);
		if (n_topics > 0)
			topic_refuse(TOPIC_NO_VACUUM_FULL, NULL);
	}
}

static void
check_rename(const RenameStmt *stmt)
{
	if (stmt->renameType == OBJECT_SCHEMA &&
		(is_topic_schema(stmt->subname) || strcmp(stmt->subname, TOPIC_BROKER_SCHEMA) == 0))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("schema \"%s\" of extension pg_broker can't be renamed", stmt->subname),
				 errhint("The broker finds topics and its own tables by the names of their schemas.")));
	refuse_if_topic(stmt->relation,
					stmt->renameType == OBJECT_COLUMN ? TOPIC_NO_COLUMN_CHANGE : TOPIC_NO_RENAME);
}

static void
check_grant(const GrantStmt *stmt)
{
	bool		columns = false;
	ListCell   *lc;

	if (stmt->targtype != ACL_TARGET_OBJECT || stmt->objtype != OBJECT_TABLE)
		return;
	foreach(lc, stmt->privileges)
		columns |= lfirst_node(AccessPriv, lc)->cols != NIL;
	if (!columns)
		return;
	foreach(lc, stmt->objects)
		refuse_if_topic(lfirst_node(RangeVar, lc), TOPIC_NO_COLUMN_GRANT);
}

static void
check_truncate(const RangeVar *name)
{
	const char *topic = topic_named(name);

	if (topic != NULL && topic_name_internal(topic, strlen(topic)))
		topic_refuse(TOPIC_NO_SQL_WRITES, topic);
}

static void
check_statement(Node *stmt)
{
	ListCell   *lc;

	switch (nodeTag(stmt))
	{
		case T_AlterTableStmt:
			check_alter_table((AlterTableStmt *) stmt);
			break;
		case T_CreateStmt:
			check_create_table((CreateStmt *) stmt);
			break;
		case T_CreateTableAsStmt:
			check_create_table_as((CreateTableAsStmt *) stmt);
			break;
		case T_IndexStmt:
			refuse_if_topic(((IndexStmt *) stmt)->relation, TOPIC_NO_INDEX);
			break;
		case T_CreateTrigStmt:
			refuse_if_topic(((CreateTrigStmt *) stmt)->relation, TOPIC_NO_TRIGGER);
			break;
		case T_RuleStmt:
			refuse_if_topic(((RuleStmt *) stmt)->relation, TOPIC_NO_RULE);
			break;
		case T_CreatePolicyStmt:
			refuse_if_topic(((CreatePolicyStmt *) stmt)->table, TOPIC_NO_ROW_SECURITY);
			break;
		case T_CreateStatsStmt:
			foreach(lc, ((CreateStatsStmt *) stmt)->relations)
			{
				if (IsA(lfirst(lc), RangeVar))
					refuse_if_topic((RangeVar *) lfirst(lc), TOPIC_NO_STATISTICS);
			}
			break;
		case T_GrantStmt:
			check_grant((GrantStmt *) stmt);
			break;
		case T_RenameStmt:
			check_rename((RenameStmt *) stmt);
			break;
		case T_AlterObjectSchemaStmt:
			refuse_if_topic(((AlterObjectSchemaStmt *) stmt)->relation, TOPIC_NO_SET_SCHEMA);
			if (is_topic_schema(((AlterObjectSchemaStmt *) stmt)->newschema))
				topic_refuse(TOPIC_NO_OTHER_OBJECT, NULL);
			break;
		case T_CreatePublicationStmt:
			check_publication(((CreatePublicationStmt *) stmt)->pubobjects);
			break;
		case T_AlterPublicationStmt:
			if (((AlterPublicationStmt *) stmt)->action != AP_DropObjects)
				check_publication(((AlterPublicationStmt *) stmt)->pubobjects);
			break;
		case T_VacuumStmt:
			if (((VacuumStmt *) stmt)->is_vacuumcmd)
				check_vacuum((VacuumStmt *) stmt);
			break;
		case T_TruncateStmt:
			foreach(lc, ((TruncateStmt *) stmt)->relations)
				check_truncate(lfirst_node(RangeVar, lc));
			break;
		case T_ClusterStmt:
			refuse_if_topic(((ClusterStmt *) stmt)->relation, TOPIC_NO_CLUSTER);
			break;
		default:
			break;
	}
}

/* The table that this statement will create as a topic, if it doesn't exist yet; else NULL. */
static const RangeVar *
topic_to_be_created(Node *stmt)
{
	const CreateStmt *create = (CreateStmt *) stmt;

	if (!IsA(stmt, CreateStmt) || !is_our_access_method(create->accessMethod) ||
		(create->accessMethod == NULL && create->partspec != NULL) ||
		OidIsValid(RangeVarGetRelid(create->relation, NoLock, true)))
		return NULL;
	return create->relation;
}

static void
guard_process_utility(PlannedStmt *pstmt, const char *queryString, bool readOnlyTree,
					  ProcessUtilityContext context, ParamListInfo params,
					  QueryEnvironment *queryEnv, DestReceiver *dest, QueryCompletion *qc)
{
	const RangeVar *created = NULL;

	/*
	 * Transaction commands come first: some run where no catalog may be read.
	 * pg_upgrade recreates what the old server had allowed.
	 */
	if (!IsA(pstmt->utilityStmt, TransactionStmt) && !IsBinaryUpgrade && IsTransactionState() &&
		OidIsValid(topic_ids()->access_method))
	{
		check_statement(pstmt->utilityStmt);
		created = topic_to_be_created(pstmt->utilityStmt);
	}

	if (prev_process_utility)
		prev_process_utility(pstmt, queryString, readOnlyTree, context, params, queryEnv, dest, qc);
	else
		standard_ProcessUtility(pstmt, queryString, readOnlyTree, context, params, queryEnv, dest, qc);

	if (created != NULL)
		topic_created_by_statement(RangeVarGetRelid(created, NoLock, true));
}

void
topic_guard_utility_init(void)
{
	prev_process_utility = ProcessUtility_hook;
	ProcessUtility_hook = guard_process_utility;
}
