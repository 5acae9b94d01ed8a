/*-------------------------------------------------------------------------
 *
 * authorize.c
 *	  Privileges of Kafka sessions.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "broker/authorize.h"

/* Kafka's numbers of operations (AclOperation) */
enum
{
	OP_READ = 3,
	OP_WRITE = 4,
	OP_CREATE = 5,
	OP_DELETE = 6,
	OP_ALTER = 7,
	OP_DESCRIBE = 8,
	OP_DESCRIBE_CONFIGS = 10,
	OP_ALTER_CONFIGS = 11,
	OP_IDEMPOTENT_WRITE = 12
};

#define BIT(op) (1 << (op))

/* A Kafka operation on a topic, and the right that it takes. */
static const struct
{
	int32		bits;
	TopicRight	right;
}			topic_operations[] = {
	{BIT(OP_READ), TOPIC_READ},
	{BIT(OP_WRITE), TOPIC_WRITE},
	{BIT(OP_DESCRIBE) | BIT(OP_DESCRIBE_CONFIGS), TOPIC_DESCRIBE},
	{BIT(OP_CREATE) | BIT(OP_DELETE) | BIT(OP_ALTER) | BIT(OP_ALTER_CONFIGS), TOPIC_ALTER},
};

bool
broker_may(BrokerRequest *req, Oid relid, TopicRight right)
{
	return topic_may(req->session->role, relid, right);
}

bool
broker_may_cluster(BrokerRequest *req, BrokerClusterRight right)
{
	switch (right)
	{
		case BROKER_CLUSTER_CREATE:
			return topic_may_create(req->session->role);

			/*
			 * Any role may read pg_settings and draw numbers: there is nothing to
			 * protect in these.
			 */
		case BROKER_CLUSTER_DESCRIBE:
		case BROKER_CLUSTER_IDEMPOTENT_WRITE:
			return true;
	}
	return false;
}

int32
broker_topic_operations(BrokerRequest *req, Oid relid)
{
	int32		operations = 0;

	for (int i = 0; i < lengthof(topic_operations); i++)
	{
		if (broker_may(req, relid, topic_operations[i].right))
			operations |= topic_operations[i].bits;
	}
	return operations;
}

int32
broker_cluster_operations(BrokerRequest *req)
{
	int32		operations = 0;

	if (broker_may_cluster(req, BROKER_CLUSTER_CREATE))
		operations |= BIT(OP_CREATE);
	if (broker_may_cluster(req, BROKER_CLUSTER_DESCRIBE))
		operations |= BIT(OP_DESCRIBE) | BIT(OP_DESCRIBE_CONFIGS);
	if (broker_may_cluster(req, BROKER_CLUSTER_IDEMPOTENT_WRITE))
		operations |= BIT(OP_IDEMPOTENT_WRITE);
	return operations;
}
