/*-------------------------------------------------------------------------
 *
 * topic.h
 *	  Topics as catalog objects: what a topic is called, how it is set up, who
 *	  may use it, and how it is created, changed and dropped.
 *
 * A topic is a table of access method broker_log in schema `topic`.  Its
 * existence, owner, privileges and column types are PostgreSQL's catalogs';
 * the topic id and the number of partitions are in the table's file
 * (log/log.h); settings, and names too long for a table, are rows of two
 * tables in schema `broker` that only this layer writes.
 *
 * Everything here runs inside a transaction.  Functions that change something
 * are transactional and ereport with the SQLSTATEs that
 * topic_error_to_kafka() knows.  They act as the current user.
 *
 *-------------------------------------------------------------------------
 */
#ifndef TOPIC_H
#define TOPIC_H

#include "access/tupdesc.h"
#include "nodes/pg_list.h"
#include "utils/relcache.h"
#include "utils/uuid.h"
#include "wire/config_def.h"
#include "wire/topic_name.h"

#define TOPIC_SCHEMA			"topic"
#define TOPIC_BROKER_SCHEMA		"broker"
#define TOPIC_ACCESS_METHOD		"broker_log"

/* Attribute numbers of a topic's table; there are no other columns. */
typedef enum TopicColumn
{
	TOPIC_COL_PARTITION = 1,	/* partition int4 */
	TOPIC_COL_OFFSET,			/* log_offset int8 */
	TOPIC_COL_TS,				/* ts timestamptz */
	TOPIC_COL_KEY,				/* key bytea or text */
	TOPIC_COL_VALUE,			/* value bytea, text or json */
	TOPIC_COL_HEADERS			/* headers broker.header[] */
} TopicColumn;

#define TOPIC_N_COLUMNS			6

typedef enum TopicType
{
	TOPIC_BYTEA = 0,
	TOPIC_TEXT,
	TOPIC_JSON					/* values only */
} TopicType;

typedef struct Topic
{
	Oid			relid;
	pg_uuid_t	id;
	int32		n_partitions;
	TopicType	key_type;
	TopicType	value_type;
	bool		being_restored; /* see topic_end_restore() */
	TopicConfig config;			/* with defaults filled in */
	uint16		name_len;
	char		name[TOPIC_NAME_MAX + 1];	/* Kafka's name, NUL-terminated */
} Topic;

/* ---------- start-up ---------- */

/* From _PG_init: hooks, and whether the library was preloaded. */
extern void topic_init(void);

/* ERROR with a hint unless the library is in shared_preload_libraries. */
extern void topic_require_preload(void);

/* ... and unless this is the database that the broker serves. */
extern void topic_require_broker(void);

typedef enum TopicReadiness
{
	TOPIC_READY,
	TOPIC_NOT_INSTALLED,		/* no CREATE EXTENSION in this database */
	TOPIC_OLD_SQL				/* its SQL is of a version this library can't serve */
} TopicReadiness;

/* May the broker serve this database? */
extern TopicReadiness topic_readiness(void);

/* ---------- look-up ---------- */

/* The table of a topic by Kafka's name (not NUL-terminated), or InvalidOid. */
extern Oid	topic_lookup(const char *name, int len);

/* The table with this topic id, or InvalidOid. */
extern Oid	topic_lookup_id(const pg_uuid_t *id);

/* Is this relation a topic? */
extern bool topic_is_topic(Oid relid);

/*
 * What is known of a topic; NULL if there is no such topic (any more).  The
 * cache is per process and kept right by relcache invalidation.  The pointer
 * is good while the caller holds a lock on the table, else until the next call
 * of these two; its contents may be renewed by the next call for the topic.
 *
 * topic_get() waits for a topic that DDL has locked; topic_try_get() does not: it
 * returns NULL and sets *busy.
 */
extern const Topic *topic_get(Oid relid);
extern const Topic *topic_try_get(Oid relid, bool *busy);

/* Kafka's name of a topic (TOPIC_NAME_MAX + 1 bytes), also while it is locked; false: there is none. */
extern bool topic_name(Oid relid, char *name);

/* All topics, in no particular order: a palloc'd array. */
extern Oid *topic_list(int *n);

/* ---------- privileges ---------- */

typedef enum TopicRight
{
	TOPIC_READ,					/* SELECT on the table */
	TOPIC_WRITE,				/* INSERT */
	TOPIC_DESCRIBE,				/* either of them, or owner */
	TOPIC_DELETE_RECORDS,		/* TRUNCATE */
	TOPIC_ALTER					/* owner: settings, partitions, drop */
} TopicRight;

extern bool topic_may(Oid role, Oid relid, TopicRight right);

/* ERROR with a hint unless the current user has the right, TOPIC_READ or TOPIC_WRITE. */
extern void topic_require_right(Oid relid, const char *name, TopicRight right);

/* May the role create topics?  (CREATE on schema topic) */
extern bool topic_may_create(Oid role);

/* ---------- privileges on groups ---------- */

typedef enum TopicGroupRight
{
	TOPIC_GROUP_USE,			/* be a member, commit and reset offsets */
	TOPIC_GROUP_DESCRIBE,		/* see it, its members and offsets */
	TOPIC_GROUP_DELETE			/* delete it and its offsets */
} TopicGroupRight;

/*
 * May the role do this with a consumer group that `owner` (InvalidOid: nobody yet) was the
 * first to use?  The owner may everything, others what rows of broker.group_grants allow.
 */
extern bool topic_may_use_group(Oid role, const char *group, int len, Oid owner, TopicGroupRight right);

/* ---------- create, change, drop ---------- */

typedef enum TopicSettingOp
{
	TOPIC_SET,					/* value NULL: as TOPIC_RESET */
	TOPIC_RESET,				/* back to the default */
	TOPIC_APPEND,				/* add to a list */
	TOPIC_SUBTRACT				/* take from a list */
} TopicSettingOp;

typedef struct TopicSetting
{
	TopicSettingOp op;
	const char *name;
	const char *value;
} TopicSetting;

/*
 * Create a topic, return its table.  `id` (may be NULL) gets the topic id.  With
 * validate_only everything is checked and nothing done; InvalidOid is returned.
 */
extern Oid	topic_create(const char *name, int32 n_partitions,
						 const TopicSetting *settings, int n_settings,
						 TopicType key_type, TopicType value_type,
						 bool validate_only, pg_uuid_t *id);

extern void topic_drop(Oid relid);

/*
 * The topic becomes a part of the extension, as the broker's own are: it goes with it, it can't be
 * dropped alone, and dumps leave it out.
 */
extern void topic_join_extension(Oid relid);

/* New total of partitions; takes effect at commit. */
extern void topic_add_partitions(Oid relid, int32 n_partitions, bool validate_only);

/* With `replace` every setting that is not named goes back to its default. */
extern void topic_alter_config(Oid relid, const TopicSetting *settings, int n_settings,
							   bool replace, bool validate_only);

/* The settings made for a topic: a palloc'd list of TopicSetting *, by name. */
extern List *topic_settings(Oid relid);

/* Kafka's error code for the SQLSTATE of an error that was raised here. */
extern int16 topic_error_to_kafka(int sqlstate);

/* ---------- for the access method ---------- */

/*
 * Asked when the file of a new topic is made: topic id and partition count
 * that CREATE TABLE has no syntax for.
 */
extern void topic_new_storage(pg_uuid_t *id, int32 *n_partitions);

/*
 * Partitions that this transaction has added come into being before its
 * commit; whoever appends in pre-commit calls this first.
 */
extern void topic_apply_pending(void);

/*
 * pg_restore: after records with a given log_offset have been appended (in
 * pre-commit), the next offset may go up to what it was.
 */
extern void topic_restored_records(Relation rel);

/*
 * Whoever is to append other records to a topic that is `being_restored` ends
 * that first: next offsets go up to what they were.  A network worker writes
 * no rows: with in_worker the flag stays, for the next SQL transaction to clear.
 */
extern void topic_end_restore(Relation rel, bool in_worker);

/*
 * Do these columns make a topic?  The types come back in *key_type and
 * *value_type.
 */
extern bool topic_columns_ok(TupleDesc desc, TopicType *key_type, TopicType *value_type);

#endif							/* TOPIC_H */
