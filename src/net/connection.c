/*-------------------------------------------------------------------------
 *
 * connection.c
 *	  Clients' connections: read, served in turn, closed.
 *
 * The sockets are level-triggered in the worker's epoll set and watched only
 * for what the connection can do next:  it is read while the next request is
 * not there as a whole, so what a client sends ahead waits in its socket; it
 * is watched for room to write while an answer could not be sent.
 *
 * A turn gives each connection a share; what has more to do comes last in the
 * list of runnable ones and goes on in the next turn.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "broker/settings.h"
#include "net/connection.h"
#include "net/process.h"
#include "net/report.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

/* Shares of a turn. */
#define READ_BUDGET		(1024 * 1024)
#define REQUEST_BUDGET	16

/* A request that arrives slowly, but does arrive, counts as activity by this much. */
#define PROGRESS		(64 * 1024)

/* Half a request that makes no progress holds memory for no longer if others wait for it. */
#define STALLED_MS		5000

static MemoryContext connection_context;
static dlist_head connections = DLIST_STATIC_INIT(connections); /* longest idle first */
static dlist_head runnable = DLIST_STATIC_INIT(runnable);
static dlist_head closed = DLIST_STATIC_INIT(closed);	/* by runnable_node */
static int	n_connections;
static int	n_paused;
static TimestampTz next_retry;	/* of sending; 0: never */

void
net_connections_init(void)
{
	connection_context = AllocSetContextCreate(TopMemoryContext, "pg_broker connections",
											   ALLOCSET_DEFAULT_SIZES);
}

static void
watch(NetConnection *conn, uint32 events)
{
	struct epoll_event event = {0};

	if (conn->events == events)
		return;
	event.events = events;
	event.data.ptr = conn;
	if (epoll_ctl(net_epoll_fd, EPOLL_CTL_MOD, conn->fd, &event) < 0)
		elog(LOG, "epoll_ctl() failed: %m");
	conn->events = events;
}

/* For a client that has come; NULL: there is no memory.  The session is the caller's to fill. */
NetConnection *
net_connection_create(int fd, NetConnectionSlot *slot)
{
	NetConnection *conn = MemoryContextAllocExtended(connection_context, sizeof(NetConnection),
													 MCXT_ALLOC_ZERO | MCXT_ALLOC_NO_OOM);
	struct epoll_event event = {0};

	if (conn == NULL)
		return NULL;
	event.events = EPOLLIN;
	event.data.ptr = conn;
	if (epoll_ctl(net_epoll_fd, EPOLL_CTL_ADD, fd, &event) < 0)
	{
		pfree(conn);
		return NULL;
	}
	conn->fd = fd;
	conn->events = event.events;
	conn->slot = slot;
	conn->last_activity = GetCurrentTimestamp();
	dlist_init(&conn->requests);
	dlist_push_tail(&connections, &conn->lru_node);
	n_connections++;
	return conn;
}

/* ---------- close ---------- */

static void
forget_runnable(NetConnection *conn)
{
	if (conn->runnable)
		dlist_delete(&conn->runnable_node);
	conn->runnable = false;
}

static void
set_paused(NetConnection *conn, bool paused)
{
	if (conn->paused != paused)
		n_paused += paused ? 1 : -1;
	conn->paused = paused;
}

/* Its memory stays until the end of the turn: whoever calls may still look at it. */
void
net_connection_close(NetConnection *conn)
{
	if (conn->fd < 0)
		return;
	while (!dlist_is_empty(&conn->requests))
		net_request_cancel(dlist_container(NetRequest, node, dlist_tail_node(&conn->requests)));
	net_input_reset(&conn->input);
	set_paused(conn, false);
	forget_runnable(conn);
	net_worker_forget(conn);
	close(conn->fd);
	conn->fd = -1;
	dlist_delete(&conn->lru_node);
	net_slot_release(conn->slot);
	n_connections--;
	dlist_push_tail(&closed, &conn->runnable_node);
}

void
net_connections_reap(void)
{
	while (!dlist_is_empty(&closed))
		pfree(dlist_container(NetConnection, runnable_node, dlist_pop_head_node(&closed)));
}

void
net_connections_close_all(void)
{
	while (!dlist_is_empty(&connections))
		net_connection_close(dlist_head_element(NetConnection, lru_node, &connections));
}

/* ---------- read and serve ---------- */

void
net_connection_touch(NetConnection *conn)
{
	conn->last_activity = GetCurrentTimestamp();
	conn->received = 0;
	dlist_delete(&conn->lru_node);
	dlist_push_tail(&connections, &conn->lru_node);
}

/* Is the length that a frame announces one that we take? */
static bool
frame_is_acceptable(NetConnection *conn)
{
	int64		length = net_input_frame_length(&conn->input);

	if (length < 0 || length <= broker_socket_request_max_bytes)
		return true;
	if (net_may_report())
		ereport(LOG,
				(errcode(ERRCODE_PROTOCOL_VIOLATION),
				 errmsg("closing connection of Kafka client %s:%d: a request of " INT64_FORMAT
						" bytes is not accepted", conn->session.client_host,
						conn->session.client_port, (int64) (int32) length),
				 errdetail("The limit \"%s\" is %d bytes.", "pg_broker.socket_request_max_bytes",
						   broker_socket_request_max_bytes)));
	return false;
}

/* No more comes, or nothing that we could understand; what has started is still answered. */
static void
end_input(NetConnection *conn)
{
	conn->input_ended = true;
	net_input_reset(&conn->input);
	set_paused(conn, false);
}

/* Receive until the next request is whole, the socket is empty or the share is used up. */
static void
receive(NetConnection *conn)
{
	size_t		budget = READ_BUDGET;

	while (budget > 0 && !conn->input_ended && !net_input_has_frame(&conn->input))
	{
		NetChunk   *chunk;
		size_t		room;
		ssize_t		n;

		if (!net_input_make_room(&conn->input))
		{
			set_paused(conn, true);
			return;
		}
		chunk = conn->input.chunk;
		room = Min(chunk->size - chunk->filled, budget);
		n = recv(conn->fd, chunk->data + chunk->filled, room, MSG_DONTWAIT);
		if (n > 0)
		{
			chunk->filled += n;
			budget -= n;
			conn->received += n;
			pg_atomic_write_u64(&conn->slot->bytes_in,
								pg_atomic_read_u64(&conn->slot->bytes_in) + n);
			if (conn->received >= PROGRESS)
				net_connection_touch(conn);
			if (!frame_is_acceptable(conn))
				end_input(conn);
			if (n < room)
				break;
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (net_input_available(&conn->input) == 0)
			net_input_reset(&conn->input);
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			break;
		conn->peer_closed = true;	/* or reset */
		end_input(conn);
	}
}

void
net_connection_schedule(NetConnection *conn)
{
	if (conn->runnable || conn->fd < 0)
		return;
	conn->runnable = true;
	dlist_push_tail(&runnable, &conn->runnable_node);
}

/* A long poll of a client that has gone has nobody left to wait. */
static bool
only_polls_remain(NetConnection *conn)
{
	dlist_iter	iter;

	dlist_foreach(iter, &conn->requests)
		if (!net_park_is_poll(dlist_container(NetRequest, node, iter.cur)))
			return false;
	return true;
}

/* For the view. */
static void
show_state(NetConnection *conn)
{
	pg_atomic_write_u32(&conn->slot->state,
						conn->n_parked > 0 ? NET_CONNECTION_WAITING :
						conn->unsent > 0 ? NET_CONNECTION_SENDING : NET_CONNECTION_IDLE);
}

/* Start what may start, send what can be sent, watch for what is awaited. */
static void
pump(NetConnection *conn)
{
	uint32		events = 0;

	for (int i = 0; i < REQUEST_BUDGET && net_request_may_start(conn); i++)
	{
		net_connection_touch(conn);
		net_request_start(conn);

		/* The length of the next one is known only now. */
		if (!conn->input_ended && !frame_is_acceptable(conn))
			end_input(conn);
	}
	if (!conn->send_blocked && conn->retry_send == 0)
		net_output_send(conn);
	if (conn->fd < 0)
		return;
	if (conn->input_ended && (dlist_is_empty(&conn->requests) ||
							  (conn->peer_closed && only_polls_remain(conn))))
	{
		net_connection_close(conn);
		return;
	}

	if (net_request_may_start(conn))
		net_connection_schedule(conn);
	if (!conn->input_ended && !conn->paused && !net_input_has_frame(&conn->input))
		events |= EPOLLIN;
	if (conn->send_blocked)
		events |= EPOLLOUT;
	watch(conn, events);
	show_state(conn);
}

void
net_connection_ready(NetConnection *conn, uint32 events)
{
	if (conn->fd < 0)
		return;
	if ((events & (EPOLLERR | EPOLLHUP)) && !(events & EPOLLIN))
	{
		net_connection_close(conn);
		return;
	}
	if (events & EPOLLOUT)
		conn->send_blocked = false;
	if (events & EPOLLIN)
		receive(conn);
	pump(conn);
}

/* ---------- what goes on without an event ---------- */

bool
net_connections_runnable(void)
{
	return !dlist_is_empty(&runnable);
}

static void
serve(NetConnection *conn)
{
	net_current = conn;
	pump(conn);
	net_current = NULL;
}

void
net_connections_continue(TimestampTz now)
{
	int			n = 0;
	dlist_iter	iter;
	dlist_mutable_iter miter;

	/* Each of those that are in the list now; they may come again behind them. */
	dlist_foreach(iter, &runnable)
		n++;
	while (n-- > 0 && !dlist_is_empty(&runnable) && !net_turn_is_over())
	{
		NetConnection *conn = dlist_head_element(NetConnection, runnable_node, &runnable);

		forget_runnable(conn);
		serve(conn);
	}

	if (n_paused > 0 && net_chunks_freed())
		dlist_foreach_modify(miter, &connections)
		{
			NetConnection *conn = dlist_container(NetConnection, lru_node, miter.cur);

			if (conn->paused)
			{
				set_paused(conn, false);
				serve(conn);
			}
		}

	if (next_retry != 0 && next_retry <= now)
	{
		next_retry = 0;
		dlist_foreach_modify(miter, &connections)
		{
			NetConnection *conn = dlist_container(NetConnection, lru_node, miter.cur);
			TimestampTz when = conn->retry_send;

			if (when == 0)
				continue;
			if (when > now)
				net_connection_retry_send(conn, when);
			else
			{
				conn->retry_send = 0;
				serve(conn);
			}
		}
	}
}

void
net_connection_retry_send(NetConnection *conn, TimestampTz when)
{
	conn->retry_send = when;
	if (next_retry == 0 || when < next_retry)
		next_retry = when;
}

TimestampTz
net_connections_next_retry(void)
{
	return next_retry;
}

/* Does it hold memory with half a request, while others are not read for the lack of it? */
static bool
in_the_way(const NetConnection *conn)
{
	return n_paused > 0 && !conn->paused && conn->input.chunk != NULL;
}

static void
close_stalled(NetConnection *conn)
{
	if (net_may_report())
		ereport(LOG,
				(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
				 errmsg("closing connection of Kafka client %s:%d: its request doesn't arrive, and holds "
						"memory that others wait for", conn->session.client_host,
						conn->session.client_port),
				 errhint("Consider increasing \"pg_broker.queued_max_request_size\".")));
	net_connection_close(conn);
}

TimestampTz
net_connections_expire(TimestampTz now)
{
	int			max_idle = broker_connections_max_idle_ms;
	int			shortest = n_paused > 0 ? Min(STALLED_MS, max_idle) : max_idle;
	NetConnection *longest;
	dlist_mutable_iter iter;

	dlist_foreach_modify(iter, &connections)
	{
		NetConnection *conn = dlist_container(NetConnection, lru_node, iter.cur);

		if (!TimestampDifferenceExceeds(conn->last_activity, now, shortest))
			break;
		if (conn->n_parked > 0 || conn->paused)
		{
			if (TimestampDifferenceExceeds(conn->last_activity, now, max_idle))
				net_connection_touch(conn); /* it is we who make it wait */
		}
		else if (TimestampDifferenceExceeds(conn->last_activity, now, max_idle))
			net_connection_close(conn);
		else if (in_the_way(conn))
			close_stalled(conn);
	}
	if (dlist_is_empty(&connections))
		return 0;
	if (n_paused > 0)
		return TimestampTzPlusMilliseconds(now, shortest / 4 + 1);
	longest = dlist_head_element(NetConnection, lru_node, &connections);
	return TimestampTzPlusMilliseconds(longest->last_activity, max_idle + 1);
}

bool
net_connections_paused(void)
{
	return n_paused > 0;
}

void
net_connections_advertise(void)
{
	dlist_iter	iter;

	dlist_foreach(iter, &connections)
	{
		NetConnection *conn = dlist_container(NetConnection, lru_node, iter.cur);

		net_connection_advertise(conn);
	}
}

/* The role of clients without authentication has become another, or none. */
void
net_connections_set_role(Oid role)
{
	dlist_iter	iter;

	if (!OidIsValid(role))
	{
		net_connections_close_all();
		return;
	}
	dlist_foreach(iter, &connections)
	{
		NetConnection *conn = dlist_container(NetConnection, lru_node, iter.cur);

		conn->session.role = role;
		SpinLockAcquire(&conn->slot->mutex);
		conn->slot->role = role;
		SpinLockRelease(&conn->slot->mutex);
	}
}
