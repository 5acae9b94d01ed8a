/*-------------------------------------------------------------------------
 *
 * wait.c
 *	  A backend waits for records of any partition of a topic.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "log/internal.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/ipc.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

typedef struct Wait
{
	const int64 *offsets;
	int32		n;
	LogPartition **parts;		/* NULL: nothing is known of it */
} Wait;

uint64
log_wakes(void)
{
	return pg_atomic_read_u64(&log_shared->wakes);
}

void
log_wake_waiting(void)
{
	pg_atomic_fetch_add_u64(&log_shared->wakes, 1);
	ConditionVariableBroadcast(&log_shared->any_advanced);
}

static void
stop_waiting(int code, Datum arg)
{
	Wait	   *wait = (Wait *) DatumGetPointer(arg);

	for (int32 i = 0; i < wait->n; i++)
		if (wait->parts[i])
			pg_atomic_fetch_sub_u32(&wait->parts[i]->sql_waiters, 1);
	wait->n = 0;
}

static bool
has_passed(const Wait *wait)
{
	for (int32 i = 0; i < wait->n; i++)
	{
		LogPartition *part = wait->parts[i];
		bool		passed;

		if (part == NULL)
			continue;
		SpinLockAcquire(&part->mutex);
		passed = !part->in_use || part->high_watermark > wait->offsets[i];
		SpinLockRelease(&part->mutex);
		if (passed)
			return true;
	}
	return false;
}

bool
log_wait_any(const RelFileNode *node, const int64 *offsets, int32 n, uint64 wakes, long timeout_ms)
{
	TimestampTz	start = GetCurrentTimestamp();
	Wait		wait = {.offsets = offsets,.n = n};
	bool		passed = false;

	wait.parts = palloc0(Max(n, 1) * sizeof(LogPartition *));
	PG_ENSURE_ERROR_CLEANUP(stop_waiting, PointerGetDatum(&wait));
	{
		for (int32 i = 0; i < n; i++)
		{
			LogKey		key;

			memset(&key, 0, sizeof(key));
			key.node = *node;
			key.partition = i;
			if (offsets[i] != PG_INT64_MAX)
				wait.parts[i] = log_slot_wait_for(&key);
		}
		ConditionVariablePrepareToSleep(&log_shared->any_advanced);
		for (;;)
		{
			long		left = timeout_ms -
				(long) TimestampDifferenceMilliseconds(start, GetCurrentTimestamp());

			passed = has_passed(&wait) || log_wakes() != wakes;
			if (passed || left <= 0)
				break;
			ConditionVariableTimedSleep(&log_shared->any_advanced, left, PG_WAIT_EXTENSION);
		}
		ConditionVariableCancelSleep();
	}
	PG_END_ENSURE_ERROR_CLEANUP(stop_waiting, PointerGetDatum(&wait));
	stop_waiting(0, PointerGetDatum(&wait));
	pfree(wait.parts);
	return passed;
}
