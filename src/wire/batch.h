/*-------------------------------------------------------------------------
 *
 * batch.h
 *	  Kafka's record batch, format version 2: the header, and the checks that
 *	  a broker makes before it stores one.
 *
 * A batch is a run of bytes, unaligned, big-endian:
 *
 *		offset	size	field
 *			0	8		base offset
 *			8	4		length of what follows this field
 *		   12	4		partition leader epoch
 *		   16	1		magic (2)
 *		   17	4		CRC-32C of everything from the attributes to the end
 *		   21	2		attributes
 *		   23	4		last offset delta
 *		   27	8		base timestamp
 *		   35	8		max timestamp
 *		   43	8		producer id
 *		   51	2		producer epoch
 *		   53	4		base sequence
 *		   57	4		record count
 *		   61	-		the records, compressed as one block if at all
 *
 * The base offset and the leader epoch lie before the CRC, so the broker sets
 * them without touching what the producer wrote.
 *
 * The accessors don't check anything: whoever uses them has BATCH_HEADER_SIZE
 * bytes at hand.  batch_validate() is the only function that may be given bytes
 * that nobody has looked at.  Everything here works without a server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_BATCH_H
#define WIRE_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "wire/codec.h"

/* ---------- layout ---------- */

#define BATCH_OFF_BASE_OFFSET		0
#define BATCH_OFF_LENGTH			8
#define BATCH_OFF_LEADER_EPOCH		12
#define BATCH_OFF_MAGIC				16
#define BATCH_OFF_CRC				17
#define BATCH_OFF_ATTRIBUTES		21
#define BATCH_OFF_LAST_OFFSET_DELTA 23
#define BATCH_OFF_BASE_TIMESTAMP	27
#define BATCH_OFF_MAX_TIMESTAMP		35
#define BATCH_OFF_PRODUCER_ID		43
#define BATCH_OFF_PRODUCER_EPOCH	51
#define BATCH_OFF_BASE_SEQUENCE		53
#define BATCH_OFF_RECORD_COUNT		57
#define BATCH_HEADER_SIZE			61

/* Base offset and length: what must be there to know how long the batch is. */
#define BATCH_PREFIX_SIZE			12

#define BATCH_MAGIC					2

/* Attribute bits. */
#define BATCH_ATTR_CODEC_MASK		0x07
#define BATCH_ATTR_LOG_APPEND_TIME	0x08
#define BATCH_ATTR_TRANSACTIONAL	0x10
#define BATCH_ATTR_CONTROL			0x20
#define BATCH_ATTR_DELETE_HORIZON	0x40

/* "None" in the header fields. */
#define BATCH_NO_TIMESTAMP			(-1)
#define BATCH_NO_PRODUCER_ID		(-1)
#define BATCH_NO_PRODUCER_EPOCH		(-1)
#define BATCH_NO_SEQUENCE			(-1)
#define BATCH_NO_LEADER_EPOCH		(-1)

/* ---------- big-endian integers at any address ---------- */

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define BATCH_SWAP16(x) __builtin_bswap16(x)
#define BATCH_SWAP32(x) __builtin_bswap32(x)
#define BATCH_SWAP64(x) __builtin_bswap64(x)
#else
#define BATCH_SWAP16(x) (x)
#define BATCH_SWAP32(x) (x)
#define BATCH_SWAP64(x) (x)
#endif

static inline int16_t
batch_get16(const char *p)
{
	uint16_t	v;

	memcpy(&v, p, sizeof(v));
	return (int16_t) BATCH_SWAP16(v);
}

static inline int32_t
batch_get32(const char *p)
{
	uint32_t	v;

	memcpy(&v, p, sizeof(v));
	return (int32_t) BATCH_SWAP32(v);
}

static inline int64_t
batch_get64(const char *p)
{
	uint64_t	v;

	memcpy(&v, p, sizeof(v));
	return (int64_t) BATCH_SWAP64(v);
}

static inline void
batch_put16(char *p, int16_t value)
{
	uint16_t	v = BATCH_SWAP16((uint16_t) value);

	memcpy(p, &v, sizeof(v));
}

static inline void
batch_put32(char *p, int32_t value)
{
	uint32_t	v = BATCH_SWAP32((uint32_t) value);

	memcpy(p, &v, sizeof(v));
}

static inline void
batch_put64(char *p, int64_t value)
{
	uint64_t	v = BATCH_SWAP64((uint64_t) value);

	memcpy(p, &v, sizeof(v));
}

/* ---------- header fields ---------- */

static inline int64_t
batch_base_offset(const char *b)
{
	return batch_get64(b + BATCH_OFF_BASE_OFFSET);
}

/* The length field: the size of the batch without its first 12 bytes. */
static inline int32_t
batch_length(const char *b)
{
	return batch_get32(b + BATCH_OFF_LENGTH);
}

/* The size of the whole batch; needs the first 12 bytes only. */
static inline int64_t
batch_total_size(const char *b)
{
	return (int64_t) batch_length(b) + BATCH_PREFIX_SIZE;
}

static inline int32_t
batch_leader_epoch(const char *b)
{
	return batch_get32(b + BATCH_OFF_LEADER_EPOCH);
}

static inline int8_t
batch_magic(const char *b)
{
	return (int8_t) b[BATCH_OFF_MAGIC];
}

static inline uint32_t
batch_crc(const char *b)
{
	return (uint32_t) batch_get32(b + BATCH_OFF_CRC);
}

static inline int16_t
batch_attributes(const char *b)
{
	return batch_get16(b + BATCH_OFF_ATTRIBUTES);
}

static inline int32_t
batch_last_offset_delta(const char *b)
{
	return batch_get32(b + BATCH_OFF_LAST_OFFSET_DELTA);
}

static inline int64_t
batch_last_offset(const char *b)
{
	return (int64_t) ((uint64_t) batch_base_offset(b) + (uint64_t) (int64_t) batch_last_offset_delta(b));
}

/* The offset after the batch. */
static inline int64_t
batch_next_offset(const char *b)
{
	return (int64_t) ((uint64_t) batch_last_offset(b) + 1);
}

static inline int64_t
batch_base_timestamp(const char *b)
{
	return batch_get64(b + BATCH_OFF_BASE_TIMESTAMP);
}

static inline int64_t
batch_max_timestamp(const char *b)
{
	return batch_get64(b + BATCH_OFF_MAX_TIMESTAMP);
}

static inline int64_t
batch_producer_id(const char *b)
{
	return batch_get64(b + BATCH_OFF_PRODUCER_ID);
}

static inline int16_t
batch_producer_epoch(const char *b)
{
	return batch_get16(b + BATCH_OFF_PRODUCER_EPOCH);
}

static inline int32_t
batch_base_sequence(const char *b)
{
	return batch_get32(b + BATCH_OFF_BASE_SEQUENCE);
}

static inline int32_t
batch_record_count(const char *b)
{
	return batch_get32(b + BATCH_OFF_RECORD_COUNT);
}

/* Sequence numbers count up to INT32_MAX and go on at 0. */
static inline int32_t
batch_sequence_add(int32_t sequence, int32_t delta)
{
	return (int32_t) (((uint32_t) sequence + (uint32_t) delta) & INT32_MAX);
}

static inline int32_t
batch_last_sequence(const char *b)
{
	int32_t		base = batch_base_sequence(b);

	if (base == BATCH_NO_SEQUENCE)
		return BATCH_NO_SEQUENCE;
	return batch_sequence_add(base, batch_last_offset_delta(b));
}

/* ---------- attributes ---------- */

/* 0..7; 5 and above are no codec. */
static inline int
batch_codec(const char *b)
{
	return batch_attributes(b) & BATCH_ATTR_CODEC_MASK;
}

static inline bool
batch_is_log_append_time(const char *b)
{
	return (batch_attributes(b) & BATCH_ATTR_LOG_APPEND_TIME) != 0;
}

static inline bool
batch_is_transactional(const char *b)
{
	return (batch_attributes(b) & BATCH_ATTR_TRANSACTIONAL) != 0;
}

static inline bool
batch_is_control(const char *b)
{
	return (batch_attributes(b) & BATCH_ATTR_CONTROL) != 0;
}

/* The base timestamp is a delete horizon (set by compaction). */
static inline bool
batch_has_delete_horizon(const char *b)
{
	return (batch_attributes(b) & BATCH_ATTR_DELETE_HORIZON) != 0;
}

static inline bool
batch_has_producer(const char *b)
{
	return batch_producer_id(b) != BATCH_NO_PRODUCER_ID;
}

/* ---------- changes that the CRC doesn't cover ---------- */

static inline void
batch_set_base_offset(char *b, int64_t base_offset)
{
	batch_put64(b + BATCH_OFF_BASE_OFFSET, base_offset);
}

static inline void
batch_set_leader_epoch(char *b, int32_t leader_epoch)
{
	batch_put32(b + BATCH_OFF_LEADER_EPOCH, leader_epoch);
}

/* ---------- changes that it covers (batch.c) ---------- */

/*
 * Give the batch this timestamp type and max timestamp.  The CRC is computed
 * again only if something changed.
 */
extern void batch_set_max_timestamp(char *b, bool log_append_time, int64_t max_timestamp);

extern uint32_t batch_compute_crc(const char *b);
extern void batch_update_crc(char *b);

/* Is there a whole batch of format 2 at the start of these bytes (whatever its content)? */
extern bool batch_is_whole(const char *data, size_t len);

/* The same, and the CRC is right: what a storage layer may find after a crash. */
extern bool batch_is_intact(const char *data, size_t len);

/* ---------- checks before a batch is stored ---------- */

typedef struct RecordReader RecordReader;	/* record.h */
typedef struct Record Record;				/* record.h */

/* A batch never unpacks to more than this unless the limits say otherwise. */
#define BATCH_DEFAULT_MAX_UNCOMPRESSED (128 * 1024 * 1024)

/*
 * What the SQL type timestamptz can hold, in milliseconds since 1970: from
 * 4713 BC, before 294277 AD.  Other timestamps are refused, as SQL couldn't show them.
 */
#define BATCH_TIMESTAMP_MIN INT64_C(-210866803200000)
#define BATCH_TIMESTAMP_END INT64_C(9224318016000000)

/* How many bad records of one batch are reported. */
#define BATCH_MAX_RECORD_ERRORS 64

/*
 * Called for each record of a batch that is otherwise acceptable; returns NULL or why the record is
 * refused (a string that stays valid).
 */
typedef const char *(*BatchRecordCheck) (const Record *record, void *arg);

typedef struct BatchLimits
{
	int32_t		max_bytes;		/* max.message.bytes */
	int64_t		max_uncompressed;	/* of the records; 0: BATCH_DEFAULT_MAX_UNCOMPRESSED */
	int32_t		max_record;		/* of one record, unpacked, in a compressed batch; 0:
								 * no limit (max.decompressed.message.bytes) */
	bool		log_append_time;	/* message.timestamp.type */
	int64_t		before_max_ms;	/* message.timestamp.before.max.ms */
	int64_t		after_max_ms;	/* message.timestamp.after.max.ms */
	int64_t		now_ms;
	bool		key_required;	/* cleanup.policy has "compact" */
	bool		zstd_allowed;	/* Produce version 7 and later */
	bool		header_only;	/* trust the header about the records: don't look
								 * at them (only for a producer of our own) */
	BatchRecordCheck check;		/* may be NULL */
	void	   *check_arg;
} BatchLimits;

typedef struct BatchRecordError
{
	int32_t		index;			/* of the record in the batch */
	const char *message;
} BatchRecordError;

typedef struct BatchInfo
{
	int32_t		size;			/* of the whole batch; bytes after it are to be dropped */
	int32_t		n_records;
	int64_t		max_timestamp;	/* as computed from the records, or now_ms under LogAppendTime */
	int64_t		min_timestamp;	/* likewise; BATCH_NO_TIMESTAMP if they weren't looked at */
	int32_t		max_timestamp_delta;	/* offset delta of the first record that has it */
	int64_t		uncompressed;	/* bytes of the records, unpacked */
	bool		needs_timestamp;	/* header and max_timestamp or type differ: call
									 * batch_set_max_timestamp before storing */
	/* in case of an error */
	const char *message;		/* for the client; NULL when there was no error */
	int			n_record_errors;
	BatchRecordError record_errors[BATCH_MAX_RECORD_ERRORS];
} BatchInfo;

/*
 * May these bytes, the records of one partition in a Produce request, be
 * appended?  Returns KAFKA_NONE or the error code for the client; *info is
 * filled as far as known.  The order of the checks is Kafka's, as clients see
 * the first that fails.
 */
extern int	batch_validate(const char *data, size_t len, const BatchLimits *limits,
						   RecordReader *reader, BatchInfo *info);

/* ---------- looking into a batch ---------- */

typedef struct BatchPosition
{
	int64_t		offset;
	int64_t		timestamp;
} BatchPosition;

/*
 * The first record with an offset >= `from` and a timestamp >= ts.  Returns 1 if found, 0 if
 * there is none, -1 if the batch can't be read.
 */
extern int	batch_find_time(const char *batch, size_t len, RecordReader *reader, int64_t ts,
							int64_t from, BatchPosition *result);

/* The first record with the largest timestamp; same results. */
extern int	batch_find_max_time(const char *batch, size_t len, RecordReader *reader, BatchPosition *result);

/* ---------- repacking ---------- */

/*
 * Write the batch again with another codec (topic setting compression.type)
 * to memory that the caller frees with free(): the record bytes are unchanged.
 * `level`: CODEC_DEFAULT_LEVEL or the codec's own.  Returns KAFKA_NONE or an error code.
 */
extern int	batch_recompress(const char *batch, size_t len, CodecReader *reader, CodecWriter *writer,
							 int codec, int level, int64_t max_uncompressed,
							 char **result, size_t *result_len);

#endif							/* WIRE_BATCH_H */
