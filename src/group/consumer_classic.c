/*-------------------------------------------------------------------------
 *
 * consumer_classic.c
 *	  Members of the classic protocol in a group of the consumer protocol.
 *
 * So a group can move from one protocol to the other while its members are
 * restarted one by one.  A classic member joins, which is its heartbeat with
 * all details, and syncs, which tells it its assignment.  A heartbeat tells it
 * to join again when its assignment has to change; it has to within its
 * rebalance timeout.
 *
 *-------------------------------------------------------------------------
 */
#include "group/consumer.h"

static ConsumerMember *
find_member(const Group *group, WireString id)
{
	ConsumerMember *member = group_map_find(&group->consumer.members, id);

	return member && member->known ? member : NULL;
}

static int16_t
check_member(const Group *group, WireString id, WireString instance_id, ConsumerMember **member)
{
	ConsumerMember *found = find_member(group, id);

	*member = NULL;
	if (instance_id.len >= 0)
	{
		ConsumerMember *owner = consumer_by_instance(group, instance_id);

		if (owner == NULL)
			return KAFKA_UNKNOWN_MEMBER_ID;
		if (owner != found)
			return KAFKA_FENCED_INSTANCE_ID;
	}
	if (found == NULL || !found->classic)
		return KAFKA_UNKNOWN_MEMBER_ID;
	*member = found;
	return KAFKA_NONE;
}

static void
expect_join(ConsumerMember *member)
{
	if (!group_timer_is_set(&member->join))
		group_timer_set(member->group->co, &member->join, GROUP_TIMER_CONSUMER_JOIN, member,
						member->group->co->now + member->rebalance_timeout_ms);
}

/* ---------- JoinGroup ---------- */

static bool
supports(const Group *group, const JoinGroupRequest *request)
{
	if (!wire_string_is(request->protocol_type, "consumer"))
		return false;
	for (int32_t i = 0; i < request->n_protocols; i++)
	{
		int32_t		n = 0;
		GroupMapScan scan;

		group_map_scan(&scan, &group->consumer.members);
		for (ConsumerMember *m; (m = group_map_next(&scan)) != NULL;)
			for (int32_t j = 0; m->classic && j < m->n_protocols; j++)
				if (wire_string_equal(m->protocols[j].name, request->protocols[i].name))
				{
					n++;
					break;
				}
		if (n == group->consumer.n_classic)
			return true;
	}
	return false;
}

static GroupPartitions
read_owned(GroupCoordinator *co, const EmbeddedSubscription *subscription)
{
	PartitionList list = {0};

	for (int32_t i = 0; i < subscription->n_owned; i++)
	{
		const EmbeddedPartitions *p = &subscription->owned[i];
		GroupTopic *topic = group_topic_by_name(co, p->topic);

		for (int32_t j = 0; topic && j < p->n; j++)
			partition_list_add(co, &list, &topic->id, p->partitions[j], 0);
	}
	return partitions_of(co, &list);
}

static void
new_metadata(GroupCoordinator *co, const GroupRequest *req, const EmbeddedSubscription *subscription,
			 const ConsumerMember *member, ConsumerGroupMemberMetadataValue *value)
{
	const JoinGroupRequest *request = req->message;
	ConsumerGroupMemberMetadataValueClassicMemberMetadata *c =
		GROUP_NEW(co, ConsumerGroupMemberMetadataValueClassicMemberMetadata);

	WIRE_INIT(ConsumerGroupMemberMetadataValue, value);
	value->instance_id = request->group_instance_id;
	value->rack_id = subscription->rack_id.len > 0 ? subscription->rack_id :
		member ? member->rack_id : WIRE_NULL_STRING;
	value->server_assignor = member ? member->assignor : WIRE_NULL_STRING;
	value->subscribed_topic_regex = GROUP_EMPTY_STRING;
	value->rebalance_timeout_ms = request->rebalance_timeout_ms >= 0 ? request->rebalance_timeout_ms :
		request->session_timeout_ms;
	value->client_id = req->client_id;
	value->client_host = req->client_host;
	value->subscribed_topic_names = group_out_sorted(co, subscription->n_topics, subscription->topics,
													 &value->n_subscribed_topic_names);
	c->session_timeout_ms = request->session_timeout_ms;
	c->n_supported_protocols = request->n_protocols;
	c->supported_protocols = GROUP_NEW_ARRAY(co, ConsumerGroupMemberMetadataValueClassicProtocol,
											 request->n_protocols);
	for (int32_t i = 0; i < request->n_protocols; i++)
	{
		c->supported_protocols[i].name = request->protocols[i].name;
		c->supported_protocols[i].metadata = request->protocols[i].metadata;
	}
	value->classic_member_metadata = c;
}

/* Which member joins: an error, or *member (NULL: a new one), or it takes the place of *replaced. */
static int16_t
identify(Group *group, const JoinGroupRequest *request, ConsumerMember **member, ConsumerMember **replaced)
{
	ConsumerMember *owner;

	*member = find_member(group, request->member_id);
	*replaced = NULL;
	if (request->group_instance_id.len < 0)
		return KAFKA_NONE;
	owner = consumer_by_instance(group, request->group_instance_id);
	if (request->member_id.len == 0)
	{
		*replaced = owner;
		return KAFKA_NONE;
	}
	if (owner == NULL)
		return KAFKA_UNKNOWN_MEMBER_ID;
	return owner == *member ? KAFKA_NONE : KAFKA_FENCED_INSTANCE_ID;
}

void
consumer_join_classic(Group *group, const GroupRequest *req)
{
	const JoinGroupRequest *request = req->message;
	GroupCoordinator *co = group->co;
	JoinGroupResponse *r = GROUP_NEW(co, JoinGroupResponse);
	bool		dynamic = request->group_instance_id.len < 0;
	WireString	id = request->member_id.len > 0 ? request->member_id :
		group_new_member_id(co, dynamic ? req->client_id : request->group_instance_id);
	ConsumerMember *member;
	ConsumerMember *replaced;
	EmbeddedSubscription subscription;
	GroupPartitions owned;
	ConsumerGroupMemberMetadataValue value;

	r->member_id = group_out_string(co, id);
	r->protocol_type = WIRE_NULL_STRING;
	r->protocol_name = WIRE_NULL_STRING;
	r->error_code = identify(group, request, &member, &replaced);
	if (r->error_code == 0 && member == NULL && replaced == NULL &&
		group->consumer.n_known >= co->settings.consumer_max_size)
		r->error_code = KAFKA_GROUP_MAX_SIZE_REACHED;
	else if (r->error_code == 0 &&
			 (co->settings.migration == GROUP_MIGRATION_DISABLED || !supports(group, request) ||
			  !group_read_subscription(co, request->protocols[0].metadata, &subscription)))
		r->error_code = KAFKA_INCONSISTENT_GROUP_PROTOCOL;
	else if (r->error_code == 0 && request->member_id.len == 0 && dynamic && req->api_version >= 4)
		r->error_code = KAFKA_MEMBER_ID_REQUIRED;
	if (r->error_code)
	{
		group_answer(co, req, r, 0);
		return;
	}

	if (replaced)
		member = consumer_replace(replaced, id);
	owned = read_owned(co, &subscription);
	new_metadata(co, req, &subscription, member, &value);
	member = consumer_update(group, id, &value, &owned, req->who);
	consumer_keep_alive(member);
	group_timer_stop(co, &member->join);
	group_timer_stop(co, &member->rebalance);
	group_timer_set(co, &member->sync, GROUP_TIMER_CONSUMER_SYNC, member,
					co->now + member->rebalance_timeout_ms);
	r->generation_id = member->epoch;
	r->protocol_type = wire_string("consumer");
	r->protocol_name = group_out_string(co, member->protocols[0].name);
	group_answer(co, req, r, group->members_after);

	/* It may have replaced the last member of the new protocol. */
	if (consumer_can_downgrade(group, 0, NULL))
		consumer_downgrade(group, 0, NULL);
}

/* ---------- SyncGroup ---------- */

int16_t
consumer_sync_classic(Group *group, const GroupRequest *req)
{
	const SyncGroupRequest *request = req->message;
	GroupCoordinator *co = group->co;
	ConsumerMember *member;
	EmbeddedSubscription subscription;
	SyncGroupResponse *r;
	int16_t		error = check_member(group, request->member_id, request->group_instance_id, &member);

	if (error)
		return error;
	if (request->generation_id != member->epoch)
		return KAFKA_ILLEGAL_GENERATION;
	if ((request->protocol_type.len >= 0 && !wire_string_is(request->protocol_type, "consumer")) ||
		(request->protocol_name.len >= 0 &&
		 !wire_string_equal(request->protocol_name, member->protocols[0].name)))
		return KAFKA_INCONSISTENT_GROUP_PROTOCOL;
	if (group->consumer.assignment_epoch > member->epoch && member->state != CONSUMER_UNREVOKED)
	{
		expect_join(member);
		return KAFKA_REBALANCE_IN_PROGRESS;
	}
	group_timer_stop(co, &member->sync);
	consumer_keep_alive(member);

	r = GROUP_NEW(co, SyncGroupResponse);
	r->protocol_type = wire_string("consumer");
	r->protocol_name = group_out_string(co, member->protocols[0].name);
	group_read_subscription(co, member->protocols[0].metadata, &subscription);
	r->assignment = group_write_assignment(co, subscription.version, &member->assigned);
	group_answer(co, req, r, group->members_after);
	return KAFKA_NONE;
}

/* ---------- Heartbeat ---------- */

static bool
waits_for_others(const ConsumerMember *member)
{
	for_partitions(&member->target, t, i)
		if (!partitions_find(&member->assigned, &t->topic_id, t->partitions[i], NULL) &&
			consumer_is_owned(member->group, &t->topic_id, t->partitions[i]))
			return true;
	return false;
}

int16_t
consumer_heartbeat_classic(Group *group, const HeartbeatRequest *request)
{
	ConsumerMember *member;
	int16_t		error = check_member(group, request->member_id, request->group_instance_id, &member);

	if (error)
		return error;
	if (request->generation_id != member->epoch)
		return KAFKA_ILLEGAL_GENERATION;
	consumer_keep_alive(member);
	if (member->epoch < group->consumer.assignment_epoch || member->state == CONSUMER_UNREVOKED ||
		(member->state == CONSUMER_UNRELEASED && !waits_for_others(member)))
	{
		expect_join(member);
		return KAFKA_REBALANCE_IN_PROGRESS;
	}
	return KAFKA_NONE;
}

/* ---------- LeaveGroup ---------- */

void
consumer_leave_classic(Group *group, int32_t n, const LeaveGroupRequestMemberIdentity *members,
					   LeaveGroupResponseMemberResponse *responses)
{
	ConsumerMember **leaving = group_out_array(group->co, ConsumerMember *, n);
	int32_t		n_leaving = 0;

	for (int32_t i = 0; i < n; i++)
	{
		ConsumerMember *member = find_member(group, members[i].member_id);
		bool		twice = false;

		if (members[i].group_instance_id.len >= 0)
		{
			ConsumerMember *owner = consumer_by_instance(group, members[i].group_instance_id);

			if (owner && members[i].member_id.len > 0 && owner != member)
			{
				responses[i].error_code = KAFKA_FENCED_INSTANCE_ID;
				continue;
			}
			member = owner;
		}
		if (member == NULL)
		{
			responses[i].error_code = KAFKA_UNKNOWN_MEMBER_ID;
			continue;
		}
		for (int32_t j = 0; j < n_leaving; j++)
			twice |= leaving[j] == member;
		if (!twice)
			leaving[n_leaving++] = member;
	}
	consumer_fence(group, n_leaving, leaving);
}
