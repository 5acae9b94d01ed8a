/*-------------------------------------------------------------------------
 *
 * estimate.h
 *	  How many records are there?  From offsets alone, so cheap and current,
 *	  and a little high: aborted records and Kafka's markers use offsets too.
 *
 *-------------------------------------------------------------------------
 */
#ifndef AM_ESTIMATE_H
#define AM_ESTIMATE_H

#include "am/condition.h"
#include "utils/relcache.h"

/* In the whole topic. */
extern double estimate_records(Relation rel);

/* In a range. */
extern double estimate_range(Relation rel, const ConditionRange *range);

#endif							/* AM_ESTIMATE_H */
