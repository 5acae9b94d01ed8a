/*-------------------------------------------------------------------------
 *
 * estimate.c
 *	  How many records are there?
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "am/estimate.h"
#include "log/log.h"

/* A topic with more partitions than this is estimated from a sample of them. */
#define ESTIMATE_MAX_PARTITIONS 64

/* The share of a partition's records that a range of times has, if time passed evenly. */
static double
time_share(const LogBounds *bounds, const ConditionRange *range)
{
	double		first = bounds->first_timestamp;
	double		last = bounds->max_timestamp;
	double		lo = Max(first, (double) range->time_lo);
	double		hi = Min(last, (double) range->time_hi);

	if (lo > hi)
		return 0;
	return last > first ? (hi - lo) / (last - first) : 1;
}

static double
estimate_partition(Relation rel, int32 partition, const ConditionRange *range)
{
	LogPartition *part = log_open(rel, partition);
	LogBounds	bounds;
	int64		lo,
				hi;
	double		n;

	if (part == NULL)
		return 0;
	log_bounds(rel, part, &bounds);
	lo = Max(range->offset_lo, bounds.log_start);
	hi = Min(range->offset_hi, bounds.end_offset - 1);
	if (lo > hi)
		return 0;
	n = (double) (hi - lo) + 1;
	if (range->offsets != NULL)
		n = Min(n, range->n_offsets);
	return n * time_share(&bounds, range);
}

double
estimate_range(Relation rel, const ConditionRange *range)
{
	LogTopicInfo info;
	int64		first,
				last,
				n,
				step;
	int64		sampled = 0;
	double		sum = 0;

	if (range->empty)
		return 0;
	log_topic_info(rel, &info);
	first = range->partition_lo;
	last = Min(range->partition_hi, info.n_partitions - 1);
	n = range->partitions != NULL ? range->n_partitions : last - first + 1;
	if (n <= 0)
		return 0;

	step = (n + ESTIMATE_MAX_PARTITIONS - 1) / ESTIMATE_MAX_PARTITIONS;
	for (int64 i = 0; i < n; i += step)
	{
		int64		p = range->partitions != NULL ? range->partitions[i] : first + i;

		if (p >= first && p <= last)
			sum += estimate_partition(rel, p, range);
		sampled++;
	}
	return sum * n / sampled;
}

double
estimate_records(Relation rel)
{
	ConditionRange all;

	condition_range_init(&all);
	return estimate_range(rel, &all);
}
