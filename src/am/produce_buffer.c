/*-------------------------------------------------------------------------
 *
 * produce_buffer.c
 *	  The records that the open transaction is about to produce.
 *
 * Offsets are assigned at commit, so nothing is written to the log before.
 * Until then each partition that the transaction produces to has a stream here, in
 * which records are put into batches at once.  It goes to a temporary file when all
 * streams together grow past work_mem.
 *
 * Batches are at most 256 kB before compression, so that producers of the same
 * partition take turns, unless a single record is larger.  A batch's offsets
 * are consecutive; explicit offsets that aren't begin a new one.
 *
 * Savepoints: what a subtransaction adds to a stream is always a suffix of it,
 * for subtransactions nest.  So a stream needs one mark for each level that has
 * touched it, with the state to go back to.  TRUNCATE moves the start of
 * a stream, which marks bring back as well.  A DROP needs nothing: the topic
 * isn't there at commit, or its DROP was rolled back.
 *
 * At pre-commit partitions are written in the order (relation, partition), so
 * that transactions that produce to the same ones don't wait crosswise.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "am/am.h"
#include "am/produce_batch.h"
#include "am/produce_buffer.h"
#include "am/spill.h"
#include "log/log.h"

#include "access/relation.h"
#include "access/xact.h"
#include "lib/ilist.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/lmgr.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

#define PRODUCE_BATCH_BYTES (256 * 1024)

/* What precedes a batch in a stream; it is put there when the batch is closed. */
typedef struct StoredBatch
{
	BatchDraft	draft;
	int64		explicit_base;	/* log_offset of the first record; -1: the next one, at commit */
} StoredBatch;

/* The batch at the end of a stream, to which records are added; without records there is none. */
typedef struct OpenBatch
{
	StoredBatch stored;
	int64		position;		/* of its StoredBatch */
} OpenBatch;

/* The state of a stream before a subtransaction first touched it. */
typedef struct Mark
{
	int			level;			/* nesting level of that subtransaction */
	int64		start;
	int64		length;
	int64		next_explicit;
	OpenBatch	open;
} Mark;

typedef struct StreamKey
{
	Oid			relid;
	int32		partition;
} StreamKey;

typedef struct ProduceStream
{
	StreamKey	key;			/* must be first (hash key) */
	slist_node	link;
	SpillStream bytes;
	int64		start;			/* what lies before was forgotten by TRUNCATE */
	int64		next_explicit;	/* the least log_offset that may be given next */
	OpenBatch	open;
	Mark	   *marks;
	int			n_marks;
	int			max_marks;
} ProduceStream;

/* The transaction's; NULL when it has produced nothing. */
static MemoryContext buffer_cxt = NULL;
static HTAB *streams_by_key;
static slist_head streams;
static ProduceStream *last_stream;	/* the one used last */
static int	max_mark_level;		/* no mark has a higher one */
static int64 memory_used;		/* bytes of all tails */
static SpillFile spill_file;

/*
 * What was produced: by the last transaction that committed, and by the one that
 * is committing.
 */
typedef struct Produced
{
	MemoryContext cxt;
	ProducedRange *ranges;
	int			n;
} Produced;

static Produced produced_last;
static Produced produced_now;

static void
buffer_begin(void)
{
	HASHCTL		ctl;

	buffer_cxt = AllocSetContextCreate(TopTransactionContext, "pg_broker produce", ALLOCSET_DEFAULT_SIZES);
	memset(&ctl, 0, sizeof(ctl));
	ctl.keysize = sizeof(StreamKey);
	ctl.entrysize = sizeof(ProduceStream);
	ctl.hcxt = buffer_cxt;
	streams_by_key = hash_create("pg_broker produce", 64, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	slist_init(&streams);
	last_stream = NULL;
	max_mark_level = 0;
	memory_used = 0;
	memset(&spill_file, 0, sizeof(spill_file));
}

/* The transaction's end frees the memory and, after an error, the file. */
static void
buffer_forget(void)
{
	buffer_cxt = NULL;
	streams_by_key = NULL;
	last_stream = NULL;
	memset(&spill_file, 0, sizeof(spill_file));
}

static ProduceStream *
stream_find(Oid relid, int32 partition)
{
	StreamKey	key = {relid, partition};
	ProduceStream *s;
	bool		found;

	if (last_stream != NULL && last_stream->key.relid == relid && last_stream->key.partition == partition)
		return last_stream;

	s = hash_search(streams_by_key, &key, HASH_ENTER, &found);
	if (!found)
	{
		memset((char *) s + sizeof(StreamKey), 0, sizeof(ProduceStream) - sizeof(StreamKey));
		slist_push_head(&streams, &s->link);
	}
	last_stream = s;
	return s;
}

/* Before a stream is changed: remember what to go back to. */
static void
stream_mark(ProduceStream *s)
{
	int			level = GetCurrentTransactionNestLevel();
	Mark	   *mark;

	if (level <= 1 || (s->n_marks > 0 && s->marks[s->n_marks - 1].level >= level))
		return;

	if (s->n_marks == s->max_marks)
	{
		int			max = Max(4, s->max_marks * 2);

		if (s->marks == NULL)
			s->marks = MemoryContextAlloc(buffer_cxt, max * sizeof(Mark));
		else
			s->marks = repalloc(s->marks, max * sizeof(Mark));
		s->max_marks = max;
	}
	mark = &s->marks[s->n_marks++];
	mark->level = level;
	mark->start = s->start;
	mark->length = s->bytes.length;
	mark->next_explicit = s->next_explicit;
	mark->open = s->open;
	max_mark_level = Max(max_mark_level, level);
}

static void
spill_all(void)
{
	Size		keep = (Size) work_mem * 1024 / hash_get_num_entries(streams_by_key);
	slist_iter	iter;

	slist_foreach(iter, &streams)
		spill_to_file(&slist_container(ProduceStream, link, iter.cur)->bytes, buffer_cxt, &spill_file, keep);
	memory_used = 0;
}

/* ---------- batches ---------- */

static void
open_batch(ProduceStream *s, int64 explicit_base)
{
	Size		size = sizeof(StoredBatch) + BATCH_HEADER_SIZE;

	s->open.position = s->bytes.length;
	s->open.stored.explicit_base = explicit_base;
	batch_draft_begin(&s->open.stored.draft);
	/* Filled in by close_batch(), and when the batch is appended. */
	(void) spill_reserve(&s->bytes, buffer_cxt, size);
	spill_extend(&s->bytes, size);
	memory_used += size;
}

static void
close_batch(ProduceStream *s)
{
	if (s->open.stored.draft.count == 0)
		return;
	spill_overwrite(&s->bytes, &spill_file, s->open.position, (char *) &s->open.stored, sizeof(StoredBatch));
	s->open.stored.draft.count = 0;
}

/* May a record with this offset, of at most `size` bytes, be added to the open batch? */
static bool
continues(const OpenBatch *open, int64 explicit_offset, Size size, Size max_bytes)
{
	const BatchDraft *draft = &open->stored.draft;

	if (draft->count == 0 || draft->size + size > max_bytes)
		return false;
	if (explicit_offset < 0)
		return open->stored.explicit_base < 0;
	return open->stored.explicit_base >= 0 && explicit_offset == open->stored.explicit_base + draft->count;
}

void
produce_buffer_add(const Topic *topic, int32 partition, const ProduceRecord *record)
{
	Size		max_bytes = Min(PRODUCE_BATCH_BYTES, topic->config.max_message_bytes);
	Size		size = record_size_bound(record->key_len, record->value_len, record->headers,
									 record->n_headers);
	ProduceStream *s;
	char	   *p;

	if (buffer_cxt == NULL)
		buffer_begin();
	s = stream_find(topic->relid, partition);
	stream_mark(s);

	if (record->explicit_offset >= 0)
	{
		if (record->explicit_offset < s->next_explicit)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("log_offset %lld of partition %d is not above the one before",
							(long long) record->explicit_offset, partition),
					 errhint("Records must come in the order of their offsets.")));
		s->next_explicit = record->explicit_offset + 1;
	}

	if (memory_used + (int64) (sizeof(StoredBatch) + BATCH_HEADER_SIZE + size) >
		(int64) work_mem * 1024)
		spill_all();
	if (!continues(&s->open, record->explicit_offset, size, max_bytes))
	{
		close_batch(s);
		open_batch(s, record->explicit_offset);
	}
	p = spill_reserve(&s->bytes, buffer_cxt, size);
	size = batch_draft_add(&s->open.stored.draft, p, record->timestamp, record->key, record->key_len,
						   record->value, record->value_len, record->headers, record->n_headers);
	spill_extend(&s->bytes, size);
	memory_used += size;
}

void
produce_buffer_truncate(Oid relid)
{
	slist_iter	iter;

	if (buffer_cxt == NULL)
		return;
	slist_foreach(iter, &streams)
	{
		ProduceStream *s = slist_container(ProduceStream, link, iter.cur);

		if (s->key.relid != relid || s->start == s->bytes.length)
			continue;
		stream_mark(s);
		close_batch(s);
		s->start = s->bytes.length;
	}
}

/* ---------- subtransactions ---------- */

static void
subxact_abort(int level)
{
	slist_iter	iter;

	slist_foreach(iter, &streams)
	{
		ProduceStream *s = slist_container(ProduceStream, link, iter.cur);
		bool		changed = false;
		Mark		mark;

		while (s->n_marks > 0 && s->marks[s->n_marks - 1].level >= level)
		{
			mark = s->marks[--s->n_marks];
			changed = true;
		}
		if (changed)
		{
			int64		tail = s->bytes.length - s->bytes.spilled;

			s->start = mark.start;
			s->next_explicit = mark.next_explicit;
			s->open = mark.open;
			spill_truncate(&s->bytes, mark.length);
			memory_used -= tail - (s->bytes.length - s->bytes.spilled);
		}
	}
	max_mark_level = Min(max_mark_level, level - 1);
}

/* What it did is its parent's now. */
static void
subxact_commit(int level)
{
	slist_iter	iter;

	slist_foreach(iter, &streams)
	{
		ProduceStream *s = slist_container(ProduceStream, link, iter.cur);
		Mark	   *top;

		if (s->n_marks == 0)
			continue;
		top = &s->marks[s->n_marks - 1];
		if (top->level < level)
			continue;
		if (level - 1 <= 1 || (s->n_marks > 1 && top[-1].level == level - 1))
			s->n_marks--;
		else
			top->level = level - 1;
	}
	max_mark_level = Min(max_mark_level, level - 1);
}

static void
subxact_callback(SubXactEvent event, SubTransactionId mySubid, SubTransactionId parentSubid, void *arg)
{
	int			level = GetCurrentTransactionNestLevel();

	if (buffer_cxt == NULL || level > max_mark_level)
		return;
	if (event == SUBXACT_EVENT_ABORT_SUB)
		subxact_abort(level);
	else if (event == SUBXACT_EVENT_COMMIT_SUB)
		subxact_commit(level);
}

/* ---------- pre-commit ---------- */

static int
stream_cmp(const void *a, const void *b)
{
	const ProduceStream *x = *(ProduceStream *const *) a;
	const ProduceStream *y = *(ProduceStream *const *) b;

	if (x->key.relid != y->key.relid)
		return x->key.relid < y->key.relid ? -1 : 1;
	if (x->key.partition != y->key.partition)
		return x->key.partition < y->key.partition ? -1 : 1;
	return 0;
}

/* The streams that hold something, in the order in which they are written. */
static ProduceStream **
collect_streams(int *n)
{
	ProduceStream **list = MemoryContextAlloc(buffer_cxt,
											  Max(1, hash_get_num_entries(streams_by_key)) * sizeof(*list));
	slist_iter	iter;

	*n = 0;
	slist_foreach(iter, &streams)
	{
		ProduceStream *s = slist_container(ProduceStream, link, iter.cur);

		if (s->bytes.length > s->start)
			list[(*n)++] = s;
	}
	qsort(list, *n, sizeof(*list), stream_cmp);
	return list;
}

/* Append the batches of a stream; returns how many records they have. */
static int64
write_stream(Relation rel, const Topic *topic, ProduceStream *s)
{
	ProducedRange *range;
	ProduceAppend *append = produce_append_begin(rel, topic, s->key.partition);
	SpillReader reader;
	int64		n = 0;

	close_batch(s);
	spill_read_begin(&reader, &s->bytes, &spill_file, s->start);
	while (!spill_at_end(&reader))
	{
		StoredBatch stored;

		CHECK_FOR_INTERRUPTS();
		memcpy(&stored, spill_read(&reader, sizeof(stored)), sizeof(stored));
		produce_append_batch(append, &stored.draft, stored.explicit_base,
							 spill_read(&reader, stored.draft.size));
		n += stored.draft.count;
	}
	spill_read_end(&reader);

	range = &produced_now.ranges[produced_now.n++];
	range->partition = s->key.partition;
	strlcpy(range->topic, topic->name, sizeof(range->topic));
	produce_append_end(append, &range->first_offset, &range->last_offset);
	return n;
}

static void
produced_start(int n)
{
	if (produced_now.cxt != NULL)
		MemoryContextDelete(produced_now.cxt);
	memset(&produced_now, 0, sizeof(produced_now));
	produced_now.cxt = AllocSetContextCreate(TopMemoryContext, "pg_broker last produced",
											 ALLOCSET_SMALL_SIZES);
	produced_now.ranges = MemoryContextAllocHuge(produced_now.cxt, n * sizeof(ProducedRange));
}

static void
refuse_prepare(ProduceStream **list, int n)
{
	for (int i = 0; i < n; i++)
	{
		const Topic *topic = topic_get(list[i]->key.relid);

		if (topic != NULL && !topic->config.prepared_transactions)
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("cannot prepare a transaction that has produced to topic \"%s\"", topic->name),
					 errdetail("Until COMMIT PREPARED or ROLLBACK PREPARED no consumer of the topic could"
							   " read past its records."),
					 errhint("Use COMMIT, or set prepared.transactions.enable of the topic.")));
	}
}

static void
close_written(Relation rel, bool restored)
{
	if (rel == NULL)
		return;
	if (restored)
		topic_restored_records(rel);
	relation_close(rel, NoLock);
}

static void
buffer_write(bool prepare)
{
	MemoryContext old_cxt;
	ProduceStream **list;
	int			n;
	Relation	rel = NULL;
	const Topic *topic = NULL;
	bool		restored = false;	/* records with a given log_offset were among them */

	list = collect_streams(&n);
	if (n > 0)
	{
		if (prepare)
			refuse_prepare(list, n);
		produced_start(n);

		/* Readers tell by the xid whether the records are there; so it exists before them. */
		(void) GetTopTransactionId();
		topic_apply_pending();
	}

	old_cxt = MemoryContextSwitchTo(buffer_cxt);
	for (int i = 0; i < n; i++)
	{
		ProduceStream *s = list[i];
		int64		rows;

		if (i == 0 || s->key.relid != list[i - 1]->key.relid)
		{
			close_written(rel, restored);
			restored = false;
			rel = try_relation_open(s->key.relid, RowExclusiveLock);
			topic = rel == NULL ? NULL : topic_get(s->key.relid);
		}
		if (topic == NULL)
			continue;			/* dropped since */
		if (s->next_explicit > 0)
			restored = true;
		else if (topic->being_restored)
			topic_end_restore(rel, false);
		rows = write_stream(rel, topic, s);
		pgstat_count_heap_insert(rel, rows);
	}
	close_written(rel, restored);
	MemoryContextSwitchTo(old_cxt);

	spill_file_close(&spill_file);
	MemoryContextDelete(buffer_cxt);
	buffer_forget();
}

static void
xact_callback(XactEvent event, void *arg)
{
	switch (event)
	{
		case XACT_EVENT_PRE_COMMIT:
		case XACT_EVENT_PRE_PREPARE:
			if (buffer_cxt != NULL)
				buffer_write(event == XACT_EVENT_PRE_PREPARE);
			break;

		case XACT_EVENT_COMMIT:
			if (produced_now.cxt != NULL)
			{
				if (produced_last.cxt != NULL)
					MemoryContextDelete(produced_last.cxt);
				produced_last = produced_now;
				memset(&produced_now, 0, sizeof(produced_now));
			}
			break;

		case XACT_EVENT_ABORT:
		case XACT_EVENT_PREPARE:
			buffer_forget();
			if (produced_now.cxt != NULL)
				MemoryContextDelete(produced_now.cxt);
			memset(&produced_now, 0, sizeof(produced_now));
			break;

		default:
			break;
	}
}

const ProducedRange *
produce_buffer_last(int *n)
{
	*n = produced_last.n;
	return produced_last.ranges;
}

void
am_produce_buffer_init(void)
{
	RegisterXactCallback(xact_callback, NULL);
	RegisterSubXactCallback(subxact_callback, NULL);
}
