/*-------------------------------------------------------------------------
 *
 * consume.h
 *	  Consuming in SQL, and offsets that commit with rows: what the files of
 *	  this layer share.
 *
 * note.c			what the open transaction is about to commit
 * precommit.c		it is checked for the last time, and written
 * ask.c			the coordinator is asked
 * commit.c			broker.commit_offsets()
 * consumer.c		broker.consume()
 * committed.c		broker.committed()
 * seek.c			broker.seek()
 * manage.c			broker.release_group(), broker.delete_group()
 * views.c			what the views of groups are made of
 * find.c			records in the log
 * report.c			errors
 *
 *-------------------------------------------------------------------------
 */
#ifndef CONSUME_CONSUME_H
#define CONSUME_CONSUME_H

#include "compat.h"
#include "consume/note.h"
#include "exchange/call.h"
#include "exchange/session.h"
#include "lib/stringinfo.h"
#include "topic/topic.h"
#include "wire/bytes.h"
#include "wire/record.h"

#include "compat.h"

/* From _PG_init, after am_init(): offsets are held before records are appended. */
extern void consume_init(void);

/* ---------- report.c ---------- */

/* One line of an error's detail. */
extern void consume_mismatch(StringInfo mismatches, const char *topic, int32 partition, const char *format,
							 ...) pg_attribute_printf(4, 5);
extern void consume_report_mismatches(const char *group, const char *mismatches) pg_attribute_noreturn();

/* What the coordinator said, about this topic and partition. */
extern void consume_report_error(const char *group, int error, int kind, const char *topic, int32 partition)
	pg_attribute_noreturn();

/* ---------- find.c ---------- */

/*
 * The first record in [lo, hi) that is not older than since_ms (-1: any).  Of *record only offset and
 * timestamp are good.
 */
extern bool consume_first_record(Relation rel, int32 partition, int64 lo, int64 hi, int64 since_ms,
								 Record *record);

/* ---------- ask.c ---------- */

/* A palloc'd copy of what is known of a topic that exists, and which the user may read. */
extern Topic *consume_topic(text *name);

/* The name of a group that the user may use, as Kafka has it. */
extern char *consume_group(text *name);

/* Where a group is in some partitions. */
typedef struct ConsumeAsk
{
	const char *group;
	SessionPurpose purpose;
	const char *member;			/* NULL: not asked about */
	int32		generation;		/* -1: any */
	Note	  **notes;			/* of this group */
	int			n;
} ConsumeAsk;

/*
 * Ask the coordinator; if it goes away meanwhile, its successor.  The answer is palloc'd.
 */
extern char *consume_call(const Call *call, const WireWriter *message, uint32 *length);

/* An empty writer for a message, kept for the next one. */
extern WireWriter *consume_writer(void);

/* The answer is in the positions, unless there is no such group; and a palloc'd array of offsets. */
extern int64 *consume_ask(const ConsumeAsk *ask);

/* Ask if need be, until all positions are known, and claimed if that is the purpose. */
extern void consume_learn(const ConsumeAsk *ask, PositionState *states);

#endif /* CONSUME_CONSUME_H */
