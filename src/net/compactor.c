/*-------------------------------------------------------------------------
 *
 * compactor.c
 *	  Compaction by the controller.
 *
 * Each step is a transaction of its own, so the lock on the topic is held for tens of
 * milliseconds at a time, and clients' requests to the controller are served in
 * between.  Who wants the topic's lock meanwhile gets it, and compaction of that
 * partition begins again with the next pass.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "compact/compact.h"
#include "miscadmin.h"
#include "net/compactor.h"
#include "net/process.h"
#include "pgstat.h"
#include "storage/lmgr.h"
#include "topic/topic.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

/* Begin a transaction that holds the topic's lock; NULL: it is not to be had, or not to be compacted. */
static const Topic *
begin_with_topic(Oid relid)
{
	const Topic *topic;
	bool		busy;

	net_transaction_begin();
	if (!ConditionalLockRelationOid(relid, ShareUpdateExclusiveLock))
		return NULL;
	topic = topic_try_get(relid, &busy);
	return topic != NULL && (topic->config.cleanup_policy & CONFIG_CLEANUP_COMPACT) ? topic : NULL;
}

static Compaction *
begin_partition(Oid relid, int32 partition, MemoryContext context, int32 *n_partitions)
{
	const Topic *topic = begin_with_topic(relid);
	Compaction *c = NULL;

	*n_partitions = 0;
	if (topic != NULL)
	{
		Relation	rel = relation_open(relid, NoLock);
		MemoryContext old_context = MemoryContextSwitchTo(context);

		*n_partitions = topic->n_partitions;
		c = compact_begin(rel, partition, &topic->config,
						  GetCurrentTimestamp() / 1000 +
						  (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * INT64CONST(86400000), false);
		MemoryContextSwitchTo(old_context);
		relation_close(rel, NoLock);
	}
	net_turn_done();
	return c;
}

static bool
step(Oid relid, Compaction *c)
{
	bool		more = false;

	if (begin_with_topic(relid) != NULL)
	{
		Relation	rel = relation_open(relid, NoLock);

		more = compact_step(c, rel);
		relation_close(rel, NoLock);
	}
	net_turn_done();
	return more;
}

void
net_compact_topic(Oid relid, void (*between) (void))
{
	MemoryContext context = AllocSetContextCreate(TopMemoryContext, "pg_broker compactor",
												  ALLOCSET_SMALL_SIZES);
	volatile int32 partition = 0;
	volatile bool more = true;

	while (more)
	{
		PG_TRY();
		{
			int32		n_partitions;
			Compaction *c = begin_partition(relid, partition, context, &n_partitions);

			while (c != NULL && step(relid, c))
			{
				pgstat_report_activity(STATE_RUNNING, "compaction");
				between();
			}
			partition++;
			more = partition < n_partitions;
		}
		PG_CATCH();
		{
			net_transaction_failed(true);
			more = false;
		}
		PG_END_TRY();
		MemoryContextReset(context);
		between();
	}
	MemoryContextDelete(context);
}
