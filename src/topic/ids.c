/*-------------------------------------------------------------------------
 *
 * ids.c
 *	  Oids of the extension's objects in the current database.
 *
 * The guards ask at every statement, so the answer is remembered until a
 * schema or an access method changes.  Both are looked up by name: schemas of
 * the extension can't be renamed (guard_utility.c), and access methods have no
 * schema.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/namespace.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "topic/internal.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

static TopicIds ids;
static bool ids_valid = false;
static bool callbacks_registered = false;

static void
forget_ids(Datum arg, int cacheid, uint32 hashvalue)
{
	ids_valid = false;
}

const TopicIds *
topic_ids(void)
{
	if (ids_valid)
		return &ids;

	if (!callbacks_registered)
	{
		CacheRegisterSyscacheCallback(NAMESPACEOID, forget_ids, (Datum) 0);
		CacheRegisterSyscacheCallback(AMOID, forget_ids, (Datum) 0);
		callbacks_registered = true;
	}

	/* set first: an invalidation that comes in meanwhile must not be lost */
	ids_valid = true;
	ids.access_method = get_am_oid(TOPIC_ACCESS_METHOD, true);
	ids.broker_schema = get_namespace_oid(TOPIC_BROKER_SCHEMA, true);
	ids.topic_schema = get_namespace_oid(TOPIC_SCHEMA, true);
	if (!OidIsValid(ids.access_method))
		ids.broker_schema = ids.topic_schema = InvalidOid;
	return &ids;
}

Oid
topic_catalog_table(const char *name)
{
	Oid			schema = topic_ids()->broker_schema;

	return OidIsValid(schema) ? get_relname_relid(name, schema) : InvalidOid;
}

static Oid
header_type(void)
{
	return GetSysCacheOid2(TYPENAMENSP, Anum_pg_type_oid,
						   CStringGetDatum("header"),
						   ObjectIdGetDatum(topic_ids()->broker_schema));
}

Oid
topic_header_array_type(void)
{
	Oid			header = header_type();

	return OidIsValid(header) ? get_array_type(header) : InvalidOid;
}

bool
topic_is_topic(Oid relid)
{
	Oid			access_method = topic_ids()->access_method;
	HeapTuple	tuple;
	bool		result;

	if (!OidIsValid(access_method) || relid < FirstNormalObjectId)
		return false;

	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relid));
	if (!HeapTupleIsValid(tuple))
		return false;
	result = ((Form_pg_class) GETSTRUCT(tuple))->relam == access_method;
	ReleaseSysCache(tuple);
	return result;
}
