/*-------------------------------------------------------------------------
 *
 * pending.c
 *	  Partitions that a transaction has added.
 *
 * Adding partitions to a topic's file is not undone by ROLLBACK, so it is put
 * off to the moment before the commit.  Until then this transaction alone
 * sees the new count (cache.c).  Should the commit still fail after that, the
 * topic keeps its new, empty partitions.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "access/xact.h"
#include "log/log.h"
#include "topic/internal.h"
#include "utils/memutils.h"
#include "utils/rel.h"

typedef struct Pending
{
	Oid			relid;
	int32		n_partitions;
	int			nest_level;		/* of the (sub)transaction that asked for it */
} Pending;

/* Of the current transaction, in TopTransactionContext; newest last. */
static List *pending = NIL;

void
topic_add_pending(Oid relid, int32 n_partitions)
{
	MemoryContext old = MemoryContextSwitchTo(TopTransactionContext);
	Pending    *p;
	ListCell   *lc;

	/* COPY asks again and again */
	foreach(lc, pending)
	{
		p = lfirst(lc);
		if (p->relid == relid && p->nest_level == GetCurrentTransactionNestLevel())
		{
			p->n_partitions = Max(p->n_partitions, n_partitions);
			MemoryContextSwitchTo(old);
			return;
		}
	}

	p = palloc(sizeof(Pending));
	p->relid = relid;
	p->n_partitions = n_partitions;
	p->nest_level = GetCurrentTransactionNestLevel();
	pending = lappend(pending, p);
	MemoryContextSwitchTo(old);
}

int32
topic_pending_partitions(Oid relid)
{
	int32		result = 0;
	ListCell   *lc;

	foreach(lc, pending)
	{
		Pending    *p = lfirst(lc);

		if (p->relid == relid)
			result = Max(result, p->n_partitions);
	}
	return result;
}

void
topic_apply_pending(void)
{
	List	   *todo = pending;
	ListCell   *lc;

	/* not twice */
	pending = NIL;
	foreach(lc, todo)
	{
		Pending    *p = lfirst(lc);
		Relation	rel = try_relation_open(p->relid, ShareUpdateExclusiveLock);
		LogTopicInfo info;

		if (rel == NULL)
			continue;			/* dropped in this transaction */
		log_topic_info(rel, &info);
		if (info.n_partitions < p->n_partitions)
		{
			log_add_partitions(rel, p->n_partitions);
			/* this process is to see them at once */
			CommandCounterIncrement();
		}
		relation_close(rel, NoLock);
	}
}

static void
at_transaction_event(XactEvent event, void *arg)
{
	switch (event)
	{
		case XACT_EVENT_PRE_COMMIT:
		case XACT_EVENT_PARALLEL_PRE_COMMIT:
		case XACT_EVENT_PRE_PREPARE:
			topic_apply_pending();
			break;
		default:
			pending = NIL;
			break;
	}
}

static void
at_subtransaction_event(SubXactEvent event, SubTransactionId mySubid,
						SubTransactionId parentSubid, void *arg)
{
	int			level = GetCurrentTransactionNestLevel();
	ListCell   *lc;

	foreach(lc, pending)
	{
		Pending    *p = lfirst(lc);

		if (p->nest_level < level)
			continue;
		if (event == SUBXACT_EVENT_ABORT_SUB)
			pending = foreach_delete_current(pending, lc);
		else if (event == SUBXACT_EVENT_COMMIT_SUB)
			p->nest_level = level - 1;
	}
}

void
topic_pending_init(void)
{
	RegisterXactCallback(at_transaction_event, NULL);
	RegisterSubXactCallback(at_subtransaction_event, NULL);
}
