/*-------------------------------------------------------------------------
 *
 * shared.c
 *	  The shared memory of the broker's processes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "broker/settings.h"
#include "miscadmin.h"
#include "net/shared.h"
#include "storage/shmem.h"

NetShared  *net_shared = NULL;

Size
net_shared_size(void)
{
	return add_size(offsetof(NetShared, slots),
					mul_size(broker_max_connections, sizeof(NetConnectionSlot)));
}

/* Called with AddinShmemInitLock held. */
void
net_shared_init(void)
{
	bool		found;

	net_shared = ShmemInitStruct("pg_broker network", net_shared_size(), &found);
	if (found)
		return;

	memset(net_shared, 0, net_shared_size());
	SpinLockInit(&net_shared->mutex);
	LWLockInitialize(&net_shared->listen_lock,
					 GetNamedLWLockTranche("pg_broker_listen")->lock.tranche);
	pg_atomic_init_u32(&net_shared->catalog_changes, 0);
	pg_atomic_init_u32(&net_shared->database_exists, 0);
	pg_atomic_init_u32(&net_shared->groups_loaded, 0);
	net_shared->n_slots = broker_max_connections;
	net_shared->first_free = 0;
	for (int i = 0; i < net_shared->n_slots; i++)
	{
		NetConnectionSlot *slot = &net_shared->slots[i];

		SpinLockInit(&slot->mutex);
		slot->next_free = i + 1 < net_shared->n_slots ? i + 1 : -1;
		pg_atomic_init_u64(&slot->bytes_in, 0);
		pg_atomic_init_u64(&slot->bytes_out, 0);
		pg_atomic_init_u64(&slot->requests, 0);
		pg_atomic_init_u64(&slot->last_request, 0);
		pg_atomic_init_u32(&slot->last_api, 0);
		pg_atomic_init_u32(&slot->state, NET_CONNECTION_IDLE);
	}
}

void
net_attach_latch(Latch **where)
{
	SpinLockAcquire(&net_shared->mutex);
	*where = MyLatch;
	SpinLockRelease(&net_shared->mutex);
}

/* Only one's own: a successor may have attached already. */
void
net_detach_latch(Latch **where)
{
	SpinLockAcquire(&net_shared->mutex);
	if (*where == MyLatch)
		*where = NULL;
	SpinLockRelease(&net_shared->mutex);
}

/*
 * A latch belongs to a process slot that outlives its process, so setting one
 * whose owner has just gone is harmless.
 */
void
net_wake(Latch **where)
{
	Latch	   *latch;

	SpinLockAcquire(&net_shared->mutex);
	latch = *where;
	SpinLockRelease(&net_shared->mutex);
	if (latch)
		SetLatch(latch);
}

void
net_wake_all(void)
{
	net_wake(&net_shared->controller);
	net_wake(&net_shared->coordinator);
	net_wake(&net_shared->flusher);
	for (int i = 0; i < NET_MAX_WORKERS; i++)
		net_wake(&net_shared->workers[i]);
}

NetConnectionSlot *
net_slot_acquire(void)
{
	NetConnectionSlot *slot = NULL;

	SpinLockAcquire(&net_shared->mutex);
	if (net_shared->first_free >= 0)
	{
		slot = &net_shared->slots[net_shared->first_free];
		net_shared->first_free = slot->next_free;
	}
	SpinLockRelease(&net_shared->mutex);
	if (slot == NULL)
		return NULL;

	pg_atomic_write_u64(&slot->bytes_in, 0);
	pg_atomic_write_u64(&slot->bytes_out, 0);
	pg_atomic_write_u64(&slot->requests, 0);
	pg_atomic_write_u64(&slot->last_request, 0);
	pg_atomic_write_u32(&slot->last_api, 0);
	pg_atomic_write_u32(&slot->state, NET_CONNECTION_IDLE);
	return slot;
}

void
net_slot_release(NetConnectionSlot *slot)
{
	SpinLockAcquire(&slot->mutex);
	slot->used = false;
	SpinLockRelease(&slot->mutex);

	SpinLockAcquire(&net_shared->mutex);
	slot->next_free = net_shared->first_free;
	net_shared->first_free = slot - net_shared->slots;
	SpinLockRelease(&net_shared->mutex);
}
