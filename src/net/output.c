/*-------------------------------------------------------------------------
 *
 * output.c
 *	  Sends answers, in order, from memory and from topics' pages.
 *
 * What is sent in a turn is limited, for a connection and for all of them together,
 * and the pages that come next are asked for ahead: a consumer that catches up
 * from disk doesn't hold up those that wait for the newest records.
 *
 * An answer is a buffer with splices: places where runs of stored batches
 * belong.  A turn fills one buffer of the worker's from the cursor of the first
 * answer on, sends it, and moves the cursors by what the socket took.  What a
 * slow client doesn't take is read again from the pages when it does, so an
 * answer of megabytes holds no memory; if retention has freed the pages
 * meanwhile, the connection is closed, because the answer's length has been sent.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <sys/socket.h>

#include "access/relation.h"
#include "executor/instrument.h"
#include "net/connection.h"
#include "net/process.h"
#include "net/report.h"
#include "storage/lmgr.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#define SEND_BUFFER		(256 * 1024)
#define TURN_BUDGET		(1024 * 1024)
#define TURN_BUDGET_ALL (4 * 1024 * 1024)

/* A topic that DDL has locked is tried again after this, and given up after that. */
#define LOCKED_RETRY_MS	10
#define LOCKED_MAX_MS	30000

typedef enum FillResult
{
	FILL_OK,
	FILL_LOCKED,				/* the topic is locked for now */
	FILL_GONE					/* what was promised is not there any more */
} FillResult;

static char *send_buffer;
static size_t turn_budget;		/* what is left of TURN_BUDGET_ALL */

void
net_output_begin_turn(void)
{
	turn_budget = TURN_BUDGET_ALL;
}

/*
 * Lock and open a topic without waiting.  The lock lasts until the end of the
 * turn, so doing this again in the turn is cheap.
 */
static Relation
open_topic(Oid relid, FillResult *result)
{
	Relation	rel;

	net_transaction_begin();
	if (!ConditionalLockRelationOid(relid, AccessShareLock))
	{
		*result = FILL_LOCKED;
		return NULL;
	}
	rel = try_relation_open(relid, NoLock);
	if (rel == NULL)
		*result = FILL_GONE;
	return rel;
}

/*
 * Copy up to `room` bytes of a splice from the cursor on; the cursor moves on.
 * With dst NULL nothing is copied.
 */
static FillResult
fill_splice(const BrokerSlices *slices, NetCursor *cursor, char *dst, size_t room, size_t *filled)
{
	FillResult	result = FILL_OK;
	Relation	rel = NULL;
	int64		blocks_read = pgBufferUsage.shared_blks_read;

	*filled = 0;
	while (room > 0 && cursor->slice < slices->n_slices)
	{
		const LogSlice *slice = &slices->slices[cursor->slice];
		uint32		n = Min(slice->length - cursor->skip, room);

		if (dst)
		{
			if (rel == NULL)
			{
				rel = open_topic(slices->relid, &result);
				if (rel == NULL)
					break;
			}
			if (!log_slice_copy(rel, slice, cursor->skip, dst + *filled, n))
			{
				result = FILL_GONE;
				break;
			}
		}
		*filled += n;
		room -= n;
		cursor->skip += n;
		if (cursor->skip == slice->length)
		{
			cursor->slice++;
			cursor->skip = 0;
		}
	}
	if (rel)
	{
		/* Where these pages had to be read, the next ones will, too. */
		if (cursor->slice < slices->n_slices && pgBufferUsage.shared_blks_read > blocks_read)
		{
			const LogSlice *slice = &slices->slices[cursor->slice];

			log_slice_prefetch(rel, slice, cursor->skip, Min(slice->length - cursor->skip, SEND_BUFFER));
		}
		relation_close(rel, NoLock);
	}
	if (cursor->slice == slices->n_slices)
	{
		cursor->splice++;
		cursor->slice = 0;
		cursor->skip = 0;
	}
	return result;
}

/* The same for an answer as a whole; a result other than OK comes with what was filled before. */
static FillResult
fill(const NetRequest *r, NetCursor *cursor, char *dst, size_t room, size_t *filled)
{
	const WireWriter *w = &r->answer;
	FillResult	result = FILL_OK;

	*filled = 0;
	while (result == FILL_OK && *filled < room)
	{
		const WireSplice *splice = cursor->splice < w->n_splices ? &w->splices[cursor->splice] : NULL;
		size_t		memory_end = splice ? splice->pos : w->len;
		size_t		n;

		if (cursor->memory < memory_end)
		{
			n = Min(memory_end - cursor->memory, room - *filled);
			if (dst)
				memcpy(dst + *filled, w->data + cursor->memory, n);
			cursor->memory += n;
		}
		else if (splice)
			result = fill_splice(splice->external, cursor, dst ? dst + *filled : NULL,
								 room - *filled, &n);
		else
			break;
		*filled += n;
	}
	return result;
}

/* The client took n bytes. */
static void
advance(NetConnection *conn, size_t n)
{
	conn->unsent -= n;
	pg_atomic_write_u64(&conn->slot->bytes_out, pg_atomic_read_u64(&conn->slot->bytes_out) + n);
	while (n > 0)
	{
		NetRequest *r = dlist_container(NetRequest, node, dlist_head_node(&conn->requests));
		size_t		moved;

		(void) fill(r, &r->cursor, NULL, n, &moved);
		r->sent += moved;
		n -= moved;
		if (r->sent == r->total)
			net_request_free(r);
		else
			break;
	}
}

static void
close_reporting(NetConnection *conn, const char *why)
{
	if (net_may_report())
		ereport(LOG,
				(errmsg("closing connection of Kafka client %s:%d: %s",
						conn->session.client_host, conn->session.client_port, why)));
	net_connection_close(conn);
}

/* Fill the buffer from as many answers as fit. */
static FillResult
gather(NetConnection *conn, size_t *filled)
{
	FillResult	result = FILL_OK;
	dlist_iter	iter;

	*filled = 0;
	dlist_foreach(iter, &conn->requests)
	{
		NetRequest *r = dlist_container(NetRequest, node, iter.cur);
		NetCursor	cursor = r->cursor;
		size_t		n;

		if (r->state != NET_REQUEST_ANSWERED)
			break;
		result = fill(r, &cursor, send_buffer + *filled, SEND_BUFFER - *filled, &n);
		*filled += n;
		if (result != FILL_OK || *filled == SEND_BUFFER)
			break;
	}
	return result;
}

void
net_output_send(NetConnection *conn)
{
	size_t		budget = Min(TURN_BUDGET, turn_budget);

	if (send_buffer == NULL)
		send_buffer = MemoryContextAlloc(TopMemoryContext, SEND_BUFFER);

	conn->send_blocked = false;
	conn->retry_send = 0;
	while (!dlist_is_empty(&conn->requests) && budget > 0)
	{
		NetRequest *head = dlist_container(NetRequest, node, dlist_head_node(&conn->requests));
		FillResult	result;
		size_t		filled;
		ssize_t		n;

		if (head->state == NET_REQUEST_CLOSING)
		{
			net_connection_close(conn);
			return;
		}
		if (head->state != NET_REQUEST_ANSWERED)
			return;

		result = gather(conn, &filled);
		if (filled == 0 && result != FILL_LOCKED)
		{
			close_reporting(conn, "the records it was reading have been deleted");
			return;
		}
		if (filled == 0 && result == FILL_LOCKED)
		{
			TimestampTz now = GetCurrentTimestamp();

			if (conn->retry_since == 0)
				conn->retry_since = now;
			if (TimestampDifferenceExceeds(conn->retry_since, now, LOCKED_MAX_MS))
				close_reporting(conn, "the topic it was reading is locked");
			else
				net_connection_retry_send(conn, TimestampTzPlusMilliseconds(now, LOCKED_RETRY_MS));
			return;
		}

		n = send(conn->fd, send_buffer, filled, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n < 0)
		{
			if (errno == EINTR)
				continue;
			if (errno == EAGAIN || errno == EWOULDBLOCK)
				conn->send_blocked = true;
			else
				net_connection_close(conn); /* the client has gone: nothing unusual */
			return;
		}
		conn->retry_since = 0;
		net_connection_touch(conn);
		advance(conn, n);
		budget -= Min(budget, n);
		turn_budget -= Min(turn_budget, n);
		if (n < filled)
		{
			conn->send_blocked = true;
			return;
		}
	}
	/* More than the budget: the socket is writable, so the next turn goes on. */
	if (!dlist_is_empty(&conn->requests))
	{
		NetRequest *head = dlist_container(NetRequest, node, dlist_head_node(&conn->requests));

		if (head->state == NET_REQUEST_CLOSING)
			net_connection_close(conn);
		else if (head->state == NET_REQUEST_ANSWERED)
			conn->send_blocked = true;
	}
}
