/*-------------------------------------------------------------------------
 *
 * filter.h
 *	  Leaving records out of a record batch, as compaction does.
 *
 * What is left keeps its offsets: base offset and last offset delta of the batch stay
 * what they were, and so do producer, epoch and sequence, so that what the batch says
 * about its producer stays true.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_FILTER_H
#define WIRE_FILTER_H

#include "wire/record.h"

typedef struct BatchFilter BatchFilter;

extern BatchFilter *batch_filter_create(void);	/* NULL: no memory */
extern void batch_filter_free(BatchFilter *f);	/* NULL is fine */

/* Is the record to stay? */
typedef bool (*BatchFilterKeep) (const Record *record, void *arg);

typedef enum BatchFilterResult
{
	BATCH_FILTER_SAME,			/* all records stay, nothing is to be changed */
	BATCH_FILTER_CHANGED,		/* *result is the batch as it is to be */
	BATCH_FILTER_EMPTY,			/* none stays */
	BATCH_FILTER_CORRUPT,		/* the batch can't be read, or memory is short */
} BatchFilterResult;

/*
 * Pass the records of a batch through `keep`.  A batch in which a tombstone stays is
 * given delete_horizon (the time from which on tombstones may go), unless it has one.
 * *result is the filter's memory until the next call.
 */
extern BatchFilterResult batch_filter(BatchFilter *f, const char *batch, size_t len, BatchFilterKeep keep,
									  void *arg, int64_t delete_horizon, char **result, size_t *result_len);

/* The header of a batch without records, in place of this one: BATCH_HEADER_SIZE bytes. */
extern void batch_make_empty(const char *batch, char *empty);

#endif							/* WIRE_FILTER_H */
