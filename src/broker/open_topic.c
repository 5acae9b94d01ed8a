/*-------------------------------------------------------------------------
 *
 * open_topic.c
 *	  Opens topics for the handlers.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "broker/open_topic.h"
#include "storage/lmgr.h"
#include "utils/rel.h"
#include "wire/topic_name.h"

static int16
open_table(BrokerRequest *req, Oid relid, TopicRight right, LOCKMODE lockmode, BrokerTopic *t)
{
	Relation	rel;
	const Topic *topic;

	if (!OidIsValid(relid))
		return KAFKA_UNKNOWN_TOPIC_OR_PARTITION;
	if (!broker_may(req, relid, right))
		return KAFKA_TOPIC_AUTHORIZATION_FAILED;
	if (!ConditionalLockRelationOid(relid, lockmode))
		return KAFKA_NOT_LEADER_OR_FOLLOWER;

	/* It may be gone since we looked its name up. */
	rel = try_relation_open(relid, NoLock);
	topic = rel ? topic_get(relid) : NULL;
	if (topic == NULL)
	{
		if (rel)
			relation_close(rel, NoLock);
		UnlockRelationOid(relid, lockmode);
		return KAFKA_UNKNOWN_TOPIC_OR_PARTITION;
	}
	t->rel = rel;
	t->lockmode = lockmode;
	t->topic = topic;
	return KAFKA_NONE;
}

int16
broker_topic_open(BrokerRequest *req, WireString name, TopicRight right,
				  LOCKMODE lockmode, BrokerTopic *t)
{
	return open_table(req, name.len < 0 ? InvalidOid : topic_lookup(name.data, name.len), right, lockmode, t);
}

Oid
broker_topic_by_id(const WireUuid *id)
{
	pg_uuid_t	uuid;

	memcpy(uuid.data, id->bytes, sizeof(uuid.data));
	return topic_lookup_id(&uuid);
}

int16
broker_topic_open_id(BrokerRequest *req, const WireUuid *id, TopicRight right,
					 LOCKMODE lockmode, BrokerTopic *t)
{
	int16		error = open_table(req, broker_topic_by_id(id), right, lockmode, t);

	return error == KAFKA_UNKNOWN_TOPIC_OR_PARTITION ? KAFKA_UNKNOWN_TOPIC_ID : error;
}

void
broker_topic_close(BrokerTopic *t)
{
	relation_close(t->rel, t->lockmode);
	t->rel = NULL;
	t->topic = NULL;
}

typedef struct LookStep
{
	Oid			relid;
	bool		busy;
	const Topic *topic;
} LookStep;

/* BrokerStep */
static void
look(BrokerRequest *req, void *arg)
{
	LookStep   *step = arg;

	step->topic = topic_try_get(step->relid, &step->busy);
}

const Topic *
broker_topic_look(BrokerRequest *req, Oid relid, int16 *error)
{
	LookStep	step = {relid, false, NULL};

	*error = broker_try(req, look, &step, NULL);
	if (*error != KAFKA_NONE)
		return NULL;
	if (step.topic == NULL)
		*error = step.busy ? KAFKA_LEADER_NOT_AVAILABLE : KAFKA_UNKNOWN_TOPIC_OR_PARTITION;
	return step.topic;
}

bool
broker_topic_is_internal(WireString name)
{
	return name.len >= 0 && topic_name_internal(name.data, name.len);
}

WireString
broker_topic_name(BrokerRequest *req, const Topic *topic)
{
	/* The cache may renew the topic before the answer is encoded. */
	return broker_copy(req, topic->name);
}
