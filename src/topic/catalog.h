/*-------------------------------------------------------------------------
 *
 * catalog.h
 *	  Rows of the extension's own tables.
 *
 * Both tables have the topic's table (regclass) as first column and in their
 * primary key.  They are read and written here, as system catalogs are:
 * below SQL's privileges, so that users need none on them, and without
 * triggers.  Callers that change what the cache holds invalidate the topic.
 *
 *-------------------------------------------------------------------------
 */
#ifndef TOPIC_CATALOG_H
#define TOPIC_CATALOG_H

#include "nodes/pg_list.h"

typedef struct TopicRow
{
	char	   *name;
	char	   *value;			/* NULL in TOPIC_NAMES_TABLE */
} TopicRow;

#define TOPIC_SETTINGS_TABLE	"topic_settings"	/* topic, name, value */
#define TOPIC_NAMES_TABLE		"topic_names"	/* topic, name */

/* A topic's rows, by name: a palloc'd list of TopicRow *. */
extern List *topic_catalog_read(const char *table, Oid topic);

/* Insert or update; value NULL deletes (of TOPIC_SETTINGS_TABLE). */
extern void topic_catalog_put_setting(Oid topic, const char *name, const char *value);
extern void topic_catalog_put_name(Oid topic, const char *name);

/* All rows of all topics' names: a palloc'd list of TopicRow *. */
extern List *topic_catalog_all_names(void);

/* The topic is being dropped. */
extern void topic_catalog_forget(Oid topic);

#endif							/* TOPIC_CATALOG_H */
