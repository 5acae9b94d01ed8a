/*-------------------------------------------------------------------------
 *
 * catalog.c
 *	  See catalog.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/indexing.h"
#include "topic/catalog.h"
#include "topic/internal.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/rel.h"

#define COL_TOPIC	1
#define COL_NAME	2
#define COL_VALUE	3
#define MAX_COLUMNS 3

/* NULL when the extension is (being) dropped. */
static Relation
open_table(const char *name, LOCKMODE lockmode)
{
	Oid			relid = topic_catalog_table(name);

	return OidIsValid(relid) ? try_table_open(relid, lockmode) : NULL;
}

static Oid
primary_key(Relation rel)
{
	list_free(RelationGetIndexList(rel));	/* sets it */
	return rel->rd_pkindex;
}

/* Scan the rows of a topic, or of all topics with InvalidOid. */
static SysScanDesc
begin_scan(Relation rel, Oid topic, ScanKeyData *key)
{
	if (!OidIsValid(topic))
		return systable_beginscan(rel, InvalidOid, false, NULL, 0, NULL);
	ScanKeyInit(key, COL_TOPIC, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(topic));
	return systable_beginscan(rel, primary_key(rel), true, NULL, 1, key);
}

static char *
text_column(Relation rel, HeapTuple tuple, AttrNumber column)
{
	bool		isnull;
	Datum		value;

	if (column > RelationGetDescr(rel)->natts)
		return NULL;
	value = heap_getattr(tuple, column, RelationGetDescr(rel), &isnull);
	return isnull ? NULL : TextDatumGetCString(value);
}

static List *
read_rows(const char *table, Oid topic)
{
	Relation	rel = open_table(table, AccessShareLock);
	List	   *rows = NIL;
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;

	if (rel == NULL)
		return NIL;
	scan = begin_scan(rel, topic, &key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		TopicRow   *row = palloc(sizeof(TopicRow));

		row->name = text_column(rel, tuple, COL_NAME);
		row->value = text_column(rel, tuple, COL_VALUE);
		rows = lappend(rows, row);
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return rows;
}

List *
topic_catalog_read(const char *table, Oid topic)
{
	return read_rows(table, topic);
}

List *
topic_catalog_all_names(void)
{
	return read_rows(TOPIC_NAMES_TABLE, InvalidOid);
}

/* Delete a topic's rows, or only the one with this name. */
static void
delete_rows(Relation rel, Oid topic, const char *name)
{
	ScanKeyData key;
	SysScanDesc scan = begin_scan(rel, topic, &key);
	HeapTuple	tuple;

	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		if (name == NULL || strcmp(name, text_column(rel, tuple, COL_NAME)) == 0)
			CatalogTupleDelete(rel, &tuple->t_self);
	}
	systable_endscan(scan);
}

static void
put_row(const char *table, Oid topic, const char *name, const char *value)
{
	Relation	rel = open_table(table, RowExclusiveLock);
	Datum		values[MAX_COLUMNS];
	bool		nulls[MAX_COLUMNS] = {false};

	if (rel == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("table \"%s.%s\" does not exist", TOPIC_BROKER_SCHEMA, table)));

	delete_rows(rel, topic, name);
	if (value != NULL)
	{
		HeapTuple	tuple;

		values[COL_TOPIC - 1] = ObjectIdGetDatum(topic);
		values[COL_NAME - 1] = CStringGetTextDatum(name);
		values[COL_VALUE - 1] = CStringGetTextDatum(value);
		tuple = heap_form_tuple(RelationGetDescr(rel), values, nulls);
		CatalogTupleInsert(rel, tuple);
	}
	table_close(rel, RowExclusiveLock);
	CommandCounterIncrement();
}

void
topic_catalog_put_setting(Oid topic, const char *name, const char *value)
{
	put_row(TOPIC_SETTINGS_TABLE, topic, name, value);
}

void
topic_catalog_put_name(Oid topic, const char *name)
{
	/* this table has no third column: heap_form_tuple doesn't look at the value */
	put_row(TOPIC_NAMES_TABLE, topic, name, "");
}

void
topic_catalog_forget(Oid topic)
{
	static const char *const tables[] = {TOPIC_SETTINGS_TABLE, TOPIC_NAMES_TABLE};

	for (int i = 0; i < lengthof(tables); i++)
	{
		Relation	rel = open_table(tables[i], RowExclusiveLock);

		if (rel == NULL)
			continue;
		delete_rows(rel, topic, NULL);
		table_close(rel, RowExclusiveLock);
	}
}
