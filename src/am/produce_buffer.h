/*-------------------------------------------------------------------------
 *
 * produce_buffer.h
 *	  The records that the open transaction is about to produce.
 *
 *-------------------------------------------------------------------------
 */
#ifndef AM_PRODUCE_BUFFER_H
#define AM_PRODUCE_BUFFER_H

#include "topic/topic.h"
#include "wire/record.h"

/* A record before it has an offset.  Key and value are NULL, and their lengths -1, for null. */
typedef struct ProduceRecord
{
	int64		timestamp;
	int64		explicit_offset;	/* -1: the next one, at commit */
	int32		key_len;
	int32		value_len;
	int32		n_headers;
	const char *key;
	const char *value;
	const RecordHeader *headers;
} ProduceRecord;

/* Keep a copy of the record until pre-commit, unless its subtransaction aborts. */
extern void produce_buffer_add(const Topic *topic, int32 partition, const ProduceRecord *record);

/* The topic was emptied: forget its records, unless that is rolled back. */
extern void produce_buffer_truncate(Oid relid);

/* What the last transaction that produced and committed gave to a partition. */
typedef struct ProducedRange
{
	int32		partition;
	int64		first_offset;
	int64		last_offset;
	char		topic[TOPIC_NAME_MAX + 1];
} ProducedRange;

extern const ProducedRange *produce_buffer_last(int *n);

#endif							/* AM_PRODUCE_BUFFER_H */
