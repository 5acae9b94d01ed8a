/*-------------------------------------------------------------------------
 *
 * park.c
 *	  Requests that wait, and what wakes them.
 *
 * A parked request is in one of these lists by what it waits for, and in the
 * heap of deadlines if it has one:
 *	  flush		ordered by the WAL position that must be flushed
 *	  replicate	the same, for what the synchronous standbys must confirm
 *	  advance	for the high watermark of some partitions (which, the handlers know)
 *	  turn		for time: these go on one after another, so that many of them take no
 *				more of a turn than one does
 *	  ask		for the controller
 *	  call		for the coordinator, or (unsent) for room in its queue
 * What is resumed may park again; its connection goes on at the end of the turn.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "exchange/call.h"
#include "log/log.h"
#include "net/ask.h"
#include "net/connection.h"
#include "utils/inval.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

/* These wait for other clients. */
#define API_JOIN_GROUP	11
#define API_SYNC_GROUP	14

static dlist_head flush_list = DLIST_STATIC_INIT(flush_list);
static dlist_head replicate_list = DLIST_STATIC_INIT(replicate_list);
static dlist_head advance_list = DLIST_STATIC_INIT(advance_list);
static dlist_head woken_list = DLIST_STATIC_INIT(woken_list);	/* about to be resumed */
static dlist_head turn_list = DLIST_STATIC_INIT(turn_list);
static dlist_head ask_list = DLIST_STATIC_INIT(ask_list);
static dlist_head call_list = DLIST_STATIC_INIT(call_list);
static dlist_head unsent_list = DLIST_STATIC_INIT(unsent_list);
static NetRequest **by_call_slot;	/* those that the coordinator has */
static pairingheap *deadlines;

static int
compare_deadlines(const pairingheap_node *a, const pairingheap_node *b, void *arg)
{
	TimestampTz ta = pairingheap_const_container(NetRequest, deadline_node, a)->broker.wait.deadline;
	TimestampTz tb = pairingheap_const_container(NetRequest, deadline_node, b)->broker.wait.deadline;

	return ta < tb ? 1 : ta > tb ? -1 : 0;	/* the earliest comes first */
}

void
net_park_init(void)
{
	MemoryContext old = MemoryContextSwitchTo(TopMemoryContext);

	deadlines = pairingheap_allocate(compare_deadlines, NULL);
	by_call_slot = palloc0(sizeof(NetRequest *) * call_n_slots());
	MemoryContextSwitchTo(old);
}

/* Positions mostly come in order, so look from the end. */
static void
insert_by_lsn(dlist_head *list, NetRequest *r)
{
	dlist_node *before = dlist_is_empty(list) ? NULL : dlist_tail_node(list);

	while (before)
	{
		NetRequest *other = dlist_container(NetRequest, wait_node, before);

		if (other->broker.wait.lsn <= r->broker.wait.lsn)
		{
			dlist_insert_after(before, &r->wait_node);
			return;
		}
		before = dlist_has_prev(list, before) ? dlist_prev_node(list, before) : NULL;
	}
	dlist_push_head(list, &r->wait_node);
}

void
net_park(NetRequest *r)
{
	const BrokerWait *wait = &r->broker.wait;

	r->wait_list = NULL;
	if (r->call_pending)
		r->wait_list = &unsent_list;
	else if (r->ask_pending || r->ask_slot >= 0)
		r->wait_list = &ask_list;
	else if (!XLogRecPtrIsInvalid(wait->lsn))
		r->wait_list = wait->replicated ? &replicate_list : &flush_list;
	else if (wait->advance)
		r->wait_list = &advance_list;
	else if (wait->turn)
		r->wait_list = &turn_list;

	if (r->wait_list == &flush_list || r->wait_list == &replicate_list)
		insert_by_lsn(r->wait_list, r);
	else if (r->wait_list)
		dlist_push_tail(r->wait_list, &r->wait_node);

	r->has_deadline = wait->deadline != 0;
	if (r->has_deadline)
		pairingheap_add(deadlines, &r->deadline_node);
}

void
net_unpark(NetRequest *r)
{
	if (r->wait_list)
		dlist_delete(&r->wait_node);
	r->wait_list = NULL;
	if (r->has_deadline)
		pairingheap_remove(deadlines, &r->deadline_node);
	r->has_deadline = false;
}

bool
net_park_is_poll(const NetRequest *r)
{
	return r->state == NET_REQUEST_PARKED &&
		(r->wait_list == NULL || r->wait_list == &advance_list || r->wait_list == &woken_list ||
		 (r->wait_list == &call_list && (r->wire->key == API_JOIN_GROUP || r->wire->key == API_SYNC_GROUP)));
}

static void
resume(NetRequest *r)
{
	NetConnection *conn = r->conn;

	net_current = conn;
	net_request_resume(r);
	net_connection_schedule(conn);
	net_current = NULL;
}

static NetRequest *
first(dlist_head *list)
{
	return dlist_is_empty(list) ? NULL : dlist_head_element(NetRequest, wait_node, list);
}

static void
check_list(dlist_head *list, XLogRecPtr (*position) (void))
{
	NetRequest *r;

	while ((r = first(list)) != NULL)
	{
		XLogRecPtr	done = position();

		if (r->broker.wait.lsn > done)
		{
			/* Ask to be woken, then look again. */
			log_wake_on_flush(net_worker_number);
			done = position();
			if (r->broker.wait.lsn > done)
				break;
		}
		/* One look at the position serves all that it has passed. */
		while ((r = first(list)) != NULL && r->broker.wait.lsn <= done)
			resume(r);
	}
}

/* A partition that the request waits for has advanced. */
static void
note_woken(BrokerRequest *req)
{
	NetRequest *r = (NetRequest *) ((char *) req - offsetof(NetRequest, broker));

	if (r->wait_list != &advance_list)
		return;
	dlist_delete(&r->wait_node);
	dlist_push_tail(&woken_list, &r->wait_node);
	r->wait_list = &woken_list;
}

/* Each of those whose partitions have advanced, once; they look for themselves. */
static void
check_advance(void)
{
	NetRequest *r;

	broker_watch_collect(net_worker_number, note_woken);
	while ((r = first(&woken_list)) != NULL)
		resume(r);
}

static void
send_ask(NetRequest *r)
{
	NetAsk		ask = {0};

	ask.api_key = r->broker.wait.ask_api_key;
	ask.api_version = r->broker.wait.ask_api_version;
	ask.correlation_id = r->broker.correlation_id;
	strlcpy(ask.client_id, r->broker.client_id, sizeof(ask.client_id));
	ask.session = r->conn->session;
	switch (net_ask_send(net_worker_number, &ask, r->ask_message, r->ask_length, &r->ask_slot))
	{
		case NET_ASK_SENT:
			r->ask_pending = false;
			break;
		case NET_ASK_FULL:
			break;
		case NET_ASK_TOO_LARGE:
			r->ask_pending = false;
			r->broker.ask_answer = NULL;
			resume(r);
			break;
	}
}

static void
check_asks(void)
{
	dlist_mutable_iter iter;

	dlist_foreach_modify(iter, &ask_list)
	{
		NetRequest *r = dlist_container(NetRequest, wait_node, iter.cur);
		char	   *answer;
		uint32		length;
		MemoryContext old;

		if (r->ask_pending)
		{
			send_ask(r);
			continue;
		}
		old = MemoryContextSwitchTo(r->broker.context);
		if (net_ask_receive(r->ask_slot, &answer, &length))
		{
			MemoryContextSwitchTo(old);
			/* What the controller has done is to be seen, also by a transaction that has begun before. */
			if (IsTransactionState())
				AcceptInvalidationMessages();
			r->ask_slot = -1;
			r->broker.ask_answer = answer;
			r->broker.ask_answer_length = length;
			resume(r);
		}
		else
			MemoryContextSwitchTo(old);
	}
}

void
net_park_forget_call(NetRequest *r)
{
	if (r->call_slot >= 0)
	{
		call_forget(r->call_slot);
		by_call_slot[r->call_slot] = NULL;
	}
	r->call_slot = -1;
	r->call_pending = false;
}

/* false: there is no room. */
static bool
send_call(NetRequest *r)
{
	Call		call = {0};

	call.api_key = r->wire->key;
	call.api_version = r->broker.api_version;
	call.role = r->conn->session.role;
	strlcpy(call.client_id, r->broker.client_id, sizeof(call.client_id));
	strlcpy(call.client_host, r->conn->session.client_host, sizeof(call.client_host));
	switch (call_send(net_worker_number, &call, r->ask_message, r->ask_length, &r->call_slot))
	{
		case CALL_SENT:
			r->call_pending = false;
			by_call_slot[r->call_slot] = r;
			dlist_delete(&r->wait_node);
			dlist_push_tail(&call_list, &r->wait_node);
			r->wait_list = &call_list;
			return true;
		case CALL_FULL:
			return false;
		case CALL_TOO_LARGE:
			r->call_pending = false;
			r->broker.ask_answer = NULL;
			resume(r);
			return true;
	}
	return false;
}

static void
check_calls(void)
{
	NetRequest *r;
	char	   *answer;
	uint32		length;
	int			slot;

	while ((slot = call_receive(net_worker_number, &answer, &length)) >= 0)
	{
		r = by_call_slot[slot];
		by_call_slot[slot] = NULL;
		if (r == NULL)
			continue;
		r->call_slot = -1;
		r->broker.ask_answer = answer;
		r->broker.ask_answer_length = length;
		resume(r);
		if (answer)
			pfree(answer);
	}
	while ((r = first(&unsent_list)) != NULL && send_call(r))
		;
}

/* Those whose time has come; an ask that is under way is given up. */
static void
check_deadlines(TimestampTz now)
{
	while (!pairingheap_is_empty(deadlines))
	{
		NetRequest *r = pairingheap_container(NetRequest, deadline_node, pairingheap_first(deadlines));

		if (r->broker.wait.deadline > now)
			break;
		if (r->ask_slot >= 0)
			net_ask_forget(r->ask_slot);
		r->ask_slot = -1;
		r->ask_pending = false;
		net_park_forget_call(r);
		resume(r);
	}
}

void
net_park_check(TimestampTz now)
{
	check_deadlines(now);
	check_list(&flush_list, log_flushed_lsn);
	check_list(&replicate_list, log_durable_lsn);
	check_asks();
	check_calls();
	check_advance();
	if (!dlist_is_empty(&turn_list))
		resume(first(&turn_list));
}

TimestampTz
net_park_next_deadline(void)
{
	if (!dlist_is_empty(&turn_list))
		return GetCurrentTimestamp();
	if (pairingheap_is_empty(deadlines))
		return 0;
	return pairingheap_container(NetRequest, deadline_node,
								 pairingheap_first(deadlines))->broker.wait.deadline;
}
