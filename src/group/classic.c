/*-------------------------------------------------------------------------
 *
 * classic.c
 *	  Requests of members of classic groups.
 *
 * What a request does to the group in which state is in classic_table.c; here
 * it is found out which event a request is.
 *
 *-------------------------------------------------------------------------
 */
#include "group/internal.h"

#include "group/consumer.h"

/* ---------- JoinGroup ---------- */

static void
refuse_join(GroupCoordinator *co, const GroupRequest *req, int16_t error, WireString member_id)
{
	JoinGroupResponse *r = GROUP_NEW(co, JoinGroupResponse);

	r->error_code = error;
	r->protocol_type = WIRE_NULL_STRING;
	r->protocol_name = WIRE_NULL_STRING;
	r->member_id = group_out_string(co, member_id);
	group_answer(co, req, r, 0);
}

static int32_t
rebalance_timeout(const JoinGroupRequest *request)
{
	/* The oldest clients know only one. */
	return request->rebalance_timeout_ms >= 0 ? request->rebalance_timeout_ms : request->session_timeout_ms;
}

static void
start_waiting(ClassicMember *member, const GroupRequest *req)
{
	const JoinGroupRequest *request = req->message;

	member->session_timeout_ms = request->session_timeout_ms;
	member->rebalance_timeout_ms = rebalance_timeout(request);
	classic_set_protocols(member, request->n_protocols, request->protocols);

	/* A client that asks again has lost its connection. */
	if (member->join.is)
		classic_answer_join(member, KAFKA_REBALANCE_IN_PROGRESS);
	member->join = (GroupWaiting) {true, req->token, req->api_version};
	member->group->classic.n_joining++;
}

static void
join_new(Group *group, const GroupRequest *req, WireString member_id)
{
	const JoinGroupRequest *request = req->message;
	GroupCoordinator *co = group->co;
	ClassicGroup *classic = &group->classic;
	ClassicMember *member;

	if (classic->members.n == 0)
		group_set_string(co, &classic->protocol_type, request->protocol_type);
	member = classic_add(group, member_id, request->group_instance_id, req->client_id, req->client_host);
	member->is_new = true;
	if (classic->state == CLASSIC_PREPARING && classic->initial)
		classic->new_member_added = true;
	start_waiting(member, req);
	group_timer_set(co, &member->session, GROUP_TIMER_CLASSIC_SESSION, member,
					co->now + co->settings.new_member_join_timeout_ms);
	classic_act(group, classic_rule(group, CLASSIC_JOIN_NEW));
}

/* Dynamic members get their id first, so that one that tries again doesn't leave a dead member behind. */
static void
give_member_id(Group *group, const GroupRequest *req, WireString member_id)
{
	const JoinGroupRequest *request = req->message;
	GroupCoordinator *co = group->co;
	ClassicPending *pending = group_alloc(co, sizeof(ClassicPending));

	pending->group = group;
	pending->id = group_copy(co, member_id);
	group_map_add(co, &group->classic.pending, &pending->node, pending->id);
	group_timer_set(co, &pending->session, GROUP_TIMER_CLASSIC_PENDING, pending,
					co->now + request->session_timeout_ms);
	refuse_join(co, req, KAFKA_MEMBER_ID_REQUIRED, member_id);
}

/*
 * A process with the same instance id takes a static member's place.  In a
 * stable group nothing else changes, if the protocol stays.
 */
static void
join_static(ClassicMember *old, const GroupRequest *req, WireString member_id)
{
	Group	   *group = old->group;
	GroupCoordinator *co = group->co;
	ClassicGroup *classic = &group->classic;
	ClassicRule rule = classic_rule(group, CLASSIC_JOIN_STATIC);
	bool		was_leader = classic->leader == old;
	WireBytes	assignment = old->assignment;
	WireString	old_leader;
	ClassicMember *member;
	WireString	protocol;
	JoinGroupResponse *r;

	classic_learn_owners(group);
	classic_answer_join(old, KAFKA_FENCED_INSTANCE_ID);
	classic_answer_sync(old, KAFKA_FENCED_INSTANCE_ID);
	old_leader = group_out_string(co, classic->leader->id);
	old->assignment = WIRE_NULL_BYTES;
	classic_drop(old);
	member = classic_add(group, member_id, ((const JoinGroupRequest *) req->message)->group_instance_id,
						 req->client_id, req->client_host);
	member->assignment = assignment;
	if (was_leader)
		classic->leader = member;
	start_waiting(member, req);
	classic_keep_alive(member);
	if (rule.action != CLASSIC_REPLACE)
	{
		classic_act(group, rule);
		return;
	}

	protocol = classic_choose_protocol(group);
	if (!wire_string_equal(protocol, classic->protocol_name))
	{
		classic_act(group, (ClassicRule) {CLASSIC_REBALANCE, 0});
		return;
	}
	classic_emit(group);
	classic_update_owners(group);
	if (req->api_version < 9)
	{
		/*
		 * An old client that hears that it is the leader would compute the
		 * assignments again: it is told that its predecessor is.
		 */
		r = GROUP_NEW(co, JoinGroupResponse);
		r->generation_id = classic->generation;
		r->protocol_type = group_out_string(co, classic->protocol_type);
		r->protocol_name = group_out_string(co, classic->protocol_name);
		r->leader = old_leader;
		r->member_id = group_out_string(co, member->id);
		member->join.is = false;
		classic->n_joining--;
		group_answer(co, req, r, group->members_after);
		return;
	}
	classic_answer_join(member, KAFKA_NONE);
	if (was_leader)
		((JoinGroupResponse *) co->answers[co->n_answers - 1].response)->skip_assignment = true;
}

static bool
same_protocols(const ClassicMember *member, const JoinGroupRequest *request)
{
	if (member->n_protocols != request->n_protocols)
		return false;
	for (int32_t i = 0; i < member->n_protocols; i++)
		if (!wire_string_equal(member->protocols[i].name, request->protocols[i].name) ||
			!group_bytes_equal(member->protocols[i].metadata, request->protocols[i].metadata))
			return false;
	return true;
}

static void
join_again(ClassicMember *member, const GroupRequest *req)
{
	Group	   *group = member->group;
	GroupCoordinator *co = group->co;
	ClassicEvent event = CLASSIC_JOIN_CHANGED;
	ClassicRule rule;

	if (same_protocols(member, req->message))
		event = member == group->classic.leader ? CLASSIC_JOIN_LEADER : CLASSIC_JOIN_AGAIN;
	rule = classic_rule(group, event);
	if (rule.action == CLASSIC_REFUSE)
	{
		refuse_join(co, req, rule.error, member->id);
		return;
	}
	if (rule.action == CLASSIC_TELL_GENERATION)
	{
		member->join = (GroupWaiting) {true, req->token, req->api_version};
		group->classic.n_joining++;
		classic_answer_join(member, KAFKA_NONE);
		return;
	}
	start_waiting(member, req);
	classic_act(group, rule);
}

static bool
is_full(const Group *group, const ClassicMember *member)
{
	const ClassicGroup *classic = &group->classic;
	int32_t		max = group->co->settings.max_size;

	switch (classic->state)
	{
		case CLASSIC_EMPTY:
			return false;
		case CLASSIC_PREPARING:
			return !(member && member->join.is) && classic->n_joining >= max;
		default:
			return member == NULL && classic->members.n >= max;
	}
}

/* Of an existing group, or one made for this. */
static void
join_group(Group *group, const GroupRequest *req)
{
	const JoinGroupRequest *request = req->message;
	GroupCoordinator *co = group->co;
	ClassicGroup *classic = &group->classic;
	ClassicMember *member = group_map_find(&classic->members, request->member_id);
	ClassicPending *pending = group_map_find(&classic->pending, request->member_id);
	int16_t		error;

	if (is_full(group, member))
	{
		if (pending)
			classic_drop_pending(pending);
		refuse_join(co, req, KAFKA_GROUP_MAX_SIZE_REACHED, GROUP_EMPTY_STRING);
	}
	else if (!classic_supports(group, request->protocol_type, request->n_protocols, request->protocols))
		refuse_join(co, req, KAFKA_INCONSISTENT_GROUP_PROTOCOL, request->member_id);
	else if (request->member_id.len == 0)
	{
		bool		is_static = request->group_instance_id.len >= 0;
		ClassicMember *old = classic_by_instance(group, request->group_instance_id);
		WireString	id = group_new_member_id(co, is_static ? request->group_instance_id : req->client_id);

		if (old)
			join_static(old, req, id);
		else if (!is_static && req->api_version >= 4)
			give_member_id(group, req, id);
		else
			join_new(group, req, id);
	}
	else if (pending)
	{
		if (request->group_instance_id.len >= 0)
			refuse_join(co, req, KAFKA_UNKNOWN_MEMBER_ID, request->member_id);
		else
			join_new(group, req, request->member_id);
	}
	else
	{
		error = classic_check_member(group, request->member_id, request->group_instance_id, &member);
		if (error)
			refuse_join(co, req, error, request->member_id);
		else
			join_again(member, req);
	}
}

void
classic_join(GroupCoordinator *co, const GroupRequest *req)
{
	const JoinGroupRequest *request = req->message;
	Group	   *group = group_find(co, request->group_id);
	bool		is_new = group == NULL;
	int16_t		error = group_check(co, req->who, request->group_id, GROUP_USE);

	if (error)
		refuse_join(co, req, error, request->member_id);
	else if (request->group_id.len == 0)
		refuse_join(co, req, KAFKA_INVALID_GROUP_ID, request->member_id);
	else if (request->session_timeout_ms < co->settings.min_session_timeout_ms ||
			 request->session_timeout_ms > co->settings.max_session_timeout_ms)
		refuse_join(co, req, KAFKA_INVALID_SESSION_TIMEOUT, request->member_id);
	else if (group && group->kind == GROUP_KIND_SQL)
		refuse_join(co, req, KAFKA_INCONSISTENT_GROUP_PROTOCOL, request->member_id);
	else if (is_new && request->member_id.len > 0)
		refuse_join(co, req, KAFKA_UNKNOWN_MEMBER_ID, request->member_id);
	else if (!group_has_room(co) && request->member_id.len == 0)
		refuse_join(co, req, KAFKA_GROUP_MAX_SIZE_REACHED, GROUP_EMPTY_STRING);
	else if (group && group->kind == GROUP_KIND_CONSUMER && group->consumer.n_known > 0)
		consumer_join_classic(group, req);
	else
	{
		if (group && group->kind == GROUP_KIND_CONSUMER)
		{
			group_emit_tombstones(group);
			group_become_empty(group);
		}
		else if (is_new)
		{
			group = group_make(co, request->group_id, GROUP_KIND_CLASSIC);
			classic_emit_empty(group);
		}
		join_group(group, req);
	}
}

/* ---------- SyncGroup ---------- */

static void
answer_sync(GroupCoordinator *co, const GroupRequest *req, int16_t error)
{
	SyncGroupResponse *r = GROUP_NEW(co, SyncGroupResponse);

	r->error_code = error;
	r->protocol_type = WIRE_NULL_STRING;
	r->protocol_name = WIRE_NULL_STRING;
	r->assignment = GROUP_EMPTY_BYTES;
	group_answer(co, req, r, 0);
}

static bool
differs(WireString requested, WireString ours)
{
	return requested.len >= 0 && ours.len >= 0 && !wire_string_equal(requested, ours);
}

static void
synced(ClassicMember *member)
{
	ClassicGroup *classic = &member->group->classic;

	if (!member->must_sync)
		return;
	member->must_sync = false;
	if (--classic->n_must_sync == 0)
		group_timer_stop(member->group->co, &classic->sync_timer);
}

void
classic_sync(GroupCoordinator *co, const GroupRequest *req)
{
	const SyncGroupRequest *request = req->message;
	Group	   *group = group_find(co, request->group_id);
	ClassicMember *member;
	ClassicRule rule;
	int16_t		error = group_check(co, req->who, request->group_id, GROUP_USE);

	if (error == 0 && request->group_id.len == 0)
		error = KAFKA_INVALID_GROUP_ID;
	if (error)
	{
		answer_sync(co, req, error);
		return;
	}
	if (group && group->kind == GROUP_KIND_CONSUMER)
	{
		error = consumer_sync_classic(group, req);
		if (error)
			answer_sync(co, req, error);
		return;
	}
	error = group ? classic_check_member(group, request->member_id, request->group_instance_id, &member) :
		KAFKA_UNKNOWN_MEMBER_ID;
	if (error == 0 && request->generation_id != group->classic.generation)
		error = KAFKA_ILLEGAL_GENERATION;
	if (error == 0 && (differs(request->protocol_type, group->classic.protocol_type) ||
					   differs(request->protocol_name, group->classic.protocol_name)))
		error = KAFKA_INCONSISTENT_GROUP_PROTOCOL;
	if (error)
	{
		answer_sync(co, req, error);
		return;
	}

	rule = classic_rule(group, member == group->classic.leader ? CLASSIC_SYNC_LEADER : CLASSIC_SYNC);
	if (rule.action == CLASSIC_REFUSE)
	{
		answer_sync(co, req, rule.error);
		return;
	}
	classic_answer_sync(member, KAFKA_REBALANCE_IN_PROGRESS); /* if it lost a connection on which it asked */
	member->sync = (GroupWaiting) {true, req->token, req->api_version};
	synced(member);
	if (rule.action == CLASSIC_TAKE_ASSIGNMENT)
		classic_take_assignment(group, request);
	else if (rule.action == CLASSIC_TELL_ASSIGNMENT)
		classic_answer_sync(member, KAFKA_NONE);
}

/* ---------- Heartbeat ---------- */

void
classic_heartbeat(GroupCoordinator *co, const GroupRequest *req)
{
	const HeartbeatRequest *request = req->message;
	HeartbeatResponse *r = GROUP_NEW(co, HeartbeatResponse);
	Group	   *group = group_find(co, request->group_id);
	ClassicMember *member;

	r->error_code = group_check(co, req->who, request->group_id, GROUP_USE);
	if (r->error_code)
		;
	else if (request->group_id.len == 0)
		r->error_code = KAFKA_INVALID_GROUP_ID;
	else if (group == NULL)
		r->error_code = KAFKA_UNKNOWN_MEMBER_ID;
	else if (group->kind == GROUP_KIND_CONSUMER)
		r->error_code = consumer_heartbeat_classic(group, request);
	else
	{
		r->error_code = classic_check_member(group, request->member_id, request->group_instance_id, &member);
		if (r->error_code == 0 && request->generation_id != group->classic.generation)
			r->error_code = KAFKA_ILLEGAL_GENERATION;
		if (r->error_code == 0)
		{
			r->error_code = classic_rule(group, CLASSIC_HEARTBEAT).error;
			classic_keep_alive(member);
		}
	}
	group_answer(co, req, r, group ? group->members_after : 0);
}

/* ---------- LeaveGroup ---------- */

static int16_t
leave(Group *group, WireString member_id, WireString instance_id, bool *gone)
{
	ClassicPending *pending = group_map_find(&group->classic.pending, member_id);
	ClassicMember *member;
	int16_t		error = KAFKA_NONE;

	if (pending)
	{
		classic_drop_pending(pending);
		*gone = true;
		return KAFKA_NONE;
	}
	if (member_id.len == 0)
	{
		/* An administrator removes a static member. */
		member = classic_by_instance(group, instance_id);
		if (member == NULL)
			return KAFKA_UNKNOWN_MEMBER_ID;
	}
	else
		error = classic_check_member(group, member_id, instance_id, &member);
	if (error)
		return error;
	classic_answer_join(member, KAFKA_UNKNOWN_MEMBER_ID);
	classic_answer_sync(member, KAFKA_UNKNOWN_MEMBER_ID);
	classic_drop(member);
	*gone = true;
	return KAFKA_NONE;
}

void
classic_leave(GroupCoordinator *co, const GroupRequest *req)
{
	const LeaveGroupRequest *request = req->message;
	LeaveGroupResponse *r = GROUP_NEW(co, LeaveGroupResponse);
	Group	   *group = group_find(co, request->group_id);
	LeaveGroupRequestMemberIdentity one = {request->member_id, WIRE_NULL_STRING, WIRE_NULL_STRING};
	bool		single = req->api_version <= 2;
	int32_t		n = single ? 1 : request->n_members;
	const LeaveGroupRequestMemberIdentity *members = single ? &one : request->members;
	bool		gone = false;

	r->error_code = group_check(co, req->who, request->group_id, GROUP_USE);
	if (r->error_code == 0 && request->group_id.len == 0)
		r->error_code = KAFKA_INVALID_GROUP_ID;
	if (r->error_code)
	{
		group_answer(co, req, r, 0);
		return;
	}
	r->n_members = n;
	r->members = GROUP_NEW_ARRAY(co, LeaveGroupResponseMemberResponse, n);
	for (int32_t i = 0; i < n; i++)
	{
		r->members[i].member_id = group_out_string(co, members[i].member_id);
		r->members[i].group_instance_id = group_out_string(co, members[i].group_instance_id);
	}
	if (group && group->kind == GROUP_KIND_CONSUMER)
		consumer_leave_classic(group, n, members, r->members);
	else
	{
		for (int32_t i = 0; i < n; i++)
			r->members[i].error_code = group ?
				leave(group, members[i].member_id, members[i].group_instance_id, &gone) :
				KAFKA_UNKNOWN_MEMBER_ID;
		if (gone)
			classic_member_gone(group);
	}
	if (single)
	{
		r->error_code = r->members[0].error_code;
		r->n_members = 0;
	}
	group_answer(co, req, r, group ? group->members_after : 0);
}
