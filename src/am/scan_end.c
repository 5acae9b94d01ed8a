/*-------------------------------------------------------------------------
 *
 * scan_end.c
 *	  Where a SELECT stops reading what no SQL transaction wrote.
 *
 * A snapshot says nothing about the records of Kafka's producers.  A scan takes the
 * end of the partition as it is when the scan begins; under REPEATABLE READ and
 * SERIALIZABLE the end that the transaction's first scan has taken stays.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "am/am.h"
#include "am/scan.h"
#include "log/log.h"

#include "access/xact.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"
#include "utils/rel.h"

typedef struct EndKey
{
	RelFileNode node;			/* a TRUNCATE begins anew */
	int32		partition;
} EndKey;

typedef struct EndEntry
{
	EndKey		key;
	int64		end;
} EndEntry;

/* In TopTransactionContext. */
static HTAB *ends = NULL;

int64
scan_end(Relation rel, int32 partition)
{
	EndKey		key;
	EndEntry   *entry;
	bool		found;

	if (!IsolationUsesXactSnapshot())
		return log_scan_end(rel, partition);

	if (ends == NULL)
	{
		HASHCTL		ctl;

		memset(&ctl, 0, sizeof(ctl));
		ctl.keysize = sizeof(EndKey);
		ctl.entrysize = sizeof(EndEntry);
		ctl.hcxt = TopTransactionContext;
		ends = hash_create("pg_broker ends", 64, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	}
	memset(&key, 0, sizeof(key));
	key.node = rel->rd_node;
	key.partition = partition;
	entry = hash_search(ends, &key, HASH_FIND, NULL);
	if (entry == NULL)
	{
		int64		end = log_scan_end(rel, partition);

		entry = hash_search(ends, &key, HASH_ENTER, &found);
		entry->end = end;
	}
	return entry->end;
}

static void
xact_callback(XactEvent event, void *arg)
{
	switch (event)
	{
		case XACT_EVENT_COMMIT:
		case XACT_EVENT_PARALLEL_COMMIT:
		case XACT_EVENT_ABORT:
		case XACT_EVENT_PARALLEL_ABORT:
		case XACT_EVENT_PREPARE:
			ends = NULL;		/* its memory goes with the transaction's */
			break;
		default:
			break;
	}
}

void
am_scan_end_init(void)
{
	RegisterXactCallback(xact_callback, NULL);
}
