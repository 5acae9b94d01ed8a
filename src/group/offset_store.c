/*-------------------------------------------------------------------------
 *
 * offset_store.c
 *	  Committed offsets of groups, and fences.
 *
 * They are kept by the topic's name, as in the records, with the topic's id:
 * an offset whose id is not that of the topic which has the name now is
 * stale.  It is deleted with its topic, or when loading finds it.
 *
 * An entry without offset only counts fences; retention drops it, unless SQL has claimed the topic.
 *
 *-------------------------------------------------------------------------
 */
#include "group/internal.h"

#include "group/consumer.h"

/* ---------- entries ---------- */

/* Index of the first entry at or behind the partition. */
static int32_t
position_of(const OffsetTopic *topic, int32_t partition)
{
	int32_t		low = 0;
	int32_t		high = topic->n;

	while (low < high)
	{
		int32_t		mid = (low + high) / 2;

		if (topic->entries[mid].partition < partition)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static OffsetEntry *
find_in(OffsetTopic *topic, int32_t partition)
{
	int32_t		i = position_of(topic, partition);

	return i < topic->n && topic->entries[i].partition == partition ? &topic->entries[i] : NULL;
}

OffsetEntry *
offset_find(const Group *group, WireString name, int32_t partition)
{
	OffsetTopic *topic = group_map_find(&group->offsets, name);

	return topic ? find_in(topic, partition) : NULL;
}

static OffsetTopic *
make_topic(Group *group, WireString name)
{
	OffsetTopic *topic = group_map_find(&group->offsets, name);

	if (topic == NULL)
	{
		topic = group_alloc(group->co, sizeof(OffsetTopic));
		topic->name = group_copy(group->co, name);
		group_map_add(group->co, &group->offsets, &topic->node, topic->name);
	}
	return topic;
}

OffsetEntry *
offset_make(Group *group, WireString name, int32_t partition)
{
	OffsetTopic *topic = make_topic(group, name);
	int32_t		i = position_of(topic, partition);
	OffsetEntry *entry;

	if (i < topic->n && topic->entries[i].partition == partition)
		return &topic->entries[i];
	if (topic->n == topic->cap)
	{
		topic->cap = topic->cap ? topic->cap * 2 : 1;
		topic->entries = group_realloc(group->co, topic->entries, topic->cap * sizeof(OffsetEntry));
	}
	entry = &topic->entries[i];
	memmove(entry + 1, entry, (topic->n - i) * sizeof(OffsetEntry));
	topic->n++;
	*entry = (OffsetEntry) {.partition = partition, .metadata = WIRE_NULL_STRING};
	group->classic.owners_known = false;
	return entry;
}

static void
drop_topic_if_empty(Group *group, OffsetTopic *topic)
{
	if (topic->n > 0 || topic->by_sql)
		return;
	group_map_remove(&group->offsets, &topic->node);
	group_free(group->co, topic->entries);
	group_free_string(group->co, &topic->name);
	group_free(group->co, topic);
}

static void
drop_entry(Group *group, OffsetTopic *topic, OffsetEntry *entry)
{
	int32_t		i = (int32_t) (entry - topic->entries);

	if (entry->committed)
		group->n_committed--;
	group_free_string(group->co, &entry->metadata);
	memmove(entry, entry + 1, (topic->n - i - 1) * sizeof(OffsetEntry));
	topic->n--;
}

void
offset_free(Group *group)
{
	OffsetTopic *topic;

	while ((topic = group_map_any(&group->offsets)) != NULL)
	{
		while (topic->n > 0)
			drop_entry(group, topic, &topic->entries[topic->n - 1]);
		topic->by_sql = false;
		drop_topic_if_empty(group, topic);
	}
	group_map_free(group->co, &group->offsets);
}

/* ---------- records ---------- */

void
offset_apply(Group *group, WireString name, int32_t partition, const OffsetCommitValue *value)
{
	OffsetEntry *entry;

	if (value == NULL)
	{
		OffsetTopic *topic = group_map_find(&group->offsets, name);

		entry = topic ? find_in(topic, partition) : NULL;
		if (entry)
		{
			if (entry->fence)
				offset_raise_fence(group, topic, entry);
			drop_entry(group, topic, entry);
			drop_topic_if_empty(group, topic);
		}
		return;
	}
	entry = offset_make(group, name, partition);
	if (!entry->committed)
		group->n_committed++;
	entry->committed = true;
	entry->offset = value->offset;
	entry->leader_epoch = value->leader_epoch;
	entry->commit_ms = value->commit_timestamp;
	entry->expire_ms = value->expire_timestamp;
	entry->topic_id = value->topic_id;
	group_set_string(group->co, &entry->metadata, value->metadata);
}

void
offset_emit(Group *group, WireString name, int32_t partition, const OffsetCommitValue *value)
{
	OffsetCommitKey key = {.group = group->id, .topic = name, .partition = partition};

	group_emit(group, WIRE_RECORD_OFFSET_COMMIT, &key, value);
	offset_apply(group, name, partition, value);
}

void
offset_apply_claim(Group *group, WireString name, const OffsetClaimValue *value)
{
	OffsetTopic *topic = value ? make_topic(group, name) : group_map_find(&group->offsets, name);

	if (topic == NULL)
		return;
	topic->by_sql = value != NULL;
	if (value)
	{
		topic->claim_id = value->topic_id;
		topic->claim_ms = value->timestamp;
	}
	drop_topic_if_empty(group, topic);
}

void
offset_emit_claim(Group *group, WireString name, const OffsetClaimValue *value)
{
	OffsetClaimKey key = {.group = group->id, .topic = name};

	group_emit(group, WIRE_RECORD_OFFSET_CLAIM, &key, value);
	offset_apply_claim(group, name, value);
}

/* Delete an entry, with a tombstone if it needs one.  The topic stays. */
static void
emit_drop(Group *group, OffsetTopic *topic, OffsetEntry *entry)
{
	OffsetCommitKey key = {.group = group->id, .topic = topic->name, .partition = entry->partition};

	if (entry->committed)
		group_emit(group, WIRE_RECORD_OFFSET_COMMIT, &key, NULL);
	if (entry->fence)
		offset_raise_fence(group, topic, entry);
	drop_entry(group, topic, entry);
}

static void
emit_unclaim(Group *group, OffsetTopic *topic)
{
	OffsetClaimKey key = {.group = group->id, .topic = topic->name};

	group_emit(group, WIRE_RECORD_OFFSET_CLAIM, &key, NULL);
	topic->by_sql = false;
}

void
offset_emit_delete_all(Group *group)
{
	void	  **topics = group_map_sorted(group->co, &group->offsets);
	int32_t		n = group->offsets.n;

	for (int32_t i = 0; i < n; i++)
	{
		OffsetTopic *topic = topics[i];

		while (topic->n > 0)
			emit_drop(group, topic, &topic->entries[topic->n - 1]);
		if (topic->by_sql)
			emit_unclaim(group, topic);
		drop_topic_if_empty(group, topic);
	}
}

/* ---------- topics that are gone ---------- */

/* Entries of this id; or, if there is no such topic any more, all whose id differs from the name's. */
static void
drop_of_topic(Group *group, OffsetTopic *topic, const WireUuid *gone)
{
	GroupTopic *now = group_topic_by_name(group->co, topic->name);

	if (group_topic_is_hidden(group->co, topic->name))
		return;
	for (int32_t i = topic->n - 1; i >= 0; i--)
	{
		OffsetEntry *entry = &topic->entries[i];
		bool		unknown = wire_uuid_is_zero(&entry->topic_id);
		bool		stale = unknown ? now == NULL :
			now == NULL || group_uuid_compare(&entry->topic_id, &now->id) != 0;

		if (stale || (gone && (unknown || group_uuid_compare(&entry->topic_id, gone) == 0)))
			emit_drop(group, topic, entry);
	}
	if (topic->by_sql && (now == NULL || group_uuid_compare(&topic->claim_id, &now->id) != 0))
		emit_unclaim(group, topic);
	drop_topic_if_empty(group, topic);
}

void
offset_topic_gone(Group *group, WireString name, const WireUuid *id)
{
	OffsetTopic *topic = group_map_find(&group->offsets, name);

	if (topic)
		drop_of_topic(group, topic, id);
}

void
offset_drop_stale(Group *group)
{
	void	  **topics = group_map_sorted(group->co, &group->offsets);
	int32_t		n = group->offsets.n;

	for (int32_t i = 0; i < n; i++)
		drop_of_topic(group, topics[i], NULL);
}

/* ---------- fences ---------- */

static const WireUuid *
id_of(const Group *group, WireString name, const OffsetEntry *entry)
{
	GroupTopic *known = group_topic_by_name(group->co, name);

	return known ? &known->id : &entry->topic_id;
}

void
offset_raise_fence(Group *group, OffsetTopic *topic, OffsetEntry *entry)
{
	GroupCoordinator *co = group->co;

	if (entry->fence == 0)
		return;					/* nobody looked at it */
	entry->fence = ++co->serial;
	if (co->call.fenced)
		co->call.fenced(co->call.arg, group->id, id_of(group, topic->name, entry), entry->partition,
						entry->fence);
}

void
offset_fence_partition(Group *group, const WireUuid *topic_id, int32_t partition)
{
	GroupTopic *topic = group_topic_by_id(group->co, topic_id);
	OffsetTopic *offsets = topic ? group_map_find(&group->offsets, topic->name) : NULL;
	OffsetEntry *entry = offsets ? find_in(offsets, partition) : NULL;

	if (entry)
		offset_raise_fence(group, offsets, entry);
}

void
offset_fence_all(Group *group)
{
	GroupMapScan scan;

	group_map_scan(&scan, &group->offsets);
	for (OffsetTopic *topic; (topic = group_map_next(&scan)) != NULL;)
		for (int32_t i = 0; i < topic->n; i++)
			offset_raise_fence(group, topic, &topic->entries[i]);
}

uint64_t
group_fence(GroupCoordinator *co, WireString id, WireString topic, int32_t partition)
{
	Group	   *group = group_find(co, id);
	OffsetEntry *entry;

	if (group == NULL)
		return 0;
	entry = offset_make(group, topic, partition);
	if (entry->fence == 0)
		entry->fence = ++co->serial;
	return entry->fence;
}

/* ---------- positions that SQL uses ---------- */

bool
offset_begin_change(Group *group, WireString name, int32_t partition)
{
	const GroupCallbacks *call = &group->co->call;
	OffsetEntry *entry = offset_find(group, name, partition);

	return entry == NULL || entry->fence == 0 || call->begin_change == NULL ||
		call->begin_change(call->arg, group->id, id_of(group, name, entry), partition);
}

bool
offset_begin_change_all(Group *group)
{
	GroupMapScan scan;
	bool		may = true;

	group_map_scan(&scan, &group->offsets);
	for (OffsetTopic *topic; (topic = group_map_next(&scan)) != NULL;)
		for (int32_t i = 0; i < topic->n; i++)
			may &= offset_begin_change(group, topic->name, topic->entries[i].partition);
	return may;
}

bool
offset_is_settled(const Group *group, WireString name, const OffsetEntry *entry)
{
	const GroupCallbacks *call = &group->co->call;

	return entry->fence == 0 || call->is_settled == NULL ||
		call->is_settled(call->arg, group->id, id_of(group, name, entry), entry->partition);
}

/* ---------- retention ---------- */

static bool
is_expired(const Group *group, const OffsetTopic *topic, const OffsetEntry *entry)
{
	GroupCoordinator *co = group->co;
	int64_t		since = entry->commit_ms;

	if (topic->by_sql || group->kind == GROUP_KIND_SQL)
		return false;
	if (entry->expire_ms >= 0)
		return co->now >= entry->expire_ms;

	/* While a group has members it keeps what they may still need; then from its end on. */
	if (group->kind == GROUP_KIND_CLASSIC && group->classic.protocol_type.len > 0 &&
		group->classic.state == CLASSIC_EMPTY && group->classic.state_ms >= 0)
		since = group->classic.state_ms;
	return co->now - since >= co->settings.offsets_retention_ms;
}

static bool
may_expire(Group *group)
{
	if (group->kind == GROUP_KIND_CONSUMER || group->classic.protocol_type.len <= 0)
		return true;
	return group->classic.state == CLASSIC_EMPTY ||
		(group->classic.state == CLASSIC_STABLE && classic_is_consumer(group));
}

static void
retain_topic(Group *group, OffsetTopic *topic)
{
	bool		keep = !may_expire(group) ||
		(group->kind == GROUP_KIND_CONSUMER ? consumer_subscribes(group, topic->name) :
		 classic_subscribes(group, topic->name));

	for (int32_t i = topic->n - 1; i >= 0; i--)
	{
		OffsetEntry *entry = &topic->entries[i];

		/* What SQL has claimed is in use, whether or not anything is committed yet. */
		if ((entry->committed ? !keep && is_expired(group, topic, entry) : !topic->by_sql) &&
			offset_begin_change(group, topic->name, entry->partition))
			emit_drop(group, topic, entry);
	}
	drop_topic_if_empty(group, topic);
}

static bool
is_empty(const Group *group)
{
	if (group->kind == GROUP_KIND_CONSUMER)
		return group->consumer.n_known == 0;
	return group->kind == GROUP_KIND_CLASSIC && group->classic.state == CLASSIC_EMPTY &&
		group->classic.pending.n == 0;
}

void
offset_retention(GroupCoordinator *co)
{
	GroupMapScan scan;

	group_map_scan(&scan, &co->groups);
	for (Group *group; (group = group_map_next(&scan)) != NULL;)
	{
		void	  **topics = group_map_sorted(co, &group->offsets);
		int32_t		n = group->offsets.n;

		for (int32_t i = 0; i < n; i++)
			retain_topic(group, topics[i]);
		if (group->offsets.n == 0 && is_empty(group))
		{
			group_emit_tombstones(group);
			group_forget_owner(co, group->id);
			group_remove(group);
		}
	}
	group_drop_stale_owners(co);
}
