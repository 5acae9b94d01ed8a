/*-------------------------------------------------------------------------
 *
 * consumer_convert.c
 *	  Groups that go from the classic to the consumer protocol, and back.
 *
 * A classic group of consumers becomes a group of the consumer protocol when
 * a member of that joins; it becomes classic again when the last one leaves.
 * In both directions the members and what they have assigned stay.
 *
 *-------------------------------------------------------------------------
 */
#include "group/consumer.h"

/* ---------- classic to consumer ---------- */

/* What the members' bytes mean. */
typedef struct Converted
{
	EmbeddedSubscription subscription;
	GroupPartitions assigned;
} Converted;

static bool
convert_member(GroupCoordinator *co, const ClassicMember *member, WireString protocol, int32_t epoch,
			   Converted *out)
{
	EmbeddedAssignment assignment;
	PartitionList list = {0};

	if (!group_read_subscription(co, classic_metadata(member, protocol), &out->subscription))
		return false;
	if (member->assignment.len > 0)
	{
		/* An assignor's own data would be lost. */
		if (!group_read_assignment(co, member->assignment, &assignment) || assignment.user_data.len > 0)
			return false;
		for (int32_t i = 0; i < assignment.n; i++)
		{
			GroupTopic *topic = group_topic_by_name(co, assignment.topics[i].topic);

			for (int32_t j = 0; topic && j < assignment.topics[i].n; j++)
				partition_list_add(co, &list, &topic->id, assignment.topics[i].partitions[j], epoch);
		}
	}
	out->assigned = partitions_of(co, &list);
	return true;
}

/* The protocol whose metadata count; a group that never was stable has none yet. */
static WireString
protocol_of(const Group *group)
{
	return group->classic.protocol_name.len >= 0 ? group->classic.protocol_name :
		classic_choose_protocol(group);
}

int16_t
consumer_can_upgrade(Group *group)
{
	GroupCoordinator *co = group->co;
	Converted	converted;

	if ((co->settings.migration != GROUP_MIGRATION_UPGRADE &&
		 co->settings.migration != GROUP_MIGRATION_BIDIRECTIONAL) ||
		!classic_is_consumer(group) || group->classic.members.n > co->settings.consumer_max_size)
		return KAFKA_GROUP_ID_NOT_FOUND;
	for (ClassicMember *member = group->classic.first; member; member = member->next)
		if (!convert_member(co, member, protocol_of(group), 0, &converted))
			return KAFKA_GROUP_ID_NOT_FOUND;
	return KAFKA_NONE;
}

/* A classic member's metadata, in `out` memory: its state is about to go. */
static void
member_value(GroupCoordinator *co, const ClassicMember *member, const EmbeddedSubscription *subscription,
			 ConsumerGroupMemberMetadataValue *value)
{
	ConsumerGroupMemberMetadataValueClassicMemberMetadata *c =
		GROUP_NEW(co, ConsumerGroupMemberMetadataValueClassicMemberMetadata);

	WIRE_INIT(ConsumerGroupMemberMetadataValue, value);
	value->instance_id = group_out_string(co, member->instance_id);
	value->rack_id = subscription->rack_id.len > 0 ? group_out_string(co, subscription->rack_id) :
		WIRE_NULL_STRING;
	value->server_assignor = WIRE_NULL_STRING;
	value->subscribed_topic_regex = GROUP_EMPTY_STRING;
	value->client_id = group_out_string(co, member->client_id);
	value->client_host = group_out_string(co, member->client_host);
	value->rebalance_timeout_ms = member->rebalance_timeout_ms;
	value->n_subscribed_topic_names = subscription->n_topics;
	value->subscribed_topic_names = group_out_array(co, WireString, subscription->n_topics);
	for (int32_t i = 0; i < subscription->n_topics; i++)
		value->subscribed_topic_names[i] = group_out_string(co, subscription->topics[i]);
	c->session_timeout_ms = member->session_timeout_ms;
	c->n_supported_protocols = member->n_protocols;
	c->supported_protocols = GROUP_NEW_ARRAY(co, ConsumerGroupMemberMetadataValueClassicProtocol,
											 member->n_protocols);
	for (int32_t i = 0; i < member->n_protocols; i++)
	{
		c->supported_protocols[i].name = group_out_string(co, member->protocols[i].name);
		c->supported_protocols[i].metadata = group_out_bytes(co, member->protocols[i].metadata);
	}
	value->classic_member_metadata = c;
}

int16_t
consumer_upgrade(Group *group)
{
	GroupCoordinator *co = group->co;
	int32_t		epoch = group->classic.generation;
	int32_t		n = group->classic.members.n;
	WireString	protocol = group_out_string(co, protocol_of(group));
	WireString *ids = group_out_array(co, WireString, n);
	ConsumerGroupMemberMetadataValue *values = GROUP_NEW_ARRAY(co, ConsumerGroupMemberMetadataValue, n);
	Converted  *converted = group_out_array(co, Converted, n);
	GroupPartitions none = {0};
	int32_t		i = 0;

	classic_fail_all(group, KAFKA_REBALANCE_IN_PROGRESS);
	for (ClassicMember *member = group->classic.first; member; member = member->next, i++)
	{
		ids[i] = group_out_string(co, member->id);
		convert_member(co, member, protocol, epoch, &converted[i]);
		member_value(co, member, &converted[i].subscription, &values[i]);
	}
	group_emit_tombstones(group);
	consumer_become(group);
	for (i = 0; i < n; i++)
		consumer_emit_member(group, ids[i], &values[i]);
	consumer_emit_metadata(group, epoch, consumer_compute_hash(group));
	for (i = 0; i < n; i++)
		consumer_emit_target(group, ids[i], &converted[i].assigned);
	consumer_emit_target_metadata(group, epoch, 0);
	for (i = 0; i < n; i++)
	{
		consumer_emit_current(group, ids[i], epoch, epoch, CONSUMER_STABLE, &converted[i].assigned, &none);
		consumer_keep_alive(group_map_find(&group->consumer.members, ids[i]));
	}
	return KAFKA_NONE;
}

/* ---------- consumer to classic ---------- */

bool
consumer_can_downgrade(const Group *group, int32_t n, ConsumerMember **leaving)
{
	const GroupCoordinator *co = group->co;
	const ConsumerGroup *consumer = &group->consumer;
	int32_t		classic_left = consumer->n_classic;
	int32_t		left = consumer->n_known - n;

	for (int32_t i = 0; i < n; i++)
		classic_left -= leaving[i]->classic;
	return left > 0 && classic_left == left && left <= co->settings.max_size &&
		(co->settings.migration == GROUP_MIGRATION_DOWNGRADE ||
		 co->settings.migration == GROUP_MIGRATION_BIDIRECTIONAL);
}

static bool
leaves(const ConsumerMember *member, int32_t n, ConsumerMember **leaving)
{
	for (int32_t i = 0; i < n; i++)
		if (leaving[i] == member)
			return true;
	return false;
}

static void
add_classic(Group *group, const ConsumerMember *from, ClassicMember **added)
{
	GroupCoordinator *co = group->co;
	JoinGroupRequestJoinGroupRequestProtocol *protocols =
		GROUP_NEW_ARRAY(co, JoinGroupRequestJoinGroupRequestProtocol, from->n_protocols);
	EmbeddedSubscription subscription;
	ClassicMember *member =
		classic_add(group, from->id, from->instance_id, from->client_id, from->client_host);

	for (int32_t i = 0; i < from->n_protocols; i++)
	{
		protocols[i].name = from->protocols[i].name;
		protocols[i].metadata = from->protocols[i].metadata;
	}
	classic_set_protocols(member, from->n_protocols, protocols);
	member->session_timeout_ms = from->session_timeout_ms;
	member->rebalance_timeout_ms = from->rebalance_timeout_ms;
	group_read_subscription(co, from->protocols[0].metadata, &subscription);
	member->assignment =
		group_copy_bytes(co, group_write_assignment(co, subscription.version, &from->target));
	*added = member;
}

/* The members that stay rejoin, so that the partitions of those that leave are assigned. */
void
consumer_downgrade(Group *group, int32_t n, ConsumerMember **leaving)
{
	GroupCoordinator *co = group->co;
	ClassicGroup *classic = &group->classic;
	void	  **members = group_map_sorted(co, &group->consumer.members);
	int32_t		n_members = group->consumer.members.n;
	ClassicMember *member;

	group_emit_tombstones(group);
	for (int32_t i = 0; i < n; i++)
	{
		for_partitions(&leaving[i]->assigned, t, j)
			offset_fence_partition(group, &t->topic_id, t->partitions[j]);
		for_partitions(&leaving[i]->pending, t, j)
			offset_fence_partition(group, &t->topic_id, t->partitions[j]);
	}
	classic_free(group);
	classic->generation = group->consumer.epoch;
	group_set_string(co, &classic->protocol_type, wire_string("consumer"));
	for (int32_t i = 0; i < n_members; i++)
		if (((ConsumerMember *) members[i])->known && !leaves(members[i], n, leaving))
			add_classic(group, members[i], &member);
	consumer_free(group);
	group->kind = GROUP_KIND_CLASSIC;
	group_set_string(co, &classic->protocol_name, classic_choose_protocol(group));
	classic_set_state(group, CLASSIC_STABLE);
	classic_emit(group);
	for (member = classic->first; member; member = member->next)
		classic_keep_alive(member);
	classic_act(group, (ClassicRule) {CLASSIC_REBALANCE, KAFKA_NONE});
}
