/*-------------------------------------------------------------------------
 *
 * record.c
 *	  Records of groups: written for a change, read when loading.
 *
 *-------------------------------------------------------------------------
 */
#include "group/internal.h"

#include "group/consumer.h"

/* ---------- writing ---------- */

static WireBytes
encode(GroupCoordinator *co, int prefix, const WireMessage *m, int version, const void *message)
{
	WireBytes	bytes;

	wire_writer_reset(&co->writer);
	wire_write_int16(&co->writer, (int16_t) prefix);
	if (!wire_encode(m, version, message, &co->writer))
	{
		/* Only memory can be the reason: the tables allow everything that we keep. */
		co->call.no_memory(co->call.arg);
		return WIRE_NULL_BYTES;
	}
	bytes.data = co->writer.data;
	bytes.len = (int32_t) co->writer.len;
	return group_out_bytes(co, bytes);
}

uint64_t
group_emit_for(GroupCoordinator *co, WireString group, WireGroupRecordType type, const void *key,
			   const void *value)
{
	const WireGroupRecord *format = wire_group_record(type);
	int			version = format->write_version;
	GroupRecord *record;

	/* A time of expiry is only in the format that old clients' commits ask for. */
	if (type == WIRE_RECORD_OFFSET_COMMIT && value &&
		((const OffsetCommitValue *) value)->expire_timestamp != -1)
		version = 1;

	if (co->n_records == co->cap_records)
	{
		co->cap_records = co->cap_records ? co->cap_records * 2 : 16;
		co->records = group_realloc(co, co->records, co->cap_records * sizeof(GroupRecord));
	}
	record = &co->records[co->n_records++];
	record->group = group_out_string(co, group);
	record->key = encode(co, type, format->key, 0, key);
	record->value = value ? encode(co, version, format->value, version, value) : WIRE_NULL_BYTES;

	co->last_record++;
	if (value == NULL)
		co->last_deletion = co->last_record;
	return co->last_record;
}

uint64_t
group_emit(Group *group, WireGroupRecordType type, const void *key, const void *value)
{
	GroupCoordinator *co = group->co;

	if (value)
		group_emit_owner(co, group->id);
	group_emit_for(co, group->id, type, key, value);
	if (type == WIRE_RECORD_OFFSET_COMMIT || type == WIRE_RECORD_OFFSET_CLAIM)
		group->offsets_after = co->last_record;
	else
		group->members_after = co->last_record;
	return co->last_record;
}

/* ---------- reading ---------- */

static void
replay_offset(GroupCoordinator *co, const OffsetCommitKey *key, const OffsetCommitValue *value)
{
	Group	   *group = group_find(co, key->group);

	if (group == NULL && value)
		group = group_make(co, key->group, GROUP_KIND_CLASSIC);
	if (group)
		offset_apply(group, key->topic, key->partition, value);
}

static void
replay_claim(GroupCoordinator *co, const OffsetClaimKey *key, const OffsetClaimValue *value)
{
	Group	   *group = group_find(co, key->group);

	if (group == NULL && value)
		group = group_make(co, key->group, GROUP_KIND_CLASSIC);
	if (group)
		offset_apply_claim(group, key->topic, value);
}

/*
 * The tombstone of a group's record.  The records of its offsets have
 * tombstones of their own, which compaction may have removed already, so that
 * what is still there now was committed later and stays.
 */
static void
replay_group_gone(Group *group)
{
	if (group->offsets.n == 0)
		group_remove(group);
	else
		group_become_empty(group);
}

static void
replay_classic(GroupCoordinator *co, const GroupMetadataKey *key, const GroupMetadataValue *value)
{
	Group	   *group = group_find(co, key->group);

	if (value == NULL)
	{
		/* It may have become a group of the other protocol meanwhile. */
		if (group && group->kind != GROUP_KIND_CONSUMER)
			replay_group_gone(group);
		return;
	}
	if (group == NULL)
		group = group_make(co, key->group, GROUP_KIND_CLASSIC);
	else if (group->kind == GROUP_KIND_CONSUMER)
		group_become_empty(group);
	group->kind = wire_string_is(value->protocol_type, GROUP_SQL_PROTOCOL) ? GROUP_KIND_SQL :
		GROUP_KIND_CLASSIC;
	classic_apply(group, value);
}

/*
 * The group that a record of the consumer protocol is about.  Tombstones make
 * no group, and leave a group of the other protocol alone.
 */
static Group *
replay_consumer_group(GroupCoordinator *co, WireString id, bool tombstone)
{
	Group	   *group = group_find(co, id);

	if (tombstone)
		return group && group->kind == GROUP_KIND_CONSUMER ? group : NULL;
	if (group == NULL)
		return group_make(co, id, GROUP_KIND_CONSUMER);
	if (group->kind != GROUP_KIND_CONSUMER)
		consumer_become(group);
	return group;
}

static void
replay(GroupCoordinator *co, WireGroupRecordType type, void *key, void *value)
{
	Group	   *group;

	switch (type)
	{
		case WIRE_RECORD_OFFSET_COMMIT_OLD:
		case WIRE_RECORD_OFFSET_COMMIT:
			replay_offset(co, key, value);
			return;
		case WIRE_RECORD_GROUP_METADATA:
			replay_classic(co, key, value);
			return;
		case WIRE_RECORD_OFFSET_CLAIM:
			replay_claim(co, key, value);
			return;
		case WIRE_RECORD_GROUP_OWNER:
			group_apply_owner(co, ((GroupOwnerKey *) key)->group, value);
			return;
		default:
			break;
	}

	/* All other keys begin with the group. */
	group = replay_consumer_group(co, *(WireString *) key, value == NULL);
	if (group == NULL)
		return;
	switch (type)
	{
		case WIRE_RECORD_CONSUMER_GROUP_METADATA:
			if (value == NULL)
				replay_group_gone(group);
			else
				consumer_apply_metadata(group, value);
			break;
		case WIRE_RECORD_CONSUMER_GROUP_PARTITION_METADATA:
			group->consumer.has_old_metadata = value != NULL;
			break;
		case WIRE_RECORD_CONSUMER_GROUP_MEMBER_METADATA:
			consumer_apply_member(group, ((ConsumerGroupMemberMetadataKey *) key)->member_id, value);
			break;
		case WIRE_RECORD_CONSUMER_GROUP_TARGET_METADATA:
			consumer_apply_target_metadata(group, value);
			break;
		case WIRE_RECORD_CONSUMER_GROUP_TARGET_MEMBER:
			consumer_apply_target(group, ((ConsumerGroupTargetAssignmentMemberKey *) key)->member_id, value);
			break;
		case WIRE_RECORD_CONSUMER_GROUP_CURRENT_MEMBER:
			consumer_apply_current(group, ((ConsumerGroupCurrentMemberAssignmentKey *) key)->member_id,
								   value);
			break;
		case WIRE_RECORD_CONSUMER_GROUP_REGEX:
			consumer_apply_regex(group, ((ConsumerGroupRegularExpressionKey *) key)->regular_expression,
								 value);
			break;
		default:
			break;
	}
}

/* The message behind a number that says its type or version; NULL if it can't be read. */
static void *
decode(GroupCoordinator *co, WireReader *r, const WireMessage *m, int version)
{
	void	   *message;

	if (version < m->versions.min || version > m->versions.max)
		return NULL;
	message = group_out_alloc(co, m->size);
	return wire_decode(m, version, r, &co->out, message) ? message : NULL;
}

GroupReplayResult
group_replay(GroupCoordinator *co, WireBytes key_bytes, WireBytes value_bytes, int64_t now_ms)
{
	WireReader	r;
	int			type;
	int			version;
	const WireGroupRecord *format;
	void	   *key;
	void	   *value = NULL;

	co->now = now_ms;
	if (key_bytes.len < 2)
		return GROUP_REPLAY_CORRUPT;
	wire_reader_init(&r, key_bytes.data, key_bytes.len);
	type = wire_read_int16(&r);
	format = wire_group_record(type);
	if (format == NULL)
		return GROUP_REPLAY_UNKNOWN;
	key = decode(co, &r, format->key, 0);
	if (key == NULL || ((WireString *) key)->len < 0)
		return GROUP_REPLAY_CORRUPT;
	if (value_bytes.len >= 0)
	{
		wire_reader_init(&r, value_bytes.data, value_bytes.len);
		version = wire_read_int16(&r);
		if (!r.failed && (version < format->value->versions.min || version > format->value->versions.max))
			return GROUP_REPLAY_UNKNOWN;
		value = decode(co, &r, format->value, version);
		if (value == NULL)
			return GROUP_REPLAY_CORRUPT;
	}
	replay(co, format->type, key, value);

	/* Answers and records can't be under way while loading. */
	wire_arena_reset(&co->out);
	return GROUP_REPLAYED;
}
