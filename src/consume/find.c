/*-------------------------------------------------------------------------
 *
 * find.c
 *	  Records in the log, for who has to know where one is.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "am/cursor.h"
#include "consume/consume.h"
#include "log/log.h"
#include "miscadmin.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

bool
consume_first_record(Relation rel, int32 partition, int64 lo, int64 hi, int64 since_ms, Record *record)
{
	MemoryContext cxt = AllocSetContextCreate(CurrentMemoryContext, "pg_broker find", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old_cxt = MemoryContextSwitchTo(cxt);
	AmCursor   *cursor = cursor_create(rel, InvalidSnapshot, false);
	bool		found;

	if (since_ms >= 0)
		cursor_set_times(cursor, since_ms, PG_INT64_MAX);
	cursor_open(cursor, partition, lo, hi, 0);
	while ((found = cursor_next(cursor, record)) && record->timestamp < since_ms)
		CHECK_FOR_INTERRUPTS();
	cursor_close(cursor);
	MemoryContextSwitchTo(old_cxt);
	MemoryContextDelete(cxt);
	return found;
}
