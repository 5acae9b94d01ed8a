/*-------------------------------------------------------------------------
 *
 * change.c
 *	  Creates, changes and drops topics: the one way for SQL and for Kafka's
 *	  admin requests.
 *
 * A topic is made by CREATE TABLE and dropped by DROP TABLE, as the current
 * user, so that privileges, locks, event triggers, dependencies and rollback
 * are PostgreSQL's.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/dependency.h"
#include "catalog/pg_class.h"
#include "catalog/pg_extension.h"
#include "catalog/pg_namespace.h"
#include "commands/extension.h"
#include "compat.h"
#include "executor/spi.h"
#include "log/log.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "tcop/utility.h"
#include "topic/catalog.h"
#include "topic/internal.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "wire/error.h"

/* What the storage of the topic that is being created is to be like. */
static bool new_storage_set = false;
static pg_uuid_t new_storage_id;
static int32 new_storage_partitions;

void
topic_new_storage(pg_uuid_t *id, int32 *n_partitions)
{
	if (new_storage_set)
	{
		*id = new_storage_id;
		*n_partitions = new_storage_partitions;
	}
	else
	{
		/* a plain CREATE TABLE, as pg_dump writes it */
		*id = log_new_topic_id();
		*n_partitions = 1;
	}
}

/*
 * A plain CREATE TABLE is most likely a dump that is being restored.  Its
 * records may be old, and its settings come later (pg_restore -j) or not at all
 * (pg_dump -t): until somebody says how long to keep records, none expires.
 */
void
topic_created_by_statement(Oid relid)
{
	if (new_storage_set || !topic_is_topic(relid))
		return;
	topic_catalog_put_setting(relid, "retention.ms", "-1");
	topic_catalog_put_setting(relid, "retention.bytes", "-1");
	CacheInvalidateRelcacheByRelid(relid);
	CommandCounterIncrement();
}

/* ---------- checks ---------- */

static void
check_writable(const char *what)
{
	PreventCommandIfReadOnly(what);
	PreventCommandDuringRecovery(what);
	topic_require_preload();
	switch (topic_readiness())
	{
		case TOPIC_READY:
			break;
		case TOPIC_NOT_INSTALLED:
			ereport(ERROR,
					(errcode(ERRCODE_UNDEFINED_OBJECT),
					 errmsg("extension \"pg_broker\" is not installed in this database")));
			break;
		case TOPIC_OLD_SQL:
			topic_refuse_old_sql();
			break;
	}
}

static void
check_partitions(int32 n_partitions)
{
	if (n_partitions < 1 || n_partitions > LOG_MAX_PARTITIONS)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("a topic has 1 to %d partitions, not %d", LOG_MAX_PARTITIONS, n_partitions)));
}

/* Keys and values are stored as sent, and Kafka's text is UTF-8. */
void
topic_check_types(TopicType key_type, TopicType value_type)
{
	if ((key_type != TOPIC_BYTEA || value_type != TOPIC_BYTEA) && GetDatabaseEncoding() != PG_UTF8)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("topics with keys or values of type text or json need a database with encoding UTF8"),
				 errdetail("The encoding of this database is %s.", GetDatabaseEncodingName()),
				 errhint("Use type bytea.")));
}

/* Lock a topic against other changes, make sure it is there and the user's. */
static const Topic *
lock_own_topic(Oid relid)
{
	char	   *table_name = get_rel_name(relid);
	const Topic *topic;

	LockRelationOid(relid, ShareUpdateExclusiveLock);
	topic = topic_get(relid);
	if (topic == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("topic \"%s\" does not exist", table_name ? table_name : "")));
	if (!topic_may(GetUserId(), relid, TOPIC_ALTER))
		aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_TABLE, topic->name);
	return topic;
}

/* ---------- create ---------- */

static void
run(const char *command)
{
	int			rc;

	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "SPI_connect failed");
	rc = SPI_execute(command, false, 0);
	if (rc != SPI_OK_UTILITY)
		elog(ERROR, "\"%s\" failed: %s", command, SPI_result_code_string(rc));
	SPI_finish();
}

static void
create_table(const char *table_name, TopicType key_type, TopicType value_type)
{
	char	   *command;

	command = psprintf("CREATE TABLE %s ("
					   "partition pg_catalog.int4, log_offset pg_catalog.int8, ts pg_catalog.timestamptz, "
					   "key %s, value %s, headers %s.header[]) USING %s",
					   quote_qualified_identifier(TOPIC_SCHEMA, table_name),
					   format_type_be_qualified(topic_type_to_oid(key_type)),
					   format_type_be_qualified(topic_type_to_oid(value_type)),
					   TOPIC_BROKER_SCHEMA, TOPIC_ACCESS_METHOD);
	PG_TRY();
	{
		run(command);
	}
	PG_FINALLY();
	{
		new_storage_set = false;
	}
	PG_END_TRY();
	pfree(command);
}

Oid
topic_create(const char *name, int32 n_partitions, const TopicSetting *settings, int n_settings,
			 TopicType key_type, TopicType value_type, bool validate_only, pg_uuid_t *id)
{
	char		table_name[NAMEDATALEN];
	pg_uuid_t	new_id;
	List	   *rows;
	Oid			relid;

	check_writable("creation of a topic");
	if (!topic_may_create(GetUserId()))
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_SCHEMA, TOPIC_SCHEMA);

	topic_check_new_name(name);
	topic_table_name(name, strlen(name), table_name);
	if (OidIsValid(get_relname_relid(table_name, topic_ids()->topic_schema)))
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_TABLE),
				 errmsg("topic \"%s\" already exists", name)));
	check_partitions(n_partitions);
	topic_check_types(key_type, value_type);
	rows = topic_change_settings(NIL, settings, n_settings, false);

	new_id = log_new_topic_id();
	if (id != NULL)
		*id = new_id;
	if (validate_only)
		return InvalidOid;

	new_storage_id = new_id;
	new_storage_partitions = n_partitions;
	new_storage_set = true;
	create_table(table_name, key_type, value_type);

	relid = get_relname_relid(table_name, topic_ids()->topic_schema);
	if (strcmp(name, table_name) != 0)
		topic_catalog_put_name(relid, name);
	topic_store_settings(relid, NIL, rows);
	CacheInvalidateRelcacheByRelid(relid);
	CommandCounterIncrement();
	return relid;
}

/* ---------- change and drop ---------- */

void
topic_join_extension(Oid relid)
{
	ObjectAddress topic;
	ObjectAddress extension;

	ObjectAddressSet(topic, RelationRelationId, relid);
	ObjectAddressSet(extension, ExtensionRelationId, get_extension_oid("pg_broker", false));
	recordDependencyOn(&topic, &extension, DEPENDENCY_EXTENSION);
}

void
topic_drop(Oid relid)
{
	char	   *table_name;

	check_writable("removal of a topic");
	table_name = topic_is_topic(relid) ? get_rel_name(relid) : NULL;
	if (table_name == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("topic does not exist")));
	run(psprintf("DROP TABLE %s", quote_qualified_identifier(TOPIC_SCHEMA, table_name)));
}

void
topic_add_partitions(Oid relid, int32 n_partitions, bool validate_only)
{
	const Topic *topic;

	check_writable("addition of partitions");
	topic = lock_own_topic(relid);
	check_partitions(n_partitions);
	if (n_partitions <= topic->n_partitions)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 n_partitions == topic->n_partitions ?
				 errmsg("topic \"%s\" already has %d partitions", topic->name, n_partitions) :
				 errmsg("topic \"%s\" has %d partitions, which is more than %d", topic->name,
						topic->n_partitions, n_partitions),
				 errdetail("The number of partitions can only grow.")));
	if (validate_only)
		return;

	topic_add_pending(relid, n_partitions);
	CacheInvalidateRelcacheByRelid(relid);
	CommandCounterIncrement();
}

void
topic_alter_config(Oid relid, const TopicSetting *settings, int n_settings, bool replace,
				   bool validate_only)
{
	List	   *current;
	List	   *changed;

	check_writable("change of a topic");
	lock_own_topic(relid);
	current = topic_settings(relid);
	changed = topic_change_settings(current, settings, n_settings, replace);
	if (validate_only)
		return;

	topic_store_settings(relid, current, changed);
	CacheInvalidateRelcacheByRelid(relid);
	CommandCounterIncrement();
}

/* ---------- Kafka's codes ---------- */

int16
topic_error_to_kafka(int sqlstate)
{
	switch (sqlstate)
	{
		case ERRCODE_DUPLICATE_TABLE:
			return KAFKA_TOPIC_ALREADY_EXISTS;
		case ERRCODE_INVALID_NAME:
			return KAFKA_INVALID_TOPIC_EXCEPTION;
		case ERRCODE_INVALID_PARAMETER_VALUE:
			return KAFKA_INVALID_CONFIG;
		case ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE:
			return KAFKA_INVALID_PARTITIONS;
		case ERRCODE_UNDEFINED_TABLE:
			return KAFKA_UNKNOWN_TOPIC_OR_PARTITION;
		case ERRCODE_INSUFFICIENT_PRIVILEGE:
			return KAFKA_TOPIC_AUTHORIZATION_FAILED;
		case ERRCODE_FEATURE_NOT_SUPPORTED:
		case ERRCODE_DEPENDENT_OBJECTS_STILL_EXIST:
			return KAFKA_INVALID_REQUEST;
		case ERRCODE_READ_ONLY_SQL_TRANSACTION:
			return KAFKA_NOT_CONTROLLER;
		case ERRCODE_LOCK_NOT_AVAILABLE:
		case ERRCODE_QUERY_CANCELED:
		case ERRCODE_T_R_DEADLOCK_DETECTED:
		case ERRCODE_T_R_SERIALIZATION_FAILURE:
		case ERRCODE_UNIQUE_VIOLATION:	/* two transactions at once */
		case ERRCODE_OBJECT_IN_USE:
			return KAFKA_REQUEST_TIMED_OUT;
		case ERRCODE_DISK_FULL:
		case ERRCODE_IO_ERROR:
		case ERRCODE_DATA_CORRUPTED:
			return KAFKA_KAFKA_STORAGE_ERROR;
		default:
			return KAFKA_UNKNOWN_SERVER_ERROR;
	}
}
