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
static int32 spare_range = LOG_NO_INDEX;	/* allocated ahead, kept between transactions */

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
		if (!read_txn_page(rel, partition, block, number++, page))
			goto restart;
		for (uint32 i = 0; i < page->n_entries; i++)
		{
			LogTxnEntry *entry = &page->entries[i];
			LogHole    *hole;

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
 * Take the index into account when a slot is loaded.  An entry that reaches behind the
 * end of the log is of a transaction whose data a crash or an error cut off: it is
 * taken back, as those offsets will be given again.
 */
void
log_txn_load(Relation rel, LogPartition *part, const LogRoot *root, bool fresh)
{
	LogTxnPage *content = palloc(LOG_CONTENT_SIZE);
	int32		partition = part->key.partition;
	BlockNumber block;
	uint32		number = root->txn_number;
	int64		decided = part->end_offset;
	int64		aborted_first = 0;	/* all aborted ranges lie within these */
	int64		aborted_last = -1;
	int64		run_first = 0;	/* the last run of aborted ranges that touch */

	for (block = root->txn_first; block != InvalidBlockNumber; block = content->next)
	{
		bool		cut = false;

		if (!read_txn_page(rel, partition, block, number++, content))
			log_corrupted(rel, block, "a page of the transaction index is missing");
		while (content->n_entries > 0 &&
			   content->entries[content->n_entries - 1].last_offset >= part->end_offset)
		{
			LogTxnEntry *last = &content->entries[content->n_entries - 1];

			if (last->first_offset >= part->end_offset)
				content->n_entries--;
			else
				last->last_offset = part->end_offset - 1;
			cut = true;
		}
		if (cut && !RecoveryInProgress())
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
			if (fate != LOG_FATE_HIDDEN)
				continue;
			if (aborted_first > aborted_last)
				aborted_first = run_first = entry->first_offset;
			else if (entry->first_offset != aborted_last + 1)
				run_first = entry->first_offset;
			aborted_last = entry->last_offset;
		}
	}

	SpinLockAcquire(&part->mutex);
	part->txn_last = root->txn_last;
	part->txn_last_number = number - 1;
	if (fresh)
	{
		part->aborted_first = aborted_first;
		part->aborted_last = aborted_last;
		part->decided_offset = decided;
		/* The watermark never ends in an aborted range: consumers could not reach it. */
		part->high_watermark = (aborted_last + 1 == decided && aborted_first <= aborted_last) ?
			run_first : decided;
	}
	SpinLockRelease(&part->mutex);
	pfree(content);
}

/* ---------- appending to the index ---------- */

bool
log_txn_has_room(LogPartition *part, Buffer buffer)
{
	Page		page = BufferGetPage(buffer);

	return BufferGetBlockNumber(buffer) == part->txn_last &&
		((LogTxnPage *) LogPageContent(page))->n_entries < LOG_TXN_ENTRIES;
}

/* Drop entries that no snapshot can tell from older data. Returns whether any went. */
static bool
prune(LogTxnPage *content, TransactionId oldest, int64 log_start, TransactionId *min_xid)
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
					continue;
				entry->state = LOG_TXN_ABORTED;
			}
			else if (min_xid && (!TransactionIdIsValid(*min_xid) || TransactionIdPrecedes(xid, *min_xid)))
				*min_xid = xid;
		}
		content->entries[n++] = *entry;
	}
	content->n_entries = n;
	return changed;
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
		if (prune(content, oldest, part->log_start, NULL) && content->n_entries < LOG_TXN_ENTRIES)
		{
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
			((LogTxnPage *) LogPageContent(last_page))->next = block;
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
	LogRange   *range;

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

	range = &log_ranges[spare_range];
	range->next = LOG_NO_INDEX;
	range->state = LOG_RANGE_UNDECIDED;
	range->first = first;
	range->last = last;
	range->xid = xid;
	range->commit_lsn = InvalidXLogRecPtr;
	if (part->ranges_tail == LOG_NO_INDEX)
		part->ranges_head = spare_range;
	else
		log_ranges[part->ranges_tail].next = spare_range;
	part->ranges_tail = spare_range;
	part->n_undecided++;

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

	if (n_own_ranges == 0)
		return;

	durable = log_durable_lsn();
	for (int i = 0; i < n_own_ranges; i++)
	{
		LogPartition *part = own_ranges[i].part;
		LogRange   *range = &log_ranges[own_ranges[i].range];

		SpinLockAcquire(&part->mutex);
		range->commit_lsn = committed ? XactLastCommitEnd : InvalidXLogRecPtr;
		range->state = committed ? LOG_RANGE_COMMITTED : LOG_RANGE_ABORTED;
		SpinLockRelease(&part->mutex);
	}
	for (int i = 0; i < n_own_ranges; i++)
	{
		log_advance(own_ranges[i].part, durable);
		log_set_dirty(own_ranges[i].part);
	}
	n_own_ranges = 0;

	/* Not flushed if synchronous_commit is off, or after an abort: the flusher will. */
	log_flush_request(committed ? XactLastCommitEnd : XactLastRecEnd);
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
		default:
			break;
	}
}

void
log_init(void)
{
	RegisterXactCallback(xact_callback, NULL);
}

/* ---------- vacuum ---------- */

/*
 * Settle what is older than `oldest` and drop what nobody needs; pages that become
 * empty leave the chain.  *min_xid becomes the oldest xid that remains.
 */
void
log_txn_vacuum(Relation rel, LogPartition *part, TransactionId oldest, TransactionId *min_xid)
{
	int32		partition = part->key.partition;
	LogTxnPage *content;
	LogRoot    *root;
	LogMeta    *meta;
	BlockNumber block,
				next;
	uint32		number;

	if (part->txn_last == InvalidBlockNumber)
		return;

	content = palloc(LOG_CONTENT_SIZE);
	root = palloc0(sizeof(LogRoot));
	meta = palloc(sizeof(LogMeta));

	log_lock_space(rel);
	LWLockAcquire(&part->append_lock, LW_EXCLUSIVE);
	log_read_root(rel, partition, root);
	number = root->txn_number;
	for (block = root->txn_first; block != InvalidBlockNumber; block = next)
	{
		LogChange	change = {0};
		bool		changed;

		if (!read_txn_page(rel, partition, block, number++, content))
			log_corrupted(rel, block, "a page of the transaction index is missing");
		next = content->next;
		changed = prune(content, oldest, part->log_start, min_xid);

		/* The first page of the chain is given back when it is empty. */
		if (content->n_entries == 0 && block == root->txn_first && next != InvalidBlockNumber)
		{
			log_read_meta(rel, meta);
			if (log_space_give(meta, block, 1))
			{
				Page		meta_page,
							root_page,
							page;

				root->txn_first = next;
				root->txn_number = number;
				meta_page = log_change_add(&change, log_read_buffer(rel, 0));
				root_page = log_change_add(&change, log_read_buffer(rel, log_root_block(rel, partition)));
				page = log_change_add(&change, log_read_buffer(rel, block));
				log_change_begin();
				log_store_meta(meta_page, meta);
				log_store_root(root_page, root);
				log_page_init(page, LOG_PAGE_FREE, -1, 0);
				log_change_end(&change);
				continue;
			}
		}
		if (changed)
		{
			Page		page = log_change_add(&change, log_read_buffer(rel, block));

			log_change_begin();
			store_txn_page(page, content);
			log_change_end(&change);
		}
	}
	LWLockRelease(&part->append_lock);
	log_unlock_space(rel);

	pfree(meta);
	pfree(root);
	pfree(content);
}
