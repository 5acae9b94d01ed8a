/*-------------------------------------------------------------------------
 *
 * produce.h
 *	  A row becomes a record of some partition.
 *
 *-------------------------------------------------------------------------
 */
#ifndef AM_PRODUCE_H
#define AM_PRODUCE_H

#include "datatype/timestamp.h"
#include "topic/topic.h"
#include "utils/relcache.h"

/* Kafka's milliseconds since 1970, rounded down. */
extern int64 produce_timestamp_ms(TimestampTz ts);

/*
 * Before some rows are produced to a topic: the caller has checked privileges and holds
 * RowExclusiveLock.  Rows without a time get that of this call.
 */
extern const Topic *produce_begin(Relation rel);

/*
 * Produce one record with the columns of a topic's row; chosen partition and
 * timestamp are put into values[].
 */
extern void produce_row(Relation rel, const Topic *topic, Datum *values, bool *isnull);

#endif							/* AM_PRODUCE_H */
