/*-------------------------------------------------------------------------
 *
 * connection.c
 *	  Clients' connections: accepted, read, served in turn, closed.
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

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "broker/settings.h"
#include "miscadmin.h"
#include "net/connection.h"
#include "net/process.h"
#include "net/report.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

/* Shares of a turn. */
#define READ_BUDGET		(1024 * 1024)
#define REQUEST_BUDGET	16
#define ACCEPT_BUDGET	64

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
static uint32 next_session_id;

void
net_connections_init(void)
{
	connection_context = AllocSetContextCreate(TopMemoryContext, "pg_broker connections",
											   ALLOCSET_DEFAULT_SIZES);
}

/* ---------- accept ---------- */

static bool
is_loopback(const struct sockaddr_storage *address)
{
	if (address->ss_family == AF_INET)
		return ntohl(((const struct sockaddr_in *) address)->sin_addr.s_addr) >> 24 == 127;
	if (address->ss_family == AF_INET6)
	{
		const struct in6_addr *a = &((const struct sockaddr_in6 *) address)->sin6_addr;

		return IN6_IS_ADDR_LOOPBACK(a) || (IN6_IS_ADDR_V4MAPPED(a) && a->s6_addr[12] == 127);
	}
	return false;
}

static void
name_of(const struct sockaddr_storage *address, socklen_t length, char *host, size_t size, int *port)
{
	char		service[16];

	if (getnameinfo((const struct sockaddr *) address, length, host, size, service, sizeof(service),
					NI_NUMERICHOST | NI_NUMERICSERV) != 0)
	{
		strlcpy(host, "?", size);
		strlcpy(service, "0", sizeof(service));
	}
	*port = atoi(service);
}

/* Where the client finds us again: as configured, or as it has found us. */
static void
advertise(BrokerSession *session, int fd)
{
	struct sockaddr_storage local;
	socklen_t	length = sizeof(local);

	if (broker_parse_address(broker_advertised_listeners, session->advertised_host,
							 sizeof(session->advertised_host), &session->advertised_port))
		return;
	if (getsockname(fd, (struct sockaddr *) &local, &length) < 0)
		length = 0;
	name_of(&local, length, session->advertised_host, sizeof(session->advertised_host),
			&session->advertised_port);
}

static void
fill_slot(NetConnection *conn)
{
	NetConnectionSlot *slot = conn->slot;

	SpinLockAcquire(&slot->mutex);
	slot->used = true;
	slot->worker_pid = MyProcPid;
	slot->role = conn->session.role;
	strlcpy(slot->client_host, conn->session.client_host, sizeof(slot->client_host));
	slot->client_port = conn->session.client_port;
	slot->client_id[0] = '\0';
	slot->software[0] = '\0';
	slot->connected = conn->last_activity;
	SpinLockRelease(&slot->mutex);
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

/* Take a client, or turn it away.  Raises nothing: the descriptor would be lost. */
static void
adopt(int fd, const struct sockaddr_storage *peer, socklen_t peer_length, Oid role)
{
	NetConnection *conn;
	NetConnectionSlot *slot;
	struct epoll_event event = {0};
	char		host[64];
	int			port;
	int			on = 1;

	name_of(peer, peer_length, host, sizeof(host), &port);
	if (broker_plaintext_role[0] == '\0' && !is_loopback(peer))
	{
		close(fd);
		if (net_may_report())
			ereport(LOG,
					(errcode(ERRCODE_INVALID_AUTHORIZATION_SPECIFICATION),
					 errmsg("refused Kafka client %s:%d, which is not on this machine", host, port),
					 errhint("Set \"pg_broker.plaintext_role\" to the role that clients without "
							 "authentication are to have.")));
		return;
	}
	if (!OidIsValid(role))
	{
		close(fd);
		if (net_may_report())
			ereport(LOG,
					(errcode(ERRCODE_UNDEFINED_OBJECT),
					 errmsg("refused Kafka client %s:%d: role \"%s\" of \"%s\" does not exist",
							host, port, broker_plaintext_role, "pg_broker.plaintext_role")));
		return;
	}
	slot = net_slot_acquire();
	if (slot == NULL)
	{
		close(fd);
		if (net_may_report())
			ereport(LOG,
					(errcode(ERRCODE_TOO_MANY_CONNECTIONS),
					 errmsg("refused Kafka client %s:%d: there are %d connections already",
							host, port, broker_max_connections),
					 errhint("You might need to increase \"pg_broker.max_connections\".")));
		return;
	}

	conn = MemoryContextAllocExtended(connection_context, sizeof(NetConnection),
									  MCXT_ALLOC_ZERO | MCXT_ALLOC_NO_OOM);
	event.events = EPOLLIN;
	event.data.ptr = conn;
	if (conn == NULL || epoll_ctl(net_epoll_fd, EPOLL_CTL_ADD, fd, &event) < 0)
	{
		close(fd);
		net_slot_release(slot);
		if (conn)
			pfree(conn);
		elog(LOG, "could not take Kafka client %s:%d: out of memory", host, port);
		return;
	}
	(void) setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	(void) setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));

	conn->fd = fd;
	conn->events = EPOLLIN;
	conn->slot = slot;
	conn->last_activity = GetCurrentTimestamp();
	dlist_init(&conn->requests);
	conn->session.role = role;
	strlcpy(conn->session.client_host, host, sizeof(conn->session.client_host));
	conn->session.client_port = port;
	conn->session.id = next_session_id++;
	advertise(&conn->session, fd);
	fill_slot(conn);
	dlist_push_tail(&connections, &conn->lru_node);
	n_connections++;
}

/* false: out of descriptors; accept no more for a while. */
bool
net_connection_accept(int listen_fd)
{
	Oid			role = net_plaintext_role();

	for (int i = 0; i < ACCEPT_BUDGET; i++)
	{
		struct sockaddr_storage peer;
		socklen_t	length = sizeof(peer);
		int			fd = accept4(listen_fd, (struct sockaddr *) &peer, &length,
								 SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (fd >= 0)
		{
			adopt(fd, &peer, length, role);
			continue;
		}
		if (errno == EINTR || errno == ECONNABORTED)
			continue;
		if (errno == EAGAIN || errno == EWOULDBLOCK)
			return true;
		if (net_may_report())
			ereport(LOG,
					(errcode_for_socket_access(),
					 errmsg("could not accept a Kafka client: %m")));
		return false;
	}
	return true;
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

void
net_connection_pump(NetConnection *conn)
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
	net_connection_pump(conn);
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
	net_connection_pump(conn);
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

		advertise(&conn->session, conn->fd);
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
