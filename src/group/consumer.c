/*-------------------------------------------------------------------------
 *
 * consumer.c
 *	  ConsumerGroupHeartbeat, and what members may commit.
 *
 * A heartbeat that is refused changes nothing: all that can be wrong with one
 * is found out before its first record.
 *
 *-------------------------------------------------------------------------
 */
#include "group/consumer.h"

typedef ConsumerGroupHeartbeatRequestTopicPartitions OwnedTopic;

static ConsumerMember *
find_member(const Group *group, WireString id)
{
	ConsumerMember *member = group_map_find(&group->consumer.members, id);

	return member && member->known ? member : NULL;
}

void
consumer_keep_alive(ConsumerMember *member)
{
	GroupCoordinator *co = member->group->co;

	group_timer_set(co, &member->session, GROUP_TIMER_CONSUMER_SESSION, member,
					co->now + (member->classic ? member->session_timeout_ms :
							   co->settings.consumer_session_timeout_ms));
}

/* ---------- a member that says what it wants ---------- */

static bool
same_names(const ConsumerMember *member, int32_t n, const WireString *names)
{
	if (member->n_names != n)
		return false;
	for (int32_t i = 0; i < n; i++)
		if (!wire_string_equal(member->names[i], names[i]))
			return false;
	return true;
}

static bool
same_classic(const ConsumerMember *member, const ConsumerGroupMemberMetadataValueClassicMemberMetadata *c)
{
	if (member->classic != (c != NULL))
		return false;
	if (c == NULL)
		return true;
	if (member->session_timeout_ms != c->session_timeout_ms ||
		member->n_protocols != c->n_supported_protocols)
		return false;
	for (int32_t i = 0; i < member->n_protocols; i++)
		if (!wire_string_equal(member->protocols[i].name, c->supported_protocols[i].name) ||
			!group_bytes_equal(member->protocols[i].metadata, c->supported_protocols[i].metadata))
			return false;
	return true;
}

static bool
same_metadata(const ConsumerMember *member, const ConsumerGroupMemberMetadataValue *value)
{
	return wire_string_equal(member->instance_id, value->instance_id) &&
		   wire_string_equal(member->rack_id, value->rack_id) &&
		   wire_string_equal(member->client_id, value->client_id) &&
		   wire_string_equal(member->client_host, value->client_host) &&
		   same_names(member, value->n_subscribed_topic_names, value->subscribed_topic_names) &&
		   wire_string_equal(member->regex, value->subscribed_topic_regex) &&
		   wire_string_equal(member->assignor, value->server_assignor) &&
		   member->rebalance_timeout_ms == value->rebalance_timeout_ms &&
		   same_classic(member, value->classic_member_metadata);
}

static bool
somebody_has_pattern(const Group *group, WireString pattern)
{
	GroupMapScan scan;

	group_map_scan(&scan, &group->consumer.members);
	for (ConsumerMember *member; (member = group_map_next(&scan)) != NULL;)
		if (wire_string_equal(member->regex, pattern))
			return true;
	return false;
}

/* The member's pattern has changed; now nobody may have the old one. */
static void
update_pattern(Group *group, const ConsumerMember *member, WireString old, uint32_t who)
{
	if (old.len > 0 && !somebody_has_pattern(group, old) && group_map_find(&group->consumer.regexes, old))
		consumer_emit_regex(group, old, NULL);
	if (member->regex.len > 0 && group_map_find(&group->consumer.regexes, member->regex) == NULL)
		consumer_resolve(group, member->regex, who);
}

/* Topics have come or gone: do the patterns match others now? */
static bool
refresh_patterns(Group *group, uint32_t who)
{
	GroupCoordinator *co = group->co;
	void	  **list;
	int32_t		n = group->consumer.regexes.n;
	bool		changed = false;

	group->consumer.names_changed = false;
	if (n == 0)
		return false;
	list = group_map_sorted(co, &group->consumer.regexes);
	for (int32_t i = 0; i < n; i++)
	{
		WireString	pattern = group_out_string(co, ((ConsumerRegex *) list[i])->pattern);

		changed |= consumer_resolve(group, pattern, who);
	}
	return changed;
}

ConsumerMember *
consumer_update(Group *group, WireString id, const ConsumerGroupMemberMetadataValue *value,
				const GroupPartitions *owned, uint32_t who)
{
	GroupCoordinator *co = group->co;
	ConsumerGroup *consumer = &group->consumer;
	ConsumerMember *member = find_member(group, id);
	bool		is_new = member == NULL;
	bool		names_changed;
	bool		pattern_changed;
	bool		assignor_changed = false;
	bool		topics_changed = consumer->topics_changed;
	WireString	old_pattern = GROUP_EMPTY_STRING;

	names_changed =
		is_new || !same_names(member, value->n_subscribed_topic_names, value->subscribed_topic_names);
	pattern_changed = is_new ? value->subscribed_topic_regex.len > 0 :
		!wire_string_equal(member->regex, value->subscribed_topic_regex);
	if (is_new || !same_metadata(member, value))
	{
		WireString	before = consumer_assignor(group);

		if (!is_new)
			old_pattern = group_out_string(co, member->regex);
		consumer_emit_member(group, id, value);
		member = find_member(group, id);
		assignor_changed = !wire_string_equal(before, consumer_assignor(group));
	}
	if (pattern_changed)
		update_pattern(group, member, old_pattern, who);
	if (consumer->names_changed)
		topics_changed |= refresh_patterns(group, who);

	if (names_changed || pattern_changed || assignor_changed ||
		(topics_changed && consumer_compute_hash(group) != consumer->metadata_hash))
		consumer_bump(group);
	consumer->topics_changed = false;
	consumer_update_target(group);
	consumer_reconcile(member, names_changed || pattern_changed, owned);
	return member;
}

/*
 * Another process takes a static member's place, with its assignment, and
 * everything has to be told to it anew.
 */
ConsumerMember *
consumer_replace(ConsumerMember *old, WireString new_id)
{
	Group	   *group = old->group;
	GroupCoordinator *co = group->co;
	ConsumerGroupMemberMetadataValue value;
	GroupPartitions target = partitions_copy(co, &old->target);
	GroupPartitions assigned = partitions_copy(co, &old->assigned);
	GroupPartitions pending = partitions_copy(co, &old->pending);
	ConsumerState state = old->state;

	consumer_member_value(co, old, &value);
	value.instance_id = group_out_string(co, value.instance_id);
	value.rack_id = group_out_string(co, value.rack_id);
	value.client_id = group_out_string(co, value.client_id);
	value.client_host = group_out_string(co, value.client_host);
	value.subscribed_topic_regex = group_out_string(co, value.subscribed_topic_regex);
	value.server_assignor = group_out_string(co, value.server_assignor);
	value.subscribed_topic_names = group_out_array(co, WireString, old->n_names);
	for (int32_t i = 0; i < old->n_names; i++)
		value.subscribed_topic_names[i] = group_out_string(co, old->names[i]);
	for (int32_t i = 0; i < old->n_protocols; i++)
	{
		ConsumerGroupMemberMetadataValueClassicProtocol *p =
			&value.classic_member_metadata->supported_protocols[i];

		p->name = group_out_string(co, p->name);
		p->metadata = group_out_bytes(co, p->metadata);
	}
	consumer_emit_remove(old);
	consumer_emit_member(group, new_id, &value);
	consumer_emit_target(group, new_id, &target);
	consumer_emit_current(group, new_id, 0, 0, state, &assigned, &pending);
	partitions_free(co, &target);
	partitions_free(co, &assigned);
	partitions_free(co, &pending);
	return find_member(group, new_id);
}

/* ---------- members that leave ---------- */

static void
drop_unused_patterns(Group *group)
{
	GroupCoordinator *co = group->co;
	int32_t		n = group->consumer.regexes.n;
	void	  **list = n > 0 ? group_map_sorted(co, &group->consumer.regexes) : NULL;

	for (int32_t i = 0; i < n; i++)
	{
		WireString	pattern = group_out_string(co, ((ConsumerRegex *) list[i])->pattern);

		if (!somebody_has_pattern(group, pattern))
			consumer_emit_regex(group, pattern, NULL);
	}
}

/* Remove members from the group, which are freed. */
void
consumer_fence(Group *group, int32_t n, ConsumerMember **members)
{
	if (n == 0)
		return;
	if (consumer_can_downgrade(group, n, members))
	{
		consumer_downgrade(group, n, members);
		return;
	}
	for (int32_t i = 0; i < n; i++)
		consumer_emit_remove(members[i]);
	drop_unused_patterns(group);
	consumer_bump(group);
	if (group->consumer.n_known == 0)
		consumer_emit_target_metadata(group, group->consumer.epoch, 0);
}

void
consumer_timeout(ConsumerMember *member)
{
	consumer_fence(member->group, 1, &member);
}

/* ---------- ConsumerGroupHeartbeat ---------- */

typedef struct Refusal
{
	int16_t		error;
	WireString	message;
} Refusal;

#define REFUSE(code, ...) \
	((Refusal) {KAFKA_##code, wire_printf(&co->out, __VA_ARGS__)})
#define FINE	((Refusal) {KAFKA_NONE, WIRE_NULL_STRING})

static Refusal
check_rights(GroupCoordinator *co, const GroupRequest *req)
{
	const ConsumerGroupHeartbeatRequest *request = req->message;
	int16_t		error = group_check(co, req->who, request->group_id, GROUP_USE);

	for (int32_t i = 0; error == 0 && i < request->n_subscribed_topic_names; i++)
		error = group_check_topic(co, req->who,
								  group_topic_by_name(co, request->subscribed_topic_names[i]), false);
	return (Refusal) {error, WIRE_NULL_STRING};
}

static Refusal
check_request(GroupCoordinator *co, const GroupRequest *req)
{
	const ConsumerGroupHeartbeatRequest *request = req->message;
	int32_t		epoch = request->member_epoch;
	bool		needs_id = req->api_version >= 1 || epoch > 0 || epoch == CONSUMER_LEAVE_EPOCH;
	WireString	regex = request->subscribed_topic_regex;
	Refusal		refusal = check_rights(co, req);

	if (refusal.error)
		return refusal;
	if (needs_id && request->member_id.len == 0)
		return REFUSE(INVALID_REQUEST, "MemberId can't be empty.");
	if (request->group_id.len == 0)
		return REFUSE(INVALID_REQUEST, "GroupId can't be empty.");
	if (request->instance_id.len == 0)
		return REFUSE(INVALID_REQUEST, "InstanceId can't be empty.");
	if (request->rack_id.len == 0)
		return REFUSE(INVALID_REQUEST, "RackId can't be empty.");
	if (epoch == 0)
	{
		if (request->rebalance_timeout_ms == -1)
			return REFUSE(INVALID_REQUEST, "RebalanceTimeoutMs must be provided in first request.");
		if (request->n_topic_partitions != 0)
			return REFUSE(INVALID_REQUEST, "TopicPartitions must be empty when (re-)joining.");
		if (request->n_subscribed_topic_names < 0 && regex.len < 0)
			return REFUSE(INVALID_REQUEST, "Either SubscribedTopicNames or SubscribedTopicRegex must be "
						  "non-null when (re-)joining.");
	}
	else if (epoch == CONSUMER_LEAVE_STATIC_EPOCH && request->instance_id.len < 0)
		return REFUSE(INVALID_REQUEST, "InstanceId can't be null.");
	else if (epoch < CONSUMER_LEAVE_STATIC_EPOCH)
		return REFUSE(INVALID_REQUEST, "MemberEpoch is invalid.");
	if (request->server_assignor.len >= 0 && !consumer_knows_assignor(request->server_assignor))
		return REFUSE(UNSUPPORTED_ASSIGNOR, "ServerAssignor %.*s is not supported. Supported assignors: "
					  "uniform, range.", request->server_assignor.len, request->server_assignor.data);
	if (regex.len > 0)
	{
		int16_t		error = co->call.match ? co->call.match(co->call.arg, regex, 0, NULL, NULL) :
			KAFKA_INVALID_REGULAR_EXPRESSION;

		if (error)
			return (Refusal) {error, wire_printf(&co->out, "SubscribedTopicRegex `%.*s` is not a valid "
												 "regular expression.", regex.len, regex.data)};
	}
	return FINE;
}

static GroupPartitions
read_owned(GroupCoordinator *co, int32_t n, const OwnedTopic *topics)
{
	PartitionList list = {0};

	for (int32_t i = 0; i < n; i++)
		for (int32_t j = 0; j < topics[i].n_partitions; j++)
			partition_list_add(co, &list, &topics[i].topic_id, topics[i].partitions[j], 0);
	return partitions_of(co, &list);
}

static bool
is_subset(const GroupPartitions *p, const GroupPartitions *of)
{
	for_partitions(p, t, i)
		if (!partitions_find(of, &t->topic_id, t->partitions[i], NULL))
			return false;
	return true;
}

/* The epoch before is fine too: the answer with the present one may have been lost. */
static Refusal
check_epoch(GroupCoordinator *co, const ConsumerMember *member, int32_t epoch, const GroupPartitions *owned)
{
	if (member->state == CONSUMER_UNKNOWN && (owned == NULL || owned->n > 0))
		return REFUSE(FENCED_MEMBER_EPOCH, "The consumer group member is in a unknown state. The member must "
					  "abandon all its partitions and rejoin.");
	if (epoch == 0 || epoch == member->epoch)
		return FINE;
	if (epoch > member->epoch)
		return REFUSE(FENCED_MEMBER_EPOCH,
					  "The consumer group member has a greater member epoch (%d) than the "
					  "one known by the group coordinator (%d). The member must abandon all its partitions "
					  "and rejoin.",
					  epoch, member->epoch);
	if (epoch == member->previous_epoch && owned && is_subset(owned, &member->assigned))
		return FINE;
	return REFUSE(
		FENCED_MEMBER_EPOCH,
		"The consumer group member has a smaller member epoch (%d) than the one "
		"known by the group coordinator (%d). The member must abandon all its partitions and rejoin.",
		epoch, member->epoch);
}

static Refusal
unknown_member(GroupCoordinator *co, WireString id, WireString group_id)
{
	return REFUSE(UNKNOWN_MEMBER_ID, "Member %.*s is not a member of group %.*s.", id.len, id.data,
				  group_id.len, group_id.data);
}

static Refusal
fenced_instance(GroupCoordinator *co, const ConsumerMember *owner,
				const ConsumerGroupHeartbeatRequest *request)
{
	return REFUSE(FENCED_INSTANCE_ID, "Static member %.*s with instance id %.*s was fenced by member %.*s.",
				  request->member_id.len, request->member_id.data, request->instance_id.len,
				  request->instance_id.data, owner->id.len, owner->id.data);
}

/*
 * Which member is it?  *member NULL: a new one; *replaced: it takes the place
 * of this one.
 */
static Refusal
identify(Group *group, const ConsumerGroupHeartbeatRequest *request, const GroupPartitions *owned,
		 ConsumerMember **member, ConsumerMember **replaced)
{
	GroupCoordinator *co = group->co;
	bool		joins = request->member_epoch == 0;
	ConsumerMember *owner;

	*member = find_member(group, request->member_id);
	*replaced = NULL;
	if (request->instance_id.len < 0)
	{
		if (*member == NULL)
			return joins ? FINE : unknown_member(co, request->member_id, group->id);
		return check_epoch(co, *member, request->member_epoch, owned);
	}

	owner = consumer_by_instance(group, request->instance_id);
	if (joins)
	{
		*member = NULL;
		if (owner == NULL)
			return FINE;
		if (!owner->classic && owner->epoch != CONSUMER_LEAVE_STATIC_EPOCH)
			return REFUSE(UNRELEASED_INSTANCE_ID,
						  "Static member %.*s with instance id %.*s cannot join the group "
						  "because the instance id is owned by %.*s member.",
						  request->member_id.len, request->member_id.data, request->instance_id.len,
						  request->instance_id.data, owner->id.len, owner->id.data);
		*replaced = owner;
		return FINE;
	}
	if (owner == NULL)
		return REFUSE(UNKNOWN_MEMBER_ID, "Instance id %.*s is unknown.", request->instance_id.len,
					  request->instance_id.data);
	if (owner != *member)
		return fenced_instance(co, owner, request);
	return check_epoch(co, *member, request->member_epoch, owned);
}

/* A group that the member can be in, or be made or become one: *group can be NULL. */
static Refusal
check_group(GroupCoordinator *co, const ConsumerGroupHeartbeatRequest *request, Group **group)
{
	WireString	id = request->group_id;
	bool		joins = request->member_epoch == 0;
	int32_t		members;
	Group	   *g = group_find(co, id);

	*group = g;
	if (g == NULL && !joins)
		return REFUSE(GROUP_ID_NOT_FOUND, "Consumer group %.*s not found.", id.len, id.data);
	if (g && g->kind != GROUP_KIND_CONSUMER)
	{
		if (!joins || g->kind == GROUP_KIND_SQL)
			return REFUSE(GROUP_ID_NOT_FOUND, "Group %.*s is not a consumer group.", id.len, id.data);
		if (g->classic.state != CLASSIC_EMPTY && consumer_can_upgrade(g) != 0)
			return REFUSE(GROUP_ID_NOT_FOUND, "Cannot upgrade classic group %.*s to consumer group.", id.len,
						  id.data);
	}
	members = g == NULL ? 0 : g->kind == GROUP_KIND_CONSUMER ? g->consumer.n_known : g->classic.members.n;
	if (members >= co->settings.consumer_max_size && joins &&
		!(g->kind == GROUP_KIND_CONSUMER && (find_member(g, request->member_id) ||
											 consumer_by_instance(g, request->instance_id))))
		return REFUSE(GROUP_MAX_SIZE_REACHED,
					  "The consumer group has reached its maximum capacity of %d members.",
					  co->settings.consumer_max_size);
	if (joins && !group_has_room(co))
		return REFUSE(GROUP_MAX_SIZE_REACHED, "There is no memory left for groups.");
	return FINE;
}

static void
make_consumer_group(Group *group)
{
	if (group->kind == GROUP_KIND_CONSUMER)
		return;
	if (group->classic.state == CLASSIC_EMPTY)
	{
		group_emit_tombstones(group);
		consumer_become(group);
	}
	else
		consumer_upgrade(group);
}

/* What the member wants, where the request doesn't say as before. */
static void
new_metadata(GroupCoordinator *co, const GroupRequest *req, const ConsumerMember *member,
			 ConsumerGroupMemberMetadataValue *value)
{
	const ConsumerGroupHeartbeatRequest *request = req->message;

	if (member)
		consumer_member_value(co, member, value);
	else
	{
		WIRE_INIT(ConsumerGroupMemberMetadataValue, value);
		value->instance_id = WIRE_NULL_STRING;
		value->rack_id = WIRE_NULL_STRING;
		value->server_assignor = WIRE_NULL_STRING;
		value->subscribed_topic_regex = GROUP_EMPTY_STRING;
	}
	if (request->instance_id.len >= 0)
		value->instance_id = request->instance_id;
	if (request->rack_id.len >= 0)
		value->rack_id = request->rack_id;
	if (request->rebalance_timeout_ms != -1)
		value->rebalance_timeout_ms = request->rebalance_timeout_ms;
	if (request->server_assignor.len >= 0)
		value->server_assignor = request->server_assignor;
	if (request->n_subscribed_topic_names >= 0)
		value->subscribed_topic_names = group_out_sorted(co, request->n_subscribed_topic_names,
														 request->subscribed_topic_names,
														 &value->n_subscribed_topic_names);
	if (request->subscribed_topic_regex.len >= 0)
		value->subscribed_topic_regex = request->subscribed_topic_regex;
	value->client_id = req->client_id;
	value->client_host = req->client_host;
	value->classic_member_metadata = NULL;
}

static ConsumerGroupHeartbeatResponseAssignment *
assignment_response(GroupCoordinator *co, const ConsumerMember *member)
{
	ConsumerGroupHeartbeatResponseAssignment *a = GROUP_NEW(co, ConsumerGroupHeartbeatResponseAssignment);

	a->n_topic_partitions = member->assigned.n;
	a->topic_partitions =
		GROUP_NEW_ARRAY(co, ConsumerGroupHeartbeatResponseTopicPartitions, member->assigned.n);
	for (int32_t i = 0; i < member->assigned.n; i++)
	{
		const GroupTopicPartitions *t = &member->assigned.topics[i];

		a->topic_partitions[i].topic_id = t->topic_id;
		a->topic_partitions[i].n_partitions = t->n;
		a->topic_partitions[i].partitions = group_out_array(co, int32_t, t->n);
		memcpy(a->topic_partitions[i].partitions, t->partitions, t->n * sizeof(int32_t));
	}
	return a;
}

static Refusal
leave(GroupCoordinator *co, const ConsumerGroupHeartbeatRequest *request, Group **group)
{
	Group	   *g = group_find(co, request->group_id);
	ConsumerMember *member;
	PartitionList list = {0};
	GroupPartitions assigned;
	GroupPartitions none = {0};

	if (g == NULL || g->kind != GROUP_KIND_CONSUMER)
		return REFUSE(GROUP_ID_NOT_FOUND, "Group %.*s not found.", request->group_id.len,
					  request->group_id.data);
	*group = g;
	member = find_member(g, request->member_id);
	if (request->instance_id.len >= 0)
	{
		ConsumerMember *owner = consumer_by_instance(g, request->instance_id);

		if (owner == NULL)
			return REFUSE(UNKNOWN_MEMBER_ID, "Instance id %.*s is unknown.", request->instance_id.len,
						  request->instance_id.data);
		if (owner != member)
			return fenced_instance(co, owner, request);
	}
	if (member == NULL)
		return unknown_member(co, request->member_id, g->id);
	if (request->member_epoch == CONSUMER_LEAVE_EPOCH)
	{
		consumer_fence(g, 1, &member);
		return FINE;
	}

	/* It will be back before its session ends; until then nobody gets its partitions. */
	for_partitions(&member->assigned, t, i)
		partition_list_add(co, &list, &t->topic_id, t->partitions[i], 0);
	assigned = partitions_of(co, &list);
	consumer_emit_current(g, member->id, CONSUMER_LEAVE_STATIC_EPOCH, member->previous_epoch, member->state,
						  &assigned, &none);
	return FINE;
}

static Refusal
beat(GroupCoordinator *co, const GroupRequest *req, Group **group, ConsumerGroupHeartbeatResponse *r)
{
	const ConsumerGroupHeartbeatRequest *request = req->message;
	bool		joins = request->member_epoch == 0;
	bool		says = request->n_topic_partitions >= 0;
	bool		full = request->rebalance_timeout_ms != -1 && says &&
		(request->n_subscribed_topic_names >= 0 || request->subscribed_topic_regex.len >= 0);
	GroupPartitions owned = read_owned(co, request->n_topic_partitions, request->topic_partitions);
	ConsumerMember *member = NULL;
	ConsumerMember *replaced = NULL;
	ConsumerGroupMemberMetadataValue value;
	WireString	id = request->member_id;
	GroupPartitions before = {0};
	Refusal		refusal = check_group(co, request, group);

	if (refusal.error == 0 && *group && (*group)->kind == GROUP_KIND_CONSUMER)
		refusal = identify(*group, request, says ? &owned : NULL, &member, &replaced);
	if (refusal.error)
		return refusal;

	if (*group == NULL)
		*group = group_make(co, request->group_id, GROUP_KIND_CONSUMER);
	else if ((*group)->kind != GROUP_KIND_CONSUMER)
	{
		make_consumer_group(*group);
		identify(*group, request, says ? &owned : NULL, &member, &replaced);
	}
	if (id.len == 0)
		id = group_new_member_id(co, WIRE_NULL_STRING);
	if (replaced)
		member = consumer_replace(replaced, id);
	if (member)
		before = partitions_copy(co, &member->assigned);
	new_metadata(co, req, member, &value);
	member = consumer_update(*group, id, &value, says ? &owned : NULL, req->who);
	consumer_keep_alive(member);
	group_timer_stop(co, &member->join);
	group_timer_stop(co, &member->sync);

	r->member_id = group_out_string(co, id);
	r->member_epoch = member->epoch;
	r->heartbeat_interval_ms = co->settings.consumer_heartbeat_interval_ms;
	if (joins || full || !partitions_equal(&before, &member->assigned, true))
		r->assignment = assignment_response(co, member);
	partitions_free(co, &before);
	return FINE;
}

void
consumer_heartbeat(GroupCoordinator *co, const GroupRequest *req)
{
	const ConsumerGroupHeartbeatRequest *request = req->message;
	ConsumerGroupHeartbeatResponse *r = GROUP_NEW(co, ConsumerGroupHeartbeatResponse);
	Group	   *group = NULL;
	Refusal		refusal = check_request(co, req);

	r->member_id = WIRE_NULL_STRING;
	r->error_message = WIRE_NULL_STRING;
	if (refusal.error == 0 && request->member_epoch < 0)
	{
		refusal = leave(co, request, &group);
		r->member_id = group_out_string(co, request->member_id);
		r->member_epoch = request->member_epoch;
	}
	else if (refusal.error == 0)
		refusal = beat(co, req, &group, r);
	if (refusal.error)
	{
		r->error_code = refusal.error;
		r->error_message = refusal.message;
		r->member_id = WIRE_NULL_STRING;
		r->member_epoch = 0;
	}
	group_answer(co, req, r, group ? group->members_after : 0);
}

/* ---------- commits ---------- */

int16_t
consumer_check_commit(Group *group, WireString member_id, int32_t epoch, int api_version,
					  ConsumerMember **member)
{
	ConsumerMember *found;

	if (epoch < 0 && group->consumer.n_known == 0)
		return KAFKA_NONE;
	found = find_member(group, member_id);
	if (found == NULL)
		return KAFKA_UNKNOWN_MEMBER_ID;
	if (!found->classic && api_version < 9)
		return KAFKA_UNSUPPORTED_VERSION;
	if (epoch == found->epoch)
		return KAFKA_NONE;
	if (epoch > found->epoch)
		return found->classic ? KAFKA_ILLEGAL_GENERATION : KAFKA_STALE_MEMBER_EPOCH;
	*member = found;
	return KAFKA_NONE;
}

/* An older epoch may commit what the member has had since then. */
int16_t
consumer_check_commit_partition(const ConsumerMember *member, int32_t epoch, const WireUuid *topic_id,
								int32_t partition)
{
	int32_t		assigned;

	if ((partitions_find(&member->assigned, topic_id, partition, &assigned) ||
		 partitions_find(&member->pending, topic_id, partition, &assigned)) && epoch >= assigned)
		return KAFKA_NONE;
	return member->classic ? KAFKA_ILLEGAL_GENERATION : KAFKA_STALE_MEMBER_EPOCH;
}

int16_t
consumer_check_fetch(const Group *group, WireString member_id, int32_t epoch)
{
	ConsumerMember *member;

	if (member_id.len < 0 && epoch < 0)
		return KAFKA_NONE;
	member = find_member(group, member_id);
	if (member == NULL)
		return KAFKA_UNKNOWN_MEMBER_ID;
	if (member->epoch != epoch)
		return member->classic ? KAFKA_ILLEGAL_GENERATION : KAFKA_STALE_MEMBER_EPOCH;
	return KAFKA_NONE;
}
