/*-------------------------------------------------------------------------
 *
 * file.c
 *	  The file of a topic: creation, metapage, free space.
 *
 * Space is handed out in runs of blocks.  Who takes or gives any holds the
 * relation extension lock ("space lock") from reading the metapage to the WAL
 * record that changes it together with the page that points to the space, so
 * nothing leaks and nothing is given twice.  The file is extended before, by
 * allocating blocks: a full disk is noticed here, where nothing is lost.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <fcntl.h>
#include <unistd.h>

#include "access/xlog.h"
#include "access/xloginsert.h"
#include "catalog/storage.h"
#include "common/cryptohash.h"
#include "common/sha2.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "storage/fd.h"
#include "storage/lmgr.h"
#include "storage/proc.h"
#include "storage/smgr.h"
#include "utils/inval.h"
#include "utils/memutils.h"

#include "log/internal.h"

/* What a relcache entry keeps of the metapage (rd_amcache). */
typedef struct MetaCache
{
	pg_uuid_t	topic_id;
	int32		n_partitions;
	int			n_chunks;
	LogRootChunk chunks[FLEXIBLE_ARRAY_MEMBER];
} MetaCache;

/* ---------- metapage ---------- */

void
log_store_meta(Page page, const LogMeta *meta)
{
	memcpy(LogPageContent(page), meta, sizeof(LogMeta));
	log_page_set_length(page, offsetof(LogMeta, free) + meta->n_free * sizeof(LogFreeRun));
}

void
log_read_meta(Relation rel, LogMeta *meta)
{
	Buffer		buffer = log_read_buffer(rel, 0);
	Page		page = BufferGetPage(buffer);

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	if (!log_page_is(page, LOG_PAGE_META, 0, 0))
		log_corrupted(rel, 0, "the first block is not a topic's metapage");
	memcpy(meta, LogPageContent(page), sizeof(LogMeta));
	UnlockReleaseBuffer(buffer);

	if (meta->magic != LOG_MAGIC || meta->version == 0)
		log_corrupted(rel, 0, "the metapage is not valid");
	if (meta->version != LOG_FORMAT_VERSION)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("topic table \"%s\" has storage format %u, but this pg_broker reads format %u",
						RelationGetRelationName(rel), meta->version, LOG_FORMAT_VERSION),
				 errhint("Use the version of pg_broker that wrote it to dump the topic, "
						 "and restore it here.")));
}

/*
 * The topic id.  A database made from a template has a copy of the file; its topics
 * are other topics, and get other ids, without anybody having to write them.
 */
static pg_uuid_t
effective_topic_id(const LogMeta *meta, Oid database)
{
	pg_uuid_t	id = meta->topic_id;
	uint8		digest[PG_SHA256_DIGEST_LENGTH];
	pg_cryptohash_ctx *ctx;

	if (meta->database == database)
		return id;

	ctx = pg_cryptohash_create(PG_SHA256);
	if (pg_cryptohash_init(ctx) < 0 ||
		pg_cryptohash_update(ctx, (const uint8 *) &meta->topic_id, sizeof(pg_uuid_t)) < 0 ||
		pg_cryptohash_update(ctx, (const uint8 *) &database, sizeof(Oid)) < 0 ||
		pg_cryptohash_final(ctx, digest, sizeof(digest)) < 0)
		elog(ERROR, "could not compute a topic id: %s", pg_cryptohash_error(ctx));
	pg_cryptohash_free(ctx);

	memcpy(id.data, digest, UUID_LEN);
	id.data[6] = (id.data[6] & 0x0f) | 0x80;	/* version 8: made by a hash */
	id.data[8] = (id.data[8] & 0x3f) | 0x80;
	return id;
}

/* A random topic id; never one of those that Kafka reserves (they begin with zeros). */
pg_uuid_t
log_new_topic_id(void)
{
	pg_uuid_t	id;

	if (!pg_strong_random(id.data, UUID_LEN))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate random values")));
	id.data[6] = (id.data[6] & 0x0f) | 0x40;	/* version 4 */
	id.data[8] = (id.data[8] & 0x3f) | 0x80;
	return id;
}

static MetaCache *
meta_cache(Relation rel)
{
	LogMeta    *meta;
	MetaCache  *cache;

	if (rel->rd_amcache)
		return (MetaCache *) rel->rd_amcache;

	meta = palloc(sizeof(LogMeta));
	log_read_meta(rel, meta);
	cache = MemoryContextAlloc(CacheMemoryContext,
							   offsetof(MetaCache, chunks) + meta->n_chunks * sizeof(LogRootChunk));
	cache->topic_id = effective_topic_id(meta, MyDatabaseId);
	cache->n_partitions = meta->n_partitions;
	cache->n_chunks = meta->n_chunks;
	memcpy(cache->chunks, meta->chunks, meta->n_chunks * sizeof(LogRootChunk));
	rel->rd_amcache = cache;
	pfree(meta);
	return cache;
}

void
log_topic_info(Relation rel, LogTopicInfo *info)
{
	MetaCache  *cache = meta_cache(rel);

	info->topic_id = cache->topic_id;
	info->n_partitions = cache->n_partitions;
}

static BlockNumber
chunk_find(const LogRootChunk *chunks, int n_chunks, int32 partition)
{
	for (int i = 0; i < n_chunks; i++)
	{
		if (partition >= chunks[i].first && partition < chunks[i].first + chunks[i].count)
			return chunks[i].block + (partition - chunks[i].first);
	}
	return InvalidBlockNumber;
}

BlockNumber
log_root_block(Relation rel, int32 partition)
{
	MetaCache  *cache = meta_cache(rel);

	if (partition < 0 || partition >= cache->n_partitions)
		return InvalidBlockNumber;
	return chunk_find(cache->chunks, cache->n_chunks, partition);
}

/* ---------- free space ---------- */

/*
 * lock_timeout is for locks that users hold.  This one is held by processes that
 * make room for an append, at worst for as long as the disk is slow.
 */
void
log_lock_space(Relation rel)
{
	int			lock_timeout = LockTimeout;

	LockTimeout = 0;
	PG_TRY();
	{
		LockRelationForExtension(rel, ExclusiveLock);
	}
	PG_FINALLY();
	{
		LockTimeout = lock_timeout;
	}
	PG_END_TRY();
}

void
log_unlock_space(Relation rel)
{
	UnlockRelationForExtension(rel, ExclusiveLock);
}

/* Take n blocks: the first run that has them, or new ones at the end.  Changes *meta only. */
BlockNumber
log_space_take(LogMeta *meta, uint32 n_blocks)
{
	BlockNumber block;

	for (int i = 0; i < meta->n_free; i++)
	{
		LogFreeRun *run = &meta->free[i];

		if (run->n_blocks < n_blocks)
			continue;
		block = run->block;
		run->block += n_blocks;
		run->n_blocks -= n_blocks;
		if (run->n_blocks == 0)
		{
			meta->n_free--;
			memmove(run, run + 1, (meta->n_free - i) * sizeof(LogFreeRun));
		}
		return block;
	}

	if (n_blocks > MaxBlockNumber - meta->n_blocks)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a topic can't be larger than 32 TB"),
				 errhint("Lower the topic's retention, or use another topic.")));

	/* A free run at the very end is used and lengthened. */
	block = meta->n_blocks;
	if (meta->n_free > 0)
	{
		LogFreeRun *run = &meta->free[meta->n_free - 1];

		if (run->block + run->n_blocks == meta->n_blocks)
		{
			block = run->block;
			meta->n_free--;
		}
	}
	meta->n_blocks = block + n_blocks;
	return block;
}

/* Give blocks back; false if the list of free runs is full.  Changes *meta only. */
bool
log_space_give(LogMeta *meta, BlockNumber block, uint32 n_blocks)
{
	int			i = 0;
	bool		join_left,
				join_right;

	while (i < meta->n_free && meta->free[i].block < block)
		i++;

	join_left = i > 0 && meta->free[i - 1].block + meta->free[i - 1].n_blocks == block;
	join_right = i < meta->n_free && block + n_blocks == meta->free[i].block;

	if (join_left)
	{
		meta->free[i - 1].n_blocks += n_blocks;
		if (join_right)
		{
			meta->free[i - 1].n_blocks += meta->free[i].n_blocks;
			meta->n_free--;
			memmove(&meta->free[i], &meta->free[i + 1], (meta->n_free - i) * sizeof(LogFreeRun));
		}
		return true;
	}
	if (join_right)
	{
		meta->free[i].block = block;
		meta->free[i].n_blocks += n_blocks;
		return true;
	}
	if (meta->n_free == LOG_MAX_FREE_RUNS)
		return false;
	memmove(&meta->free[i + 1], &meta->free[i], (meta->n_free - i) * sizeof(LogFreeRun));
	meta->free[i].block = block;
	meta->free[i].n_blocks = n_blocks;
	meta->n_free++;
	return true;
}

#if PG_VERSION_NUM < 160000
/*
 * Allocate blocks at the end of the file, as smgrzeroextend() of PostgreSQL 16
 * does.  Writing zeros would copy as many bytes as the records will.
 */
static void
extend_file(Relation rel, BlockNumber from, BlockNumber to)
{
	char	   *base = relpath(RelationGetSmgr(rel)->smgr_rnode, MAIN_FORKNUM);

	while (from < to)
	{
		BlockNumber segment = from / RELSEG_SIZE;
		BlockNumber end = Min(to, (segment + 1) * RELSEG_SIZE);
		char	   *path = segment == 0 ? pstrdup(base) : psprintf("%s.%u", base, segment);
		int			fd = OpenTransientFile(path, O_RDWR | O_CREAT | PG_BINARY);
		int			rc;

		if (fd < 0)
			ereport(ERROR,
					(errcode_for_file_access(),
					 errmsg("could not open file \"%s\": %m", path)));
		do
		{
			CHECK_FOR_INTERRUPTS();
			rc = posix_fallocate(fd, (off_t) (from % RELSEG_SIZE) * BLCKSZ, (off_t) (end - from) * BLCKSZ);
		} while (rc == EINTR);
		if (rc != 0)
		{
			errno = rc;
			ereport(ERROR,
					(errcode_for_file_access(),
					 errmsg("could not extend file \"%s\": %m", path),
					 errhint("Check free disk space, or lower the retention of topics.")));
		}
		CloseTransientFile(fd);
		pfree(path);
		from = end;
	}
	pfree(base);
}
#else
static void
extend_file(Relation rel, BlockNumber from, BlockNumber to)
{
	while (from < to)
	{
		BlockNumber end = Min(to, (from / RELSEG_SIZE + 1) * RELSEG_SIZE);

		smgrzeroextend(RelationGetSmgr(rel), MAIN_FORKNUM, from, end - from, false);
		from = end;
	}
}
#endif

/*
 * Make the file at least that long.  A crash may have left it shorter than the
 * metapage says.  The space is allocated, so a full disk is noticed here.
 */
void
log_ensure_blocks(Relation rel, BlockNumber n_blocks)
{
	BlockNumber have = RelationGetNumberOfBlocks(rel);

	if (have < n_blocks)
		extend_file(rel, have, n_blocks);
}

/* ---------- creation ---------- */

typedef struct FileWriter
{
	SMgrRelation smgr;
	const RelFileNode *node;
	int			n;
	BlockNumber next;
	BlockNumber blocks[XLR_MAX_BLOCK_ID];
	Page		pages[XLR_MAX_BLOCK_ID];
} FileWriter;

static void
writer_flush(FileWriter *writer)
{
	if (writer->n == 0)
		return;
	log_newpages((RelFileNode *) writer->node, MAIN_FORKNUM, writer->n, writer->blocks, writer->pages, true);
	for (int i = 0; i < writer->n; i++)
	{
		PageSetChecksumInplace(writer->pages[i], writer->blocks[i]);
		smgrextend(writer->smgr, MAIN_FORKNUM, writer->blocks[i], (char *) writer->pages[i], true);
	}
	writer->n = 0;
}

static Page
writer_next(FileWriter *writer)
{
	if (writer->n == XLR_MAX_BLOCK_ID)
		writer_flush(writer);
	writer->blocks[writer->n] = writer->next++;
	return writer->pages[writer->n++];
}

static void
init_root(Page page, int32 partition, int64 next_offset)
{
	LogRoot    *root = (LogRoot *) LogPageContent(page);

	log_page_init(page, LOG_PAGE_ROOT, partition, 0);
	root->log_start = next_offset;
	root->min_next_offset = next_offset;
	root->txn_first = root->txn_last = InvalidBlockNumber;
	((PageHeader) page)->pd_lower = LOG_CONTENT_START + offsetof(LogRoot, leaves);
}

static void
create_file(const RelFileNode *node, char persistence, const pg_uuid_t *topic_id, Oid database,
			int32 n_partitions, const int64 *next_offsets)
{
	FileWriter	writer = {0};
	LogMeta    *meta;
	Page		page;

	Assert(persistence == RELPERSISTENCE_PERMANENT);
	if (n_partitions < 1 || n_partitions > LOG_MAX_PARTITIONS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("number of partitions must be between 1 and %d", LOG_MAX_PARTITIONS)));

	log_slots_forget(node);

	writer.node = node;
	writer.smgr = RelationCreateStorage(*node, persistence, true);
	for (int i = 0; i < XLR_MAX_BLOCK_ID; i++)
		writer.pages[i] = (Page) palloc(BLCKSZ);

	meta = palloc0(sizeof(LogMeta));
	meta->magic = LOG_MAGIC;
	meta->version = LOG_FORMAT_VERSION;
	meta->topic_id = *topic_id;
	meta->database = database;
	meta->n_partitions = n_partitions;
	meta->n_blocks = 1 + n_partitions;
	meta->n_chunks = 1;
	meta->chunks[0].first = 0;
	meta->chunks[0].count = n_partitions;
	meta->chunks[0].block = 1;

	page = writer_next(&writer);
	log_page_init(page, LOG_PAGE_META, 0, 0);
	log_store_meta(page, meta);
	for (int32 i = 0; i < n_partitions; i++)
		init_root(writer_next(&writer), i, next_offsets ? next_offsets[i] : 0);
	writer_flush(&writer);

	/*
	 * The pages bypassed shared buffers, so a checkpoint after their WAL would not
	 * know that they must reach the disk (see heapam's rewrite).
	 */
	smgrimmedsync(writer.smgr, MAIN_FORKNUM);

	for (int i = 0; i < XLR_MAX_BLOCK_ID; i++)
		pfree(writer.pages[i]);
	pfree(meta);
}

void
log_create(const RelFileNode *node, char persistence, const pg_uuid_t *topic_id, int32 n_partitions,
		   const int64 *next_offsets)
{
	create_file(node, persistence, topic_id, MyDatabaseId, n_partitions, next_offsets);
}

static int64 *
next_offsets_of(Relation rel, int32 n_partitions)
{
	int64	   *offsets = palloc(n_partitions * sizeof(int64));

	for (int32 i = 0; i < n_partitions; i++)
	{
		LogPartition *part = log_open(rel, i);

		LWLockAcquire(&part->append_lock, LW_SHARED);
		offsets[i] = part->end_offset;
		LWLockRelease(&part->append_lock);
	}
	return offsets;
}

void
log_create_successor(Relation rel, const RelFileNode *node)
{
	LogMeta    *meta = palloc(sizeof(LogMeta));
	int64	   *offsets;

	log_read_meta(rel, meta);
	offsets = next_offsets_of(rel, meta->n_partitions);
	create_file(node, rel->rd_rel->relpersistence, &meta->topic_id, meta->database,
				meta->n_partitions, offsets);
	pfree(offsets);
	pfree(meta);
}

void
log_reset(Relation rel)
{
	LogMeta    *meta = palloc(sizeof(LogMeta));
	int64	   *offsets;
	Buffer		buffer;
	LogChange	change = {0};
	LogRootChunk *chunk;
	uint32		capacity;

	log_lock_space(rel);
	log_read_meta(rel, meta);
	offsets = next_offsets_of(rel, meta->n_partitions);

	/*
	 * The roots first: a crash in between loses the file anyway, as it was made by
	 * this transaction.
	 */
	for (int32 i = 0; i < meta->n_partitions; i++)
	{
		Page		page;
		LogRoot    *root = palloc0(sizeof(LogRoot));

		log_read_root(rel, i, root);
		root->log_start = root->min_next_offset = offsets[i];
		root->first_extent = root->end_extent;
		root->size_blocks = 0;
		root->n_leaves = 0;
		root->n_vacant = 0;
		root->pending_blocks = 0;
		root->generation++;
		root->txn_first = root->txn_last = InvalidBlockNumber;
		buffer = log_read_buffer(rel, chunk_find(meta->chunks, meta->n_chunks, i));
		page = log_change_add(&change, buffer);
		log_change_begin();
		log_store_root(page, root);
		log_change_end(&change);
		pfree(root);
	}

	/* All that is not a root is free. */
	meta->n_free = 0;
	chunk = meta->chunks;
	for (int i = 0; i < meta->n_chunks; i++, chunk++)
	{
		BlockNumber from = chunk->block + chunk->count;
		BlockNumber to = meta->n_blocks;

		for (int j = 0; j < meta->n_chunks; j++)
			if (meta->chunks[j].block >= from && meta->chunks[j].block < to)
				to = meta->chunks[j].block;
		capacity = to - from;
		if (capacity > 0)
			(void) log_space_give(meta, from, capacity);
	}
	buffer = log_read_buffer(rel, 0);
	{
		Page		page = log_change_add(&change, buffer);

		log_change_begin();
		log_store_meta(page, meta);
		log_change_end(&change);
	}
	log_unlock_space(rel);
	log_slots_forget(&rel->rd_node);
	pfree(offsets);
	pfree(meta);
}

/*
 * Add partitions up to a new total.  The roots are allocated with some to spare,
 * so that the chunks of the metapage are enough for any number of small steps.
 */
void
log_add_partitions(Relation rel, int32 n_partitions)
{
	LogMeta    *meta = palloc(sizeof(LogMeta));
	int32		capacity;
	int32		old;
	Buffer		buffer;
	LogChange	change = {0};
	Page		page;

	log_lock_space(rel);
	log_read_meta(rel, meta);
	old = meta->n_partitions;
	if (n_partitions <= old || n_partitions > LOG_MAX_PARTITIONS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("number of partitions must be between %d and %d", old + 1, LOG_MAX_PARTITIONS)));

	capacity = meta->chunks[meta->n_chunks - 1].first + meta->chunks[meta->n_chunks - 1].count;
	if (capacity < n_partitions)
	{
		LogRootChunk *chunk;
		uint32		count = Max(n_partitions - capacity, capacity / 8);

		if (meta->n_chunks == LOG_MAX_CHUNKS)
			ereport(ERROR,
					(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
					 errmsg("partitions were added to topic table \"%s\" too many times",
							RelationGetRelationName(rel))));
		chunk = &meta->chunks[meta->n_chunks++];
		chunk->first = capacity;
		chunk->count = count;
		chunk->block = log_space_take(meta, count);
		log_ensure_blocks(rel, meta->n_blocks);
	}

	for (int32 i = old; i < n_partitions; i++)
	{
		buffer = log_new_buffer(rel, chunk_find(meta->chunks, meta->n_chunks, i));
		LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
		START_CRIT_SECTION();
		init_root(BufferGetPage(buffer), i, 0);
		MarkBufferDirty(buffer);
		log_newpage_buffer(buffer, true);
		END_CRIT_SECTION();
		UnlockReleaseBuffer(buffer);
	}

	meta->n_partitions = n_partitions;
	page = log_change_add(&change, log_read_buffer(rel, 0));
	log_change_begin();
	log_store_meta(page, meta);
	log_change_end(&change);
	log_unlock_space(rel);
	CacheInvalidateRelcache(rel);
	/* The invalidation reaches this session at its next command; what it knows is wrong now. */
	if (rel->rd_amcache)
		pfree(rel->rd_amcache);
	rel->rd_amcache = NULL;
	pfree(meta);
}
