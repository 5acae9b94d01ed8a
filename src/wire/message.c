/*-------------------------------------------------------------------------
 *
 * message.c
 *	  Kafka's messages as data: field tables, one decoder, one encoder.
 *
 * Both walk a table and a C struct side by side.  The depth of recursion is
 * that of the tables, whatever the bytes say.
 *
 * Memory: the number of an array's elements is checked against the bytes that
 * remain, at the smallest size that an element can have in that version, and
 * the arena has a cap; between them a message can't take more than a small
 * multiple of its own size.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/message.h"

typedef struct Codec
{
	int			version;
	bool		flexible;
} Codec;

static inline bool
in_versions(const WireVersions *v, int version)
{
	return version >= v->min && version <= v->max;
}

static inline bool
is_nullable(const WireField *f, const Codec *c)
{
	return f->is_nullable && in_versions(&f->nullable, c->version);
}

static inline bool
is_tagged(const WireField *f, const Codec *c)
{
	return f->is_tagged && in_versions(&f->tagged, c->version);
}

/* Structures that can be null are pointers, the others are embedded. */
static inline bool
is_pointer(const WireField *f)
{
	return f->type == WIRE_STRUCT && f->is_nullable && !f->is_array;
}

/*
 * Accessors; the table says that the member has this type (pointers are all
 * alike to us: like PostgreSQL, compile with -fno-strict-aliasing).
 */
#define VALUE(type, base, off)	(*(type *) ((char *) (base) + (off)))
#define CONST_VALUE(type, base, off)	(*(const type *) ((const char *) (base) + (off)))

/* ---------- defaults ---------- */

static void
set_default(const WireField *f, void *base)
{
	if (f->is_array)
	{
		VALUE(int32_t, base, f->count_offset) = f->default_null ? -1 : 0;
		VALUE(void *, base, f->offset) = NULL;
		return;
	}
	if (is_pointer(f))
	{
		VALUE(void *, base, f->offset) = NULL;
		return;
	}
	switch ((WireType) f->type)
	{
		case WIRE_BOOL:
			VALUE(bool, base, f->offset) = f->default_value != 0;
			break;
		case WIRE_INT8:
			VALUE(int8_t, base, f->offset) = (int8_t) f->default_value;
			break;
		case WIRE_INT16:
			VALUE(int16_t, base, f->offset) = (int16_t) f->default_value;
			break;
		case WIRE_UINT16:
			VALUE(uint16_t, base, f->offset) = (uint16_t) f->default_value;
			break;
		case WIRE_INT32:
			VALUE(int32_t, base, f->offset) = (int32_t) f->default_value;
			break;
		case WIRE_INT64:
			VALUE(int64_t, base, f->offset) = f->default_value;
			break;
		case WIRE_FLOAT64:
			VALUE(double, base, f->offset) = (double) f->default_value;
			break;
		case WIRE_UUID:
			memset(&VALUE(WireUuid, base, f->offset), 0, sizeof(WireUuid));
			break;
		case WIRE_STRING:
			VALUE(WireString, base, f->offset) = wire_string_n(NULL, f->default_null ? -1 : 0);
			break;
		case WIRE_BYTES:
			VALUE(WireBytes, base, f->offset) = WIRE_NULL_BYTES;
			VALUE(WireBytes, base, f->offset).len = f->default_null ? -1 : 0;
			break;
		case WIRE_RECORDS:
			VALUE(WireRecords, base, f->offset) = WIRE_NULL_RECORDS;
			break;
		case WIRE_STRUCT:
			wire_init(f->sub, &VALUE(char, base, f->offset));
			break;
	}
}

void
wire_init(const WireStruct *s, void *out)
{
	int			i;

	memset(out, 0, s->size);
	for (i = 0; i < s->n_fields; i++)
		set_default(&s->fields[i], out);
}

void *
wire_new(WireArena *a, const WireStruct *s, size_t n)
{
	char	   *p = wire_alloc_array(a, n, s->size);
	size_t		i;

	for (i = 0; p && i < n; i++)
		wire_init(s, p + i * s->size);
	return p;
}

/* Tagged fields with their default value are not sent. */
static bool
is_default(const WireField *f, const void *base)
{
	if (f->is_array)
		return CONST_VALUE(int32_t, base, f->count_offset) == (f->default_null ? -1 : 0);
	if (is_pointer(f))
		return CONST_VALUE(void *, base, f->offset) == NULL && f->default_value == 0;
	switch ((WireType) f->type)
	{
		case WIRE_BOOL:
			return CONST_VALUE(bool, base, f->offset) == (f->default_value != 0);
		case WIRE_INT8:
			return CONST_VALUE(int8_t, base, f->offset) == f->default_value;
		case WIRE_INT16:
			return CONST_VALUE(int16_t, base, f->offset) == f->default_value;
		case WIRE_UINT16:
			return CONST_VALUE(uint16_t, base, f->offset) == f->default_value;
		case WIRE_INT32:
			return CONST_VALUE(int32_t, base, f->offset) == f->default_value;
		case WIRE_INT64:
			return CONST_VALUE(int64_t, base, f->offset) == f->default_value;
		case WIRE_FLOAT64:
			return CONST_VALUE(double, base, f->offset) == (double) f->default_value;
		case WIRE_UUID:
			return wire_uuid_is_zero(&CONST_VALUE(WireUuid, base, f->offset));
		case WIRE_STRING:
			return CONST_VALUE(WireString, base, f->offset).len == (f->default_null ? -1 : 0);
		case WIRE_BYTES:
			return CONST_VALUE(WireBytes, base, f->offset).len == (f->default_null ? -1 : 0);
		case WIRE_RECORDS:
			return CONST_VALUE(WireRecords, base, f->offset).len == -1;
		case WIRE_STRUCT:
			{
				int			i;

				for (i = 0; i < f->sub->n_fields; i++)
				{
					if (!is_default(&f->sub->fields[i], &CONST_VALUE(char, base, f->offset)))
						return false;
				}
				return true;
			}
	}
	return false;
}

/* ---------- sizes ---------- */

static size_t min_struct_size(const WireStruct *s, const Codec *c);

/* The fewest bytes that one value of the field, or one element, can take. */
static size_t
min_value_size(const WireField *f, const Codec *c)
{
	switch ((WireType) f->type)
	{
		case WIRE_BOOL:
		case WIRE_INT8:
			return 1;
		case WIRE_INT16:
		case WIRE_UINT16:
			return 2;
		case WIRE_INT32:
			return 4;
		case WIRE_INT64:
		case WIRE_FLOAT64:
			return 8;
		case WIRE_UUID:
			return 16;
		case WIRE_STRING:
			return c->flexible ? 1 : 2;
		case WIRE_BYTES:
		case WIRE_RECORDS:
			return c->flexible ? 1 : 4;
		case WIRE_STRUCT:
			return min_struct_size(f->sub, c);
	}
	return 1;
}

static size_t
min_struct_size(const WireStruct *s, const Codec *c)
{
	size_t		size = c->flexible ? 1 : 0; /* the number of tags */
	int			i;

	for (i = 0; i < s->n_fields; i++)
	{
		const WireField *f = &s->fields[i];

		if (!in_versions(&f->versions, c->version) || is_tagged(f, c))
			continue;
		if (f->is_array)
			size += c->flexible ? 1 : 4;
		else if (is_pointer(f) && is_nullable(f, c))
			size += 1;
		else
			size += min_value_size(f, c);
	}
	return size > 0 ? size : 1;
}

/* ---------- decoder ---------- */

static bool decode_struct(const WireStruct *s, const Codec *c, WireReader *r, WireArena *a, void *out);

/* Fail, and remember the innermost field. */
static bool
decode_failed(WireReader *r, const WireField *f, const char *why)
{
	if (why)
		wire_reader_fail(r, why);
	if (!r->field)
		r->field = f->name;
	return false;
}

#define UNEXPECTED_NULL		"is null but must not be"
#define NO_MEMORY			"takes more memory than allowed"

/* Decode one value, or one element of an array, into p. */
static bool
decode_value(const WireField *f, bool nullable, const Codec *c, WireReader *r, WireArena *a, void *p)
{
	bool		is_null = false;

	switch ((WireType) f->type)
	{
		case WIRE_BOOL:
			*(bool *) p = wire_read_int8(r) != 0;
			break;
		case WIRE_INT8:
			*(int8_t *) p = wire_read_int8(r);
			break;
		case WIRE_INT16:
			*(int16_t *) p = wire_read_int16(r);
			break;
		case WIRE_UINT16:
			*(uint16_t *) p = (uint16_t) wire_read_int16(r);
			break;
		case WIRE_INT32:
			*(int32_t *) p = wire_read_int32(r);
			break;
		case WIRE_INT64:
			*(int64_t *) p = wire_read_int64(r);
			break;
		case WIRE_FLOAT64:
			{
				int64_t		bits = wire_read_int64(r);

				memcpy(p, &bits, sizeof(double));
				break;
			}
		case WIRE_UUID:
			{
				const char *bytes = wire_read_raw(r, sizeof(WireUuid));

				if (bytes)
					memcpy(p, bytes, sizeof(WireUuid));
				break;
			}
		case WIRE_STRING:
			*(WireString *) p = wire_read_string(r, c->flexible);
			is_null = ((WireString *) p)->len < 0;
			break;
		case WIRE_BYTES:
			*(WireBytes *) p = wire_read_bytes(r, c->flexible);
			is_null = ((WireBytes *) p)->len < 0;
			break;
		case WIRE_RECORDS:
			{
				WireBytes	b = wire_read_bytes(r, c->flexible);
				WireRecords *rec = p;

				/* The request buffer is the connection's own: it may be written to. */
				rec->data = (char *) b.data;
				rec->len = b.len;
				rec->external = NULL;
				is_null = b.len < 0;
				break;
			}
		case WIRE_STRUCT:
			return decode_struct(f->sub, c, r, a, p);
	}
	if (r->failed)
		return decode_failed(r, f, NULL);
	if (is_null && !nullable)
		return decode_failed(r, f, UNEXPECTED_NULL);
	return true;
}

static bool
decode_array(const WireField *f, const Codec *c, WireReader *r, WireArena *a, void *base)
{
	int32_t		n = wire_read_array_len(r, c->flexible, min_value_size(f, c));
	char	   *elements = NULL;
	int32_t		i;

	if (r->failed)
		return decode_failed(r, f, NULL);
	if (n < 0 && !is_nullable(f, c))
		return decode_failed(r, f, UNEXPECTED_NULL);
	if (n > 0)
	{
		elements = wire_alloc_array(a, n, f->size);
		if (!elements)
			return decode_failed(r, f, NO_MEMORY);
	}
	VALUE(int32_t, base, f->count_offset) = n;
	VALUE(void *, base, f->offset) = elements;
	for (i = 0; i < n; i++)
	{
		if (!decode_value(f, false, c, r, a, elements + (size_t) i * f->size))
			return false;
	}
	return true;
}

static bool
decode_field(const WireField *f, const Codec *c, WireReader *r, WireArena *a, void *base)
{
	void	   *p = &VALUE(char, base, f->offset);

	if (f->is_array)
		return decode_array(f, c, r, a, base);
	if (is_pointer(f))
	{
		/* A byte says whether it is there: 1 yes, -1 no. */
		if (is_nullable(f, c) && wire_read_int8(r) < 0)
		{
			*(void **) p = NULL;
			return true;
		}
		*(void **) p = wire_alloc(a, f->size);
		if (!*(void **) p)
			return decode_failed(r, f, NO_MEMORY);
		p = *(void **) p;
	}
	return decode_value(f, is_nullable(f, c), c, r, a, p);
}

static const WireField *
find_tag(const WireStruct *s, const Codec *c, uint32_t tag)
{
	int			i;

	for (i = 0; i < s->n_fields; i++)
	{
		const WireField *f = &s->fields[i];

		if (is_tagged(f, c) && f->tag == tag && in_versions(&f->versions, c->version))
			return f;
	}
	return NULL;
}

/*
 * The optional fields at the end of a structure.  Unknown ones are skipped;
 * of one that comes twice the last counts, as in Kafka.
 */
static bool
decode_tags(const WireStruct *s, const Codec *c, WireReader *r, WireArena *a, void *out)
{
	uint32_t	n = wire_read_uvarint(r);

	while (n-- > 0 && !r->failed)
	{
		uint32_t	tag = wire_read_uvarint(r);
		uint32_t	size = wire_read_uvarint(r);
		const WireField *f = find_tag(s, c, tag);
		const char *end = r->end;

		if (!f)
		{
			wire_read_raw(r, size);
			continue;
		}
		if (size > wire_remaining(r))
		{
			wire_reader_fail(r, "ends too early");
			return decode_failed(r, f, NULL);
		}
		/* The field may not read past its own size. */
		r->end = r->pos + size;
		if (!decode_field(f, c, r, a, out))
			return false;
		if (r->pos != r->end)
			return decode_failed(r, f, "has a size that is not its own");
		r->end = end;
	}
	return !r->failed;
}

static bool
decode_struct(const WireStruct *s, const Codec *c, WireReader *r, WireArena *a, void *out)
{
	int			i;

	for (i = 0; i < s->n_fields; i++)
	{
		const WireField *f = &s->fields[i];

		if (!in_versions(&f->versions, c->version) || is_tagged(f, c))
			set_default(f, out);
		else if (!decode_field(f, c, r, a, out))
			return false;
	}
	return !c->flexible || decode_tags(s, c, r, a, out);
}

bool
wire_decode(const WireMessage *m, int version, WireReader *r, WireArena *a, void *out)
{
	Codec		c;

	c.version = version;
	c.flexible = version >= m->flexible_since;
	if (!in_versions(&m->versions, version))
		wire_reader_fail(r, "has a version that is not known");
	return !r->failed && decode_struct(m, &c, r, a, out);
}

/* ---------- encoder ---------- */

static void encode_struct(const WireStruct *s, const Codec *c, const void *in, WireWriter *w);

static void
encode_failed(WireWriter *w, const WireField *f, const char *why)
{
	wire_writer_fail(w, why);
	if (!w->field)
		w->field = f->name;
}

/*
 * The length to write for a value of this length.  Null becomes empty in
 * versions in which the field could not be null yet.
 */
static int32_t
encoded_len(const WireField *f, bool nullable, int32_t len, WireWriter *w)
{
	if (len >= 0 || nullable)
		return len;
	if (!f->is_nullable)
		encode_failed(w, f, UNEXPECTED_NULL);
	return 0;
}

static void
encode_value(const WireField *f, bool nullable, const Codec *c, const void *p, WireWriter *w)
{
	switch ((WireType) f->type)
	{
		case WIRE_BOOL:
			wire_write_int8(w, *(const bool *) p ? 1 : 0);
			break;
		case WIRE_INT8:
			wire_write_int8(w, *(const int8_t *) p);
			break;
		case WIRE_INT16:
			wire_write_int16(w, *(const int16_t *) p);
			break;
		case WIRE_UINT16:
			wire_write_int16(w, (int16_t) *(const uint16_t *) p);
			break;
		case WIRE_INT32:
			wire_write_int32(w, *(const int32_t *) p);
			break;
		case WIRE_INT64:
			wire_write_int64(w, *(const int64_t *) p);
			break;
		case WIRE_FLOAT64:
			{
				int64_t		bits;

				memcpy(&bits, p, sizeof(bits));
				wire_write_int64(w, bits);
				break;
			}
		case WIRE_UUID:
			wire_write_raw(w, p, sizeof(WireUuid));
			break;
		case WIRE_STRING:
			{
				WireString	s = *(const WireString *) p;

				s.len = encoded_len(f, nullable, s.len, w);
				wire_write_string(w, s, c->flexible);
				break;
			}
		case WIRE_BYTES:
			{
				WireBytes	b = *(const WireBytes *) p;

				b.len = encoded_len(f, nullable, b.len, w);
				wire_write_bytes(w, b, c->flexible);
				break;
			}
		case WIRE_RECORDS:
			{
				WireRecords rec = *(const WireRecords *) p;

				rec.len = encoded_len(f, nullable, rec.len, w);
				wire_write_records(w, &rec, c->flexible);
				break;
			}
		case WIRE_STRUCT:
			encode_struct(f->sub, c, p, w);
			break;
	}
	if (w->failed && !w->field)
		w->field = f->name;
}

static void
encode_field(const WireField *f, const Codec *c, const void *base, WireWriter *w)
{
	bool		nullable = is_nullable(f, c);

	if (f->is_array)
	{
		const char *elements = CONST_VALUE(char *, base, f->offset);
		int32_t		n = encoded_len(f, nullable, CONST_VALUE(int32_t, base, f->count_offset), w);
		int32_t		i;

		wire_write_array_len(w, n, c->flexible);
		for (i = 0; i < n && !w->failed; i++)
			encode_value(f, false, c, elements + (size_t) i * f->size, w);
		return;
	}
	if (is_pointer(f))
	{
		const void *p = CONST_VALUE(void *, base, f->offset);

		if (nullable)
			wire_write_int8(w, p ? 1 : -1);
		else if (!p)
			encode_failed(w, f, UNEXPECTED_NULL);
		if (p)
			encode_value(f, nullable, c, p, w);
		return;
	}
	encode_value(f, nullable, c, &CONST_VALUE(char, base, f->offset), w);
}

static void
encode_tags(const WireStruct *s, const Codec *c, const void *in, WireWriter *w)
{
	uint32_t	n = 0;
	int			tag;
	int			last = -1;
	int			i;

	for (i = 0; i < s->n_fields; i++)
	{
		const WireField *f = &s->fields[i];

		if (is_tagged(f, c) && in_versions(&f->versions, c->version) && !is_default(f, in))
		{
			n++;
			if (f->tag > last)
				last = f->tag;
		}
	}
	wire_write_uvarint(w, n);
	for (tag = 0; tag <= last; tag++)
	{
		const WireField *f = find_tag(s, c, tag);
		size_t		start;

		if (!f || is_default(f, in))
			continue;
		wire_write_uvarint(w, tag);
		start = w->len;
		encode_field(f, c, in, w);
		wire_insert_size(w, start);
	}
}

static void
encode_struct(const WireStruct *s, const Codec *c, const void *in, WireWriter *w)
{
	int			i;

	for (i = 0; i < s->n_fields && !w->failed; i++)
	{
		const WireField *f = &s->fields[i];

		if (in_versions(&f->versions, c->version) && !is_tagged(f, c))
			encode_field(f, c, in, w);
	}
	if (c->flexible)
		encode_tags(s, c, in, w);
}

bool
wire_encode(const WireMessage *m, int version, const void *in, WireWriter *w)
{
	Codec		c;

	c.version = version;
	c.flexible = version >= m->flexible_since;
	if (!in_versions(&m->versions, version))
		wire_writer_fail(w, "has a version that is not known");
	encode_struct(m, &c, in, w);
	return !w->failed;
}
