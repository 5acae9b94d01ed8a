/*
 * group_random_test.c: random events, in any order, sensible and not.
 *
 * After each one the state must make sense; and now and then other
 * coordinators are loaded from the records, from all of them and from what
 * compaction would leave: they must have come to the same state.
 */
#include "check.h"
#include "group/consumer.h"
#include "group_kit.h"

#define N_SEEDS		24
#define N_EVENTS	1500
#define N_GROUPS	3
#define N_IDS		8

static Kit	kit;
static uint64_t state;
static char ids[N_GROUPS][N_IDS][80];	/* of classic members, as they were given out */
static KitMember consumers[N_GROUPS][4];
static uint64_t joins[N_GROUPS][N_IDS];

static const char *const groups[N_GROUPS] = {"a", "b", "c"};
static const char *const topics[] = {"t", "u", "v", "t,u", "none"};

static int
any(int n)
{
	return (int) (random_next(&state) % (uint64_t) n);
}

/* ---------- events ---------- */

static int
generation_of(int g)
{
	Group	   *group = group_find(kit.co, wire_string(groups[g]));
	int			now = group == NULL ? 0 : group->kind == GROUP_KIND_CONSUMER ? group->consumer.epoch :
		group->classic.generation;

	return any(10) == 0 ? now + any(3) - 1 : now;
}

/* An id that was given out, or none. */
static char *
some_id(int g)
{
	return ids[g][any(N_IDS)];
}

static void
learn(int g, uint64_t token)
{
	JoinGroupResponse *r = kit_answer(&kit, token);

	if (r && r->member_id.len > 0 && r->member_id.len < 80 && any(3) > 0)
	{
		char	   *id = some_id(g);

		memset(id, 0, 80);
		memcpy(id, r->member_id.data, r->member_id.len);
	}
}

static void
event_join(int g)
{
	static const char *const protocols[] = {"range", "range,roundrobin", "roundrobin,range"};
	const char *instance = any(5) == 0 ? (any(2) ? "i1" : "i2") : NULL;
	int			version = instance ? 5 + any(5) : any(10);
	uint64_t   *slot = &joins[g][any(N_IDS)];

	learn(g, *slot);
	*slot = kit_join(&kit, groups[g], any(3) ? some_id(g) : "", instance, version, protocols[any(3)],
					 kit_subscription(&kit, topics[any(3)]));
	learn(g, *slot);
}

static void
event_sync(int g)
{
	SyncGroupRequestSyncGroupRequestAssignment a[N_IDS];
	Group	   *group = group_find(kit.co, wire_string(groups[g]));
	int			n = 0;
	int			p = 0;

	/* Mostly what a leader would send: each partition once. */
	if (group && group->kind != GROUP_KIND_CONSUMER)
		for (ClassicMember *m = group->classic.first; m && n < N_IDS; m = m->next)
		{
			int			own[2] = {p, p + 1};

			a[n].member_id = m->id;
			a[n++].assignment = kit_assignment(&kit, "t", p < 6 ? 2 : 0, own);
			p += 2;
		}
	if (n > 0 && any(3) > 0 && group->classic.leader)
	{
		char		leader[80] = {0};

		memcpy(leader, group->classic.leader->id.data, group->classic.leader->id.len);
		kit_sync(&kit, groups[g], leader, generation_of(g), n, a);
	}
	else
		kit_sync(&kit, groups[g], some_id(g), generation_of(g), 0, NULL);
}

static void
event_consumer(int g)
{
	KitMember  *m = &consumers[g][any(4)];
	int			what = any(12);
	int			error;

	if (what == 0)
		m->topics = topics[any(5)];
	else if (what == 1)
		m->regex = any(2) ? "t*" : "";
	else if (what == 2)
		m->assignor = any(2) ? "range" : "uniform";
	if (m->epoch > 0 && what == 3)
	{
		kit_beat_raw(&kit, m, m->instance && any(2) ? -2 : -1, NULL);
		m->epoch = 0;
		m->n = 0;
		return;
	}
	error = kit_beat(&kit, m);
	if (error)
	{
		m->epoch = 0;
		m->n = 0;
	}
}

static void
event_topic(void)
{
	int			number = 1 + any(3);
	WireUuid	id = kit_topic_id(number);
	GroupTopic *topic = group_topic_by_id(kit.co, &id);
	const char *names[] = {"", "t", "u", "v"};

	if (topic && any(3) == 0)
		group_topic_drop(kit.co, &id, kit.now);
	else if (topic == NULL || topic->n_partitions < 8)
		group_topic_set(kit.co, &id, wire_string(names[number]), (topic ? topic->n_partitions : 0) + 1,
						kit.now);
	kit_collect(&kit);
}

static void
random_event(void)
{
	int			g = any(N_GROUPS);
	int			what = any(100);

	kit.who = 100 + any(3);
	if (what < 22)
		event_join(g);
	else if (what < 38)
		event_sync(g);
	else if (what < 44)
		kit_heartbeat(&kit, groups[g], some_id(g), generation_of(g));
	else if (what < 49)
		kit_leave(&kit, groups[g], some_id(g));
	else if (what < 56)
		kit_commit(&kit, groups[g], any(2) ? some_id(g) : "", any(2) ? generation_of(g) : -1, topics[any(3)],
				   any(3), any(1000));
	else if (what < 60)
		kit_fetch(&kit, groups[g], topics[any(3)], any(3));
	else if (what < 62)
		kit_delete(&kit, groups[g]);
	else if (what < 64)
		group_fence(kit.co, wire_string(groups[g]), wire_string("t"), any(6));
	else if (what < 65)
		group_claim_offsets(kit.co, wire_string(groups[g]), wire_string("t"), any(2), kit.now);
	else if (what < 66)
		group_set_sql(kit.co, wire_string(groups[g]), any(3) == 0, kit.now);
	else if (what < 68)
		event_topic();
	else if (what < 85)
		event_consumer(g);
	else if (what < 99)
		kit_wait(&kit, any(4000));
	else
		kit_wait(&kit, any(5) ? 30000 : 700000);
	kit_collect(&kit);
}

/* ---------- what must be true ---------- */

static void
complain(int *bad, const char *what, const Group *group)
{
	if ((*bad)++ < 5)
		printf("# %.*s: %s\n", group->id.len, group->id.data, what);
}

static void
check_classic(const Group *group, int *bad)
{
	const ClassicGroup *classic = &group->classic;
	int			n = 0;
	int			joining = 0;
	int			must_sync = 0;
	int			statics = 0;

	for (ClassicMember *m = classic->first; m; m = m->next)
	{
		n++;
		joining += m->join.is;
		must_sync += m->must_sync;
		statics += m->instance_id.len >= 0;
		if (!group_timer_is_set(&m->session) && !m->join.is && !m->sync.is)
			complain(bad, "a member without a session", group);
		if (m->join.is && classic->state != CLASSIC_PREPARING)
			complain(bad, "a member waits to join and nobody prepares", group);
		if (m->sync.is && classic->state != CLASSIC_COMPLETING)
			complain(bad, "a member waits for its assignment, which is there", group);
	}
	if (n != classic->members.n || joining != classic->n_joining || must_sync != classic->n_must_sync ||
		statics != classic->statics.n)
		complain(bad, "miscounted members", group);
	if ((classic->leader != NULL) != (n > 0))
		complain(bad, "leader without members, or members without", group);
	if (classic->state == CLASSIC_EMPTY && n > 0)
		complain(bad, "an empty group with members", group);
	if ((classic->state == CLASSIC_COMPLETING || classic->state == CLASSIC_STABLE) && n == 0)
		complain(bad, "a group that waits for nobody", group);
	if (classic->state == CLASSIC_PREPARING && !group_timer_is_set(&classic->join_timer))
		complain(bad, "a rebalance without an end", group);
	if (classic->state == CLASSIC_COMPLETING && !group_timer_is_set(&classic->sync_timer))
		complain(bad, "it may wait for ever for the leader", group);
}

static void
check_consumer(const Group *group, int *bad)
{
	static int	owners[16][16];
	GroupMapScan scan;
	int			known = 0;
	int			classic = 0;

	memset(owners, 0, sizeof(owners));
	group_map_scan(&scan, &group->consumer.members);
	for (ConsumerMember *m; (m = group_map_next(&scan)) != NULL;)
	{
		known += m->known;
		classic += m->classic;
		for_partitions(&m->assigned, t, i)
			owners[t->topic_id.bytes[15] & 15][t->partitions[i] & 15]++;
		for_partitions(&m->pending, t, i)
			owners[t->topic_id.bytes[15] & 15][t->partitions[i] & 15]++;
		if (m->known && !group_timer_is_set(&m->session))
			complain(bad, "a member without a session", group);
		if (m->epoch > group->consumer.epoch)
			complain(bad, "a member's epoch is yet to come", group);
	}
	for (int t = 0; t < 16; t++)
		for (int p = 0; p < 16; p++)
			if (owners[t][p] > 1)
				complain(bad, "a partition with two owners", group);
	if (known != group->consumer.n_known || classic != group->consumer.n_classic)
		complain(bad, "miscounted members", group);
	if (group->consumer.assignment_epoch > group->consumer.epoch)
		complain(bad, "an assignment for an epoch to come", group);
}

static void
check_state(int *bad)
{
	GroupMapScan scan;

	group_map_scan(&scan, &kit.co->groups);
	for (Group *group; (group = group_map_next(&scan)) != NULL;)
	{
		if (group->kind == GROUP_KIND_CONSUMER)
		{
			check_consumer(group, bad);
			if (group->classic.members.n > 0 || group->classic.pending.n > 0)
				complain(bad, "two kinds of members", group);
		}
		else
		{
			check_classic(group, bad);
			if (group->consumer.members.n > 0)
				complain(bad, "two kinds of members", group);
		}
	}
}

/* ---------- generations only go up ---------- */

static int	last_generation[N_GROUPS];

static void
check_generations(int from, int *bad)
{
	for (int i = from; i < kit.n_records; i++)
	{
		const KitRecord *r = &kit.records[i];
		int			type = wire_get_uint16(r->key.data);
		int			g = r->group[0] - 'a';
		WireReader	reader;
		WireArena	arena;
		int			version;
		int			generation;

		if (type != WIRE_RECORD_GROUP_METADATA && type != WIRE_RECORD_CONSUMER_GROUP_METADATA)
			continue;
		if (r->value.len < 0)
			continue;
		wire_arena_init(&arena, 1 << 24);
		wire_reader_init(&reader, r->value.data, r->value.len);
		version = wire_read_int16(&reader);
		if (type == WIRE_RECORD_GROUP_METADATA)
		{
			GroupMetadataValue v;

			wire_decode(&wire_GroupMetadataValue, version, &reader, &arena, &v);
			generation = v.generation;
		}
		else
		{
			ConsumerGroupMetadataValue v;

			wire_decode(&wire_ConsumerGroupMetadataValue, version, &reader, &arena, &v);
			generation = v.epoch;
		}
		wire_arena_free(&arena);
		if (generation < last_generation[g] && generation != 0)
		{
			/* A group that was deleted, or was empty and changed its kind, begins again. */
			if (generation > 2 && (*bad)++ < 5)
				printf("# group %s goes from generation %d to %d\n", r->group, last_generation[g],
					   generation);
		}
		last_generation[g] = generation;
	}
}

/* ---------- loading ---------- */

/*
 * What a restart may forget: members that are just joining, and groups that
 * have neither members nor offsets.
 */
static bool
is_forgettable(const char *line, const char *live)
{
	char		group[3] = {line[0], ' ', '\0'};
	char		preparing[60];

	if (strncmp(line + 1, " offset ", 8) == 0 || strncmp(line + 1, " claim ", 7) == 0)
		return false;
	sprintf(preparing, "%sis classic PreparingRebalance", group);
	if (strncmp(line + 1, " owner ", 7) == 0)
	{
		char		empty[60];

		sprintf(empty, "%sis classic Empty generation 0 type ''", group);
		if (strstr(live, empty) != NULL)
			return true;
	}
	return strstr(live, preparing) != NULL ||
		strncmp(line + 2, "is classic Empty generation 0 type ''", 37) == 0;
}

static char *
essence(const char *dump, const char *live)
{
	char	   *copy = strdup(dump);
	char	   *out = calloc(1, strlen(dump) + 1);

	for (char *line = strtok(copy, "\n"); line; line = strtok(NULL, "\n"))
		if (!is_forgettable(line, live))
		{
			strcat(out, line);
			strcat(out, "\n");
		}
	free(copy);
	return out;
}

static void
check_replay(bool compacted, int *bad)
{
	GroupCoordinator *other = kit_load(&kit, compacted);
	char	   *live = group_dump(kit.co);
	char	   *loaded = group_dump(other);
	char	   *a = essence(live, live);
	char	   *b = essence(loaded, live);

	if (strcmp(a, b) != 0 && (*bad)++ < 2)
	{
		int			i = 0;

		while (a[i] == b[i])
			i++;
		while (i > 0 && a[i - 1] != '\n')
			i--;
		printf("# %s records lead to another state:\n# live:   %.*s\n# loaded: %.*s\n",
			   compacted ? "compacted" : "all", (int) strcspn(a + i, "\n"), a + i, (int) strcspn(b + i, "\n"),
			   b + i);
	}
	free(live);
	free(loaded);
	free(a);
	free(b);
	group_destroy(other);
}

static void
run(uint64_t seed, int *bad)
{
	state = seed * 0x9E3779B97F4A7C15u + 1;
	memset(ids, 0, sizeof(ids));
	memset(joins, 0, sizeof(joins));
	memset(consumers, 0, sizeof(consumers));
	memset(last_generation, 0, sizeof(last_generation));
	kit_begin(&kit);
	kit.random += seed;
	kit.same_topics = true;
	for (int g = 0; g < N_GROUPS; g++)
		for (int i = 0; i < 4; i++)
		{
			KitMember  *m = &consumers[g][i];

			m->group = groups[g];
			sprintf(m->id, "consumer%d", i);
			m->topics = topics[any(5)];
			m->instance = i == 3 ? "i3" : NULL;
		}
	for (int i = 0; i < N_EVENTS; i++)
	{
		int			before = kit.n_records;

		random_event();
		check_state(bad);
		check_generations(before, bad);
		if (any(40) == 0)
		{
			check_replay(false, bad);
			check_replay(true, bad);
		}
		if (any(200) == 0)
		{
			kit_restart(&kit);
			for (int g = 0; g < N_GROUPS; g++)
				memset(joins[g], 0, sizeof(joins[g]));
		}
		if (*bad > 0)
		{
			printf("# seed %d, event %d\n", (int) seed, i);
			break;
		}
	}
	kit_end(&kit);
}

int
main(void)
{
	for (uint64_t seed = 1; seed <= N_SEEDS; seed++)
	{
		int			bad = 0;

		run(seed, &bad);
		check(bad == 0, "random events, seed %d", (int) seed);
	}
	return done();
}
