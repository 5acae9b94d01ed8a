/*-------------------------------------------------------------------------
 *
 * record.h
 *	  The records inside a batch: reading them one by one, and building a batch.
 *
 * A record is
 *
 *		length			varint, of what follows
 *		attributes		1 byte, unused
 *		timestamp delta varlong, to the batch's base timestamp
 *		offset delta	varint, to the batch's base offset
 *		key				varint length (-1: null), bytes
 *		value			likewise
 *		headers			varint count, each: key as above but not null, value
 *
 * with zigzag varints of 7 bits a byte, least significant first.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_RECORD_H
#define WIRE_RECORD_H

#include "wire/batch.h"
#include "wire/codec.h"

typedef enum RecordResult
{
	RECORD_OK = 0,
	RECORD_END,
	RECORD_CORRUPT,
	RECORD_TOO_LARGE,
	RECORD_NO_MEMORY
} RecordResult;

/* A sentence on the result. */
extern const char *record_result_message(RecordResult result);

/* ---------- reading ---------- */

struct Record
{
	int64_t		offset;
	int64_t		timestamp;		/* the batch's max timestamp under LogAppendTime */
	int64_t		create_timestamp;	/* what the producer gave */
	const char *key;			/* NULL when null */
	const char *value;
	const char *headers;		/* undecoded, see record_headers_next */
	int32_t		key_len;		/* -1 when null */
	int32_t		value_len;
	int32_t		headers_len;
	int32_t		n_headers;
	int32_t		offset_delta;
	int32_t		size;			/* of the whole record, unpacked */
	int8_t		attributes;
};

/*
 * A reader is made once and used for many batches.  It checks all it reads, so
 * the batch may come from anywhere; only batch_is_whole() must hold.
 */
extern RecordReader *record_reader_create(void);	/* NULL: no memory */
extern void record_reader_free(RecordReader *r);	/* NULL is fine */

/*
 * Start with a batch, which stays in place until the last record is read.  `max_uncompressed` 0:
 * BATCH_DEFAULT_MAX_UNCOMPRESSED.  RECORD_CORRUPT for an unknown codec.
 */
extern RecordResult record_reader_begin(RecordReader *r, const char *batch, size_t len,
										int64_t max_uncompressed);

/*
 * The next record.  What *record points to stays until the next call.  RECORD_END comes after as many
 * records as the header announces, and only if nothing is left over.
 */
extern RecordResult record_reader_next(RecordReader *r, Record *record);

/* Unpacked bytes of the records read so far. */
extern int64_t record_reader_bytes(const RecordReader *r);

typedef struct RecordHeader
{
	const char *key;
	const char *value;			/* NULL when null */
	int32_t		key_len;
	int32_t		value_len;		/* -1 when null */
} RecordHeader;

/*
 * The headers of a record that a reader returned, in order:
 *
 *		const char *p = record.headers;
 *		while (record_headers_next(&record, &p, &header))
 */
extern bool record_headers_next(const Record *record, const char **position, RecordHeader *header);

/* ---------- building ---------- */

/*
 * A batch that is being built in memory of the caller's: BATCH_HEADER_SIZE bytes whose
 * contents don't matter yet, and the records.
 */
typedef struct BatchDraft
{
	size_t		size;			/* header included */
	int32_t		count;			/* of records */
	int64_t		base_timestamp; /* this and the next two are unset without a record */
	int64_t		min_timestamp;
	int64_t		max_timestamp;
} BatchDraft;

extern void batch_draft_begin(BatchDraft *d);

/* No more than this is added by a record like that. */
extern size_t record_size_bound(int32_t key_len, int32_t value_len,
								const RecordHeader *headers, int32_t n_headers);

/*
 * Write one more record at `at`, where there is room for record_size_bound(): the end of the
 * batch.  Key and value may be NULL.  Returns the record's size.
 */
extern size_t batch_draft_add(BatchDraft *d, char *at, int64_t timestamp,
							  const char *key, int32_t key_len, const char *value, int32_t value_len,
							  const RecordHeader *headers, int32_t n_headers);

/*
 * The same batch with packed records, in other memory of at least batch_draft_pack_bound()
 * bytes; *len: what it takes.  If that isn't less, so be it, as Kafka's clients do.
 */
extern size_t batch_draft_pack_bound(const BatchDraft *d, int codec);
extern RecordResult batch_draft_pack(const BatchDraft *d, const char *batch, CodecWriter *writer, int codec,
									 int level, char *packed, size_t packed_size, size_t *len);

/*
 * Fill in the header of the batch, packed or not, of `len` bytes in all: base offset 0, no
 * leader epoch, no producer.  There is at least one record.
 */
extern void batch_draft_finish(const BatchDraft *d, char *batch, size_t len, int codec);

typedef struct BatchBuilder BatchBuilder;

/* A batch has 31 bits for its size; no builder goes further than this. */
#define BATCH_BUILDER_MAX_SIZE (1024 * 1024 * 1024)

extern BatchBuilder *batch_builder_create(void);	/* NULL: no memory */
extern void batch_builder_free(BatchBuilder *b);	/* NULL is fine */

/* Forget all records (the memory is kept, unless it is much). */
extern void batch_builder_reset(BatchBuilder *b);

/*
 * Append a record; key and value may be NULL.  RECORD_TOO_LARGE: the batch would exceed
 * BATCH_BUILDER_MAX_SIZE.  On failure the batch is as before.
 */
extern RecordResult batch_builder_append(BatchBuilder *b, int64_t timestamp,
										 const char *key, int32_t key_len,
										 const char *value, int32_t value_len,
										 const RecordHeader *headers, int32_t n_headers);

extern int32_t batch_builder_count(const BatchBuilder *b);

/* Size of the batch, header included, if it isn't compressed. */
extern size_t batch_builder_size(const BatchBuilder *b);

/*
 * The finished batch, in memory of the builder that stays until it is reset or
 * freed: base offset 0, no leader epoch, no producer.  `writer` may be NULL
 * without a codec.  There is at least one record.  If the packed form isn't
 * smaller, it is kept all the same, as Kafka's clients do.
 */
extern RecordResult batch_builder_finish(BatchBuilder *b, CodecWriter *writer, int codec, int level,
										 char **batch, size_t *len);

#endif							/* WIRE_RECORD_H */
