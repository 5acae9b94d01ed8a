/*
 * messages.c: what tests do with any message, by its table.
 */
#include <ctype.h>

#include "check.h"
#include "messages.h"

static bool
present(const WireField *f, int version)
{
	return version >= f->versions.min && version <= f->versions.max;
}

static bool
nullable(const WireField *f, int version)
{
	return f->is_nullable && version >= f->nullable.min && version <= f->nullable.max;
}

static bool
is_pointer(const WireField *f)
{
	return f->type == WIRE_STRUCT && f->is_nullable && !f->is_array;
}

static void *
at(const void *base, const WireField *f)
{
	return (char *) base + f->offset;
}

static int32_t *
count_at(const void *base, const WireField *f)
{
	return (int32_t *) ((char *) base + f->count_offset);
}

/* ---------- random content ---------- */

static char *
random_bytes(uint64_t *state, WireArena *a, int32_t len)
{
	char	   *p = wire_alloc(a, len);
	int32_t		i;

	for (i = 0; i < len; i++)
		p[i] = (char) ('a' + random_next(state) % 26);
	return p;
}

static void
random_value(const WireField *f, bool may_be_null, int version, uint64_t *state, WireArena *a, void *p)
{
	uint64_t	r = random_next(state);
	int32_t		len = (int32_t) (random_next(state) % (r % 64 == 0 ? 300 : 12));

	if (may_be_null && r % 4 == 0)
		len = -1;
	/* Small numbers are as likely as large ones. */
	if (r % 2)
		r = random_next(state);
	else
		r = random_next(state) % 8;
	switch ((WireType) f->type)
	{
		case WIRE_BOOL:
			*(bool *) p = r & 1;
			break;
		case WIRE_INT8:
			*(int8_t *) p = (int8_t) r;
			break;
		case WIRE_INT16:
			*(int16_t *) p = (int16_t) r;
			break;
		case WIRE_UINT16:
			*(uint16_t *) p = (uint16_t) r;
			break;
		case WIRE_INT32:
			*(int32_t *) p = (int32_t) r;
			break;
		case WIRE_INT64:
			*(int64_t *) p = (int64_t) r;
			break;
		case WIRE_FLOAT64:
			*(double *) p = (double) (int64_t) r / 8;
			break;
		case WIRE_UUID:
			memcpy(p, random_bytes(state, a, 16), 16);
			break;
		case WIRE_STRING:
			((WireString *) p)->data = len < 0 ? NULL : random_bytes(state, a, len);
			((WireString *) p)->len = len;
			break;
		case WIRE_BYTES:
			((WireBytes *) p)->data = len < 0 ? NULL : random_bytes(state, a, len);
			((WireBytes *) p)->len = len;
			break;
		case WIRE_RECORDS:
			((WireRecords *) p)->data = len < 0 ? NULL : random_bytes(state, a, len);
			((WireRecords *) p)->len = len;
			break;
		case WIRE_STRUCT:
			message_random(f->sub, version, state, a, p);
			break;
	}
}

void
message_random(const WireStruct *s, int version, uint64_t *state, WireArena *a, void *out)
{
	int			i;

	wire_init(s, out);
	for (i = 0; i < s->n_fields; i++)
	{
		const WireField *f = &s->fields[i];
		bool		may_be_null = nullable(f, version);
		bool		leave = random_next(state) % 4 == 0;

		if (!present(f, version) || (leave && f->is_tagged))
			continue;
		if (f->is_array && may_be_null && leave)
			*count_at(out, f) = -1;
		else if (is_pointer(f) && may_be_null && leave)
			*(void **) at(out, f) = NULL;
		else if (f->is_array)
		{
			int32_t		n = (int32_t) (random_next(state) % 4);
			char	   *elements = wire_alloc_array(a, n, f->size);
			int32_t		k;

			for (k = 0; k < n; k++)
				random_value(f, false, version, state, a, elements + k * f->size);
			*(void **) at(out, f) = n > 0 ? elements : NULL;
			*count_at(out, f) = n;
		}
		else if (is_pointer(f))
		{
			void	   *p = wire_alloc(a, f->size);

			random_value(f, false, version, state, a, p);
			*(void **) at(out, f) = p;
		}
		else
			random_value(f, may_be_null, version, state, a, at(out, f));
	}
}

/* ---------- comparison ---------- */

static bool
value_equal(const WireField *f, const void *x, const void *y)
{
	switch ((WireType) f->type)
	{
		case WIRE_STRING:
			return wire_string_equal(*(const WireString *) x, *(const WireString *) y);
		case WIRE_BYTES:
		case WIRE_RECORDS:
			{
				const WireBytes *a = x;
				const WireBytes *b = y;

				return a->len == b->len && (a->len <= 0 || memcmp(a->data, b->data, a->len) == 0);
			}
		case WIRE_STRUCT:
			return message_equal(f->sub, x, y);
		default:
			return memcmp(x, y, f->size) == 0;
	}
}

bool
message_equal(const WireStruct *s, const void *x, const void *y)
{
	int			i;

	for (i = 0; i < s->n_fields; i++)
	{
		const WireField *f = &s->fields[i];
		const void *p = at(x, f);
		const void *q = at(y, f);

		if (f->is_array)
		{
			int32_t		n = *count_at(x, f);
			int32_t		k;

			if (n != *count_at(y, f))
				return false;
			for (k = 0; k < n; k++)
			{
				if (!value_equal(f, *(char *const *) p + k * f->size, *(char *const *) q + k * f->size))
					return false;
			}
			continue;
		}
		if (is_pointer(f))
		{
			p = *(void *const *) p;
			q = *(void *const *) q;
			if (!p || !q)
			{
				if (p != q)
					return false;
				continue;
			}
		}
		if (!value_equal(f, p, q))
			return false;
	}
	return true;
}

/* ---------- text ---------- */

/* Base64; uuids in the form of it that Kafka's text uses, without padding. */
static void
print_base64(FILE *out, const uint8_t *data, int32_t len, bool uuid)
{
	const char *alphabet = uuid ?
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" :
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	int32_t		i;
	int			k;

	fputc('"', out);
	for (i = 0; i < len; i += 3)
	{
		uint32_t	bits = 0;

		for (k = 0; k < 3; k++)
			bits = bits << 8 | (i + k < len ? data[i + k] : 0);
		for (k = 0; k < 4; k++)
		{
			if (i + k <= len)
				fputc(alphabet[bits >> (18 - 6 * k) & 63], out);
			else if (!uuid)
				fputc('=', out);
		}
	}
	fputc('"', out);
}

static void
print_value(FILE *out, const WireField *f, int version, const void *p)
{
	const WireBytes *b = p;

	switch ((WireType) f->type)
	{
		case WIRE_BOOL:
			fputs(*(const bool *) p ? "true" : "false", out);
			break;
		case WIRE_INT8:
			fprintf(out, "%d", *(const int8_t *) p);
			break;
		case WIRE_INT16:
			fprintf(out, "%d", *(const int16_t *) p);
			break;
		case WIRE_UINT16:
			fprintf(out, "%d", *(const uint16_t *) p);
			break;
		case WIRE_INT32:
			fprintf(out, "%d", *(const int32_t *) p);
			break;
		case WIRE_INT64:
			fprintf(out, "%lld", (long long) *(const int64_t *) p);
			break;
		case WIRE_FLOAT64:
			fprintf(out, "%.4f", *(const double *) p);
			break;
		case WIRE_UUID:
			print_base64(out, p, sizeof(WireUuid), true);
			break;
		case WIRE_STRING:
			if (b->len < 0)
				fputs("null", out);
			else
				fprintf(out, "\"%.*s\"", b->len, b->len > 0 ? b->data : "");
			break;
		case WIRE_BYTES:
		case WIRE_RECORDS:
			if (b->len < 0)
				fputs("null", out);
			else
				print_base64(out, (const uint8_t *) b->data, b->len, false);
			break;
		case WIRE_STRUCT:
			message_print(out, f->sub, version, p);
			break;
	}
}

void
message_print(FILE *out, const WireStruct *s, int version, const void *in)
{
	const char *separator = "{";
	int			i;

	for (i = 0; i < s->n_fields; i++)
	{
		const WireField *f = &s->fields[i];
		const void *p = at(in, f);

		if (!present(f, version))
			continue;
		fprintf(out, "%s\"%c%s\":", separator, tolower(f->name[0]), f->name + 1);
		separator = ",";
		if (f->is_array)
		{
			int32_t		n = *count_at(in, f);
			int32_t		k;

			if (n < 0)
			{
				fputs("null", out);
				continue;
			}
			fputc('[', out);
			for (k = 0; k < n; k++)
			{
				if (k > 0)
					fputc(',', out);
				print_value(out, f, version, *(char *const *) p + k * f->size);
			}
			fputc(']', out);
		}
		else if (is_pointer(f) && *(void *const *) p == NULL)
			fputs("null", out);
		else
			print_value(out, f, version, is_pointer(f) ? *(void *const *) p : p);
	}
	fputs(*separator == '{' ? "{}" : "}", out);
}

const WireMessage *
message_by_name(const char *name)
{
	int			i;

	for (i = 0; i < wire_n_apis; i++)
	{
		if (strcmp(wire_apis[i].request->name, name) == 0)
			return wire_apis[i].request;
		if (strcmp(wire_apis[i].response->name, name) == 0)
			return wire_apis[i].response;
	}
	return NULL;
}
