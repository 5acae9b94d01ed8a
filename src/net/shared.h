/*-------------------------------------------------------------------------
 *
 * shared.h
 *	  What the broker's processes share: latches, the listening addresses, the
 *	  table of connections.
 *
 * All of it lives in the main shared memory segment and starts empty with the
 * server (also after a crash).
 *
 *-------------------------------------------------------------------------
 */
#ifndef NET_SHARED_H
#define NET_SHARED_H

#include "datatype/timestamp.h"
#include "port/atomics.h"
#include "storage/latch.h"
#include "storage/lwlock.h"
#include "storage/spin.h"

#define NET_MAX_WORKERS		64	/* as log_worker_attach takes */
#define NET_MAX_ADDRESSES	16

typedef struct NetAddress
{
	char		host[64];		/* numeric */
	int			port;
} NetAddress;

/*
 * One client connection, written by its worker alone.  The strings change
 * under the mutex; the numbers are read as they are.
 */
typedef struct NetConnectionSlot
{
	slock_t		mutex;
	bool		used;
	int			next_free;
	int			worker_pid;
	Oid			role;
	char		client_host[64];
	int			client_port;
	char		client_id[64];
	char		software[128];
	TimestampTz connected;
	pg_atomic_uint64 bytes_in;
	pg_atomic_uint64 bytes_out;
	pg_atomic_uint64 requests;
	pg_atomic_uint64 last_request;	/* a TimestampTz */
	pg_atomic_uint32 last_api;	/* key + 1; 0: none yet */
	pg_atomic_uint32 state;		/* NetConnectionState */
} NetConnectionSlot;

typedef enum NetConnectionState
{
	NET_CONNECTION_IDLE,
	NET_CONNECTION_WAITING,		/* a request is parked */
	NET_CONNECTION_SENDING		/* the client has not taken all of its answers */
} NetConnectionState;

typedef struct NetShared
{
	LWLock		listen_lock;	/* held while sockets are bound */
	int			n_listening;	/* workers that listen */
	int			n_addresses;
	NetAddress	addresses[NET_MAX_ADDRESSES];

	slock_t		mutex;			/* for the latches and the free list */
	Latch	   *controller;
	Latch	   *coordinator;
	Latch	   *flusher;
	Latch	   *sync_waiter;
	Latch	   *workers[NET_MAX_WORKERS];
	int			first_free;		/* of slots, -1: none */
	int			n_slots;

	/* CREATE and DROP of extensions and databases, counted */
	pg_atomic_uint32 catalog_changes;

	/* Is there a pg_broker.database?  The flusher, which needs none, looks. */
	pg_atomic_uint32 database_exists;

	/* The coordinator has loaded the groups, or could not. */
	pg_atomic_uint32 groups_loaded;

	NetConnectionSlot slots[FLEXIBLE_ARRAY_MEMBER];
} NetShared;

extern NetShared *net_shared;	/* NULL without shared_preload_libraries */

extern Size net_shared_size(void);
extern void net_shared_init(void);

/* Latches; a process attaches its own and detaches before it exits. */
extern void net_attach_latch(Latch **where);
extern void net_detach_latch(Latch **where);
extern void net_wake(Latch **where);
extern void net_wake_all(void);

/* Slots of the connection table; NULL when all are taken. */
extern NetConnectionSlot *net_slot_acquire(void);
extern void net_slot_release(NetConnectionSlot *slot);

#endif							/* NET_SHARED_H */
