/*
 * group_kit.c: a group coordinator for tests, with everything that it produced.
 */
#include "group_kit.h"

#include "check.h"
#include "group/internal.h"
#include "wire/api_list.h"

static void
no_memory(void *arg)
{
	abort();
}

static void
random_bytes(void *arg, uint8_t *bytes, size_t n)
{
	Kit		   *kit = arg;

	for (size_t i = 0; i < n; i++)
		bytes[i] = (uint8_t) random_next(&kit->random);
}

/* Patterns of tests: a prefix and '*', or a name. */
static int16_t
match(void *arg, WireString pattern, int32_t n, const WireString *topics, bool *matches)
{
	int32_t		prefix = pattern.len - 1;

	if (pattern.data[0] == '(')
		return KAFKA_INVALID_REGULAR_EXPRESSION;
	for (int32_t i = 0; i < n; i++)
		matches[i] = pattern.data[prefix] == '*' ?
			topics[i].len >= prefix && memcmp(topics[i].data, pattern.data, prefix) == 0 :
			wire_string_equal(topics[i], pattern);
	return KAFKA_NONE;
}

static void
fenced(void *arg, WireString group, const WireUuid *topic_id, int32_t partition, uint64_t fence)
{
	((Kit *) arg)->n_fenced++;
}

static bool
begin_change(void *arg, WireString group, const WireUuid *topic_id, int32_t partition)
{
	((Kit *) arg)->n_changes++;
	return !((Kit *) arg)->sql_commits;
}

static bool
is_settled(void *arg, WireString group, const WireUuid *topic_id, int32_t partition)
{
	return !((Kit *) arg)->sql_commits;
}

/* Roles of tests: 100 and up are administrators, the others own what they have used first. */
static int16_t
may(void *arg, uint32_t who, WireString group, uint32_t owner, GroupRight right)
{
	return who >= 100 || owner == 0 ? KAFKA_NONE : KAFKA_GROUP_AUTHORIZATION_FAILED;
}

/* They see all topics but number 7, and read all but number 8. */
static int16_t
may_topic(void *arg, uint32_t who, const WireUuid *topic_id, bool read)
{
	int			number = topic_id->bytes[15];

	return number == 7 || (read && number == 8) ? KAFKA_TOPIC_AUTHORIZATION_FAILED : KAFKA_NONE;
}

static const GroupCallbacks callbacks = {
	.no_memory = no_memory, .random = random_bytes, .match = match, .may = may, .may_topic = may_topic,
	.fenced = fenced, .begin_change = begin_change, .is_settled = is_settled
};

WireUuid
kit_topic_id(int number)
{
	WireUuid	id = {{0}};

	id.bytes[0] = 0xAA;
	id.bytes[15] = (uint8_t) number;
	return id;
}

static GroupCoordinator *
create(Kit *kit)
{
	GroupCallbacks call = callbacks;
	GroupCoordinator *co;

	call.arg = kit;
	co = group_create(&kit->settings, &call);
	return co;
}

static void
set_topic(Kit *kit, GroupCoordinator *co, int number, const char *name, int n)
{
	WireUuid	id = kit_topic_id(number);

	group_topic_set(co, &id, wire_string(name), n, kit->now);
}

static void
set_topics(Kit *kit, GroupCoordinator *co)
{
	set_topic(kit, co, 1, "t", 6);
	set_topic(kit, co, 2, "u", 2);
	set_topic(kit, co, 3, "v", 1);
}

void
kit_begin(Kit *kit)
{
	memset(kit, 0, sizeof(*kit));
	group_settings_init(&kit->settings);
	kit->now = 1000000;
	kit->random = 88172645463325252u;
	kit->client = "client";
	wire_arena_init(&kit->arena, (size_t) 1 << 31);
	kit->co = create(kit);
	set_topics(kit, kit->co);
	group_loaded(kit->co, kit->now);
}

void
kit_end(Kit *kit)
{
	group_destroy(kit->co);
	for (int i = 0; i < kit->n_records; i++)
	{
		free(kit->records[i].group);
		free((char *) kit->records[i].key.data);
		free((char *) kit->records[i].value.data);
	}
	free(kit->records);
	free(kit->answers);
	wire_arena_free(&kit->arena);
}

static WireBytes
duplicate(WireBytes b)
{
	char	   *p;

	if (b.len < 0)
		return WIRE_NULL_BYTES;
	p = malloc(b.len + 1);
	memcpy(p, b.data, b.len);
	return (WireBytes) {p, b.len};
}

static void *
through_the_wire(Kit *kit, const GroupAnswer *answer)
{
	const WireMessage *m = wire_api(answer->api_key)->response;
	WireWriter	w;
	WireReader	r;
	void	   *copy = wire_alloc(&kit->arena, m->size);
	char	   *bytes;

	wire_writer_init(&w, 1 << 30);
	if (!wire_encode(m, answer->api_version, answer->response, &w))
	{
		printf("# %s v%d: %s in %s\n", m->name, answer->api_version, w.why, w.field ? w.field : "?");
		abort();
	}
	bytes = wire_alloc(&kit->arena, w.len + 1);
	memcpy(bytes, w.data, w.len);
	wire_reader_init(&r, bytes, w.len);
	if (!wire_decode(m, answer->api_version, &r, &kit->arena, copy))
		abort();
	wire_writer_free(&w);
	return copy;
}

bool
kit_collect(Kit *kit)
{
	int32_t		n;
	const GroupRecord *records = group_records(kit->co, &n);
	const GroupAnswer *answers;
	bool		fine = true;

	kit->records = realloc(kit->records, (kit->n_records + n + 1) * sizeof(KitRecord));
	for (int32_t i = 0; i < n; i++)
	{
		KitRecord  *r = &kit->records[kit->n_records++];

		r->group = strndup(records[i].group.data, records[i].group.len);
		r->key = duplicate(records[i].key);
		r->value = duplicate(records[i].value);
	}
	answers = group_answers(kit->co, &n);
	kit->answers = realloc(kit->answers, (kit->n_answers + n + 1) * sizeof(KitAnswer));
	for (int32_t i = 0; i < n; i++)
	{
		if (answers[i].after > group_last_record(kit->co))
			fine = false;
		kit->answers[kit->n_answers++] = (KitAnswer) {
			answers[i].token, answers[i].api_key, answers[i].api_version, answers[i].after,
			through_the_wire(kit, &answers[i])
		};
	}
	group_clear(kit->co);
	return fine;
}

uint64_t
kit_send(Kit *kit, int api, int version, const void *message)
{
	GroupRequest req = {
		.token = ++kit->token,
		.api_key = (int16_t) api,
		.api_version = (int16_t) version,
		.client_id = wire_string(kit->client),
		.client_host = wire_string("127.0.0.1"),
		.who = kit->who,
		.message = message,
	};

	group_request(kit->co, &req, kit->now);
	kit_collect(kit);
	return req.token;
}

const KitAnswer *
kit_find(Kit *kit, uint64_t token)
{
	for (int i = kit->n_answers - 1; i >= 0; i--)
		if (kit->answers[i].token == token)
			return &kit->answers[i];
	return NULL;
}

void *
kit_answer(Kit *kit, uint64_t token)
{
	const KitAnswer *a = kit_find(kit, token);

	return a ? a->response : NULL;
}

void
kit_wait(Kit *kit, int64_t ms)
{
	int64_t		end = kit->now + ms;

	while (group_next_deadline(kit->co) <= end)
	{
		if (group_next_deadline(kit->co) > kit->now)
			kit->now = group_next_deadline(kit->co);
		group_tick(kit->co, kit->now);
		kit_collect(kit);
	}
	kit->now = end;
}

/* ---------- loading ---------- */

static void
copy_topics(Kit *kit, GroupCoordinator *co)
{
	GroupMapScan scan;

	group_map_scan(&scan, &kit->co->topics);
	for (GroupTopic *t; (t = group_map_next(&scan)) != NULL;)
		group_topic_set(co, &t->id, t->name, t->n_partitions, kit->now);
}

static bool
is_superseded(const Kit *kit, int record)
{
	for (int i = record + 1; i < kit->n_records; i++)
		if (kit->records[i].key.len == kit->records[record].key.len &&
			memcmp(kit->records[i].key.data, kit->records[record].key.data, kit->records[i].key.len) == 0)
			return true;
	return false;
}

static GroupCoordinator *
replay(Kit *kit, bool compacted)
{
	GroupCoordinator *co = create(kit);

	for (int i = 0; i < kit->n_records; i++)
	{
		if (compacted && is_superseded(kit, i))
			continue;
		if (group_replay(co, kit->records[i].key, kit->records[i].value, kit->now) != GROUP_REPLAYED)
		{
			printf("# record %d can't be replayed\n", i);
			abort();
		}
	}
	return co;
}

GroupCoordinator *
kit_load_hidden(Kit *kit, const char *hidden)
{
	GroupCoordinator *co = replay(kit, false);

	group_topic_hide(co, wire_string(hidden));
	group_loaded(co, kit->now);
	return co;
}

GroupCoordinator *
kit_load(Kit *kit, bool compacted)
{
	GroupCoordinator *co = replay(kit, compacted);

	if (kit->same_topics)
		copy_topics(kit, co);
	else
		set_topics(kit, co);
	group_loaded(co, kit->now);
	return co;
}

void
kit_restart(Kit *kit)
{
	GroupCoordinator *co = kit_load(kit, false);

	group_destroy(kit->co);
	kit->co = co;
	kit_collect(kit);
}

/* ---------- requests in short ---------- */

#define STRING_OR_NULL(s)	((s) ? wire_string(s) : WIRE_NULL_STRING)

uint64_t
kit_join(Kit *kit, const char *group, const char *member, const char *instance, int version,
		 const char *protocols, WireBytes metadata)
{
	JoinGroupRequest m;
	JoinGroupRequestJoinGroupRequestProtocol list[8];
	char	   *copy = strdup(protocols);
	int			n = 0;
	uint64_t	token;

	WIRE_INIT(JoinGroupRequest, &m);
	for (char *p = strtok(copy, ","); p; p = strtok(NULL, ","))
	{
		list[n].name = wire_string(p);
		list[n++].metadata = metadata;
	}
	m.group_id = wire_string(group);
	m.session_timeout_ms = 10000;
	m.rebalance_timeout_ms = version >= 1 ? 60000 : -1;
	m.member_id = wire_string(member);
	m.group_instance_id = STRING_OR_NULL(instance);
	m.protocol_type = wire_string("consumer");
	m.n_protocols = n;
	m.protocols = list;
	token = kit_send(kit, 11, version, &m);
	free(copy);
	return token;
}

uint64_t
kit_sync(Kit *kit, const char *group, const char *member, int generation, int n,
		 const SyncGroupRequestSyncGroupRequestAssignment *assignments)
{
	SyncGroupRequest m;

	WIRE_INIT(SyncGroupRequest, &m);
	m.group_id = wire_string(group);
	m.generation_id = generation;
	m.member_id = wire_string(member);
	m.group_instance_id = WIRE_NULL_STRING;
	m.protocol_type = WIRE_NULL_STRING;
	m.protocol_name = WIRE_NULL_STRING;
	m.n_assignments = n;
	m.assignments = (SyncGroupRequestSyncGroupRequestAssignment *) assignments;
	return kit_send(kit, 14, 5, &m);
}

int
kit_heartbeat(Kit *kit, const char *group, const char *member, int generation)
{
	HeartbeatRequest m;

	WIRE_INIT(HeartbeatRequest, &m);
	m.group_id = wire_string(group);
	m.generation_id = generation;
	m.member_id = wire_string(member);
	m.group_instance_id = WIRE_NULL_STRING;
	return ((HeartbeatResponse *) kit_answer(kit, kit_send(kit, 12, 4, &m)))->error_code;
}

int
kit_leave(Kit *kit, const char *group, const char *member)
{
	LeaveGroupRequest m;

	WIRE_INIT(LeaveGroupRequest, &m);
	m.group_id = wire_string(group);
	m.member_id = wire_string(member);
	return ((LeaveGroupResponse *) kit_answer(kit, kit_send(kit, 13, 1, &m)))->error_code;
}

int
kit_commit(Kit *kit, const char *group, const char *member, int generation, const char *topic, int partition,
		   int64_t offset)
{
	OffsetCommitRequest m;
	OffsetCommitRequestOffsetCommitRequestTopic t;
	OffsetCommitRequestOffsetCommitRequestPartition p;
	OffsetCommitResponse *r;

	WIRE_INIT(OffsetCommitRequest, &m);
	WIRE_INIT(OffsetCommitRequestOffsetCommitRequestTopic, &t);
	WIRE_INIT(OffsetCommitRequestOffsetCommitRequestPartition, &p);
	m.group_id = wire_string(group);
	m.generation_id_or_member_epoch = generation;
	m.member_id = wire_string(member);
	m.group_instance_id = WIRE_NULL_STRING;
	m.n_topics = 1;
	m.topics = &t;
	t.name = wire_string(topic);
	t.n_partitions = 1;
	t.partitions = &p;
	p.partition_index = partition;
	p.committed_offset = offset;
	p.committed_metadata = wire_string("m");
	r = kit_answer(kit, kit_send(kit, 8, 9, &m));
	return r->topics[0].partitions[0].error_code;
}

OffsetFetchResponseOffsetFetchResponseGroup *
kit_fetch_group(Kit *kit, int version, const char *group, int n,
				OffsetFetchRequestOffsetFetchRequestTopics *topics, bool stable)
{
	OffsetFetchRequest m;
	OffsetFetchRequestOffsetFetchRequestGroup g;
	OffsetFetchResponse *r;

	WIRE_INIT(OffsetFetchRequest, &m);
	WIRE_INIT(OffsetFetchRequestOffsetFetchRequestGroup, &g);
	m.n_groups = 1;
	m.groups = &g;
	m.require_stable = stable;
	g.group_id = wire_string(group);
	g.member_id = WIRE_NULL_STRING;
	g.n_topics = n;
	g.topics = topics;
	r = kit_answer(kit, kit_send(kit, 9, version, &m));
	return &r->groups[0];
}

int64_t
kit_fetch(Kit *kit, const char *group, const char *topic, int partition)
{
	OffsetFetchRequest m;
	OffsetFetchRequestOffsetFetchRequestTopic t;
	OffsetFetchResponse *r;

	WIRE_INIT(OffsetFetchRequest, &m);
	WIRE_INIT(OffsetFetchRequestOffsetFetchRequestTopic, &t);
	m.group_id = wire_string(group);
	m.n_topics = 1;
	m.topics = &t;
	t.name = wire_string(topic);
	t.n_partition_indexes = 1;
	t.partition_indexes = &partition;
	r = kit_answer(kit, kit_send(kit, 9, 7, &m));
	return r->topics[0].partitions[0].committed_offset;
}

const char *
kit_state(Kit *kit, const char *group)
{
	WireString	id = wire_string(group);
	DescribeGroupsRequest m = {.n_groups = 1, .groups = &id};
	DescribeGroupsResponse *r = kit_answer(kit, kit_send(kit, 15, 5, &m));
	char	   *state = wire_alloc(&kit->arena, r->groups[0].group_state.len + 1);

	memcpy(state, r->groups[0].group_state.data, r->groups[0].group_state.len);
	return state;
}

int
kit_delete(Kit *kit, const char *group)
{
	WireString	id = wire_string(group);
	DeleteGroupsRequest m = {.n_groups_names = 1, .groups_names = &id};
	DeleteGroupsResponse *r = kit_answer(kit, kit_send(kit, 42, 2, &m));

	return r->results[0].error_code;
}

static WireBytes
keep(Kit *kit, WireWriter *w)
{
	char	   *p = wire_alloc(&kit->arena, w->len + 1);
	WireBytes	b = {p, (int32_t) w->len};

	memcpy(p, w->data, w->len);
	wire_writer_free(w);
	return b;
}

WireBytes
kit_subscription(Kit *kit, const char *topic)
{
	WireWriter	w;

	wire_writer_init(&w, 10000);
	wire_write_int16(&w, 0);
	wire_write_array_len(&w, 1, false);
	wire_write_string(&w, wire_string(topic), false);
	wire_write_bytes(&w, WIRE_NULL_BYTES, false);
	return keep(kit, &w);
}

WireBytes
kit_assignment(Kit *kit, const char *topic, int n, const int *partitions)
{
	WireWriter	w;

	wire_writer_init(&w, 10000);
	wire_write_int16(&w, 0);
	wire_write_array_len(&w, 1, false);
	wire_write_string(&w, wire_string(topic), false);
	wire_write_array_len(&w, n, false);
	for (int i = 0; i < n; i++)
		wire_write_int32(&w, partitions[i]);
	wire_write_bytes(&w, WIRE_NULL_BYTES, false);
	return keep(kit, &w);
}

/* ---------- members of the consumer protocol ---------- */

bool
kit_has(const KitMember *member, int topic, int partition)
{
	for (int i = 0; i < member->n; i++)
		if (member->has[i].topic == topic && member->has[i].partition == partition)
			return true;
	return false;
}

int
kit_beat_raw(Kit *kit, const KitMember *member, int epoch, ConsumerGroupHeartbeatResponse **response)
{
	ConsumerGroupHeartbeatRequest m;
	ConsumerGroupHeartbeatRequestTopicPartitions topics[4];
	int32_t		partitions[4][64];
	WireString	names[8];
	char	   *copy = strdup(member->topics ? member->topics : "");
	int			n = 0;
	ConsumerGroupHeartbeatResponse *r;

	WIRE_INIT(ConsumerGroupHeartbeatRequest, &m);
	for (char *p = strtok(copy, ","); p; p = strtok(NULL, ","))
		names[n++] = wire_string(p);
	m.group_id = wire_string(member->group);
	m.member_id = wire_string(member->id);
	m.member_epoch = epoch;
	m.instance_id = STRING_OR_NULL(member->instance);
	m.rack_id = WIRE_NULL_STRING;
	m.server_assignor = STRING_OR_NULL(member->assignor);
	m.subscribed_topic_regex = STRING_OR_NULL(member->regex);
	m.rebalance_timeout_ms = 30000;
	m.n_subscribed_topic_names = member->topics ? n : -1;
	m.subscribed_topic_names = names;
	m.n_topic_partitions = 0;
	m.topic_partitions = topics;
	for (int t = 1; t < 4 && epoch > 0; t++)
	{
		int			k = 0;

		for (int i = 0; i < member->n; i++)
			if (member->has[i].topic == t)
				partitions[t][k++] = member->has[i].partition;
		if (k > 0)
			topics[m.n_topic_partitions++] = (ConsumerGroupHeartbeatRequestTopicPartitions) {
				kit_topic_id(t), k, partitions[t]
			};
	}
	r = kit_answer(kit, kit_send(kit, 68, 1, &m));
	free(copy);
	if (response)
		*response = r;
	return r->error_code;
}

int
kit_beat(Kit *kit, KitMember *member)
{
	ConsumerGroupHeartbeatResponse *r;
	int			error = kit_beat_raw(kit, member, member->epoch, &r);

	if (error)
		return error;
	member->epoch = r->member_epoch;
	if (r->assignment)
	{
		member->n = 0;
		for (int i = 0; i < r->assignment->n_topic_partitions; i++)
			for (int j = 0; j < r->assignment->topic_partitions[i].n_partitions; j++)
			{
				member->has[member->n].topic = r->assignment->topic_partitions[i].topic_id.bytes[15];
				member->has[member->n++].partition = r->assignment->topic_partitions[i].partitions[j];
			}
	}
	return 0;
}
