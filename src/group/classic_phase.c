/*-------------------------------------------------------------------------
 *
 * classic_phase.c
 *	  How a classic group goes from one generation to the next.
 *
 * A rebalance has two phases.  First all members join (PREPARING): it ends
 * when all have, or after the largest rebalance timeout; members that are
 * missing then are dropped, unless they are static.  Then the leader computes
 * the assignments (COMPLETING), while the others wait for theirs.
 *
 * A group's first rebalance waits a little for more members, so that they
 * don't cause a rebalance each.
 *
 * The snapshot of a group that is COMPLETING has no assignments and no time:
 * so a restart finds it in this phase again.
 *
 *-------------------------------------------------------------------------
 */
#include "group/internal.h"

#define MAX(a, b)	((a) > (b) ? (a) : (b))
#define MIN(a, b)	((a) < (b) ? (a) : (b))

void
classic_set_state(Group *group, ClassicState state)
{
	group->classic.state = state;
	group->classic.state_ms = group->co->now;
}

void
classic_keep_alive(ClassicMember *member)
{
	group_timer_set(member->group->co, &member->session, GROUP_TIMER_CLASSIC_SESSION, member,
					member->group->co->now + member->session_timeout_ms);
}

/* ---------- snapshots ---------- */

void
classic_emit(Group *group)
{
	GroupCoordinator *co = group->co;
	ClassicGroup *classic = &group->classic;
	GroupMetadataKey key = {.group = group->id};
	GroupMetadataValue value;
	int32_t		n = 0;

	WIRE_INIT(GroupMetadataValue, &value);
	value.protocol_type = classic->protocol_type.len >= 0 ? classic->protocol_type : GROUP_EMPTY_STRING;
	value.generation = classic->generation;
	value.protocol = classic->protocol_name;
	value.leader = classic->leader ? classic->leader->id : WIRE_NULL_STRING;
	value.current_state_timestamp = classic->state == CLASSIC_COMPLETING ? -1 : classic->state_ms;
	value.n_members = classic->members.n;
	value.members = GROUP_NEW_ARRAY(co, GroupMetadataValueMemberMetadata, value.n_members);
	for (ClassicMember *member = classic->first; member; member = member->next)
	{
		GroupMetadataValueMemberMetadata *m = &value.members[n++];

		m->member_id = member->id;
		m->group_instance_id = member->instance_id;
		m->client_id = member->client_id;
		m->client_host = member->client_host;
		m->rebalance_timeout = member->rebalance_timeout_ms;
		m->session_timeout = member->session_timeout_ms;
		m->subscription = classic_metadata(member, classic->protocol_name);
		m->assignment = member->assignment.len >= 0 ? member->assignment : GROUP_EMPTY_BYTES;
	}
	group_emit(group, WIRE_RECORD_GROUP_METADATA, &key, &value);
}

/* A group that nobody has joined yet. */
void
classic_emit_empty(Group *group)
{
	GroupMetadataKey key = {.group = group->id};
	GroupMetadataValue value;

	WIRE_INIT(GroupMetadataValue, &value);
	value.protocol_type = group->kind == GROUP_KIND_SQL ? wire_string(GROUP_SQL_PROTOCOL) :
		GROUP_EMPTY_STRING;
	value.protocol = WIRE_NULL_STRING;
	value.leader = WIRE_NULL_STRING;
	value.current_state_timestamp = group->classic.state_ms;
	group_emit(group, WIRE_RECORD_GROUP_METADATA, &key, &value);
}

void
classic_apply(Group *group, const GroupMetadataValue *value)
{
	GroupCoordinator *co = group->co;
	ClassicGroup *classic = &group->classic;
	bool		assigned = value->current_state_timestamp != -1;

	classic_free(group);
	classic->generation = value->generation;
	classic->state_ms = value->current_state_timestamp;
	if (value->protocol_type.len > 0)
		classic->protocol_type = group_copy(co, value->protocol_type);
	classic->protocol_name = group_copy(co, value->protocol);
	for (int32_t i = 0; i < value->n_members; i++)
	{
		const GroupMetadataValueMemberMetadata *m = &value->members[i];
		JoinGroupRequestJoinGroupRequestProtocol protocol = {value->protocol, m->subscription};
		ClassicMember *member;

		if (group_map_find(&classic->members, m->member_id) ||
			classic_by_instance(group, m->group_instance_id))
			continue;			/* no record of ours */
		member = classic_add(group, m->member_id, m->group_instance_id, m->client_id, m->client_host);
		member->session_timeout_ms = m->session_timeout;
		member->rebalance_timeout_ms = m->rebalance_timeout == -1 ? m->session_timeout : m->rebalance_timeout;
		if (value->protocol.len >= 0)
			classic_set_protocols(member, 1, &protocol);
		member->assignment = group_copy_bytes(co, m->assignment);
		if (m->assignment.len > 0)
			assigned = true;
		if (wire_string_equal(m->member_id, value->leader))
			classic->leader = member;
	}
	classic->state = classic->members.n == 0 ? CLASSIC_EMPTY :
		assigned ? CLASSIC_STABLE : CLASSIC_COMPLETING;
}

static void
wait_for_syncs(Group *group)
{
	ClassicGroup *classic = &group->classic;

	for (ClassicMember *member = classic->first; member; member = member->next)
		member->must_sync = true;
	classic->n_must_sync = classic->members.n;
	group_timer_set(group->co, &classic->sync_timer, GROUP_TIMER_CLASSIC_SYNC, group,
					group->co->now + classic_rebalance_timeout(group));
}

static void prepare_rebalance(Group *group);

void
classic_loaded(Group *group)
{
	for (ClassicMember *member = group->classic.first; member; member = member->next)
		classic_keep_alive(member);
	if (group->classic.state == CLASSIC_COMPLETING)
		wait_for_syncs(group);
	if (group->classic.members.n > group->co->settings.max_size)
		prepare_rebalance(group);
}

/* ---------- answers to those who wait ---------- */

static JoinGroupResponse *
generation_response(ClassicMember *member)
{
	GroupCoordinator *co = member->group->co;
	ClassicGroup *classic = &member->group->classic;
	JoinGroupResponse *r = GROUP_NEW(co, JoinGroupResponse);
	int32_t		n = 0;

	r->generation_id = classic->generation;
	r->protocol_type = group_out_string(co, classic->protocol_type);
	r->protocol_name = group_out_string(co, classic->protocol_name);
	r->leader = group_out_string(co, classic->leader->id);
	r->member_id = group_out_string(co, member->id);
	if (member != classic->leader)
		return r;
	r->members = GROUP_NEW_ARRAY(co, JoinGroupResponseJoinGroupResponseMember, classic->members.n);
	for (ClassicMember *m = classic->first; m; m = m->next)
	{
		r->members[n].member_id = group_out_string(co, m->id);
		r->members[n].group_instance_id = group_out_string(co, m->instance_id);
		r->members[n++].metadata = group_out_bytes(co, classic_metadata(m, classic->protocol_name));
	}
	r->n_members = n;
	return r;
}

void
classic_answer_join(ClassicMember *member, int16_t error)
{
	GroupCoordinator *co = member->group->co;
	JoinGroupResponse *r;

	if (!member->join.is)
		return;
	if (error)
	{
		r = GROUP_NEW(co, JoinGroupResponse);
		r->error_code = error;
		r->protocol_type = WIRE_NULL_STRING;
		r->protocol_name = WIRE_NULL_STRING;
		r->member_id = error == KAFKA_UNKNOWN_MEMBER_ID ? GROUP_EMPTY_STRING :
			group_out_string(co, member->id);
	}
	else
		r = generation_response(member);
	member->join.is = false;
	member->group->classic.n_joining--;
	group_answer_to(co, member->join.token, 11, member->join.api_version, r,
					error ? 0 : member->group->members_after);
}

void
classic_answer_sync(ClassicMember *member, int16_t error)
{
	GroupCoordinator *co = member->group->co;
	ClassicGroup *classic = &member->group->classic;
	SyncGroupResponse *r;

	if (!member->sync.is)
		return;
	r = GROUP_NEW(co, SyncGroupResponse);
	r->error_code = error;
	r->protocol_type = WIRE_NULL_STRING;
	r->protocol_name = WIRE_NULL_STRING;
	r->assignment = GROUP_EMPTY_BYTES;
	if (!error)
	{
		r->protocol_type = group_out_string(co, classic->protocol_type);
		r->protocol_name = group_out_string(co, classic->protocol_name);
		if (member->assignment.len > 0)
			r->assignment = group_out_bytes(co, member->assignment);
	}
	member->sync.is = false;
	group_answer_to(co, member->sync.token, 14, member->sync.api_version, r,
					error ? 0 : member->group->members_after);
}

void
classic_fail_all(Group *group, int16_t error)
{
	for (ClassicMember *member = group->classic.first; member; member = member->next)
	{
		classic_answer_join(member, error);
		classic_answer_sync(member, error);
	}
}

/* ---------- phases ---------- */

static bool
all_joined(const ClassicGroup *classic)
{
	return classic->n_joining == classic->members.n && classic->pending.n == 0;
}

/* The leader joins, or somebody else who does becomes the leader. */
static bool
elect_leader(ClassicGroup *classic)
{
	if (classic->leader && classic->leader->join.is)
		return true;
	for (ClassicMember *member = classic->first; member; member = member->next)
	{
		if (member->join.is)
		{
			classic->leader = member;
			return true;
		}
	}
	return false;
}

static void
wait_for_joins(Group *group)
{
	group_timer_set(group->co, &group->classic.join_timer, GROUP_TIMER_CLASSIC_JOIN, group,
					group->co->now + classic_rebalance_timeout(group));
}

static void
complete_join(Group *group)
{
	GroupCoordinator *co = group->co;
	ClassicGroup *classic = &group->classic;
	ClassicMember *next;

	classic_learn_owners(group);
	group_timer_stop(co, &classic->join_timer);
	for (ClassicMember *member = classic->first; member; member = next)
	{
		next = member->next;
		if (!member->join.is && member->instance_id.len < 0)
			classic_drop(member);
	}
	if (!elect_leader(classic) && classic->first)
	{
		wait_for_joins(group);	/* only static members, and none of them is back */
		return;
	}

	classic->initial = false;
	classic->generation = classic->generation == INT32_MAX ? 1 : classic->generation + 1;
	group_set_string(co, &classic->protocol_name, classic_choose_protocol(group));
	classic_set_state(group, classic->first ? CLASSIC_COMPLETING : CLASSIC_EMPTY);
	for (ClassicMember *member = classic->first; member; member = member->next)
		group_free_bytes(co, &member->assignment);
	classic_emit(group);
	if (classic->state == CLASSIC_EMPTY)
	{
		classic_update_owners(group);
		return;
	}
	for (ClassicMember *member = classic->first; member; member = member->next)
	{
		classic_answer_join(member, KAFKA_NONE);
		classic_keep_alive(member);
		member->is_new = false;
	}
	wait_for_syncs(group);
}

static void
maybe_complete(Group *group)
{
	/* The first rebalance ends when its delay is over. */
	if (!group->classic.initial && all_joined(&group->classic))
		complete_join(group);
}

static void
prepare_rebalance(Group *group)
{
	GroupCoordinator *co = group->co;
	ClassicGroup *classic = &group->classic;
	int32_t		delay = co->settings.initial_rebalance_delay_ms;

	for (ClassicMember *member = classic->first; member; member = member->next)
	{
		if (member->sync.is)
		{
			classic_answer_sync(member, KAFKA_REBALANCE_IN_PROGRESS);
			classic_keep_alive(member);
		}
		member->must_sync = false;
	}
	classic->n_must_sync = 0;
	group_timer_stop(co, &classic->sync_timer);

	classic->initial = classic->state == CLASSIC_EMPTY;
	classic_set_state(group, CLASSIC_PREPARING);
	if (classic->initial)
	{
		classic->new_member_added = false;
		classic->initial_delay_ms = delay;
		classic->initial_left_ms = MAX(classic_rebalance_timeout(group) - delay, 0);
		group_timer_set(co, &classic->join_timer, GROUP_TIMER_CLASSIC_JOIN, group, co->now + delay);
	}
	else if (all_joined(classic))
		complete_join(group);
	else
		wait_for_joins(group);
}

static void
drop_unsynced(Group *group)
{
	ClassicMember *next;

	if (group->classic.n_must_sync == 0)
		return;
	for (ClassicMember *member = group->classic.first; member; member = next)
	{
		next = member->next;
		if (member->must_sync)
			classic_drop(member);
	}
	prepare_rebalance(group);
}

void
classic_act(Group *group, ClassicRule rule)
{
	switch (rule.action)
	{
		case CLASSIC_REBALANCE:
			prepare_rebalance(group);
			break;
		case CLASSIC_MAYBE_COMPLETE:
			maybe_complete(group);
			break;
		case CLASSIC_COMPLETE_JOIN:
			complete_join(group);
			break;
		case CLASSIC_DROP_UNSYNCED:
			drop_unsynced(group);
			break;
		default:
			break;
	}
}

void
classic_member_gone(Group *group)
{
	classic_act(group, classic_rule(group, CLASSIC_MEMBER_GONE));
}

void
classic_take_assignment(Group *group, const SyncGroupRequest *request)
{
	GroupCoordinator *co = group->co;
	ClassicGroup *classic = &group->classic;

	for (int32_t i = 0; i < request->n_assignments; i++)
	{
		ClassicMember *member = group_map_find(&classic->members, request->assignments[i].member_id);

		if (member)
		{
			group_free_bytes(co, &member->assignment);
			member->assignment = group_copy_bytes(co, request->assignments[i].assignment);
		}
	}
	classic_set_state(group, CLASSIC_STABLE);
	classic_emit(group);
	classic_update_owners(group);
	for (ClassicMember *member = classic->first; member; member = member->next)
	{
		if (member->sync.is)
		{
			classic_answer_sync(member, KAFKA_NONE);
			classic_keep_alive(member);
		}
	}
}

/* ---------- timers ---------- */

void
classic_session_timeout(ClassicMember *member)
{
	Group	   *group = member->group;

	/* Who waits for an answer is alive; but a new member's patience is limited. */
	if (!member->is_new && (member->join.is || member->sync.is))
		return;
	classic_answer_join(member, KAFKA_UNKNOWN_MEMBER_ID);
	classic_answer_sync(member, KAFKA_UNKNOWN_MEMBER_ID);
	classic_drop(member);
	classic_member_gone(group);
}

void
classic_pending_timeout(ClassicPending *pending)
{
	Group	   *group = pending->group;

	classic_drop_pending(pending);
	if (group->classic.state == CLASSIC_PREPARING)
		maybe_complete(group);
}

void
classic_join_timeout(Group *group)
{
	ClassicGroup *classic = &group->classic;

	if (classic->initial && classic->new_member_added && classic->initial_left_ms > 0)
	{
		int32_t		before = classic->initial_delay_ms;

		classic->new_member_added = false;
		classic->initial_delay_ms = MIN(group->co->settings.initial_rebalance_delay_ms,
										classic->initial_left_ms);
		classic->initial_left_ms = MAX(classic->initial_left_ms - before, 0);
		group_timer_set(group->co, &classic->join_timer, GROUP_TIMER_CLASSIC_JOIN, group,
						group->co->now + classic->initial_delay_ms);
		return;
	}
	classic_act(group, classic_rule(group, CLASSIC_JOIN_TIMEOUT));
}

void
classic_sync_timeout(Group *group)
{
	classic_act(group, classic_rule(group, CLASSIC_SYNC_TIMEOUT));
}

/* ---------- who has which partition ---------- */

static void
note_owner(Group *group, const ClassicMember *member)
{
	EmbeddedAssignment assignment;

	if (member->assignment.len <= 0 ||
		!group_read_assignment(group->co, member->assignment, &assignment))
		return;
	for (int32_t i = 0; i < assignment.n; i++)
		for (int32_t j = 0; j < assignment.topics[i].n; j++)
		{
			OffsetEntry *entry = offset_find(group, assignment.topics[i].topic,
											 assignment.topics[i].partitions[j]);

			if (entry)
				entry->next_owner = member->serial;
		}
}

/* Set next_owner of all entries. */
static void
find_owners(Group *group)
{
	for (ClassicMember *member = group->classic.first; member; member = member->next)
		note_owner(group, member);
}

/*
 * Note who has the partitions now, of those that were asked for since the
 * last time.  To be called before assignments change.
 */
void
classic_learn_owners(Group *group)
{
	GroupMapScan scan;

	if (group->classic.owners_known || !classic_is_consumer(group))
		return;
	find_owners(group);
	group_map_scan(&scan, &group->offsets);
	for (OffsetTopic *topic; (topic = group_map_next(&scan)) != NULL;)
		for (int32_t i = 0; i < topic->n; i++)
		{
			OffsetEntry *entry = &topic->entries[i];

			if (!entry->owner_known)
				entry->owner = entry->next_owner;
			entry->owner_known = true;
			entry->next_owner = 0;
		}
	group->classic.owners_known = true;
}

/* The assignments have changed: raise the fences of partitions that changed hands. */
void
classic_update_owners(Group *group)
{
	GroupMapScan scan;

	if (!classic_is_consumer(group))
	{
		offset_fence_all(group);	/* what the assignments mean is not ours to know */
		return;
	}
	find_owners(group);
	group_map_scan(&scan, &group->offsets);
	for (OffsetTopic *topic; (topic = group_map_next(&scan)) != NULL;)
		for (int32_t i = 0; i < topic->n; i++)
		{
			OffsetEntry *entry = &topic->entries[i];

			if (!entry->owner_known || entry->owner != entry->next_owner)
				offset_raise_fence(group, topic, entry);
			entry->owner = entry->next_owner;
			entry->owner_known = true;
			entry->next_owner = 0;
		}
	group->classic.owners_known = true;
}

bool
classic_subscribes(Group *group, WireString topic)
{
	ClassicGroup *classic = &group->classic;

	if (!classic_is_consumer(group))
		return false;
	for (ClassicMember *member = classic->first; member; member = member->next)
	{
		EmbeddedSubscription subscription;

		if (classic->protocol_name.len < 0 ||
			!group_read_subscription(group->co, classic_metadata(member, classic->protocol_name),
									 &subscription))
			return true;		/* we can't know */
		for (int32_t i = 0; i < subscription.n_topics; i++)
			if (wire_string_equal(subscription.topics[i], topic))
				return true;
	}
	return false;
}
