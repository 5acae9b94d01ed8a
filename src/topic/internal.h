/*-------------------------------------------------------------------------
 *
 * internal.h
 *	  What the files of this layer share with each other, and with nobody else.
 *
 *-------------------------------------------------------------------------
 */
#ifndef TOPIC_INTERNAL_H
#define TOPIC_INTERNAL_H

#include "compat.h"
#include "topic/topic.h"

/* ---------- ids.c: Oids of the extension's objects in this database ---------- */

/* InvalidOid each when the extension is not installed. */
typedef struct TopicIds
{
	Oid			broker_schema;
	Oid			topic_schema;
	Oid			access_method;
} TopicIds;

extern const TopicIds *topic_ids(void);
extern Oid	topic_catalog_table(const char *name);	/* in schema broker */
extern Oid	topic_header_array_type(void);	/* broker.header[] */

/* ---------- install.c ---------- */

extern void topic_refuse_old_sql(void) pg_attribute_noreturn();

/* ---------- guard_*.c: what a topic can't do is refused ---------- */

extern void topic_guard_utility_init(void);
extern void topic_guard_object_init(void);
extern void topic_guard_query_init(void);

/* ---------- change.c ---------- */

/* A CREATE TABLE, topic_create()'s or a plain one, has made this topic. */
extern void topic_created_by_statement(Oid relid);

/* ERROR if the database can't have topics with keys and values of these types. */
extern void topic_check_types(TopicType key_type, TopicType value_type);

/* ---------- pending.c ---------- */

extern void topic_pending_init(void);

extern void topic_add_pending(Oid relid, int32 n_partitions);

/* The partition count that this transaction has asked for, or 0. */
extern int32 topic_pending_partitions(Oid relid);

/* ---------- name.c ---------- */

/*
 * ERROR unless the name is legal and no other topic's name is too like it.
 * Waits for transactions that are creating topics with such or the same names.
 */
extern void topic_check_new_name(const char *name);

/* The same for a CREATE TABLE that names the table. */
extern void topic_check_new_table(const char *table_name);

/* Kafka's name -> table name (NAMEDATALEN bytes); false if it is not legal. */
extern bool topic_table_name(const char *name, int len, char *table_name);

/* Kafka's name of the topic with this table; `name` has TOPIC_NAME_MAX + 1 bytes. */
extern void topic_name_of_table(Oid relid, const char *table_name, char *name);

/* ---------- config.c ---------- */

extern void topic_load_config(Oid relid, TopicConfig *config);

/*
 * What the settings will be; ERROR if a change is not valid.  `current` and the
 * result are lists of TopicRow *.
 */
extern List *topic_change_settings(List *current, const TopicSetting *changes, int n_changes,
								   bool replace);
extern void topic_store_settings(Oid relid, List *current, List *changed);

/* ---------- dump.c ---------- */

/* Is something still to be done for this topic when its records are there? */
extern bool topic_is_being_restored(const char *table_name);
extern void topic_forget_dumped(Oid relid);

/* ---------- type.c ---------- */

extern bool topic_type_from_oid(Oid type, bool is_key, TopicType *result);
extern Oid	topic_type_to_oid(TopicType type);

#endif							/* TOPIC_INTERNAL_H */
