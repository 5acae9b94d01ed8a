/*-------------------------------------------------------------------------
 *
 * produce_batch.h
 *	  Records of one partition become batches and are appended, in pre-commit.
 *
 *-------------------------------------------------------------------------
 */
#ifndef AM_PRODUCE_BATCH_H
#define AM_PRODUCE_BATCH_H

#include "am/produce_buffer.h"
#include "utils/relcache.h"

typedef struct ProduceBatch ProduceBatch;

/* In CurrentMemoryContext; the relation stays open until the end. */
extern ProduceBatch *produce_batch_begin(Relation rel, const Topic *topic, int32 partition);
extern void produce_batch_add(ProduceBatch *b, const ProduceRecord *record);

/* Append what is left; the offsets of the first and the last record. */
extern void produce_batch_end(ProduceBatch *b, int64 *first_offset, int64 *last_offset);

#endif							/* AM_PRODUCE_BATCH_H */
