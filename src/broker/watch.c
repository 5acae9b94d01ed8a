/*-------------------------------------------------------------------------
 *
 * watch.c
 *	  Who waits for which partition, in this process.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "broker/watch.h"
#include "common/hashfn.h"
#include "log/log.h"
#include "utils/memutils.h"

/* How many partitions are taken from the log at a time. */
#define BATCH 64

StaticAssertDecl(sizeof(LogAdvanced) == sizeof(RelFileNode) + sizeof(int32), "a key has no padding");

typedef LogAdvanced WatchKey;

/* All watches of one partition; freed with the last. */
typedef struct WatchList
{
	WatchKey	key;
	dlist_head	watches;
} WatchList;

typedef struct WatchEntry
{
	WatchKey	key;
	WatchList  *list;
	char		status;
} WatchEntry;

#define SH_PREFIX watch_table
#define SH_ELEMENT_TYPE WatchEntry
#define SH_KEY_TYPE WatchKey
#define SH_KEY key
#define SH_HASH_KEY(tb, k) hash_bytes((const unsigned char *) &(k), sizeof(WatchKey))
#define SH_EQUAL(tb, a, b) (memcmp(&(a), &(b), sizeof(WatchKey)) == 0)
#define SH_SCOPE static inline
#define SH_DEFINE
#define SH_DECLARE
#include "lib/simplehash.h"

static watch_table_hash *table;

void
broker_watch(BrokerWatch *watch, BrokerRequest *req, const RelFileNode *node, int32 partition)
{
	WatchKey	key = {*node, partition};
	WatchEntry *entry;
	WatchList  *list;
	bool		found;

	if (table == NULL)
		table = watch_table_create(TopMemoryContext, 256, NULL);
	entry = watch_table_lookup(table, key);
	if (entry != NULL)
		list = entry->list;
	else
	{
		list = MemoryContextAlloc(TopMemoryContext, sizeof(WatchList));
		list->key = key;
		dlist_init(&list->watches);
		entry = watch_table_insert(table, key, &found);
		entry->list = list;
	}
	watch->req = req;
	watch->list = list;
	dlist_push_tail(&list->watches, &watch->node);
}

void
broker_unwatch(BrokerWatch *watch)
{
	WatchList  *list = watch->list;

	if (list == NULL)
		return;
	dlist_delete(&watch->node);
	watch->list = NULL;
	if (!dlist_is_empty(&list->watches))
		return;
	watch_table_delete(table, list->key);
	pfree(list);
}

static void
wake_list(WatchList *list, void (*wake) (BrokerRequest *req))
{
	dlist_iter	iter;

	dlist_foreach(iter, &list->watches)
		wake(dlist_container(BrokerWatch, node, iter.cur)->req);
}

static void
wake_all(void (*wake) (BrokerRequest *req))
{
	watch_table_iterator iterator;
	WatchEntry *entry;

	watch_table_start_iterate(table, &iterator);
	while ((entry = watch_table_iterate(table, &iterator)) != NULL)
		wake_list(entry->list, wake);
}

void
broker_watch_collect(int worker, void (*wake) (BrokerRequest *req))
{
	LogAdvanced advanced[BATCH];
	bool		all;
	int			n;

	do
	{
		n = log_take_advanced(worker, advanced, BATCH, &all);
		if (table == NULL)
			continue;
		if (all)
			wake_all(wake);
		for (int i = 0; i < n; i++)
		{
			WatchEntry *entry = watch_table_lookup(table, advanced[i]);

			if (entry != NULL)
				wake_list(entry->list, wake);
		}
	} while (n == BATCH);
}
