/*-------------------------------------------------------------------------
 *
 * accept.c
 *	  Takes new clients, or turns them away.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "broker/settings.h"
#include "miscadmin.h"
#include "net/connection.h"
#include "net/report.h"
#include "utils/timestamp.h"

/* In a turn */
#define ACCEPT_BUDGET	64

static uint32 next_session_id;

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
void
net_connection_advertise(NetConnection *conn)
{
	BrokerSession *session = &conn->session;
	struct sockaddr_storage local;
	socklen_t	length = sizeof(local);

	if (broker_parse_address(broker_advertised_listeners, session->advertised_host,
							 sizeof(session->advertised_host), &session->advertised_port))
		return;
	if (getsockname(conn->fd, (struct sockaddr *) &local, &length) < 0)
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

/* Take a client, or turn it away.  Raises nothing: the descriptor would be lost. */
static void
adopt(int fd, const struct sockaddr_storage *peer, socklen_t peer_length, Oid role)
{
	NetConnection *conn;
	NetConnectionSlot *slot;
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

	conn = net_connection_create(fd, slot);
	if (conn == NULL)
	{
		close(fd);
		net_slot_release(slot);
		elog(LOG, "could not take Kafka client %s:%d: out of memory", host, port);
		return;
	}
	(void) setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	(void) setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));

	conn->session.role = role;
	strlcpy(conn->session.client_host, host, sizeof(conn->session.client_host));
	conn->session.client_port = port;
	conn->session.id = next_session_id++;
	net_connection_advertise(conn);
	fill_slot(conn);
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
