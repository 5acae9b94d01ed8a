/*-------------------------------------------------------------------------
 *
 * refusal.h
 *	  What a topic can't do, and what to do instead.
 *
 * Kafka clients write to a topic without passing PostgreSQL's executor.  What
 * could not hold for them (constraints, triggers, row security ...) must not
 * seem to hold, and what a log can't do (UPDATE ...) should fail before
 * anything has been done.  The refusals stand in one table, refusal.c; the
 * table of docs/limits.md says the same.
 *
 *-------------------------------------------------------------------------
 */
#ifndef TOPIC_REFUSAL_H
#define TOPIC_REFUSAL_H

#include "compat.h"

typedef enum TopicRefusal
{
	TOPIC_NO_UPDATE,
	TOPIC_NO_DELETE,
	TOPIC_NO_MERGE,
	TOPIC_NO_ON_CONFLICT,
	TOPIC_NO_ROW_LOCK,
	TOPIC_NO_TABLESAMPLE,
	TOPIC_NO_INDEX,
	TOPIC_NO_COLUMN_CHANGE,
	TOPIC_NO_CONSTRAINT,
	TOPIC_NO_FOREIGN_KEY,
	TOPIC_NO_TRIGGER,
	TOPIC_NO_RULE,
	TOPIC_NO_ROW_SECURITY,
	TOPIC_NO_COLUMN_GRANT,
	TOPIC_NO_INHERITANCE,
	TOPIC_NO_RENAME,
	TOPIC_NO_SET_SCHEMA,
	TOPIC_NO_PERSISTENCE,
	TOPIC_NO_SET_ACCESS_METHOD,
	TOPIC_NO_OPTIONS,
	TOPIC_NO_STATISTICS,
	TOPIC_NO_OTHER_ALTER,
	TOPIC_NO_VACUUM_FULL,
	TOPIC_NO_CLUSTER,
	TOPIC_NO_PUBLICATION,
	TOPIC_NO_TABLE_AS,
	TOPIC_NO_OTHER_COLUMNS,
	TOPIC_NO_OTHER_SCHEMA,
	TOPIC_NO_OTHER_OBJECT,
	TOPIC_NO_SQL_WRITES
} TopicRefusal;

/* ereport(ERROR) with SQLSTATE 0A000.  `name` is the table's, or NULL. */
extern void topic_refuse(TopicRefusal refusal, const char *name) pg_attribute_noreturn();

#endif							/* TOPIC_REFUSAL_H */
