/*-------------------------------------------------------------------------
 *
 * support.c
 *	  What all handlers share: memory of a response, errors of single items,
 *	  repeated names.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "broker/handlers.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "topic/topic.h"
#include "utils/memutils.h"
#include "utils/resowner.h"
#include "utils/timestamp.h"
#include "wire/arena.h"

#define REPORT_INTERVAL_MS 1000

/* ---------- memory ---------- */

void
broker_out_of_memory(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg("the answer to a Kafka request needs more memory than a request may use")));
}

void *
broker_new(BrokerRequest *req, const WireStruct *type, size_t n)
{
	void	   *p = wire_new(req->arena, type, Max(n, 1));

	if (p == NULL)
		broker_out_of_memory();
	return p;
}

void *
broker_alloc(BrokerRequest *req, size_t n, size_t size)
{
	void	   *p = wire_alloc_array(req->arena, Max(n, 1), size);

	if (p == NULL)
		broker_out_of_memory();
	return p;
}

WireString
broker_copy(BrokerRequest *req, const char *string)
{
	WireString	s = wire_copy_string(req->arena, wire_string(string));

	if (string != NULL && s.len < 0)
		broker_out_of_memory();
	return s;
}

WireString
broker_printf(BrokerRequest *req, const char *format,...)
{
	va_list		args;
	char		buffer[1024];

	va_start(args, format);
	vsnprintf(buffer, sizeof(buffer), format, args);
	va_end(args);

	/* Cut at a character: clients refuse text that isn't UTF-8. */
	if (strlen(buffer) == sizeof(buffer) - 1)
		buffer[pg_encoding_mbcliplen(PG_UTF8, buffer, sizeof(buffer) - 1, sizeof(buffer) - 4)] = '\0';
	return broker_copy(req, buffer);
}

char *
broker_cstring(WireString s)
{
	return s.len < 0 ? NULL : pnstrdup(s.data, s.len);
}

/* ---------- time ---------- */

int64
broker_now_ms(BrokerRequest *req)
{
	return req->now / 1000 +
		((int64) (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE)) * SECS_PER_DAY * 1000;
}

/* ---------- requests that ask for much ---------- */

/* Of this a call may take, so that other clients need not wait for longer. */
#define CALL_MS 10

bool
broker_turn_is_over(BrokerRequest *req)
{
	return TimestampDifferenceExceeds(req->now, GetCurrentTimestamp(), CALL_MS);
}

static BrokerOutcome
loop_goes_on(BrokerRequest *req)
{
	BrokerLoop *loop = req->state;

	while (loop->next < loop->n)
	{
		bool		done = loop->item(req, loop->next);

		if (done)
			loop->next++;
		if (!done || (broker_turn_is_over(req) && loop->next < loop->n))
		{
			req->wait.turn = true;
			req->resume = loop_goes_on;
			return BROKER_PARKED;
		}
	}
	return loop->finish(req);
}

BrokerOutcome
broker_loop(BrokerRequest *req, BrokerLoop *loop)
{
	req->state = loop;
	return loop_goes_on(req);
}

BrokerOutcome
broker_done(BrokerRequest *req)
{
	return BROKER_DONE;
}

BrokerOutcome
broker_each(BrokerRequest *req, int n, bool (*item) (BrokerRequest *req, int i))
{
	BrokerLoop *loop = MemoryContextAllocZero(req->context, sizeof(BrokerLoop));

	loop->item = item;
	loop->finish = broker_done;
	loop->n = n;
	return broker_loop(req, loop);
}

/* ---------- errors ---------- */

/* An error that comes back with each request must not fill the server's log. */
static bool
may_report(TimestampTz now)
{
	static TimestampTz last;

	if (!TimestampDifferenceExceeds(last, now, REPORT_INTERVAL_MS))
		return false;
	last = now;
	return true;
}

ErrorData *
broker_catch(void (*step) (void *arg), void *arg)
{
	MemoryContext oldcontext = CurrentMemoryContext;
	ResourceOwner oldowner = CurrentResourceOwner;
	ErrorData  *volatile error = NULL;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(oldcontext);
	PG_TRY();
	{
		step(arg);
		ReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(oldcontext);
		error = CopyErrorData();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
	}
	PG_END_TRY();
	MemoryContextSwitchTo(oldcontext);
	CurrentResourceOwner = oldowner;
	return error;
}

typedef struct RequestStep
{
	BrokerRequest *req;
	BrokerStep	step;
	void	   *arg;
} RequestStep;

static void
run_request_step(void *arg)
{
	RequestStep *s = arg;

	s->step(s->req, s->arg);
}

int16
broker_try(BrokerRequest *req, BrokerStep step, void *arg, WireString *message)
{
	RequestStep s = {req, step, arg};
	ErrorData  *error = broker_catch(run_request_step, &s);
	int16		result;

	if (error == NULL)
		return KAFKA_NONE;
	result = topic_error_to_kafka(error->sqlerrcode);
	if (message != NULL)
		*message = broker_printf(req, error->detail ? "%s: %s" : "%s", error->message, error->detail);

	/* What a client can cause is its business; the rest is the administrator's. */
	if ((result == KAFKA_UNKNOWN_SERVER_ERROR || result == KAFKA_KAFKA_STORAGE_ERROR) &&
		may_report(req->now))
		ereport(LOG,
				(errcode(error->sqlerrcode),
				 errmsg("could not serve a Kafka request: %s", error->message),
				 error->detail ? errdetail_internal("%s", error->detail) : 0,
				 errcontext("Kafka API %d version %d from %s:%d",
							req->api->key, req->api_version,
							req->session->client_host, req->session->client_port)));
	FreeErrorData(error);
	return result;
}

/* ---------- repeated names ---------- */

typedef struct NamedItem
{
	WireString	name;
	int			index;
} NamedItem;

static int
compare_named_items(const void *a, const void *b)
{
	const NamedItem *x = a;
	const NamedItem *y = b;
	int32		n = Min(x->name.len, y->name.len);
	int			c = n > 0 ? memcmp(x->name.data, y->name.data, n) : 0;

	if (c != 0)
		return c;
	if (x->name.len != y->name.len)
		return x->name.len < y->name.len ? -1 : 1;
	return x->index < y->index ? -1 : 1;
}

BrokerRepeat *
broker_repeats(const void *items, int n, size_t size, size_t offset)
{
	BrokerRepeat *repeats = palloc0(sizeof(BrokerRepeat) * Max(n, 1));
	NamedItem  *sorted = palloc(sizeof(NamedItem) * Max(n, 1));

	for (int i = 0; i < n; i++)
	{
		sorted[i].name = *(const WireString *) ((const char *) items + i * size + offset);
		sorted[i].index = i;
	}
	qsort(sorted, Max(n, 0), sizeof(NamedItem), compare_named_items);
	for (int i = 1; i < n; i++)
	{
		if (!wire_string_equal(sorted[i - 1].name, sorted[i].name))
			continue;
		repeats[sorted[i].index] = BROKER_AGAIN;
		if (repeats[sorted[i - 1].index] == BROKER_ONCE)
			repeats[sorted[i - 1].index] = BROKER_FIRST;
	}
	pfree(sorted);
	return repeats;
}
