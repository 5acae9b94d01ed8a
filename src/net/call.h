/*-------------------------------------------------------------------------
 *
 * call.h
 *	  Requests that network workers hand to the coordinator, and its answers.
 *
 * Like ask.h, but for many requests that may wait for minutes: those of all
 * members of all groups.  There is a slot for every connection (each has at
 * most one such request under way), and nobody looks through the slots: the
 * coordinator takes requests in their order, and each worker its answers.
 *
 * A request is carried out even if its client is gone meanwhile, as one that
 * leaves its group may well be; then only the answer is dropped.
 *
 *-------------------------------------------------------------------------
 */
#ifndef NET_CALL_H
#define NET_CALL_H

typedef struct NetCall
{
	int16		api_key;
	int16		api_version;
	Oid			role;
	char		client_id[256];
	char		client_host[64];
} NetCall;

typedef enum NetCallResult
{
	NET_CALL_SENT,
	NET_CALL_FULL,				/* the worker is woken when there is room */
	NET_CALL_TOO_LARGE
} NetCallResult;

extern Size net_call_shmem_size(void);
extern void net_call_shmem_init(void);

/* Every process that calls or answers, once. */
extern void net_call_attach(void);
extern int	net_call_n_slots(void);

/* ---------- workers ---------- */

/* Forget what a predecessor with this number called for. */
extern void net_call_reset_worker(int worker);
extern NetCallResult net_call_send(int worker, const NetCall *call, const char *message, uint32 length,
								   int *slot);

/*
 * The next answer, if there is any: its slot, which is free again (-1: none), and a
 * palloc'd copy, or NULL if the request failed.
 */
extern int	net_call_receive(int worker, char **answer, uint32 *length);

/* The answer is not wanted any more. */
extern void net_call_forget(int slot);

/* ---------- coordinator ---------- */

/* What a predecessor left half done has failed. */
extern void net_call_reset_coordinator(void);

/*
 * The oldest request, if there is any: a palloc'd copy of the message (NULL: no memory), and
 * the token to answer it with, 0 if nobody waits for the answer.
 */
extern bool net_call_take(NetCall *call, char **message, uint32 *length, uint64 *token);

/* NULL: it failed. */
extern void net_call_answer(uint64 token, const char *answer, uint32 length);

#endif							/* NET_CALL_H */
