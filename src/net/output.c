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
 * belong.  A turn gathers pieces of memory from the cursor of the first answer on: of
 * such buffers, and of pinned pages.  They are sent as they lie there, and the
 * cursors move by what the socket took.  What a slow client doesn't take is
 * found in the pages again when it does, so an answer of megabytes holds no
 * memory; if retention has freed the pages meanwhile, the connection is
 * closed, because the answer's length has been sent.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include "access/relation.h"
#include "executor/instrument.h"
#include "net/connection.h"
#include "net/process.h"
#include "net/report.h"
#include "storage/lmgr.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

/* What one system call sends. */
#define SEND_MAX		(512 * 1024)
#define SEND_PIECES		(LOG_MAX_PINS + 16)
#define TURN_BUDGET		(1024 * 1024)
#define TURN_BUDGET_ALL (4 * 1024 * 1024)

/* A topic that DDL has locked is tried again after this, and given up after that. */
#define LOCKED_RETRY_MS	10
#define LOCKED_MAX_MS	30000

typedef enum FillResult
{
	FILL_OK,
	FILL_FULL,					/* there is no place for another piece */
	FILL_LOCKED,				/* the topic is locked for now */
	FILL_GONE					/* what was promised is not there any more */
} FillResult;

typedef struct Pieces
{
	int			n;
	size_t		bytes;
	struct iovec vec[SEND_PIECES];
	int			page[SEND_PIECES];	/* which of the pins it lies in; -1: in none */
	LogPins		pins;
} Pieces;

static Pieces pieces;
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

static void
add_piece(Pieces *out, const char *data, size_t len, int page)
{
	Assert(out->n < SEND_PIECES);
	out->vec[out->n].iov_base = unconstify(char *, data);
	out->vec[out->n].iov_len = len;
	out->page[out->n++] = page;
	out->bytes += len;
}

/* Pin pages of a slice, as many as there is place for; *n: bytes, wanted and done. */
static FillResult
add_pages(Pieces *out, Relation rel, const LogSlice *slice, uint32 skip, uint32 *n)
{
	int			first = out->pins.n;
	uint32		wanted = *n;
	bool		there;

	/* Each page may need a piece. */
	if (out->n + LOG_MAX_PINS - first > SEND_PIECES)
	{
		*n = 0;
		return FILL_FULL;
	}
	there = log_pins_add(&out->pins, rel, slice, skip, wanted, n);
	for (int i = first; i < out->pins.n; i++)
		add_piece(out, out->pins.pages[i].data, out->pins.pages[i].length, i);
	if (!there)
		return FILL_GONE;
	return *n < wanted ? FILL_FULL : FILL_OK;
}

/*
 * Gather up to `room` bytes of a splice from the cursor on; the cursor moves on.
 * With out NULL it just moves.
 */
static FillResult
fill_splice(const BrokerSlices *slices, NetCursor *cursor, Pieces *out, size_t room, size_t *filled)
{
	FillResult	result = FILL_OK;
	Relation	rel = NULL;
	int64		blocks_read = pgBufferUsage.shared_blks_read;

	*filled = 0;
	while (result == FILL_OK && room > 0 && cursor->slice < slices->n_slices)
	{
		const LogSlice *slice = &slices->slices[cursor->slice];
		uint32		n = Min(slice->length - cursor->skip, room);

		if (out)
		{
			if (rel == NULL)
			{
				rel = open_topic(slices->relid, &result);
				if (rel == NULL)
					break;
			}
			result = add_pages(out, rel, slice, cursor->skip, &n);
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

			log_slice_prefetch(rel, slice, cursor->skip, Min(slice->length - cursor->skip, SEND_MAX));
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

/* The same for an answer as a whole; a result other than OK comes with what was gathered before. */
static FillResult
fill(const NetRequest *r, NetCursor *cursor, Pieces *out, size_t room, size_t *filled)
{
	const WireWriter *w = &r->answer;
	FillResult	result = FILL_OK;

	*filled = 0;
	while (result == FILL_OK && *filled < room)
	{
		const WireSplice *splice = cursor->splice < w->n_splices ? &w->splices[cursor->splice] : NULL;
		size_t		memory_end = splice ? splice->pos : w->len;
		size_t		n = 0;

		if (cursor->memory < memory_end)
		{
			if (out && out->n == SEND_PIECES)
				return FILL_FULL;
			n = Min(memory_end - cursor->memory, room - *filled);
			if (out)
				add_piece(out, w->data + cursor->memory, n, -1);
			cursor->memory += n;
		}
		else if (splice)
			result = fill_splice(splice->external, cursor, out, room - *filled, &n);
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

/* Gather pieces of as many answers as there is place for, and lock their pages. */
static FillResult
gather(NetConnection *conn)
{
	FillResult	result = FILL_OK;
	dlist_iter	iter;
	int			n_pages;

	/* An error has released what an earlier turn has pinned. */
	pieces.n = 0;
	pieces.bytes = 0;
	pieces.pins.n = 0;
	pieces.pins.n_locked = 0;
	dlist_foreach(iter, &conn->requests)
	{
		NetRequest *r = dlist_container(NetRequest, node, iter.cur);
		NetCursor	cursor = r->cursor;
		size_t		n;

		if (r->state != NET_REQUEST_ANSWERED)
			break;
		result = fill(r, &cursor, &pieces, SEND_MAX - pieces.bytes, &n);
		if (result != FILL_OK || pieces.bytes >= SEND_MAX)
			break;
	}

	/* What lies behind a page that isn't the right one, or can't be had now, isn't sent. */
	n_pages = log_pins_lock(&pieces.pins);
	if (n_pages < pieces.pins.n)
		for (int i = 0; i < pieces.n; i++)
			if (pieces.page[i] >= n_pages)
			{
				while (pieces.n > i)
					pieces.bytes -= pieces.vec[--pieces.n].iov_len;
				if (i == 0)
					result = FILL_GONE;
			}
	return result;
}

static ssize_t
send_pieces(NetConnection *conn)
{
	struct msghdr message = {.msg_iov = pieces.vec, .msg_iovlen = pieces.n};
	ssize_t		n = sendmsg(conn->fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
	int			error = errno;

	log_pins_release(&pieces.pins);
	errno = error;
	return n;
}

void
net_output_send(NetConnection *conn)
{
	size_t		budget = Min(TURN_BUDGET, turn_budget);

	conn->send_blocked = false;
	conn->retry_send = 0;
	while (!dlist_is_empty(&conn->requests) && budget > 0)
	{
		NetRequest *head = dlist_container(NetRequest, node, dlist_head_node(&conn->requests));
		FillResult	result;
		ssize_t		n;

		if (head->state == NET_REQUEST_CLOSING)
		{
			net_connection_close(conn);
			return;
		}
		if (head->state != NET_REQUEST_ANSWERED)
			return;

		result = gather(conn);
		if (pieces.bytes == 0 && result != FILL_LOCKED)
		{
			log_pins_release(&pieces.pins);
			close_reporting(conn, "the records it was reading have been deleted");
			return;
		}
		if (pieces.bytes == 0)
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

		n = send_pieces(conn);
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
		if (n < pieces.bytes)
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
