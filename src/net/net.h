/*-------------------------------------------------------------------------
 *
 * net.h
 *	  The broker's processes, as the rest of the library sees them.
 *
 * Processes (background workers; all but the sync waiter start with the server):
 *	  network workers	serve Kafka clients, each with an event loop
 *	  flusher			flushes WAL for all that waits to be acknowledged
 *	  controller		runs what may block: topic DDL, retention, compaction
 *	  coordinator		owns the state of all consumer groups
 *	  sync waiter		waits for synchronous standbys, while there are any
 *
 *-------------------------------------------------------------------------
 */
#ifndef NET_H
#define NET_H

/* From the shared memory hooks of the library. */
extern void net_shmem_request(void);
extern void net_shmem_init(void);

/*
 * From _PG_init in the postmaster and, by inheritance, in force in all
 * processes: registers the workers and notices CREATE and DROP EXTENSION.
 * The settings are defined before (broker_settings_define).
 */
extern void net_init(void);

#endif							/* NET_H */
