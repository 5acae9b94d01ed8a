/*-------------------------------------------------------------------------
 *
 * sql.c
 *	  Groups of SQL sessions, and offsets that SQL commits for other groups.
 *
 * SQL transactions append the records of their offsets themselves; the
 * coordinator learns of them by group_committed().
 *
 *-------------------------------------------------------------------------
 */
#include "group/internal.h"

#include "group/consumer.h"

GroupKind
group_kind(const GroupCoordinator *co, WireString id)
{
	Group	   *group = group_find(co, id);

	return group ? group->kind : GROUP_KIND_NONE;
}

void
group_ensure(GroupCoordinator *co, WireString id, int64_t now_ms)
{
	co->now = now_ms;
	if (group_find(co, id) == NULL)
		classic_emit_empty(group_make(co, id, GROUP_KIND_CLASSIC));
}

static bool
is_empty(const Group *group)
{
	if (group->kind == GROUP_KIND_CONSUMER)
		return group->consumer.n_known == 0;
	return group->classic.state == CLASSIC_EMPTY && group->classic.pending.n == 0;
}

bool
group_has_members(const GroupCoordinator *co, WireString id)
{
	Group	   *group = group_find(co, id);

	return group && !is_empty(group);
}

int16_t
group_set_sql(GroupCoordinator *co, WireString id, bool sql, int64_t now_ms)
{
	Group	   *group = group_find(co, id);

	co->now = now_ms;
	if (group == NULL && !sql)
		return KAFKA_NONE;
	if (group == NULL)
		group = group_make(co, id, GROUP_KIND_CLASSIC);
	if ((group->kind == GROUP_KIND_SQL) == sql)
		return KAFKA_NONE;
	if (!is_empty(group))
		return KAFKA_NON_EMPTY_GROUP;
	if (group->kind == GROUP_KIND_CONSUMER)
		group_emit_tombstones(group);
	group_become_empty(group);
	group->kind = sql ? GROUP_KIND_SQL : GROUP_KIND_CLASSIC;
	offset_fence_all(group);
	classic_emit_empty(group);
	if (sql)
		group_set_string(co, &group->classic.protocol_type, wire_string(GROUP_SQL_PROTOCOL));
	return KAFKA_NONE;
}

int16_t
group_claim_offsets(GroupCoordinator *co, WireString id, WireString name, bool sql, int64_t now_ms)
{
	GroupTopic *topic = group_topic_by_name(co, name);
	Group	   *group = group_find(co, id);
	OffsetTopic *offsets = group ? group_map_find(&group->offsets, name) : NULL;
	OffsetClaimValue value;

	co->now = now_ms;
	if ((offsets && offsets->by_sql) == sql)
		return KAFKA_NONE;
	if (!sql)
	{
		for (int32_t i = 0; i < offsets->n; i++)
			offset_raise_fence(group, offsets, &offsets->entries[i]);
		offset_emit_claim(group, name, NULL);
		return KAFKA_NONE;
	}
	if (topic == NULL)
		return KAFKA_UNKNOWN_TOPIC_OR_PARTITION;
	if (group == NULL)
		group = group_make(co, id, GROUP_KIND_CLASSIC);
	WIRE_INIT(OffsetClaimValue, &value);
	value.topic_id = topic->id;
	value.timestamp = now_ms;
	offset_emit_claim(group, name, &value);
	return KAFKA_NONE;
}

void
group_release_offsets(GroupCoordinator *co, WireString id, int64_t now_ms)
{
	Group	   *group = group_find(co, id);
	void	  **topics;
	int32_t		n;

	if (group == NULL)
		return;
	topics = group_map_sorted(co, &group->offsets);
	n = group->offsets.n;
	for (int32_t i = 0; i < n; i++)
		(void) group_claim_offsets(co, id, ((OffsetTopic *) topics[i])->name, false, now_ms);
}

bool
group_is_claimed(const GroupCoordinator *co, WireString id, WireString name)
{
	Group	   *group = group_find(co, id);
	OffsetTopic *topic = group ? group_map_find(&group->offsets, name) : NULL;

	return topic && topic->by_sql;
}

bool
group_offset(const GroupCoordinator *co, WireString id, WireString topic, int32_t partition,
			 GroupOffset *offset)
{
	Group	   *group = group_find(co, id);
	OffsetEntry *entry = group ? offset_find(group, topic, partition) : NULL;

	if (entry == NULL || !entry->committed)
		return false;
	offset->offset = entry->offset;
	offset->leader_epoch = entry->leader_epoch;
	offset->metadata = entry->metadata;
	offset->commit_ms = entry->commit_ms;
	return true;
}

void
group_committed(GroupCoordinator *co, WireString id, const WireUuid *topic_id, int32_t partition,
				const GroupOffset *offset)
{
	Group	   *group = group_find(co, id);
	GroupTopic *topic = group_topic_by_id(co, topic_id);
	OffsetCommitValue value;

	if (topic == NULL)
		return;					/* dropped since, and so is its offset when it is loaded again */
	if (group == NULL)
		group = group_make(co, id, GROUP_KIND_CLASSIC);
	WIRE_INIT(OffsetCommitValue, &value);
	value.offset = offset->offset;
	value.leader_epoch = offset->leader_epoch;
	value.metadata = offset->metadata;
	value.commit_timestamp = offset->commit_ms;
	value.topic_id = topic->id;
	offset_apply(group, topic->name, partition, &value);
}

/* ---------- members ---------- */

static int16_t
check_consumer_member(Group *group, WireString member_id, int32_t epoch, const WireUuid *topic_id,
					  int32_t partition)
{
	ConsumerMember *member = group_map_find(&group->consumer.members, member_id);
	int32_t		assigned;

	if (member == NULL || !member->known)
		return KAFKA_UNKNOWN_MEMBER_ID;
	if (epoch > member->epoch)
		return KAFKA_STALE_MEMBER_EPOCH;
	if (!partitions_find(&member->assigned, topic_id, partition, &assigned) &&
		!partitions_find(&member->pending, topic_id, partition, &assigned))
		return KAFKA_FENCED_MEMBER_EPOCH;
	return epoch >= 0 && epoch < assigned ? KAFKA_STALE_MEMBER_EPOCH : KAFKA_NONE;
}

static int16_t
check_classic_member(Group *group, WireString member_id, int32_t generation, WireString topic,
					 int32_t partition)
{
	ClassicMember *member;
	OffsetEntry *entry = offset_find(group, topic, partition);
	int16_t		error = classic_check_member(group, member_id, WIRE_NULL_STRING, &member);

	if (error)
		return error;
	if (generation >= 0 && generation != group->classic.generation)
		return KAFKA_ILLEGAL_GENERATION;
	/* While a rebalance is under way members finish what they have. */
	if (!classic_is_consumer(group) || group->classic.state != CLASSIC_STABLE)
		return KAFKA_NONE;
	classic_learn_owners(group);
	return entry && entry->owner_known && entry->owner != member->serial ? KAFKA_FENCED_MEMBER_EPOCH
																		 : KAFKA_NONE;
}

int16_t
group_check_member(GroupCoordinator *co, WireString id, WireString member_id, int32_t generation,
				   WireString name, int32_t partition)
{
	Group	   *group = group_find(co, id);
	GroupTopic *topic = group_topic_by_name(co, name);

	if (group == NULL)
		return KAFKA_UNKNOWN_MEMBER_ID;
	if (topic == NULL)
		return KAFKA_UNKNOWN_TOPIC_OR_PARTITION;
	if (group->kind == GROUP_KIND_CONSUMER)
		return check_consumer_member(group, member_id, generation, &topic->id, partition);
	return check_classic_member(group, member_id, generation, name, partition);
}
