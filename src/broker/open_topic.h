/*-------------------------------------------------------------------------
 *
 * open_topic.h
 *	  Opens the topic that a request names, without ever waiting for a lock.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BROKER_OPEN_TOPIC_H
#define BROKER_OPEN_TOPIC_H

#include "broker/authorize.h"
#include "broker/handlers.h"
#include "storage/lockdefs.h"
#include "topic/topic.h"
#include "utils/relcache.h"

typedef struct BrokerTopic
{
	Relation	rel;
	LOCKMODE	lockmode;
	const Topic *topic;
} BrokerTopic;

/*
 * Returns KAFKA_NONE and fills *t, or a code: UNKNOWN_TOPIC_OR_PARTITION,
 * TOPIC_AUTHORIZATION_FAILED, or NOT_LEADER_OR_FOLLOWER (which clients retry)
 * when someone holds a lock against us.
 */
extern int16 broker_topic_open(BrokerRequest *req, WireString name, TopicRight right,
							   LOCKMODE lockmode, BrokerTopic *t);

/* The same by topic id: UNKNOWN_TOPIC_ID if there is no such topic. */
extern int16 broker_topic_open_id(BrokerRequest *req, const WireUuid *id, TopicRight right,
								  LOCKMODE lockmode, BrokerTopic *t);

/* The table of a topic by its id, or InvalidOid. */
extern Oid	broker_topic_by_id(const WireUuid *id);

/*
 * Gives back the lock too: a request may name thousands of topics, more than
 * the lock table holds.  Nothing that handlers do with a topic has to be
 * protected until the end of the transaction.
 */
extern void broker_topic_close(BrokerTopic *t);

/*
 * What is known of a table that was a topic a moment ago, good until the next
 * call.  NULL: it is gone, or locked by DDL, or damaged, as *error says; one
 * damaged topic must not make all others unknown to clients.
 */
extern const Topic *broker_topic_look(BrokerRequest *req, Oid relid, int16 *error);

/* Is this the name of a topic that only the broker itself writes? */
extern bool broker_topic_is_internal(WireString name);

/* The name as clients know it, good as long as the answer. */
extern WireString broker_topic_name(BrokerRequest *req, const Topic *topic);

#endif							/* BROKER_OPEN_TOPIC_H */
