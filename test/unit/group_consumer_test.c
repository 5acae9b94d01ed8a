/*
 * group_consumer_test.c: groups of the consumer protocol (KIP-848).
 */
#include "check.h"
#include "group_kit.h"

static Kit	kit;

static KitMember
new_member(const char *group, const char *id, const char *topics)
{
	KitMember	m = {.group = group, .topics = topics};

	strcpy(m.id, id);
	return m;
}

/* Heartbeats of all until nothing changes any more. */
static void
settle(int n, KitMember **members)
{
	for (int round = 0; round < 12; round++)
	{
		kit_wait(&kit, 1001);
		for (int i = 0; i < n; i++)
			kit_beat(&kit, members[i]);
	}
}

static ConsumerGroupDescribeResponseDescribedGroup *
describe(const char *group)
{
	WireString	id = wire_string(group);
	ConsumerGroupDescribeRequest m = {.n_group_ids = 1, .group_ids = &id};

	return &((ConsumerGroupDescribeResponse *) kit_answer(&kit, kit_send(&kit, 69, 1, &m)))->groups[0];
}

static void
test_join_and_leave(void)
{
	KitMember	a = new_member("g", "a", "t");
	KitMember	b = new_member("g", "b", "t");
	KitMember  *both[] = {&a, &b};
	int			common = 0;
	ConsumerGroupDescribeResponseDescribedGroup *d;

	kit_begin(&kit);
	check(kit_beat(&kit, &a) == 0 && a.epoch == 1 && a.n == 6, "the first member gets all, at once");
	check(kit_find(&kit, kit.token)->after == (uint64_t) kit.n_records, "... once it is recorded");
	check(kit_beat(&kit, &a) == 0 && a.epoch == 1, "nothing changes");
	kit_wait(&kit, 1001);
	check(kit_beat(&kit, &b) == 0 && b.n == 0, "a second one has to wait");
	check(kit_beat(&kit, &a) == 0 && a.n == 3 && a.epoch == 1, "the first is told to give up half");
	check(kit_beat(&kit, &b) == 0 && b.n == 0, "... and is waited for");
	check(kit_beat(&kit, &a) == 0 && a.epoch == 2 && a.n == 3, "it has done so");
	check(kit_beat(&kit, &b) == 0 && b.n == 3 && b.epoch == 2, "and the second one gets them");
	for (int p = 0; p < 6; p++)
		common += kit_has(&a, 1, p) + kit_has(&b, 1, p);
	check(common == 6, "each partition has one owner");

	d = describe("g");
	check(d->error_code == 0 && wire_string_is(d->group_state, "Stable") && d->group_epoch == 2 &&
			  d->assignment_epoch == 2 && wire_string_is(d->assignor_name, "uniform") && d->n_members == 2 &&
			  d->members[0].member_type == 1 &&
			  d->members[0].assignment.topic_partitions[0].n_partitions == 3 &&
			  wire_string_is(d->members[0].assignment.topic_partitions[0].topic_name, "t"),
		  "the group is described");

	check(kit_beat_raw(&kit, &b, -1, NULL) == 0, "one leaves");
	settle(1, both);
	check(a.n == 6 && a.epoch == 3, "the other one gets all");
	check(kit_delete(&kit, "g") == KAFKA_NON_EMPTY_GROUP, "a group with members can't be deleted");
	kit_beat_raw(&kit, &a, -1, NULL);
	check(wire_string_is(describe("g")->group_state, "Empty"), "when all are gone the group is empty");
	check(kit_delete(&kit, "g") == 0 && describe("g")->error_code == KAFKA_GROUP_ID_NOT_FOUND,
		  "... and can be deleted");
	kit_end(&kit);
}

static void
test_epochs(void)
{
	KitMember	a = new_member("g", "a", "t");
	KitMember	b = new_member("g", "b", "t");
	KitMember	c;
	KitMember  *both[] = {&a, &b};

	kit_begin(&kit);
	check(kit_beat_raw(&kit, &a, 5, NULL) == KAFKA_GROUP_ID_NOT_FOUND, "no group");
	kit_beat(&kit, &a);
	check(kit_beat_raw(&kit, &a, 9, NULL) == KAFKA_FENCED_MEMBER_EPOCH, "an epoch that never was");
	kit_wait(&kit, 1001);
	kit_beat(&kit, &b);
	settle(2, both);
	c = a;
	check(kit_beat_raw(&kit, &c, a.epoch - 1, NULL) == 0, "the epoch before, with partitions that it has");
	c.n = 1;
	c.has[0].topic = 1;
	c.has[0].partition = b.has[0].partition;
	check(kit_beat_raw(&kit, &c, a.epoch - 1, NULL) == KAFKA_FENCED_MEMBER_EPOCH,
		  "... with one that it has not");
	check(kit_beat_raw(&kit, &b, 0, NULL) == 0, "joining again is always possible");
	c = new_member("g", "x", "t");
	check(kit_beat_raw(&kit, &c, 1, NULL) == KAFKA_UNKNOWN_MEMBER_ID, "an unknown member");

	check(kit_commit(&kit, "g", "a", a.epoch, "t", a.has[0].partition, 5) == 0, "a member commits");
	check(kit_commit(&kit, "g", "a", a.epoch + 1, "t", a.has[0].partition, 5) == KAFKA_STALE_MEMBER_EPOCH,
		  "... not with an epoch to come");
	check(kit_commit(&kit, "g", "b", b.epoch - 1, "t", b.has[0].partition, 5) == KAFKA_STALE_MEMBER_EPOCH,
		  "... nor with an old one what it got later");
	check(kit_commit(&kit, "g", "a", a.epoch - 1, "t", a.has[0].partition, 5) == 0,
		  "... but what it had then and still has");
	check(kit_commit(&kit, "g", "x", 1, "t", 0, 5) == KAFKA_UNKNOWN_MEMBER_ID, "nobody commits nothing");
	check(kit_commit(&kit, "g", "", -1, "t", 0, 5) == KAFKA_UNKNOWN_MEMBER_ID, "not even an admin");

	kit_wait(&kit, 44000);
	kit_beat(&kit, &a);
	kit_wait(&kit, 2000);
	check(kit_beat(&kit, &b) == KAFKA_UNKNOWN_MEMBER_ID, "a session ends after 45 seconds");
	kit_end(&kit);
}

static void
test_requests(void)
{
	KitMember	a = new_member("g", "", "t");
	ConsumerGroupHeartbeatResponse *r;

	kit_begin(&kit);
	check(kit_beat_raw(&kit, &a, 0, &r) == KAFKA_INVALID_REQUEST && r->error_message.len > 0, "no member id");
	strcpy(a.id, "a");
	a.assignor = "sticky";
	check(kit_beat_raw(&kit, &a, 0, NULL) == KAFKA_UNSUPPORTED_ASSIGNOR, "an unknown assignor");
	a.assignor = NULL;
	check(kit_beat_raw(&kit, &a, -3, NULL) == KAFKA_INVALID_REQUEST, "an impossible epoch");
	a.topics = NULL;
	check(kit_beat_raw(&kit, &a, 0, NULL) == KAFKA_INVALID_REQUEST, "no subscription");
	a.regex = "(";
	check(kit_beat_raw(&kit, &a, 0, NULL) == KAFKA_INVALID_REGULAR_EXPRESSION, "no pattern");
	check(kit.n_records == 0, "none of these leaves a record");
	kit.settings.consumer_max_size = 1;
	group_settings_change(kit.co, &kit.settings);
	a = new_member("g", "a", "t");
	kit_beat(&kit, &a);
	a = new_member("g", "b", "t");
	check(kit_beat(&kit, &a) == KAFKA_GROUP_MAX_SIZE_REACHED, "a full group");
	kit_end(&kit);
}

static void
test_assignors(void)
{
	KitMember	a = new_member("g", "a", "t,u");
	KitMember	b = new_member("g", "b", "t,u");
	KitMember	c = new_member("g", "c", "t");
	KitMember  *all[] = {&a, &b, &c};

	kit_begin(&kit);
	a.assignor = b.assignor = c.assignor = "range";
	kit_beat(&kit, &a);
	kit_beat(&kit, &b);
	settle(2, all);
	check(kit_has(&a, 1, 0) && kit_has(&a, 1, 2) && !kit_has(&a, 1, 3) && kit_has(&a, 2, 0) &&
			  kit_has(&b, 2, 1) && kit_has(&b, 1, 5),
		  "range: neighbours, and the same ones of both topics");
	kit_beat(&kit, &c);
	settle(3, all);
	check(kit_has(&c, 1, 4) && kit_has(&c, 1, 5) && c.n == 2 && a.n == 3 && b.n == 3,
		  "range, different subscriptions");
	kit_end(&kit);

	kit_begin(&kit);
	a = new_member("g", "a", "t,u");
	b = new_member("g", "b", "t,u,v");
	c = new_member("g", "c", "v");
	kit_beat(&kit, &a);
	kit_beat(&kit, &b);
	kit_beat(&kit, &c);
	settle(3, all);
	check(a.n == 4 && b.n == 4 && c.n == 1 && kit_has(&c, 3, 0), "uniform, different subscriptions");
	kit_end(&kit);
}

static void
test_topics(void)
{
	KitMember	a = new_member("g", "a", "t,new");
	KitMember  *one[] = {&a};
	WireUuid	id = kit_topic_id(9);
	WireUuid	t = kit_topic_id(1);
	int			epoch;

	kit_begin(&kit);
	kit_beat(&kit, &a);
	epoch = a.epoch;
	group_topic_set(kit.co, &id, wire_string("new"), 2, kit.now);
	settle(1, one);
	check(a.n == 8 && a.epoch == epoch + 1, "a new topic that is subscribed");
	group_topic_set(kit.co, &id, wire_string("new"), 3, kit.now);
	settle(1, one);
	check(a.n == 9 && a.epoch == epoch + 2, "it grows");
	group_topic_set(kit.co, &t, wire_string("t"), 6, kit.now);
	settle(1, one);
	check(a.epoch == epoch + 2, "nothing happened");
	group_topic_drop(kit.co, &id, kit.now);
	settle(1, one);
	check(a.n == 6 && a.epoch == epoch + 3, "it goes");
	a.topics = "u";
	settle(1, one);
	check(a.n == 2 && kit_has(&a, 2, 0) && kit_has(&a, 2, 1), "another subscription");

	a = new_member("r", "a", NULL);
	a.regex = "t*";
	check(kit_beat(&kit, &a) == 0 && a.n == 6, "a pattern");
	id = kit_topic_id(8);
	group_topic_set(kit.co, &id, wire_string("two"), 1, kit.now);
	settle(1, one);
	check(a.n == 7, "another topic matches");
	a.regex = "v";
	settle(1, one);
	check(a.n == 1 && kit_has(&a, 3, 0), "another pattern");
	a.regex = "";
	a.topics = "u";
	settle(1, one);
	check(a.n == 2, "no pattern any more");
	kit_end(&kit);
}

static void
test_static(void)
{
	KitMember	a = new_member("g", "a", "t");
	KitMember	b = new_member("g", "b", "t");
	KitMember	a2 = new_member("g", "a2", "t");
	KitMember  *both[] = {&a, &b};
	KitMember	before;

	kit_begin(&kit);
	a.instance = a2.instance = "i";
	kit_beat(&kit, &a);
	kit_beat(&kit, &b);
	settle(2, both);
	check(kit_beat(&kit, &a2) == KAFKA_UNRELEASED_INSTANCE_ID, "an instance id that is in use");
	before = a;
	check(kit_beat_raw(&kit, &a, -2, NULL) == 0, "a static member goes for a while");
	kit_wait(&kit, 1001);
	kit_beat(&kit, &b);
	check(b.n == 3, "... and nobody gets its partitions");
	check(kit_beat(&kit, &a2) == 0 && a2.n == 3 && a2.has[0].partition == before.has[0].partition,
		  "its successor does");
	check(kit_beat_raw(&kit, &a, before.epoch, NULL) == KAFKA_FENCED_INSTANCE_ID, "the old one is fenced");
	check(kit_commit(&kit, "g", "a", before.epoch, "t", before.has[0].partition, 1) ==
			  KAFKA_UNKNOWN_MEMBER_ID,
		  "... and can't commit");
	kit_end(&kit);
}

static void
test_slow_members(void)
{
	KitMember	a = new_member("g", "a", "t");
	KitMember	b = new_member("g", "b", "t");
	KitMember	stuck;

	kit_begin(&kit);
	kit_beat(&kit, &a);
	kit_wait(&kit, 1001);
	kit_beat(&kit, &b);
	stuck = a;
	check(kit_beat(&kit, &a) == 0 && a.n == 3, "a member is to give up partitions");
	for (int i = 0; i < 6; i++)
	{
		kit_wait(&kit, 5001);
		kit_beat(&kit, &b);
		kit_beat_raw(&kit, &stuck, stuck.epoch, NULL);
	}
	check(kit_beat_raw(&kit, &stuck, stuck.epoch, NULL) == KAFKA_UNKNOWN_MEMBER_ID,
		  "one that doesn't within its rebalance timeout is dropped");
	kit_wait(&kit, 1001);
	kit_beat(&kit, &b);
	kit_beat(&kit, &b);
	check(b.n == 6, "... and others get all");
	kit_end(&kit);
}

static void
test_restart(void)
{
	KitMember	a = new_member("g", "a", "t");
	KitMember	b = new_member("g", "b", "t");
	KitMember  *both[] = {&a, &b};
	int			records;
	int			epoch;

	kit_begin(&kit);
	kit_beat(&kit, &a);
	kit_beat(&kit, &b);
	settle(2, both);
	epoch = a.epoch;
	kit_wait(&kit, 40000);
	kit_restart(&kit);
	records = kit.n_records;
	kit_wait(&kit, 40000);
	check(kit_beat(&kit, &a) == 0 && kit_beat(&kit, &b) == 0 && a.epoch == epoch && a.n == 3 &&
		  kit.n_records == records, "a restart is no rebalance, and sessions begin anew");

	/* In the middle of one. */
	kit_end(&kit);
	kit_begin(&kit);
	a = new_member("g", "a", "t");
	b = new_member("g", "b", "t");
	kit_beat(&kit, &a);
	kit_wait(&kit, 1001);
	kit_beat(&kit, &b);
	kit_beat(&kit, &a);
	kit_restart(&kit);
	check(kit_beat(&kit, &b) == 0 && b.n == 0, "a restart in the middle of a rebalance");
	kit_beat(&kit, &a);
	check(kit_beat(&kit, &b) == 0 && b.n == 3 && a.n == 3, "... it goes on");
	kit_end(&kit);
}

/* ---------- both protocols ---------- */

static char id[2][80];

static void
classic_pair(const char *group)
{
	WireBytes	metadata = kit_subscription(&kit, "t");
	uint64_t	a = kit_join(&kit, group, "", NULL, 3, "range", metadata);
	uint64_t	b = kit_join(&kit, group, "", NULL, 3, "range", metadata);
	int			first[] = {0, 1, 2};
	int			second[] = {3, 4, 5};
	SyncGroupRequestSyncGroupRequestAssignment assignments[2];

	memset(id, 0, sizeof(id));
	kit_wait(&kit, 7000);
	memcpy(id[0], ((JoinGroupResponse *) kit_answer(&kit, a))->member_id.data, 43);
	memcpy(id[1], ((JoinGroupResponse *) kit_answer(&kit, b))->member_id.data, 43);
	assignments[0].member_id = wire_string(id[0]);
	assignments[0].assignment = kit_assignment(&kit, "t", 3, first);
	assignments[1].member_id = wire_string(id[1]);
	assignments[1].assignment = kit_assignment(&kit, "t", 3, second);
	kit_sync(&kit, group, id[0], 1, 2, assignments);
	kit_sync(&kit, group, id[1], 1, 0, NULL);
}

/* A classic member in a group of consumers joins and syncs; returns how many partitions it has. */
static int
rejoin(const char *group, int who, int *generation)
{
	uint64_t	t = kit_join(&kit, group, id[who], NULL, 3, "range", kit_subscription(&kit, "t"));
	JoinGroupResponse *j = kit_answer(&kit, t);
	SyncGroupResponse *r;
	WireReader	reader;

	if (j == NULL || j->error_code)
		return -1;
	*generation = j->generation_id;
	r = kit_answer(&kit, kit_sync(&kit, group, id[who], j->generation_id, 0, NULL));
	if (r == NULL || r->error_code)
		return -2;
	wire_reader_init(&reader, r->assignment.data, r->assignment.len);
	wire_read_int16(&reader);
	if (wire_read_array_len(&reader, false, 1) == 0)
		return 0;
	wire_read_string(&reader, false);
	return wire_read_array_len(&reader, false, 4);
}

static void
test_migration(void)
{
	KitMember	c = new_member("g", "c", "t");
	int			generation[2] = {1, 1};
	int			has[2] = {3, 3};
	ListGroupsRequest l = {0};
	ListGroupsResponse *list;

	kit_begin(&kit);
	classic_pair("g");
	kit_commit(&kit, "g", id[0], 1, "t", 0, 77);
	check(kit_beat(&kit, &c) == 0 && c.epoch == 2 && c.n == 0, "a consumer joins a classic group");
	list = kit_answer(&kit, kit_send(&kit, 16, 5, &l));
	check(list->n_groups == 1 && wire_string_is(list->groups[0].group_type, "Consumer"),
		  "the group is converted");
	check(kit_fetch(&kit, "g", "t", 0) == 77, "... with its offsets");
	check(kit_heartbeat(&kit, "g", id[0], 1) == KAFKA_REBALANCE_IN_PROGRESS,
		  "classic members are to join again");
	for (int round = 0; round < 8; round++)
	{
		kit_wait(&kit, 1001);
		for (int i = 0; i < 2; i++)
			if (kit_heartbeat(&kit, "g", id[i], generation[i]) == KAFKA_REBALANCE_IN_PROGRESS)
				has[i] = rejoin("g", i, &generation[i]);
		kit_beat(&kit, &c);
	}
	check(has[0] == 2 && has[1] == 2 && c.n == 2 && generation[0] == c.epoch,
		  "all three share the partitions");
	check(kit_commit(&kit, "g", id[0], generation[0], "t", 0, 78) == 0, "classic members commit");
	check(describe("g")->n_members == 3 && wire_string_is(describe("g")->group_state, "Stable"),
		  "and all is stable");
	kit_restart(&kit);
	check(kit_heartbeat(&kit, "g", id[0], generation[0]) == 0 && kit_beat(&kit, &c) == 0,
		  "a restart changes nothing");

	check(kit_beat_raw(&kit, &c, -1, NULL) == 0, "the consumer leaves");
	check(strcmp(kit_state(&kit, "g"), "PreparingRebalance") == 0,
		  "the group is classic again, and rebalances");
	check(kit_heartbeat(&kit, "g", id[0], generation[0] + 0) == KAFKA_REBALANCE_IN_PROGRESS,
		  "members stay members");
	kit_end(&kit);

	/* Classic members join a group of consumers. */
	kit_begin(&kit);
	c = new_member("g", "c", "t");
	kit_beat(&kit, &c);
	{
		JoinGroupResponse *j = kit_answer(&kit, kit_join(&kit, "g", "", NULL, 9, "range",
														 kit_subscription(&kit, "t")));

		check(j->error_code == KAFKA_MEMBER_ID_REQUIRED, "a classic member joins a group of consumers");
		memset(id, 0, sizeof(id));
		memcpy(id[0], j->member_id.data, j->member_id.len);
	}
	kit_wait(&kit, 1001);
	has[0] = rejoin("g", 0, &generation[0]);
	for (int round = 0; round < 8; round++)
	{
		kit_wait(&kit, 1001);
		kit_beat(&kit, &c);
		if (kit_heartbeat(&kit, "g", id[0], generation[0]) == KAFKA_REBALANCE_IN_PROGRESS)
			has[0] = rejoin("g", 0, &generation[0]);
	}
	check(has[0] == 3 && c.n == 3, "and gets its share");
	check(kit_leave(&kit, "g", id[0]) == 0, "it leaves");
	for (int round = 0; round < 4; round++)
	{
		kit_wait(&kit, 1001);
		kit_beat(&kit, &c);
	}
	check(c.n == 6, "and the consumer has all again");
	kit_beat_raw(&kit, &c, -1, NULL);
	{
		uint64_t	t = kit_join(&kit, "g", "", NULL, 3, "range", kit_subscription(&kit, "t"));

		kit_wait(&kit, 4000);
		check(((JoinGroupResponse *) kit_answer(&kit, t))->error_code == 0 &&
				  strcmp(kit_state(&kit, "g"), "CompletingRebalance") == 0,
			  "an empty group changes as it is needed");
	}
	kit_end(&kit);
}

static void
test_fences(void)
{
	KitMember	a = new_member("g", "a", "t");
	KitMember	b = new_member("g", "b", "t");
	WireString	g = wire_string("g");
	WireString	t = wire_string("t");
	uint64_t	before[6];
	int			moved = 0;
	int			raised = 0;

	kit_begin(&kit);
	kit_beat(&kit, &a);
	for (int p = 0; p < 6; p++)
		before[p] = group_fence(kit.co, g, t, p);
	kit_wait(&kit, 1001);
	kit_beat(&kit, &b);
	kit_beat(&kit, &a);
	for (int p = 0; p < 6; p++)
		raised += group_fence(kit.co, g, t, p) != before[p];
	check(raised == 0, "while a member still has its partitions no fence is raised");
	kit_beat(&kit, &a);
	raised = 0;
	for (int p = 0; p < 6; p++)
	{
		bool		r = group_fence(kit.co, g, t, p) != before[p];

		raised += r;
		moved += r && !kit_has(&a, 1, p);
	}
	check(raised == 3 && moved == 3, "those that it gave up are fenced");
	for (int p = 0; p < 6; p++)
		before[p] = group_fence(kit.co, g, t, p);
	kit_beat(&kit, &b);
	kit_beat_raw(&kit, &a, -1, NULL);
	raised = 0;
	for (int p = 0; p < 6; p++)
		raised += group_fence(kit.co, g, t, p) != before[p];
	check(raised == 3, "and those of a member that leaves");
	kit_end(&kit);
}

int
main(void)
{
	test_join_and_leave();
	test_epochs();
	test_requests();
	test_assignors();
	test_topics();
	test_static();
	test_slow_members();
	test_restart();
	test_migration();
	test_fences();
	return done();
}
