/*-------------------------------------------------------------------------
 *
 * bytes.h
 *	  Reading from and writing to buffers of Kafka's wire format.
 *
 * Both sides have a sticky failure flag: read or write many fields, check
 * once.  After a failure reads return zeros and writes do nothing, so a
 * caller never has to unwind in the middle of a message.
 *
 * WireReader: `pos <= end`, always; the bytes belong to the caller and must
 * outlive every WireString, WireBytes and WireRecords taken from them.
 *
 * WireWriter: `len <= cap` and `len + spliced <= max`, always.  A splice
 * stands for bytes that the receiver gets between data[pos - 1] and data[pos]
 * but which are not in the buffer: the network layer sends them from where
 * they are.  Splices are in ascending order of position.
 *
 * Plain C: no PostgreSQL headers, memory by malloc.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_BYTES_H
#define WIRE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * Text as sent: not terminated by NUL, and not checked to be UTF-8.  len -1 is
 * Kafka's null; all zeros is the empty string.
 */
typedef struct WireString
{
	const char *data;
	int32_t		len;
} WireString;

typedef struct WireBytes
{
	const char *data;
	int32_t		len;
} WireBytes;

/*
 * Record batches.  When encoding with `external` set only the length is
 * written, and a splice that carries the pointer.
 */
typedef struct WireRecords
{
	char	   *data;
	int32_t		len;
	void	   *external;
} WireRecords;

typedef struct WireUuid
{
	uint8_t		bytes[16];
} WireUuid;

#define WIRE_NULL_STRING	((WireString) {NULL, -1})
#define WIRE_NULL_BYTES		((WireBytes) {NULL, -1})
#define WIRE_NULL_RECORDS	((WireRecords) {NULL, -1, NULL})

static inline WireString
wire_string_n(const char *data, int32_t len)
{
	WireString	s = {data, len};

	return s;
}

/* The string lives as long as the C string; NULL gives Kafka's null. */
static inline WireString
wire_string(const char *cstring)
{
	return wire_string_n(cstring, cstring ? (int32_t) strlen(cstring) : -1);
}

static inline bool
wire_string_is(WireString s, const char *cstring)
{
	size_t		len = strlen(cstring);

	return s.len >= 0 && (size_t) s.len == len && (len == 0 || memcmp(s.data, cstring, len) == 0);
}

static inline bool
wire_string_equal(WireString a, WireString b)
{
	return a.len == b.len && (a.len <= 0 || memcmp(a.data, b.data, a.len) == 0);
}

static inline bool
wire_uuid_is_zero(const WireUuid *u)
{
	static const WireUuid zero;

	return memcmp(u, &zero, sizeof(zero)) == 0;
}

/* ---------- big-endian numbers in memory ---------- */

static inline uint16_t
wire_get_uint16(const char *p)
{
	const uint8_t *b = (const uint8_t *) p;

	return (uint16_t) (b[0] << 8 | b[1]);
}

static inline uint32_t
wire_get_uint32(const char *p)
{
	const uint8_t *b = (const uint8_t *) p;

	return (uint32_t) b[0] << 24 | (uint32_t) b[1] << 16 | (uint32_t) b[2] << 8 | b[3];
}

static inline uint64_t
wire_get_uint64(const char *p)
{
	return (uint64_t) wire_get_uint32(p) << 32 | wire_get_uint32(p + 4);
}

static inline void
wire_put_uint16(char *p, uint16_t v)
{
	p[0] = (char) (v >> 8);
	p[1] = (char) v;
}

static inline void
wire_put_uint32(char *p, uint32_t v)
{
	wire_put_uint16(p, (uint16_t) (v >> 16));
	wire_put_uint16(p + 2, (uint16_t) v);
}

static inline void
wire_put_uint64(char *p, uint64_t v)
{
	wire_put_uint32(p, (uint32_t) (v >> 32));
	wire_put_uint32(p + 4, (uint32_t) v);
}

/* ---------- reader ---------- */

typedef struct WireReader
{
	const char *start;
	const char *pos;
	const char *end;
	bool		failed;
	const char *why;			/* first failure: a constant string, for the log */
	const char *field;			/* field being decoded at that time, or NULL */
} WireReader;

extern void wire_reader_init(WireReader *r, const void *data, size_t len);
extern void wire_reader_fail(WireReader *r, const char *why);

static inline size_t
wire_remaining(const WireReader *r)
{
	return r->end - r->pos;
}

/* The next n bytes, or NULL if there are fewer (which is a failure). */
static inline const char *
wire_read_raw(WireReader *r, size_t n)
{
	const char *p = r->pos;

	if (n > wire_remaining(r))
	{
		wire_reader_fail(r, "ends too early");
		return NULL;
	}
	r->pos += n;
	return p;
}

static inline int8_t
wire_read_int8(WireReader *r)
{
	const char *p = wire_read_raw(r, 1);

	return p ? (int8_t) *p : 0;
}

static inline int16_t
wire_read_int16(WireReader *r)
{
	const char *p = wire_read_raw(r, 2);

	return p ? (int16_t) wire_get_uint16(p) : 0;
}

static inline int32_t
wire_read_int32(WireReader *r)
{
	const char *p = wire_read_raw(r, 4);

	return p ? (int32_t) wire_get_uint32(p) : 0;
}

static inline int64_t
wire_read_int64(WireReader *r)
{
	const char *p = wire_read_raw(r, 8);

	return p ? (int64_t) wire_get_uint64(p) : 0;
}

extern uint32_t wire_read_uvarint(WireReader *r);

/*
 * Lengths.  -1 is null; anything else that is returned is at least 0 and, for
 * strings and bytes, at most what remains.
 */
extern WireString wire_read_string(WireReader *r, bool compact);
extern WireBytes wire_read_bytes(WireReader *r, bool compact);
extern int32_t wire_read_array_len(WireReader *r, bool compact, size_t min_element_size);

/* Skip a section of tagged fields. */
extern void wire_skip_tags(WireReader *r);

/* ---------- writer ---------- */

typedef struct WireSplice
{
	size_t		pos;			/* bytes of the buffer before it */
	int32_t		len;
	void	   *external;
} WireSplice;

typedef struct WireWriter
{
	char	   *data;
	size_t		len;
	size_t		cap;
	size_t		max;			/* limit of len + spliced */
	size_t		spliced;		/* sum of the splices' lengths */
	WireSplice *splices;
	int32_t		n_splices;
	int32_t		cap_splices;
	bool		failed;
	const char *why;			/* first failure: a constant string, for the log */
	const char *field;			/* field being encoded at that time, or NULL */
} WireWriter;

extern void wire_writer_init(WireWriter *w, size_t max);
extern void wire_writer_reset(WireWriter *w);	/* keeps the memory */
extern void wire_writer_free(WireWriter *w);
extern void wire_writer_fail(WireWriter *w, const char *why);
extern bool wire_writer_grow(WireWriter *w, size_t n);

/* Bytes that the receiver will get. */
static inline size_t
wire_total(const WireWriter *w)
{
	return w->len + w->spliced;
}

/* Room for n more bytes, to be filled by the caller at once; NULL on failure. */
static inline char *
wire_reserve(WireWriter *w, size_t n)
{
	char	   *p;

	if (w->failed || n >= w->cap - w->len || wire_total(w) + n > w->max)
	{
		if (!wire_writer_grow(w, n))
			return NULL;
	}
	p = w->data + w->len;
	w->len += n;
	return p;
}

static inline void
wire_write_raw(WireWriter *w, const void *data, size_t n)
{
	char	   *p = wire_reserve(w, n);

	if (p && n > 0)
		memcpy(p, data, n);
}

static inline void
wire_write_int8(WireWriter *w, int8_t v)
{
	char	   *p = wire_reserve(w, 1);

	if (p)
		*p = (char) v;
}

static inline void
wire_write_int16(WireWriter *w, int16_t v)
{
	char	   *p = wire_reserve(w, 2);

	if (p)
		wire_put_uint16(p, (uint16_t) v);
}

static inline void
wire_write_int32(WireWriter *w, int32_t v)
{
	char	   *p = wire_reserve(w, 4);

	if (p)
		wire_put_uint32(p, (uint32_t) v);
}

static inline void
wire_write_int64(WireWriter *w, int64_t v)
{
	char	   *p = wire_reserve(w, 8);

	if (p)
		wire_put_uint64(p, (uint64_t) v);
}

extern void wire_write_uvarint(WireWriter *w, uint32_t v);
extern void wire_write_string(WireWriter *w, WireString s, bool compact);
extern void wire_write_bytes(WireWriter *w, WireBytes b, bool compact);
extern void wire_write_array_len(WireWriter *w, int32_t n, bool compact);
extern void wire_write_records(WireWriter *w, const WireRecords *rec, bool compact);

/*
 * Put a number of fixed size over bytes written earlier, at an offset that is
 * w->len as it was before they were written.  Nothing happens on a writer that failed.
 */
extern void wire_patch_int32(WireWriter *w, size_t at, int32_t v);

/* Insert the number of bytes written since `at` there, as an unsigned varint. */
extern void wire_insert_size(WireWriter *w, size_t at);

#endif							/* WIRE_BYTES_H */
