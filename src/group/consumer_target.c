/*-------------------------------------------------------------------------
 *
 * consumer_target.c
 *	  A group's epoch, patterns and target assignment.
 *
 * The metadata hash stands for all that the assignment depends on besides the
 * members: which of the subscribed topics exist, and their partitions.
 *
 *-------------------------------------------------------------------------
 */
#include "group/consumer.h"

#include <stdlib.h>

/* ---------- the hash ---------- */

static uint64_t
hash_bytes(uint64_t h, const void *data, size_t n)
{
	const uint8_t *p = data;

	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * 1099511628211u;
	return h;
}

/* The names that members subscribe, sorted, each once; in `out` memory. */
static WireString *
subscribed_names(Group *group, int32_t *n)
{
	GroupCoordinator *co = group->co;
	GroupMapScan scan;
	WireString *names;
	int32_t		total = 0;

	group_map_scan(&scan, &group->consumer.members);
	for (ConsumerMember *m; (m = group_map_next(&scan)) != NULL;)
		total += m->n_names;
	group_map_scan(&scan, &group->consumer.regexes);
	for (ConsumerRegex *r; (r = group_map_next(&scan)) != NULL;)
		total += r->n;
	names = group_out_array(co, WireString, total);
	total = 0;
	group_map_scan(&scan, &group->consumer.members);
	for (ConsumerMember *m; (m = group_map_next(&scan)) != NULL;)
		for (int32_t i = 0; i < m->n_names; i++)
			names[total++] = m->names[i];
	group_map_scan(&scan, &group->consumer.regexes);
	for (ConsumerRegex *r; (r = group_map_next(&scan)) != NULL;)
		for (int32_t i = 0; i < r->n; i++)
			names[total++] = r->topics[i];
	return group_out_sorted(co, total, names, n);
}

/* 0 if no subscribed topic exists. */
int64_t
consumer_compute_hash(Group *group)
{
	int32_t		n;
	WireString *names = subscribed_names(group, &n);
	uint64_t	h = 14695981039346656037u;
	bool		any = false;

	for (int32_t i = 0; i < n; i++)
	{
		GroupTopic *topic = group_topic_by_name(group->co, names[i]);

		if (topic == NULL)
			continue;
		any = true;
		h = hash_bytes(h, topic->id.bytes, sizeof(topic->id.bytes));
		h = hash_bytes(h, &topic->n_partitions, sizeof(topic->n_partitions));
	}
	return any ? (int64_t) h : 0;
}

void
consumer_bump(Group *group)
{
	ConsumerGroup *consumer = &group->consumer;

	consumer->topics_changed = false;
	consumer_emit_metadata(group, consumer->epoch == INT32_MAX ? 1 : consumer->epoch + 1,
						   consumer_compute_hash(group));
}

/* ---------- patterns ---------- */

/* Which topics match now?  True if that has changed. */
bool
consumer_resolve(Group *group, WireString pattern, uint32_t who)
{
	GroupCoordinator *co = group->co;
	ConsumerRegex *old = group_map_find(&group->consumer.regexes, pattern);
	ConsumerGroupRegularExpressionValue value;
	void	  **topics = group_map_sorted(co, &co->topics);
	int32_t		n = co->topics.n;
	WireString *names = group_out_array(co, WireString, n);
	bool	   *matches = group_out_array(co, bool, n);
	bool		changed;

	for (int32_t i = 0; i < n; i++)
		names[i] = ((GroupTopic *) topics[i])->name;
	WIRE_INIT(ConsumerGroupRegularExpressionValue, &value);
	value.topics = group_out_array(co, WireString, n);
	if (co->call.match == NULL || co->call.match(co->call.arg, pattern, n, names, matches) != 0)
		memset(matches, 0, n * sizeof(bool));
	for (int32_t i = 0; i < n; i++)
		if (matches[i] && group_check_topic(co, who, topics[i], false) == 0)
			value.topics[value.n_topics++] = names[i];

	changed = old == NULL || old->n != value.n_topics;
	for (int32_t i = 0; !changed && i < old->n; i++)
		changed = !wire_string_equal(old->topics[i], value.topics[i]);
	if (!changed)
		return false;
	value.version = co->topics_version;
	value.timestamp = co->now;
	consumer_emit_regex(group, group_out_string(co, pattern), &value);
	return true;
}

/* ---------- assignors ---------- */

static const char *const assignor_names[] = {"uniform", "range"};

bool
consumer_knows_assignor(WireString name)
{
	for (int32_t i = 0; i < lengthof(assignor_names); i++)
		if (wire_string_is(name, assignor_names[i]))
			return true;
	return false;
}

/* The one that most members prefer; the first if none does. */
WireString
consumer_assignor(const Group *group)
{
	int32_t		votes[lengthof(assignor_names)] = {0};
	GroupMapScan scan;
	int32_t		best = 0;

	group_map_scan(&scan, &group->consumer.members);
	for (ConsumerMember *member; (member = group_map_next(&scan)) != NULL;)
		for (int32_t i = 0; member->assignor.len >= 0 && i < lengthof(assignor_names); i++)
			if (wire_string_is(member->assignor, assignor_names[i]))
				votes[i]++;
	for (int32_t i = 1; i < lengthof(assignor_names); i++)
		if (votes[i] > votes[best])
			best = i;
	return wire_string(assignor_names[best]);
}

/* ---------- the target ---------- */

static int
compare_topics(const void *a, const void *b)
{
	return group_uuid_compare(&(*(GroupTopic *const *) a)->id, &(*(GroupTopic *const *) b)->id);
}

static void
add_topic(GroupCoordinator *co, AssignorMember *out, WireString name)
{
	GroupTopic *topic = group_topic_by_name(co, name);

	if (topic)
		out->topics[out->n_topics++] = topic;
}

static void
describe_member(const ConsumerMember *member, AssignorMember *out)
{
	Group	   *group = member->group;
	GroupCoordinator *co = group->co;
	ConsumerRegex *regex =
		member->regex.len > 0 ? group_map_find(&group->consumer.regexes, member->regex) : NULL;
	int32_t		kept = 0;

	out->id = member->id;
	out->instance_id = member->instance_id;
	out->before = &member->target;
	out->topics = group_out_array(co, GroupTopic *, member->n_names + (regex ? regex->n : 0));
	for (int32_t i = 0; i < member->n_names; i++)
		add_topic(co, out, member->names[i]);
	for (int32_t i = 0; regex && i < regex->n; i++)
		add_topic(co, out, regex->topics[i]);
	qsort(out->topics, out->n_topics, sizeof(GroupTopic *), compare_topics);
	for (int32_t i = 0; i < out->n_topics; i++)
		if (kept == 0 || out->topics[kept - 1] != out->topics[i])
			out->topics[kept++] = out->topics[i];
	out->n_topics = kept;
}

/* Compute it for the group's epoch, unless it is, or it was computed a moment ago. */
void
consumer_update_target(Group *group)
{
	GroupCoordinator *co = group->co;
	ConsumerGroup *consumer = &group->consumer;
	void	  **list;
	AssignorMember *members;
	int32_t		n = 0;

	if (consumer->assignment_epoch >= consumer->epoch)
		return;
	if (consumer->assignment_ms != 0 &&
		co->now < consumer->assignment_ms + co->settings.consumer_assignment_interval_ms)
		return;

	list = group_map_sorted(co, &consumer->members);
	members = group_out_array(co, AssignorMember, consumer->members.n);
	for (int32_t i = 0; i < consumer->members.n; i++)
	{
		ConsumerMember *member = list[i];

		if (!member->known)
			continue;
		list[n] = member;
		describe_member(member, &members[n++]);
	}
	if (wire_string_is(consumer_assignor(group), "range"))
		assignor_range(co, n, members);
	else
		assignor_uniform(co, n, members);

	for (int32_t i = 0; i < n; i++)
	{
		ConsumerMember *member = list[i];
		GroupPartitions target = partitions_of(co, &members[i].result);

		if (!member->has_target || !partitions_equal(&target, &member->target, false))
			consumer_emit_target(group, member->id, &target);
	}
	consumer_emit_target_metadata(group, consumer->epoch, co->now);
}
