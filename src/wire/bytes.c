/*-------------------------------------------------------------------------
 *
 * bytes.c
 *	  Reading from and writing to buffers of Kafka's wire format.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/bytes.h"

#include <stdlib.h>

/* A varint of 32 bits takes at most 5 bytes, one of 64 bits 10. */
#define UVARINT32_MAX_SIZE	5
#define UVARINT64_MAX_SIZE	10

/* Kafka's limit, also where the format could say more. */
#define STRING_MAX_LEN		INT16_MAX

bool
wire_utf8_valid(const char *data, int32_t len)
{
	const uint8_t *p = (const uint8_t *) data;
	const uint8_t *end = p + (len > 0 ? len : 0);

	while (p < end)
	{
		uint8_t		c = *p++;
		int			more;
		uint8_t		low = 0x80;
		uint8_t		high = 0xBF;

		if (c < 0x80)
		{
			if (c == 0)
				return false;
			continue;
		}
		if (c >= 0xC2 && c <= 0xDF)
			more = 1;
		else if (c >= 0xE0 && c <= 0xEF)
		{
			more = 2;
			if (c == 0xE0)
				low = 0xA0;		/* else an overlong form */
			if (c == 0xED)
				high = 0x9F;	/* else a surrogate */
		}
		else if (c >= 0xF0 && c <= 0xF4)
		{
			more = 3;
			if (c == 0xF0)
				low = 0x90;
			if (c == 0xF4)
				high = 0x8F;	/* else past U+10FFFF */
		}
		else
			return false;
		if (end - p < more)
			return false;
		if (*p < low || *p > high)
			return false;
		p++;
		while (--more > 0)
		{
			if ((*p & 0xC0) != 0x80)
				return false;
			p++;
		}
	}
	return true;
}

/* ---------- reader ---------- */

void
wire_reader_init(WireReader *r, const void *data, size_t len)
{
	memset(r, 0, sizeof(*r));
	r->start = r->pos = len > 0 ? data : "";	/* never NULL */
	r->end = r->start + len;
}

void
wire_reader_fail(WireReader *r, const char *why)
{
	if (!r->failed)
	{
		r->failed = true;
		r->why = why;
	}
	r->pos = r->end;			/* whatever is read from now on fails, too */
}

static uint64_t
read_uvarint(WireReader *r, int max_size, uint64_t max)
{
	uint64_t	v = 0;
	int			i;

	for (i = 0; i < max_size; i++)
	{
		const char *p = wire_read_raw(r, 1);
		uint64_t	bits;

		if (!p)
			return 0;
		bits = (uint8_t) *p & 0x7F;
		/* The last byte of a 64-bit number has room for one bit only. */
		if (i == UVARINT64_MAX_SIZE - 1 && bits > 1)
			break;
		v |= bits << (7 * i);
		if (!(*p & 0x80))
		{
			if (v > max)
				break;
			return v;
		}
	}
	wire_reader_fail(r, "has a variable-length number that is too long");
	return 0;
}

uint32_t
wire_read_uvarint(WireReader *r)
{
	return (uint32_t) read_uvarint(r, UVARINT32_MAX_SIZE, UINT32_MAX);
}

int32_t
wire_read_varint(WireReader *r)
{
	uint32_t	v = wire_read_uvarint(r);

	return (int32_t) ((v >> 1) ^ (~(v & 1) + 1));
}

int64_t
wire_read_varlong(WireReader *r)
{
	uint64_t	v = read_uvarint(r, UVARINT64_MAX_SIZE, UINT64_MAX);

	return (int64_t) ((v >> 1) ^ (~(v & 1) + 1));
}

/* A length as is, without a look at what remains; 0 after a failure. */
static int32_t
read_len(WireReader *r, bool compact, bool is_string)
{
	int64_t		len;

	if (compact)
		len = (int64_t) wire_read_uvarint(r) - 1;
	else if (is_string)
		len = wire_read_int16(r);
	else
		len = wire_read_int32(r);
	if (r->failed)
		return 0;
	if (len < -1 || len > (is_string ? STRING_MAX_LEN : INT32_MAX))
	{
		wire_reader_fail(r, "has an impossible length");
		return 0;
	}
	return (int32_t) len;
}

WireString
wire_read_string(WireReader *r, bool compact)
{
	WireString	s = WIRE_NULL_STRING;
	int32_t		len = read_len(r, compact, true);

	if (len >= 0)
	{
		s.data = wire_read_raw(r, len);
		s.len = r->failed ? 0 : len;
	}
	return s;
}

WireBytes
wire_read_bytes(WireReader *r, bool compact)
{
	WireBytes	b = WIRE_NULL_BYTES;
	int32_t		len = read_len(r, compact, false);

	if (len >= 0)
	{
		b.data = wire_read_raw(r, len);
		b.len = r->failed ? 0 : len;
	}
	return b;
}

/*
 * The caller will take memory for the elements, so their number is checked
 * against the bytes that are there.
 */
int32_t
wire_read_array_len(WireReader *r, bool compact, size_t min_element_size)
{
	int32_t		n = read_len(r, compact, false);

	if (n > 0 && (size_t) n > wire_remaining(r) / min_element_size)
	{
		wire_reader_fail(r, "has more elements than bytes");
		return 0;
	}
	return n;
}

void
wire_skip_tags(WireReader *r)
{
	uint32_t	n = wire_read_uvarint(r);

	while (n-- > 0 && !r->failed)
	{
		wire_read_uvarint(r);
		wire_read_raw(r, wire_read_uvarint(r));
	}
}

/* ---------- writer ---------- */

void
wire_writer_init(WireWriter *w, size_t max)
{
	memset(w, 0, sizeof(*w));
	w->max = max;
}

void
wire_writer_reset(WireWriter *w)
{
	w->len = 0;
	w->spliced = 0;
	w->n_splices = 0;
	w->failed = false;
	w->why = NULL;
	w->field = NULL;
}

void
wire_writer_free(WireWriter *w)
{
	free(w->data);
	free(w->splices);
	wire_writer_init(w, w->max);
}

void
wire_writer_fail(WireWriter *w, const char *why)
{
	if (!w->failed)
	{
		w->failed = true;
		w->why = why;
	}
}

/* Make room for n more bytes. */
bool
wire_writer_grow(WireWriter *w, size_t n)
{
	size_t		cap = w->cap ? w->cap : 256;
	char	   *data;

	if (w->failed)
		return false;
	if (n > w->max || wire_total(w) > w->max - n)
	{
		wire_writer_fail(w, "is too large");
		return false;
	}
	while (cap - w->len < n)
		cap *= 2;
	if (cap == w->cap)
		return true;
	if (cap > w->max)
		cap = w->max;			/* enough, by the check above */
	data = realloc(w->data, cap);
	if (!data)
	{
		wire_writer_fail(w, "does not fit into memory");
		return false;
	}
	w->data = data;
	w->cap = cap;
	return true;
}

static void
write_uvarint(WireWriter *w, uint64_t v)
{
	char		buf[UVARINT64_MAX_SIZE];
	int			n = 0;

	while (v >= 0x80)
	{
		buf[n++] = (char) (v | 0x80);
		v >>= 7;
	}
	buf[n++] = (char) v;
	wire_write_raw(w, buf, n);
}

void
wire_write_uvarint(WireWriter *w, uint32_t v)
{
	write_uvarint(w, v);
}

void
wire_write_varint(WireWriter *w, int32_t v)
{
	write_uvarint(w, ((uint32_t) v << 1) ^ (v < 0 ? UINT32_MAX : 0));
}

void
wire_write_varlong(WireWriter *w, int64_t v)
{
	write_uvarint(w, ((uint64_t) v << 1) ^ (v < 0 ? UINT64_MAX : 0));
}

static void
write_len(WireWriter *w, int32_t len, bool compact, bool is_string)
{
	if (len < -1 || (is_string && len > STRING_MAX_LEN))
		wire_writer_fail(w, "has an impossible length");
	else if (compact)
		wire_write_uvarint(w, (uint32_t) len + 1);
	else if (is_string)
		wire_write_int16(w, (int16_t) len);
	else
		wire_write_int32(w, len);
}

void
wire_write_string(WireWriter *w, WireString s, bool compact)
{
	write_len(w, s.len, compact, true);
	if (s.len > 0)
		wire_write_raw(w, s.data, s.len);
}

void
wire_write_bytes(WireWriter *w, WireBytes b, bool compact)
{
	write_len(w, b.len, compact, false);
	if (b.len > 0)
		wire_write_raw(w, b.data, b.len);
}

void
wire_write_array_len(WireWriter *w, int32_t n, bool compact)
{
	write_len(w, n, compact, false);
}

static void
add_splice(WireWriter *w, void *external, int32_t len)
{
	WireSplice *s;

	if (w->failed)
		return;
	if ((size_t) len > w->max || wire_total(w) > w->max - len)
	{
		wire_writer_fail(w, "is too large");
		return;
	}
	if (w->n_splices == w->cap_splices)
	{
		int32_t		cap = w->cap_splices ? w->cap_splices * 2 : 16;

		s = realloc(w->splices, cap * sizeof(WireSplice));
		if (!s)
		{
			wire_writer_fail(w, "does not fit into memory");
			return;
		}
		w->splices = s;
		w->cap_splices = cap;
	}
	s = &w->splices[w->n_splices++];
	s->pos = w->len;
	s->len = len;
	s->external = external;
	w->spliced += len;
}

void
wire_write_records(WireWriter *w, const WireRecords *rec, bool compact)
{
	write_len(w, rec->len, compact, false);
	if (rec->len <= 0)
		return;
	if (rec->external)
		add_splice(w, rec->external, rec->len);
	else
		wire_write_raw(w, rec->data, rec->len);
}

void
wire_patch_int32(WireWriter *w, size_t at, int32_t v)
{
	if (!w->failed)
		wire_put_uint32(w->data + at, (uint32_t) v);
}

/*
 * Tagged fields are preceded by their size, known only afterwards.  They are
 * few and small, so moving them by the size's own bytes is cheaper than a
 * second walk over every message.  They never hold records, hence no splices.
 */
void
wire_insert_size(WireWriter *w, size_t at)
{
	char		buf[UVARINT32_MAX_SIZE];
	uint32_t	size;
	uint32_t	v;
	int			n = 0;

	if (w->failed)
		return;
	size = (uint32_t) (w->len - at);
	for (v = size; v >= 0x80; v >>= 7)
		buf[n++] = (char) (v | 0x80);
	buf[n++] = (char) v;
	if (!wire_reserve(w, n))
		return;
	memmove(w->data + at + n, w->data + at, size);
	memcpy(w->data + at, buf, n);
}
