/*-------------------------------------------------------------------------
 *
 * consumer_reconcile.c
 *	  How a member's assignment approaches the target.
 *
 * A member that has partitions which it should not have is told the rest, in
 * its old epoch, and stays UNREVOKED until it says that it has given them up.
 * Then it gets the target's epoch and those of its partitions that nobody else
 * has any more; as long as some are missing it is UNRELEASED, else STABLE.
 *
 *-------------------------------------------------------------------------
 */
#include "group/consumer.h"

/* What a member's assignment will be. */
typedef struct Next
{
	int32_t		epoch;
	ConsumerState state;
	PartitionList assigned;
	PartitionList pending;
} Next;

static bool
subscribes_id(const ConsumerMember *member, const WireUuid *topic_id)
{
	GroupTopic *topic = group_topic_by_id(member->group->co, topic_id);

	return topic && consumer_member_subscribes(member, topic->name);
}

/* A member that doesn't say what it has is assumed to still have it. */
static bool
still_has(const GroupPartitions *owned, const GroupPartitions *revoked)
{
	return owned == NULL || partitions_overlap(owned, revoked);
}

static void
add_all(GroupCoordinator *co, PartitionList *list, const GroupPartitions *p)
{
	for_partitions(p, t, i)
		partition_list_add(co, list, &t->topic_id, t->partitions[i], t->epochs ? t->epochs[i] : 0);
}

static void
compute_next(const ConsumerMember *member, int32_t epoch, const GroupPartitions *owned, Next *next)
{
	Group	   *group = member->group;
	GroupCoordinator *co = group->co;
	int32_t		target_epoch = group->consumer.assignment_epoch;
	PartitionList revoked = {0};
	PartitionList missing = {0};
	GroupPartitions revoked_set;
	bool		unreleased = false;

	for_partitions(&member->assigned, t, i)
	{
		if (partitions_find(&member->target, &t->topic_id, t->partitions[i], NULL) &&
			subscribes_id(member, &t->topic_id))
			partition_list_add(co, &next->assigned, &t->topic_id, t->partitions[i], t->epochs[i]);
		else
			partition_list_add(co, &revoked, &t->topic_id, t->partitions[i], t->epochs[i]);
	}
	for_partitions(&member->target, t, i)
	{
		if (partitions_find(&member->assigned, &t->topic_id, t->partitions[i], NULL) ||
			!subscribes_id(member, &t->topic_id))
			continue;
		if (consumer_is_owned(group, &t->topic_id, t->partitions[i]) &&
			!partitions_find(&member->pending, &t->topic_id, t->partitions[i], NULL))
			unreleased = true;
		else
			partition_list_add(co, &missing, &t->topic_id, t->partitions[i], target_epoch);
	}

	revoked_set = partitions_of(co, &revoked);
	if (revoked_set.n > 0 && still_has(owned, &revoked_set))
	{
		next->state = CONSUMER_UNREVOKED;
		next->epoch = epoch;
		next->pending = revoked;
		return;
	}
	for (int32_t i = 0; i < missing.n; i++)
		partition_list_add(co, &next->assigned, &missing.items[i].topic_id, missing.items[i].partition,
						   missing.items[i].epoch);
	next->state = unreleased ? CONSUMER_UNRELEASED : CONSUMER_STABLE;
	next->epoch = target_epoch;
}

/*
 * The target is not new, but the member has unsubscribed topics: it must not
 * have these any longer.  False if there are none.
 */
static bool
drop_unsubscribed(const ConsumerMember *member, const GroupPartitions *owned, Next *next)
{
	GroupCoordinator *co = member->group->co;
	GroupPartitions pending;
	bool		any = false;

	add_all(co, &next->pending, &member->pending);
	for_partitions(&member->assigned, t, i)
	{
		bool		keep = subscribes_id(member, &t->topic_id);

		partition_list_add(co, keep ? &next->assigned : &next->pending, &t->topic_id, t->partitions[i],
						   t->epochs[i]);
		any |= !keep;
	}
	if (!any)
		return false;
	pending = partitions_of(co, &next->pending);
	next->epoch = member->epoch;
	if (pending.n > 0 && still_has(owned, &pending))
		next->state = CONSUMER_UNREVOKED;
	else
	{
		next->state = member->state;
		next->pending = (PartitionList) {0};
		add_all(co, &next->pending, &member->pending);
	}
	return true;
}

/* False if nothing changes. */
static bool
decide(const ConsumerMember *member, bool subscription_changed, const GroupPartitions *owned, Next *next)
{
	switch (member->state)
	{
		case CONSUMER_STABLE:
			if (member->epoch == member->group->consumer.assignment_epoch)
				return subscription_changed && drop_unsubscribed(member, owned, next);
			break;
		case CONSUMER_UNREVOKED:
			if (still_has(owned, &member->pending))
				return subscription_changed && drop_unsubscribed(member, owned, next);
			break;
		case CONSUMER_UNRELEASED:
		case CONSUMER_UNKNOWN:
			break;
	}
	compute_next(member, member->epoch, owned, next);
	return true;
}

void
consumer_reconcile(ConsumerMember *member, bool subscription_changed, const GroupPartitions *owned)
{
	Group	   *group = member->group;
	GroupCoordinator *co = group->co;
	Next		next = {0};
	GroupPartitions assigned;
	GroupPartitions pending;

	if (!decide(member, subscription_changed, owned, &next))
		return;
	assigned = partitions_of(co, &next.assigned);
	pending = partitions_of(co, &next.pending);
	if (next.epoch == member->epoch && member->epoch == member->previous_epoch &&
		next.state == member->state && partitions_equal(&assigned, &member->assigned, true) &&
		partitions_equal(&pending, &member->pending, true))
		return;
	consumer_emit_current(group, member->id, next.epoch, member->epoch, next.state, &assigned, &pending);

	if (member->classic)
		return;
	if (member->state == CONSUMER_UNREVOKED)
		group_timer_set(co, &member->rebalance, GROUP_TIMER_CONSUMER_REBALANCE, member,
						co->now + member->rebalance_timeout_ms);
	else
		group_timer_stop(co, &member->rebalance);
}
