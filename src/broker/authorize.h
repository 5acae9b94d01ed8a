/*-------------------------------------------------------------------------
 *
 * authorize.h
 *	  May this session do that?  The one place where handlers ask.
 *
 * A session acts as a PostgreSQL role.  Kafka's operations on a topic are the
 * privileges on its table; those on the cluster are the role's own.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BROKER_AUTHORIZE_H
#define BROKER_AUTHORIZE_H

#include "broker/request.h"
#include "topic/topic.h"

typedef enum BrokerClusterRight
{
	BROKER_CLUSTER_CREATE,		/* make topics */
	BROKER_CLUSTER_DESCRIBE,	/* look at brokers and their settings */
	BROKER_CLUSTER_IDEMPOTENT_WRITE /* get a producer id */
} BrokerClusterRight;

extern bool broker_may(BrokerRequest *req, Oid relid, TopicRight right);
extern bool broker_may_cluster(BrokerRequest *req, BrokerClusterRight right);

/* "Not asked for", in the fields that the two functions below fill. */
#define BROKER_OPERATIONS_UNKNOWN PG_INT32_MIN

/* What the session may do, as a bit set of Kafka's numbers of operations. */
extern int32 broker_topic_operations(BrokerRequest *req, Oid relid);
extern int32 broker_cluster_operations(BrokerRequest *req);

#endif							/* BROKER_AUTHORIZE_H */
