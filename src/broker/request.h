/*-------------------------------------------------------------------------
 *
 * request.h
 *	  The contract between Kafka request handlers and who runs them.
 *
 * A handler gets a decoded request and fills a response.  It knows neither
 * sockets nor encodings, and it never blocks in a network worker: what has to
 * wait is parked, and tried again when woken.
 *
 * How a handler runs
 *	  - Inside a transaction that belongs to one turn of the worker, shared with
 *		other requests of the turn, and as the session's role.  Whatever it
 *		opened or locked is given back at the end of the turn, so nothing of the
 *		kind (relations, LogPartition pointers) may be kept across a park.
 *	  - CurrentMemoryContext lasts until the end of the turn at most.  What must
 *		live until the answer is sent belongs in req->arena or req->context.
 *	  - The decoded request, and the bytes it points to, live until the answer
 *		is encoded.  The record batches of a Produce request are writable.
 *	  - An error that is raised (ereport) costs the request: the transaction is
 *		rolled back, api->fail makes an answer, or the connection is closed
 *		where there is none.  Everyone else goes on.
 *
 * Parking
 *	  A handler that has to wait sets req->resume and req->wait and returns
 *	  BROKER_PARKED.  resume is called, under the same rules, when what it waits
 *	  for may have come; it looks itself, and may park again.  To wait for data,
 *	  call log_wake_on_advance(part, req->worker) first, then look at the bounds
 *	  again, so that no advance is missed, and watch the partition (watch.h).
 *	  One whose work could take long does it in pieces (BrokerLoop in handlers.h).
 *
 * Order
 *	  Answers leave a connection in the order of its requests.  While a request
 *	  is parked the ones behind it wait, except that PIPELINED requests run
 *	  behind parked PIPELINED ones (so that one flush serves many Produces).
 *
 *-------------------------------------------------------------------------
 */
#ifndef BROKER_REQUEST_H
#define BROKER_REQUEST_H

#include "access/xlogdefs.h"
#include "datatype/timestamp.h"
#include "log/log.h"

struct WireArena;				/* wire/arena.h */

/* What is known of a client; lives as long as its connection. */
typedef struct BrokerSession
{
	Oid			role;			/* whose privileges it has */
	char		client_host[64];	/* numeric address */
	int			client_port;
	char		advertised_host[256];	/* where this client finds this broker */
	int			advertised_port;
	char		software_name[64];	/* of ApiVersions, set by its handler */
	char		software_version[64];
	uint32		id;				/* tells apart sessions of one worker */
} BrokerSession;

typedef enum BrokerOutcome
{
	BROKER_DONE,				/* req->response is complete: encode and send it */
	BROKER_NO_ANSWER,			/* Produce with acks=0 */
	BROKER_CLOSE,				/* close the connection without an answer */
	BROKER_PARKED				/* see req->wait and req->resume */
} BrokerOutcome;

/* What a parked request waits for: whichever of these comes first. */
typedef struct BrokerWait
{
	XLogRecPtr	lsn;			/* WAL is flushed to here; Invalid: not waited for */
	bool		replicated;		/* ... and confirmed by the synchronous standbys */
	bool		advance;		/* for partitions to advance, see watch.h */
	bool		turn;			/* for another turn: this one has no more time for it */
	TimestampTz deadline;		/* in any case at this time; 0: never */

	/*
	 * Have the controller run this request (in the role of the session) and
	 * wait for its answer.  The message is encoded when the handler returns.
	 */
	const void *ask;
	int16		ask_api_key;
	int16		ask_api_version;
} BrokerWait;

typedef struct BrokerRequest BrokerRequest;

typedef BrokerOutcome (*BrokerHandler) (BrokerRequest *req);

struct BrokerRequest
{
	/* in */
	const struct BrokerApi *api;
	int16		api_version;
	int32		correlation_id;
	const char *client_id;		/* "" when null */
	const void *request;		/* the decoded message, e.g. a FetchRequest */
	BrokerSession *session;
	struct WireArena *arena;	/* for what the response points to */
	MemoryContext context;		/* likewise, for palloc */
	TimestampTz received;		/* when the request was complete */
	TimestampTz now;			/* the clock at the start of this call */
	int			worker;			/* for log_wake_on_advance */

	/* out */
	void	   *response;		/* the message to encode, allocated by the handler */

	/* parking */
	BrokerWait	wait;			/* all zero when the handler or resume is called */
	BrokerHandler resume;
	void	   *state;			/* the handler's own, in context or arena */
	void		(*cancel) (BrokerRequest *req); /* the connection is gone: give back
												 * what is not memory.  No
												 * transaction, raises nothing. */

	/* answer of the controller to wait.ask, encoded; NULL: it failed */
	const char *ask_answer;
	uint32		ask_answer_length;
};

#define BROKER_API_PIPELINED	0x01	/* may run behind parked ones of its kind */
#define BROKER_API_CONTROLLER	0x02	/* the controller runs it: it may lock and block
										 * (with a lock timeout), and never parks */
#define BROKER_API_COORDINATOR	0x04	/* the coordinator answers it */

typedef struct BrokerApi
{
	int16		key;
	int16		min_version;	/* that are served */
	int16		max_version;
	int			flags;
	BrokerHandler handler;

	/*
	 * Fill req->response of a request whose handler raised an error.  NULL:
	 * close the connection.  Raises nothing itself.
	 */
	void		(*fail) (BrokerRequest *req, int16 error_code);
} BrokerApi;

/*
 * NULL for an API that is not served.  The wire layer knows more APIs and
 * versions than are served; whoever decodes a request checks here first.
 */
extern const BrokerApi *broker_api(int key);

static inline bool
broker_api_has_version(const BrokerApi *api, int version)
{
	return version >= api->min_version && version <= api->max_version;
}

/*
 * Whoever runs requests calls this when its latch was set: it calls `wake` for
 * each parked request that waits for a partition which has advanced (perhaps more
 * than once).  `wake` may not resume the request at once, only note it.
 */
extern void broker_watch_collect(int worker, void (*wake) (BrokerRequest *req));

/*
 * The bytes of a WireRecords whose `external` is set in a response: runs of
 * stored batches that are sent from the pages of the topic.
 */
typedef struct BrokerSlices
{
	Oid			relid;
	int			n_slices;
	LogSlice   *slices;
} BrokerSlices;

#endif							/* BROKER_REQUEST_H */
