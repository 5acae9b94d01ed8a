/*
 * group_offset_test.c: committed offsets.
 */
#include "check.h"
#include "group_kit.h"

static Kit	kit;

static WireString
s(const char *text)
{
	return wire_string(text);
}

static int
commit(int version, const char *group, int generation, const char *topic, const WireUuid *id, int partition,
	   int64_t offset, const char *metadata, int64_t retention)
{
	OffsetCommitRequest m;
	OffsetCommitRequestOffsetCommitRequestTopic t;
	OffsetCommitRequestOffsetCommitRequestPartition p;
	OffsetCommitResponse *r;

	WIRE_INIT(OffsetCommitRequest, &m);
	WIRE_INIT(OffsetCommitRequestOffsetCommitRequestTopic, &t);
	WIRE_INIT(OffsetCommitRequestOffsetCommitRequestPartition, &p);
	m.group_id = s(group);
	m.generation_id_or_member_epoch = generation;
	m.group_instance_id = WIRE_NULL_STRING;
	m.retention_time_ms = retention;
	m.n_topics = 1;
	m.topics = &t;
	t.name = s(topic);
	if (id)
		t.topic_id = *id;
	t.n_partitions = 1;
	t.partitions = &p;
	p.partition_index = partition;
	p.committed_offset = offset;
	p.committed_leader_epoch = 3;
	p.committed_metadata = s(metadata);
	r = kit_answer(&kit, kit_send(&kit, 8, version, &m));
	return r->topics[0].partitions[0].error_code;
}

static int
simple(const char *group, const char *topic, int partition, int64_t offset)
{
	return commit(9, group, -1, topic, NULL, partition, offset, "", -1);
}

static OffsetFetchResponseOffsetFetchResponseGroup *
fetch_all(int version, const char *group)
{
	return kit_fetch_group(&kit, version, group, -1, NULL, false);
}

static OffsetFetchResponseOffsetFetchResponsePartitions *
fetch(int version, const char *group, const char *topic, const WireUuid *id, int partition, bool stable)
{
	OffsetFetchRequestOffsetFetchRequestTopics t;

	WIRE_INIT(OffsetFetchRequestOffsetFetchRequestTopics, &t);
	t.name = s(topic);
	if (id)
		t.topic_id = *id;
	t.n_partition_indexes = 1;
	t.partition_indexes = &partition;
	return &kit_fetch_group(&kit, version, group, 1, &t, stable)->topics[0].partitions[0];
}

static void
test_commit(void)
{
	WireUuid	t = kit_topic_id(1);
	WireUuid	none = kit_topic_id(9);
	OffsetFetchResponseOffsetFetchResponsePartitions *p;
	static char large[5000];

	kit_begin(&kit);
	p = fetch(9, "g", "t", NULL, 0, false);
	check(p->error_code == 0 && p->committed_offset == -1 && p->metadata.len == 0 &&
			  p->committed_leader_epoch == -1,
		  "nothing committed: no error, offset -1");
	check(fetch_all(9, "g")->n_topics == 0, "... and no topics");
	check(commit(9, "g", -1, "t", NULL, 1, 42, "meta", -1) == 0, "a simple consumer commits");
	p = fetch(9, "g", "t", NULL, 1, true);
	check(p->committed_offset == 42 && p->committed_leader_epoch == 3 && wire_string_is(p->metadata, "meta"),
		  "offset, epoch and metadata come back");
	check(kit_find(&kit, kit.token)->after == 1, "... once they are recorded");
	check(strcmp(kit_state(&kit, "g"), "Empty") == 0, "there is a group now");
	check(kit_fetch(&kit, "g", "t", 1) == 42, "old clients get it too");

	check(commit(10, "g", -1, "", &t, 2, 43, "", -1) == 0 &&
			  fetch(10, "g", "", &t, 2, false)->committed_offset == 43,
		  "by topic id");
	check(commit(10, "g", -1, "", &none, 2, 43, "", -1) == KAFKA_UNKNOWN_TOPIC_ID, "an unknown id");
	check(fetch(10, "g", "", &none, 2, false)->error_code == KAFKA_UNKNOWN_TOPIC_ID, "... in a fetch");
	check(simple("g", "none", 0, 1) == KAFKA_UNKNOWN_TOPIC_OR_PARTITION, "an unknown topic");
	check(simple("g", "t", 6, 1) == KAFKA_UNKNOWN_TOPIC_OR_PARTITION, "an unknown partition");
	check(simple("g", "t", -1, 1) == KAFKA_UNKNOWN_TOPIC_OR_PARTITION, "a negative one");
	memset(large, 'x', sizeof(large) - 1);
	check(commit(9, "g", -1, "t", NULL, 0, 1, large, -1) == KAFKA_OFFSET_METADATA_TOO_LARGE,
		  "too much metadata");
	check(commit(8, "none", 5, "t", NULL, 0, 1, "", -1) == KAFKA_ILLEGAL_GENERATION, "a member of no group");
	check(commit(9, "none", 5, "t", NULL, 0, 1, "", -1) == KAFKA_GROUP_ID_NOT_FOUND, "... to new clients");
	check(simple("other", "none", 0, 1) == KAFKA_UNKNOWN_TOPIC_OR_PARTITION &&
		  strcmp(kit_state(&kit, "other"), "Dead") == 0, "a commit that fails makes no group");
	check(simple("", "t", 0, 5) == 0, "the group with the empty name exists for old clients");

	simple("g", "u", 1, 7);
	check(fetch_all(9, "g")->n_topics == 2 && fetch_all(9, "g")->topics[0].n_partitions == 2,
		  "all of a group");
	check(memcmp(&fetch_all(10, "g")->topics[0].topic_id, &t, sizeof(t)) == 0, "... with ids");

	group_fence(kit.co, s("g"), s("t"), 1);
	kit.sql_commits = true;
	check(fetch(9, "g", "t", NULL, 1, true)->error_code == KAFKA_UNSTABLE_OFFSET_COMMIT,
		  "a transaction is committing");
	check(fetch(9, "g", "t", NULL, 1, false)->committed_offset == 42, "... which not everybody cares for");
	check(simple("g", "t", 1, 0) == KAFKA_COORDINATOR_LOAD_IN_PROGRESS, "nobody resets it meanwhile");
	check(kit_delete(&kit, "g") == KAFKA_COORDINATOR_LOAD_IN_PROGRESS, "nor deletes the group");
	check(simple("g", "t", 0, 1) == 0, "other partitions are not concerned");
	kit.sql_commits = false;
	check(fetch(9, "g", "t", NULL, 1, true)->committed_offset == 42, "... until it ends");
	kit_end(&kit);
}

static void
test_topics_go(void)
{
	WireUuid	t = kit_topic_id(1);
	WireUuid	other = kit_topic_id(7);
	int			before;

	kit_begin(&kit);
	simple("g", "t", 0, 10);
	simple("g", "u", 0, 20);
	before = kit.n_records;
	group_topic_drop(kit.co, &t, kit.now);
	kit_collect(&kit);
	check(kit.n_records == before + 1 && kit.records[before].value.len == -1,
		  "a topic goes with its offsets");
	check(kit_fetch(&kit, "g", "t", 0) == -1 && kit_fetch(&kit, "g", "u", 0) == 20, "... and only its own");
	group_topic_set(kit.co, &t, s("t"), 6, kit.now);

	simple("g", "t", 0, 11);
	group_topic_set(kit.co, &other, s("t"), 6, kit.now);
	kit_collect(&kit);
	check(kit_fetch(&kit, "g", "t", 0) == -1, "another topic of that name starts anew");

	simple("g", "t", 0, 12);
	kit_restart(&kit);			/* the topics are again what they were */
	check(kit_fetch(&kit, "g", "t", 0) == -1, "also if it changed while nobody looked");
	check(kit_fetch(&kit, "g", "u", 0) == 20, "... and only then");
	kit_end(&kit);
}

static void
test_retention(void)
{
	int64_t		week = 7 * 86400 * INT64_C(1000);

	kit_begin(&kit);
	simple("g", "t", 0, 1);
	kit_wait(&kit, week / 2);
	simple("g", "t", 1, 2);
	kit_wait(&kit, week / 2 + 3600000);
	check(kit_fetch(&kit, "g", "t", 0) == -1 && kit_fetch(&kit, "g", "t", 1) == 2, "offsets expire");
	kit_wait(&kit, week / 2 + 3600000);
	check(strcmp(kit_state(&kit, "g"), "Dead") == 0, "a group without offsets goes");

	check(commit(4, "g", -1, "t", NULL, 0, 1, "", 3600000) == 0, "a commit with its own retention");
	kit_wait(&kit, 3000000);
	check(kit_fetch(&kit, "g", "t", 0) == 1, "... is kept");
	kit_wait(&kit, 1300000);
	check(kit_fetch(&kit, "g", "t", 0) == -1, "... for so long");

	simple("g", "t", 0, 1);
	group_claim_offsets(kit.co, s("g"), s("t"), true, kit.now);
	kit_wait(&kit, 2 * week);
	check(kit_fetch(&kit, "g", "t", 0) == 1, "what SQL commits never expires");
	kit_end(&kit);
}

static void
test_sql(void)
{
	GroupOffset o = {.offset = 5, .leader_epoch = 0, .metadata = {"", 0}, .commit_ms = 1};
	uint64_t	fence;
	WireUuid	t = kit_topic_id(1);
	WireUuid	none = kit_topic_id(9);

	kit_begin(&kit);
	check(group_kind(kit.co, s("g")) == GROUP_KIND_NONE, "no group");
	check(group_set_sql(kit.co, s("g"), true, kit.now) == 0 && group_kind(kit.co, s("g")) == GROUP_KIND_SQL,
		  "a group of SQL sessions");
	kit_collect(&kit);
	check(((JoinGroupResponse *) kit_answer(&kit, kit_join(&kit, "g", "", NULL, 3, "range",
														   kit_subscription(&kit, "t"))))->error_code ==
		  KAFKA_INCONSISTENT_GROUP_PROTOCOL, "clients can't join it");
	group_committed(kit.co, s("g"), &t, 3, &o);
	kit_collect(&kit);
	check(kit_fetch(&kit, "g", "t", 3) == 5 && kit.n_records == 1, "SQL brings the records of its offsets");
	group_committed(kit.co, s("g"), &none, 3, &o);	/* nothing, for the topic is gone */
	simple("g", "t", 3, 5);
	kit_restart(&kit);
	check(group_kind(kit.co, s("g")) == GROUP_KIND_SQL && kit_fetch(&kit, "g", "t", 3) == 5,
		  "it survives a restart");
	check(group_offset(kit.co, s("g"), s("t"), 3, &o) && o.offset == 5 &&
		  !group_offset(kit.co, s("g"), s("t"), 2, &o), "its positions can be looked up");
	fence = group_fence(kit.co, s("g"), s("t"), 3);
	check(simple("g", "t", 3, 0) == 0 && group_fence(kit.co, s("g"), s("t"), 3) != fence,
		  "a reset by an admin tool");
	check(group_set_sql(kit.co, s("g"), false, kit.now) == 0 &&
			  group_kind(kit.co, s("g")) == GROUP_KIND_CLASSIC,
		  "it can become an ordinary group");
	kit_collect(&kit);

	check(group_claim_offsets(kit.co, s("c"), s("none"), true, kit.now) == KAFKA_UNKNOWN_TOPIC_OR_PARTITION,
		  "no claim on no topic");
	check(group_claim_offsets(kit.co, s("c"), s("t"), true, kit.now) == 0,
		  "SQL commits the offsets of a topic");
	kit_collect(&kit);
	kit_restart(&kit);
	{
		uint64_t	a = kit_join(&kit, "c", "", NULL, 3, "range", kit_subscription(&kit, "t"));
		char		id[80] = {0};
		JoinGroupResponse *r;

		kit_wait(&kit, 4000);
		r = kit_answer(&kit, a);
		memcpy(id, r->member_id.data, r->member_id.len);
		kit_sync(&kit, "c", id, 1, 0, NULL);
		check(kit_commit(&kit, "c", id, 1, "t", 0, 5) == KAFKA_INVALID_REQUEST, "then members can't");
		check(group_is_claimed(kit.co, s("c"), s("t")) && !group_is_claimed(kit.co, s("c"), s("u")),
			  "which can be asked");
		check(group_has_members(kit.co, s("c")) && !group_has_members(kit.co, s("g")), "as can members");
		check(group_check_member(kit.co, s("c"), s("x"), -1, s("t"), 0) == KAFKA_UNKNOWN_MEMBER_ID &&
			  group_check_member(kit.co, s("c"), s(id), 2, s("t"), 0) == KAFKA_ILLEGAL_GENERATION,
			  "who commits by SQL can say who it is");
		check(kit_commit(&kit, "c", id, 1, "u", 0, 5) == 0, "... but those of other topics");
		check(group_set_sql(kit.co, s("c"), true, kit.now) == KAFKA_NON_EMPTY_GROUP,
			  "a group with members stays what it is");
		group_claim_offsets(kit.co, s("c"), s("t"), false, kit.now);
		kit_collect(&kit);
		check(kit_commit(&kit, "c", id, 1, "t", 0, 5) == 0, "... until they are released");
	}
	kit_end(&kit);
}

/* Bytes that no coordinator wrote. */
static void
test_strange_records(void)
{
	char		key[64] = {0};
	WireBytes	k = {key, 2};
	WireBytes	none = WIRE_NULL_BYTES;

	kit_begin(&kit);
	check(group_replay(kit.co, none, none, 1) == GROUP_REPLAY_CORRUPT, "no key");
	key[1] = 99;
	check(group_replay(kit.co, k, none, 1) == GROUP_REPLAY_UNKNOWN, "an unknown type");
	key[1] = 1;
	check(group_replay(kit.co, k, none, 1) == GROUP_REPLAY_CORRUPT, "a key that ends too early");
	simple("g", "t", 0, 1);
	{
		char		value[] = {0, 9, 1, 2, 3};
		WireBytes	v = {value, 5};

		check(group_replay(kit.co, kit.records[0].key, v, 1) == GROUP_REPLAY_UNKNOWN, "an unknown version");
		value[1] = 3;
		check(group_replay(kit.co, kit.records[0].key, v, 1) == GROUP_REPLAY_CORRUPT,
			  "a value that ends too early");
	}
	check(kit_fetch(&kit, "g", "t", 0) == 1, "nothing has changed by them");
	kit_end(&kit);
}

static bool
has_offset(GroupCoordinator *co, const char *group, const char *topic, int64_t offset)
{
	GroupOffset o;

	return group_offset(co, s(group), s(topic), 0, &o) && o.offset == offset;
}

static void
test_hidden_topics(void)
{
	WireUuid	id = kit_topic_id(1);
	WireUuid	other = kit_topic_id(9);
	GroupCoordinator *co;

	kit_begin(&kit);
	simple("g", "t", 0, 5);
	simple("g", "u", 0, 6);

	/* A restart that finds t locked, and u gone. */
	co = kit_load_hidden(&kit, "t");
	check(has_offset(co, "g", "t", 5) && !has_offset(co, "g", "u", 6),
		  "offsets of a topic that can't be seen stay, those of one that is gone don't");
	group_topic_set(co, &id, s("t"), 6, kit.now);
	check(has_offset(co, "g", "t", 5), "they are there when it is seen");
	group_destroy(co);

	co = kit_load_hidden(&kit, "t");
	group_topic_set(co, &other, s("t"), 6, kit.now);
	check(!has_offset(co, "g", "t", 5), "... and go if it is another topic by then");
	group_destroy(co);

	co = kit_load_hidden(&kit, "t");
	group_topic_unhide(co, s("t"), kit.now);
	check(!has_offset(co, "g", "t", 5), "... or gone");
	group_destroy(co);
	kit_end(&kit);
}

int
main(void)
{
	test_hidden_topics();
	test_commit();
	test_topics_go();
	test_retention();
	test_sql();
	test_strange_records();
	return done();
}
