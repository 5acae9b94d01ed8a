/*-------------------------------------------------------------------------
 *
 * txn.c
 *	  The transaction index, and what becomes of the ranges of transactions.
 *
 * Every run of batches that a SQL transaction appends has an entry (first offset, last
 * offset, xid) in a chain of pages of its partition, logged before the data.  What
 * became of the transaction is for the commit log to say; so nothing is written
 * when it ends.  Entries of committed transactions leave once no snapshot can tell
 * them from older data; aborted ones are settled by VACUUM and stay for as long as
 * their offsets.
 *
 * In shared memory, a range is queued in its partition's slot from the append to the
 * end of the transaction, which holds the high watermark back.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/generic_xlog.h"
#include "access/nbtxlog.h"
#include "access/transam.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "access/xloginsert.h"
#include "miscadmin.h"
#include "storage/procarray.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "log/internal.h"
#include "log/stop_point.h"

/* Ranges of the current transaction, to be decided when it ends. */
typedef struct OwnRange
{
	LogPartition *part;
	int32		range;
} OwnRange;

static OwnRange *own_ranges = NULL;
static int	n_own_ranges = 0;
static int	max_own_ranges = 0;
static int32 spare_range = LOG_NO_INDEX;	/* allocated ahead */

/* ---------- pages ---------- */

/* Copy one page of the chain; false if it is not there any more. */
static bool
read_txn_page(Relation rel, int32 partition, BlockNumber block, uint32 number, LogTxnPage *copy)
{
	Buffer		buffer = log_read_buffer(rel, block);
	Page		page = BufferGetPage(buffer);
	bool		valid;

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	valid = log_page_is(page, LOG_PAGE_TXN, partition, number);
	if (valid)
		memcpy(copy, LogPageContent(page), LOG_CONTENT_SIZE);
	UnlockReleaseBuffer(buffer);
	return valid;
}

static void
store_txn_page(Page page, const LogTxnPage *content)
{
	Size		length = offsetof(LogTxnPage, entries) + content->n_entries * sizeof(LogTxnEntry);

	memcpy(LogPageContent(page), content, length);
	log_page_set_length(page, length);
}

/* ---------- fate ---------- */

static LogFate
entry_fate(const LogTxnEntry *entry, Snapshot snapshot)
{
	TransactionId xid = XidFromFullTransactionId(entry->xid);

	if (entry->state == LOG_TXN_ABORTED)
		return LOG_FATE_HIDDEN;
	if (TransactionIdIsCurrentTransactionId(xid))
		return snapshot ? LOG_FATE_HIDDEN : LOG_FATE_UNDECIDED;
	if (snapshot && IsMVCCSnapshot(snapshot))
	{
		if (XidInMVCCSnapshot(xid, snapshot))
			return LOG_FATE_HIDDEN;
	}
	else if (TransactionIdIsInProgress(xid))
		return snapshot ? LOG_FATE_HIDDEN : LOG_FATE_UNDECIDED;
	return TransactionIdDidCommit(xid) ? LOG_FATE_VISIBLE : LOG_FATE_HIDDEN;
}

LogHole *
log_txn_ranges(Relation rel, int32 partition, Snapshot snapshot, int *n)
{
	LogRoot    *root = palloc0(sizeof(LogRoot));
	LogTxnPage *page = palloc(LOG_CONTENT_SIZE);
	LogHole    *holes = NULL;
	int			size = 0;
	BlockNumber block;
	uint32		number;

restart:
	*n = 0;
	log_read_root(rel, partition, root);
	number = root->txn_number;
	for (block = root->txn_first; block != InvalidBlockNumber; block = page->next)
	{
		CHECK_FOR_INTERRUPTS();
		/* VACUUM may have given the page back since we looked: begin again. */
		if (!read_txn_page(rel, partition, block, number, page))
			goto restart;
		number = page->next_number;
		for (uint32 i = 0; i < page->n_entries; i++)
		{
			LogTxnEntry *entry = &page->entries[i];
			LogHole    *hole;

			/* VACUUM moves entries along the chain: this one was seen before. */
			if (*n > 0 && entry->first_offset <= holes[*n - 1].last)
				continue;
			if (*n == size)
			{
				size = size ? size * 2 : 16;
				holes = holes ? repalloc(holes, size * sizeof(LogHole)) : palloc(size * sizeof(LogHole));
			}
			hole = &holes[(*n)++];
			hole->first = entry->first_offset;
			hole->last = entry->last_offset;
			hole->fate = entry_fate(entry, snapshot);
		}
	}
	pfree(page);
	pfree(root);
	return holes;
}

/* ---------- loading ---------- */

/*
 * Take the index into account when a slot is loaded; false if pages are missing.  An entry
 * that reaches behind the end of the log is of a transaction whose data a crash or an error
 * cut off: it is taken back, as those offsets will be given again.  With `queue`, what is
 * not behind us yet is put into the queue of that slot.
 */
bool
log_txn_load(Relation rel, LogPartition *tail, const LogRoot *root, LogPartition *queue)
{
	LogTxnPage *content = palloc(LOG_CONTENT_SIZE);
	int32		partition = tail->key.partition;
	bool		recovery = RecoveryInProgress();
	BlockNumber block;
	uint32		number = root->txn_number;
	int64		decided = tail->end_offset;
	int64		run_first = 0;	/* the last run of aborted ranges that touch */

	tail->aborted_first = 0;
	tail->aborted_last = -1;
	tail->txn_last = root->txn_last;
	tail->txn_last_number = number - 1;

	for (block = root->txn_first; block != InvalidBlockNumber; block = content->next)
	{
		bool		cut = false;

		if (!read_txn_page(rel, partition, block, number, content))
			return false;
		tail->txn_last_number = number;
		number = content->next_number;
		while (content->n_entries > 0 &&
			   content->entries[content->n_entries - 1].last_offset >= tail->end_offset)
		{
			LogTxnEntry *last = &content->entries[content->n_entries - 1];

			if (last->first_offset >= tail->end_offset)
				content->n_entries--;
			else
				last->last_offset = tail->end_offset - 1;
			cut = true;
		}
		if (cut && !recovery)
		{
			LogChange	change = {0};
			Page		page = log_change_add(&change, log_read_buffer(rel, block));

			log_change_begin();
			store_txn_page(page, content);
			log_change_end(&change);
		}

		for (uint32 i = 0; i < content->n_entries; i++)
		{
			LogTxnEntry *entry = &content->entries[i];
			LogFate		fate = entry_fate(entry, InvalidSnapshot);

			if (fate == LOG_FATE_UNDECIDED)
				decided = Min(decided, entry->first_offset);
			if (fate != LOG_FATE_VISIBLE && entry->first_offset >= decided)
			{
				/* No backend has it if it is undecided: it is prepared. */
				if (queue && !recovery)
					log_prepared_queue(queue, entry, fate == LOG_FATE_UNDECIDED);
				continue;
			}
			if (fate != LOG_FATE_HIDDEN)
				continue;
			if (tail->aborted_first > tail->aborted_last)
				tail->aborted_first = run_first = entry->first_offset;
			else if (entry->first_offset != tail->aborted_last + 1)
				run_first = entry->first_offset;
			tail->aborted_last = entry->last_offset;
		}
	}

	tail->decided_offset = decided;
	/* The watermark never ends in an aborted range: consumers could not reach it. */
	tail->high_watermark =
		tail->aborted_last + 1 == decided && tail->aborted_first <= tail->aborted_last ?
		run_first : decided;
	pfree(content);
	return true;
}

/* ---------- appending to the index ---------- */

bool
log_txn_has_room(LogPartition *part, Buffer buffer)
{
	Page		page = BufferGetPage(buffer);

	return BufferGetBlockNumber(buffer) == part->txn_last &&
		((LogTxnPage *) LogPageContent(page))->n_entries < LOG_TXN_ENTRIES;
}

/*
 * Drop entries that no snapshot can tell from older data. Returns whether anything changed;
 * *newest becomes the newest xid of a committed transaction that was dropped.
 */
static bool
prune(LogTxnPage *content, TransactionId oldest, int64 log_start, int64 clean_offset, TransactionId *min_xid,
	  FullTransactionId *newest)
{
	uint32		n = 0;
	bool		changed = false;

	for (uint32 i = 0; i < content->n_entries; i++)
	{
		LogTxnEntry *entry = &content->entries[i];
		TransactionId xid = XidFromFullTransactionId(entry->xid);

		if (entry->last_offset < log_start)
		{
			changed = true;
			continue;
		}
		if (entry->state == LOG_TXN_OPEN)
		{
			if (TransactionIdPrecedes(xid, oldest))
			{
				changed = true;
				if (TransactionIdDidCommit(xid))
				{
					if (!FullTransactionIdIsValid(*newest) ||
						FullTransactionIdPrecedes(*newest, entry->xid))
						*newest = entry->xid;
					continue;
				}
				entry->state = LOG_TXN_ABORTED;
			}
			else if (min_xid && (!TransactionIdIsValid(*min_xid) || TransactionIdPrecedes(xid, *min_xid)))
				*min_xid = xid;
		}
		/* Compaction has taken those batches away. */
		if (entry->state == LOG_TXN_ABORTED && entry->last_offset < clean_offset)
		{
			changed = true;
			continue;
		}
		content->entries[n++] = *entry;
	}
	content->n_entries = n;
	return changed;
}

/*
 * Before entries of committed transactions go: queries on a standby whose snapshot doesn't
 * see them must end, as with VACUUM of a heap.  The record is nbtree's, which tells of a page
 * that will be used again and does nothing else.
 */
static void
log_conflict(Relation rel, FullTransactionId newest)
{
	xl_btree_reuse_page record;

	if (!FullTransactionIdIsValid(newest) || !XLogStandbyInfoActive())
		return;
	compat_reuse_page(&record, rel, newest);
	XLogBeginInsert();
	XLogRegisterData((char *) &record, SizeOfBtreeReusePage);
	XLogInsert(RM_BTREE_ID, XLOG_BTREE_REUSE_PAGE);
}

/* Make sure that the last page of the index has room for an entry. */
void
log_txn_reserve(Relation rel, LogPartition *part)
{
	int32		partition = part->key.partition;
	LogMeta    *meta;
	LogRoot    *root;
	LogTxnPage *content;
	LogChange	change = {0};
	TransactionId oldest = GetOldestNonRemovableTransactionId(rel);
	FullTransactionId newest = InvalidFullTransactionId;
	BlockNumber last;
	BlockNumber block;
	uint32		number;
	Buffer		meta_buffer,
				root_buffer,
				last_buffer = InvalidBuffer,
				buffer;
	Page		page,
				root_page,
				last_page = NULL;

	content = palloc(LOG_CONTENT_SIZE);
	LWLockAcquire(&part->append_lock, LW_EXCLUSIVE);
	last = part->txn_last;
	number = part->txn_last_number + 1;
	if (last != InvalidBlockNumber)
	{
		if (!read_txn_page(rel, partition, last, part->txn_last_number, content))
			log_corrupted(rel, last, "a page of the transaction index is missing");
		if (content->n_entries < LOG_TXN_ENTRIES)
		{
			LWLockRelease(&part->append_lock);
			pfree(content);
			return;
		}
		if (prune(content, oldest, part->log_start, 0, NULL, &newest) && content->n_entries < LOG_TXN_ENTRIES)
		{
			log_conflict(rel, newest);
			page = log_change_add(&change, log_read_buffer(rel, last));
			log_change_begin();
			store_txn_page(page, content);
			log_change_end(&change);
			LWLockRelease(&part->append_lock);
			pfree(content);
			return;
		}
	}
	LWLockRelease(&part->append_lock);

	/* Another page. */
	meta = palloc(sizeof(LogMeta));
	root = palloc0(sizeof(LogRoot));
	log_lock_space(rel);
	log_read_meta(rel, meta);
	block = log_space_take(meta, 1);
	log_ensure_blocks(rel, meta->n_blocks);
	meta_buffer = log_read_buffer(rel, 0);
	root_buffer = log_read_buffer(rel, log_root_block(rel, partition));
	buffer = log_new_buffer(rel, block);
	if (last != InvalidBlockNumber)
		last_buffer = log_read_buffer(rel, last);

	LWLockAcquire(&part->append_lock, LW_EXCLUSIVE);
	if (part->txn_last != last)
	{
		/* somebody else did it */
		LWLockRelease(&part->append_lock);
		ReleaseBuffer(meta_buffer);
		ReleaseBuffer(root_buffer);
		ReleaseBuffer(buffer);
		if (BufferIsValid(last_buffer))
			ReleaseBuffer(last_buffer);
	}
	else
	{
		log_read_root(rel, partition, root);
		root->txn_last = block;
		if (root->txn_first == InvalidBlockNumber)
		{
			root->txn_first = block;
			root->txn_number = number;
		}
		page = log_change_add(&change, meta_buffer);
		root_page = log_change_add(&change, root_buffer);
		if (BufferIsValid(last_buffer))
			last_page = log_change_add(&change, last_buffer);
		log_change_add(&change, buffer);
		log_change_begin();
		log_store_meta(page, meta);
		log_store_root(root_page, root);
		if (last_page)
		{
			((LogTxnPage *) LogPageContent(last_page))->next = block;
			((LogTxnPage *) LogPageContent(last_page))->next_number = number;
		}
		page = BufferGetPage(buffer);
		memset(page, 0, BLCKSZ);
		log_page_init(page, LOG_PAGE_TXN, partition, number);
		((LogTxnPage *) LogPageContent(page))->next = InvalidBlockNumber;
		((PageHeader) page)->pd_lower = LOG_CONTENT_START + offsetof(LogTxnPage, entries);
		log_change_end(&change);
		part->txn_last = block;
		part->txn_last_number = number;
		LWLockRelease(&part->append_lock);
	}
	log_unlock_space(rel);
	pfree(root);
	pfree(meta);
	pfree(content);
}

/* ---------- ranges of the current transaction ---------- */

/* Append a range to a partition's queue; the append lock and the mutex are held. */
void
log_range_queue(LogPartition *part, int32 index, int64 first, int64 last, FullTransactionId xid)
{
	LogRange   *range = &log_ranges[index];

	range->next = LOG_NO_INDEX;
	range->state = LOG_RANGE_UNDECIDED;
	range->prepared = false;
	range->first = first;
	range->last = last;
	range->xid = xid;
	range->commit_lsn = InvalidXLogRecPtr;
	if (part->ranges_tail == LOG_NO_INDEX)
		part->ranges_head = index;
	else
		log_ranges[part->ranges_tail].next = index;
	part->ranges_tail = index;
	part->n_undecided++;
}

/* Make sure that log_range_remember can't fail. */
void
log_range_reserve(void)
{
	if (n_own_ranges == max_own_ranges)
	{
		int			size = max_own_ranges ? max_own_ranges * 2 : 64;

		own_ranges = own_ranges ? repalloc(own_ranges, size * sizeof(OwnRange)) :
			MemoryContextAlloc(TopMemoryContext, size * sizeof(OwnRange));
		max_own_ranges = size;
	}
	if (spare_range == LOG_NO_INDEX)
		spare_range = log_range_alloc();
}

/*
 * Offsets first to last of the partition are the current transaction's.  Called
 * with the append lock and the mutex held, before they are published.
 */
void
log_range_remember(LogPartition *part, int64 first, int64 last, FullTransactionId xid)
{
	/* The newest range grows if it is ours and nothing came in between. */
	if (n_own_ranges > 0)
	{
		OwnRange   *own = &own_ranges[n_own_ranges - 1];

		if (own->part == part && log_ranges[own->range].last + 1 == first)
		{
			log_ranges[own->range].last = last;
			return;
		}
	}

	log_range_queue(part, spare_range, first, last, xid);
	own_ranges[n_own_ranges].part = part;
	own_ranges[n_own_ranges].range = spare_range;
	n_own_ranges++;
	spare_range = LOG_NO_INDEX;
}

/*
 * Enter a range that is about to be appended; log_txn_has_room was true and the append
 * lock is held.
 */
void
log_txn_record(LogPartition *part, Buffer buffer, int64 first, int64 last, FullTransactionId xid)
{
	Page		page = BufferGetPage(buffer);
	LogTxnPage *content = (LogTxnPage *) LogPageContent(page);
	LogTxnEntry *entry;
	char		delta[64];
	char	   *p = delta;
	OffsetNumber fragment[2];
	XLogRecPtr	lsn;
	bool		grow;

	LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
	START_CRIT_SECTION();
	entry = &content->entries[content->n_entries];
	grow = content->n_entries > 0 && entry[-1].last_offset + 1 == first &&
		FullTransactionIdEquals(entry[-1].xid, xid);
	if (grow)
	{
		entry--;
		entry->last_offset = last;
	}
	else
	{
		memset(entry, 0, sizeof(LogTxnEntry));
		entry->first_offset = first;
		entry->last_offset = last;
		entry->xid = xid;
		entry->state = LOG_TXN_OPEN;
		content->n_entries++;
		((PageHeader) page)->pd_lower += sizeof(LogTxnEntry);
	}
	MarkBufferDirty(buffer);

	/* A delta in the form of generic WAL (generic_xlog.c): offset, length, bytes. */
#define ADD_FRAGMENT(ptr, len) \
	( \
		fragment[0] = (OffsetNumber) ((char *) (ptr) - (char *) page), \
		fragment[1] = (len), \
		memcpy(p, fragment, sizeof(fragment)), \
		memcpy(p + sizeof(fragment), (ptr), (len)), \
		p += sizeof(fragment) + (len) \
	)
	ADD_FRAGMENT(&((PageHeader) page)->pd_lower, sizeof(LocationIndex));
	ADD_FRAGMENT(&content->n_entries, sizeof(content->n_entries));
	ADD_FRAGMENT(entry, sizeof(LogTxnEntry));

	XLogBeginInsert();
	XLogRegisterBuffer(0, buffer, REGBUF_STANDARD);
	XLogRegisterBufData(0, delta, p - delta);
	lsn = XLogInsert(RM_GENERIC_ID, 0);
	PageSetLSN(page, lsn);
	END_CRIT_SECTION();
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
}

/* ---------- the end of transactions ---------- */

static void
decide_ranges(bool committed)
{
	XLogRecPtr	durable;
	XLogRecPtr	target = committed ? XactLastCommitEnd : InvalidXLogRecPtr;

	if (n_own_ranges == 0)
		return;

	durable = log_durable_lsn();
	for (int i = 0; i < n_own_ranges; i++)
	{
		LogPartition *part = own_ranges[i].part;
		LogRange   *range = &log_ranges[own_ranges[i].range];

		/* Once it is decided, the range may be gone. */
		SpinLockAcquire(&part->mutex);
		range->commit_lsn = target;
		range->state = committed ? LOG_RANGE_COMMITTED : LOG_RANGE_ABORTED;
		SpinLockRelease(&part->mutex);
	}
	for (int i = 0; i < n_own_ranges; i++)
	{
		LogPartition *part = own_ranges[i].part;

		log_advance(part, durable);
		log_set_dirty(part);
		SpinLockAcquire(&part->mutex);
		if (part->n_pending > 0)
			target = Max(target, part->pending[part->n_pending - 1].lsn);
		SpinLockRelease(&part->mutex);
	}
	n_own_ranges = 0;

	/* Not flushed if synchronous_commit is off, or after an abort: the flusher will. */
	log_flush_request(target);
}

/* PREPARE TRANSACTION: from now on the ranges are nobody's. */
static void
prepare_ranges(void)
{
	for (int i = 0; i < n_own_ranges; i++)
	{
		LogPartition *part = own_ranges[i].part;

		SpinLockAcquire(&part->mutex);
		log_ranges[own_ranges[i].range].prepared = true;
		part->n_prepared++;
		SpinLockRelease(&part->mutex);
		log_set_dirty(part);
	}
	n_own_ranges = 0;
}

static void
xact_callback(XactEvent event, void *arg)
{
	switch (event)
	{
		case XACT_EVENT_COMMIT:
		case XACT_EVENT_PARALLEL_COMMIT:
			if (n_own_ranges > 0)
				LOG_STOP_POINT("committed");
			decide_ranges(true);
			break;
		case XACT_EVENT_ABORT:
		case XACT_EVENT_PARALLEL_ABORT:
			decide_ranges(false);
			break;
		case XACT_EVENT_PREPARE:
			prepare_ranges();
			break;
		default:
			return;
	}

	if (spare_range != LOG_NO_INDEX)
		log_range_free(spare_range);
	spare_range = LOG_NO_INDEX;
	log_slots_release();
}

void
log_init(void)
{
	RegisterXactCallback(xact_callback, NULL);
	log_prepared_init();
}

/* ---------- vacuum ---------- */

/* Put the entries of one page before those of the next, if they fit. */
static bool
merge_entries(LogTxnPage *next, const LogTxnPage *content)
{
	if (content->n_entries + next->n_entries > LOG_TXN_ENTRIES)
		return false;
	memmove(next->entries + content->n_entries, next->entries, next->n_entries * sizeof(LogTxnEntry));
	memcpy(next->entries, content->entries, content->n_entries * sizeof(LogTxnEntry));
	next->n_entries += content->n_entries;
	return true;
}

/*
 * Take a page out of the chain: its place is in the root, or in the page `previous`.  What
 * it had is in the next one, so who reads along the chain misses nothing.
 */
static bool
unlink_page(Relation rel, int32 partition, LogRoot *root, BlockNumber previous, BlockNumber block,
			const LogTxnPage *content, const LogTxnPage *next)
{
	LogMeta    *meta = palloc(sizeof(LogMeta));
	LogChange	change = {0};
	bool		given;

	log_read_meta(rel, meta);
	given = log_space_give(meta, block, 1);
	if (given)
	{
		Buffer		meta_buffer = log_read_buffer(rel, 0);
		Buffer		before_buffer = log_read_buffer(rel, previous == InvalidBlockNumber ?
													log_root_block(rel, partition) : previous);
		Buffer		buffer = log_read_buffer(rel, block);
		Buffer		next_buffer = log_read_buffer(rel, content->next);
		Page		meta_page = log_change_add(&change, meta_buffer);
		Page		before = log_change_add(&change, before_buffer);
		Page		page = log_change_add(&change, buffer);
		Page		next_page = log_change_add(&change, next_buffer);

		log_change_begin();
		log_store_meta(meta_page, meta);
		if (previous == InvalidBlockNumber)
		{
			root->txn_first = content->next;
			root->txn_number = content->next_number;
			log_store_root(before, root);
		}
		else
		{
			((LogTxnPage *) LogPageContent(before))->next = content->next;
			((LogTxnPage *) LogPageContent(before))->next_number = content->next_number;
		}
		store_txn_page(next_page, next);
		log_page_init(page, LOG_PAGE_FREE, -1, 0);
		log_change_end(&change);
	}
	pfree(meta);
	return given;
}

/*
 * Settle what is older than `oldest` and drop what nobody needs; a page whose entries fit
 * into the next one leaves the chain.  *min_xid becomes the oldest xid that remains.
 */
void
log_txn_vacuum(Relation rel, LogPartition *part, TransactionId oldest, TransactionId *min_xid)
{
	int32		partition = part->key.partition;
	LogTxnPage *content = palloc(LOG_CONTENT_SIZE);
	LogTxnPage *next = palloc(LOG_CONTENT_SIZE);
	LogRoot    *root = palloc0(sizeof(LogRoot));
	BlockNumber previous = InvalidBlockNumber;
	BlockNumber block;
	uint32		number;

	log_lock_space(rel);
	LWLockAcquire(&part->append_lock, LW_EXCLUSIVE);
	log_read_root(rel, partition, root);
	number = root->txn_number;
	block = root->txn_first;
	while (block != InvalidBlockNumber)
	{
		FullTransactionId newest = InvalidFullTransactionId;
		bool		changed;

		if (!read_txn_page(rel, partition, block, number, content))
			log_corrupted(rel, block, "a page of the transaction index is missing");
		changed = prune(content, oldest, part->log_start, root->clean_offset, min_xid, &newest);

		if (content->next != InvalidBlockNumber)
		{
			if (!read_txn_page(rel, partition, content->next, content->next_number, next))
				log_corrupted(rel, content->next, "a page of the transaction index is missing");
			(void) prune(next, oldest, part->log_start, root->clean_offset, min_xid, &newest);
		}
		log_conflict(rel, newest);
		if (content->next == InvalidBlockNumber || !merge_entries(next, content) ||
			!unlink_page(rel, partition, root, previous, block, content, next))
		{
			if (changed)
			{
				LogChange	change = {0};
				Page		page = log_change_add(&change, log_read_buffer(rel, block));

				log_change_begin();
				store_txn_page(page, content);
				log_change_end(&change);
			}
			previous = block;
		}
		block = content->next;
		number = content->next_number;
	}
	LWLockRelease(&part->append_lock);
	log_unlock_space(rel);

	pfree(root);
	pfree(next);
	pfree(content);
}
