/*-------------------------------------------------------------------------
 *
 * log_test.c
 *	  The storage layer's functions, callable from SQL.
 *
 * Batches have a true header, and a payload that follows from a seed, which is kept
 * in the base timestamp; nothing in the storage looks into a payload.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "access/xlog.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/pg_lsn.h"
#include "utils/snapmgr.h"
#include "utils/uuid.h"

#include "log/internal.h"
#include "wire/batch.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(log_test_append);
PG_FUNCTION_INFO_V1(log_test_append_many);
PG_FUNCTION_INFO_V1(log_test_flush);
PG_FUNCTION_INFO_V1(log_test_replicated);
PG_FUNCTION_INFO_V1(log_test_read);
PG_FUNCTION_INFO_V1(log_test_slices);
PG_FUNCTION_INFO_V1(log_test_copy);
PG_FUNCTION_INFO_V1(log_test_batches);
PG_FUNCTION_INFO_V1(log_test_bounds);
PG_FUNCTION_INFO_V1(log_test_find_time);
PG_FUNCTION_INFO_V1(log_test_find_max_time);
PG_FUNCTION_INFO_V1(log_test_wait_advance);
PG_FUNCTION_INFO_V1(log_test_delete_records);
PG_FUNCTION_INFO_V1(log_test_retention);
PG_FUNCTION_INFO_V1(log_test_compact);
PG_FUNCTION_INFO_V1(log_test_page);
PG_FUNCTION_INFO_V1(log_test_topic);

static LogPartition *
open_partition(Relation rel, int32 partition)
{
	LogPartition *part = log_open(rel, partition);

	if (part == NULL)
		elog(ERROR, "no such partition");
	return part;
}

/* ---------- batches ---------- */

static char *
make_batch(int32 n_records, int32 size, int64 ts, int64 seed)
{
	char *b = palloc0(BATCH_HEADER_SIZE + size);
	uint64 x = (uint64) seed * UINT64CONST(0x9E3779B97F4A7C15) + 1;

	batch_put32(b + BATCH_OFF_LENGTH, BATCH_HEADER_SIZE + size - BATCH_PREFIX_SIZE);
	b[BATCH_OFF_MAGIC] = BATCH_MAGIC;
	batch_put32(b + BATCH_OFF_LAST_OFFSET_DELTA, n_records - 1);
	batch_put64(b + BATCH_OFF_BASE_TIMESTAMP, seed);
	batch_put64(b + BATCH_OFF_MAX_TIMESTAMP, ts);
	batch_put64(b + BATCH_OFF_PRODUCER_ID, BATCH_NO_PRODUCER_ID);
	batch_put16(b + BATCH_OFF_PRODUCER_EPOCH, BATCH_NO_PRODUCER_EPOCH);
	batch_put32(b + BATCH_OFF_BASE_SEQUENCE, BATCH_NO_SEQUENCE);
	batch_put32(b + BATCH_OFF_RECORD_COUNT, n_records);
	for (int32 i = 0; i < size; i++)
	{
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		b[BATCH_HEADER_SIZE + i] = (char) x;
	}
	batch_update_crc(b);
	return b;
}

static LogAppend
make_append(char *batch)
{
	LogAppend append = {0};

	append.batch = batch;
	append.length = batch_total_size(batch);
	append.explicit_offset = -1;
	return append;
}

static void
put_batch(ReturnSetInfo *rsinfo, const char *batch, uint32 length)
{
	Datum values[6];
	bool nulls[6] = {0};

	values[0] = Int64GetDatum(batch_base_offset(batch));
	values[1] = Int64GetDatum(batch_last_offset(batch));
	values[2] = Int64GetDatum(batch_base_timestamp(batch));
	values[3] = Int32GetDatum(length);
	values[4] = Int64GetDatum(batch_max_timestamp(batch));
	values[5] =
		BoolGetDatum(length == batch_total_size(batch) && batch_crc(batch) == batch_compute_crc(batch));
	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
}

/* ---------- append ---------- */

static Datum
make_row(FunctionCallInfo fcinfo, Datum *values, bool *nulls)
{
	TupleDesc desc;

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc), values, nulls));
}

Datum
log_test_append(PG_FUNCTION_ARGS)
{
	Relation rel = relation_open(PG_GETARG_OID(0), RowExclusiveLock);
	char *batch = make_batch(PG_GETARG_INT32(2), PG_GETARG_INT32(3), PG_GETARG_INT64(4), PG_GETARG_INT64(5));
	LogAppend append;
	LogResult result;
	Datum values[4];
	bool nulls[4] = {0};

	if (PG_GETARG_INT64(7) >= 0)
	{
		batch_put64(batch + BATCH_OFF_PRODUCER_ID, PG_GETARG_INT64(7));
		batch_put16(batch + BATCH_OFF_PRODUCER_EPOCH, (int16) PG_GETARG_INT32(8));
		batch_put32(batch + BATCH_OFF_BASE_SEQUENCE, PG_GETARG_INT32(9));
		batch_update_crc(batch);
	}
	append = make_append(batch);
	append.transactional = PG_GETARG_BOOL(6);
	append.explicit_offset = PG_GETARG_INT64(10);
	append.segment_ms = PG_GETARG_INT64(11);
	append.segment_bytes = PG_GETARG_INT64(12);
	result = log_append(rel, open_partition(rel, PG_GETARG_INT32(1)), &append);
	if (result == LOG_OK && !append.transactional)
		log_flush_request(append.lsn);

	values[0] = Int32GetDatum(result);
	values[1] = Int64GetDatum(append.base_offset);
	values[2] = Int64GetDatum(append.last_offset);
	values[3] = LSNGetDatum(append.lsn);
	nulls[1] = nulls[2] = nulls[3] = result > LOG_DUPLICATE;
	relation_close(rel, NoLock);
	PG_RETURN_DATUM(make_row(fcinfo, values, nulls));
}

Datum
log_test_append_many(PG_FUNCTION_ARGS)
{
	Relation rel = relation_open(PG_GETARG_OID(0), RowExclusiveLock);
	LogPartition *part = open_partition(rel, PG_GETARG_INT32(1));
	int64 ts = PG_GETARG_INT64(5);
	char *batch = make_batch(PG_GETARG_INT32(3), PG_GETARG_INT32(4), ts, 0);
	LogAppend append = make_append(batch);

	for (int32 i = 0; i < PG_GETARG_INT32(2); i++)
	{
		CHECK_FOR_INTERRUPTS();
		batch_put64(batch + BATCH_OFF_MAX_TIMESTAMP, ts + i);
		batch_put64(batch + BATCH_OFF_BASE_TIMESTAMP, i);
		batch_update_crc(batch);
		if (log_append(rel, part, &append) != LOG_OK)
			elog(ERROR, "not appended");
	}
	log_flush_request(append.lsn);
	relation_close(rel, NoLock);
	PG_RETURN_INT64(append.last_offset);
}

/* What an acknowledgement waits for. */
Datum
log_test_flush(PG_FUNCTION_ARGS)
{
	XLogFlush(log_flush_target());
	log_flush_done();
	PG_RETURN_VOID();
}

Datum
log_test_replicated(PG_FUNCTION_ARGS)
{
	log_replicated(PG_GETARG_LSN(0));
	PG_RETURN_VOID();
}

/* ---------- read ---------- */

Datum
log_test_read(PG_FUNCTION_ARGS)
{
	Relation rel = relation_open(PG_GETARG_OID(0), AccessShareLock);
	bool mvcc = PG_GETARG_BOOL(4);
	LogReader *reader;
	char *batch;
	uint32 length;

	InitMaterializedSRF(fcinfo, 0);
	reader = log_reader_begin(rel, PG_GETARG_INT32(1), PG_GETARG_INT64(2), PG_GETARG_INT64(3),
							  mvcc ? GetActiveSnapshot() : InvalidSnapshot,
							  mvcc ? log_scan_end(rel, PG_GETARG_INT32(1)) : 0, PG_GETARG_BOOL(5));
	while ((batch = log_reader_next(reader, &length)) != NULL)
		put_batch((ReturnSetInfo *) fcinfo->resultinfo, batch, length);
	log_reader_end(reader);
	relation_close(rel, NoLock);
	return (Datum) 0;
}

Datum
log_test_slices(PG_FUNCTION_ARGS)
{
	Relation rel = relation_open(PG_GETARG_OID(0), AccessShareLock);
	LogPartition *part = open_partition(rel, PG_GETARG_INT32(1));
	int max_slices = PG_GETARG_INT32(6);
	LogSlice *slices = palloc(max_slices * sizeof(LogSlice));
	LogSliceInfo info;
	LogBounds bounds;
	int64 end_offset;

	InitMaterializedSRF(fcinfo, 0);
	log_bounds(rel, part, &bounds);
	end_offset = PG_ARGISNULL(3) ? bounds.high_watermark : PG_GETARG_INT64(3);
	if (!log_find_slices(rel, part, PG_GETARG_INT64(2), end_offset, PG_GETARG_INT32(4), PG_GETARG_BOOL(5),
						 slices, max_slices, &info))
		elog(ERROR, "offset is out of range");
	for (int i = 0; i < info.n_slices; i++)
	{
		Datum values[4];
		bool nulls[4] = {0};
		ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;

		values[0] = Int64GetDatum(slices[i].block);
		values[1] = Int64GetDatum(slices[i].position);
		values[2] = Int32GetDatum(slices[i].length);
		values[3] = Int64GetDatum(info.next_offset);
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	relation_close(rel, NoLock);
	return (Datum) 0;
}

Datum
log_test_copy(PG_FUNCTION_ARGS)
{
	Relation rel = relation_open(PG_GETARG_OID(0), AccessShareLock);
	uint32 len = PG_GETARG_INT32(6);
	bytea *result = palloc(VARHDRSZ + len);
	LogSlice slice;
	bool there;

	slice.node = rel->rd_node;
	slice.partition = PG_GETARG_INT32(1);
	slice.block = PG_GETARG_INT64(2);
	slice.position = PG_GETARG_INT64(3);
	slice.length = PG_GETARG_INT32(4);
	if (PG_GETARG_INT32(5) + len > slice.length)
		elog(ERROR, "more than the slice has");
	SET_VARSIZE(result, VARHDRSZ + len);
	there = log_slice_copy(rel, &slice, PG_GETARG_INT32(5), VARDATA(result), len);
	relation_close(rel, NoLock);
	if (!there)
		PG_RETURN_NULL();
	PG_RETURN_BYTEA_P(result);
}

Datum
log_test_batches(PG_FUNCTION_ARGS)
{
	bytea *bytes = PG_GETARG_BYTEA_PP(0);
	const char *p = VARDATA_ANY(bytes);
	const char *end = p + VARSIZE_ANY_EXHDR(bytes);

	InitMaterializedSRF(fcinfo, 0);
	while (p < end)
	{
		if (end - p < BATCH_HEADER_SIZE || batch_total_size(p) > end - p ||
			batch_total_size(p) < BATCH_HEADER_SIZE)
			elog(ERROR, "not a sequence of whole batches");
		put_batch((ReturnSetInfo *) fcinfo->resultinfo, p, batch_total_size(p));
		p += batch_total_size(p);
	}
	return (Datum) 0;
}

Datum
log_test_bounds(PG_FUNCTION_ARGS)
{
	Relation rel = relation_open(PG_GETARG_OID(0), AccessShareLock);
	LogBounds bounds;
	Datum values[7];
	bool nulls[7] = {0};

	log_bounds(rel, open_partition(rel, PG_GETARG_INT32(1)), &bounds);
	values[0] = Int64GetDatum(bounds.log_start);
	values[1] = Int64GetDatum(bounds.high_watermark);
	values[2] = Int64GetDatum(bounds.end_offset);
	values[3] = Int64GetDatum(bounds.flushed);
	values[4] = Int64GetDatum(bounds.size_bytes);
	values[5] = Int32GetDatum(bounds.n_undecided);
	values[6] = Int64GetDatum(log_scan_end(rel, PG_GETARG_INT32(1)));
	relation_close(rel, NoLock);
	PG_RETURN_DATUM(make_row(fcinfo, values, nulls));
}

Datum
log_test_find_time(PG_FUNCTION_ARGS)
{
	Relation rel = relation_open(PG_GETARG_OID(0), AccessShareLock);
	int64 result = log_find_time(rel, open_partition(rel, PG_GETARG_INT32(1)), PG_GETARG_INT64(2));

	relation_close(rel, NoLock);
	PG_RETURN_INT64(result);
}

Datum
log_test_find_max_time(PG_FUNCTION_ARGS)
{
	Relation rel = relation_open(PG_GETARG_OID(0), AccessShareLock);
	LogMaxSearch search = {0};

	while (!log_find_max_time(rel, open_partition(rel, PG_GETARG_INT32(1)), &search, 3))
		CHECK_FOR_INTERRUPTS();
	relation_close(rel, NoLock);
	PG_RETURN_INT64(search.offset);
}

Datum
log_test_wait_advance(PG_FUNCTION_ARGS)
{
	Relation rel = relation_open(PG_GETARG_OID(0), AccessShareLock);
	RelFileNode node = rel->rd_node;

	(void) open_partition(rel, PG_GETARG_INT32(1));
	relation_close(rel, AccessShareLock);
	PG_RETURN_BOOL(log_wait_advance(&node, PG_GETARG_INT32(1), PG_GETARG_INT64(2), PG_GETARG_INT32(3)));
}

/* ---------- retention ---------- */

Datum
log_test_delete_records(PG_FUNCTION_ARGS)
{
	Relation rel = relation_open(PG_GETARG_OID(0), ShareUpdateExclusiveLock);
	int64 result = log_delete_records(rel, open_partition(rel, PG_GETARG_INT32(1)), PG_GETARG_INT64(2));

	relation_close(rel, NoLock);
	PG_RETURN_INT64(result);
}

Datum
log_test_retention(PG_FUNCTION_ARGS)
{
	Relation rel = relation_open(PG_GETARG_OID(0), ShareUpdateExclusiveLock);
	LogRetention policy;
	int freed;

	policy.retention_ms = PG_GETARG_INT64(2);
	policy.retention_bytes = PG_GETARG_INT64(3);
	policy.now_ms = PG_GETARG_INT64(4);
	policy.segment_ms = PG_GETARG_INT64(5);
	policy.segment_bytes = 0;
	freed = log_apply_retention(rel, open_partition(rel, PG_GETARG_INT32(1)), &policy);
	relation_close(rel, NoLock);
	PG_RETURN_INT32(freed);
}

/* ---------- compaction ---------- */

static LogVerdict
drop_multiples(void *arg, const char *batch, uint32 length, const char **replacement,
			   uint32 *replacement_length)
{
	return batch_base_timestamp(batch) % *(int32 *) arg == 0 ? LOG_DROP : LOG_KEEP;
}

Datum
log_test_compact(PG_FUNCTION_ARGS)
{
	Relation rel = relation_open(PG_GETARG_OID(0), ShareUpdateExclusiveLock);
	LogPartition *part = open_partition(rel, PG_GETARG_INT32(1));
	int32 drop_every = PG_GETARG_INT32(2);
	LogCleanable cleanable;
	LogRewriteStats stats = {0};
	int64 offset;

	log_cleanable(rel, part, PG_INT64_MAX, &cleanable);
	offset = cleanable.first_dirty;
	while (offset >= 0 && offset < cleanable.end)
	{
		offset = log_rewrite(rel, part, offset, cleanable.end, drop_multiples, &drop_every, &stats);
		if (offset >= 0)
			log_set_clean(rel, part, offset);
	}
	relation_close(rel, NoLock);
	PG_RETURN_INT64(stats.extents_replaced);
}

/* ---------- pages ---------- */

static const char *
kind_name(uint16 kind)
{
	switch (kind)
	{
		case LOG_PAGE_FREE:
			return "free";
		case LOG_PAGE_META:
			return "meta";
		case LOG_PAGE_ROOT:
			return "root";
		case LOG_PAGE_LEAF:
			return "leaf";
		case LOG_PAGE_SUMMARY:
			return "summary";
		case LOG_PAGE_DATA:
			return "data";
		case LOG_PAGE_TXN:
			return "txn";
	}
	return "?";
}

Datum
log_test_page(PG_FUNCTION_ARGS)
{
	Relation rel = relation_open(PG_GETARG_OID(0), AccessShareLock);
	Buffer buffer = log_read_buffer(rel, PG_GETARG_INT64(1));
	Page page = palloc(BLCKSZ);
	LogStamp *stamp = LogPageStamp(page);
	Size length;
	bytea *content;
	Datum values[8];
	bool nulls[8] = {0};

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	memcpy(page, BufferGetPage(buffer), BLCKSZ);
	UnlockReleaseBuffer(buffer);
	relation_close(rel, NoLock);
	if (PageIsNew(page))
		PG_RETURN_NULL();

	length = ((PageHeader) page)->pd_lower - LOG_CONTENT_START;
	content = palloc(VARHDRSZ + length);
	SET_VARSIZE(content, VARHDRSZ + length);
	memcpy(VARDATA(content), LogPageContent(page), length);
	values[0] = CStringGetTextDatum(kind_name(stamp->kind));
	values[1] = Int32GetDatum(stamp->partition);
	values[2] = Int64GetDatum(stamp->position);
	values[3] = Int64GetDatum(stamp->first_offset);
	values[4] = Int64GetDatum(stamp->max_timestamp);
	values[5] = Int32GetDatum(stamp->first_batch);
	values[6] = Int32GetDatum(((PageHeader) page)->pd_lower);
	values[7] = PointerGetDatum(content);
	PG_RETURN_DATUM(make_row(fcinfo, values, nulls));
}

Datum
log_test_topic(PG_FUNCTION_ARGS)
{
	Relation rel = relation_open(PG_GETARG_OID(0), AccessShareLock);
	LogTopicInfo info;
	Datum values[2];
	bool nulls[2] = {0};

	log_topic_info(rel, &info);
	relation_close(rel, NoLock);
	values[0] = UUIDPGetDatum(&info.topic_id);
	values[1] = Int32GetDatum(info.n_partitions);
	PG_RETURN_DATUM(make_row(fcinfo, values, nulls));
}
