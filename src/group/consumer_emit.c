/*-------------------------------------------------------------------------
 *
 * consumer_emit.c
 *	  Changes of a group of the consumer protocol: records, applied at once.
 *
 *-------------------------------------------------------------------------
 */
#include "group/consumer.h"

typedef ConsumerGroupCurrentMemberAssignmentValueTopicPartitions CurrentTopic;

void
consumer_emit_metadata(Group *group, int32_t epoch, int64_t hash)
{
	ConsumerGroupMetadataKey key = {.group_id = group->id};
	ConsumerGroupMetadataValue value;

	WIRE_INIT(ConsumerGroupMetadataValue, &value);
	value.epoch = epoch;
	value.metadata_hash = hash;
	group_emit(group, WIRE_RECORD_CONSUMER_GROUP_METADATA, &key, &value);
	consumer_apply_metadata(group, &value);
}

void
consumer_member_value(GroupCoordinator *co, const ConsumerMember *member,
					  ConsumerGroupMemberMetadataValue *value)
{
	WIRE_INIT(ConsumerGroupMemberMetadataValue, value);
	value->instance_id = member->instance_id;
	value->rack_id = member->rack_id;
	value->client_id = member->client_id;
	value->client_host = member->client_host;
	value->n_subscribed_topic_names = member->n_names;
	value->subscribed_topic_names = member->names;
	value->subscribed_topic_regex = member->regex;
	value->rebalance_timeout_ms = member->rebalance_timeout_ms;
	value->server_assignor = member->assignor;
	if (member->classic)
	{
		ConsumerGroupMemberMetadataValueClassicMemberMetadata *c =
			GROUP_NEW(co, ConsumerGroupMemberMetadataValueClassicMemberMetadata);

		c->session_timeout_ms = member->session_timeout_ms;
		c->n_supported_protocols = member->n_protocols;
		c->supported_protocols = GROUP_NEW_ARRAY(co, ConsumerGroupMemberMetadataValueClassicProtocol,
												 member->n_protocols);
		for (int32_t i = 0; i < member->n_protocols; i++)
		{
			c->supported_protocols[i].name = member->protocols[i].name;
			c->supported_protocols[i].metadata = member->protocols[i].metadata;
		}
		value->classic_member_metadata = c;
	}
}

void
consumer_emit_member(Group *group, WireString id, const ConsumerGroupMemberMetadataValue *value)
{
	ConsumerGroupMemberMetadataKey key = {.group_id = group->id, .member_id = id};

	group_emit(group, WIRE_RECORD_CONSUMER_GROUP_MEMBER_METADATA, &key, value);
	consumer_apply_member(group, id, value);
}

void
consumer_emit_target_metadata(Group *group, int32_t epoch, int64_t at)
{
	ConsumerGroupTargetAssignmentMetadataKey key = {.group_id = group->id};
	ConsumerGroupTargetAssignmentMetadataValue value;

	WIRE_INIT(ConsumerGroupTargetAssignmentMetadataValue, &value);
	value.assignment_epoch = epoch;
	value.assignment_timestamp = at;
	group_emit(group, WIRE_RECORD_CONSUMER_GROUP_TARGET_METADATA, &key, &value);
	consumer_apply_target_metadata(group, &value);
}

void
consumer_emit_target(Group *group, WireString id, const GroupPartitions *target)
{
	GroupCoordinator *co = group->co;
	ConsumerGroupTargetAssignmentMemberKey key = {.group_id = group->id, .member_id = id};
	ConsumerGroupTargetAssignmentMemberValue value;

	if (target == NULL)
	{
		group_emit(group, WIRE_RECORD_CONSUMER_GROUP_TARGET_MEMBER, &key, NULL);
		consumer_apply_target(group, id, NULL);
		return;
	}
	WIRE_INIT(ConsumerGroupTargetAssignmentMemberValue, &value);
	value.n_topic_partitions = target->n;
	value.topic_partitions = GROUP_NEW_ARRAY(co, ConsumerGroupTargetAssignmentMemberValueTopicPartition,
											 target->n);
	for (int32_t i = 0; i < target->n; i++)
	{
		value.topic_partitions[i].topic_id = target->topics[i].topic_id;
		value.topic_partitions[i].n_partitions = target->topics[i].n;
		value.topic_partitions[i].partitions = target->topics[i].partitions;
	}
	group_emit(group, WIRE_RECORD_CONSUMER_GROUP_TARGET_MEMBER, &key, &value);
	consumer_apply_target(group, id, &value);
}

static CurrentTopic *
current_topics(GroupCoordinator *co, const GroupPartitions *p)
{
	CurrentTopic *topics =
		GROUP_NEW_ARRAY(co, ConsumerGroupCurrentMemberAssignmentValueTopicPartitions, p->n);

	for (int32_t i = 0; i < p->n; i++)
	{
		topics[i].topic_id = p->topics[i].topic_id;
		topics[i].n_partitions = p->topics[i].n;
		topics[i].partitions = p->topics[i].partitions;
		if (p->topics[i].epochs)
		{
			topics[i].n_assignment_epochs = p->topics[i].n;
			topics[i].assignment_epochs = p->topics[i].epochs;
		}
	}
	return topics;
}

void
consumer_emit_current(Group *group, WireString id, int32_t epoch, int32_t previous_epoch, ConsumerState state,
					  const GroupPartitions *assigned, const GroupPartitions *pending)
{
	GroupCoordinator *co = group->co;
	ConsumerGroupCurrentMemberAssignmentKey key = {.group_id = group->id, .member_id = id};
	ConsumerGroupCurrentMemberAssignmentValue value;

	WIRE_INIT(ConsumerGroupCurrentMemberAssignmentValue, &value);
	value.member_epoch = epoch;
	value.previous_member_epoch = previous_epoch;
	value.state = (int8_t) state;
	value.n_assigned_partitions = assigned->n;
	value.assigned_partitions = current_topics(co, assigned);
	value.n_partitions_pending_revocation = pending->n;
	value.partitions_pending_revocation = current_topics(co, pending);
	group_emit(group, WIRE_RECORD_CONSUMER_GROUP_CURRENT_MEMBER, &key, &value);
	consumer_apply_current(group, id, &value);
}

void
consumer_emit_regex(Group *group, WireString pattern, const ConsumerGroupRegularExpressionValue *value)
{
	ConsumerGroupRegularExpressionKey key = {.group_id = group->id, .regular_expression = pattern};

	group_emit(group, WIRE_RECORD_CONSUMER_GROUP_REGEX, &key, value);
	consumer_apply_regex(group, pattern, value);
}

static void
remove_records(Group *group, WireString id)
{
	ConsumerGroupCurrentMemberAssignmentKey current = {.group_id = group->id, .member_id = id};
	ConsumerGroupTargetAssignmentMemberKey target = {.group_id = group->id, .member_id = id};
	ConsumerGroupMemberMetadataKey metadata = {.group_id = group->id, .member_id = id};

	group_emit(group, WIRE_RECORD_CONSUMER_GROUP_CURRENT_MEMBER, &current, NULL);
	group_emit(group, WIRE_RECORD_CONSUMER_GROUP_TARGET_MEMBER, &target, NULL);
	group_emit(group, WIRE_RECORD_CONSUMER_GROUP_MEMBER_METADATA, &metadata, NULL);
}

void
consumer_emit_remove(ConsumerMember *member)
{
	Group	   *group = member->group;
	WireString	id = group_out_string(group->co, member->id);

	remove_records(group, id);
	consumer_apply_current(group, id, NULL);
	consumer_apply_target(group, id, NULL);
	consumer_apply_member(group, id, NULL);
}

void
consumer_emit_tombstones(Group *group)
{
	ConsumerGroup *consumer = &group->consumer;
	ConsumerGroupTargetAssignmentMetadataKey target = {.group_id = group->id};
	ConsumerGroupPartitionMetadataKey partitions = {.group_id = group->id};
	ConsumerGroupMetadataKey metadata = {.group_id = group->id};
	GroupMapScan scan;

	group_map_scan(&scan, &consumer->members);
	for (ConsumerMember *member; (member = group_map_next(&scan)) != NULL;)
		remove_records(group, member->id);
	group_map_scan(&scan, &consumer->regexes);
	for (ConsumerRegex *regex; (regex = group_map_next(&scan)) != NULL;)
	{
		ConsumerGroupRegularExpressionKey key = {.group_id = group->id, .regular_expression = regex->pattern};

		group_emit(group, WIRE_RECORD_CONSUMER_GROUP_REGEX, &key, NULL);
	}
	group_emit(group, WIRE_RECORD_CONSUMER_GROUP_TARGET_METADATA, &target, NULL);
	if (consumer->has_old_metadata)
		group_emit(group, WIRE_RECORD_CONSUMER_GROUP_PARTITION_METADATA, &partitions, NULL);
	group_emit(group, WIRE_RECORD_CONSUMER_GROUP_METADATA, &metadata, NULL);
}
