/*-------------------------------------------------------------------------
 *
 * answer.c
 *	  The answer to a request: encoded, and made ready to be sent.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "net/connection.h"
#include "net/report.h"
#include "wire/api_versions.h"
#include "wire/error.h"

/* After the answers before it, the connection ends. */
void
net_answer_close(NetRequest *r)
{
	r->state = NET_REQUEST_CLOSING;
	r->conn->input_ended = true;
}

/* Slices that don't add up to the length announced would garble all that follows. */
static bool
slices_add_up(const WireWriter *w)
{
	for (int i = 0; i < w->n_splices; i++)
	{
		const BrokerSlices *slices = w->splices[i].external;
		uint64		sum = 0;

		for (int j = 0; j < slices->n_slices; j++)
			sum += slices->slices[j].length;
		if (sum != w->splices[i].len)
			return false;
	}
	return true;
}

static void
finish_answer(NetRequest *r, size_t frame, bool ok)
{
	ok = ok && wire_end_response(&r->answer, frame) && slices_add_up(&r->answer);
	if (!ok)
	{
		if (net_may_report())
			ereport(LOG,
					(errcode(ERRCODE_INTERNAL_ERROR),
					 errmsg("could not encode the response to Kafka request %s, version %d",
							r->wire->name, r->broker.api_version),
					 r->answer.failed ?
					 errdetail("%s %s.", r->answer.field ? r->answer.field : "It", r->answer.why) : 0));
		net_answer_close(r);
		return;
	}
	net_request_drop_input(r);
	if (r->answer.n_splices == 0)
	{
		/* Only slices are still needed, and there are none. */
		wire_arena_reset(&r->arena);
		net_request_account(r);
	}
	r->state = NET_REQUEST_ANSWERED;
	r->total = wire_total(&r->answer);
	r->sent = 0;
	memset(&r->cursor, 0, sizeof(r->cursor));
	r->conn->unsent += r->total;
}

void
net_answer_encode(NetRequest *r)
{
	size_t		frame = wire_begin_response(&r->answer, r->wire, r->broker.api_version,
											r->broker.correlation_id);

	finish_answer(r, frame, r->broker.response != NULL &&
				  wire_encode(r->wire->response, r->broker.api_version, r->broker.response, &r->answer));
}

/* The answer of the controller or coordinator is the body of ours. */
void
net_answer_forward(NetRequest *r)
{
	size_t		frame;

	if (r->broker.ask_answer == NULL)
	{
		net_answer_close(r);
		return;
	}
	frame = wire_begin_response(&r->answer, r->wire, r->broker.api_version, r->broker.correlation_id);
	wire_write_raw(&r->answer, r->broker.ask_answer, r->broker.ask_answer_length);
	finish_answer(r, frame, true);
}

/*
 * ApiVersions is how a client finds out what we speak, so asking for it in a
 * version that we don't know is answered, in the form that all clients know.
 */
void
net_answer_unsupported_version(NetRequest *r)
{
	ApiVersionsResponseApiVersion range;
	ApiVersionsResponse response;
	size_t		frame;

	WIRE_INIT(ApiVersionsResponseApiVersion, &range);
	range.api_key = r->wire->key;
	range.min_version = r->broker.api->min_version;
	range.max_version = r->broker.api->max_version;
	WIRE_INIT(ApiVersionsResponse, &response);
	response.error_code = KAFKA_UNSUPPORTED_VERSION;
	response.n_api_keys = 1;
	response.api_keys = &range;
	frame = wire_begin_response(&r->answer, r->wire, 0, r->broker.correlation_id);
	finish_answer(r, frame, wire_encode(r->wire->response, 0, &response, &r->answer));
}
