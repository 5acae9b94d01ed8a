/*-------------------------------------------------------------------------
 *
 * connection.h
 *	  A client's connection, and the requests on it (internal to a worker).
 *
 * A connection's requests form a queue in the order in which they came; their
 * answers leave in that order.  A request is cut from the input when it may
 * start, so whatever waits in the queue has started:
 *
 *	  RUNNING	in its handler right now
 *	  PARKED	its handler waits for something (see broker/request.h)
 *	  ANSWERED	its answer is being sent, or waits for those before it
 *	  CLOSING	when all before it are sent the connection is closed
 *
 *-------------------------------------------------------------------------
 */
#ifndef NET_CONNECTION_H
#define NET_CONNECTION_H

#include "broker/request.h"
#include "lib/ilist.h"
#include "lib/pairingheap.h"
#include "net/chunk.h"
#include "net/shared.h"
#include "wire/api_list.h"

typedef struct NetConnection
{
	int			fd;				/* -1: closed, to be freed at the end of the turn */
	uint32		events;			/* what epoll watches it for */
	bool		is_listener;	/* no connection at all, but a listening socket */
	bool		paused;			/* not read until memory is given back */
	bool		input_ended;	/* nothing more is read or started */
	bool		peer_closed;	/* ... because the client has closed its side */
	bool		send_blocked;	/* the socket takes no more for now */
	bool		runnable;		/* in worker's list of those with more to do */
	TimestampTz retry_send;		/* a topic is locked: try then; 0: not so */
	TimestampTz retry_since;
	TimestampTz last_activity;
	uint32		received;		/* since last_activity */
	NetInput	input;
	dlist_head	requests;
	int			n_parked;
	int			n_parked_other; /* of them, not pipelined */
	uint64		unsent;			/* bytes of answers in the queue */
	dlist_node	lru_node;		/* among the connections, longest idle first */
	dlist_node	runnable_node;
	NetConnectionSlot *slot;
	BrokerSession session;
} NetConnection;

typedef enum NetRequestState
{
	NET_REQUEST_RUNNING,
	NET_REQUEST_PARKED,
	NET_REQUEST_ANSWERED,
	NET_REQUEST_CLOSING
} NetRequestState;

/* How far an answer has been sent. */
typedef struct NetCursor
{
	size_t		memory;			/* bytes of the writer's buffer */
	int			splice;			/* next or current splice */
	int			slice;			/* in it */
	uint32		skip;			/* bytes of that slice */
} NetCursor;

typedef struct NetRequest
{
	BrokerRequest broker;
	const WireApi *wire;
	NetConnection *conn;		/* NULL in the controller */
	NetRequestState state;
	dlist_node	node;			/* in the connection's queue */
	NetChunk   *chunk;			/* holds the bytes of the request, or NULL */
	WireArena	arena;
	size_t		accounted;		/* bytes of the arena counted to the limit */

	/* parked */
	dlist_node	wait_node;		/* in one of the worker's lists */
	dlist_head *wait_list;		/* which, or NULL */
	pairingheap_node deadline_node;
	bool		has_deadline;
	int			ask_slot;		/* -1: none */
	bool		forwarded;		/* the controller's or coordinator's answer is the answer */
	bool		ask_pending;	/* to be sent when there is room: */
	int			call_slot;		/* likewise, of the coordinator; -1: none */
	bool		call_pending;
	const char *body;			/* the request behind its header */
	uint32		body_length;
	const char *ask_message;
	uint32		ask_length;

	/* answered */
	WireWriter	answer;
	size_t		total;
	size_t		sent;
	NetCursor	cursor;
} NetRequest;

/* ---------- request.c: from bytes to an answer ---------- */

extern void net_requests_init(void);

/* The frame at the start of the input begins to run. */
extern void net_request_start(NetConnection *conn);

/* What a parked request waits for may have come. */
extern void net_request_resume(NetRequest *r);
extern void net_request_free(NetRequest *r);

/* Give back the bytes of the request; count its memory anew. */
extern void net_request_drop_input(NetRequest *r);
extern void net_request_account(NetRequest *r);

/* Give up a request whose connection is gone. */
extern void net_request_cancel(NetRequest *r);

/* May the frame at the start of the input begin? */
extern bool net_request_may_start(NetConnection *conn);

/*
 * Run a request in the controller: decode `message`, call the handler as the
 * session's role, encode the answer.  NULL: it failed.  Allocated in the current memory
 * context.  To be called in a transaction, which is gone after a failure.
 */
struct NetAsk;
extern char *net_request_run_asked(const struct NetAsk *ask, char *message, uint32 length,
								   uint32 *answer_length);

/* ---------- answer.c: what is sent ---------- */

extern void net_answer_encode(NetRequest *r);	/* broker.response */
extern void net_answer_forward(NetRequest *r);	/* the body is broker.ask_answer */
extern void net_answer_unsupported_version(NetRequest *r);	/* to ApiVersions */
extern void net_answer_close(NetRequest *r);	/* none: after those before it the connection ends */

/* ---------- park.c: those who wait ---------- */

extern void net_park_init(void);
extern void net_park(NetRequest *r);
extern void net_unpark(NetRequest *r);
extern void net_park_forget_call(NetRequest *r);	/* the coordinator's answer isn't wanted any more */
extern bool net_park_is_poll(const NetRequest *r);	/* parked until data comes, or for a time */

/* Resume whatever may go on. */
extern void net_park_check(TimestampTz now);

/* When the first deadline is; 0: never. */
extern TimestampTz net_park_next_deadline(void);

/* ---------- output.c: answers to the socket ---------- */

extern void net_output_begin_turn(void);

/* Send what the socket takes, within a budget. */
extern void net_output_send(NetConnection *conn);

/* ---------- accept.c ---------- */

extern bool net_connection_accept(int listen_fd);
extern void net_connection_advertise(NetConnection *conn);

/* ---------- connection.c ---------- */

extern void net_connections_init(void);
extern NetConnection *net_connection_create(int fd, NetConnectionSlot *slot);
extern void net_connection_ready(NetConnection *conn, uint32 events);
extern void net_connection_close(NetConnection *conn);
extern void net_connection_touch(NetConnection *conn);

/* Have it pumped before the turn ends. */
extern void net_connection_schedule(NetConnection *conn);

/* Continue those that had more to do than fits into a turn, or wait for memory or a lock. */
extern void net_connections_continue(TimestampTz now);
extern bool net_connections_runnable(void);
extern void net_connection_retry_send(NetConnection *conn, TimestampTz when);
extern TimestampTz net_connections_next_retry(void);

/* Close those that are idle too long; returns when to look again, 0: never. */
extern TimestampTz net_connections_expire(TimestampTz now);
extern bool net_connections_paused(void);	/* are some not read, to save memory? */
extern void net_connections_close_all(void);
extern void net_connections_reap(void); /* free the closed ones */
extern void net_connections_set_role(Oid role);
extern void net_connections_advertise(void);	/* the address has changed */

/* ---------- worker.c ---------- */

extern int	net_worker_number;
extern int	net_epoll_fd;

/* Has the turn lasted long enough? */
extern bool net_turn_is_over(void);
extern void net_worker_forget(NetConnection *conn);

/* The connection whose work is under way: an unexpected error costs it. */
extern NetConnection *net_current;

/* The role of clients that don't authenticate; InvalidOid: there is no such role. */
extern Oid	net_plaintext_role(void);

#endif							/* NET_CONNECTION_H */
