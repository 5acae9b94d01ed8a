/*-------------------------------------------------------------------------
 *
 * classic_member.c
 *	  Members of classic groups, and the protocols that they support.
 *
 * The votes of a group count, per protocol, the members that support it: the
 * group can use a protocol that all do.
 *
 *-------------------------------------------------------------------------
 */
#include "group/internal.h"

/* ---------- protocols ---------- */

static void
count_protocols(ClassicMember *member, int32_t by)
{
	Group	   *group = member->group;
	GroupCoordinator *co = group->co;

	for (int32_t i = 0; i < member->n_protocols; i++)
	{
		WireString	name = member->protocols[i].name;
		ClassicVote *vote = group_map_find(&group->classic.votes, name);

		if (vote == NULL)
		{
			vote = group_alloc(co, sizeof(ClassicVote));
			vote->name = group_copy(co, name);
			group_map_add(co, &group->classic.votes, &vote->node, vote->name);
		}
		vote->members += by;
		if (vote->members == 0)
		{
			group_map_remove(&group->classic.votes, &vote->node);
			group_free_string(co, &vote->name);
			group_free(co, vote);
		}
	}
}

static void
forget_protocols(ClassicMember *member)
{
	GroupCoordinator *co = member->group->co;

	count_protocols(member, -1);
	for (int32_t i = 0; i < member->n_protocols; i++)
	{
		group_free_string(co, &member->protocols[i].name);
		group_free_bytes(co, &member->protocols[i].metadata);
	}
	group_free(co, member->protocols);
	member->protocols = NULL;
	member->n_protocols = 0;
}

void
classic_set_protocols(ClassicMember *member, int32_t n,
					  const JoinGroupRequestJoinGroupRequestProtocol *protocols)
{
	GroupCoordinator *co = member->group->co;

	forget_protocols(member);
	member->protocols = group_alloc(co, n * sizeof(ClassicProtocol));
	for (int32_t i = 0; i < n; i++)
	{
		bool		twice = false;

		for (int32_t j = 0; j < member->n_protocols && !twice; j++)
			twice = wire_string_equal(member->protocols[j].name, protocols[i].name);
		if (twice)
			continue;
		member->protocols[member->n_protocols].name = group_copy(co, protocols[i].name);
		member->protocols[member->n_protocols++].metadata = group_copy_bytes(co, protocols[i].metadata);
	}
	count_protocols(member, 1);
}

/* Empty if the member doesn't support it. */
WireBytes
classic_metadata(const ClassicMember *member, WireString protocol)
{
	for (int32_t i = 0; i < member->n_protocols; i++)
		if (wire_string_equal(member->protocols[i].name, protocol))
			return member->protocols[i].metadata;
	return GROUP_EMPTY_BYTES;
}

bool
classic_supports(const Group *group, WireString type, int32_t n,
				 const JoinGroupRequestJoinGroupRequestProtocol *protocols)
{
	const ClassicGroup *classic = &group->classic;

	if (n <= 0 || type.len <= 0)
		return false;
	if (classic->state == CLASSIC_EMPTY || classic->members.n == 0)
		return true;
	if (!wire_string_equal(classic->protocol_type, type))
		return false;
	for (int32_t i = 0; i < n; i++)
	{
		ClassicVote *vote = group_map_find(&classic->votes, protocols[i].name);

		if (vote && vote->members == classic->members.n)
			return true;
	}
	return false;
}

/*
 * Each member votes for the first of its protocols that all members support.
 * Of two with the same number of votes the one wins that got its first vote earlier.
 */
WireString
classic_choose_protocol(const Group *group)
{
	const ClassicGroup *classic = &group->classic;
	ClassicVote *best = NULL;
	GroupMapScan scan;

	group_map_scan(&scan, &classic->votes);
	for (ClassicVote *vote; (vote = group_map_next(&scan)) != NULL;)
		vote->votes = 0;
	for (ClassicMember *member = classic->first; member; member = member->next)
	{
		for (int32_t i = 0; i < member->n_protocols; i++)
		{
			ClassicVote *vote = group_map_find(&classic->votes, member->protocols[i].name);

			if (vote->members == classic->members.n)
			{
				vote->votes++;
				break;
			}
		}
	}
	for (ClassicMember *member = classic->first; member; member = member->next)
	{
		for (int32_t i = 0; i < member->n_protocols; i++)
		{
			ClassicVote *vote = group_map_find(&classic->votes, member->protocols[i].name);

			if (vote->votes > 0 && (best == NULL || vote->votes > best->votes))
				best = vote;
		}
	}
	return best ? best->name : WIRE_NULL_STRING;
}

/* ---------- members ---------- */

ClassicMember *
classic_by_instance(const Group *group, WireString instance_id)
{
	GroupMapNode *node = group_map_find(&group->classic.statics, instance_id);

	return node ? (ClassicMember *) ((char *) node - offsetof(ClassicMember, static_node)) : NULL;
}

int16_t
classic_check_member(const Group *group, WireString id, WireString instance_id, ClassicMember **member)
{
	*member = group_map_find(&group->classic.members, id);
	if (instance_id.len >= 0)
	{
		ClassicMember *owner = classic_by_instance(group, instance_id);

		if (owner == NULL)
			return KAFKA_UNKNOWN_MEMBER_ID;
		if (owner != *member)
			return KAFKA_FENCED_INSTANCE_ID;
	}
	return *member ? KAFKA_NONE : KAFKA_UNKNOWN_MEMBER_ID;
}

ClassicMember *
classic_add(Group *group, WireString id, WireString instance_id, WireString client_id, WireString client_host)
{
	GroupCoordinator *co = group->co;
	ClassicGroup *classic = &group->classic;
	ClassicMember *member = group_alloc(co, sizeof(ClassicMember));
	ClassicPending *pending = group_map_find(&classic->pending, id);

	member->group = group;
	member->id = group_copy(co, id);
	member->instance_id = group_copy(co, instance_id);
	member->client_id = group_copy(co, client_id);
	member->client_host = group_copy(co, client_host);
	member->assignment = WIRE_NULL_BYTES;
	member->serial = ++co->serial;
	group_map_add(co, &classic->members, &member->node, member->id);
	if (instance_id.len >= 0)
		group_map_add(co, &classic->statics, &member->static_node, member->instance_id);

	member->prev = classic->last;
	if (classic->last)
		classic->last->next = member;
	else
		classic->first = member;
	classic->last = member;
	if (classic->leader == NULL)
		classic->leader = member;
	if (pending)
		classic_drop_pending(pending);
	return member;
}

void
classic_drop_pending(ClassicPending *pending)
{
	GroupCoordinator *co = pending->group->co;

	group_timer_stop(co, &pending->session);
	group_map_remove(&pending->group->classic.pending, &pending->node);
	group_free_string(co, &pending->id);
	group_free(co, pending);
}

void
classic_drop(ClassicMember *member)
{
	Group	   *group = member->group;
	GroupCoordinator *co = group->co;
	ClassicGroup *classic = &group->classic;

	/* It may be the owner of partitions, which nobody has looked for yet. */
	if (member->assignment.len > 0)
		classic_learn_owners(group);
	group_timer_stop(co, &member->session);
	forget_protocols(member);
	if (member->join.is)
		classic->n_joining--;
	if (member->must_sync)
		classic->n_must_sync--;
	group_map_remove(&classic->members, &member->node);
	if (member->instance_id.len >= 0)
		group_map_remove(&classic->statics, &member->static_node);
	if (member->prev)
		member->prev->next = member->next;
	else
		classic->first = member->next;
	if (member->next)
		member->next->prev = member->prev;
	else
		classic->last = member->prev;
	if (classic->leader == member)
		classic->leader = classic->first;
	group_free_string(co, &member->id);
	group_free_string(co, &member->instance_id);
	group_free_string(co, &member->client_id);
	group_free_string(co, &member->client_host);
	group_free_bytes(co, &member->assignment);
	group_free(co, member);
}

void
classic_free(Group *group)
{
	GroupCoordinator *co = group->co;
	ClassicGroup *classic = &group->classic;
	ClassicPending *pending;

	while (classic->first)
	{
		/* Nobody is to be noted as an owner: the next record, when loading, tells of other members. */
		group_free_bytes(co, &classic->first->assignment);
		classic_drop(classic->first);
	}
	while ((pending = group_map_any(&classic->pending)) != NULL)
		classic_drop_pending(pending);
	group_map_free(co, &classic->members);
	group_map_free(co, &classic->statics);
	group_map_free(co, &classic->pending);
	group_map_free(co, &classic->votes);
	group_timer_stop(co, &classic->join_timer);
	group_timer_stop(co, &classic->sync_timer);
	group_free_string(co, &classic->protocol_type);
	group_free_string(co, &classic->protocol_name);
	memset(classic, 0, sizeof(*classic));
	classic->protocol_type = WIRE_NULL_STRING;
	classic->protocol_name = WIRE_NULL_STRING;
}

int32_t
classic_rebalance_timeout(const Group *group)
{
	int32_t		max = 0;

	for (ClassicMember *member = group->classic.first; member; member = member->next)
		if (member->rebalance_timeout_ms > max)
			max = member->rebalance_timeout_ms;
	return max;
}
