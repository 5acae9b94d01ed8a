/*-------------------------------------------------------------------------
 *
 * listener.c
 *	  Binds the broker's port, in several workers at once.
 *
 * SO_REUSEPORT would also let us share the port silently with another server
 * of the same operating system user.  So whoever binds first tries without it
 * before; those who come while others of us listen don't have to.  The lock
 * makes the first one known, and with it the port that the system chose.
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
#include "net/listener.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/varlena.h"

/* More are waiting than this only while a worker is stuck. */
#define BACKLOG 1024

typedef struct Target
{
	struct sockaddr_storage address;
	socklen_t	length;
	int			family;
} Target;

static void
set_port(Target *target, int port)
{
	if (target->family == AF_INET6)
		((struct sockaddr_in6 *) &target->address)->sin6_port = htons(port);
	else
		((struct sockaddr_in *) &target->address)->sin_port = htons(port);
}

static int
get_port(int fd)
{
	struct sockaddr_storage address;
	socklen_t	length = sizeof(address);

	if (getsockname(fd, (struct sockaddr *) &address, &length) < 0)
		return 0;
	return ntohs(address.ss_family == AF_INET6 ?
				 ((struct sockaddr_in6 *) &address)->sin6_port :
				 ((struct sockaddr_in *) &address)->sin_port);
}

static void
host_of(const Target *target, char *host, size_t size)
{
	if (getnameinfo((const struct sockaddr *) &target->address, target->length,
					host, size, NULL, 0, NI_NUMERICHOST) != 0)
		strlcpy(host, "?", size);
}

/* Resolve pg_broker.listen_addresses; names that don't resolve are left out. */
static int
resolve(Target *targets, int max, bool report)
{
	char	   *copy = pstrdup(broker_listen_addresses);
	List	   *names;
	ListCell   *lc;
	int			n = 0;

	if (!SplitGUCList(copy, ',', &names))
	{
		if (report)
			ereport(LOG,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("invalid list syntax in parameter \"%s\"", "pg_broker.listen_addresses")));
		return 0;
	}
	foreach(lc, names)
	{
		const char *name = lfirst(lc);
		struct addrinfo hints = {0};
		struct addrinfo *list = NULL;
		int			rc;

		hints.ai_family = AF_UNSPEC;
		hints.ai_socktype = SOCK_STREAM;
		hints.ai_flags = AI_PASSIVE;
		rc = getaddrinfo(strcmp(name, "*") == 0 ? NULL : name, "0", &hints, &list);
		if (rc != 0)
		{
			if (report)
				ereport(LOG,
						(errmsg("could not resolve \"%s\" of \"%s\": %s",
								name, "pg_broker.listen_addresses", gai_strerror(rc))));
			continue;
		}
		for (struct addrinfo *ai = list; ai != NULL; ai = ai->ai_next)
		{
			bool		known = false;

			if (ai->ai_family != AF_INET && ai->ai_family != AF_INET6)
				continue;
			for (int i = 0; i < n; i++)
				if (targets[i].length == ai->ai_addrlen &&
					memcmp(&targets[i].address, ai->ai_addr, ai->ai_addrlen) == 0)
					known = true;
			if (known || n == max)
				continue;
			memset(&targets[n], 0, sizeof(Target));
			memcpy(&targets[n].address, ai->ai_addr, ai->ai_addrlen);
			targets[n].length = ai->ai_addrlen;
			targets[n].family = ai->ai_family;
			n++;
		}
		freeaddrinfo(list);
	}
	return n;
}

/* A bound socket, or -1 with errno. */
static int
bind_socket(const Target *target, bool shared)
{
	int			on = 1;
	int			fd = socket(target->family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) < 0 ||
		(shared && setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on)) < 0) ||
		(target->family == AF_INET6 &&
		 setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on)) < 0) ||
		bind(fd, (const struct sockaddr *) &target->address, target->length) < 0)
	{
		int			save_errno = errno;

		close(fd);
		errno = save_errno;
		return -1;
	}
	return fd;
}

/*
 * Bind `target` for sharing among the workers, on *port (0: let the system
 * choose, and set *port).  Returns the listening socket, or -1 with errno.
 */
static int
open_one(Target *target, int *port, bool first)
{
	int			fd;

	set_port(target, *port);
	if (first)
	{
		/* Listening matters: two sockets that only bind don't conflict. */
		int			probe = bind_socket(target, false);

		if (probe < 0)
			return -1;
		if (listen(probe, 1) < 0)
		{
			int			save_errno = errno;

			close(probe);
			errno = save_errno;
			return -1;
		}
		if (*port == 0)
			*port = get_port(probe);
		close(probe);
		set_port(target, *port);
	}
	fd = bind_socket(target, true);
	if (fd >= 0 && listen(fd, BACKLOG) < 0)
	{
		int			save_errno = errno;

		close(fd);
		errno = save_errno;
		return -1;
	}
	return fd;
}

/* With the lock held. */
static bool
open_all(NetListener *listener, bool report)
{
	Target		targets[NET_MAX_ADDRESSES];
	int			n = resolve(targets, NET_MAX_ADDRESSES, report);
	bool		first = net_shared->n_listening == 0;
	int			port = first ? broker_port : net_shared->addresses[0].port;
	int			n_addresses = 0;

	for (int i = 0; i < n; i++)
	{
		char		host[64];
		int			fd = open_one(&targets[i], &port, first);

		host_of(&targets[i], host, sizeof(host));
		if (fd < 0)
		{
			/* An address that this machine lacks is no reason to give up the others. */
			bool		fatal = errno != EADDRNOTAVAIL && errno != EAFNOSUPPORT;
			bool		in_use = errno == EADDRINUSE;

			if (report)
				ereport(LOG,
						(errcode_for_socket_access(),
						 errmsg("could not listen for Kafka clients on \"%s\", port %d: %m", host, port),
						 in_use ?
						 errhint("Is another broker running on port %d? If not, wait a few seconds, "
								 "or change \"pg_broker.port\".", port) : 0));
			if (fatal)
				return false;
			continue;
		}
		listener->fds[listener->n++] = fd;
		if (first)
		{
			strlcpy(net_shared->addresses[n_addresses].host, host, sizeof(host));
			net_shared->addresses[n_addresses].port = port;
			n_addresses++;
		}
	}
	if (listener->n == 0)
		return false;
	if (first)
	{
		net_shared->n_addresses = n_addresses;
		for (int i = 0; i < n_addresses; i++)
			ereport(LOG,
					(errmsg("listening for Kafka clients on \"%s\", port %d",
							net_shared->addresses[i].host, net_shared->addresses[i].port)));
	}
	net_shared->n_listening++;
	return true;
}

bool
net_listener_open(NetListener *listener, bool report)
{
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "listen addresses",
												  ALLOCSET_SMALL_SIZES);
	MemoryContext old = MemoryContextSwitchTo(scratch);
	bool		ok;

	listener->n = 0;
	LWLockAcquire(&net_shared->listen_lock, LW_EXCLUSIVE);
	ok = open_all(listener, report);
	if (!ok)
		for (int i = 0; i < listener->n; i++)
			close(listener->fds[i]);
	LWLockRelease(&net_shared->listen_lock);
	if (!ok)
		listener->n = 0;
	MemoryContextSwitchTo(old);
	MemoryContextDelete(scratch);
	return ok;
}

void
net_listener_close(NetListener *listener)
{
	if (listener->n == 0)
		return;
	LWLockAcquire(&net_shared->listen_lock, LW_EXCLUSIVE);
	for (int i = 0; i < listener->n; i++)
		close(listener->fds[i]);
	listener->n = 0;
	net_shared->n_listening--;
	LWLockRelease(&net_shared->listen_lock);
}
