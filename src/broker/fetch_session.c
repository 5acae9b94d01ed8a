/*-------------------------------------------------------------------------
 *
 * fetch_session.c
 *	  Keeps the fetch sessions of a network worker.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "broker/fetch_session.h"
#include "common/hashfn.h"
#include "common/pg_prng.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#define MAX_SESSIONS 256
#define MAX_SESSION_PARTITIONS 65536	/* of all sessions */

/* A session that has been idle for this long gives way to a new one. */
#define EVICTABLE_AFTER_MS 120000

typedef struct PartitionKey
{
	WireString	topic;
	int32		partition;
} PartitionKey;

typedef struct PartitionEntry
{
	PartitionKey key;
	FetchPartition *value;
	char		status;
} PartitionEntry;

static inline uint32
hash_partition(PartitionKey key)
{
	return hash_combine(hash_bytes((const unsigned char *) key.topic.data, Max(key.topic.len, 0)),
						murmurhash32((uint32) key.partition));
}

#define SH_PREFIX partition_table
#define SH_ELEMENT_TYPE PartitionEntry
#define SH_KEY_TYPE PartitionKey
#define SH_KEY key
#define SH_HASH_KEY(tb, k) hash_partition(k)
#define SH_EQUAL(tb, a, b) ((a).partition == (b).partition && wire_string_equal((a).topic, (b).topic))
#define SH_SCOPE static inline
#define SH_DEFINE
#define SH_DECLARE
#include "lib/simplehash.h"

struct FetchSession
{
	int32		id;
	int32		epoch;			/* of the next request */
	bool		by_id;
	Oid			role;
	TimestampTz used;
	MemoryContext context;		/* holds everything of it */
	partition_table_hash *table;
	dlist_head	order;
	int			n;
};

static FetchSession *sessions[MAX_SESSIONS];
static int	n_partitions_of_all;

static inline PartitionKey
key_of(WireString topic, int32 partition)
{
	PartitionKey key = {topic, partition};

	return key;
}

/* ---------- sessions ---------- */

static FetchSession **
slot_of(int32 id)
{
	for (int i = 0; i < MAX_SESSIONS; i++)
	{
		if (sessions[i] != NULL && sessions[i]->id == id)
			return &sessions[i];
	}
	return NULL;
}

/* The longest idle session, if it has been idle for long enough to be thrown out. */
static FetchSession *
evictable(TimestampTz now)
{
	FetchSession *oldest = NULL;

	for (int i = 0; i < MAX_SESSIONS; i++)
	{
		if (sessions[i] != NULL && (oldest == NULL || sessions[i]->used < oldest->used))
			oldest = sessions[i];
	}
	if (oldest != NULL && TimestampDifferenceExceeds(oldest->used, now, EVICTABLE_AFTER_MS))
		return oldest;
	return NULL;
}

/* A free slot, with room for n more partitions; NULL if there is none. */
static FetchSession **
find_room(int n, TimestampTz now)
{
	for (;;)
	{
		FetchSession *victim;

		if (n_partitions_of_all + n <= MAX_SESSION_PARTITIONS)
		{
			for (int i = 0; i < MAX_SESSIONS; i++)
			{
				if (sessions[i] == NULL)
					return &sessions[i];
			}
		}
		victim = evictable(now);
		if (victim == NULL)
			return NULL;
		fetch_session_remove(victim);
	}
}

/* Not guessable, so that a client doesn't stumble upon the session of another. */
static int32
new_id(void)
{
	int32		id;

	do
		id = (int32) (pg_prng_uint32(&pg_global_prng_state) & PG_INT32_MAX);
	while (id == FETCH_NO_SESSION || slot_of(id) != NULL);
	return id;
}

static int32
next_epoch(int32 epoch)
{
	return epoch == PG_INT32_MAX ? 1 : epoch + 1;
}

FetchSession *
fetch_session_create(Oid role, FetchPartition *const *partitions, int n, TimestampTz now, int32 *id)
{
	FetchSession **slot = n > 0 ? find_room(n, now) : NULL;
	MemoryContext context;
	FetchSession *session;

	if (slot == NULL)
		return NULL;
	context = AllocSetContextCreate(TopMemoryContext, "fetch session", ALLOCSET_SMALL_SIZES);
	session = MemoryContextAllocZero(context, sizeof(FetchSession));
	session->context = context;
	session->table = partition_table_create(context, n, NULL);
	dlist_init(&session->order);
	session->id = *id = new_id();
	session->epoch = next_epoch(FETCH_FIRST_EPOCH);
	session->role = role;
	session->by_id = partitions[0]->by_id;
	session->used = now;
	*slot = session;
	for (int i = 0; i < n; i++)
		(void) fetch_session_set(session, partitions[i]);
	return session;
}

FetchSession *
fetch_session_find(int32 id, Oid role, TimestampTz now)
{
	FetchSession **slot = slot_of(id);

	if (slot == NULL || (*slot)->role != role)
		return NULL;
	(*slot)->used = now;
	return *slot;
}

void
fetch_session_remove(FetchSession *session)
{
	*slot_of(session->id) = NULL;
	n_partitions_of_all -= session->n;
	MemoryContextDelete(session->context);
}

bool
fetch_session_by_id(const FetchSession *session)
{
	return session->by_id;
}

int32
fetch_session_epoch(const FetchSession *session)
{
	return session->epoch;
}

void
fetch_session_advance(FetchSession *session)
{
	session->epoch = next_epoch(session->epoch);
}

/* ---------- partitions ---------- */

/* A copy that holds its topic's name behind itself. */
static FetchPartition *
copy_partition(FetchSession *session, const FetchPartition *partition)
{
	int32		len = Max(partition->topic.len, 0);
	FetchPartition *p = MemoryContextAlloc(session->context, sizeof(FetchPartition) + len);

	*p = *partition;
	memcpy(p + 1, partition->topic.data, len);
	p->topic = wire_string_n((char *) (p + 1), len);
	return p;
}

bool
fetch_session_set(FetchSession *session, const FetchPartition *partition)
{
	PartitionEntry *entry = partition_table_lookup(session->table,
												   key_of(partition->topic, partition->partition));
	FetchPartition *p;

	if (entry != NULL)
	{
		p = entry->value;
		p->current_leader_epoch = partition->current_leader_epoch;
		p->max_bytes = partition->max_bytes;
		p->fetch_offset = partition->fetch_offset;
		return true;
	}
	if (n_partitions_of_all >= MAX_SESSION_PARTITIONS)
		return false;
	p = copy_partition(session, partition);
	entry = partition_table_insert(session->table, key_of(p->topic, p->partition), &(bool) {false});
	entry->value = p;
	dlist_push_tail(&session->order, &p->node);
	session->n++;
	n_partitions_of_all++;
	return true;
}

void
fetch_session_forget(FetchSession *session, WireString topic, int32 partition)
{
	PartitionEntry *entry = partition_table_lookup(session->table, key_of(topic, partition));
	FetchPartition *p;

	if (entry == NULL)
		return;
	p = entry->value;
	partition_table_delete_item(session->table, entry);
	dlist_delete(&p->node);
	pfree(p);
	session->n--;
	n_partitions_of_all--;
}

int
fetch_session_size(const FetchSession *session)
{
	return session->n;
}

void
fetch_session_list(FetchSession *session, FetchPartition **partitions)
{
	dlist_iter	iter;
	int			n = 0;

	dlist_foreach(iter, &session->order)
		partitions[n++] = dlist_container(FetchPartition, node, iter.cur);
}

void
fetch_session_served(FetchSession *session, FetchPartition *partition)
{
	dlist_delete(&partition->node);
	dlist_push_tail(&session->order, &partition->node);
}
