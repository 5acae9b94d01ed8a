/*-------------------------------------------------------------------------
 *
 * coordinator.c
 *	  The group coordinator: creation, requests, timers, what comes out.
 *
 *-------------------------------------------------------------------------
 */
#include "group/internal.h"

#include <stdlib.h>

#include "group/consumer.h"

/* What one call may produce; only memory is at stake. */
#define OUT_MAX		((size_t) 1 << 31)

void
group_settings_init(GroupSettings *settings)
{
	*settings = (GroupSettings) {
		.initial_rebalance_delay_ms = 3000,
		.min_session_timeout_ms = 6000,
		.max_session_timeout_ms = 1800000,
		.max_size = INT32_MAX,
		.new_member_join_timeout_ms = 300000,
		.consumer_session_timeout_ms = 45000,
		.consumer_heartbeat_interval_ms = 5000,
		.consumer_max_size = INT32_MAX,
		.consumer_assignment_interval_ms = 1000,
		.migration = GROUP_MIGRATION_BIDIRECTIONAL,
		.offsets_retention_ms = (int64_t) 10080 * 60 * 1000,
		.offsets_retention_check_interval_ms = 600000,
		.offset_metadata_max_bytes = 4096,
		.max_memory = (int64_t) 256 * 1024 * 1024,
	};
}

GroupCoordinator *
group_create(const GroupSettings *settings, const GroupCallbacks *callbacks)
{
	GroupCoordinator *co = calloc(1, sizeof(GroupCoordinator));
	uint32_t	seed;

	if (co == NULL)
	{
		callbacks->no_memory(callbacks->arg);
		abort();
	}
	co->settings = *settings;
	co->call = *callbacks;
	wire_arena_init(&co->out, OUT_MAX);
	wire_writer_init(&co->writer, OUT_MAX);
	co->call.random(co->call.arg, (uint8_t *) &seed, sizeof(seed));
	group_hash_seed(seed);
	return co;
}

void
group_destroy(GroupCoordinator *co)
{
	Group	   *group;
	GroupTopic *topic;

	while ((group = group_map_any(&co->groups)) != NULL)
		group_remove(group);
	while ((topic = group_map_any(&co->topics)) != NULL)
		group_topic_free(co, topic);
	group_free_owners(co);
	group_hidden_free(co);
	group_map_free(co, &co->groups);
	group_map_free(co, &co->topics);
	group_map_free(co, &co->topic_ids);
	group_free(co, co->heap);
	group_free(co, co->records);
	group_free(co, co->answers);
	wire_arena_free(&co->out);
	wire_writer_free(&co->writer);
	free(co);
}

void
group_settings_change(GroupCoordinator *co, const GroupSettings *settings)
{
	co->settings = *settings;
}

bool
group_has_room(const GroupCoordinator *co)
{
	return co->memory < co->settings.max_memory;
}

/* ---------- what comes out ---------- */

const GroupRecord *
group_records(const GroupCoordinator *co, int32_t *n)
{
	*n = co->n_records;
	return co->records;
}

const GroupAnswer *
group_answers(const GroupCoordinator *co, int32_t *n)
{
	*n = co->n_answers;
	return co->answers;
}

uint64_t
group_last_record(const GroupCoordinator *co)
{
	return co->last_record;
}

void
group_clear(GroupCoordinator *co)
{
	co->n_records = 0;
	co->n_answers = 0;
	wire_arena_reset(&co->out);
}

void
group_answer_to(GroupCoordinator *co, uint64_t token, int api_key, int api_version, void *response,
				uint64_t after)
{
	if (co->n_answers == co->cap_answers)
	{
		co->cap_answers = co->cap_answers ? co->cap_answers * 2 : 16;
		co->answers = group_realloc(co, co->answers, co->cap_answers * sizeof(GroupAnswer));
	}
	co->answers[co->n_answers++] = (GroupAnswer) {
		.token = token,
		.api_key = (int16_t) api_key,
		.api_version = (int16_t) api_version,
		.after = after,
		.response = response,
	};
}

void
group_answer(GroupCoordinator *co, const GroupRequest *req, void *response, uint64_t after)
{
	group_answer_to(co, req->token, req->api_key, req->api_version, response, after);
}

void *
group_new_message(GroupCoordinator *co, const WireStruct *s, int32_t n)
{
	char	   *p = group_out_alloc(co, (size_t) s->size * (size_t) (n > 0 ? n : 1));

	for (int32_t i = 0; i < n; i++)
		wire_init(s, p + (size_t) s->size * i);
	return p;
}

WireString
group_new_member_id(GroupCoordinator *co, WireString prefix)
{
	static const char hex[] = "0123456789abcdef";
	uint8_t		uuid[16];
	char	   *p = group_out_alloc(co, (size_t) (prefix.len > 0 ? prefix.len : 0) + 37);
	int32_t		n = 0;

	co->call.random(co->call.arg, uuid, sizeof(uuid));
	uuid[6] = (uuid[6] & 0x0f) | 0x40;
	uuid[8] = (uuid[8] & 0x3f) | 0x80;
	if (prefix.len >= 0)
	{
		if (prefix.len > 0)
			memcpy(p, prefix.data, prefix.len);
		n = prefix.len;
		p[n++] = '-';
	}
	for (int i = 0; i < 16; i++)
	{
		if (i == 4 || i == 6 || i == 8 || i == 10)
			p[n++] = '-';
		p[n++] = hex[uuid[i] >> 4];
		p[n++] = hex[uuid[i] & 15];
	}
	return wire_string_n(p, n);
}

/* ---------- groups ---------- */

Group *
group_find(const GroupCoordinator *co, WireString id)
{
	return group_map_find(&co->groups, id);
}

Group *
group_make(GroupCoordinator *co, WireString id, GroupKind kind)
{
	Group	   *group = group_alloc(co, sizeof(Group));

	group->co = co;
	group->id = group_copy(co, id);
	group->kind = kind;
	group->classic.state_ms = co->now;
	group->classic.protocol_type = WIRE_NULL_STRING;
	group->classic.protocol_name = WIRE_NULL_STRING;
	group->consumer.assignment_epoch = -1;
	group_map_add(co, &co->groups, &group->node, group->id);
	group_new_owner(co, id);
	return group;
}

/* All but its offsets. */
void
group_become_empty(Group *group)
{
	classic_free(group);
	consumer_free(group);
	group->kind = GROUP_KIND_CLASSIC;
	group->classic.state_ms = group->co->now;
}

void
group_remove(Group *group)
{
	GroupCoordinator *co = group->co;

	classic_free(group);
	consumer_free(group);
	offset_free(group);
	group_map_remove(&co->groups, &group->node);
	group_free_string(co, &group->id);
	group_free(co, group);
}

/* ---------- requests ---------- */

typedef struct Api
{
	int16_t		key;
	void		(*handler) (GroupCoordinator *co, const GroupRequest *req);
} Api;

static const Api apis[] = {
	{8, offset_commit},
	{9, offset_fetch},
	{11, classic_join},
	{12, classic_heartbeat},
	{13, classic_leave},
	{14, classic_sync},
	{15, admin_describe},
	{16, admin_list},
	{42, admin_delete},
	{47, offset_delete},
	{68, consumer_heartbeat},
	{69, consumer_describe},
};

static const Api *
api_of(int key)
{
	for (int32_t i = 0; i < lengthof(apis); i++)
		if (apis[i].key == key)
			return &apis[i];
	return NULL;
}

bool
group_handles(int api_key)
{
	return api_of(api_key) != NULL;
}

void
group_request(GroupCoordinator *co, const GroupRequest *req, int64_t now_ms)
{
	GroupRequest clean = *req;

	co->now = now_ms;
	co->who = req->who;
	if (clean.client_id.len < 0)
		clean.client_id = GROUP_EMPTY_STRING;
	if (clean.client_host.len < 0)
		clean.client_host = GROUP_EMPTY_STRING;
	api_of(req->api_key)->handler(co, &clean);
}

/* ---------- timers ---------- */

int64_t
group_next_deadline(const GroupCoordinator *co)
{
	return co->n_timers > 0 ? co->heap[1]->when : INT64_MAX;
}

static void
fire(GroupCoordinator *co, GroupTimer *timer)
{
	switch (timer->kind)
	{
		case GROUP_TIMER_CLASSIC_SESSION:
			classic_session_timeout(timer->owner);
			break;
		case GROUP_TIMER_CLASSIC_PENDING:
			classic_pending_timeout(timer->owner);
			break;
		case GROUP_TIMER_CLASSIC_JOIN:
			classic_join_timeout(timer->owner);
			break;
		case GROUP_TIMER_CLASSIC_SYNC:
			classic_sync_timeout(timer->owner);
			break;
		case GROUP_TIMER_CONSUMER_SESSION:
		case GROUP_TIMER_CONSUMER_REBALANCE:
		case GROUP_TIMER_CONSUMER_JOIN:
		case GROUP_TIMER_CONSUMER_SYNC:
			consumer_timeout(timer->owner);
			break;
		case GROUP_TIMER_RETENTION:
			offset_retention(co);
			group_timer_set(co, &co->retention, GROUP_TIMER_RETENTION, NULL,
							co->now + co->settings.offsets_retention_check_interval_ms);
			break;
	}
}

void
group_tick(GroupCoordinator *co, int64_t now_ms)
{
	co->now = now_ms;
	co->who = 0;
	while (co->n_timers > 0 && co->heap[1]->when <= now_ms)
	{
		GroupTimer *timer = co->heap[1];

		group_timer_stop(co, timer);
		fire(co, timer);
	}
}

/* ---------- loading ---------- */

void
group_unload(GroupCoordinator *co, bool (*which) (void *arg, WireString group), void *arg)
{
	GroupMapScan scan;

	group_map_scan(&scan, &co->groups);
	for (Group *group; (group = group_map_next(&scan)) != NULL;)
		if (which(arg, group->id))
			group_remove(group);
	group_unload_owners(co, which, arg);
}

void
group_loaded(GroupCoordinator *co, int64_t now_ms)
{
	GroupMapScan scan;

	co->now = now_ms;
	co->loaded = true;
	group_map_scan(&scan, &co->groups);
	for (Group *group; (group = group_map_next(&scan)) != NULL;)
	{
		offset_drop_stale(group);
		if (group->kind == GROUP_KIND_CONSUMER)
			consumer_loaded(group);
		else
			classic_loaded(group);
	}
	group_drop_stale_owners(co);
	group_timer_set(co, &co->retention, GROUP_TIMER_RETENTION, NULL,
					now_ms + co->settings.offsets_retention_check_interval_ms);
}
