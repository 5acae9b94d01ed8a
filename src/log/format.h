/*-------------------------------------------------------------------------
 *
 * format.h
 *	  What is on disk: the pages of a topic's relation.
 *
 * All pages are ordinary PostgreSQL pages: header, contents, and a special
 * area that ends in the page's kind.  Block 0 is the metapage.  Everything else
 * hangs from it:
 *
 *	  metapage --> chunks of partition roots --> directory leaves --> extents
 *										   \--> transaction index pages
 *
 * An extent is a run of blocks that belongs to one partition: first the pages
 * of its summary (the producers that the log before it implies), then data
 * pages.  Data pages hold nothing but a cut of the partition's stream of record
 * batches; a batch may span pages but never extents.
 *
 * A position is an address in a partition's stream.  Every data page holds
 * LOG_PAGE_DATA_SIZE bytes of it and begins at a multiple of that.  Positions grow
 * along an extent, but only offsets tell which extent comes first: what compaction
 * writes anew gets new positions.  The tail of an extent may stay unused, or be cut off when
 * it is closed.  A position is never used twice in one file.
 *
 * The structs are pinned by the assertions below and by golden bytes in the tests.
 * Integers are in the machine's byte order, as in all of PostgreSQL's files.
 *
 *-------------------------------------------------------------------------
 */
#ifndef LOG_FORMAT_H
#define LOG_FORMAT_H

#include "access/transam.h"
#include "storage/block.h"
#include "storage/bufpage.h"
#include "utils/uuid.h"

#define LOG_MAGIC			0x4b4c4f47	/* "KLOG" */
#define LOG_FORMAT_VERSION	1

/* The last two bytes of every page of ours. */
typedef enum LogPageKind
{
	LOG_PAGE_FREE = 0xB400,		/* wiped: belongs to no stream */
	LOG_PAGE_META,
	LOG_PAGE_ROOT,
	LOG_PAGE_LEAF,
	LOG_PAGE_SUMMARY,
	LOG_PAGE_DATA,
	LOG_PAGE_TXN
} LogPageKind;

/* The special area of every page: says what the page is, and of whom. */
typedef struct LogStamp
{
	uint64		position;		/* data: of the first byte; summary: of its extent; leaf, txn: number */
	int64		first_offset;	/* data: base offset of the first batch that starts in this page or,
								 * when none does, in a later one */
	int64		max_timestamp;	/* data: maximum over the extent up to the last batch that starts in
								 * or before this page */
	int32		partition;
	uint16		first_batch;	/* data: where in the page the first batch starts, 0: none does */
	uint16		kind;			/* LogPageKind */
} LogStamp;

#define LOG_CONTENT_START	MAXALIGN(SizeOfPageHeaderData)
#define LOG_CONTENT_SIZE	(BLCKSZ - LOG_CONTENT_START - sizeof(LogStamp))

/* Bytes of stream in a data page. */
#define LOG_PAGE_DATA_SIZE	LOG_CONTENT_SIZE

#define LogPageStamp(page)	((LogStamp *) ((char *) (page) + BLCKSZ - sizeof(LogStamp)))
#define LogPageContent(page) ((char *) (page) + LOG_CONTENT_START)

/* ---------- metapage ---------- */

/* Partition roots are allocated in chunks of consecutive blocks. */
typedef struct LogRootChunk
{
	int32		first;			/* partition of the first root */
	int32		count;
	BlockNumber block;
} LogRootChunk;

typedef struct LogFreeRun
{
	BlockNumber block;
	uint32		n_blocks;
} LogFreeRun;

/*
 * Adding partitions allocates at least an eighth more roots than there are, so
 * that this many chunks suffice for LOG_MAX_PARTITIONS.
 */
#define LOG_MAX_CHUNKS		128
#define LOG_MAX_FREE_RUNS	800

typedef struct LogMeta
{
	uint32		magic;
	uint16		version;
	uint16		flags;
	pg_uuid_t	topic_id;
	Oid			database;		/* where topic_id was made; a copy of the database derives another */
	int32		n_partitions;
	BlockNumber n_blocks;		/* blocks allocated; the file may be shorter after a crash, or longer */
	uint16		n_chunks;
	uint16		n_free;
	LogRootChunk chunks[LOG_MAX_CHUNKS];
	LogFreeRun	free[LOG_MAX_FREE_RUNS];	/* by block, never adjacent */
} LogMeta;

/* ---------- partition root ---------- */

typedef struct LogEpochStart
{
	int64		start_offset;
	int32		epoch;
	int32		unused;
} LogEpochStart;

#define LOG_MAX_EPOCHS		32
#define LOG_ROOT_LEAVES		1800

typedef struct LogRoot
{
	int64		log_start;		/* log start offset */
	int64		min_next_offset;	/* the next offset is not below this, whatever the extents say */
	uint64		first_extent;	/* number of the oldest extent */
	uint64		end_extent;		/* one past the number of the newest: none if equal */
	uint64		next_position;	/* of the next extent: no position from here on was ever used */
	uint64		size_blocks;	/* sum of the extents' sizes */
	BlockNumber txn_first;		/* transaction index, a chain of pages, or Invalid */
	BlockNumber txn_last;
	uint16		n_leaves;
	uint16		n_epochs;
	uint32		txn_number;		/* of the page txn_first: the numbers grow along the chain */
	int64		clean_offset;	/* compaction has come this far */
	uint64		generation;		/* how often compaction has changed the directory */
	BlockNumber pending_block;	/* space of an extent that compaction is about to link in */
	uint32		pending_blocks; /* 0: none */
	uint32		n_vacant;		/* vacant entries in the directory */
	uint32		unused;
	LogEpochStart epochs[LOG_MAX_EPOCHS];	/* leader epochs, oldest first */
	BlockNumber leaves[LOG_ROOT_LEAVES];	/* of extents from first_extent on */
} LogRoot;

/* ---------- directory leaf ---------- */

typedef struct LogExtent
{
	int64		base_offset;	/* of its first batch */
	uint64		start_position;
	int64		min_timestamp;	/* these are known once the extent is closed; of the batches' */
	int64		max_timestamp;	/* maximum timestamps */
	int64		running_max;	/* maximum of max_timestamp over all extents up to this one */
	BlockNumber start_block;	/* of its summary, if any, then its data */
	uint32		n_blocks;
	uint32		used_bytes;		/* of the stream; once closed */
	uint16		n_summary;		/* blocks of the summary */
	uint16		flags;
} LogExtent;

#define LOG_EXTENT_CLOSED	0x0001
#define LOG_EXTENT_RECORD_MIN	0x0002	/* min_timestamp is the least of the records */

/*
 * Compaction puts one extent in the place of several, and leaves the other entries
 * vacant: no blocks, and the base offset of the next extent that there is.
 */
#define LogExtentVacant(extent) ((extent)->n_blocks == 0)

#define LOG_LEAF_EXTENTS	((int) (LOG_CONTENT_SIZE / sizeof(LogExtent)))

/* A leaf is an array of LogExtent; extent n is in leaf n / LOG_LEAF_EXTENTS. */

/* ---------- summary ---------- */

#define LOG_PRODUCER_WINDOW 5	/* Kafka's: retries of the last five batches are recognised */

typedef struct LogProducerBatch
{
	int64		base_offset;
	int32		first_sequence;
	int32		last_sequence;
} LogProducerBatch;

typedef struct LogProducerState
{
	int64		producer_id;
	int64		last_timestamp;
	int16		epoch;
	int16		n_batches;		/* 1..LOG_PRODUCER_WINDOW, newest last */
	int32		unused;
	LogProducerBatch batches[LOG_PRODUCER_WINDOW];
} LogProducerState;

#define LOG_SUMMARY_PRODUCERS	((int) ((LOG_CONTENT_SIZE - 8) / sizeof(LogProducerState)))

typedef struct LogSummaryPage
{
	uint32		n_producers;
	uint32		unused;
	LogProducerState producers[FLEXIBLE_ARRAY_MEMBER];
} LogSummaryPage;

/* ---------- transaction index ---------- */

typedef enum LogTxnState
{
	LOG_TXN_OPEN = 0,			/* what became of it is for the commit log to say */
	LOG_TXN_ABORTED = 1			/* settled */
} LogTxnState;

typedef struct LogTxnEntry
{
	int64		first_offset;
	int64		last_offset;
	FullTransactionId xid;
	uint32		state;			/* LogTxnState */
	uint32		unused;
} LogTxnEntry;

typedef struct LogTxnPage
{
	BlockNumber next;			/* Invalid: the last */
	uint32		next_number;
	uint32		n_entries;
	uint32		unused;
	LogTxnEntry entries[FLEXIBLE_ARRAY_MEMBER];
} LogTxnPage;

#define LOG_TXN_ENTRIES		((int) ((LOG_CONTENT_SIZE - offsetof(LogTxnPage, entries)) / sizeof(LogTxnEntry)))

/* ---------- frozen ---------- */

StaticAssertDecl(sizeof(LogStamp) == 32, "LogStamp is on disk");
StaticAssertDecl(offsetof(LogStamp, kind) == 30, "LogStamp is on disk");
StaticAssertDecl(LOG_PAGE_DATA_SIZE == 8136, "the stream is cut every 8136 bytes");
StaticAssertDecl(offsetof(LogMeta, chunks) == 40, "LogMeta is on disk");
StaticAssertDecl(offsetof(LogMeta, free) == 40 + 12 * LOG_MAX_CHUNKS, "LogMeta is on disk");
StaticAssertDecl(sizeof(LogMeta) <= LOG_CONTENT_SIZE, "LogMeta fits its page");
StaticAssertDecl(offsetof(LogRoot, epochs) == 96, "LogRoot is on disk");
StaticAssertDecl(offsetof(LogRoot, leaves) == 96 + 16 * LOG_MAX_EPOCHS, "LogRoot is on disk");
StaticAssertDecl(sizeof(LogRoot) <= LOG_CONTENT_SIZE, "LogRoot fits its page");
StaticAssertDecl(sizeof(LogExtent) == 56, "LogExtent is on disk");
StaticAssertDecl(sizeof(LogProducerState) == 104, "LogProducerState is on disk");
StaticAssertDecl(sizeof(LogTxnEntry) == 32, "LogTxnEntry is on disk");
StaticAssertDecl(offsetof(LogTxnPage, entries) == 16, "LogTxnPage is on disk");

#endif							/* LOG_FORMAT_H */
