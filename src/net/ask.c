/*-------------------------------------------------------------------------
 *
 * ask.c
 *	  The shared-memory queue between the network workers and the controller.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "net/ask.h"
#include "net/shared.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"
#include "utils/dsa.h"
#include "utils/memutils.h"

#define N_SLOTS			64
#define MAX_MEMORY		(64 * 1024 * 1024)
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
	SlotState	state;
	bool		forgotten;		/* RUNNING, but nobody waits for it */
	int			worker;
	uint64		order;
	dsa_pointer data;			/* the message, or the answer; may be invalid */
	uint32		length;
	NetAsk		ask;
} Slot;

typedef struct AskShared
{
	LWLock		lock;
	uint64		next_order;
	uint64		wanting;		/* workers that found no room, a bit each */
	Slot		slots[N_SLOTS];
} AskShared;

static AskShared *shared;
static void *dsa_place;
static dsa_area *area;

Size
net_ask_shmem_size(void)
{
	return add_size(MAXALIGN(sizeof(AskShared)), INITIAL_MEMORY);
}

void
net_ask_shmem_init(void)
{
	bool		found;

	shared = ShmemInitStruct("pg_broker controller queue", net_ask_shmem_size(), &found);
	dsa_place = (char *) shared + MAXALIGN(sizeof(AskShared));
	if (found)
		return;

	memset(shared, 0, sizeof(AskShared));
	LWLockInitialize(&shared->lock, GetNamedLWLockTranche("pg_broker_ask")->lock.tranche);

	/* The postmaster can't make further segments; the size grows later. */
	area = dsa_create_in_place(dsa_place, INITIAL_MEMORY,
							   GetNamedLWLockTranche("pg_broker_ask_memory")->lock.tranche, NULL);
	dsa_pin(area);
	dsa_set_size_limit(area, INITIAL_MEMORY);
	dsa_detach(area);
	area = NULL;
}

void
net_ask_attach(void)
{
	MemoryContext old = MemoryContextSwitchTo(TopMemoryContext);

	area = dsa_attach_in_place(dsa_place, NULL);
	dsa_pin_mapping(area);
	dsa_set_size_limit(area, MAX_MEMORY);
	MemoryContextSwitchTo(old);
}

/* With the lock held: the slot becomes free; who found no room is woken. */
static void
release_slot(Slot *slot)
{
	uint64		wanting = shared->wanting;

	if (DsaPointerIsValid(slot->data))
		dsa_free(area, slot->data);
	slot->data = InvalidDsaPointer;
	slot->state = SLOT_FREE;
	slot->forgotten = false;
	shared->wanting = 0;
	for (int i = 0; wanting != 0; i++, wanting >>= 1)
		if (wanting & 1)
			net_wake(&net_shared->workers[i]);
}

/* With the lock held.  NULL `data` leaves the slot without any; false: no memory. */
static bool
store(Slot *slot, const char *data, uint32 length)
{
	slot->data = InvalidDsaPointer;
	slot->length = length;
	if (data == NULL || length == 0)
		return true;
	slot->data = dsa_allocate_extended(area, length, DSA_ALLOC_NO_OOM);
	if (!DsaPointerIsValid(slot->data))
		return false;
	memcpy(dsa_get_address(area, slot->data), data, length);
	return true;
}

void
net_ask_reset_worker(int worker)
{
	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	for (int i = 0; i < N_SLOTS; i++)
	{
		Slot	   *slot = &shared->slots[i];

		if (slot->state == SLOT_FREE || slot->worker != worker)
			continue;
		if (slot->state == SLOT_RUNNING)
			slot->forgotten = true;
		else
			release_slot(slot);
	}
	LWLockRelease(&shared->lock);
}

NetAskResult
net_ask_send(int worker, const NetAsk *ask, const char *message, uint32 length, int *slot_number)
{
	NetAskResult result = NET_ASK_FULL;

	if (length > NET_ASK_MAX_LENGTH)
		return NET_ASK_TOO_LARGE;

	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	for (int i = 0; i < N_SLOTS; i++)
	{
		Slot	   *slot = &shared->slots[i];

		if (slot->state != SLOT_FREE)
			continue;
		if (!store(slot, message, length))
			break;
		slot->state = SLOT_QUEUED;
		slot->forgotten = false;
		slot->worker = worker;
		slot->order = shared->next_order++;
		slot->ask = *ask;
		*slot_number = i;
		result = NET_ASK_SENT;
		break;
	}
	if (result == NET_ASK_FULL)
		shared->wanting |= UINT64CONST(1) << worker;
	LWLockRelease(&shared->lock);

	if (result == NET_ASK_SENT)
		net_wake(&net_shared->controller);
	return result;
}

bool
net_ask_receive(int slot_number, char **answer, uint32 *length)
{
	Slot	   *slot = &shared->slots[slot_number];
	bool		done;

	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	done = slot->state == SLOT_ANSWERED;
	if (done)
	{
		*answer = NULL;
		*length = slot->length;
		if (DsaPointerIsValid(slot->data))
		{
			*answer = MemoryContextAllocExtended(CurrentMemoryContext, slot->length, MCXT_ALLOC_NO_OOM);
			if (*answer)
				memcpy(*answer, dsa_get_address(area, slot->data), slot->length);
		}
		release_slot(slot);
	}
	LWLockRelease(&shared->lock);
	return done;
}

void
net_ask_forget(int slot_number)
{
	Slot	   *slot = &shared->slots[slot_number];

	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	if (slot->state == SLOT_RUNNING)
		slot->forgotten = true;
	else if (slot->state != SLOT_FREE)
		release_slot(slot);
	LWLockRelease(&shared->lock);
}

void
net_ask_reset_controller(void)
{
	for (int i = 0; i < N_SLOTS; i++)
		if (shared->slots[i].state == SLOT_RUNNING)
			net_ask_answer(i, NULL, 0);
}

int
net_ask_take(NetAsk *ask, char **message, uint32 *length)
{
	int			found = -1;

	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	for (int i = 0; i < N_SLOTS; i++)
		if (shared->slots[i].state == SLOT_QUEUED &&
			(found < 0 || shared->slots[i].order < shared->slots[found].order))
			found = i;
	if (found >= 0)
	{
		Slot	   *slot = &shared->slots[found];

		*ask = slot->ask;
		*length = slot->length;
		*message = MemoryContextAllocExtended(CurrentMemoryContext, Max(slot->length, 1),
											  MCXT_ALLOC_NO_OOM);
		if (*message && slot->length > 0)
			memcpy(*message, dsa_get_address(area, slot->data), slot->length);
		if (DsaPointerIsValid(slot->data))
			dsa_free(area, slot->data);
		slot->data = InvalidDsaPointer;
		slot->length = 0;
		slot->state = SLOT_RUNNING;
	}
	LWLockRelease(&shared->lock);
	return found;
}

void
net_ask_answer(int slot_number, const char *answer, uint32 length)
{
	Slot	   *slot = &shared->slots[slot_number];
	int			worker = -1;

	if (length > NET_ASK_MAX_LENGTH)
		answer = NULL;

	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	if (slot->forgotten)
		release_slot(slot);
	else
	{
		(void) store(slot, answer, length); /* without memory it has failed */
		slot->state = SLOT_ANSWERED;
		worker = slot->worker;
	}
	LWLockRelease(&shared->lock);
	if (worker >= 0)
		net_wake(&net_shared->workers[worker]);
}
