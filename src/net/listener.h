/*-------------------------------------------------------------------------
 *
 * listener.h
 *	  The sockets on which a worker accepts clients.
 *
 * Every worker binds sockets of its own to the same addresses (SO_REUSEPORT);
 * the kernel spreads the connections over them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef NET_LISTENER_H
#define NET_LISTENER_H

#include "net/shared.h"

typedef struct NetListener
{
	int			n;
	int			fds[NET_MAX_ADDRESSES];
} NetListener;

/* false: the port is not to be had; says why in the log if `report`. */
extern bool net_listener_open(NetListener *listener, bool report);
extern void net_listener_close(NetListener *listener);

#endif							/* NET_LISTENER_H */
