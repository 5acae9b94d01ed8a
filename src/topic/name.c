/*-------------------------------------------------------------------------
 *
 * name.c
 *	  Kafka's names of topics, and the tables that they stand for.
 *
 * A name that fits is the name of the table.  A longer one is cut, and the
 * table's name made unique by a hash (wire/topic_name.h); the whole name
 * is then a row of broker.topic_names.
 *
 * Kafka's metrics write dots as underscores, so it refuses two topics whose
 * names differ in nothing else; so does this.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "miscadmin.h"
#include "storage/lock.h"
#include "topic/catalog.h"
#include "topic/internal.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "wire/topic_name.h"

bool
topic_table_name(const char *name, int len, char *table_name)
{
	StaticAssertStmt(TOPIC_TABLE_NAME_SIZE <= NAMEDATALEN, "names of tables are too short");

	if (!topic_name_valid(name, len))
		return false;
	topic_name_to_table(name, len, table_name);
	return true;
}

void
topic_name_of_table(Oid relid, const char *table_name, char *name)
{
	if (!topic_name_is_table(table_name))
	{
		List	   *rows = topic_catalog_read(TOPIC_NAMES_TABLE, relid);

		if (rows != NIL)
		{
			strlcpy(name, ((TopicRow *) linitial(rows))->name, TOPIC_NAME_MAX + 1);
			return;
		}
	}
	strlcpy(name, table_name, TOPIC_NAME_MAX + 1);
}

bool
topic_name(Oid relid, char *name)
{
	char	   *table_name = topic_is_topic(relid) ? get_rel_name(relid) : NULL;

	if (table_name == NULL)
		return false;
	topic_name_of_table(relid, table_name, name);
	pfree(table_name);
	return true;
}

/* ---------- names that are too like ---------- */

/*
 * One transaction at a time may create topics whose names are too like, or the
 * same; the next one sees what it has done.
 */
static void
lock_name(const char *name)
{
	char		form[TOPIC_NAME_MAX + 1];
	LOCKTAG		tag;

	topic_name_collision_form(name, strlen(name), form);

	/* no catalog uses this table's oid as a class of objects */
	SET_LOCKTAG_OBJECT(tag, MyDatabaseId, topic_catalog_table(TOPIC_NAMES_TABLE),
					   hash_bytes((const unsigned char *) form, strlen(form)), 0);
	LockAcquire(&tag, ExclusiveLock, false, false);
	AcceptInvalidationMessages();
}

static void
refuse_if_like(const char *name, const char *other)
{
	if (topic_name_collides(name, strlen(name), other, strlen(other)) && strcmp(name, other) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_NAME),
				 errmsg("topic \"%s\" collides with topic \"%s\"", name, other),
				 errdetail("Names of topics must differ in more than periods and underscores."),
				 errhint("Choose another name.")));
}

static void
check_likeness(const char *name)
{
	int			n;
	Oid		   *topics;
	ListCell   *lc;

	if (strpbrk(name, "._") == NULL)
		return;

	topics = topic_list(&n);
	for (int i = 0; i < n; i++)
	{
		char	   *table_name = get_rel_name(topics[i]);

		if (table_name != NULL)
		{
			refuse_if_like(name, table_name);
			pfree(table_name);
		}
	}
	foreach(lc, topic_catalog_all_names())
		refuse_if_like(name, ((TopicRow *) lfirst(lc))->name);
}

void
topic_check_new_name(const char *name)
{
	const char *problem = topic_name_problem(name, strlen(name));

	if (problem != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_NAME),
				 errmsg("\"%s\" is not a valid name for a topic", name),
				 errdetail("%s", problem)));
	lock_name(name);
	check_likeness(name);
}

void
topic_check_new_table(const char *table_name)
{
	/* a shortened name that a dump restores: the whole one follows, as a row */
	if (strlen(table_name) == TOPIC_TABLE_NAME_MAX && strchr(table_name, '~') != NULL)
		return;
	topic_check_new_name(table_name);
}
