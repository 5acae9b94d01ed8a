/*-------------------------------------------------------------------------
 *
 * bytes.c
 *	  Reading from and writing to buffers of Kafka's wire format.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/bytes.h"

#include <stdlib.h>

/* 32 bits, 7 in a byte */
#define UVARINT_MAX_SIZE	5

/* Kafka's limit, also where the format could say more. */
#define STRING_MAX_LEN		INT16_MAX

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

uint32_t
wire_read_uvarint(WireReader *r)
{
	uint64_t	v = 0;

	for (int i = 0; i < UVARINT_MAX_SIZE; i++)
	{
		const char *p = wire_read_raw(r, 1);

		if (!p)
			return 0;
		v |= (uint64_t) (*p & 0x7F) << (7 * i);
		if (!(*p & 0x80))
		{
			if (v > UINT32_MAX)
				break;
			return (uint32_t) v;
		}
	}
	wire_reader_fail(r, "has a variable-length number that is too long");
	return 0;
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

/* Returns how many of UVARINT_MAX_SIZE bytes it takes. */
static int
put_uvarint(char *buf, uint32_t v)
{
	int			n = 0;

	for (; v >= 0x80; v >>= 7)
		buf[n++] = (char) (v | 0x80);
	buf[n++] = (char) v;
	return n;
}

void
wire_write_uvarint(WireWriter *w, uint32_t v)
{
	char		buf[UVARINT_MAX_SIZE];

	wire_write_raw(w, buf, put_uvarint(buf, v));
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
	char		buf[UVARINT_MAX_SIZE];
	uint32_t	size;
	int			n;

	if (w->failed)
		return;
	size = (uint32_t) (w->len - at);
	n = put_uvarint(buf, size);
	if (!wire_reserve(w, n))
		return;
	memmove(w->data + at + n, w->data + at, size);
	memcpy(w->data + at, buf, n);
}
