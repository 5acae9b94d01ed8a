/*-------------------------------------------------------------------------
 *
 * request.c
 *	  One request: from its bytes, through its handler, to its answer.
 *
 * Requests are kept for reuse when they are done, with their memory, so that a
 * worker under load takes none from the system.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "net/ask.h"
#include "net/connection.h"
#include "net/process.h"
#include "net/report.h"
#include "topic/topic.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"
#include "wire/api_versions.h"
#include "wire/error.h"

/* Smaller requests are copied, so as not to hold a whole receive buffer. */
#define COPY_BELOW		(8 * 1024)

/* Memory for what a request is decoded into and its response, beside its length. */
#define ARENA_BASE		(64 * 1024 * 1024)

/* Of one connection: more than this wait in its socket. */
#define MAX_PARKED		256
#define MAX_UNSENT		(1024 * 1024)

#define MAX_KEPT		128
#define KEEP_WRITER		(64 * 1024)

static MemoryContext request_context;
static dlist_head kept = DLIST_STATIC_INIT(kept);
static int	n_kept;

void
net_requests_init(void)
{
	request_context = AllocSetContextCreate(TopMemoryContext, "pg_broker requests",
											ALLOCSET_DEFAULT_SIZES);
}

static NetRequest *
new_request(void)
{
	NetRequest *r;
	WireArena	arena;
	WireWriter	answer;
	MemoryContext context;

	if (n_kept > 0)
	{
		r = dlist_container(NetRequest, node, dlist_pop_head_node(&kept));
		n_kept--;
		arena = r->arena;
		answer = r->answer;
		context = r->broker.context;
	}
	else
	{
		r = MemoryContextAlloc(request_context, sizeof(NetRequest));
		wire_arena_init(&arena, ARENA_BASE);
		wire_writer_init(&answer, INT32_MAX);
		context = AllocSetContextCreate(request_context, "pg_broker request", ALLOCSET_SMALL_SIZES);
	}
	memset(r, 0, sizeof(*r));
	r->arena = arena;
	r->answer = answer;
	r->broker.context = context;
	r->broker.arena = &r->arena;
	r->ask_slot = -1;
	r->call_slot = -1;
	return r;
}

void
net_request_drop_input(NetRequest *r)
{
	if (r->chunk)
		net_chunk_release(r->chunk);
	r->chunk = NULL;
}

void
net_request_account(NetRequest *r)
{
	if (r->arena.total != r->accounted)
	{
		net_chunks_account((int64) r->arena.total - (int64) r->accounted);
		r->accounted = r->arena.total;
	}
}

/* Its memory goes back, its place in the queue with it. */
void
net_request_free(NetRequest *r)
{
	if (r->conn)
		dlist_delete(&r->node);
	net_request_drop_input(r);
	wire_arena_reset(&r->arena);
	if (r->accounted > 0)
		net_chunks_account(-(int64) r->accounted);
	r->accounted = 0;
	if (n_kept < MAX_KEPT)
	{
		MemoryContextReset(r->broker.context);
		if (r->answer.cap > KEEP_WRITER)
			wire_writer_free(&r->answer);
		wire_writer_reset(&r->answer);
		dlist_push_head(&kept, &r->node);
		n_kept++;
		return;
	}
	MemoryContextDelete(r->broker.context);
	wire_arena_free(&r->arena);
	wire_writer_free(&r->answer);
	pfree(r);
}

static void
leave_park(NetRequest *r)
{
	NetConnection *conn = r->conn;

	net_unpark(r);
	r->state = NET_REQUEST_RUNNING;
	conn->n_parked--;
	if (!(r->broker.api->flags & BROKER_API_PIPELINED))
		conn->n_parked_other--;
}

void
net_request_cancel(NetRequest *r)
{
	if (r->state == NET_REQUEST_PARKED)
	{
		leave_park(r);
		if (r->ask_slot >= 0)
			net_ask_forget(r->ask_slot);
		net_park_forget_call(r);
		if (r->broker.cancel)
			r->broker.cancel(&r->broker);
	}
	else if (r->state == NET_REQUEST_ANSWERED)
		r->conn->unsent -= r->total - r->sent;
	net_request_free(r);
}

static void
report_bad_request(NetConnection *conn, const WireRequestHeader *header, const char *why,
				   const char *field)
{
	if (!net_may_report())
		return;
	ereport(LOG,
			(errcode(ERRCODE_PROTOCOL_VIOLATION),
			 errmsg("closing connection of Kafka client %s:%d: %s",
					conn->session.client_host, conn->session.client_port, why),
			 header->api ?
			 errdetail("Request %s, version %d%s%s.", header->api->name, header->api_version,
					   field ? ", field " : "", field ? field : "") :
			 errdetail("API key %d, version %d.", header->api_key, header->api_version)));
}

/* ---------- running a handler ---------- */

static void
error_context(void *arg)
{
	BrokerRequest *req = arg;
	const WireApi *wire = wire_api(req->api->key);

	errcontext("Kafka request %s, version %d, of %s:%d", wire->name, req->api_version,
			   req->session->client_host, req->session->client_port);
}

/*
 * Call a handler.  An error rolls back the turn's transaction and makes the
 * outcome that the API has for it.
 */
static BrokerOutcome
call_handler(BrokerRequest *req, BrokerHandler handler)
{
	volatile BrokerOutcome outcome = BROKER_CLOSE;
	ErrorContextCallback callback;

	req->now = GetCurrentTimestamp();
	memset(&req->wait, 0, sizeof(req->wait));

	callback.callback = error_context;
	callback.arg = req;
	callback.previous = error_context_stack;
	PG_TRY();
	{
		net_transaction_begin();
		error_context_stack = &callback;
		net_act_as(req->session->role);
		outcome = handler(req);
		net_act_as_self();
		error_context_stack = callback.previous;
	}
	PG_CATCH();
	{
		int			sqlstate = geterrcode();

		error_context_stack = callback.previous;
		net_transaction_failed(net_may_report());
		req->response = NULL;
		if (req->api->fail)
		{
			req->api->fail(req, topic_error_to_kafka(sqlstate));
			outcome = req->response ? BROKER_DONE : BROKER_CLOSE;
		}
		else
			outcome = BROKER_CLOSE;
	}
	PG_END_TRY();
	MemoryContextSwitchTo(net_turn_context);
	return outcome;
}

/* Encode what the handler wants to have asked. */
static bool
prepare_ask(NetRequest *r)
{
	const WireApi *api = wire_api(r->broker.wait.ask_api_key);
	WireWriter	w;
	bool		ok;

	wire_writer_init(&w, NET_ASK_MAX_LENGTH);
	ok = api && wire_encode(api->request, r->broker.wait.ask_api_version, r->broker.wait.ask, &w);
	if (ok)
	{
		char	   *copy = MemoryContextAlloc(r->broker.context, Max(w.len, 1));

		memcpy(copy, w.data, w.len);
		r->ask_message = copy;
		r->ask_length = w.len;
		r->ask_pending = true;
	}
	wire_writer_free(&w);
	return ok;
}

static void
park(NetRequest *r)
{
	NetConnection *conn = r->conn;

	r->state = NET_REQUEST_PARKED;
	conn->n_parked++;
	if (!(r->broker.api->flags & BROKER_API_PIPELINED))
		conn->n_parked_other++;
	net_request_account(r);
	net_park(r);
}

/* The request's bytes as they are go to the coordinator, whose answer is the answer. */
static void
forward_call(NetRequest *r)
{
	r->ask_message = r->body;
	r->ask_length = r->body_length;
	r->call_pending = true;
	r->forwarded = true;
	park(r);
}

static void
take_outcome(NetRequest *r, BrokerOutcome outcome)
{
	switch (outcome)
	{
		case BROKER_DONE:
			net_answer_encode(r);
			break;
		case BROKER_NO_ANSWER:
			net_request_free(r);
			break;
		case BROKER_CLOSE:
			net_answer_close(r);
			break;
		case BROKER_PARKED:
			if (r->broker.wait.ask && !prepare_ask(r))
				net_answer_close(r);
			else
				park(r);
			break;
	}
}

/* ---------- cutting requests from the input ---------- */

/* The API key of the frame at the start of the input, which is there as a whole. */
static int
peek_api_key(const NetInput *in)
{
	if (net_input_frame_length(in) < 2)
		return -1;
	return (int16) wire_get_uint16(in->chunk->data + in->start + sizeof(uint32));
}

bool
net_request_may_start(NetConnection *conn)
{
	if (conn->input_ended || conn->unsent >= MAX_UNSENT || !net_input_has_frame(&conn->input))
		return false;
	if (conn->n_parked == 0)
		return true;
	if (conn->n_parked_other == 0 && conn->n_parked < MAX_PARKED)
	{
		const BrokerApi *api = broker_api(peek_api_key(&conn->input));

		return api && (api->flags & BROKER_API_PIPELINED);
	}
	return false;
}

/* Take the frame from the input into the request; returns its bytes. */
static char *
take_frame(NetRequest *r, NetInput *in, uint32 *length)
{
	uint32		len = (uint32) net_input_frame_length(in);
	char	   *frame = in->chunk->data + in->start + sizeof(uint32);

	if (len < COPY_BELOW)
	{
		frame = memcpy(MemoryContextAlloc(r->broker.context, Max(len, 1)), frame, len);
	}
	else
	{
		r->chunk = in->chunk;
		net_chunk_retain(r->chunk);
	}
	net_input_skip(in, sizeof(uint32) + len);
	*length = len;
	return frame;
}

static void
note_request(NetConnection *conn, const WireRequestHeader *header, uint32 length)
{
	NetConnectionSlot *slot = conn->slot;
	char		client_id[sizeof(slot->client_id)];
	int			n = Min(Max(header->client_id.len, 0), (int) sizeof(client_id) - 1);

	memcpy(client_id, n > 0 ? header->client_id.data : "", n);
	client_id[n] = '\0';
	if (strcmp(client_id, slot->client_id) != 0)
	{
		SpinLockAcquire(&slot->mutex);
		strcpy(slot->client_id, client_id);
		SpinLockRelease(&slot->mutex);
	}
	pg_atomic_write_u64(&slot->requests, pg_atomic_read_u64(&slot->requests) + 1);
	pg_atomic_write_u64(&slot->last_request, conn->last_activity);
	pg_atomic_write_u32(&slot->last_api, header->api_key + 1);
}

/* What ApiVersions told about the client, for the view. */
static void
note_software(NetConnection *conn)
{
	NetConnectionSlot *slot = conn->slot;
	char		software[sizeof(slot->software)];

	if (conn->session.software_name[0] == '\0')
		return;
	snprintf(software, sizeof(software), "%s %s", conn->session.software_name,
			 conn->session.software_version);
	if (strcmp(software, slot->software) != 0)
	{
		SpinLockAcquire(&slot->mutex);
		strcpy(slot->software, software);
		SpinLockRelease(&slot->mutex);
	}
}

/* Decode and run; false: the frame is no request that we serve. */
static bool
run_frame(NetRequest *r, char *frame, uint32 length, WireRequestHeader *header, const char **why,
		  const char **field)
{
	WireReader	reader;
	void	   *message;

	*field = NULL;
	wire_reader_init(&reader, frame, length);
	if (!wire_read_request_header(&reader, header))
	{
		*why = psprintf("the header of a request of %u bytes is malformed", length);
		header->api = NULL;
		return false;
	}
	r->wire = header->api;
	r->broker.api = broker_api(header->api_key);
	r->broker.api_version = header->api_version;
	r->broker.correlation_id = header->correlation_id;
	note_request(r->conn, header, length);
	if (r->broker.api == NULL || r->wire == NULL)
	{
		*why = "the request's API is not served";
		return false;
	}
	if (!broker_api_has_version(r->broker.api, header->api_version) ||
		!wire_api_has_version(r->wire, header->api_version))
	{
		if (r->wire->response == &wire_ApiVersionsResponse)
		{
			net_answer_unsupported_version(r);
			return true;
		}
		*why = "the request's version is not served";
		return false;
	}
	r->broker.client_id = header->client_id.len <= 0 ? "" :
		MemoryContextStrdup(r->broker.context,
							pnstrdup(header->client_id.data, header->client_id.len));

	r->body = reader.pos;
	r->body_length = wire_remaining(&reader);
	if (r->broker.api->flags & BROKER_API_COORDINATOR)
	{
		forward_call(r);
		return true;
	}
	if (r->broker.api->flags & BROKER_API_CONTROLLER)
	{
		r->ask_message = r->body;
		r->ask_length = r->body_length;
		r->ask_pending = true;
		r->forwarded = true;
		r->broker.wait.ask_api_key = header->api_key;
		r->broker.wait.ask_api_version = header->api_version;
		park(r);
		return true;
	}

	r->arena.cap = ARENA_BASE + (size_t) length * 2;
	message = wire_alloc(&r->arena, r->wire->request->size);
	if (message == NULL ||
		!wire_decode(r->wire->request, header->api_version, &reader, &r->arena, message))
	{
		*why = psprintf("the request %s", reader.why ? reader.why : "takes too much memory");
		*field = reader.field;
		return false;
	}

	/*
	 * Bytes behind the message are ignored, as Kafka does: librdkafka sends the
	 * null array of a Metadata request for all topics with three bytes too many.
	 */
	r->broker.request = message;
	take_outcome(r, call_handler(&r->broker, r->broker.api->handler));
	return true;
}

void
net_request_start(NetConnection *conn)
{
	NetRequest *r = new_request();
	WireRequestHeader header = {0};
	const char *why = NULL;
	const char *field = NULL;
	uint32		length;
	char	   *frame = take_frame(r, &conn->input, &length);

	r->conn = conn;
	r->broker.session = &conn->session;
	r->broker.worker = net_worker_number;
	r->broker.received = conn->last_activity;
	dlist_push_tail(&conn->requests, &r->node);

	if (!run_frame(r, frame, length, &header, &why, &field))
	{
		report_bad_request(conn, &header, why, field);
		net_answer_close(r);
	}
	note_software(conn);
}

void
net_request_resume(NetRequest *r)
{
	leave_park(r);
	if (r->forwarded)
		net_answer_forward(r);
	else
		take_outcome(r, call_handler(&r->broker, r->broker.resume));
}

/* ---------- in the controller ---------- */

char *
net_request_run_asked(const NetAsk *ask, char *message, uint32 length, uint32 *answer_length)
{
	NetRequest *r = new_request();
	BrokerSession session = ask->session;
	WireReader	reader;
	void	   *decoded;
	char	   *answer = NULL;

	r->wire = wire_api(ask->api_key);
	r->broker.api = broker_api(ask->api_key);
	r->broker.api_version = ask->api_version;
	r->broker.correlation_id = ask->correlation_id;
	r->broker.client_id = ask->client_id;
	r->broker.session = &session;
	r->broker.worker = -1;
	r->broker.received = GetCurrentTimestamp();
	r->arena.cap = ARENA_BASE + (size_t) length * 2;

	wire_reader_init(&reader, message, length);
	decoded = r->wire && r->broker.api ? wire_alloc(&r->arena, r->wire->request->size) : NULL;
	if (decoded && wire_decode(r->wire->request, ask->api_version, &reader, &r->arena, decoded) &&
		wire_remaining(&reader) == 0)
	{
		BrokerOutcome outcome;

		r->broker.request = decoded;
		outcome = call_handler(&r->broker, r->broker.api->handler);
		if (outcome == BROKER_PARKED)
			elog(LOG, "the handler of Kafka request %s parked in the controller", r->wire->name);
		else if (outcome == BROKER_DONE && r->broker.response &&
				 wire_encode(r->wire->response, ask->api_version, r->broker.response, &r->answer))
		{
			*answer_length = r->answer.len;
			answer = palloc(Max(r->answer.len, 1));
			memcpy(answer, r->answer.data, r->answer.len);
		}
	}
	else if (net_may_report())
		ereport(LOG,
				(errcode(ERRCODE_PROTOCOL_VIOLATION),
				 errmsg("request of Kafka client %s:%d is malformed", session.client_host,
						session.client_port)));
	net_request_free(r);
	return answer;
}
