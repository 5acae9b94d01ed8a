/*-------------------------------------------------------------------------
 *
 * call.c
 *	  The shared-memory queues between the network workers and the coordinator.
 *
 * The lists of free slots, of requests and of each worker's answers go through
 * the slots; one lock guards them all, and is held for a copy at most.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "broker/settings.h"
#include "net/call.h"
#include "net/shared.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"
#include "utils/dsa.h"
#include "utils/memutils.h"

#define EXTRA_SLOTS		64		/* of connections that are just closing */
#define MAX_MEMORY		((size_t) 256 * 1024 * 1024)
#define MAX_LENGTH		(64 * 1024 * 1024)
#define INITIAL_MEMORY	(256 * 1024)

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
	int16		worker;
	uint32		generation;		/* of its use, so that a late answer finds nobody */
	int			next;			/* in the list that it is in; -1: the last */
	uint32		length;
	dsa_pointer data;			/* NetCall and message, or the answer; may be invalid */
} Slot;

typedef struct List
{
	int			first;			/* -1: empty */
	int			last;
} List;

typedef struct CallShared
{
	LWLock		lock;
	uint64		wanting;		/* workers that found no room, a bit each */
	List		free;
	List		queue;
	List		answers[NET_MAX_WORKERS];
	Slot		slots[FLEXIBLE_ARRAY_MEMBER];
} CallShared;

static CallShared *shared;
static void *dsa_place;
static dsa_area *area;

int
net_call_n_slots(void)
{
	return broker_max_connections + EXTRA_SLOTS;
}

static Size
queues_size(void)
{
	return MAXALIGN(add_size(offsetof(CallShared, slots), mul_size(net_call_n_slots(), sizeof(Slot))));
}

Size
net_call_shmem_size(void)
{
	return add_size(queues_size(), INITIAL_MEMORY);
}

static void
push(List *list, int slot)
{
	shared->slots[slot].next = -1;
	if (list->first < 0)
		list->first = slot;
	else
		shared->slots[list->last].next = slot;
	list->last = slot;
}

static int
pop(List *list)
{
	int			slot = list->first;

	if (slot >= 0)
		list->first = shared->slots[slot].next;
	return slot;
}

void
net_call_shmem_init(void)
{
	bool		found;

	shared = ShmemInitStruct("pg_broker coordinator queue", net_call_shmem_size(), &found);
	dsa_place = (char *) shared + queues_size();
	if (found)
		return;

	memset(shared, 0, queues_size());
	LWLockInitialize(&shared->lock, GetNamedLWLockTranche("pg_broker_call")->lock.tranche);
	shared->free.first = shared->queue.first = -1;
	for (int i = 0; i < NET_MAX_WORKERS; i++)
		shared->answers[i].first = -1;
	for (int i = 0; i < net_call_n_slots(); i++)
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
net_call_attach(void)
{
	MemoryContext old = MemoryContextSwitchTo(TopMemoryContext);

	area = dsa_attach_in_place(dsa_place, NULL);
	dsa_pin_mapping(area);
	dsa_set_size_limit(area, MAX_MEMORY);
	MemoryContextSwitchTo(old);
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
		if (wanting & 1)
			net_wake(&net_shared->workers[i]);
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
	push(&shared->answers[slot->worker], number);
}

static void
forget(int number)
{
	Slot	   *slot = &shared->slots[number];

	if (slot->state == SLOT_RUNNING)
		release(number);
	else if (slot->state != SLOT_FREE)
		slot->forgotten = true; /* who takes it from its list frees it */
}

/* ---------- workers ---------- */

void
net_call_reset_worker(int worker)
{
	int			number;

	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	while ((number = pop(&shared->answers[worker])) >= 0)
		release(number);
	for (int i = 0; i < net_call_n_slots(); i++)
		if (shared->slots[i].worker == worker)
			forget(i);
	LWLockRelease(&shared->lock);
}

NetCallResult
net_call_send(int worker, const NetCall *call, const char *message, uint32 length, int *slot_number)
{
	NetCallResult result = NET_CALL_FULL;
	dsa_pointer data;

	if (length > MAX_LENGTH)
		return NET_CALL_TOO_LARGE;

	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	if (shared->free.first >= 0)
	{
		data = dsa_allocate_extended(area, sizeof(NetCall) + length, DSA_ALLOC_NO_OOM | DSA_ALLOC_HUGE);
		if (DsaPointerIsValid(data))
		{
			char	   *p = dsa_get_address(area, data);
			int			number = pop(&shared->free);
			Slot	   *slot = &shared->slots[number];

			memcpy(p, call, sizeof(NetCall));
			if (length > 0)
				memcpy(p + sizeof(NetCall), message, length);
			slot->state = SLOT_QUEUED;
			slot->forgotten = false;
			slot->worker = worker;
			slot->data = data;
			slot->length = length;
			push(&shared->queue, number);
			*slot_number = number;
			result = NET_CALL_SENT;
		}
	}
	if (result == NET_CALL_FULL)
		shared->wanting |= UINT64CONST(1) << worker;
	LWLockRelease(&shared->lock);

	if (result == NET_CALL_SENT)
		net_wake(&net_shared->coordinator);
	return result;
}

int
net_call_receive(int worker, char **answer, uint32 *length)
{
	int			number = -1;

	*answer = NULL;
	*length = 0;
	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	while ((number = pop(&shared->answers[worker])) >= 0 && shared->slots[number].forgotten)
		release(number);
	if (number >= 0)
	{
		Slot	   *slot = &shared->slots[number];

		if (DsaPointerIsValid(slot->data))
		{
			*answer = MemoryContextAllocExtended(CurrentMemoryContext, Max(slot->length, 1),
												 MCXT_ALLOC_NO_OOM | MCXT_ALLOC_HUGE);
			*length = slot->length;
			if (*answer)
				memcpy(*answer, dsa_get_address(area, slot->data), slot->length);
		}
		release(number);
	}
	LWLockRelease(&shared->lock);
	return number;
}

void
net_call_forget(int slot_number)
{
	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	forget(slot_number);
	LWLockRelease(&shared->lock);
}

/* ---------- coordinator ---------- */

void
net_call_reset_coordinator(void)
{
	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	for (int i = 0; i < net_call_n_slots(); i++)
		if (shared->slots[i].state == SLOT_RUNNING)
			answer_slot(i, NULL, 0);
	LWLockRelease(&shared->lock);
	net_wake_all();
}

bool
net_call_take(NetCall *call, char **message, uint32 *length, uint64 *token)
{
	int			number;

	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	number = pop(&shared->queue);
	if (number >= 0)
	{
		Slot	   *slot = &shared->slots[number];
		const char *p = dsa_get_address(area, slot->data);

		memcpy(call, p, sizeof(NetCall));
		*length = slot->length;
		*message = MemoryContextAllocExtended(CurrentMemoryContext, Max(slot->length, 1),
											  MCXT_ALLOC_NO_OOM | MCXT_ALLOC_HUGE);
		if (*message)
			memcpy(*message, p + sizeof(NetCall), slot->length);
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
net_call_answer(uint64 token, const char *answer, uint32 length)
{
	int			number = (int) (token & 0xFFFFFFFF) - 1;
	int			worker = -1;
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
		worker = slot->worker;
	}
	LWLockRelease(&shared->lock);
	if (worker >= 0)
		net_wake(&net_shared->workers[worker]);
}
