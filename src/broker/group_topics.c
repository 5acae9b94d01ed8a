/*-------------------------------------------------------------------------
 *
 * group_topics.c
 *	  Tells the group coordinator what topics there are.
 *
 * Changes come as invalidations of the relation cache, which are received when
 * a transaction begins: before every request that could notice a difference.
 *
 * A topic that is locked by DDL, or whose file is damaged, holds nothing up:
 * the coordinator is told that it exists, so that its offsets are kept.  Locked
 * ones are looked at again, now and then, damaged ones when they have changed.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "broker/group_store.h"
#include "broker/handlers.h"
#include "topic/topic.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/memutils.h"

typedef struct KnownTopic
{
	Oid			relid;			/* hash key */
	WireUuid	id;				/* unless it is hidden */
	bool		hidden;
	char		name[TOPIC_NAME_MAX + 1];	/* if so */
	uint64		seen;			/* number of the look at all topics that found it */
} KnownTopic;

#define MAX_CHANGED		256
#define RETRY_MS		200

static HTAB *known;
static Oid	changed[MAX_CHANGED];
static int	n_changed;
static bool all_changed;
static uint64 looks;

/* Topics that were locked. */
static Oid	busy[MAX_CHANGED];
static int	n_busy;
static bool more_busy;			/* than have room */
static int64 retry_ms;

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
	CacheRegisterRelcacheCallback(relation_changed, (Datum) 0);
}

/* ---------- one topic ---------- */

static void
forget(GroupCoordinator *co, Oid relid, int64 now_ms)
{
	KnownTopic *k = hash_search(known, &relid, HASH_FIND, NULL);

	if (k == NULL)
		return;
	if (k->hidden)
		group_topic_unhide(co, wire_string(k->name), now_ms);
	else
		group_topic_drop(co, &k->id, now_ms);
	hash_search(known, &relid, HASH_REMOVE, NULL);
}

/* It exists, but can't be seen.  What is known already stays as it is. */
static void
hide(GroupCoordinator *co, Oid relid)
{
	char		name[TOPIC_NAME_MAX + 1];
	bool		found;
	KnownTopic *k;

	if (!topic_name(relid, name))
		return;
	k = hash_search(known, &relid, HASH_ENTER, &found);
	k->seen = looks;
	if (found)
		return;
	k->hidden = true;
	strcpy(k->name, name);
	group_topic_hide(co, wire_string(k->name));
}

static void
note_busy(Oid relid)
{
	if (n_busy < MAX_CHANGED)
		busy[n_busy++] = relid;
	else
		more_busy = true;
}

typedef struct Look
{
	Oid			relid;
	const Topic *topic;
	bool		busy;
} Look;

static void
get_topic(void *arg)
{
	Look	   *l = arg;

	l->topic = topic_try_get(l->relid, &l->busy);
}

/* NULL: it is gone, or can't be seen (*exists). */
static const Topic *
try_get(Oid relid, bool *exists)
{
	Look		l = {.relid = relid};
	ErrorData  *error = broker_catch(get_topic, &l);

	*exists = l.busy || error != NULL;
	if (error)
	{
		ereport(LOG,
				(errcode(error->sqlerrcode),
				 errmsg("consumer groups can't use the topic of table %u: %s", relid, error->message)));
		FreeErrorData(error);
	}
	if (l.busy)
		note_busy(relid);
	return error ? NULL : l.topic;
}

static void
look(GroupCoordinator *co, Oid relid, int64 now_ms)
{
	bool		exists;
	const Topic *topic = try_get(relid, &exists);
	KnownTopic *k;
	bool		found;

	if (topic == NULL)
	{
		if (exists)
			hide(co, relid);
		else
			forget(co, relid, now_ms);
		return;
	}
	k = hash_search(known, &relid, HASH_ENTER, &found);
	if (found && k->hidden && strcmp(k->name, topic->name) != 0)
		group_topic_unhide(co, wire_string(k->name), now_ms);
	else if (found && !k->hidden && memcmp(k->id.bytes, topic->id.data, sizeof(k->id.bytes)) != 0)
		group_topic_drop(co, &k->id, now_ms);
	memcpy(k->id.bytes, topic->id.data, sizeof(k->id.bytes));
	k->hidden = false;
	k->seen = looks;
	group_topic_set(co, &k->id, wire_string_n(topic->name, topic->name_len), topic->n_partitions, now_ms);
}

/* ---------- all topics ---------- */

static void
look_at_all(GroupCoordinator *co, int64 now_ms)
{
	int			n;
	Oid		   *topics = topic_list(&n);
	HASH_SEQ_STATUS scan;
	KnownTopic *k;

	looks++;
	for (int i = 0; i < n; i++)
	{
		k = hash_search(known, &topics[i], HASH_FIND, NULL);
		if (k)
			k->seen = looks;
		look(co, topics[i], now_ms);
	}
	hash_seq_init(&scan, known);
	while ((k = hash_seq_search(&scan)) != NULL)
		if (k->seen != looks)
			forget(co, k->relid, now_ms);
}

void
broker_group_topics_load(GroupCoordinator *co, int64 now_ms)
{
	init();
	all_changed = true;
	broker_group_topics_update(co, now_ms);
}

static void
retry_busy(int64 now_ms)
{
	if ((n_busy == 0 && !more_busy) || now_ms < retry_ms)
		return;
	for (int i = 0; i < n_busy; i++)
		relation_changed((Datum) 0, busy[i]);
	all_changed |= more_busy;
	n_busy = 0;
	more_busy = false;
	retry_ms = now_ms + RETRY_MS;
}

void
broker_group_topics_update(GroupCoordinator *co, int64 now_ms)
{
	retry_busy(now_ms);

	/* To look may bring further changes. */
	while (all_changed || n_changed > 0)
	{
		if (all_changed)
		{
			all_changed = false;
			n_changed = 0;
			look_at_all(co, now_ms);
		}
		else
		{
			Oid			relid = changed[--n_changed];

			if (hash_search(known, &relid, HASH_FIND, NULL) || topic_is_topic(relid))
				look(co, relid, now_ms);
		}
	}
}
