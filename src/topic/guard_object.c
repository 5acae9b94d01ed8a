/*-------------------------------------------------------------------------
 *
 * guard_object.c
 *	  Watches objects come and go, whatever statement or code does it.
 *
 * New objects: schema "topic" holds topics and nothing else, topics are
 * nowhere else and have the right columns, and nothing is attached to a topic
 * (constraint, trigger, policy ...).  A statement that tries is refused by
 * guard_utility.c, earlier and by a better name; this is for all other ways.
 *
 * Dropped topics take their rows in the extension's tables with them, in the
 * same transaction, by whatever cascade they go.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/relation.h"
#include "access/table.h"
#include "catalog/dependency.h"
#include "catalog/objectaccess.h"
#include "catalog/objectaddress.h"
#include "catalog/pg_attrdef.h"
#include "catalog/pg_class.h"
#include "catalog/pg_constraint.h"
#include "catalog/pg_policy.h"
#include "catalog/pg_publication_namespace.h"
#include "catalog/pg_publication_rel.h"
#include "catalog/pg_rewrite.h"
#include "catalog/pg_statistic_ext.h"
#include "catalog/pg_trigger.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "topic/catalog.h"
#include "topic/internal.h"
#include "topic/refusal.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

static object_access_hook_type prev_object_access = NULL;

/* Catalogs whose rows belong to a relation (or schema), and where it says so. */
static const struct
{
	Oid			catalog;
	AttrNumber	owner_column;
	bool		owner_is_schema;
	TopicRefusal refusal;
}			attachments[] =
{
	{ConstraintRelationId, Anum_pg_constraint_conrelid, false, TOPIC_NO_CONSTRAINT},
	{ConstraintRelationId, Anum_pg_constraint_confrelid, false, TOPIC_NO_FOREIGN_KEY},
	{AttrDefaultRelationId, Anum_pg_attrdef_adrelid, false, TOPIC_NO_CONSTRAINT},
	{TriggerRelationId, Anum_pg_trigger_tgrelid, false, TOPIC_NO_TRIGGER},
	{RewriteRelationId, Anum_pg_rewrite_ev_class, false, TOPIC_NO_RULE},
	{PolicyRelationId, Anum_pg_policy_polrelid, false, TOPIC_NO_ROW_SECURITY},
	{StatisticExtRelationId, Anum_pg_statistic_ext_stxrelid, false, TOPIC_NO_STATISTICS},
	{PublicationRelRelationId, Anum_pg_publication_rel_prrelid, false, TOPIC_NO_PUBLICATION},
	{PublicationNamespaceRelationId, Anum_pg_publication_namespace_pnnspid, true, TOPIC_NO_PUBLICATION},
};

static Oid
oid_column(Relation catalog, HeapTuple tuple, AttrNumber column)
{
	bool		isnull;
	Datum		value = heap_getattr(tuple, column, RelationGetDescr(catalog), &isnull);

	return isnull ? InvalidOid : DatumGetObjectId(value);
}

static void
check_attachment(Oid class, Relation catalog, HeapTuple tuple)
{
	for (int i = 0; i < lengthof(attachments); i++)
	{
		Oid			owner;

		if (attachments[i].catalog != class)
			continue;
		owner = oid_column(catalog, tuple, attachments[i].owner_column);
		if (attachments[i].owner_is_schema ? owner == topic_ids()->topic_schema : topic_is_topic(owner))
			topic_refuse(attachments[i].refusal,
						 attachments[i].owner_is_schema ? NULL : get_rel_name(owner));
	}
}

/* Is this the row type of a topic, or its array type? */
static bool
is_type_of_table(HeapTuple tuple)
{
	Form_pg_type type = (Form_pg_type) GETSTRUCT(tuple);

	/* free-standing composite types have a pg_class row that is checked */
	return type->typtype == TYPTYPE_COMPOSITE || IsTrueArrayType(type);
}

static void
check_new_relation(Oid relid, HeapTuple tuple)
{
	Form_pg_class form = (Form_pg_class) GETSTRUCT(tuple);
	const char *name = NameStr(form->relname);
	bool		in_schema = form->relnamespace == topic_ids()->topic_schema;
	bool		is_ours = form->relam == topic_ids()->access_method;
	TopicType	key_type;
	TopicType	value_type;
	Relation	rel;

	if (!in_schema && !is_ours)
		return;
	if (!is_ours)
		topic_refuse(TOPIC_NO_OTHER_OBJECT, name);
	if (form->relpersistence != RELPERSISTENCE_PERMANENT)
		topic_refuse(TOPIC_NO_PERSISTENCE, name);
	if (form->relkind != RELKIND_RELATION)
		topic_refuse(TOPIC_NO_TABLE_AS, name);
	if (!in_schema)
		topic_refuse(TOPIC_NO_OTHER_SCHEMA, name);
	if (form->relispartition)
		topic_refuse(TOPIC_NO_INHERITANCE, name);

	rel = relation_open(relid, AccessExclusiveLock);
	if (!topic_columns_ok(RelationGetDescr(rel), &key_type, &value_type))
		topic_refuse(TOPIC_NO_OTHER_COLUMNS, name);
	relation_close(rel, NoLock);
}

/* The new object's own row is not visible to catalog snapshots yet. */
static void
check_new_object(Oid class, Oid object)
{
	AttrNumber	oid_attnum = get_object_attnum_oid(class);
	Oid			index = get_object_oid_index(class);
	AttrNumber	schema_attnum = get_object_attnum_namespace(class);
	Relation	catalog;
	SysScanDesc scan;
	ScanKeyData key;
	HeapTuple	tuple;

	catalog = table_open(class, AccessShareLock);
	ScanKeyInit(&key, oid_attnum, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(object));
	scan = systable_beginscan(catalog, index, true, SnapshotSelf, 1, &key);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
	{
		check_attachment(class, catalog, tuple);
		if (class == RelationRelationId)
			check_new_relation(object, tuple);
		else if (schema_attnum != InvalidAttrNumber &&
				 oid_column(catalog, tuple, schema_attnum) == topic_ids()->topic_schema &&
				 !(class == TypeRelationId && is_type_of_table(tuple)))
			topic_refuse(TOPIC_NO_OTHER_OBJECT, NULL);
	}
	systable_endscan(scan);
	table_close(catalog, AccessShareLock);
}

static void
guard_object_access(ObjectAccessType access, Oid classId, Oid objectId, int subId, void *arg)
{
	if (prev_object_access)
		prev_object_access(access, classId, objectId, subId, arg);

	if (IsBinaryUpgrade || !OidIsValid(topic_ids()->access_method))
		return;

	if (access == OAT_POST_CREATE)
	{
		if (subId == 0 && is_objectclass_supported(classId))
			check_new_object(classId, objectId);
		else if (classId == RelationRelationId && subId > 0 && topic_is_topic(objectId))
			topic_refuse(TOPIC_NO_COLUMN_CHANGE, get_rel_name(objectId));
	}
	else if (access == OAT_DROP && classId == RelationRelationId && subId == 0 &&
			 topic_is_topic(objectId))
	{
		topic_catalog_forget(objectId);
		topic_forget_dumped(objectId);
	}
}

void
topic_guard_object_init(void)
{
	prev_object_access = object_access_hook;
	object_access_hook = guard_object_access;
}
