/*-------------------------------------------------------------------------
 *
 * call.h
 *	  Requests to the coordinator, and its answers: from network workers and
 *	  from SQL sessions.
 *
 * Many requests may wait for minutes: those of all members of all groups.  There
 * is a slot for every connection (each has at most one such request under way), and
 * nobody looks through the slots: the coordinator takes requests in their order, and
 * each worker its answers.  A session waits for the answer to its own.
 *
 * A request is carried out even if its client is gone meanwhile, as one that
 * leaves its group may well be; then only the answer is dropped.
 *
 *-------------------------------------------------------------------------
 */
#ifndef EXCHANGE_CALL_H
#define EXCHANGE_CALL_H

#include "storage/latch.h"

#define CALL_MAX_WORKERS 64

typedef struct Call
{
	int16		api_key;		/* Kafka's, or one of exchange/session.h: negative */
	int16		api_version;
	Oid			role;
	char		client_id[256];
	char		client_host[64];
} Call;

typedef enum CallResult
{
	CALL_SENT,
	CALL_FULL,					/* the worker is woken when there is room */
	CALL_TOO_LARGE
} CallResult;

extern Size call_shmem_size(int n_connections);
extern void call_shmem_init(int n_connections);

/* Every process that calls or answers, once. */
extern void call_attach(void);
extern int call_n_slots(void);

/* Memory that all of them share. */
extern struct dsa_area *call_memory(void);

/* ---------- network workers ---------- */

/* From now on, latch and answers of this number are ours: forget what a predecessor called for. */
extern void call_worker_attach(int worker);
extern void call_worker_detach(int worker);
extern CallResult call_send(int worker, const Call *call, const char *message, uint32 length, int *slot);

/*
 * The next answer, if there is any: its slot, which is free again (-1: none), and a
 * palloc'd copy, or NULL if the request failed.
 */
extern int call_receive(int worker, char **answer, uint32 *length);

/* The answer is not wanted any more. */
extern void call_forget(int slot);

/* ---------- SQL sessions ---------- */

/*
 * Wait for the answer, a palloc'd copy.  Can be interrupted.  An ERROR if there is no coordinator for
 * seconds; NULL if it failed at the request.
 */
extern char *call_ask(const Call *call, const char *message, uint32 length, uint32 *answer_length);

/* There is something to do for the coordinator: it looks at the positions. */
extern void call_wake_coordinator(void);

/* ---------- coordinator ---------- */

/* MyLatch becomes the coordinator's.  What a predecessor left half done has failed. */
extern void call_coordinator_attach(void);
extern void call_coordinator_detach(void);

/*
 * The oldest request, if there is any: a palloc'd copy of the message (NULL: no memory), and
 * the token to answer it with, 0 if nobody waits for the answer.
 */
extern bool call_take(Call *call, char **message, uint32 *length, uint64 *token);

/* NULL: it failed. */
extern void call_answer(uint64 token, const char *answer, uint32 length);

#endif /* EXCHANGE_CALL_H */
