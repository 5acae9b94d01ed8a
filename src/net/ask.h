/*-------------------------------------------------------------------------
 *
 * ask.h
 *	  Requests that network workers hand to the controller, and its answers.
 *
 * A request is an encoded message in shared memory, with whose role to act in
 * and for whom.  The number of requests under way and the memory for them are
 * capped; a worker that finds no room tries again when its latch is set.
 *
 * A slot belongs to the worker that filled it: it alone empties it, after the
 * answer came or, if it lost interest, by letting the controller do it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef NET_ASK_H
#define NET_ASK_H

#include "broker/request.h"

/* Largest message, request or answer. */
#define NET_ASK_MAX_LENGTH	(8 * 1024 * 1024)

typedef struct NetAsk
{
	int16		api_key;
	int16		api_version;
	int32		correlation_id;
	char		client_id[256];
	BrokerSession session;
} NetAsk;

typedef enum NetAskResult
{
	NET_ASK_SENT,
	NET_ASK_FULL,				/* the worker is woken when there is room */
	NET_ASK_TOO_LARGE
} NetAskResult;

extern Size net_ask_shmem_size(void);
extern void net_ask_shmem_init(void);

/* Every process that asks or answers, once. */
extern void net_ask_attach(void);

/* ---------- workers ---------- */

/* Forget what a predecessor with this number asked. */
extern void net_ask_reset_worker(int worker);

extern NetAskResult net_ask_send(int worker, const NetAsk *ask, const char *message, uint32 length,
								 int *slot);

/*
 * Has the answer come?  If so the slot is free again, and *answer is a palloc'd
 * copy, or NULL if the request failed.
 */
extern bool net_ask_receive(int slot, char **answer, uint32 *length);

/* The answer is not wanted any more. */
extern void net_ask_forget(int slot);

/* ---------- controller ---------- */

/* What a predecessor left half done has failed. */
extern void net_ask_reset_controller(void);

/* The oldest request, if any: its slot (-1: none), a palloc'd copy of the message. */
extern int	net_ask_take(NetAsk *ask, char **message, uint32 *length);

/* NULL: it failed. */
extern void net_ask_answer(int slot, const char *answer, uint32 length);

#endif							/* NET_ASK_H */
