/*-------------------------------------------------------------------------
 *
 * group_access.c
 *	  Privileges on groups, and on the topics that requests of groups name.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "broker/group_store.h"
#include "topic/topic.h"
#include "wire/error.h"

static const TopicGroupRight rights[] = {
	[GROUP_USE] = TOPIC_GROUP_USE,
	[GROUP_DESCRIBE] = TOPIC_GROUP_DESCRIBE,
	[GROUP_DELETE] = TOPIC_GROUP_DELETE,
};

int16
broker_group_may(uint32 who, WireString group, uint32 owner, GroupRight right)
{
	return topic_may_use_group(who, group.data, Max(group.len, 0), owner, rights[right]) ? KAFKA_NONE :
		KAFKA_GROUP_AUTHORIZATION_FAILED;
}

int16
broker_group_may_topic(uint32 who, const WireUuid *topic_id, bool read)
{
	pg_uuid_t	id;
	Oid			relid;

	memcpy(id.data, topic_id->bytes, sizeof(id.data));
	relid = topic_lookup_id(&id);
	return OidIsValid(relid) && topic_may(who, relid, read ? TOPIC_READ : TOPIC_DESCRIBE) ? KAFKA_NONE :
		KAFKA_TOPIC_AUTHORIZATION_FAILED;
}
