/*
 * group_access_test.c: owners of groups, and what is refused to others.
 */
#include "check.h"
#include "group_kit.h"

#include <stdlib.h>

static Kit	kit;

static WireString
s(const char *text)
{
	return wire_string(text);
}

static void
topic(int number, const char *name)
{
	WireUuid	id = kit_topic_id(number);

	group_topic_set(kit.co, &id, s(name), 2, kit.now);
}

static int
join(const char *group)
{
	JoinGroupResponse *r =
		kit_answer(&kit, kit_join(&kit, group, "", NULL, 9, "range", kit_subscription(&kit, "t")));

	return r->error_code;
}

static int
beat(const char *group, const char *topics, const char *regex)
{
	KitMember	member = {.group = group, .topics = topics, .regex = regex};

	strcpy(member.id, "me");
	return kit_beat(&kit, &member);
}

static int
listed(void)
{
	ListGroupsRequest m;
	ListGroupsResponse *r;

	WIRE_INIT(ListGroupsRequest, &m);
	r = kit_answer(&kit, kit_send(&kit, 16, 5, &m));
	return r->n_groups;
}

static int
describe(const char *group)
{
	WireString	id = s(group);
	DescribeGroupsRequest m = {.n_groups = 1, .groups = &id};
	DescribeGroupsResponse *r = kit_answer(&kit, kit_send(&kit, 15, 6, &m));

	return r->groups[0].error_code;
}

static int
consumer_describe(const char *group)
{
	WireString	id = s(group);
	ConsumerGroupDescribeRequest m = {.n_group_ids = 1, .group_ids = &id};
	ConsumerGroupDescribeResponse *r = kit_answer(&kit, kit_send(&kit, 69, 1, &m));

	return r->groups[0].error_code;
}

static int
delete_offset(const char *group, const char *name)
{
	OffsetDeleteRequestOffsetDeleteRequestPartition p = {.partition_index = 0};
	OffsetDeleteRequestOffsetDeleteRequestTopic t = {.name = s(name), .n_partitions = 1, .partitions = &p};
	OffsetDeleteRequest m = {.group_id = s(group), .n_topics = 1, .topics = &t};
	OffsetDeleteResponse *r = kit_answer(&kit, kit_send(&kit, 47, 0, &m));

	return r->error_code ? r->error_code : r->topics[0].partitions[0].error_code;
}

/* topics NULL: all */
static OffsetFetchResponseOffsetFetchResponseGroup *
fetch(const char *group, int n, const char *const *names)
{
	int32_t		zero = 0;
	OffsetFetchRequestOffsetFetchRequestTopics t[4];

	for (int i = 0; i < n; i++)
	{
		WIRE_INIT(OffsetFetchRequestOffsetFetchRequestTopics, &t[i]);
		t[i].name = s(names[i]);
		t[i].n_partition_indexes = 1;
		t[i].partition_indexes = &zero;
	}
	return kit_fetch_group(&kit, 8, group, n, t, false);
}

static void
test_owner(void)
{
	const int	refused = KAFKA_GROUP_AUTHORIZATION_FAILED;
	char	   *before;
	char	   *after;

	kit_begin(&kit);
	kit.who = 1;
	check(kit_commit(&kit, "mine", "", -1, "t", 0, 5) == 0, "the first to use a group");
	check(group_owner(kit.co, s("mine")) == 1, "... owns it");
	check(join("joined") == KAFKA_MEMBER_ID_REQUIRED && group_owner(kit.co, s("joined")) == 1,
		  "by joining, too");
	check(beat("new", "t", "") == 0 && group_owner(kit.co, s("new")) == 1, "with the new protocol, too");

	kit.who = 2;
	check(kit_commit(&kit, "mine", "", -1, "t", 0, 6) == refused, "others can't commit");
	check(join("mine") == refused, "or join");
	check(join("new") == refused && beat("new", "t", "") == refused, "or join with the new protocol");
	check(kit_heartbeat(&kit, "mine", "m", 1) == refused, "or send heartbeats");
	check(kit_leave(&kit, "mine", "m") == refused, "or remove members");
	check(fetch("mine", -1, NULL)->error_code == refused, "or look at offsets");
	check(describe("mine") == refused && consumer_describe("new") == refused, "or describe it");
	check(delete_offset("mine", "t") == refused && kit_delete(&kit, "mine") == refused, "or delete it");
	check(listed() == 0, "or see it in lists");
	check(kit_commit(&kit, "theirs", "", -1, "t", 0, 1) == 0 && listed() == 1, "they have their own");

	kit.who = 100;
	check(listed() == 4 && describe("mine") == 0, "an administrator sees all");
	check(kit_commit(&kit, "mine", "", -1, "t", 0, 7) == 0 && group_owner(kit.co, s("mine")) == 1,
		  "... and who uses it later doesn't become the owner");

	before = group_dump(kit.co);
	kit_restart(&kit);
	after = group_dump(kit.co);
	check(group_owner(kit.co, s("mine")) == 1 && strcmp(before, after) == 0,
		  "a restart doesn't change owners");
	free(before);
	free(after);

	kit.who = 1;
	check(kit_fetch(&kit, "mine", "t", 0) == 7, "the owner goes on");
	check(kit_delete(&kit, "mine") == 0 && group_owner(kit.co, s("mine")) == 0, "and deletes it");
	kit.who = 2;
	check(kit_commit(&kit, "mine", "", -1, "t", 0, 1) == 0, "then the name is free");
	kit_restart(&kit);
	check(group_owner(kit.co, s("mine")) == 2, "... and somebody else's");
	check(group_check(kit.co, 1, s("mine"), GROUP_USE) == refused &&
			  group_check(kit.co, 2, s("mine"), GROUP_USE) == 0,
		  "asked without a request");
	kit_wait(&kit, kit.settings.offsets_retention_ms + 2 * kit.settings.offsets_retention_check_interval_ms);
	check(group_owner(kit.co, s("mine")) == 0, "a group that expires has no owner any more");
	kit_end(&kit);
}

static void
test_topics(void)
{
	static const char *const both[] = {"t", "hidden"};
	static const char *const seen[] = {"seen", "t"};
	OffsetFetchResponseOffsetFetchResponseGroup *r;
	const int	refused = KAFKA_TOPIC_AUTHORIZATION_FAILED;

	kit_begin(&kit);
	topic(7, "hidden");
	topic(8, "seen");
	kit.who = 0;
	kit_commit(&kit, "g", "", -1, "t", 0, 1);
	kit_commit(&kit, "g", "", -1, "hidden", 0, 2);
	kit_commit(&kit, "g", "", -1, "seen", 0, 3);
	kit.who = 1;
	check(kit_commit(&kit, "g", "", -1, "hidden", 0, 9) == refused &&
			  kit_commit(&kit, "g", "", -1, "seen", 0, 9) == refused,
		  "offsets of topics that one can't read can't be committed");
	check(kit_commit(&kit, "g", "", -1, "t", 0, 4) == 0, "those of others can");
	r = fetch("g", 2, both);
	check(r->error_code == 0 && r->topics[0].partitions[0].committed_offset == 4,
		  "one of two topics is answered");
	check(r->topics[1].partitions[0].error_code == refused &&
			  r->topics[1].partitions[0].committed_offset == -1,
		  "... the other refused");
	r = fetch("g", 2, seen);
	check(r->topics[0].partitions[0].committed_offset == 3, "to see a topic is enough to see offsets");
	r = fetch("g", -1, NULL);
	check(r->n_topics == 2, "all offsets are those of topics that one sees");
	check(delete_offset("g", "seen") == refused, "offsets of a topic that one can't read can't be deleted");
	check(beat("c", "t,hidden", "") == refused, "who subscribes to a topic must see it");

	kit.who = 1;
	check(beat("p", "", "*") == 0, "a pattern");
	{
		ConsumerGroupDescribeRequest m;
		ConsumerGroupDescribeResponse *d;
		WireString	id = s("p");
		bool		hidden = false;

		WIRE_INIT(ConsumerGroupDescribeRequest, &m);
		m.n_group_ids = 1;
		m.group_ids = &id;
		d = kit_answer(&kit, kit_send(&kit, 69, 1, &m));
		for (int i = 0; i < d->groups[0].members[0].assignment.n_topic_partitions; i++)
			hidden |=
				wire_string_is(d->groups[0].members[0].assignment.topic_partitions[i].topic_name, "hidden");
		check(d->groups[0].members[0].assignment.n_topic_partitions == 4 && !hidden,
			  "... matches topics that the member sees");
	}
	kit_end(&kit);
}

int
main(void)
{
	test_owner();
	test_topics();
	return done();
}
