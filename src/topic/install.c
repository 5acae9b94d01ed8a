/*-------------------------------------------------------------------------
 *
 * install.c
 *	  Does the library fit the server and the SQL that it is used with?
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_extension.h"
#include "commands/dbcommands.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "topic/internal.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/guc.h"
#include "utils/rel.h"

/* Versions of the extension's SQL that this library can serve. */
static const char *const sql_versions[] = {"0.1"};

static bool preloaded = false;

PG_FUNCTION_INFO_V1(topic_check_install);

void
topic_init(void)
{
	preloaded = process_shared_preload_libraries_in_progress;

	/* without shared memory there is nothing to guard: every use is refused */
	if (!preloaded)
		return;
	topic_guard_utility_init();
	topic_guard_object_init();
	topic_guard_query_init();
	topic_pending_init();
}

void
topic_require_preload(void)
{
	if (!preloaded)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("pg_broker must be loaded when the server starts"),
				 errhint("Add pg_broker to shared_preload_libraries in postgresql.conf "
						 "and restart the server.")));
}

void
topic_require_broker(void)
{
	static bool is_served = false;	/* neither changes while a session runs */
	const char *database;

	if (is_served)
		return;
	topic_require_preload();
	database = GetConfigOption("pg_broker.database", false, false);
	if (get_database_oid(database, true) != MyDatabaseId)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("consumer groups are kept in database \"%s\"", database),
				 errhint("Connect to that one, or set pg_broker.database to '%s' and restart the server.",
						 get_database_name(MyDatabaseId))));
	is_served = true;
}

/* pg_extension.extversion, or NULL */
static char *
installed_version(void)
{
	Relation	rel = table_open(ExtensionRelationId, AccessShareLock);
	char	   *result = NULL;
	SysScanDesc scan;
	ScanKeyData key;
	HeapTuple	tuple;

	ScanKeyInit(&key, Anum_pg_extension_extname, BTEqualStrategyNumber, F_NAMEEQ,
				CStringGetDatum("pg_broker"));
	scan = systable_beginscan(rel, ExtensionNameIndexId, true, NULL, 1, &key);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
	{
		bool		isnull;
		Datum		value = heap_getattr(tuple, Anum_pg_extension_extversion,
										 RelationGetDescr(rel), &isnull);

		if (!isnull)
			result = TextDatumGetCString(value);
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return result;
}

static bool
serves_version(const char *version)
{
	for (int i = 0; i < lengthof(sql_versions); i++)
	{
		if (strcmp(sql_versions[i], version) == 0)
			return true;
	}
	return false;
}

TopicReadiness
topic_readiness(void)
{
	char	   *version = installed_version();

	if (version == NULL)
		return TOPIC_NOT_INSTALLED;
	return serves_version(version) ? TOPIC_READY : TOPIC_OLD_SQL;
}

void
topic_refuse_old_sql(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("this library of pg_broker can't serve version %s of its SQL objects",
					installed_version()),
			 errhint("Run ALTER EXTENSION pg_broker UPDATE, or install the library of that version.")));
}

/* Called first by the extension's script, with the script's version. */
Datum
topic_check_install(PG_FUNCTION_ARGS)
{
	char	   *version = text_to_cstring(PG_GETARG_TEXT_PP(0));
	const char *database = GetConfigOption("pg_broker.database", true, false);
	char	   *current = get_database_name(MyDatabaseId);

	topic_require_preload();
	if (!serves_version(version))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the installed library of pg_broker can't serve version %s of its SQL objects",
						version),
				 errhint("Install the library of that version and restart the server.")));
	if (database == NULL || strcmp(database, current) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("pg_broker serves database \"%s\", not \"%s\"", database ? database : "", current),
				 errhint("Create the extension there, or set pg_broker.database to '%s' "
						 "and restart the server.", current)));
	PG_RETURN_VOID();
}
