/*-------------------------------------------------------------------------
 *
 * offset.c
 *	  OffsetCommit, OffsetFetch and OffsetDelete.
 *
 *-------------------------------------------------------------------------
 */
#include "group/internal.h"

#include "group/consumer.h"

#define TOPIC_IDS_SINCE		10	/* versions of both APIs */

/* ---------- OffsetCommit ---------- */

typedef OffsetCommitRequestOffsetCommitRequestTopic CommitTopic;
typedef OffsetCommitRequestOffsetCommitRequestPartition CommitPartition;
typedef OffsetCommitResponseOffsetCommitResponseTopic CommitTopicResponse;

/* May this request commit at all?  *consumer: the member, if partitions have to be checked too. */
static int16_t
check_commit(Group *group, const GroupRequest *req, ConsumerMember **consumer)
{
	const OffsetCommitRequest *request = req->message;
	int32_t		generation = request->generation_id_or_member_epoch;
	ClassicMember *member;
	ClassicRule rule;
	int16_t		error;

	*consumer = NULL;
	if (group->kind == GROUP_KIND_CONSUMER)
		return consumer_check_commit(group, request->member_id, generation, req->api_version, consumer);

	if (generation < 0 && group->classic.state == CLASSIC_EMPTY)
		return classic_rule(group, CLASSIC_COMMIT_SIMPLE).error;
	if (generation < 0 && request->member_id.len == 0 && request->group_instance_id.len < 0)
		return classic_rule(group, CLASSIC_COMMIT_SIMPLE).error;

	error = classic_check_member(group, request->member_id, request->group_instance_id, &member);
	if (error)
		return error;
	if (generation != group->classic.generation)
		return KAFKA_ILLEGAL_GENERATION;
	rule = classic_rule(group, CLASSIC_COMMIT);
	if (rule.action == CLASSIC_ALLOW)
		classic_keep_alive(member);
	return rule.error;
}

static int16_t
check_partition(Group *group, const GroupRequest *req, const GroupTopic *topic,
				const ConsumerMember *consumer, const CommitPartition *p)
{
	const OffsetCommitRequest *request = req->message;
	GroupCoordinator *co = group->co;
	OffsetTopic *offsets;
	int16_t		error = group_check_topic(co, req->who, topic, true);

	if (error)
		return error;
	if (topic == NULL)
		return req->api_version >= TOPIC_IDS_SINCE ? KAFKA_UNKNOWN_TOPIC_ID
												   : KAFKA_UNKNOWN_TOPIC_OR_PARTITION;
	if (p->partition_index < 0 || p->partition_index >= topic->n_partitions)
		return KAFKA_UNKNOWN_TOPIC_OR_PARTITION;
	if (p->committed_metadata.len > co->settings.offset_metadata_max_bytes)
		return KAFKA_OFFSET_METADATA_TOO_LARGE;
	if (!group_has_room(co) && offset_find(group, topic->name, p->partition_index) == NULL)
		return KAFKA_INVALID_COMMIT_OFFSET_SIZE;

	/* SQL commits these, with the rows.  Clients must not retry: that would only hide the mistake. */
	offsets = group_map_find(&group->offsets, topic->name);
	if (offsets && offsets->by_sql && request->generation_id_or_member_epoch >= 0)
		return KAFKA_INVALID_REQUEST;
	if (consumer)
		error = consumer_check_commit_partition(consumer, request->generation_id_or_member_epoch, &topic->id,
												p->partition_index);
	if (error == KAFKA_NONE && !offset_begin_change(group, topic->name, p->partition_index))
		error = KAFKA_COORDINATOR_LOAD_IN_PROGRESS;
	return error;
}

static void
commit_one(Group *group, const OffsetCommitRequest *request, const GroupTopic *topic,
		   const CommitPartition *p)
{
	GroupCoordinator *co = group->co;
	OffsetCommitValue value;

	WIRE_INIT(OffsetCommitValue, &value);
	value.offset = p->committed_offset;
	value.leader_epoch = p->committed_leader_epoch;
	value.metadata = p->committed_metadata.len >= 0 ? p->committed_metadata : GROUP_EMPTY_STRING;
	value.commit_timestamp = co->now;
	if (request->retention_time_ms != -1)
		value.expire_timestamp = co->now + request->retention_time_ms;
	value.topic_id = topic->id;
	offset_emit(group, topic->name, p->partition_index, &value);

	/* Nobody's commit is a reset. */
	if (request->generation_id_or_member_epoch < 0)
		offset_fence_partition(group, &topic->id, p->partition_index);
}

void
offset_commit(GroupCoordinator *co, const GroupRequest *req)
{
	const OffsetCommitRequest *request = req->message;
	OffsetCommitResponse *r = GROUP_NEW(co, OffsetCommitResponse);
	Group	   *group = group_find(co, request->group_id);
	ConsumerMember *consumer = NULL;
	bool		made = false;
	int16_t		error = group_check(co, req->who, request->group_id, GROUP_USE);

	if (error)
		;
	else if (group)
		error = check_commit(group, req, &consumer);
	else if (request->generation_id_or_member_epoch >= 0)
		error = req->api_version >= 9 ? KAFKA_GROUP_ID_NOT_FOUND : KAFKA_ILLEGAL_GENERATION;
	else if (!group_has_room(co))
		error = KAFKA_INVALID_COMMIT_OFFSET_SIZE;
	else
	{
		group = group_make(co, request->group_id, GROUP_KIND_CLASSIC);
		made = true;
	}

	r->n_topics = request->n_topics;
	r->topics = GROUP_NEW_ARRAY(co, OffsetCommitResponseOffsetCommitResponseTopic, r->n_topics);
	for (int32_t i = 0; i < request->n_topics; i++)
	{
		const CommitTopic *t = &request->topics[i];
		CommitTopicResponse *out = &r->topics[i];
		const GroupTopic *topic = req->api_version >= TOPIC_IDS_SINCE ? group_topic_by_id(co, &t->topic_id) :
			group_topic_by_name(co, t->name);

		out->name = group_out_string(co, t->name);
		out->topic_id = t->topic_id;
		out->n_partitions = t->n_partitions;
		out->partitions = GROUP_NEW_ARRAY(co, OffsetCommitResponseOffsetCommitResponsePartition,
										  t->n_partitions);
		for (int32_t j = 0; j < t->n_partitions; j++)
		{
			int16_t		e = error ? error : check_partition(group, req, topic, consumer, &t->partitions[j]);

			if (e == KAFKA_NONE)
				commit_one(group, request, topic, &t->partitions[j]);
			out->partitions[j].partition_index = t->partitions[j].partition_index;
			out->partitions[j].error_code = e;
		}
	}

	/* A group that was made for offsets none of which was accepted leaves nothing behind. */
	if (made && group->offsets_after == 0)
	{
		group_forget_owner(co, group->id);
		group_remove(group);
		group = NULL;
	}
	group_answer(co, req, r, group ? group->offsets_after : 0);
}

/* ---------- OffsetFetch ---------- */

typedef OffsetFetchRequestOffsetFetchRequestGroup FetchGroup;
typedef OffsetFetchRequestOffsetFetchRequestTopics FetchTopic;
typedef OffsetFetchResponseOffsetFetchResponseGroup FetchGroupResponse;
typedef OffsetFetchResponseOffsetFetchResponseTopics FetchTopicResponse;
typedef OffsetFetchResponseOffsetFetchResponsePartitions FetchPartitionResponse;

static void
fill_partition(GroupCoordinator *co, const Group *group, FetchPartitionResponse *out, WireString topic,
			   int32_t partition, bool stable)
{
	const OffsetEntry *entry = group && topic.len >= 0 ? offset_find(group, topic, partition) : NULL;

	out->partition_index = partition;
	out->committed_offset = -1;
	out->metadata = GROUP_EMPTY_STRING;
	if (entry && stable && !offset_is_settled(group, topic, entry))
		out->error_code = KAFKA_UNSTABLE_OFFSET_COMMIT;
	else if (entry && entry->committed)
	{
		out->committed_offset = entry->offset;
		out->committed_leader_epoch = entry->leader_epoch;
		out->metadata = group_out_string(co, entry->metadata);
	}
}

static void
fetch_some(GroupCoordinator *co, const GroupRequest *req, const Group *group, const FetchGroup *in,
		   FetchGroupResponse *out, bool stable)
{
	int			version = req->api_version;

	out->n_topics = in->n_topics;
	out->topics = GROUP_NEW_ARRAY(co, OffsetFetchResponseOffsetFetchResponseTopics, in->n_topics);
	for (int32_t i = 0; i < in->n_topics; i++)
	{
		const FetchTopic *t = &in->topics[i];
		FetchTopicResponse *o = &out->topics[i];
		GroupTopic *topic = version >= TOPIC_IDS_SINCE ? group_topic_by_id(co, &t->topic_id) : NULL;
		WireString	name = version < TOPIC_IDS_SINCE ? t->name : topic ? topic->name : WIRE_NULL_STRING;
		int16_t error = group_check_topic(co, req->who, topic ? topic : group_topic_by_name(co, name), false);

		o->name = group_out_string(co, t->name);
		o->topic_id = t->topic_id;
		o->n_partitions = t->n_partition_indexes;
		o->partitions = GROUP_NEW_ARRAY(co, OffsetFetchResponseOffsetFetchResponsePartitions,
										o->n_partitions);
		for (int32_t j = 0; j < o->n_partitions; j++)
		{
			fill_partition(co, error ? NULL : group, &o->partitions[j], name, t->partition_indexes[j],
						   stable);
			if (version >= TOPIC_IDS_SINCE && topic == NULL)
				o->partitions[j].error_code = KAFKA_UNKNOWN_TOPIC_ID;
			if (error)
				o->partitions[j].error_code = error;
		}
	}
}

static void
fetch_all(GroupCoordinator *co, const GroupRequest *req, const Group *group, FetchGroupResponse *out,
		  bool stable)
{
	void	  **topics;

	if (group == NULL)
		return;
	topics = group_map_sorted(co, &group->offsets);
	out->topics = GROUP_NEW_ARRAY(co, OffsetFetchResponseOffsetFetchResponseTopics, group->offsets.n);
	for (int32_t i = 0; i < group->offsets.n; i++)
	{
		const OffsetTopic *t = topics[i];
		FetchTopicResponse *o = &out->topics[out->n_topics];
		GroupTopic *topic = group_topic_by_name(co, t->name);

		if ((req->api_version >= TOPIC_IDS_SINCE && topic == NULL) ||
			group_check_topic(co, req->who, topic, false) != 0)
			continue;
		o->name = group_out_string(co, t->name);
		if (topic)
			o->topic_id = topic->id;
		o->partitions = GROUP_NEW_ARRAY(co, OffsetFetchResponseOffsetFetchResponsePartitions, t->n);
		for (int32_t j = 0; j < t->n; j++)
			if (t->entries[j].committed)
				fill_partition(co, group, &o->partitions[o->n_partitions++], t->name, t->entries[j].partition,
							   stable);
		if (o->n_partitions > 0)
			out->n_topics++;
	}
}

static void
fetch_group(GroupCoordinator *co, const GroupRequest *req, const FetchGroup *in, FetchGroupResponse *out,
			bool stable)
{
	const Group *group = group_find(co, in->group_id);

	out->group_id = group_out_string(co, in->group_id);
	out->error_code = group_check(co, req->who, in->group_id, GROUP_DESCRIBE);
	if (out->error_code == 0 && group && group->kind == GROUP_KIND_CONSUMER)
		out->error_code = consumer_check_fetch(group, in->member_id, in->member_epoch);
	if (out->error_code)
		return;
	if (in->n_topics < 0)
		fetch_all(co, req, group, out, stable);
	else
		fetch_some(co, req, group, in, out, stable);
}

/* The format of one group only, before version 8. */
static void
fetch_single(GroupCoordinator *co, const GroupRequest *req, OffsetFetchResponse *r)
{
	const OffsetFetchRequest *request = req->message;
	FetchGroup	in;
	FetchGroupResponse out;

	WIRE_INIT(OffsetFetchRequestOffsetFetchRequestGroup, &in);
	WIRE_INIT(OffsetFetchResponseOffsetFetchResponseGroup, &out);
	in.group_id = request->group_id;
	in.member_id = WIRE_NULL_STRING;
	in.n_topics = request->n_topics;
	if (request->n_topics >= 0)
		in.topics = GROUP_NEW_ARRAY(co, OffsetFetchRequestOffsetFetchRequestTopics, request->n_topics);
	for (int32_t i = 0; i < request->n_topics; i++)
	{
		in.topics[i].name = request->topics[i].name;
		in.topics[i].n_partition_indexes = request->topics[i].n_partition_indexes;
		in.topics[i].partition_indexes = request->topics[i].partition_indexes;
	}
	fetch_group(co, req, &in, &out, request->require_stable);
	r->error_code = out.error_code;
	r->n_topics = out.n_topics;
	r->topics = GROUP_NEW_ARRAY(co, OffsetFetchResponseOffsetFetchResponseTopic, out.n_topics);
	for (int32_t i = 0; i < out.n_topics; i++)
	{
		OffsetFetchResponseOffsetFetchResponseTopic *o = &r->topics[i];

		o->name = out.topics[i].name;
		o->n_partitions = out.topics[i].n_partitions;
		o->partitions = GROUP_NEW_ARRAY(co, OffsetFetchResponseOffsetFetchResponsePartition, o->n_partitions);
		for (int32_t j = 0; j < o->n_partitions; j++)
		{
			const FetchPartitionResponse *p = &out.topics[i].partitions[j];

			o->partitions[j].partition_index = p->partition_index;
			o->partitions[j].committed_offset = p->committed_offset;
			o->partitions[j].committed_leader_epoch = p->committed_leader_epoch;
			o->partitions[j].metadata = p->metadata;
			o->partitions[j].error_code = p->error_code;
		}
	}
}

static uint64_t
fetched_after(const GroupCoordinator *co, WireString id)
{
	const Group *group = group_find(co, id);

	/* A group that is gone may have been deleted just now. */
	return group ? group->offsets_after : co->last_deletion;
}

void
offset_fetch(GroupCoordinator *co, const GroupRequest *req)
{
	const OffsetFetchRequest *request = req->message;
	OffsetFetchResponse *r = GROUP_NEW(co, OffsetFetchResponse);
	uint64_t	after = 0;

	if (req->api_version < 8)
	{
		fetch_single(co, req, r);
		after = fetched_after(co, request->group_id);
	}
	else
	{
		r->n_groups = request->n_groups;
		r->groups = GROUP_NEW_ARRAY(co, OffsetFetchResponseOffsetFetchResponseGroup, r->n_groups);
		for (int32_t i = 0; i < request->n_groups; i++)
		{
			uint64_t	group_after = fetched_after(co, request->groups[i].group_id);

			fetch_group(co, req, &request->groups[i], &r->groups[i], request->require_stable);
			if (group_after > after)
				after = group_after;
		}
	}
	group_answer(co, req, r, after);
}

/* ---------- OffsetDelete ---------- */

static bool
subscribes(Group *group, WireString topic)
{
	return group->kind == GROUP_KIND_CONSUMER ? consumer_subscribes(group, topic) :
		classic_subscribes(group, topic);
}

void
offset_delete(GroupCoordinator *co, const GroupRequest *req)
{
	const OffsetDeleteRequest *request = req->message;
	OffsetDeleteResponse *r = GROUP_NEW(co, OffsetDeleteResponse);
	Group	   *group = group_find(co, request->group_id);

	r->error_code = group_check(co, req->who, request->group_id, GROUP_DELETE);
	if (r->error_code)
		;
	else if (request->group_id.len == 0)
		r->error_code = KAFKA_INVALID_GROUP_ID;
	else if (group == NULL)
		r->error_code = KAFKA_GROUP_ID_NOT_FOUND;
	else if (group->kind != GROUP_KIND_CONSUMER)
	{
		ClassicRule rule = classic_rule(group, CLASSIC_DELETE_OFFSETS);

		if (rule.action != CLASSIC_ALLOW &&
			!(rule.action == CLASSIC_IF_CONSUMER && classic_is_consumer(group)))
			r->error_code = rule.error;
	}
	if (r->error_code)
	{
		group_answer(co, req, r, 0);
		return;
	}

	r->n_topics = request->n_topics;
	r->topics = GROUP_NEW_ARRAY(co, OffsetDeleteResponseOffsetDeleteResponseTopic, r->n_topics);
	for (int32_t i = 0; i < request->n_topics; i++)
	{
		const OffsetDeleteRequestOffsetDeleteRequestTopic *t = &request->topics[i];
		OffsetDeleteResponseOffsetDeleteResponseTopic *out = &r->topics[i];
		GroupTopic *topic = group_topic_by_name(co, t->name);
		bool		subscribed = subscribes(group, t->name);
		int16_t		error = group_check_topic(co, req->who, topic, true);

		out->name = group_out_string(co, t->name);
		out->n_partitions = t->n_partitions;
		out->partitions = GROUP_NEW_ARRAY(co, OffsetDeleteResponseOffsetDeleteResponsePartition,
										  t->n_partitions);
		for (int32_t j = 0; j < t->n_partitions; j++)
		{
			int32_t		partition = t->partitions[j].partition_index;
			const OffsetEntry *entry = offset_find(group, t->name, partition);

			out->partitions[j].partition_index = partition;
			if (error)
				out->partitions[j].error_code = error;
			else if (subscribed)
				out->partitions[j].error_code = KAFKA_GROUP_SUBSCRIBED_TO_TOPIC;
			else if (entry && !offset_begin_change(group, t->name, partition))
				out->partitions[j].error_code = KAFKA_COORDINATOR_LOAD_IN_PROGRESS;
			else if (entry && entry->committed)
				offset_emit(group, t->name, partition, NULL);
			else if (topic == NULL || partition < 0 || partition >= topic->n_partitions)
				out->partitions[j].error_code = KAFKA_UNKNOWN_TOPIC_OR_PARTITION;
		}
	}
	group_answer(co, req, r, group->offsets_after);
}
