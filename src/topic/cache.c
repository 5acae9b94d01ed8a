/*-------------------------------------------------------------------------
 *
 * cache.c
 *	  What this process knows of topics.
 *
 * An entry holds all that a request needs, so that serving one reads no
 * catalog.  Whatever changes a topic (DDL, settings, partitions) sends a relcache
 * invalidation for its table, which marks the entry; it is renewed when it is
 * asked for next.  Entries stay where they are, so pointers to them do.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/relation.h"
#include "access/table.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "log/log.h"
#include "storage/lmgr.h"
#include "topic/internal.h"
#include "utils/fmgroids.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"

typedef struct CacheEntry
{
	Oid			relid;			/* key */
	bool		valid;
	Topic		topic;
} CacheEntry;

typedef struct IdEntry
{
	pg_uuid_t	id;				/* key */
	Oid			relid;
} IdEntry;

static HTAB *topics = NULL;
static HTAB *topics_by_id = NULL;

/* Counts invalidations: what was read while it moved may be stale. */
static uint64 generation = 0;

/* The list of all topics, as of a generation. */
static Oid *all_topics = NULL;
static int	n_all_topics = 0;
static uint64 all_topics_generation = PG_UINT64_MAX;

/* Every topic's id was in topics_by_id at this generation. */
static uint64 all_ids_generation = PG_UINT64_MAX;

static void
invalidate(Datum arg, Oid relid)
{
	CacheEntry *entry;

	generation++;
	if (OidIsValid(relid))
	{
		entry = hash_search(topics, &relid, HASH_FIND, NULL);
		if (entry != NULL)
			entry->valid = false;
	}
	else
	{
		HASH_SEQ_STATUS status;

		hash_seq_init(&status, topics);
		while ((entry = hash_seq_search(&status)) != NULL)
			entry->valid = false;
	}
}

static void
start_cache(void)
{
	HASHCTL		ctl = {.keysize = sizeof(Oid),.entrysize = sizeof(CacheEntry),
	.hcxt = CacheMemoryContext};
	HASHCTL		id_ctl = {.keysize = sizeof(pg_uuid_t),.entrysize = sizeof(IdEntry),
	.hcxt = CacheMemoryContext};

	if (topics != NULL)
		return;
	topics_by_id = hash_create("pg_broker topic ids", 64, &id_ctl,
							   HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	topics = hash_create("pg_broker topics", 64, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	CacheRegisterRelcacheCallback(invalidate, (Datum) 0);
}

/* ---------- loading ---------- */

static bool
column_is(TupleDesc desc, AttrNumber attnum, const char *name, Oid type)
{
	Form_pg_attribute att = TupleDescAttr(desc, attnum - 1);

	return !att->attisdropped && strcmp(NameStr(att->attname), name) == 0 &&
		(!OidIsValid(type) || att->atttypid == type) && att->atttypmod == -1 &&
		!att->attnotnull && !att->atthasdef && att->attidentity == '\0' &&
		att->attgenerated == '\0' && att->attinhcount == 0;
}

bool
topic_columns_ok(TupleDesc desc, TopicType *key_type, TopicType *value_type)
{
	if (desc->natts != TOPIC_N_COLUMNS)
		return false;
	return column_is(desc, TOPIC_COL_PARTITION, "partition", INT4OID) &&
		column_is(desc, TOPIC_COL_OFFSET, "log_offset", INT8OID) &&
		column_is(desc, TOPIC_COL_TS, "ts", TIMESTAMPTZOID) &&
		column_is(desc, TOPIC_COL_KEY, "key", InvalidOid) &&
		column_is(desc, TOPIC_COL_VALUE, "value", InvalidOid) &&
		column_is(desc, TOPIC_COL_HEADERS, "headers", topic_header_array_type()) &&
		topic_type_from_oid(TupleDescAttr(desc, TOPIC_COL_KEY - 1)->atttypid, true, key_type) &&
		topic_type_from_oid(TupleDescAttr(desc, TOPIC_COL_VALUE - 1)->atttypid, false, value_type);
}

static bool
load(Relation rel, Topic *topic)
{
	LogTopicInfo info;

	memset(topic, 0, sizeof(Topic));
	if (!topic_columns_ok(RelationGetDescr(rel), &topic->key_type, &topic->value_type))
		return false;
	log_topic_info(rel, &info);
	topic->relid = RelationGetRelid(rel);
	topic->id = info.topic_id;
	topic->n_partitions = Max(info.n_partitions, topic_pending_partitions(topic->relid));
	topic_name_of_table(topic->relid, RelationGetRelationName(rel), topic->name);
	topic->name_len = strlen(topic->name);
	topic_load_config(topic->relid, &topic->config);
	topic->being_restored = topic_is_being_restored(RelationGetRelationName(rel));
	return true;
}

static const Topic *
get(Oid relid, bool nowait, bool *busy)
{
	CacheEntry *entry;
	Relation	rel;
	uint64		before;
	Topic		topic;

	*busy = false;
	start_cache();
	entry = hash_search(topics, &relid, HASH_FIND, NULL);
	if (entry != NULL && entry->valid)
		return &entry->topic;

	if (!topic_is_topic(relid))
	{
		hash_search(topics, &relid, HASH_REMOVE, NULL);
		return NULL;
	}

	if (!nowait)
		LockRelationOid(relid, AccessShareLock);
	else if (!ConditionalLockRelationOid(relid, AccessShareLock))
	{
		*busy = true;
		return NULL;
	}
	before = generation;
	rel = try_relation_open(relid, NoLock);
	if (rel == NULL || rel->rd_rel->relam != topic_ids()->access_method || !load(rel, &topic))
	{
		if (rel != NULL)
			relation_close(rel, NoLock);
		UnlockRelationOid(relid, AccessShareLock);
		hash_search(topics, &relid, HASH_REMOVE, NULL);
		return NULL;
	}
	relation_close(rel, AccessShareLock);

	entry = hash_search(topics, &relid, HASH_ENTER, NULL);
	entry->topic = topic;
	entry->valid = (generation == before);
	((IdEntry *) hash_search(topics_by_id, &topic.id, HASH_ENTER, NULL))->relid = relid;
	return &entry->topic;
}

const Topic *
topic_get(Oid relid)
{
	bool		busy;

	return get(relid, false, &busy);
}

const Topic *
topic_try_get(Oid relid, bool *busy)
{
	return get(relid, true, busy);
}

/* ---------- finding ---------- */

Oid *
topic_list(int *n)
{
	Oid			access_method = topic_ids()->access_method;
	Oid		   *result;

	start_cache();
	if (!OidIsValid(access_method))
	{
		*n = 0;
		return NULL;
	}

	if (all_topics_generation != generation)
	{
		uint64		before = generation;
		int			count = 0;
		int			room = 64;
		Oid		   *list = palloc(room * sizeof(Oid));
		Relation	rel = table_open(RelationRelationId, AccessShareLock);
		SysScanDesc scan;
		ScanKeyData key;
		HeapTuple	tuple;

		ScanKeyInit(&key, Anum_pg_class_relam, BTEqualStrategyNumber, F_OIDEQ,
					ObjectIdGetDatum(access_method));
		scan = systable_beginscan(rel, InvalidOid, false, NULL, 1, &key);
		while (HeapTupleIsValid(tuple = systable_getnext(scan)))
		{
			if (count == room)
				list = repalloc(list, (room *= 2) * sizeof(Oid));
			list[count++] = ((Form_pg_class) GETSTRUCT(tuple))->oid;
		}
		systable_endscan(scan);
		table_close(rel, AccessShareLock);

		result = MemoryContextAlloc(CacheMemoryContext, Max(count, 1) * sizeof(Oid));
		memcpy(result, list, count * sizeof(Oid));
		pfree(list);
		if (all_topics != NULL)
			pfree(all_topics);
		all_topics = result;
		n_all_topics = count;
		all_topics_generation = before;
	}

	*n = n_all_topics;
	result = palloc(Max(n_all_topics, 1) * sizeof(Oid));
	memcpy(result, all_topics, n_all_topics * sizeof(Oid));
	return result;
}

Oid
topic_lookup(const char *name, int len)
{
	Oid			schema = topic_ids()->topic_schema;
	char		table_name[NAMEDATALEN];
	char		full_name[TOPIC_NAME_MAX + 1];
	Oid			relid;

	if (!OidIsValid(schema) || !topic_table_name(name, len, table_name))
		return InvalidOid;
	relid = get_relname_relid(table_name, schema);
	if (!topic_is_topic(relid))
		return InvalidOid;
	if (len >= NAMEDATALEN)
	{
		/* another long name might have the same hash */
		topic_name_of_table(relid, table_name, full_name);
		if (strlen(full_name) != len || memcmp(full_name, name, len) != 0)
			return InvalidOid;
	}
	return relid;
}

Oid
topic_lookup_id(const pg_uuid_t *id)
{
	IdEntry    *entry;

	start_cache();
	entry = hash_search(topics_by_id, id, HASH_FIND, NULL);
	if (entry == NULL && all_ids_generation != generation)
	{
		uint64		before = generation;
		bool		any_busy = false;
		int			n;
		Oid		   *list = topic_list(&n);

		for (int i = 0; i < n; i++)
		{
			bool		busy;

			topic_try_get(list[i], &busy);
			any_busy |= busy;
		}
		pfree(list);
		if (!any_busy)
			all_ids_generation = before;
		entry = hash_search(topics_by_id, id, HASH_FIND, NULL);
	}
	if (entry == NULL)
		return InvalidOid;

	/* an id is never given to another table, but its table may be gone */
	if (!topic_is_topic(entry->relid))
	{
		hash_search(topics_by_id, id, HASH_REMOVE, NULL);
		return InvalidOid;
	}
	return entry->relid;
}
