/*-------------------------------------------------------------------------
 *
 * storage.c
 *	  Callbacks that make, empty, move, measure and vacuum a topic's file.
 *
 * TRUNCATE also empties what the transaction has buffered for the topic so far;
 * SET TABLESPACE leaves it alone.  relfrozenxid is real from the start, since
 * the log keeps transaction ids until VACUUM has settled them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "am/am.h"
#include "am/estimate.h"
#include "am/produce.h"
#include "am/produce_buffer.h"
#include "compact/compact.h"
#include "log/log.h"
#include "topic/topic.h"

#include "access/multixact.h"
#include "access/transam.h"
#include "access/xlog.h"
#include "catalog/pg_class.h"
#include "catalog/storage.h"
#include "catalog/storage_xlog.h"
#include "commands/vacuum.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "postmaster/autovacuum.h"
#include "storage/bufmgr.h"
#include "storage/smgr.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

/*
 * CREATE TABLE and TRUNCATE.  The file that the relation has now tells them
 * apart: a new relation is given the one it already names.
 */
void
am_relation_set_new_filenode(Relation rel, const RelFileNode *newrnode, char persistence,
							 TransactionId *freezeXid, MultiXactId *minmulti)
{
	if (persistence != RELPERSISTENCE_PERMANENT)
		am_refuse("TEMPORARY or UNLOGGED", "Create the topic as a permanent table.");

	*freezeXid = RecentXmin;
	*minmulti = GetOldestMultiXactId();

	if (RelFileNodeEquals(*newrnode, rel->rd_node))
	{
		pg_uuid_t	topic_id;
		int32		n_partitions;

		topic_new_storage(&topic_id, &n_partitions);
		log_create(newrnode, persistence, &topic_id, n_partitions, NULL);
	}
	else
	{
		log_create_successor(rel, newrnode);
		produce_buffer_truncate(RelationGetRelid(rel));
	}
}

/* TRUNCATE of a topic whose file was made in this transaction. */
void
am_relation_nontransactional_truncate(Relation rel)
{
	log_reset(rel);
	produce_buffer_truncate(RelationGetRelid(rel));
}

/* SET TABLESPACE: a copy of the blocks, as the heap does it. */
void
am_relation_copy_data(Relation rel, const RelFileNode *newrnode)
{
	SMgrRelation dst = smgropen(*newrnode, rel->rd_backend);
	char		persistence = rel->rd_rel->relpersistence;

	/* The copy reads the file, not the buffers; nobody else changes them now. */
	FlushRelationBuffers(rel);

	RelationCreateStorage(*newrnode, persistence, true);
	RelationCopyStorage(RelationGetSmgr(rel), dst, MAIN_FORKNUM, persistence);
	for (ForkNumber fork = MAIN_FORKNUM + 1; fork <= MAX_FORKNUM; fork++)
	{
		if (!smgrexists(RelationGetSmgr(rel), fork))
			continue;
		smgrcreate(dst, fork, false);
		log_smgrcreate(newrnode, fork);
		RelationCopyStorage(RelationGetSmgr(rel), dst, fork, persistence);
	}

	RelationDropStorage(rel);
	smgrclose(dst);
}

uint64
am_relation_size(Relation rel, ForkNumber fork)
{
	uint64		blocks = 0;

	/* InvalidForkNumber: all of them */
	for (ForkNumber f = 0; f <= MAX_FORKNUM; f++)
	{
		if (fork != InvalidForkNumber && fork != f)
			continue;
		if (fork == InvalidForkNumber && !smgrexists(RelationGetSmgr(rel), f))
			continue;
		blocks += smgrnblocks(RelationGetSmgr(rel), f);
	}
	return blocks * BLCKSZ;
}

void
am_relation_estimate_size(Relation rel, int32 *attr_widths, BlockNumber *pages, double *tuples,
						  double *allvisfrac)
{
	*pages = RelationGetNumberOfBlocks(rel);
	*tuples = estimate_records(rel);
	*allvisfrac = 0;
}

/* VACUUM of a compacted topic compacts whatever can be, autovacuum what is due. */
static void
compact_topic(Relation rel, int level, bool only_due)
{
	const Topic *topic = topic_get(RelationGetRelid(rel));
	int64		now_ms = produce_timestamp_ms(GetCurrentTimestamp());
	CompactStats stats = {0};

	if (RecoveryInProgress() || topic == NULL || !(topic->config.cleanup_policy & CONFIG_CLEANUP_COMPACT))
		return;
	for (int32 i = 0; i < topic->n_partitions; i++)
	{
		Compaction *c = compact_begin(rel, i, &topic->config, now_ms, !only_due);

		if (c != NULL)
		{
			while (compact_step(c, rel))
				CHECK_FOR_INTERRUPTS();
			compact_end(c, &stats);
		}
		log_slots_release();
	}
	ereport(level,
			(errmsg("\"%s\": compaction read %lld bytes, and replaced %lld extents by %lld bytes",
					RelationGetRelationName(rel), (long long) stats.bytes_read,
					(long long) stats.extents_replaced, (long long) stats.bytes_written)));
}

void
am_relation_vacuum(Relation rel, struct VacuumParams *params, BufferAccessStrategy bstrategy)
{
	MultiXactId min_multi = GetOldestMultiXactId(); /* rows are never locked: none is in there */
	TimestampTz started = GetCurrentTimestamp();
	LogVacuumStats stats;

	compact_topic(rel, (params->options & VACOPT_VERBOSE) ? INFO : DEBUG2,
				  IsAutoVacuumWorkerProcess());
	memset(&stats, 0, sizeof(stats));
	log_vacuum(rel, &stats);

	compat_update_relstats(rel, stats.pages, stats.records, stats.frozen_xid, min_multi);
	compat_report_vacuum(rel, stats.records, started);
	(void) started;				/* unused before 18 */

	ereport((params->options & VACOPT_VERBOSE) ? INFO : DEBUG2,
			(errmsg("\"%s\": %.0f records in %u pages, %u pages given back",
					RelationGetRelationName(rel), (double) stats.records, stats.pages,
					stats.pages_removed)));
}
