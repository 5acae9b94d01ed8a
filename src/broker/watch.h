/*-------------------------------------------------------------------------
 *
 * watch.h
 *	  Requests that wait for partitions to advance.
 *
 * A parked request has a watch for each partition that it waits for, so that
 * a record wakes those who want it, and nobody else.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BROKER_WATCH_H
#define BROKER_WATCH_H

#include "broker/request.h"
#include "lib/ilist.h"

typedef struct BrokerWatch
{
	dlist_node	node;
	BrokerRequest *req;
	void	   *list;			/* of the partition; NULL: not in use */
} BrokerWatch;

/*
 * Watch a partition.  Besides, log_wake_on_advance() must have been called for it before
 * its bounds were looked at.
 */
extern void broker_watch(BrokerWatch *watch, BrokerRequest *req, const RelFileNode *node, int32 partition);

/* No harm if it is not in use.  Raises nothing. */
extern void broker_unwatch(BrokerWatch *watch);

#endif							/* BROKER_WATCH_H */
