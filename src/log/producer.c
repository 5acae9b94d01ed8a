/*-------------------------------------------------------------------------
 *
 * producer.c
 *	  Idempotent producers: who wrote what last, per partition.
 *
 * A fixed pool of entries in shared memory, found by (slot, producer id).  An
 * entry is read and changed under its partition's append lock; producers_lock
 * only guards the hash and the free list.  The state is on disk as the summaries
 * of extents plus the batch headers after them.
 *
 * The rules are Kafka's (ProducerStateManager, ProducerAppendInfo): a retry of one
 * of the last five batches is answered with what it was given the first time; a
 * producer that the partition doesn't know may begin with any sequence.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "storage/shmem.h"
#include "utils/hsearch.h"
#include "utils/timestamp.h"

#include "log/internal.h"
#include "wire/batch.h"

/* Kafka's producer.id.expiration.ms. */
#define PRODUCER_EXPIRATION_MS	((int64) 24 * 3600 * 1000)

typedef struct ProducerKey
{
	int64		producer_id;
	int32		slot;
	int32		unused;
} ProducerKey;

typedef struct ProducerHashEntry
{
	ProducerKey key;
	int32		index;
} ProducerHashEntry;

static HTAB *producer_hash = NULL;

Size
log_producers_shmem_size(void)
{
	return add_size(MAXALIGN(mul_size(log_max_producers, sizeof(LogProducerEntry))),
					hash_estimate_size(log_max_producers, sizeof(ProducerHashEntry)));
}

void
log_producers_shmem_init(bool found)
{
	HASHCTL		ctl;

	ctl.keysize = sizeof(ProducerKey);
	ctl.entrysize = sizeof(ProducerHashEntry);
	producer_hash = ShmemInitHash("pg_broker producer hash", log_max_producers, log_max_producers,
								  &ctl, HASH_ELEM | HASH_BLOBS);
	log_producer_pool = ShmemInitStruct("pg_broker producers",
										mul_size(log_max_producers, sizeof(LogProducerEntry)), &found);
	if (!found)
	{
		for (int i = 0; i < log_max_producers; i++)
			log_producer_pool[i].next = i + 1 < log_max_producers ? i + 1 : LOG_NO_INDEX;
		log_shared->producers_free = 0;
	}
}

static ProducerKey
producer_key(LogPartition *part, int64 producer_id)
{
	ProducerKey key = {0};

	key.producer_id = producer_id;
	key.slot = LogSlotIndex(part);
	return key;
}

/* Unlink the entry that *link points to; caller holds producers_lock exclusively. */
static void
producer_remove(LogPartition *part, int32 *link)
{
	int32		index = *link;
	LogProducerEntry *entry = &log_producer_pool[index];
	ProducerKey key = producer_key(part, entry->state.producer_id);

	hash_search(producer_hash, &key, HASH_REMOVE, NULL);
	*link = entry->next;
	entry->next = log_shared->producers_free;
	log_shared->producers_free = index;
	part->n_producers--;
}

/* Forget all producers of a partition (its slot is given up, or loaded afresh). */
void
log_producers_clear(LogPartition *part)
{
	if (part->producers_head == LOG_NO_INDEX)
		return;
	LWLockAcquire(&log_shared->producers_lock, LW_EXCLUSIVE);
	while (part->producers_head != LOG_NO_INDEX)
		producer_remove(part, &part->producers_head);
	LWLockRelease(&log_shared->producers_lock);
}

/* Forget those that were idle for a day; caller holds the append lock. */
void
log_producers_expire(LogPartition *part, int64 now_ms)
{
	int32	   *link = &part->producers_head;

	LWLockAcquire(&log_shared->producers_lock, LW_EXCLUSIVE);
	while (*link != LOG_NO_INDEX)
	{
		LogProducerEntry *entry = &log_producer_pool[*link];

		if (entry->state.last_timestamp < now_ms - PRODUCER_EXPIRATION_MS)
			producer_remove(part, link);
		else
			link = &entry->next;
	}
	LWLockRelease(&log_shared->producers_lock);
}

/* The partition's producer that was idle longest makes room. */
static bool
producer_evict(LogPartition *part)
{
	int32	   *victim = NULL;

	for (int32 *link = &part->producers_head; *link != LOG_NO_INDEX;
		 link = &log_producer_pool[*link].next)
	{
		if (victim == NULL ||
			log_producer_pool[*link].state.last_timestamp <
			log_producer_pool[*victim].state.last_timestamp)
			victim = link;
	}
	if (victim == NULL)
		return false;
	producer_remove(part, victim);
	return true;
}

/*
 * The entry of a producer, or NULL.  With `create`, a new one is made if need be;
 * NULL then means that the pool is full.
 */
static LogProducerEntry *
producer_get(LogPartition *part, int64 producer_id, bool create)
{
	ProducerKey key = producer_key(part, producer_id);
	ProducerHashEntry *hash_entry;
	LogProducerEntry *entry = NULL;
	bool		found;

	LWLockAcquire(&log_shared->producers_lock, LW_SHARED);
	hash_entry = hash_search(producer_hash, &key, HASH_FIND, NULL);
	if (hash_entry)
		entry = &log_producer_pool[hash_entry->index];
	LWLockRelease(&log_shared->producers_lock);

	if (entry || !create)
		return entry;

	LWLockAcquire(&log_shared->producers_lock, LW_EXCLUSIVE);
	if (log_shared->producers_free != LOG_NO_INDEX || producer_evict(part))
	{
		int32		index = log_shared->producers_free;

		hash_entry = hash_search(producer_hash, &key, HASH_ENTER, &found);
		hash_entry->index = index;
		entry = &log_producer_pool[index];
		log_shared->producers_free = entry->next;
		memset(entry, 0, sizeof(LogProducerEntry));
		entry->state.producer_id = producer_id;
		entry->state.epoch = -1;
		entry->next = part->producers_head;
		part->producers_head = index;
		part->n_producers++;
	}
	LWLockRelease(&log_shared->producers_lock);
	return entry;
}

/*
 * May the producer of this batch append it?  Sets base_offset, last_offset and lsn
 * of the original if it is a retry.  Caller holds the append lock.
 */
LogResult
log_producer_check(LogPartition *part, LogAppend *append)
{
	const char *batch = append->batch;
	int16		epoch = batch_producer_epoch(batch);
	int32		first = batch_base_sequence(batch);
	int32		last = batch_last_sequence(batch);
	LogProducerEntry *entry = producer_get(part, batch_producer_id(batch), false);
	LogProducerState *state;

	if (entry == NULL)
		return LOG_OK;
	state = &entry->state;

	/* Retries are looked up before any other check. */
	if (epoch == state->epoch)
	{
		for (int i = 0; i < state->n_batches; i++)
		{
			LogProducerBatch *stored = &state->batches[i];

			if (stored->first_sequence == first && stored->last_sequence == last)
			{
				append->base_offset = stored->base_offset;
				append->last_offset = stored->base_offset + batch_last_offset_delta(batch);
				append->lsn = entry->last_lsn;
				return LOG_DUPLICATE;
			}
		}
	}

	if (epoch < state->epoch)
		return LOG_INVALID_PRODUCER_EPOCH;
	if (epoch > state->epoch)
		return first == 0 ? LOG_OK : LOG_OUT_OF_ORDER_SEQUENCE;
	if (state->n_batches > 0 &&
		first != batch_sequence_add(state->batches[state->n_batches - 1].last_sequence, 1))
		return LOG_OUT_OF_ORDER_SEQUENCE;
	return LOG_OK;
}

/* The batch was appended (or found in the log): remember it. */
void
log_producer_update(LogPartition *part, const char *batch, XLogRecPtr lsn)
{
	LogProducerEntry *entry = producer_get(part, batch_producer_id(batch), true);
	LogProducerState *state;
	LogProducerBatch *slot;

	if (entry == NULL)
		return;					/* as if it had expired */

	state = &entry->state;
	if (state->epoch != batch_producer_epoch(batch))
	{
		state->epoch = batch_producer_epoch(batch);
		state->n_batches = 0;
	}
	if (state->n_batches == LOG_PRODUCER_WINDOW)
	{
		memmove(&state->batches[0], &state->batches[1],
				(LOG_PRODUCER_WINDOW - 1) * sizeof(LogProducerBatch));
		state->n_batches--;
	}
	slot = &state->batches[state->n_batches++];
	slot->base_offset = batch_base_offset(batch);
	slot->first_sequence = batch_base_sequence(batch);
	slot->last_sequence = batch_last_sequence(batch);
	state->last_timestamp = batch_max_timestamp(batch);
	entry->last_lsn = lsn;
}

/* Load one of a summary's; its batches are on disk when WAL is flushed to lsn. */
void
log_producer_load(LogPartition *part, const LogProducerState *state, XLogRecPtr lsn)
{
	LogProducerEntry *entry = producer_get(part, state->producer_id, true);

	if (entry)
	{
		entry->state = *state;
		entry->last_lsn = lsn;
	}
}

LogProducer *
log_producers(Relation rel, LogPartition *part, int *n)
{
	LogProducer *result;

	LWLockAcquire(&part->append_lock, LW_SHARED);
	result = palloc(Max(part->n_producers, 1) * sizeof(LogProducer));
	*n = 0;
	for (int32 i = part->producers_head; i != LOG_NO_INDEX; i = log_producer_pool[i].next)
	{
		LogProducerState *state = &log_producer_pool[i].state;
		LogProducer *out = &result[(*n)++];

		out->producer_id = state->producer_id;
		out->epoch = state->epoch;
		out->last_timestamp = state->last_timestamp;
		out->last_sequence = -1;
		out->last_offset = -1;
		if (state->n_batches > 0)
		{
			LogProducerBatch *last = &state->batches[state->n_batches - 1];

			out->last_sequence = last->last_sequence;
			/* sequences and offsets count alike, but for the wrap */
			out->last_offset = last->base_offset +
				((uint32) (last->last_sequence - last->first_sequence) & PG_INT32_MAX);
		}
	}
	LWLockRelease(&part->append_lock);
	return result;
}
