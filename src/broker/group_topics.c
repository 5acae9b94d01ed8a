/*-------------------------------------------------------------------------
 *
 * group_topics.c
 *	  Tells the group coordinator what topics there are.
 *
 * Changes come as invalidations of the relation cache, which are received when
 * a transaction begins: before every request that could notice a difference.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "broker/group_store.h"
#include "topic/topic.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/memutils.h"

typedef struct KnownTopic
{
	Oid			relid;			/* hash key */
	WireUuid	id;
	uint64		seen;			/* number of the look at all topics that found it */
} KnownTopic;

#define MAX_CHANGED	256

/* The same by topic id. */
typedef struct KnownId
{
	WireUuid	id;				/* hash key */
	Oid			relid;
} KnownId;

static HTAB *known;
static HTAB *known_ids;
static Oid	changed[MAX_CHANGED];
static int	n_changed;
static bool all_changed;
static uint64 looks;

static void
relation_changed(Datum arg, Oid relid)
{
	if (!OidIsValid(relid) || n_changed == MAX_CHANGED)
		all_changed = true;
	else if (n_changed == 0 || changed[n_changed - 1] != relid)
		changed[n_changed++] = relid;
}

static void
init(void)
{
	HASHCTL		ctl = {0};

	if (known)
		return;
	ctl.keysize = sizeof(Oid);
	ctl.entrysize = sizeof(KnownTopic);
	ctl.hcxt = TopMemoryContext;
	known = hash_create("pg_broker topics of groups", 256, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	ctl.keysize = sizeof(WireUuid);
	ctl.entrysize = sizeof(KnownId);
	known_ids =
		hash_create("pg_broker topic ids of groups", 256, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	CacheRegisterRelcacheCallback(relation_changed, (Datum) 0);
}

static void
forget(GroupCoordinator *co, Oid relid, int64 now_ms)
{
	KnownTopic *k = hash_search(known, &relid, HASH_FIND, NULL);

	if (k == NULL)
		return;
	group_topic_drop(co, &k->id, now_ms);
	hash_search(known_ids, &k->id, HASH_REMOVE, NULL);
	hash_search(known, &relid, HASH_REMOVE, NULL);
}

/* false: it is locked by DDL. */
static bool
look(GroupCoordinator *co, Oid relid, int64 now_ms)
{
	bool		busy = false;
	const Topic *topic = topic_try_get(relid, &busy);
	KnownTopic *k;
	bool		found;

	if (topic == NULL)
	{
		if (!busy)
			forget(co, relid, now_ms);
		return !busy;
	}
	k = hash_search(known, &relid, HASH_ENTER, &found);
	if (found && memcmp(k->id.bytes, topic->id.data, sizeof(k->id.bytes)) != 0)
	{
		group_topic_drop(co, &k->id, now_ms);
		hash_search(known_ids, &k->id, HASH_REMOVE, NULL);
	}
	memcpy(k->id.bytes, topic->id.data, sizeof(k->id.bytes));
	((KnownId *) hash_search(known_ids, &k->id, HASH_ENTER, NULL))->relid = relid;
	k->seen = looks;
	group_topic_set(co, &k->id, wire_string_n(topic->name, topic->name_len), topic->n_partitions, now_ms);
	return true;
}

static bool
look_at_all(GroupCoordinator *co, int64 now_ms)
{
	int			n;
	Oid		   *topics = topic_list(&n);
	HASH_SEQ_STATUS scan;
	KnownTopic *k;
	bool		complete = true;

	looks++;
	for (int i = 0; i < n; i++)
	{
		k = hash_search(known, &topics[i], HASH_FIND, NULL);
		if (k)
			k->seen = looks;
		complete &= look(co, topics[i], now_ms);
	}
	hash_seq_init(&scan, known);
	while ((k = hash_seq_search(&scan)) != NULL)
		if (k->seen != looks)
			forget(co, k->relid, now_ms);
	return complete;
}

Oid
broker_group_topic_relid(const WireUuid *id)
{
	KnownId    *k = hash_search(known_ids, id, HASH_FIND, NULL);

	return k ? k->relid : InvalidOid;
}

bool
broker_group_topics_load(GroupCoordinator *co, int64 now_ms)
{
	init();
	all_changed = false;
	n_changed = 0;
	return look_at_all(co, now_ms);
}

void
broker_group_topics_update(GroupCoordinator *co, int64 now_ms)
{
	/* To look may bring further changes. */
	while (all_changed || n_changed > 0)
	{
		if (all_changed)
		{
			all_changed = false;
			n_changed = 0;
			if (!look_at_all(co, now_ms))
			{
				all_changed = true;
				return;			/* again at the next request */
			}
		}
		else
		{
			Oid			relid = changed[--n_changed];

			if ((hash_search(known, &relid, HASH_FIND, NULL) || topic_is_topic(relid)) &&
				!look(co, relid, now_ms))
			{
				relation_changed((Datum) 0, relid);
				return;
			}
		}
	}
}
