/*-------------------------------------------------------------------------
 *
 * call.c
 *	  The shared-memory queues to and from the coordinator.
 *
 * The lists of free slots, of requests and of each worker's answers go through
 * the slots; one lock guards them all, and is held for a copy at most.  A latch belongs
 * to a process slot that outlives its process, so setting one whose owner has just gone
 * is harmless.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "exchange/call.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/condition_variable.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"
#include "utils/dsa.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#define EXTRA_SLOTS 128 /* of sessions, and of connections that are just closing */
#define MAX_MEMORY ((size_t) 256 * 1024 * 1024)
#define MAX_LENGTH (64 * 1024 * 1024)
#define INITIAL_MEMORY (256 * 1024)

/* A coordinator that ended is started again within a second, and has to load. */
#define WAIT_FOR_COORDINATOR_MS 10000

#define NO_WORKER (-1)

typedef enum SlotState
{
	SLOT_FREE,
	SLOT_QUEUED,
	SLOT_RUNNING,
	SLOT_ANSWERED
} SlotState;

typedef struct Slot
{
	uint8		state;			/* SlotState */
	bool		forgotten;		/* QUEUED or ANSWERED: nobody waits for it */
	int16		worker;			/* NO_WORKER: a session's, whose latch is set */
	Latch	   *latch;
	uint32		generation;		/* of its use, so that a late answer finds nobody */
	int			next;			/* in the list that it is in; -1: the last */
	uint32		length;
	dsa_pointer	data;			/* Call and message, or the answer; may be invalid */
} Slot;

typedef struct SlotList
{
	int			first;			/* -1: empty */
	int			last;
} SlotList;

typedef struct CallShared
{
	LWLock		lock;
	Latch	   *coordinator;	/* NULL: there is none */
	Latch	   *workers[CALL_MAX_WORKERS];
	uint64		wanting;		/* workers that found no room, a bit each */
	ConditionVariable room;		/* likewise, for sessions */
	int			n_slots;
	SlotList	free;
	SlotList	queue;
	SlotList	answers[CALL_MAX_WORKERS];
	Slot		slots[FLEXIBLE_ARRAY_MEMBER];
} CallShared;

static CallShared *shared;
static void *dsa_place;
static dsa_area *area;

int
call_n_slots(void)
{
	return shared->n_slots;
}

static Size
queues_size(int n_connections)
{
	return MAXALIGN(
		add_size(offsetof(CallShared, slots), mul_size(n_connections + EXTRA_SLOTS, sizeof(Slot))));
}

Size
call_shmem_size(int n_connections)
{
	return add_size(queues_size(n_connections), INITIAL_MEMORY);
}

static void
push(SlotList *list, int slot)
{
	shared->slots[slot].next = -1;
	if (list->first < 0)
		list->first = slot;
	else
		shared->slots[list->last].next = slot;
	list->last = slot;
}

static int
pop(SlotList *list)
{
	int			slot = list->first;

	if (slot >= 0)
		list->first = shared->slots[slot].next;
	return slot;
}

void
call_shmem_init(int n_connections)
{
	bool		found;

	shared = ShmemInitStruct("pg_broker coordinator queue", call_shmem_size(n_connections), &found);
	dsa_place = (char *) shared + queues_size(n_connections);
	if (found)
		return;

	memset(shared, 0, queues_size(n_connections));
	shared->n_slots = n_connections + EXTRA_SLOTS;
	ConditionVariableInit(&shared->room);
	LWLockInitialize(&shared->lock, GetNamedLWLockTranche("pg_broker_call")->lock.tranche);
	shared->free.first = shared->queue.first = -1;
	for (int i = 0; i < CALL_MAX_WORKERS; i++)
		shared->answers[i].first = -1;
	for (int i = 0; i < call_n_slots(); i++)
		push(&shared->free, i);

	/* The postmaster can't make further segments; the size grows later. */
	area = dsa_create_in_place(dsa_place, INITIAL_MEMORY,
							   GetNamedLWLockTranche("pg_broker_call_memory")->lock.tranche, NULL);
	dsa_pin(area);
	dsa_set_size_limit(area, INITIAL_MEMORY);
	dsa_detach(area);
	area = NULL;
}

void
call_attach(void)
{
	MemoryContext old;

	if (area)
		return;
	old = MemoryContextSwitchTo(TopMemoryContext);

	area = dsa_attach_in_place(dsa_place, NULL);
	dsa_pin_mapping(area);
	dsa_set_size_limit(area, MAX_MEMORY);
	MemoryContextSwitchTo(old);
}

dsa_area *
call_memory(void)
{
	call_attach();
	return area;
}

/* ---------- with the lock held ---------- */

static void
drop_data(Slot *slot)
{
	if (DsaPointerIsValid(slot->data))
		dsa_free(area, slot->data);
	slot->data = InvalidDsaPointer;
}

/* The slot, which is in no list, becomes free; who found no room is woken. */
static void
release(int number)
{
	Slot	   *slot = &shared->slots[number];
	uint64		wanting = shared->wanting;

	drop_data(slot);
	slot->state = SLOT_FREE;
	slot->forgotten = false;
	slot->generation++;
	push(&shared->free, number);
	shared->wanting = 0;
	for (int i = 0; wanting != 0; i++, wanting >>= 1)
		if ((wanting & 1) && shared->workers[i])
			SetLatch(shared->workers[i]);
	ConditionVariableSignal(&shared->room);
}

/* A RUNNING slot gets its answer. */
static void
answer_slot(int number, const char *answer, uint32 length)
{
	Slot	   *slot = &shared->slots[number];

	slot->length = length;
	slot->data = InvalidDsaPointer;
	if (answer)
	{
		/* Without memory the request has failed. */
		slot->data = dsa_allocate_extended(area, Max(length, 1), DSA_ALLOC_NO_OOM | DSA_ALLOC_HUGE);
		if (DsaPointerIsValid(slot->data))
			memcpy(dsa_get_address(area, slot->data), answer, length);
	}
	slot->state = SLOT_ANSWERED;
	if (slot->worker != NO_WORKER)
		push(&shared->answers[slot->worker], number);
}

static void
forget(int number)
{
	Slot	   *slot = &shared->slots[number];

	if (slot->state == SLOT_RUNNING || (slot->state == SLOT_ANSWERED && slot->worker == NO_WORKER))
		release(number);
	else if (slot->state != SLOT_FREE)
		slot->forgotten = true;	/* who takes it from its list frees it */
}

/* ---------- workers ---------- */

void
call_worker_attach(int worker)
{
	int			number;

	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	shared->workers[worker] = MyLatch;
	while ((number = pop(&shared->answers[worker])) >= 0)
		release(number);
	for (int i = 0; i < shared->n_slots; i++)
		if (shared->slots[i].worker == worker)
			forget(i);
	LWLockRelease(&shared->lock);
}

/* Only one's own: a successor may have attached already. */
void
call_worker_detach(int worker)
{
	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	if (shared->workers[worker] == MyLatch)
		shared->workers[worker] = NULL;
	LWLockRelease(&shared->lock);
}

/* With the lock held: put a request into the queue; false if there is no room. */
static bool
enqueue(int worker, const Call *call, const char *message, uint32 length, int *number)
{
	dsa_pointer	data = InvalidDsaPointer;
	char	   *p;
	Slot	   *slot;

	if (shared->free.first >= 0)
		data = dsa_allocate_extended(area, sizeof(Call) + length, DSA_ALLOC_NO_OOM | DSA_ALLOC_HUGE);
	if (!DsaPointerIsValid(data))
		return false;
	p = dsa_get_address(area, data);
	memcpy(p, call, sizeof(Call));
	if (length > 0)
		memcpy(p + sizeof(Call), message, length);

	*number = pop(&shared->free);
	slot = &shared->slots[*number];
	slot->state = SLOT_QUEUED;
	slot->forgotten = false;
	slot->worker = worker;
	slot->latch = MyLatch;
	slot->data = data;
	slot->length = length;
	push(&shared->queue, *number);
	if (shared->coordinator)
		SetLatch(shared->coordinator);
	return true;
}

CallResult
call_send(int worker, const Call *call, const char *message, uint32 length, int *slot_number)
{
	CallResult	result = CALL_SENT;

	if (length > MAX_LENGTH)
		return CALL_TOO_LARGE;

	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	if (!enqueue(worker, call, message, length, slot_number))
	{
		shared->wanting |= UINT64CONST(1) << worker;
		result = CALL_FULL;
	}
	LWLockRelease(&shared->lock);
	return result;
}

/* With the lock held: a palloc'd copy of an answer, or NULL. */
static char *
copy_answer(const Slot *slot, uint32 *length)
{
	char	   *answer;

	*length = 0;
	if (!DsaPointerIsValid(slot->data))
		return NULL;
	answer = MemoryContextAllocExtended(CurrentMemoryContext, Max(slot->length, 1),
										MCXT_ALLOC_NO_OOM | MCXT_ALLOC_HUGE);
	*length = slot->length;
	if (answer)
		memcpy(answer, dsa_get_address(area, slot->data), slot->length);
	return answer;
}

int
call_receive(int worker, char **answer, uint32 *length)
{
	int			number = -1;

	*answer = NULL;
	*length = 0;
	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	while ((number = pop(&shared->answers[worker])) >= 0 && shared->slots[number].forgotten)
		release(number);
	if (number >= 0)
	{
		*answer = copy_answer(&shared->slots[number], length);
		release(number);
	}
	LWLockRelease(&shared->lock);
	return number;
}

void
call_forget(int slot_number)
{
	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	forget(slot_number);
	LWLockRelease(&shared->lock);
}

/* ---------- SQL sessions ---------- */

static void
forget_asked(int code, Datum number)
{
	call_forget(DatumGetInt32(number));
}

/* Is the answer there?  Then the slot is free again. */
static bool
take_answer(int number, char **answer, uint32 *length, bool *served)
{
	bool		done;

	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	done = shared->slots[number].state == SLOT_ANSWERED;
	*served = shared->coordinator != NULL;
	if (done)
	{
		*answer = copy_answer(&shared->slots[number], length);
		release(number);
	}
	LWLockRelease(&shared->lock);
	return done;
}

static void
report_no_coordinator(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_CANNOT_CONNECT_NOW), errmsg("the coordinator of consumer groups is not running"),
			 errdetail("The process \"pg_broker coordinator\" did not come back within %d seconds.",
					   WAIT_FOR_COORDINATOR_MS / 1000),
			 errhint("Try again; the server's log says why it ended.")));
}

static char *
wait_for_answer(int number, uint32 *length)
{
	char	   *answer = NULL;
	bool		served;
	TimestampTz	served_at = GetCurrentTimestamp();

	while (!take_answer(number, &answer, length, &served))
	{
		TimestampTz	now = GetCurrentTimestamp();

		if (served)
			served_at = now;
		else if (TimestampDifferenceExceeds(served_at, now, WAIT_FOR_COORDINATOR_MS))
			report_no_coordinator();
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_EXIT_ON_PM_DEATH | WL_TIMEOUT, 1000, PG_WAIT_EXTENSION);
		ResetLatch(MyLatch);
		CHECK_FOR_INTERRUPTS();
	}
	return answer;
}

static int
enqueue_or_wait(const Call *call, const char *message, uint32 length)
{
	bool		sent = false;
	int			number = -1;

	while (!sent)
	{
		LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
		sent = enqueue(NO_WORKER, call, message, length, &number);
		LWLockRelease(&shared->lock);
		if (!sent)
			(void) ConditionVariableTimedSleep(&shared->room, 1000, PG_WAIT_EXTENSION);
	}
	ConditionVariableCancelSleep();
	return number;
}

char *
call_ask(const Call *call, const char *message, uint32 length, uint32 *answer_length)
{
	int			number;
	char	   *answer;

	if (length > MAX_LENGTH)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("a request to the coordinator is too large")));
	call_attach();
	number = enqueue_or_wait(call, message, length);
	PG_ENSURE_ERROR_CLEANUP(forget_asked, Int32GetDatum(number));
	{
		answer = wait_for_answer(number, answer_length);
	}
	PG_END_ENSURE_ERROR_CLEANUP(forget_asked, Int32GetDatum(number));
	return answer;
}

void
call_wake_coordinator(void)
{
	LWLockAcquire(&shared->lock, LW_SHARED);
	if (shared->coordinator)
		SetLatch(shared->coordinator);
	LWLockRelease(&shared->lock);
}

/* ---------- coordinator ---------- */

/* With the lock held. */
static void
wake_caller(const Slot *slot)
{
	Latch	   *latch = slot->worker == NO_WORKER ? slot->latch : shared->workers[slot->worker];

	if (latch)
		SetLatch(latch);
}

void
call_coordinator_attach(void)
{
	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	shared->coordinator = MyLatch;
	for (int i = 0; i < shared->n_slots; i++)
	{
		if (shared->slots[i].state != SLOT_RUNNING)
			continue;
		answer_slot(i, NULL, 0);
		wake_caller(&shared->slots[i]);
	}
	LWLockRelease(&shared->lock);
}

void
call_coordinator_detach(void)
{
	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	if (shared->coordinator == MyLatch)
		shared->coordinator = NULL;
	LWLockRelease(&shared->lock);
}

bool
call_take(Call *call, char **message, uint32 *length, uint64 *token)
{
	int			number;

	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	number = pop(&shared->queue);
	if (number >= 0)
	{
		Slot	   *slot = &shared->slots[number];
		const char *p = dsa_get_address(area, slot->data);

		memcpy(call, p, sizeof(Call));
		*length = slot->length;
		*message = MemoryContextAllocExtended(CurrentMemoryContext, Max(slot->length, 1),
											  MCXT_ALLOC_NO_OOM | MCXT_ALLOC_HUGE);
		if (*message)
			memcpy(*message, p + sizeof(Call), slot->length);
		drop_data(slot);
		slot->state = SLOT_RUNNING;
		*token = 0;
		if (slot->forgotten)
			release(number);
		else
			*token = (uint64) slot->generation << 32 | (uint64) (number + 1);
	}
	LWLockRelease(&shared->lock);
	return number >= 0;
}

void
call_answer(uint64 token, const char *answer, uint32 length)
{
	int			number = (int) (token & 0xFFFFFFFF) - 1;
	Slot	   *slot;

	if (number < 0)
		return;
	if (length > MAX_LENGTH)
		answer = NULL;
	slot = &shared->slots[number];
	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	if (slot->state == SLOT_RUNNING && slot->generation == (uint32) (token >> 32))
	{
		answer_slot(number, answer, length);
		wake_caller(slot);
	}
	LWLockRelease(&shared->lock);
}
