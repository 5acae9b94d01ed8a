/*-------------------------------------------------------------------------
 *
 * precommit.c
 *	  Offsets of groups, in the transaction that is about to commit.
 *
 * First all positions are held, and thereby checked; then the new offsets are appended to
 * __consumer_offsets, as records of this transaction.  Consumers and the coordinator
 * learn of them when it has committed.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "access/xact.h"
#include "am/produce.h"
#include "consume/consume.h"
#include "consume/note.h"
#include "lib/stringinfo.h"
#include "log/log.h"
#include "log/stop_point.h"
#include "topic/group_log.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"
#include "wire/partitioner.h"
#include "wire/record_group.h"

static WireWriter key_writer;
static WireWriter value_writer;

/* ---------- holding ---------- */

/*
 * The topic, locked until the transaction ends, so that it is not dropped before its offsets are
 * settled.  NULL: it is gone, or another one has its name.
 */
static Relation
lock_topic(const Note *note)
{
	Relation	rel = try_relation_open(note->relid, AccessShareLock);
	LogTopicInfo info;

	if (rel == NULL)
		return NULL;
	if (topic_is_topic(note->relid))
	{
		log_topic_info(rel, &info);
		if (memcmp(info.topic_id.data, note->key.topic_id, UUID_LEN) == 0)
			return rel;
	}
	relation_close(rel, NoLock);
	return NULL;
}

/* Lock before holding: who holds a position waits for nothing that others may have. */
static void
lock_topics(Note **notes, int n, StringInfo mismatches)
{
	for (int i = 0; i < n; i++)
	{
		Relation	rel;

		if (i > 0 && notes[i]->relid == notes[i - 1]->relid)
			continue;
		rel = lock_topic(notes[i]);
		if (rel)
			relation_close(rel, NoLock);
		else
			consume_mismatch(mismatches, notes[i]->topic, notes[i]->key.partition, "the topic was dropped");
	}
}

static void
hold(Note *note, StringInfo mismatches)
{
	int64		offset;
	int64		low = 0;

	/*
	 * A position that moved to or before our first record has passed records that we saw to be
	 * none of ours. If there was no position we saw nothing: now there may be records in between.
	 */
	if (note->start == POSITION_NONE && !note->state.may_skip)
		low = note->state.first;
	switch (position_hold(note->position, note->fence, low, note->state.first, &offset))
	{
		case POSITION_HELD:
			note->held = true;
			break;
		case POSITION_FENCED:
			consume_mismatch(mismatches, note->topic, note->key.partition,
							 "it was given to another consumer, or its offset was reset or deleted");
			break;
		case POSITION_BEFORE:
			consume_mismatch(
				mismatches, note->topic, note->key.partition,
				"another transaction has given the group its first position, %lld, before offset %lld",
				(long long) offset, (long long) note->state.first);
			break;
		case POSITION_PASSED:
			consume_mismatch(mismatches, note->topic, note->key.partition,
							 "another transaction has moved the group's position to %lld, past offset %lld",
							 (long long) offset, (long long) note->state.first);
			break;
	}
}

/* ---------- writing ---------- */

static void
encode(WireWriter *w, int prefix, const WireMessage *m, int version, const void *message)
{
	if (w->max == 0)
		wire_writer_init(w, MaxAllocSize);
	wire_writer_reset(w);
	wire_write_int16(w, prefix);
	if (!wire_encode(m, version, message, w))
		ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
}

static void
add_record(const Note *note, int64 now_ms)
{
	const WireGroupRecord *format = wire_group_record(WIRE_RECORD_OFFSET_COMMIT);
	OffsetCommitKey key = {.group = wire_string(note->key.group),
						   .topic = wire_string(note->topic),
						   .partition = note->key.partition};
	OffsetCommitValue value;
	PositionValue next = {.offset = note->state.next, .commit_ms = now_ms, .leader_epoch = -1};

	next.metadata = note->state.metadata;
	next.metadata_len = next.metadata ? strlen(next.metadata) : 0;
	position_set_next(note->position, &next);

	WIRE_INIT(OffsetCommitValue, &value);
	value.offset = next.offset;
	value.metadata = next.metadata ? wire_string(next.metadata) : wire_string("");
	value.commit_timestamp = now_ms;
	memcpy(value.topic_id.bytes, note->key.topic_id, sizeof(value.topic_id.bytes));
	encode(&key_writer, format->type, format->key, 0, &key);
	encode(&value_writer, format->write_version, format->value, format->write_version, &value);
	group_log_add(now_ms, (WireBytes) {key_writer.data, key_writer.len},
				  (WireBytes) {value_writer.data, value_writer.len});
}

static void
write_offsets(Relation rel, Note **notes, int n)
{
	int64		now_ms = produce_timestamp_ms(GetCurrentTimestamp());
	LogTopicInfo info;

	log_topic_info(rel, &info);
	for (int i = 0, end; i < n; i = end)
	{
		group_log_begin();
		for (end = i; end < n && strcmp(notes[end]->key.group, notes[i]->key.group) == 0; end++)
			add_record(notes[end], now_ms);
		(void) group_log_append(
			rel, partitioner_group_partition(wire_string(notes[i]->key.group), info.n_partitions), true);
	}
}

void
note_precommit(Note **notes, int n)
{
	Oid			relid = group_log_relid();
	Relation	rel;
	StringInfoData mismatches;

	/* The coordinator made it when it was first asked about the group. */
	if (!OidIsValid(relid))
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_TABLE),
						errmsg("topic \"%s\" does not exist", PARTITIONER_GROUP_TOPIC)));
	(void) GetTopTransactionId();
	rel = relation_open(relid, RowExclusiveLock);

	initStringInfo(&mismatches);
	lock_topics(notes, n, &mismatches);
	for (int i = 0; i < n; i++)
		hold(notes[i], &mismatches);
	if (mismatches.len > 0)
		consume_report_mismatches(notes[0]->key.group, mismatches.data);
	LOG_STOP_POINT("offsets-held");
	write_offsets(rel, notes, n);
	LOG_STOP_POINT("offsets-written");
	relation_close(rel, NoLock);
}
