/*-------------------------------------------------------------------------
 *
 * produce_batch.h
 *	  Batches of one partition are appended, in pre-commit.
 *
 *-------------------------------------------------------------------------
 */
#ifndef AM_PRODUCE_BATCH_H
#define AM_PRODUCE_BATCH_H

#include "topic/topic.h"
#include "utils/relcache.h"
#include "wire/record.h"

typedef struct ProduceAppend ProduceAppend;

/* In CurrentMemoryContext; the relation stays open until the end. */
extern ProduceAppend *produce_append_begin(Relation rel, const Topic *topic, int32 partition);

/*
 * Append the batch that the draft describes, whose header is filled in here.
 * explicit_base: its first offset, or -1 for the next one.
 */
extern void produce_append_batch(ProduceAppend *a, const BatchDraft *draft, int64 explicit_base, char *batch);

/* The offsets of the first and the last record; -1: there was none. */
extern void produce_append_end(ProduceAppend *a, int64 *first_offset, int64 *last_offset);

#endif							/* AM_PRODUCE_BATCH_H */
