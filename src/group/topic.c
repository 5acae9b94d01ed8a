/*-------------------------------------------------------------------------
 *
 * topic.c
 *	  What topics there are, as the group coordinator was told.
 *
 *-------------------------------------------------------------------------
 */
#include "group/internal.h"

#include "group/consumer.h"

static WireString
id_key(const WireUuid *id)
{
	return wire_string_n((const char *) id->bytes, sizeof(id->bytes));
}

GroupTopic *
group_topic_by_name(const GroupCoordinator *co, WireString name)
{
	return group_map_find(&co->topics, name);
}

GroupTopic *
group_topic_by_id(const GroupCoordinator *co, const WireUuid *id)
{
	GroupMapNode *node = group_map_find(&co->topic_ids, id_key(id));

	return node ? (GroupTopic *) ((char *) node - offsetof(GroupTopic, by_id)) : NULL;
}

/* Groups find out at the next heartbeat of a member. */
static void
tell_groups(GroupCoordinator *co, WireString name, bool came_or_went)
{
	GroupMapScan scan;

	if (came_or_went)
		co->topics_version++;
	group_map_scan(&scan, &co->groups);
	for (Group *group; (group = group_map_next(&scan)) != NULL;)
		if (group->kind == GROUP_KIND_CONSUMER)
			consumer_topic_changed(group, name, came_or_went);
}

void
group_topic_free(GroupCoordinator *co, GroupTopic *topic)
{
	group_map_remove(&co->topics, &topic->by_name);
	group_map_remove(&co->topic_ids, &topic->by_id);
	group_free_string(co, &topic->name);
	group_free(co, topic);
}

/* ---------- topics that can't be seen ---------- */

typedef struct HiddenTopic
{
	GroupMapNode node;
	WireString	name;
} HiddenTopic;

bool
group_topic_is_hidden(const GroupCoordinator *co, WireString name)
{
	return group_map_find(&co->hidden, name) != NULL;
}

static void
drop_hidden(GroupCoordinator *co, HiddenTopic *hidden)
{
	group_map_remove(&co->hidden, &hidden->node);
	group_free_string(co, &hidden->name);
	group_free(co, hidden);
}

void
group_hidden_free(GroupCoordinator *co)
{
	HiddenTopic *hidden;

	while ((hidden = group_map_any(&co->hidden)) != NULL)
		drop_hidden(co, hidden);
	group_map_free(co, &co->hidden);
}

void
group_topic_hide(GroupCoordinator *co, WireString name)
{
	HiddenTopic *hidden;

	if (group_topic_is_hidden(co, name) || group_topic_by_name(co, name))
		return;
	hidden = group_alloc(co, sizeof(HiddenTopic));
	hidden->name = group_copy(co, name);
	group_map_add(co, &co->hidden, &hidden->node, hidden->name);
}

void
group_topic_unhide(GroupCoordinator *co, WireString name, int64_t now_ms)
{
	HiddenTopic *hidden = group_map_find(&co->hidden, name);
	GroupMapScan scan;

	co->now = now_ms;
	if (hidden == NULL)
		return;
	name = group_out_string(co, name);
	drop_hidden(co, hidden);
	if (!co->loaded)
		return;
	group_map_scan(&scan, &co->groups);
	for (Group *group; (group = group_map_next(&scan)) != NULL;)
		offset_topic_gone(group, name, NULL);
}

/* ---------- topics ---------- */

static void
drop(GroupCoordinator *co, GroupTopic *topic)
{
	WireString	name = group_out_string(co, topic->name);
	WireUuid	id = topic->id;
	GroupMapScan scan;

	group_topic_free(co, topic);
	if (!co->loaded)
		return;					/* group_loaded() looks at all offsets */
	group_map_scan(&scan, &co->groups);
	for (Group *group; (group = group_map_next(&scan)) != NULL;)
		offset_topic_gone(group, name, &id);
	tell_groups(co, name, true);
}

void
group_topic_set(GroupCoordinator *co, const WireUuid *id, WireString name, int32_t n_partitions,
				int64_t now_ms)
{
	GroupTopic *topic = group_topic_by_id(co, id);

	co->now = now_ms;
	if (topic && !wire_string_equal(topic->name, name))
	{
		drop(co, topic);		/* a topic doesn't change its name: this is another one */
		topic = NULL;
	}
	if (topic)
	{
		if (topic->n_partitions == n_partitions)
			return;
		topic->n_partitions = n_partitions;
		tell_groups(co, name, false);
		return;
	}
	topic = group_topic_by_name(co, name);
	if (topic)
		drop(co, topic);

	topic = group_alloc(co, sizeof(GroupTopic));
	topic->id = *id;
	topic->name = group_copy(co, name);
	topic->n_partitions = n_partitions;
	group_map_add(co, &co->topics, &topic->by_name, topic->name);
	group_map_add(co, &co->topic_ids, &topic->by_id, id_key(&topic->id));
	tell_groups(co, topic->name, true);
	group_topic_unhide(co, topic->name, now_ms);
}

void
group_topic_drop(GroupCoordinator *co, const WireUuid *id, int64_t now_ms)
{
	GroupTopic *topic = group_topic_by_id(co, id);

	co->now = now_ms;
	if (topic)
		drop(co, topic);
}

WireString
group_topic_name(const GroupCoordinator *co, const WireUuid *id)
{
	GroupTopic *topic = group_topic_by_id(co, id);

	return topic ? topic->name : WIRE_NULL_STRING;
}
