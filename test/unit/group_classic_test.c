/*
 * group_classic_test.c: groups of the classic protocol.
 *
 * First every state meets every event; then stories that Kafka's protocol
 * tells with their exact answers.
 */
#include "check.h"
#include "group/internal.h"
#include "group_kit.h"

typedef SyncGroupRequestSyncGroupRequestAssignment Assignment;

static Kit	kit;
static char member[8][80];

#define STABLE_GENERATION	1

static const char *
text(WireString s, char *buffer)
{
	memcpy(buffer, s.data, s.len);
	buffer[s.len] = '\0';
	return buffer;
}

/* ---------- groups in a state ---------- */

static WireBytes
subscribe(void)
{
	return kit_subscription(&kit, "t");
}

static JoinGroupResponse *
joined(uint64_t token)
{
	return kit_answer(&kit, token);
}

/* Members 0 and 1, 0 is the leader; protocol range. */
static void
make_completing(const char *group)
{
	uint64_t	a = kit_join(&kit, group, "", NULL, 3, "range", subscribe());
	uint64_t	b = kit_join(&kit, group, "", NULL, 3, "range", subscribe());

	kit_wait(&kit, 7000);
	text(joined(a)->member_id, member[0]);
	text(joined(b)->member_id, member[1]);
}

static void
sync_all(const char *group, int generation)
{
	int			first[] = {0, 1, 2};
	int			second[] = {3, 4, 5};
	Assignment	assignments[2] = {
		{wire_string(member[0]), kit_assignment(&kit, "t", 3, first)},
		{wire_string(member[1]), kit_assignment(&kit, "t", 3, second)},
	};

	kit_sync(&kit, group, member[0], generation, 2, assignments);
	kit_sync(&kit, group, member[1], generation, 0, NULL);
}

static void
make_stable(const char *group)
{
	make_completing(group);
	sync_all(group, STABLE_GENERATION);
}

/* A third member, number 2, is joining; the others don't know yet. */
static uint64_t
make_preparing(const char *group)
{
	make_stable(group);
	return kit_join(&kit, group, "", NULL, 3, "range", subscribe());
}

static void
make_state(const char *group, ClassicState state)
{
	switch (state)
	{
		case CLASSIC_EMPTY:
			kit_commit(&kit, group, "", -1, "t", 0, 7);
			strcpy(member[0], "nobody");
			strcpy(member[1], "nobody");
			break;
		case CLASSIC_PREPARING:
			make_preparing(group);
			break;
		case CLASSIC_COMPLETING:
			make_completing(group);
			break;
		case CLASSIC_STABLE:
			make_stable(group);
			break;
	}
}

/* ---------- every state, every event ---------- */

#define WAITS	1000			/* no answer yet */
#define NOTHING	1001			/* nobody asked */

typedef struct Expectation
{
	int			answer;
	const char *state;
} Expectation;

#define E	"Empty"
#define P	"PreparingRebalance"
#define C	"CompletingRebalance"
#define S	"Stable"

/* Kafka's behaviour, written down apart from the table that the coordinator uses. */
static const Expectation expected[CLASSIC_N_STATES][CLASSIC_N_EVENTS] = {
	[CLASSIC_EMPTY] = {{WAITS, P},
					   {25, E},
					   {25, E},
					   {25, E},
					   {WAITS, P},
					   {25, E},
					   {25, E},
					   {25, E},
					   {25, E},
					   {0, E},
					   {25, E},
					   {NOTHING, E},
					   {NOTHING, E},
					   {0, "Dead"},
					   {0, E}},
	[CLASSIC_PREPARING] = {{WAITS, P},
						   {WAITS, P},
						   {WAITS, P},
						   {WAITS, P},
						   {WAITS, P},
						   {27, P},
						   {27, P},
						   {27, P},
						   {0, P},
						   {25, P},
						   {0, P},
						   {NOTHING, C},
						   {NOTHING, C},
						   {68, P},
						   {86, P}},
	[CLASSIC_COMPLETING] = {{WAITS, P},
							{0, C},
							{0, C},
							{WAITS, P},
							{WAITS, P},
							{WAITS, C},
							{0, S},
							{0, C},
							{27, C},
							{25, C},
							{0, P},
							{NOTHING, E},
							{NOTHING, E},
							{68, C},
							{86, C}},
	[CLASSIC_STABLE] = {{WAITS, P},
						{0, S},
						{WAITS, P},
						{WAITS, P},
						{WAITS, P},
						{0, S},
						{0, S},
						{0, S},
						{0, S},
						{25, S},
						{0, P},
						{NOTHING, S},
						{NOTHING, S},
						{68, S},
						{86, S}},
};

static int
answer_of_join(uint64_t token)
{
	JoinGroupResponse *r = joined(token);

	return r ? r->error_code : WAITS;
}

static int
answer_of_sync(uint64_t token)
{
	SyncGroupResponse *r = kit_answer(&kit, token);

	return r ? r->error_code : WAITS;
}

static int
delete_offsets(const char *group, const char *topic)
{
	OffsetDeleteRequestOffsetDeleteRequestPartition p = {0};
	OffsetDeleteRequestOffsetDeleteRequestTopic t = {wire_string(topic), 1, &p};
	OffsetDeleteRequest m = {wire_string(group), 1, &t};
	OffsetDeleteResponse *r = kit_answer(&kit, kit_send(&kit, 47, 0, &m));

	return r->error_code ? r->error_code : r->topics[0].partitions[0].error_code;
}

static int
apply(const char *group, ClassicEvent event, int generation)
{
	WireBytes	other = kit_subscription(&kit, "u");

	switch (event)
	{
		case CLASSIC_JOIN_NEW:
			return answer_of_join(kit_join(&kit, group, "", NULL, 3, "range", subscribe()));
		case CLASSIC_JOIN_AGAIN:
			return answer_of_join(kit_join(&kit, group, member[1], NULL, 3, "range", subscribe()));
		case CLASSIC_JOIN_LEADER:
			return answer_of_join(kit_join(&kit, group, member[0], NULL, 3, "range", subscribe()));
		case CLASSIC_JOIN_CHANGED:
			return answer_of_join(kit_join(&kit, group, member[1], NULL, 3, "range", other));
		case CLASSIC_JOIN_STATIC:
			return answer_of_join(kit_join(&kit, group, "", "instance", 5, "range", subscribe()));
		case CLASSIC_SYNC:
			return answer_of_sync(kit_sync(&kit, group, member[1], generation, 0, NULL));
		case CLASSIC_SYNC_LEADER:
			return answer_of_sync(kit_sync(&kit, group, member[0], generation, 0, NULL));
		case CLASSIC_HEARTBEAT:
			return kit_heartbeat(&kit, group, member[1], generation);
		case CLASSIC_COMMIT:
			return kit_commit(&kit, group, member[1], generation, "t", 1, 3);
		case CLASSIC_COMMIT_SIMPLE:
			return kit_commit(&kit, group, "", -1, "t", 1, 3);
		case CLASSIC_MEMBER_GONE:
			return kit_leave(&kit, group, member[1]);
		case CLASSIC_JOIN_TIMEOUT:
		case CLASSIC_SYNC_TIMEOUT:
			/* The rebalance timeout; heartbeats keep the members. */
			for (int i = 0; i < 12; i++)
			{
				kit_wait(&kit, 5000);
				kit_heartbeat(&kit, group, member[0], generation);
				kit_heartbeat(&kit, group, member[1], generation);
			}
			kit_wait(&kit, 10);
			return NOTHING;
		case CLASSIC_DELETE:
			return kit_delete(&kit, group);
		case CLASSIC_DELETE_OFFSETS:
			return delete_offsets(group, "t");
	}
	return -1;
}

static void
test_table(void)
{
	for (int state = 0; state < CLASSIC_N_STATES; state++)
		for (int event = 0; event < CLASSIC_N_EVENTS; event++)
		{
			const Expectation *e = &expected[state][event];
			char		group[40];
			const char *before;
			int			answer;
			const char *after;

			kit_begin(&kit);
			sprintf(group, "g%d-%d", state, event);
			make_state(group, state);
			before = kit_state(&kit, group);
			answer = apply(group, event, STABLE_GENERATION);
			after = kit_state(&kit, group);
			check(strcmp(before, classic_state_names[state]) == 0 && answer == e->answer &&
				  strcmp(after, e->state) == 0, "%s, %s: answer %d, then %s", classic_state_names[state],
				  classic_event_names[event], answer, after);
			kit_end(&kit);
		}
}

/* ---------- stories ---------- */

static void
test_joining(void)
{
	uint64_t	a;
	uint64_t	b;
	JoinGroupResponse *r;
	int64_t		start;

	kit_begin(&kit);
	r = joined(kit_join(&kit, "g", "", NULL, 9, "range", subscribe()));
	check(r->error_code == KAFKA_MEMBER_ID_REQUIRED && r->member_id.len == 6 + 1 + 36 &&
		  memcmp(r->member_id.data, "client-", 7) == 0, "the first answer is a member id");
	text(r->member_id, member[0]);
	check(kit.n_records == 1, "the new group is recorded");

	start = kit.now;
	a = kit_join(&kit, "g", member[0], NULL, 9, "range,roundrobin", subscribe());
	kit_wait(&kit, 2999);
	check(joined(a) == NULL, "the first rebalance waits for others");
	b = kit_join(&kit, "g", "", NULL, 3, "roundrobin,range", subscribe());
	kit_wait(&kit, 2);
	check(joined(a) == NULL && joined(b) == NULL, "... and again, since one came");
	kit_wait(&kit, 3000);
	check(joined(a) && joined(b) && kit.now - start < 6100, "... but not for longer than needed");

	r = joined(a);
	check(r->error_code == 0 && r->generation_id == 1 && wire_string_is(r->protocol_type, "consumer") &&
		  wire_string_equal(r->leader, r->member_id) && r->n_members == 2,
		  "the first member leads and gets all members");
	check(wire_string_is(r->protocol_name, "range"), "of equal votes the first member's protocol wins");
	check(joined(b)->n_members == 0 && joined(b)->generation_id == 1, "others get no members");
	check(kit_find(&kit, a)->after == (uint64_t) kit.n_records,
		  "the generation is recorded before it is told");
	kit_end(&kit);
}

static void
test_refusals(void)
{
	JoinGroupRequest m;
	JoinGroupResponse *r;
	JoinGroupRequestJoinGroupRequestProtocol p = {wire_string("x"), {"", 0}};

	kit_begin(&kit);
	check(joined(kit_join(&kit, "", "", NULL, 9, "range", subscribe()))->error_code == KAFKA_INVALID_GROUP_ID,
		  "a group needs a name");
	check(joined(kit_join(&kit, "g", "who", NULL, 9, "range", subscribe()))->error_code ==
			  KAFKA_UNKNOWN_MEMBER_ID,
		  "unknown member of an unknown group");
	check(joined(kit_join(&kit, "g", "", NULL, 9, "", subscribe()))->error_code ==
		  KAFKA_INCONSISTENT_GROUP_PROTOCOL, "no protocols");

	WIRE_INIT(JoinGroupRequest, &m);
	m.group_id = wire_string("g");
	m.protocol_type = wire_string("consumer");
	m.group_instance_id = WIRE_NULL_STRING;
	m.n_protocols = 1;
	m.protocols = &p;
	m.session_timeout_ms = 5999;
	r = kit_answer(&kit, kit_send(&kit, 11, 3, &m));
	check(r->error_code == KAFKA_INVALID_SESSION_TIMEOUT, "session too short");
	m.session_timeout_ms = 1800001;
	r = kit_answer(&kit, kit_send(&kit, 11, 3, &m));
	check(r->error_code == KAFKA_INVALID_SESSION_TIMEOUT, "session too long");

	make_stable("s");
	check(joined(kit_join(&kit, "s", "", NULL, 3, "sticky", subscribe()))->error_code ==
		  KAFKA_INCONSISTENT_GROUP_PROTOCOL, "no protocol in common");
	m.session_timeout_ms = 10000;
	m.group_id = wire_string("s");
	m.protocol_type = wire_string("connect");
	r = kit_answer(&kit, kit_send(&kit, 11, 3, &m));
	check(r->error_code == KAFKA_INCONSISTENT_GROUP_PROTOCOL, "another protocol type");
	check(kit_heartbeat(&kit, "s", member[0], 2) == KAFKA_ILLEGAL_GENERATION,
		  "heartbeat of a wrong generation");
	check(kit_heartbeat(&kit, "s", "who", 1) == KAFKA_UNKNOWN_MEMBER_ID, "heartbeat of nobody");
	check(kit_heartbeat(&kit, "none", "who", 1) == KAFKA_UNKNOWN_MEMBER_ID, "heartbeat in no group");
	kit_end(&kit);
}

static void
test_sync_protocol(void)
{
	SyncGroupRequest m;
	SyncGroupResponse *r;
	uint64_t	follower;
	int			all[] = {0, 1, 2, 3, 4, 5};
	Assignment	one;

	kit_begin(&kit);
	make_completing("g");
	WIRE_INIT(SyncGroupRequest, &m);
	m.group_id = wire_string("g");
	m.generation_id = 1;
	m.member_id = wire_string(member[0]);
	m.group_instance_id = WIRE_NULL_STRING;
	m.protocol_type = wire_string("consumer");
	m.protocol_name = wire_string("sticky");
	r = kit_answer(&kit, kit_send(&kit, 14, 5, &m));
	check(r->error_code == KAFKA_INCONSISTENT_GROUP_PROTOCOL, "sync names another protocol");

	follower = kit_sync(&kit, "g", member[1], 1, 0, NULL);
	check(kit_answer(&kit, follower) == NULL, "a follower waits for the leader");
	one = (Assignment) {wire_string(member[0]), kit_assignment(&kit, "t", 6, all)};
	r = kit_answer(&kit, kit_sync(&kit, "g", member[0], 1, 1, &one));
	check(r->error_code == 0 && r->assignment.len == one.assignment.len, "the leader gets its assignment");
	r = kit_answer(&kit, follower);
	check(r && r->error_code == 0 && r->assignment.len == 0, "who is missing in it gets an empty one");
	r = kit_answer(&kit, kit_sync(&kit, "g", member[0], 1, 0, NULL));
	check(r->assignment.len == one.assignment.len && wire_string_is(r->protocol_name, "range"),
		  "who asks again is told the same");
	check(kit_find(&kit, kit.token)->after == (uint64_t) kit.n_records, "... once it is recorded");
	kit_end(&kit);
}

static void
test_rebalance(void)
{
	uint64_t	c;
	uint64_t	a;
	uint64_t	b;

	kit_begin(&kit);
	c = make_preparing("g");
	check(kit_heartbeat(&kit, "g", member[0], 1) == KAFKA_REBALANCE_IN_PROGRESS,
		  "members hear of the rebalance");
	check(kit_commit(&kit, "g", member[0], 1, "t", 0, 5) == 0, "... and can still commit");
	a = kit_join(&kit, "g", member[0], NULL, 3, "range", subscribe());
	check(joined(a) == NULL, "it waits for all");
	b = kit_join(&kit, "g", member[1], NULL, 3, "range", subscribe());
	check(joined(a) && joined(b) && joined(c) && joined(c)->generation_id == 2,
		  "when all have joined it goes on");
	check(kit_commit(&kit, "g", member[0], 2, "t", 0, 5) == KAFKA_REBALANCE_IN_PROGRESS,
		  "now nobody can commit");
	check(kit_commit(&kit, "g", member[0], 1, "t", 0, 5) == KAFKA_ILLEGAL_GENERATION,
		  "least of all a zombie");
	kit_end(&kit);

	/* Dynamic members that don't come back are dropped. */
	kit_begin(&kit);
	c = make_preparing("g");
	a = kit_join(&kit, "g", member[1], NULL, 3, "range", subscribe());
	kit_wait(&kit, 10001);
	check(joined(c) && joined(a) && joined(a)->generation_id == 2 &&
		  wire_string_equal(joined(a)->leader, joined(a)->member_id),
		  "a leader whose session ends is dropped, and another one elected");
	kit_end(&kit);
}

static void
test_who_does_not_sync(void)
{
	kit_begin(&kit);
	make_completing("g");
	for (int i = 0; i < 13; i++)
	{
		kit_wait(&kit, 5000);
		kit_heartbeat(&kit, "g", member[0], 1);
		kit_heartbeat(&kit, "g", member[1], 1);
	}
	check(strcmp(kit_state(&kit, "g"), "Empty") == 0, "members that never sync are dropped");

	kit_end(&kit);
	kit_begin(&kit);
	make_completing("g");
	kit_sync(&kit, "g", member[1], 1, 0, NULL);
	kit_wait(&kit, 10001);
	check(strcmp(kit_state(&kit, "g"), "PreparingRebalance") == 0, "a leader that dies is not waited for");
	check(((SyncGroupResponse *) kit_answer(&kit, kit.token - 1))->error_code == KAFKA_REBALANCE_IN_PROGRESS,
		  "... and who waits for it is told so");
	kit_end(&kit);
}

static void
test_leave(void)
{
	LeaveGroupRequest m;
	LeaveGroupRequestMemberIdentity who[2] = {{wire_string("nobody"), WIRE_NULL_STRING, WIRE_NULL_STRING}};
	LeaveGroupResponse *r;
	uint64_t	a;

	kit_begin(&kit);
	make_stable("g");
	a = kit_join(&kit, "g", member[0], NULL, 3, "range", subscribe());
	check(joined(a) == NULL, "the leader joins again: a rebalance");
	check(kit_leave(&kit, "g", member[1]) == 0 && joined(a) && joined(a)->generation_id == 2,
		  "the last one that is waited for leaves: it ends");
	check(kit_leave(&kit, "g", member[1]) == KAFKA_UNKNOWN_MEMBER_ID, "nobody leaves twice");

	WIRE_INIT(LeaveGroupRequest, &m);
	m.group_id = wire_string("g");
	m.n_members = 2;
	m.members = who;
	who[1] = (LeaveGroupRequestMemberIdentity) {wire_string(member[0]), WIRE_NULL_STRING, WIRE_NULL_STRING};
	r = kit_answer(&kit, kit_send(&kit, 13, 5, &m));
	check(r->error_code == 0 && r->members[0].error_code == KAFKA_UNKNOWN_MEMBER_ID &&
			  r->members[1].error_code == 0,
		  "of several members each gets an answer");
	check(strcmp(kit_state(&kit, "g"), "Empty") == 0, "then the group is empty");
	kit_end(&kit);
}

static void
test_pending(void)
{
	uint64_t	a;
	uint64_t	b;
	char		pending[80];

	kit_begin(&kit);
	make_stable("g");
	text(joined(kit_join(&kit, "g", "", NULL, 9, "range", subscribe()))->member_id, pending);
	a = kit_join(&kit, "g", member[0], NULL, 3, "range", subscribe());
	b = kit_join(&kit, "g", member[1], NULL, 3, "range", subscribe());
	check(joined(a) == NULL && joined(b) == NULL, "who has got a member id is waited for");
	kit_wait(&kit, 10001);
	check(joined(a) && joined(b) && joined(a)->generation_id == 2, "... but not for ever");

	check(joined(kit_join(&kit, "g", pending, NULL, 9, "range", subscribe()))->error_code ==
		  KAFKA_UNKNOWN_MEMBER_ID, "the id is worthless then");
	kit_end(&kit);
}

static void
test_static(void)
{
	uint64_t	a;
	JoinGroupResponse *r;
	char		old[80];
	Assignment	one;
	int			all[] = {0, 1};
	HeartbeatRequest h;

	kit_begin(&kit);
	a = kit_join(&kit, "g", "", "i1", 9, "range", subscribe());
	check(joined(a) == NULL, "static members get no member id first");
	kit_wait(&kit, 4000);
	text(joined(a)->member_id, old);
	check(memcmp(old, "i1-", 3) == 0, "their ids begin with the instance's");
	one = (Assignment) {wire_string(old), kit_assignment(&kit, "t", 2, all)};
	kit_sync(&kit, "g", old, 1, 1, &one);

	r = joined(kit_join(&kit, "g", "", "i1", 9, "range", subscribe()));
	check(r && r->error_code == 0 && r->generation_id == 1 && r->skip_assignment && r->n_members == 1,
		  "a successor goes on in the same generation, and needs not assign");
	check(kit_find(&kit, kit.token)->after == (uint64_t) kit.n_records, "... once it is recorded");
	text(r->member_id, member[0]);

	WIRE_INIT(HeartbeatRequest, &h);
	h.group_id = wire_string("g");
	h.generation_id = 1;
	h.member_id = wire_string(old);
	h.group_instance_id = wire_string("i1");
	check(((HeartbeatResponse *) kit_answer(&kit, kit_send(&kit, 12, 4, &h)))->error_code ==
		  KAFKA_FENCED_INSTANCE_ID, "its predecessor is fenced");
	check(joined(kit_join(&kit, "g", old, "i1", 9, "range", subscribe()))->error_code ==
		  KAFKA_FENCED_INSTANCE_ID, "... also when it joins");
	check(((SyncGroupResponse *) kit_answer(&kit, kit_sync(&kit, "g", member[0], 1, 0, NULL)))
				  ->assignment.len == one.assignment.len,
		  "the successor has its assignment");

	r = joined(kit_join(&kit, "g", "", "i1", 5, "range", subscribe()));
	check(r && wire_string_is(r->leader, member[0]) && !wire_string_is(r->member_id, member[0]),
		  "an old client doesn't learn that it is the leader now");
	r = joined(kit_join(&kit, "g", "", "i1", 9, "roundrobin,range", subscribe()));
	check(r && r->generation_id == 2, "one with another protocol starts a rebalance");
	kit_end(&kit);

	/* Static members are kept until their session ends. */
	kit_begin(&kit);
	a = kit_join(&kit, "g", "", "i1", 9, "range", subscribe());
	kit_join(&kit, "g", "", "i2", 9, "range", subscribe());
	kit_wait(&kit, 7000);
	text(joined(a)->member_id, member[0]);
	kit_sync(&kit, "g", member[0], 1, 0, NULL);
	a = kit_join(&kit, "g", member[0], "i1", 9, "range", kit_subscription(&kit, "u"));
	check(joined(a) == NULL && strcmp(kit_state(&kit, "g"), "PreparingRebalance") == 0,
		  "a static member is waited for");
	kit_wait(&kit, 11000);
	check(joined(a) && joined(a)->generation_id == 2 && joined(a)->n_members == 1,
		  "... until its session ends");
	kit_end(&kit);
}

static void
test_limits(void)
{
	uint64_t	a;

	kit_begin(&kit);
	kit.settings.max_size = 2;
	group_settings_change(kit.co, &kit.settings);
	make_stable("g");
	check(joined(kit_join(&kit, "g", "", NULL, 3, "range", subscribe()))->error_code ==
		  KAFKA_GROUP_MAX_SIZE_REACHED, "no third member where two are the limit");
	check(kit_heartbeat(&kit, "g", member[0], 1) == 0, "... which disturbs nobody");

	kit.settings.max_memory = 1;
	group_settings_change(kit.co, &kit.settings);
	check(joined(kit_join(&kit, "new", "", NULL, 3, "range", subscribe()))->error_code ==
		  KAFKA_GROUP_MAX_SIZE_REACHED, "no new group without memory");
	check(kit_commit(&kit, "new", "", -1, "t", 0, 1) == KAFKA_INVALID_COMMIT_OFFSET_SIZE, "no new offset");
	check(kit_heartbeat(&kit, "g", member[0], 1) == 0, "members go on");
	a = kit_join(&kit, "g", member[0], NULL, 3, "range", subscribe());
	kit_join(&kit, "g", member[1], NULL, 3, "range", subscribe());
	check(joined(a) && joined(a)->error_code == 0, "... and can rebalance");
	kit_end(&kit);
}

static void
test_restart(void)
{
	SyncGroupResponse *r;
	uint64_t	a;

	kit_begin(&kit);
	make_stable("g");
	kit_commit(&kit, "g", member[0], 1, "t", 0, 42);
	kit_wait(&kit, 9000);
	kit_restart(&kit);
	check(strcmp(kit_state(&kit, "g"), "Stable") == 0, "a restart is no rebalance");
	kit_wait(&kit, 9000);
	check(kit_heartbeat(&kit, "g", member[0], 1) == 0 && kit_heartbeat(&kit, "g", member[1], 1) == 0,
		  "sessions begin anew");
	r = kit_answer(&kit, kit_sync(&kit, "g", member[1], 1, 0, NULL));
	check(r->error_code == 0 && r->assignment.len > 0, "assignments are there");
	check(kit_fetch(&kit, "g", "t", 0) == 42, "offsets too");
	kit_wait(&kit, 10001);
	check(strcmp(kit_state(&kit, "g"), "Empty") == 0, "members that don't come back are gone");
	kit_end(&kit);

	/* The records tell of two generations, and of an offset between them. */
	kit_begin(&kit);
	make_stable("g");
	kit_commit(&kit, "g", member[0], 1, "t", 0, 42);
	kit_join(&kit, "g", member[0], NULL, 3, "range", subscribe());
	kit_join(&kit, "g", member[1], NULL, 3, "range", subscribe());
	sync_all("g", 2);
	kit_restart(&kit);
	check(group_check_member(kit.co, wire_string("g"), wire_string(member[0]), 2, wire_string("t"), 0) == 0,
		  "partitions are their members' of the last generation");
	kit_end(&kit);

	/* In the middle of a rebalance. */
	kit_begin(&kit);
	make_completing("g");
	kit_restart(&kit);
	check(strcmp(kit_state(&kit, "g"), "CompletingRebalance") == 0, "a restart while the leader computes");
	a = kit_sync(&kit, "g", member[1], 1, 0, NULL);
	sync_all("g", 1);
	check(strcmp(kit_state(&kit, "g"), "Stable") == 0 && kit_answer(&kit, a) &&
		  ((SyncGroupResponse *) kit_answer(&kit, a))->error_code == 0 &&
		  ((SyncGroupResponse *) kit_answer(&kit, kit.token - 1))->assignment.len > 0,
		  "... it goes on as if nothing had happened");
	kit_end(&kit);
}

static void
test_other_types(void)
{
	JoinGroupRequest m;
	JoinGroupRequestJoinGroupRequestProtocol p[3] = {{wire_string("sessioned"), {"a", 1}},
													 {wire_string("compatible"), {"b", 1}},
													 {wire_string("default"), {"c", 1}}};
	uint64_t	a;
	WireString	id = wire_string("connect-cluster");
	WireString	stable = wire_string(" stable");
	WireString	type = wire_string("Classic");
	DescribeGroupsRequest d = {.n_groups = 1, .groups = &id};
	DescribeGroupsResponse *r;
	ListGroupsRequest l = {0};
	ListGroupsResponse *list;

	kit_begin(&kit);
	WIRE_INIT(JoinGroupRequest, &m);
	m.group_id = id;
	m.protocol_type = wire_string("connect");
	m.group_instance_id = WIRE_NULL_STRING;
	m.session_timeout_ms = 10000;
	m.rebalance_timeout_ms = 60000;
	m.n_protocols = 3;
	m.protocols = p;
	a = kit_send(&kit, 11, 3, &m);
	kit_wait(&kit, 4000);
	check(joined(a) && wire_string_is(joined(a)->protocol_name, "sessioned"), "a group of type connect");
	text(joined(a)->member_id, member[0]);
	kit_sync(&kit, "connect-cluster", member[0], 1, 0, NULL);
	r = kit_answer(&kit, kit_send(&kit, 15, 5, &d));
	check(r->groups[0].error_code == 0 && wire_string_is(r->groups[0].protocol_type, "connect") &&
		  wire_string_is(r->groups[0].protocol_data, "sessioned") && r->groups[0].n_members == 1 &&
		  r->groups[0].members[0].member_metadata.len == 1 &&
		  wire_string_is(r->groups[0].members[0].client_id, "client"), "it is described");
	check(delete_offsets("connect-cluster", "t") == KAFKA_NON_EMPTY_GROUP, "its offsets can't be deleted");

	kit_commit(&kit, "simple", "", -1, "t", 0, 1);
	list = kit_answer(&kit, kit_send(&kit, 16, 5, &l));
	check(list->n_groups == 2, "all groups are listed");
	l.n_states_filter = 1;
	l.states_filter = &stable;
	l.n_types_filter = 1;
	l.types_filter = &type;
	list = kit_answer(&kit, kit_send(&kit, 16, 5, &l));
	check(list->n_groups == 1 && wire_string_is(list->groups[0].group_id, "connect-cluster") &&
		  wire_string_is(list->groups[0].group_type, "Classic"), "... or those in a state");

	id = wire_string("none");
	r = kit_answer(&kit, kit_send(&kit, 15, 5, &d));
	check(r->groups[0].error_code == 0 && wire_string_is(r->groups[0].group_state, "Dead"),
		  "unknown groups are dead");
	r = kit_answer(&kit, kit_send(&kit, 15, 6, &d));
	check(r->groups[0].error_code == KAFKA_GROUP_ID_NOT_FOUND && r->groups[0].error_message.len > 0,
		  "... or an error, to new clients");
	check(kit_delete(&kit, "none") == KAFKA_GROUP_ID_NOT_FOUND, "unknown groups can't be deleted");
	kit_end(&kit);
}

static void
test_fences(void)
{
	WireString	g = wire_string("g");
	WireString	t = wire_string("t");
	uint64_t	zero;
	uint64_t	three;
	int			second[] = {1, 2};
	int			first[] = {0, 3, 4, 5};
	Assignment	assignments[2];
	uint64_t	a;

	kit_begin(&kit);
	make_stable("g");			/* 0, 1, 2 are member 0's and 3, 4, 5 member 1's */
	zero = group_fence(kit.co, g, t, 0);
	three = group_fence(kit.co, g, t, 3);
	check(zero && three && zero != three && group_fence(kit.co, g, t, 0) == zero,
		  "fences stay while nothing happens");
	a = kit_join(&kit, "g", member[0], NULL, 3, "range", subscribe());
	kit_join(&kit, "g", member[1], NULL, 3, "range", subscribe());
	check(joined(a) != NULL && group_fence(kit.co, g, t, 3) == three, "joining moves no partition");
	assignments[0] = (Assignment) {wire_string(member[0]), kit_assignment(&kit, "t", 4, first)};
	assignments[1] = (Assignment) {wire_string(member[1]), kit_assignment(&kit, "t", 2, second)};
	kit_sync(&kit, "g", member[0], 2, 2, assignments);
	check(group_fence(kit.co, g, t, 0) == zero, "a partition that stays is not fenced");
	check(group_fence(kit.co, g, t, 3) != three, "one that moves is");

	three = group_fence(kit.co, g, t, 3);
	kit_leave(&kit, "g", member[0]);
	kit_leave(&kit, "g", member[1]);
	check(group_fence(kit.co, g, t, 3) != three, "and one that nobody has any more");
	zero = group_fence(kit.co, g, t, 0);
	check(kit_commit(&kit, "g", "", -1, "t", 0, 100) == 0 && group_fence(kit.co, g, t, 0) != zero,
		  "a reset fences");
	zero = group_fence(kit.co, g, t, 0);
	check(kit_delete(&kit, "g") == 0 && group_fence(kit.co, g, t, 0) != zero, "a deletion too");
	kit_end(&kit);

	kit_begin(&kit);
	make_stable("g");
	zero = group_fence(kit.co, g, t, 0);
	kit_leave(&kit, "g", member[0]);
	kit_leave(&kit, "g", member[1]);
	kit_wait(&kit, 1000);
	check(group_fence(kit.co, g, t, 0) != zero, "also if nobody looked for the owner before it left");
	kit_end(&kit);
}

int
main(void)
{
	test_table();
	test_joining();
	test_refusals();
	test_sync_protocol();
	test_rebalance();
	test_who_does_not_sync();
	test_leave();
	test_pending();
	test_static();
	test_limits();
	test_restart();
	test_other_types();
	test_fences();
	return done();
}
