/*-------------------------------------------------------------------------
 *
 * admin.c
 *	  ListGroups, DescribeGroups, DeleteGroups; dumps.
 *
 *-------------------------------------------------------------------------
 */
#include "group/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "group/consumer.h"

static const char *
state_name(const Group *group)
{
	return group->kind == GROUP_KIND_CONSUMER ? consumer_state_name(group) :
		classic_state_names[group->classic.state];
}

static const char *
type_name(const Group *group)
{
	return group->kind == GROUP_KIND_CONSUMER ? "Consumer" : "Classic";
}

static WireString
protocol_type(const Group *group)
{
	if (group->kind == GROUP_KIND_CONSUMER)
		return wire_string("consumer");
	return group->classic.protocol_type.len >= 0 ? group->classic.protocol_type : GROUP_EMPTY_STRING;
}

static uint64_t
shown_after(const Group *group)
{
	return group->members_after > group->offsets_after ? group->members_after : group->offsets_after;
}

/* ---------- ListGroups ---------- */

static bool
is_one_of(const char *name, int32_t n, const WireString *list)
{
	size_t		len = strlen(name);

	if (n <= 0)
		return true;			/* no filter */
	for (int32_t i = 0; i < n; i++)
	{
		WireString	s = list[i];

		while (s.len > 0 && s.data[0] == ' ')
		{
			s.data++;
			s.len--;
		}
		while (s.len > 0 && s.data[s.len - 1] == ' ')
			s.len--;
		if ((size_t) s.len == len && strncasecmp(s.data, name, len) == 0)
			return true;
	}
	return false;
}

void
admin_list(GroupCoordinator *co, const GroupRequest *req)
{
	const ListGroupsRequest *request = req->message;
	ListGroupsResponse *r = GROUP_NEW(co, ListGroupsResponse);
	GroupMapScan scan;
	uint64_t	after = co->last_deletion;

	r->groups = GROUP_NEW_ARRAY(co, ListGroupsResponseListedGroup, co->groups.n);
	group_map_scan(&scan, &co->groups);
	for (Group *group; (group = group_map_next(&scan)) != NULL;)
	{
		ListGroupsResponseListedGroup *out = &r->groups[r->n_groups];

		if (group_check(co, req->who, group->id, GROUP_DESCRIBE) != 0)
			continue;
		if (!is_one_of(state_name(group), request->n_states_filter, request->states_filter) ||
			!is_one_of(type_name(group), request->n_types_filter, request->types_filter))
			continue;
		out->group_id = group_out_string(co, group->id);
		out->protocol_type = group_out_string(co, protocol_type(group));
		out->group_state = wire_string(state_name(group));
		out->group_type = wire_string(type_name(group));
		if (shown_after(group) > after)
			after = shown_after(group);
		r->n_groups++;
	}
	group_answer(co, req, r, after);
}

/* ---------- DescribeGroups ---------- */

static void
describe(GroupCoordinator *co, const Group *group, DescribeGroupsResponseDescribedGroup *out)
{
	const ClassicGroup *classic = &group->classic;
	bool		stable = classic->state == CLASSIC_STABLE;

	out->group_state = wire_string(classic_state_names[classic->state]);
	out->protocol_type = group_out_string(co, protocol_type(group));
	if (stable)
		out->protocol_data = group_out_string(co, classic->protocol_name);
	out->members = GROUP_NEW_ARRAY(co, DescribeGroupsResponseDescribedGroupMember, classic->members.n);
	for (const ClassicMember *member = classic->first; member; member = member->next)
	{
		DescribeGroupsResponseDescribedGroupMember *m = &out->members[out->n_members++];

		m->member_id = group_out_string(co, member->id);
		m->group_instance_id = group_out_string(co, member->instance_id);
		m->client_id = group_out_string(co, member->client_id);
		m->client_host = group_out_string(co, member->client_host);
		m->member_metadata = GROUP_EMPTY_BYTES;
		m->member_assignment = GROUP_EMPTY_BYTES;
		if (stable)
		{
			m->member_metadata = group_out_bytes(co, classic_metadata(member, classic->protocol_name));
			if (member->assignment.len > 0)
				m->member_assignment = group_out_bytes(co, member->assignment);
		}
	}
}

void
admin_describe(GroupCoordinator *co, const GroupRequest *req)
{
	const DescribeGroupsRequest *request = req->message;
	DescribeGroupsResponse *r = GROUP_NEW(co, DescribeGroupsResponse);
	uint64_t	after = 0;

	r->n_groups = request->n_groups;
	r->groups = GROUP_NEW_ARRAY(co, DescribeGroupsResponseDescribedGroup, r->n_groups);
	for (int32_t i = 0; i < r->n_groups; i++)
	{
		DescribeGroupsResponseDescribedGroup *out = &r->groups[i];
		const Group *group = group_find(co, request->groups[i]);
		uint64_t	group_after = group ? shown_after(group) : co->last_deletion;

		out->group_id = group_out_string(co, request->groups[i]);
		out->error_message = WIRE_NULL_STRING;
		out->error_code = group_check(co, req->who, request->groups[i], GROUP_DESCRIBE);
		if (out->error_code)
			continue;
		if (group && group->kind != GROUP_KIND_CONSUMER)
			describe(co, group, out);
		else
		{
			out->group_state = wire_string("Dead");
			if (req->api_version >= 6)
			{
				out->error_code = KAFKA_GROUP_ID_NOT_FOUND;
				out->error_message = wire_printf(
					&co->out, group ? "Group %.*s is not a classic group." : "Group %.*s not found.",
					out->group_id.len, out->group_id.data);
			}
		}
		if (group_after > after)
			after = group_after;
	}
	group_answer(co, req, r, after);
}

/* ---------- DeleteGroups ---------- */

void
group_emit_tombstones(Group *group)
{
	GroupMetadataKey key = {.group = group->id};

	if (group->kind == GROUP_KIND_CONSUMER)
		consumer_emit_tombstones(group);
	else
		group_emit(group, WIRE_RECORD_GROUP_METADATA, &key, NULL);
}

static int16_t
delete_group(GroupCoordinator *co, uint32_t who, WireString id)
{
	Group	   *group = group_find(co, id);
	int16_t		error = group_check(co, who, id, GROUP_DELETE);

	if (error)
		return error;
	if (group == NULL)
		return KAFKA_GROUP_ID_NOT_FOUND;
	if (group->kind == GROUP_KIND_CONSUMER)
		error = group->consumer.n_known > 0 ? KAFKA_NON_EMPTY_GROUP : KAFKA_NONE;
	else
		error = classic_rule(group, CLASSIC_DELETE).error;
	if (error)
		return error;
	if (!offset_begin_change_all(group))
		return KAFKA_COORDINATOR_LOAD_IN_PROGRESS;
	offset_emit_delete_all(group);
	group_emit_tombstones(group);
	group_forget_owner(co, group->id);
	group_remove(group);
	return KAFKA_NONE;
}

void
admin_delete(GroupCoordinator *co, const GroupRequest *req)
{
	const DeleteGroupsRequest *request = req->message;
	DeleteGroupsResponse *r = GROUP_NEW(co, DeleteGroupsResponse);

	r->n_results = request->n_groups_names;
	r->results = GROUP_NEW_ARRAY(co, DeleteGroupsResponseDeletableGroupResult, r->n_results);
	for (int32_t i = 0; i < r->n_results; i++)
	{
		r->results[i].group_id = group_out_string(co, request->groups_names[i]);
		r->results[i].error_message = WIRE_NULL_STRING;
		r->results[i].error_code = delete_group(co, req->who, request->groups_names[i]);
	}
	group_answer(co, req, r, co->last_deletion);
}

/* ---------- looking ---------- */

typedef struct Lines
{
	int			n;
	int			cap;
	char	  **lines;
} Lines;

__attribute__((format(printf, 2, 3)))
static void
add_line(Lines *l, const char *format,...)
{
	va_list		args;
	int			len;

	if (l->n == l->cap)
	{
		l->cap = l->cap ? l->cap * 2 : 64;
		l->lines = realloc(l->lines, l->cap * sizeof(char *));
	}
	va_start(args, format);
	len = vsnprintf(NULL, 0, format, args);
	va_end(args);
	l->lines[l->n] = malloc(len + 1);
	va_start(args, format);
	vsnprintf(l->lines[l->n++], len + 1, format, args);
	va_end(args);
}

#define STR(s)	(s).len >= 0 ? (s).len : 6, (s).len >= 0 ? (s).data : "(null)"

static uint64_t
digest(WireBytes b)
{
	uint64_t	h = 14695981039346656037u;

	for (int32_t i = 0; i < b.len; i++)
		h = (h ^ (uint8_t) b.data[i]) * 1099511628211u;
	return b.len > 0 ? h : 0;
}

static void
dump_offsets(Lines *l, const Group *group)
{
	GroupMapScan scan;

	group_map_scan(&scan, &group->offsets);
	for (OffsetTopic *topic; (topic = group_map_next(&scan)) != NULL;)
	{
		if (topic->by_sql)
			add_line(l, "%.*s claim %.*s", STR(group->id), STR(topic->name));
		for (int32_t i = 0; i < topic->n; i++)
		{
			const OffsetEntry *e = &topic->entries[i];

			if (e->committed)
				add_line(l, "%.*s offset %.*s-%d %lld epoch %d '%.*s' at %lld until %lld id %02x%02x",
						 STR(group->id), STR(topic->name), e->partition, (long long) e->offset,
						 e->leader_epoch, STR(e->metadata), (long long) e->commit_ms,
						 (long long) e->expire_ms, e->topic_id.bytes[0], e->topic_id.bytes[15]);
		}
	}
}

static void
dump_classic(Lines *l, const Group *group)
{
	const ClassicGroup *classic = &group->classic;

	add_line(l, "%.*s is %s %s generation %d type '%.*s' protocol '%.*s' leader '%.*s'", STR(group->id),
			 group->kind == GROUP_KIND_SQL ? "sql" : "classic", classic_state_names[classic->state],
			 classic->generation, STR(protocol_type(group)), STR(classic->protocol_name),
			 STR(classic->leader ? classic->leader->id : GROUP_EMPTY_STRING));
	for (const ClassicMember *m = classic->first; m; m = m->next)
		add_line(
			l,
			"%.*s member %.*s instance '%.*s' client %.*s %.*s timeouts %d %d metadata %llx assignment %llx",
			STR(group->id), STR(m->id), STR(m->instance_id), STR(m->client_id), STR(m->client_host),
			m->session_timeout_ms, m->rebalance_timeout_ms,
			(unsigned long long) digest(classic_metadata(m, classic->protocol_name)),
			(unsigned long long) digest(m->assignment));
}

static WireString
dump_partitions(GroupCoordinator *co, const GroupPartitions *p)
{
	WireString	s = GROUP_EMPTY_STRING;

	for (int32_t i = 0; i < p->n; i++)
		for (int32_t j = 0; j < p->topics[i].n; j++)
			s = wire_printf(&co->out, "%.*s %02x-%d@%d", STR(s), p->topics[i].topic_id.bytes[15],
							p->topics[i].partitions[j], p->topics[i].epochs ? p->topics[i].epochs[j] : -1);
	return s;
}

static void
dump_consumer(Lines *l, Group *group)
{
	GroupCoordinator *co = group->co;
	const ConsumerGroup *consumer = &group->consumer;
	GroupMapScan scan;

	add_line(l, "%.*s is consumer %s epoch %d assignment %d at %lld hash %llx", STR(group->id),
			 consumer_state_name(group), consumer->epoch, consumer->assignment_epoch,
			 (long long) consumer->assignment_ms, (unsigned long long) consumer->metadata_hash);
	group_map_scan(&scan, &consumer->members);
	for (ConsumerMember *m; (m = group_map_next(&scan)) != NULL;)
	{
		WireString	names = GROUP_EMPTY_STRING;

		for (int32_t i = 0; i < m->n_names; i++)
			names = wire_printf(&co->out, "%.*s,%.*s", STR(names), STR(m->names[i]));
		add_line(l,
				 "%.*s member %.*s instance '%.*s' client %.*s %.*s names %.*s regex '%.*s' classic %d "
				 "epoch %d before %d state %d has%.*s pending%.*s target%.*s",
				 STR(group->id), STR(m->id), STR(m->instance_id), STR(m->client_id), STR(m->client_host),
				 STR(names), STR(m->regex), m->classic, m->epoch, m->previous_epoch, m->state,
				 STR(dump_partitions(co, &m->assigned)), STR(dump_partitions(co, &m->pending)),
				 STR(dump_partitions(co, &m->target)));
	}
	group_map_scan(&scan, &consumer->regexes);
	for (ConsumerRegex *r; (r = group_map_next(&scan)) != NULL;)
		add_line(l, "%.*s regex '%.*s' %d topics", STR(group->id), STR(r->pattern), r->n);
}

static int
compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *) a, *(char *const *) b);
}

char *
group_dump(GroupCoordinator *co)
{
	Lines		l = {0};
	GroupMapScan scan;
	size_t		size = 1;
	char	   *text;

	group_map_scan(&scan, &co->groups);
	for (Group *group; (group = group_map_next(&scan)) != NULL;)
	{
		if (group->kind == GROUP_KIND_CONSUMER)
			dump_consumer(&l, group);
		else
			dump_classic(&l, group);
		dump_offsets(&l, group);
		add_line(&l, "%.*s owner %u", STR(group->id), group_owner(co, group->id));
	}
	if (l.n > 0)
		qsort(l.lines, l.n, sizeof(char *), compare_lines);
	for (int i = 0; i < l.n; i++)
		size += strlen(l.lines[i]) + 1;
	text = malloc(size);
	text[0] = '\0';
	for (int i = 0, at = 0; i < l.n; i++)
	{
		at += sprintf(text + at, "%s\n", l.lines[i]);
		free(l.lines[i]);
	}
	free(l.lines);
	return text;
}
