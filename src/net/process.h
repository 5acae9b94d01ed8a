/*-------------------------------------------------------------------------
 *
 * process.h
 *	  What the broker's processes have in common: start, end, transactions.
 *
 * The life of a process
 *	  - It starts when the server accepts writes (never on a standby) and is
 *		started again a second after it ended, however it ended; a crash
 *		restarts the whole server, as for any PostgreSQL process.
 *	  - It exits with code 1 on SIGTERM: code 0 would keep the postmaster from
 *		starting it again after pg_terminate_backend.
 *	  - Until pg_broker.database and the extension in it exist it sleeps on its
 *		latch; the commit that creates one of them sets that, and so does the
 *		one that drops the extension.
 *	  - An error outside of what is guarded more closely is logged, the
 *		transaction is rolled back, and the loop goes on.
 *
 *-------------------------------------------------------------------------
 */
#ifndef NET_PROCESS_H
#define NET_PROCESS_H

#include "postmaster/bgworker.h"

/*
 * Signals, `attach` of the process's latch, connection to the database (NULL:
 * to none), for which it waits.
 */
extern void net_process_start(const char *database, struct Latch **attach);

/* Call when woken: ends the process or reloads settings when asked to. */
extern void net_process_interrupts(void);

/* Does the extension exist?  Looks again only after a change. */
extern bool net_extension_exists(void);
extern Oid	net_extension_owner(void);	/* when it exists */

/* Sleep until the extension exists. */
extern void net_wait_for_extension(void);

/*
 * One transaction per turn, begun when first needed.  CurrentMemoryContext is
 * net_turn_context in and out of it; net_turn_done empties that.
 */
extern MemoryContext net_turn_context;
extern void net_transaction_begin(void);
extern void net_transaction_end(void);
extern void net_turn_done(void);

/* Report a caught error if asked to, and roll back.  Call in PG_CATCH. */
extern void net_transaction_failed(bool report);

/* Act as `role`, until told otherwise or the transaction ends. */
extern void net_act_as(Oid role);
extern void net_act_as_self(void);

/* Flush statistics when due; milliseconds until more are due, -1: never. */
extern long net_report_stats(void);

/* In the process without a database: tell the others whether theirs exists. */
extern void net_look_for_database(void);

/* Notice CREATE and DROP of extensions and databases (in every process). */
extern void net_catalog_hook_init(void);

/* The flusher tells the sync waiter of a flush, and starts it if need be. */
extern void net_sync_waiter_wake(void);

/* Entry points of the background workers. */
extern PGDLLEXPORT void net_worker_main(Datum arg);
extern PGDLLEXPORT void net_flusher_main(Datum arg);
extern PGDLLEXPORT void net_controller_main(Datum arg);
extern PGDLLEXPORT void net_coordinator_main(Datum arg);
extern PGDLLEXPORT void net_sync_waiter_main(Datum arg);

#endif							/* NET_PROCESS_H */
