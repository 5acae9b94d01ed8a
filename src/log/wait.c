/*-------------------------------------------------------------------------
 *
 * wait.c
 *	  A backend waits for records of a partition, or of any partition of a topic.
 *
 * It has no lock on the relation; if the file is replaced meanwhile, the wait ends with
 * the timeout.
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
	const RelFileNode *node;
	ConditionVariable *signal;	/* what is told of all of them */
	const int64 *offsets;
	int32		n;
	LogPartition **parts;		/* NULL: nothing is known of it */
	const uint64 *wakes;		/* NULL: it doesn't matter how many there have been */
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

/* The partition is waited for from now on, if there is anything of it to wait for. */
static void
add(Wait *wait, int32 i, int32 partition)
{
	LogKey		key;

	memset(&key, 0, sizeof(key));
	key.node = *wait->node;
	key.partition = partition;
	wait->parts[i] = log_slot_wait_for(&key);
}

/* Called with stop_waiting() as clean-up. */
static bool
sleep_until(Wait *wait, long timeout_ms)
{
	TimestampTz	start = GetCurrentTimestamp();
	bool		passed;

	ConditionVariablePrepareToSleep(wait->signal);
	for (;;)
	{
		long		left = timeout_ms - (long) TimestampDifferenceMilliseconds(start, GetCurrentTimestamp());

		passed = has_passed(wait) || (wait->wakes && log_wakes() != *wait->wakes);
		if (passed || left <= 0)
			break;
		ConditionVariableTimedSleep(wait->signal, left, PG_WAIT_EXTENSION);
	}
	ConditionVariableCancelSleep();
	return passed;
}

bool
log_wait_advance(const RelFileNode *node, int32 partition, int64 offset, long timeout_ms)
{
	LogPartition *part = NULL;
	Wait		wait = {.node = node, .offsets = &offset, .n = 1, .parts = &part};
	bool		passed;

	add(&wait, 0, partition);
	if (part == NULL)
		return false;
	wait.signal = &part->advanced;
	PG_ENSURE_ERROR_CLEANUP(stop_waiting, PointerGetDatum(&wait));
	{
		passed = sleep_until(&wait, timeout_ms);
	}
	PG_END_ENSURE_ERROR_CLEANUP(stop_waiting, PointerGetDatum(&wait));
	stop_waiting(0, PointerGetDatum(&wait));
	return passed;
}

bool
log_wait_any(const RelFileNode *node, const int64 *offsets, int32 n, uint64 wakes, long timeout_ms)
{
	Wait		wait = {
		.node = node, .signal = &log_shared->any_advanced, .offsets = offsets, .n = n, .wakes = &wakes};
	bool		passed;

	wait.parts = palloc0(Max(n, 1) * sizeof(LogPartition *));
	PG_ENSURE_ERROR_CLEANUP(stop_waiting, PointerGetDatum(&wait));
	{
		for (int32 i = 0; i < n; i++)
			add(&wait, i, i);
		passed = sleep_until(&wait, timeout_ms);
	}
	PG_END_ENSURE_ERROR_CLEANUP(stop_waiting, PointerGetDatum(&wait));
	stop_waiting(0, PointerGetDatum(&wait));
	pfree(wait.parts);
	return passed;
}
