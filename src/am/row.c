/*-------------------------------------------------------------------------
 *
 * row.c
 *	  A record becomes a row.
 *
 * Keys and values are stored as the bytes of their type (bytea, text, json are
 * all a length and bytes), and were checked when they came; so a row is made by
 * copying.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "am/headers.h"
#include "am/row.h"

#include "datatype/timestamp.h"
#include "storage/itemptr.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#define UNIX_EPOCH_US ((int64) (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * USECS_PER_DAY)

/* A buffer that has grown beyond this shrinks again. */
#define ROW_KEEP_BUFFER (1024 * 1024)

TimestampTz
row_timestamp_from_ms(int64 ms)
{
	/* A client may send any number; what no timestamp can hold becomes the last one. */
	if (ms > END_TIMESTAMP / 1000 + UNIX_EPOCH_US / 1000 - 1)
		return END_TIMESTAMP - 1;
	return ms * 1000 - UNIX_EPOCH_US;
}

AmRow *
row_create(TupleDesc desc, const Bitmapset *columns, bool all)
{
	AmRow	   *row = palloc0(sizeof(AmRow));

	for (int i = 0; i < TOPIC_N_COLUMNS; i++)
		row->wanted[i] = all || bms_is_member(i + 1, columns);
	row->header_type = get_element_type(TupleDescAttr(desc, TOPIC_COL_HEADERS - 1)->atttypid);
	row->cxt = CurrentMemoryContext;
	row->headers_cxt = AllocSetContextCreate(CurrentMemoryContext, "pg_broker headers",
											 ALLOCSET_SMALL_SIZES);
	return row;
}

bool
row_wants_offset_only(const AmRow *row)
{
	return !row->wanted[TOPIC_COL_TS - 1] && !row->wanted[TOPIC_COL_KEY - 1] &&
		!row->wanted[TOPIC_COL_VALUE - 1] && !row->wanted[TOPIC_COL_HEADERS - 1];
}

static Datum
store_bytes(AmRow *row, AmRowBuffer *buffer, const char *data, int32 len)
{
	Size		need = (Size) len + VARHDRSZ;

	if (need > buffer->size || (buffer->size > ROW_KEEP_BUFFER && need < buffer->size / 4))
	{
		if (buffer->data != NULL)
			pfree(buffer->data);
		buffer->data = NULL;
		buffer->size = 0;
		if (!AllocSizeIsValid(need))
			ereport(ERROR,
					(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
					 errmsg("record of %d bytes is too large for a row", len)));
		buffer->data = MemoryContextAlloc(row->cxt, Max(need, 256));
		buffer->size = Max(need, 256);
	}
	SET_VARSIZE(buffer->data, need);
	memcpy(VARDATA(buffer->data), data, len);
	return PointerGetDatum(buffer->data);
}

void
row_store(AmRow *row, int32 partition, const Record *record, TupleTableSlot *slot)
{
	Datum	   *values = slot->tts_values;
	bool	   *isnull = slot->tts_isnull;

	ExecClearTuple(slot);

	values[TOPIC_COL_PARTITION - 1] = Int32GetDatum(partition);
	isnull[TOPIC_COL_PARTITION - 1] = false;
	values[TOPIC_COL_OFFSET - 1] = Int64GetDatum(record->offset);
	isnull[TOPIC_COL_OFFSET - 1] = false;

	/* A producer may leave the time out; that is -1. */
	isnull[TOPIC_COL_TS - 1] = record->timestamp < 0;
	if (record->timestamp >= 0)
		values[TOPIC_COL_TS - 1] = TimestampTzGetDatum(row_timestamp_from_ms(record->timestamp));

	isnull[TOPIC_COL_KEY - 1] = record->key_len < 0 || !row->wanted[TOPIC_COL_KEY - 1];
	if (!isnull[TOPIC_COL_KEY - 1])
		values[TOPIC_COL_KEY - 1] = store_bytes(row, &row->key, record->key, record->key_len);

	isnull[TOPIC_COL_VALUE - 1] = record->value_len < 0 || !row->wanted[TOPIC_COL_VALUE - 1];
	if (!isnull[TOPIC_COL_VALUE - 1])
		values[TOPIC_COL_VALUE - 1] = store_bytes(row, &row->value, record->value, record->value_len);

	isnull[TOPIC_COL_HEADERS - 1] = record->n_headers == 0 || !row->wanted[TOPIC_COL_HEADERS - 1];
	if (!isnull[TOPIC_COL_HEADERS - 1])
	{
		MemoryContext old_cxt;

		MemoryContextReset(row->headers_cxt);
		old_cxt = MemoryContextSwitchTo(row->headers_cxt);
		values[TOPIC_COL_HEADERS - 1] = headers_decode(row->header_type, record);
		MemoryContextSwitchTo(old_cxt);
	}

	ExecStoreVirtualTuple(slot);
	row_make_tid(partition, record->offset, &slot->tts_tid);
}

/* ---------- ctid ---------- */

void
row_make_tid(int32 partition, int64 offset, ItemPointer tid)
{
	/* Offset number 0 is invalid, and so there is none for the highest partitions. */
	ItemPointerSet(tid, (BlockNumber) (uint64) offset,
				   partition < PG_UINT16_MAX ? (OffsetNumber) (partition + 1) : InvalidOffsetNumber);
}

int32
row_tid_partition(ItemPointer tid)
{
	return (int32) ItemPointerGetOffsetNumberNoCheck(tid) - 1;
}

/* The one offset in [log_start, end_offset) that has the bits; false if there is none or more. */
bool
row_from_tid(ItemPointer tid, int64 log_start, int64 end_offset, int64 *offset)
{
	uint64		bits = ItemPointerGetBlockNumberNoCheck(tid);
	uint64		candidate = ((uint64) log_start & ~(uint64) PG_UINT32_MAX) | bits;

	if ((int64) candidate < log_start)
		candidate += (uint64) PG_UINT32_MAX + 1;
	if ((int64) candidate >= end_offset ||
		(int64) (candidate + PG_UINT32_MAX + 1) < end_offset)
		return false;
	*offset = (int64) candidate;
	return true;
}
