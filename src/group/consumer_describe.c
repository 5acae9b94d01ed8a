/*-------------------------------------------------------------------------
 *
 * consumer_describe.c
 *	  ConsumerGroupDescribe.
 *
 *-------------------------------------------------------------------------
 */
#include "group/consumer.h"

typedef ConsumerGroupDescribeResponseAssignment Assignment;

static void
add_partitions(GroupCoordinator *co, PartitionList *list, const GroupPartitions *p)
{
	for_partitions(p, t, i)
		if (group_topic_by_id(co, &t->topic_id))
			partition_list_add(co, list, &t->topic_id, t->partitions[i], 0);
}

static void
fill_assignment(GroupCoordinator *co, PartitionList *list, Assignment *out)
{
	GroupPartitions p = partitions_of(co, list);

	out->n_topic_partitions = p.n;
	out->topic_partitions = GROUP_NEW_ARRAY(co, ConsumerGroupDescribeResponseTopicPartitions, p.n);
	for (int32_t i = 0; i < p.n; i++)
	{
		out->topic_partitions[i].topic_id = p.topics[i].topic_id;
		out->topic_partitions[i].topic_name =
			group_out_string(co, group_topic_by_id(co, &p.topics[i].topic_id)->name);
		out->topic_partitions[i].n_partitions = p.topics[i].n;
		out->topic_partitions[i].partitions = p.topics[i].partitions;
	}
}

static void
describe_member(GroupCoordinator *co, const ConsumerMember *member, ConsumerGroupDescribeResponseMember *out)
{
	PartitionList current = {0};
	PartitionList target = {0};

	out->member_id = group_out_string(co, member->id);
	out->instance_id = group_out_string(co, member->instance_id);
	out->rack_id = group_out_string(co, member->rack_id);
	out->member_epoch = member->epoch;
	out->client_id =
		group_out_string(co, member->client_id.len >= 0 ? member->client_id : GROUP_EMPTY_STRING);
	out->client_host = group_out_string(co, member->client_host.len >= 0 ? member->client_host :
										GROUP_EMPTY_STRING);
	out->n_subscribed_topic_names = member->n_names;
	out->subscribed_topic_names = group_out_array(co, WireString, member->n_names);
	for (int32_t i = 0; i < member->n_names; i++)
		out->subscribed_topic_names[i] = group_out_string(co, member->names[i]);
	out->subscribed_topic_regex = group_out_string(co, member->regex);
	out->member_type = member->classic ? 0 : 1;

	add_partitions(co, &current, &member->assigned);
	add_partitions(co, &current, &member->pending);
	fill_assignment(co, &current, &out->assignment);
	add_partitions(co, &target, &member->target);
	fill_assignment(co, &target, &out->target_assignment);
}

/* Whoever looks at a group sees the topics of its members, so must be allowed to. */
static bool
may_see_topics(const GroupCoordinator *co, uint32_t who, const Group *group)
{
	GroupMapScan scan;

	group_map_scan(&scan, &group->consumer.members);
	for (const ConsumerMember *member; (member = group_map_next(&scan)) != NULL;)
	{
		for (int32_t i = 0; i < member->assigned.n; i++)
			if (group_check_topic(co, who, group_topic_by_id(co, &member->assigned.topics[i].topic_id),
								  false))
				return false;
		for (int32_t i = 0; i < member->target.n; i++)
			if (group_check_topic(co, who, group_topic_by_id(co, &member->target.topics[i].topic_id), false))
				return false;
	}
	return true;
}

static void
describe(GroupCoordinator *co, const Group *group, ConsumerGroupDescribeResponseDescribedGroup *out)
{
	void	  **members = group_map_sorted(co, &group->consumer.members);

	out->group_state = wire_string(consumer_state_name(group));
	out->group_epoch = group->consumer.epoch;
	out->assignment_epoch = group->consumer.assignment_epoch;
	out->assignor_name = consumer_assignor(group);
	out->members = GROUP_NEW_ARRAY(co, ConsumerGroupDescribeResponseMember, group->consumer.members.n);
	for (int32_t i = 0; i < group->consumer.members.n; i++)
		if (((ConsumerMember *) members[i])->known)
			describe_member(co, members[i], &out->members[out->n_members++]);
}

void
consumer_describe(GroupCoordinator *co, const GroupRequest *req)
{
	const ConsumerGroupDescribeRequest *request = req->message;
	ConsumerGroupDescribeResponse *r = GROUP_NEW(co, ConsumerGroupDescribeResponse);
	uint64_t	after = 0;

	r->n_groups = request->n_group_ids;
	r->groups = GROUP_NEW_ARRAY(co, ConsumerGroupDescribeResponseDescribedGroup, r->n_groups);
	for (int32_t i = 0; i < r->n_groups; i++)
	{
		ConsumerGroupDescribeResponseDescribedGroup *out = &r->groups[i];
		const Group *group = group_find(co, request->group_ids[i]);
		uint64_t	group_after = group ? group->members_after : co->last_deletion;

		out->group_id = group_out_string(co, request->group_ids[i]);
		out->error_message = WIRE_NULL_STRING;
		if (group_after > after)
			after = group_after;
		out->error_code = group_check(co, req->who, request->group_ids[i], GROUP_DESCRIBE);
		if (out->error_code)
			continue;
		if (group && group->kind == GROUP_KIND_CONSUMER)
		{
			if (may_see_topics(co, req->who, group))
				describe(co, group, out);
			else
				out->error_code = KAFKA_TOPIC_AUTHORIZATION_FAILED;
		}
		else
		{
			out->error_code = KAFKA_GROUP_ID_NOT_FOUND;
			out->error_message = wire_printf(&co->out, group ? "Group %.*s is not a consumer group." :
											 "Group %.*s not found.", out->group_id.len, out->group_id.data);
		}
	}
	group_answer(co, req, r, after);
}
