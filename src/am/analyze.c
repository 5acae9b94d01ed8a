/*-------------------------------------------------------------------------
 *
 * analyze.c
 *	  ANALYZE's sampling.
 *
 * ANALYZE thinks in blocks: it picks some of the file's and asks for their rows.
 * Rows don't lie in blocks here, so the records of all partitions are dealt
 * out to the file's blocks evenly, in order: block b has records b*R/B to
 * (b+1)*R/B.  Blocks are asked for in ascending order, so the records are
 * mostly found by reading on.
 *
 * Nothing here raises for what is in the records.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "am/am.h"
#include "am/tablescan.h"

#include "storage/bufmgr.h"
#include "utils/memutils.h"
#include "utils/rel.h"

/* A gap of up to this many records is read over rather than looked up. */
#define SAMPLE_READ_OVER 1000

typedef struct AmSampler
{
	double		n_blocks;
	double		n_records;		/* of all ranges */
	int			range;			/* the range that the sample is in */
	double		before;			/* records of the ranges before it */
	int64		lo;				/* what is to be returned of it next */
	int64		hi;
	int			open_range;		/* where the cursor is; -1: nowhere */
	int64		position;		/* and what it has read up to */
	Record		record;			/* read ahead */
	bool		have_record;
	AmCursor   *cursor;
	double		block_end;		/* end of the block, in records of all ranges */
} AmSampler;

static AmSampler *
sampler_create(AmTableScan *ts)
{
	AmSampler  *s;
	MemoryContext old_cxt = MemoryContextSwitchTo(ts->cxt);

	s = palloc0(sizeof(AmSampler));
	s->n_blocks = Max(1, RelationGetNumberOfBlocks(ts->base.rs_rd));
	for (int i = 0; i < ts->ranges.n; i++)
		s->n_records += ts->ranges.ranges[i].hi - ts->ranges.ranges[i].lo;
	s->open_range = -1;
	s->cursor = cursor_create(ts->base.rs_rd, InvalidSnapshot, false);
	cursor_set_quiet(s->cursor);
	MemoryContextSwitchTo(old_cxt);
	return s;
}

/* Set lo and hi to what the block has in the current range, or those after it; false: nothing more. */
static bool
next_part(AmTableScan *ts, AmSampler *s, double from)
{
	for (; s->range < ts->ranges.n; s->range++)
	{
		AmRange    *r = &ts->ranges.ranges[s->range];
		double		n = r->hi - r->lo;

		if (from < s->before + n)
		{
			if (s->block_end <= s->before)
				return false;
			s->lo = r->lo + (int64) Max(from - s->before, 0);
			s->hi = r->lo + (int64) Min(s->block_end - s->before, n);
			return true;
		}
		s->before += n;
	}
	return false;
}

static bool
begin_block(AmTableScan *ts, BlockNumber block)
{
	AmSampler  *s;
	double		from;

	if (ts->sampler == NULL)
		ts->sampler = sampler_create(ts);
	s = ts->sampler;
	from = floor(s->n_records / s->n_blocks * block);
	s->block_end = floor(s->n_records / s->n_blocks * ((double) block + 1));
	if (from < s->before)
	{
		s->range = 0;
		s->before = 0;
	}
	s->lo = s->hi = 0;
	return s->block_end > from && next_part(ts, s, from);
}

#if PG_VERSION_NUM >= 170000
/* Since 17 the blocks come as buffers that have been read. */
bool
am_scan_analyze_next_block(TableScanDesc scan, ReadStream *stream)
{
	for (;;)
	{
		Buffer		buffer = read_stream_next_buffer(stream, NULL);
		BlockNumber block;

		if (!BufferIsValid(buffer))
			return false;
		block = BufferGetBlockNumber(buffer);
		ReleaseBuffer(buffer);
		if (begin_block((AmTableScan *) scan, block))
			return true;
	}
}
#else
bool
am_scan_analyze_next_block(TableScanDesc scan, BlockNumber blockno, BufferAccessStrategy bstrategy)
{
	/* A block without rows counts like one with rows: it is part of the file. */
	(void) begin_block((AmTableScan *) scan, blockno);
	return true;
}
#endif

/* The first record at or after lo, if it is below hi. */
static bool
read_record(AmTableScan *ts, AmSampler *s)
{
	AmRange    *r = &ts->ranges.ranges[s->range];

	if (s->open_range != s->range || s->lo < s->position || s->lo > s->position + SAMPLE_READ_OVER)
	{
		cursor_open(s->cursor, r->partition, s->lo, r->hi, r->scan_end);
		s->open_range = s->range;
		s->position = s->lo;
		s->have_record = false;
	}
	for (;;)
	{
		if (!s->have_record)
		{
			if (!cursor_next(s->cursor, &s->record))
			{
				s->position = r->hi;
				return false;
			}
			s->have_record = true;
			s->position = s->record.offset;
		}
		if (s->record.offset >= s->hi)
			return false;
		s->have_record = false;
		s->position = s->record.offset + 1;
		if (s->record.offset >= s->lo)
			return true;
	}
}

bool
am_scan_analyze_next_tuple(TableScanDesc scan, TransactionId OldestXmin, double *liverows,
						   double *deadrows, TupleTableSlot *slot)
{
	AmTableScan *ts = (AmTableScan *) scan;
	AmSampler  *s = ts->sampler;

	while (s->lo < s->hi)
	{
		AmRange    *r = &ts->ranges.ranges[s->range];

		if (read_record(ts, s))
		{
			s->lo = s->record.offset + 1;
			row_store(ts->scan->row, r->partition, &s->record, slot);
			*liverows += 1;
			return true;
		}
		/* The block may go on in the next range. */
		if (!next_part(ts, s, s->before + (s->hi - r->lo)))
			break;
	}
	ExecClearTuple(slot);
	s->hi = s->lo;
	return false;
}
