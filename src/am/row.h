/*-------------------------------------------------------------------------
 *
 * row.h
 *	  A record becomes a row.
 *
 *-------------------------------------------------------------------------
 */
#ifndef AM_ROW_H
#define AM_ROW_H

#include "datatype/timestamp.h"
#include "executor/tuptable.h"
#include "nodes/bitmapset.h"
#include "topic/topic.h"
#include "wire/record.h"

typedef struct AmRowBuffer
{
	char	   *data;
	Size		size;
} AmRowBuffer;

/*
 * Holds the variable-length values of the row made last, which stay valid
 * until the next one is made.
 */
typedef struct AmRow
{
	bool		wanted[TOPIC_N_COLUMNS];
	Oid			header_type;	/* element type of the headers column */
	MemoryContext cxt;			/* of the buffers */
	MemoryContext headers_cxt;	/* of the headers */
	AmRowBuffer key;
	AmRowBuffer value;
} AmRow;

/*
 * `columns` are the attribute numbers that will be looked at (NULL: all); the others come
 * out as null.  Memory comes from CurrentMemoryContext.
 */
extern AmRow *row_create(TupleDesc desc, const Bitmapset *columns, bool all);

/* No column but partition and log_offset? */
extern bool row_wants_offset_only(const AmRow *row);

extern void row_store(AmRow *row, int32 partition, const Record *record, TupleTableSlot *slot);

/* Kafka's milliseconds as a timestamp. */
extern TimestampTz row_timestamp_from_ms(int64 ms);

/*
 * A row's ctid: partition and the low bits of the offset.  There is no such
 * thing on disk; it lets UPDATE ... FROM a topic look its record up again.
 */
extern void row_make_tid(int32 partition, int64 offset, ItemPointer tid);
extern bool row_from_tid(ItemPointer tid, int64 log_start, int64 end_offset, int64 *offset);
extern int32 row_tid_partition(ItemPointer tid);

#endif							/* AM_ROW_H */
