/*-------------------------------------------------------------------------
 *
 * show.c
 *	  Groups, members and offsets as rows, for views.
 *
 *-------------------------------------------------------------------------
 */
#include "group/internal.h"

#include "group/consumer.h"

static const char *const kinds[] = {
	[GROUP_KIND_NONE] = "",
	[GROUP_KIND_CLASSIC] = "classic",
	[GROUP_KIND_CONSUMER] = "consumer",
	[GROUP_KIND_SQL] = "sql",
};

static WireString
or_empty(WireString s)
{
	return s.len >= 0 ? s : GROUP_EMPTY_STRING;
}

/* ---------- groups ---------- */

static void
show_group(const GroupCoordinator *co, const Group *group, WireWriter *w)
{
	bool		consumer = group->kind == GROUP_KIND_CONSUMER;

	wire_write_string(w, group->id, false);
	wire_write_string(w, wire_string(kinds[group->kind]), false);
	wire_write_string(w, wire_string(consumer ? consumer_state_name(group) :
									 classic_state_names[group->classic.state]), false);
	wire_write_string(w, consumer ? wire_string("consumer") : or_empty(group->classic.protocol_type), false);
	wire_write_string(w, consumer ? GROUP_EMPTY_STRING : or_empty(group->classic.protocol_name), false);
	wire_write_int32(w, consumer ? group->consumer.epoch : group->classic.generation);
	wire_write_int32(w, consumer ? group->consumer.n_known : group->classic.members.n);
	wire_write_int32(w, (int32_t) group_owner(co, group->id));
}

/* ---------- members ---------- */

static void
show_member(const Group *group, WireString id, WireString instance_id, WireString client_id,
			WireString client_host, WireWriter *w)
{
	wire_write_string(w, group->id, false);
	wire_write_string(w, id, false);
	wire_write_string(w, instance_id, false);
	wire_write_string(w, client_id, false);
	wire_write_string(w, client_host, false);
}

static void
show_partitions(WireWriter *w, WireString topic, int32_t n, const int32_t *partitions)
{
	wire_write_string(w, topic, false);
	wire_write_int32(w, n);
	for (int32_t i = 0; i < n; i++)
		wire_write_int32(w, partitions[i]);
}

static void
show_consumer_member(GroupCoordinator *co, const ConsumerMember *m, WireWriter *w)
{
	show_member(m->group, m->id, m->instance_id, m->client_id, m->client_host, w);
	wire_write_int32(w, m->assigned.n);
	for (int32_t i = 0; i < m->assigned.n; i++)
	{
		const GroupTopicPartitions *t = &m->assigned.topics[i];

		show_partitions(w, or_empty(group_topic_name(co, &t->topic_id)), t->n, t->partitions);
	}
}

static void
show_classic_member(GroupCoordinator *co, const ClassicMember *m, WireWriter *w)
{
	EmbeddedAssignment assignment = {0};

	if (!classic_is_consumer(m->group) || !group_read_assignment(co, m->assignment, &assignment))
		assignment.n = 0;
	show_member(m->group, m->id, m->instance_id, m->client_id, m->client_host, w);
	wire_write_int32(w, assignment.n);
	for (int32_t i = 0; i < assignment.n; i++)
		show_partitions(w, assignment.topics[i].topic, assignment.topics[i].n,
						assignment.topics[i].partitions);
}

static int32_t
show_members(GroupCoordinator *co, const Group *group, WireWriter *w)
{
	int32_t		n = 0;
	GroupMapScan scan;

	if (group->kind != GROUP_KIND_CONSUMER)
	{
		for (const ClassicMember *m = group->classic.first; m; m = m->next, n++)
			show_classic_member(co, m, w);
		return n;
	}
	group_map_scan(&scan, &group->consumer.members);
	for (ConsumerMember *m; (m = group_map_next(&scan)) != NULL;)
	{
		if (!m->known)
			continue;
		show_consumer_member(co, m, w);
		n++;
	}
	return n;
}

/* ---------- offsets ---------- */

static int32_t
show_offsets(const Group *group, WireWriter *w)
{
	int32_t		n = 0;
	GroupMapScan scan;

	group_map_scan(&scan, &group->offsets);
	for (OffsetTopic *topic; (topic = group_map_next(&scan)) != NULL;)
		for (int32_t i = 0; i < topic->n; i++)
		{
			const OffsetEntry *entry = &topic->entries[i];

			if (!entry->committed)
				continue;
			wire_write_string(w, group->id, false);
			wire_write_string(w, topic->name, false);
			wire_write_int32(w, entry->partition);
			wire_write_int64(w, entry->offset);
			wire_write_string(w, or_empty(entry->metadata), false);
			wire_write_int64(w, entry->commit_ms);
			wire_write_int8(w, topic->by_sql || group->kind == GROUP_KIND_SQL);
			n++;
		}
	return n;
}

void
group_show(GroupCoordinator *co, GroupShow what, uint32_t who, WireWriter *w)
{
	size_t		count_at = w->len;
	int32_t		n = 0;
	GroupMapScan scan;

	wire_write_int32(w, 0);
	group_map_scan(&scan, &co->groups);
	for (Group *group; (group = group_map_next(&scan)) != NULL;)
	{
		if (group_check(co, who, group->id, GROUP_DESCRIBE) != KAFKA_NONE)
			continue;
		switch (what)
		{
			case GROUP_SHOW_GROUPS:
				show_group(co, group, w);
				n++;
				break;
			case GROUP_SHOW_MEMBERS:
				n += show_members(co, group, w);
				break;
			case GROUP_SHOW_OFFSETS:
				n += show_offsets(group, w);
				break;
		}
	}
	wire_patch_int32(w, count_at, n);
}
