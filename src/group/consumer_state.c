/*-------------------------------------------------------------------------
 *
 * consumer_state.c
 *	  The state of a group of the consumer protocol, as records say it.
 *
 * A member is made by whichever of its records comes first (compaction changes
 * their order) and forgotten with the tombstone of its metadata, the last of
 * the three.  It counts as a member once its metadata or its assignment is known.
 *
 * Who has a partition now is not in a record of its own: it follows from the
 * members' assignments, and is found out when all are loaded.
 *
 *-------------------------------------------------------------------------
 */
#include "group/consumer.h"

#include <stdlib.h>

/* In place of an epoch.  A static member that is away for a while has its partitions at epoch -2. */
#define NOBODY	INT32_MIN

/* ---------- members ---------- */

static ConsumerMember *
find_member(const Group *group, WireString id)
{
	return group_map_find(&group->consumer.members, id);
}

static ConsumerMember *
make_member(Group *group, WireString id)
{
	GroupCoordinator *co = group->co;
	ConsumerMember *member = find_member(group, id);

	if (member)
		return member;
	member = group_alloc(co, sizeof(ConsumerMember));
	member->group = group;
	member->id = group_copy(co, id);
	member->instance_id = WIRE_NULL_STRING;
	member->rack_id = WIRE_NULL_STRING;
	member->client_id = WIRE_NULL_STRING;
	member->client_host = WIRE_NULL_STRING;
	member->regex = WIRE_NULL_STRING;
	member->assignor = WIRE_NULL_STRING;
	member->rebalance_timeout_ms = -1;
	member->previous_epoch = -1;
	group_map_add(co, &group->consumer.members, &member->node, member->id);
	return member;
}

static void
set_known(ConsumerMember *member)
{
	if (!member->known)
		member->group->consumer.n_known++;
	member->known = true;
}

static void
forget_metadata(ConsumerMember *member)
{
	Group	   *group = member->group;
	GroupCoordinator *co = group->co;

	if (member->instance_id.len >= 0 && consumer_by_instance(group, member->instance_id) == member)
		group_map_remove(&group->consumer.statics, &member->static_node);
	if (member->classic)
		group->consumer.n_classic--;
	group_free_string(co, &member->instance_id);
	group_free_string(co, &member->rack_id);
	group_free_string(co, &member->client_id);
	group_free_string(co, &member->client_host);
	group_free_string(co, &member->regex);
	group_free_string(co, &member->assignor);
	for (int32_t i = 0; i < member->n_names; i++)
		group_free_string(co, &member->names[i]);
	group_free(co, member->names);
	member->names = NULL;
	member->n_names = 0;
	for (int32_t i = 0; i < member->n_protocols; i++)
	{
		group_free_string(co, &member->protocols[i].name);
		group_free_bytes(co, &member->protocols[i].metadata);
	}
	group_free(co, member->protocols);
	member->protocols = NULL;
	member->n_protocols = 0;
	member->classic = false;
}

static void
free_member(ConsumerMember *member)
{
	Group	   *group = member->group;
	GroupCoordinator *co = group->co;

	forget_metadata(member);
	group_timer_stop(co, &member->session);
	group_timer_stop(co, &member->rebalance);
	group_timer_stop(co, &member->join);
	group_timer_stop(co, &member->sync);
	partitions_free(co, &member->assigned);
	partitions_free(co, &member->pending);
	partitions_free(co, &member->target);
	if (member->known)
		group->consumer.n_known--;
	group_map_remove(&group->consumer.members, &member->node);
	group_free_string(co, &member->id);
	group_free(co, member);
}

ConsumerMember *
consumer_by_instance(const Group *group, WireString instance_id)
{
	GroupMapNode *node = group_map_find(&group->consumer.statics, instance_id);

	return node ? (ConsumerMember *) ((char *) node - offsetof(ConsumerMember, static_node)) : NULL;
}

/* ---------- the group ---------- */

void
consumer_become(Group *group)
{
	classic_free(group);
	consumer_free(group);
	group->kind = GROUP_KIND_CONSUMER;
	group->consumer.assignment_epoch = -1;
}

static void
free_regex(Group *group, ConsumerRegex *regex)
{
	GroupCoordinator *co = group->co;

	group_map_remove(&group->consumer.regexes, &regex->node);
	for (int32_t i = 0; i < regex->n; i++)
		group_free_string(co, &regex->topics[i]);
	group_free(co, regex->topics);
	group_free_string(co, &regex->pattern);
	group_free(co, regex);
}

static void
free_owners(Group *group)
{
	GroupCoordinator *co = group->co;
	ConsumerOwners *owners;

	while ((owners = group_map_any(&group->consumer.owners)) != NULL)
	{
		group_map_remove(&group->consumer.owners, &owners->node);
		group_free(co, owners->epochs);
		group_free(co, owners);
	}
}

void
consumer_free(Group *group)
{
	GroupCoordinator *co = group->co;
	ConsumerGroup *consumer = &group->consumer;
	ConsumerMember *member;
	ConsumerRegex *regex;

	while ((member = group_map_any(&consumer->members)) != NULL)
		free_member(member);
	while ((regex = group_map_any(&consumer->regexes)) != NULL)
		free_regex(group, regex);
	free_owners(group);
	group_map_free(co, &consumer->members);
	group_map_free(co, &consumer->statics);
	group_map_free(co, &consumer->owners);
	group_map_free(co, &consumer->regexes);
	memset(consumer, 0, sizeof(*consumer));
	consumer->assignment_epoch = -1;
}

void
consumer_apply_metadata(Group *group, const ConsumerGroupMetadataValue *value)
{
	group->consumer.epoch = value->epoch;
	group->consumer.metadata_hash = value->metadata_hash;
}

void
consumer_apply_target_metadata(Group *group, const ConsumerGroupTargetAssignmentMetadataValue *value)
{
	group->consumer.assignment_epoch = value ? value->assignment_epoch : -1;
	group->consumer.assignment_ms = value ? value->assignment_timestamp : 0;
}

/* ---------- metadata of members ---------- */

static WireString *
copy_sorted(GroupCoordinator *co, int32_t n, const WireString *names, int32_t *n_copied)
{
	WireString *sorted = group_out_sorted(co, n, names, n_copied);
	WireString *copy = group_alloc(co, *n_copied * sizeof(WireString));

	for (int32_t i = 0; i < *n_copied; i++)
		copy[i] = group_copy(co, sorted[i]);
	return copy;
}

void
consumer_apply_member(Group *group, WireString id, const ConsumerGroupMemberMetadataValue *value)
{
	GroupCoordinator *co = group->co;
	const ConsumerGroupMemberMetadataValueClassicMemberMetadata *classic;
	ConsumerMember *member;
	ConsumerMember fresh = {0};

	if (value == NULL)
	{
		member = find_member(group, id);
		if (member)
			free_member(member);
		return;
	}
	classic = value->classic_member_metadata;
	if (classic && classic->n_supported_protocols <= 0)
		classic = NULL;			/* no record of ours */
	member = make_member(group, id);
	set_known(member);

	/* Copy first: the value may point into what is replaced. */
	fresh.instance_id = group_copy(co, value->instance_id);
	fresh.rack_id = group_copy(co, value->rack_id);
	fresh.client_id = group_copy(co, value->client_id);
	fresh.client_host = group_copy(co, value->client_host);
	fresh.regex = group_copy(co, value->subscribed_topic_regex.len > 0 ? value->subscribed_topic_regex :
							 GROUP_EMPTY_STRING);
	fresh.assignor = group_copy(co, value->server_assignor);
	fresh.names = copy_sorted(co, value->n_subscribed_topic_names, value->subscribed_topic_names,
							  &fresh.n_names);
	if (classic)
	{
		fresh.n_protocols = classic->n_supported_protocols;
		fresh.protocols = group_alloc(co, classic->n_supported_protocols * sizeof(ClassicProtocol));
		for (int32_t i = 0; i < classic->n_supported_protocols; i++)
		{
			fresh.protocols[i].name = group_copy(co, classic->supported_protocols[i].name);
			fresh.protocols[i].metadata = group_copy_bytes(co, classic->supported_protocols[i].metadata);
		}
	}
	forget_metadata(member);
	member->instance_id = fresh.instance_id;
	member->rack_id = fresh.rack_id;
	member->client_id = fresh.client_id;
	member->client_host = fresh.client_host;
	member->regex = fresh.regex;
	member->assignor = fresh.assignor;
	member->names = fresh.names;
	member->n_names = fresh.n_names;
	member->protocols = fresh.protocols;
	member->n_protocols = fresh.n_protocols;
	member->rebalance_timeout_ms = value->rebalance_timeout_ms;
	if (classic)
	{
		member->classic = true;
		member->session_timeout_ms = classic->session_timeout_ms;
		group->consumer.n_classic++;
	}
	if (member->instance_id.len >= 0)
	{
		ConsumerMember *old = consumer_by_instance(group, member->instance_id);

		/* While loading, the predecessor's tombstones may come later. */
		if (old)
			group_map_remove(&group->consumer.statics, &old->static_node);
		group_map_add(co, &group->consumer.statics, &member->static_node, member->instance_id);
	}
}

/* ---------- assignments ---------- */

void
consumer_apply_target(Group *group, WireString id, const ConsumerGroupTargetAssignmentMemberValue *value)
{
	GroupCoordinator *co = group->co;
	ConsumerMember *member = value ? make_member(group, id) : find_member(group, id);
	PartitionList list = {0};
	GroupPartitions target;

	if (member == NULL)
		return;
	for (int32_t i = 0; value && i < value->n_topic_partitions; i++)
		for (int32_t j = 0; j < value->topic_partitions[i].n_partitions; j++)
			partition_list_add(co, &list, &value->topic_partitions[i].topic_id,
							   value->topic_partitions[i].partitions[j], 0);
	target = partitions_of(co, &list);
	partitions_free(co, &member->target);
	member->target = partitions_copy(co, &target);
	member->has_target = value != NULL;
}

/* The epoch that a partition is held at; NULL beyond what is stored. */
static int32_t *
owner_slot(Group *group, const WireUuid *topic_id, int32_t partition, bool make)
{
	GroupCoordinator *co = group->co;
	WireString	key = wire_string_n((const char *) topic_id->bytes, sizeof(topic_id->bytes));
	ConsumerOwners *owners = group_map_find(&group->consumer.owners, key);

	if (partition < 0)
		return NULL;
	if (owners == NULL)
	{
		if (!make)
			return NULL;
		owners = group_alloc(co, sizeof(ConsumerOwners));
		owners->topic_id = *topic_id;
		group_map_add(co, &group->consumer.owners, &owners->node,
					  wire_string_n((const char *) owners->topic_id.bytes, sizeof(topic_id->bytes)));
	}
	if (partition >= owners->n)
	{
		if (!make)
			return NULL;
		owners->epochs = group_realloc(co, owners->epochs, (partition + 1) * sizeof(int32_t));
		while (owners->n <= partition)
			owners->epochs[owners->n++] = NOBODY;
	}
	return &owners->epochs[partition];
}

bool
consumer_is_owned(const Group *group, const WireUuid *topic_id, int32_t partition)
{
	int32_t    *slot = owner_slot((Group *) group, topic_id, partition, false);

	return slot && *slot != NOBODY;
}

static void
note_owner(ConsumerMember *member, const GroupPartitions *p)
{
	for_partitions(p, t, i)
	{
		int32_t    *slot = owner_slot(member->group, &t->topic_id, t->partitions[i], true);

		if (slot && *slot < member->epoch)
			*slot = member->epoch;
	}
}

static void
release(ConsumerMember *member, const GroupPartitions *p)
{
	for_partitions(p, t, i)
	{
		int32_t    *slot = owner_slot(member->group, &t->topic_id, t->partitions[i], false);

		if (slot && *slot == member->epoch)
			*slot = NOBODY;
	}
}

/* Partitions that the member had and has no longer. */
static void
fence_lost(ConsumerMember *member, const GroupPartitions *before)
{
	for_partitions(before, t, i)
		if (!partitions_find(&member->assigned, &t->topic_id, t->partitions[i], NULL) &&
			!partitions_find(&member->pending, &t->topic_id, t->partitions[i], NULL))
			offset_fence_partition(member->group, &t->topic_id, t->partitions[i]);
}

static GroupPartitions
read_partitions(GroupCoordinator *co, int32_t n,
				const ConsumerGroupCurrentMemberAssignmentValueTopicPartitions *topics, int32_t default_epoch)
{
	PartitionList list = {0};
	GroupPartitions p;

	for (int32_t i = 0; i < n; i++)
		for (int32_t j = 0; j < topics[i].n_partitions; j++)
			partition_list_add(co, &list, &topics[i].topic_id, topics[i].partitions[j],
							   topics[i].n_assignment_epochs == topics[i].n_partitions ?
							   topics[i].assignment_epochs[j] : default_epoch);
	p = partitions_of(co, &list);
	return partitions_copy(co, &p);
}

static ConsumerState
state_of(int8_t number)
{
	return number == CONSUMER_STABLE || number == CONSUMER_UNREVOKED || number == CONSUMER_UNRELEASED ?
		(ConsumerState) number : CONSUMER_UNKNOWN;
}

void
consumer_apply_current(Group *group, WireString id, const ConsumerGroupCurrentMemberAssignmentValue *value)
{
	GroupCoordinator *co = group->co;
	ConsumerMember *member = value ? make_member(group, id) : find_member(group, id);
	GroupPartitions assigned;
	GroupPartitions pending;

	if (member == NULL)
		return;
	assigned = member->assigned;
	pending = member->pending;
	if (co->loaded)
	{
		release(member, &assigned);
		release(member, &pending);
	}
	memset(&member->assigned, 0, sizeof(GroupPartitions));
	memset(&member->pending, 0, sizeof(GroupPartitions));
	if (value)
	{
		set_known(member);
		member->epoch = value->member_epoch;
		member->previous_epoch = value->previous_member_epoch;
		member->state = state_of(value->state);
		member->assigned = read_partitions(co, value->n_assigned_partitions, value->assigned_partitions,
										   value->member_epoch);
		member->pending = read_partitions(co, value->n_partitions_pending_revocation,
										  value->partitions_pending_revocation, value->member_epoch);
	}
	else
	{
		member->epoch = -1;
		member->previous_epoch = -1;
		member->state = CONSUMER_STABLE;
	}
	if (co->loaded)
	{
		note_owner(member, &member->assigned);
		note_owner(member, &member->pending);
		fence_lost(member, &assigned);
		fence_lost(member, &pending);
	}
	partitions_free(co, &assigned);
	partitions_free(co, &pending);
}

/* ---------- regular expressions ---------- */

void
consumer_apply_regex(Group *group, WireString pattern, const ConsumerGroupRegularExpressionValue *value)
{
	GroupCoordinator *co = group->co;
	ConsumerRegex *regex = group_map_find(&group->consumer.regexes, pattern);

	if (regex)
		free_regex(group, regex);
	if (value == NULL)
		return;
	regex = group_alloc(co, sizeof(ConsumerRegex));
	regex->pattern = group_copy(co, pattern);
	regex->topics = copy_sorted(co, value->n_topics, value->topics, &regex->n);
	regex->version = value->version;
	regex->resolved_ms = value->timestamp;
	group_map_add(co, &group->consumer.regexes, &regex->node, regex->pattern);
}

/* ---------- loading and topics ---------- */

void
consumer_loaded(Group *group)
{
	GroupMapScan scan;

	group_map_scan(&scan, &group->consumer.members);
	for (ConsumerMember *member; (member = group_map_next(&scan)) != NULL;)
	{
		if (!member->known)
			continue;
		note_owner(member, &member->assigned);
		note_owner(member, &member->pending);
		consumer_keep_alive(member);
		if (member->state == CONSUMER_UNREVOKED && !member->classic)
			group_timer_set(group->co, &member->rebalance, GROUP_TIMER_CONSUMER_REBALANCE, member,
							group->co->now + member->rebalance_timeout_ms);
	}

	/* Topics may have come or gone meanwhile. */
	group->consumer.topics_changed = true;
	group->consumer.names_changed = true;
}

void
consumer_topic_changed(Group *group, WireString name, bool came_or_went)
{
	if (came_or_went)
		group->consumer.names_changed = true;
	if (consumer_subscribes(group, name))
		group->consumer.topics_changed = true;
}

/* ---------- looking ---------- */

static bool
is_in(WireString name, int32_t n, const WireString *sorted)
{
	return n > 0 && bsearch(&name, sorted, n, sizeof(WireString), group_compare_strings) != NULL;
}

bool
consumer_member_subscribes(const ConsumerMember *member, WireString topic)
{
	ConsumerRegex *regex;

	if (is_in(topic, member->n_names, member->names))
		return true;
	regex = member->regex.len > 0 ? group_map_find(&member->group->consumer.regexes, member->regex) : NULL;
	return regex && is_in(topic, regex->n, regex->topics);
}

bool
consumer_subscribes(const Group *group, WireString topic)
{
	GroupMapScan scan;

	group_map_scan(&scan, &group->consumer.members);
	for (ConsumerMember *member; (member = group_map_next(&scan)) != NULL;)
		if (consumer_member_subscribes(member, topic))
			return true;
	return false;
}

const char *
consumer_state_name(const Group *group)
{
	const ConsumerGroup *consumer = &group->consumer;
	GroupMapScan scan;

	if (consumer->n_known == 0)
		return "Empty";
	if (consumer->epoch > consumer->assignment_epoch)
		return "Assigning";
	group_map_scan(&scan, &consumer->members);
	for (ConsumerMember *member; (member = group_map_next(&scan)) != NULL;)
		if (member->known &&
			(member->state != CONSUMER_STABLE || member->epoch != consumer->assignment_epoch))
			return "Reconciling";
	return "Stable";
}
