/*-------------------------------------------------------------------------
 *
 * config_def.c
 *	  Checking and parsing the values of settings.
 *
 * The rules are those of Kafka's ConfigDef: blanks around a value don't count;
 * numbers are decimal; a list is split at commas, its elements are trimmed
 * and those that repeat are dropped.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/config_def.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "wire/codec.h"

/* Longest text of a double that is parsed; what is longer is no sensible number. */
#define DOUBLE_TEXT_MAX 64

/* The normal form of any number is shorter. */
#define NUMBER_TEXT_SIZE 64

/* A piece of a value. */
typedef struct Slice
{
	const char *p;
	size_t		len;
} Slice;

__attribute__((format(printf, 2, 3))) static bool
fail(char *error, const char *format,...)
{
	va_list		args;

	va_start(args, format);
	vsnprintf(error, CONFIG_ERROR_SIZE, format, args);
	va_end(args);
	return false;
}

/* ---------- finding ---------- */

static int
compare_name(const void *name, const void *def)
{
	return strcmp(name, ((const ConfigDef *) def)->name);
}

const ConfigDef *
config_topic_find(const char *name)
{
	return bsearch(name, config_topic, (size_t) config_topic_count, sizeof(ConfigDef), compare_name);
}

const ConfigDef *
config_broker_find(const char *name)
{
	return bsearch(name, config_broker, (size_t) config_broker_count, sizeof(ConfigDef), compare_name);
}

/* ---------- text ---------- */

/* Java's trim(): everything up to the blank goes. */
static Slice
trim(const char *p, size_t len)
{
	while (len > 0 && (unsigned char) *p <= ' ')
		p++, len--;
	while (len > 0 && (unsigned char) p[len - 1] <= ' ')
		len--;
	return (Slice) {p, len};
}

static Slice
trim_value(const char *value)
{
	return trim(value, strlen(value));
}

static bool
slice_is(Slice s, const char *text)
{
	return strlen(text) == s.len && memcmp(s.p, text, s.len) == 0;
}

static bool
slice_equal(Slice a, Slice b)
{
	return a.len == b.len && memcmp(a.p, b.p, a.len) == 0;
}

/* How much of a value an error message repeats. */
static int
shown(Slice s)
{
	return s.len < 100 ? (int) s.len : 100;
}

/* Position in def->values, or -1. */
static int
value_index(const ConfigDef *def, Slice s)
{
	for (int i = 0; def->values[i] != NULL; i++)
		if (slice_is(s, def->values[i]))
			return i;
	return -1;
}

static bool
fail_values(const ConfigDef *def, Slice s, char *error)
{
	char		list[200] = "";

	for (int i = 0; def->values[i] != NULL; i++)
	{
		size_t		used = strlen(list);

		snprintf(list + used, sizeof(list) - used, "%s%s", i > 0 ? ", " : "", def->values[i]);
	}
	return fail(error, "Invalid value \"%.*s\" for %s: it must be one of %s.",
				shown(s), s.p, def->name, list);
}

/*
 * Take the next element off a list; false at its end.  *rest starts as the
 * trimmed list and becomes NULL at the end; an empty list has no elements.
 */
static bool
next_element(Slice *rest, Slice *element)
{
	const char *comma;

	if (rest->p == NULL || (rest->len == 0 && element->p == NULL))
		return false;
	comma = memchr(rest->p, ',', rest->len);
	if (comma == NULL)
	{
		*element = trim(rest->p, rest->len);
		rest->p = NULL;
		return true;
	}
	*element = trim(rest->p, (size_t) (comma - rest->p));
	rest->len -= (size_t) (comma - rest->p) + 1;
	rest->p = comma + 1;
	return true;
}

/* ---------- values ---------- */

static bool
parse_boolean(const ConfigDef *def, Slice s, bool *result, char *error)
{
	*result = s.len == 4 && strncasecmp(s.p, "true", 4) == 0;
	if (!*result && !(s.len == 5 && strncasecmp(s.p, "false", 5) == 0))
		return fail(error, "Invalid value \"%.*s\" for %s: it must be true or false.",
					shown(s), s.p, def->name);
	if (*result && def->rule == CONFIG_RULE_FALSE)
		return fail(error, "%s cannot be true: this broker has no tiered storage.", def->name);
	return true;
}

static int
integer_bits(ConfigType type)
{
	return type == CONFIG_LONG ? 64 : type == CONFIG_INT ? 32 : 16;
}

static bool
fail_range(const ConfigDef *def, Slice s, char *error)
{
	if (def->max == CONFIG_UNBOUNDED)
		return fail(error, "Invalid value %.*s for %s: it must be at least %.0f.",
					shown(s), s.p, def->name, def->min);
	return fail(error, "Invalid value %.*s for %s: it must be between %.0f and %.0f.",
				shown(s), s.p, def->name, def->min, def->max);
}

static bool
parse_integer(const ConfigDef *def, Slice s, int64_t *result, char *error)
{
	int64_t		limit = INT64_MAX >> (64 - integer_bits(def->type));
	bool		negative = s.len > 0 && s.p[0] == '-';
	size_t		i = s.len > 0 && (s.p[0] == '-' || s.p[0] == '+') ? 1 : 0;
	int64_t		v = 0;			/* counted down, as there is one more negative number */

	if (i == s.len)
		v = 1;
	for (; i < s.len && v <= 0; i++)
	{
		if (s.p[i] < '0' || s.p[i] > '9' ||
			__builtin_mul_overflow(v, 10, &v) || __builtin_sub_overflow(v, s.p[i] - '0', &v) ||
			v < -limit - 1)
			v = 1;
	}
	if (v > 0 || (!negative && v < -limit))
		return fail(error, "Invalid value \"%.*s\" for %s: it must be an integer of %d bits.",
					shown(s), s.p, def->name, integer_bits(def->type));
	*result = negative ? v : -v;
	if ((double) *result < def->min || (double) *result > def->max)
		return fail_range(def, s, error);
	if (*result == 0 && def->rule == CONFIG_RULE_NOT_ZERO)
		return fail(error, "Invalid value 0 for %s: it must be between 1 and %.0f, or -1.",
					def->name, def->max);
	return true;
}

static bool
parse_double(const ConfigDef *def, Slice s, double *result, char *error)
{
	char		text[DOUBLE_TEXT_MAX + 1];
	char	   *end = text;

	if (s.len > 0 && s.len <= DOUBLE_TEXT_MAX)
	{
		size_t		len = s.len;

		/* Java allows a suffix that names the type. */
		if (len > 1 && strchr("fFdD", s.p[len - 1]) != NULL)
			len--;
		memcpy(text, s.p, len);
		text[len] = '\0';
		if (strspn(text, "0123456789+-.eE") == len)
			*result = strtod(text, &end);
	}
	if (end == text || *end != '\0')
		return fail(error, "Invalid value \"%.*s\" for %s: it must be a number.", shown(s), s.p, def->name);
	if (!(*result >= def->min && *result <= def->max))
		return fail_range(def, s, error);
	return true;
}

static bool
parse_string(const ConfigDef *def, Slice s, int *result, char *error)
{
	*result = -1;
	if (def->values == NULL)
		return true;
	*result = value_index(def, s);
	return *result >= 0 || fail_values(def, s, error);
}

static bool
all_digits(const char *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (p[i] < '0' || p[i] > '9')
			return false;
	return len > 0;
}

/* partition:broker, or nothing */
static bool
is_replica(Slice s)
{
	const char *colon = memchr(s.p, ':', s.len);

	if (s.len == 0)
		return true;
	return colon != NULL && all_digits(s.p, (size_t) (colon - s.p)) &&
		all_digits(colon + 1, s.len - (size_t) (colon - s.p) - 1);
}

/* The bits of the elements, if the list has allowed values. */
static bool
parse_list(const ConfigDef *def, Slice s, int *result, char *error)
{
	Slice		rest = s;
	Slice		element = {NULL, 0};

	*result = 0;
	if (def->rule == CONFIG_RULE_REPLICAS && slice_is(s, "*"))
		return true;
	while (next_element(&rest, &element))
	{
		if (def->rule == CONFIG_RULE_REPLICAS && !is_replica(element))
			return fail(error, "Invalid value \"%.*s\" in %s: not \"*\" or a list of partition:broker.",
						shown(element), element.p, def->name);
		if (def->values != NULL)
		{
			int			index = value_index(def, element);

			if (index < 0)
				return fail_values(def, element, error);
			*result |= 1 << index;
		}
	}
	return true;
}

typedef struct Parsed
{
	bool		boolean;
	int64_t		integer;
	double		real;
	int			index;			/* string: among the allowed values; list: their bits */
} Parsed;

static bool
parse(const ConfigDef *def, Slice s, Parsed *parsed, char *error)
{
	switch (def->type)
	{
		case CONFIG_BOOLEAN:
			return parse_boolean(def, s, &parsed->boolean, error);
		case CONFIG_INT:
		case CONFIG_SHORT:
		case CONFIG_LONG:
			return parse_integer(def, s, &parsed->integer, error);
		case CONFIG_DOUBLE:
			return parse_double(def, s, &parsed->real, error);
		case CONFIG_LIST:
			return parse_list(def, s, &parsed->index, error);
		case CONFIG_STRING:
		case CONFIG_CLASS:
		case CONFIG_PASSWORD:
			return parse_string(def, s, &parsed->index, error);
	}
	return fail(error, "%s has no type.", def->name);
}

bool
config_check(const ConfigDef *def, const char *value, char *error)
{
	Parsed		parsed;

	return value == NULL || parse(def, trim_value(value), &parsed, error);
}

/* ---------- normal form ---------- */

size_t
config_normal_size(const char *value)
{
	/* Only numbers can grow, to at most this. */
	return strlen(value) + NUMBER_TEXT_SIZE;
}

/* As Java writes it: the fewest digits that read back the same, always with a point, 1.0E-5. */
static void
print_double(double v, char *out)
{
	char		text[32];
	char	   *e;
	int			digits = 0;
	int			exponent;

	do
	{
		snprintf(text, sizeof(text), "%.*e", digits, v);
	} while (strtod(text, NULL) != v && ++digits < 17);
	e = strchr(text, 'e');
	exponent = atoi(e + 1);
	*e = '\0';
	if (v == 0)
		snprintf(out, NUMBER_TEXT_SIZE, "%s0.0", signbit(v) ? "-" : "");
	else if (exponent < -3 || exponent >= 7)
		snprintf(out, NUMBER_TEXT_SIZE, "%s%sE%d", text, digits == 0 ? ".0" : "", exponent);
	else
		snprintf(out, NUMBER_TEXT_SIZE, "%.*f", digits - exponent > 1 ? digits - exponent : 1, v);
}

/* Does the list, written so far to out, have the element? */
static bool
list_has(const char *out, Slice element)
{
	Slice		rest = {out, strlen(out)};
	Slice		other = {NULL, 0};

	while (next_element(&rest, &other))
		if (slice_equal(other, element))
			return true;
	return false;
}

static void
list_add(char *out, bool *first, Slice element)
{
	size_t		used = strlen(out);

	if (!*first)
		out[used++] = ',';
	memcpy(out + used, element.p, element.len);
	out[used + element.len] = '\0';
	*first = false;
}

static void
normalize_list(const ConfigDef *def, Slice s, char *out)
{
	Slice		rest = s;
	Slice		element = {NULL, 0};
	bool		first = true;

	out[0] = '\0';
	while (next_element(&rest, &element))
		if (def->values == NULL || !list_has(out, element))
			list_add(out, &first, element);
}

bool
config_normalize(const ConfigDef *def, const char *value, char *out, char *error)
{
	Slice		s = trim_value(value);
	Parsed		parsed;

	if (!parse(def, s, &parsed, error))
		return false;
	switch (def->type)
	{
		case CONFIG_BOOLEAN:
			strcpy(out, parsed.boolean ? "true" : "false");
			break;
		case CONFIG_INT:
		case CONFIG_SHORT:
		case CONFIG_LONG:
			sprintf(out, "%lld", (long long) parsed.integer);
			break;
		case CONFIG_DOUBLE:
			print_double(parsed.real, out);
			break;
		case CONFIG_LIST:
			normalize_list(def, s, out);
			break;
		default:
			memcpy(out, s.p, s.len);
			out[s.len] = '\0';
	}
	return true;
}

/* ---------- changes of lists ---------- */

static bool
must_be_list(const ConfigDef *def, char *error)
{
	if (def->type == CONFIG_LIST)
		return true;
	return fail(error, "%s is not a list; nothing can be appended to it or subtracted from it.", def->name);
}

bool
config_list_append(const ConfigDef *def, const char *current, const char *value, char *out, char *error)
{
	Slice		rest = trim_value(current != NULL ? current : "");
	Slice		element = {NULL, 0};
	bool		first = true;

	if (!must_be_list(def, error))
		return false;
	out[0] = '\0';
	while (next_element(&rest, &element))
		list_add(out, &first, element);
	rest = trim_value(value);
	element = (Slice) {NULL, 0};
	while (next_element(&rest, &element))
		if (!list_has(out, element))
			list_add(out, &first, element);
	return true;
}

bool
config_list_subtract(const ConfigDef *def, const char *current, const char *value, char *out, char *error)
{
	Slice		rest = trim_value(current != NULL ? current : "");
	Slice		element = {NULL, 0};
	bool		first = true;

	if (!must_be_list(def, error))
		return false;
	out[0] = '\0';
	while (next_element(&rest, &element))
		if (!list_has(value, element))
			list_add(out, &first, element);
	return true;
}

/* ---------- the settings of a topic ---------- */

static void
store(TopicConfig *config, const ConfigDef *def, const Parsed *parsed)
{
	char	   *field = (char *) config + def->field;

	switch (def->type)
	{
		case CONFIG_BOOLEAN:
			*(bool *) field = parsed->boolean;
			break;
		case CONFIG_INT:
			*(int32_t *) field = (int32_t) parsed->integer;
			break;
		case CONFIG_LONG:
			*(int64_t *) field = parsed->integer;
			break;
		case CONFIG_DOUBLE:
			*(double *) field = parsed->real;
			break;
		default:
			*(int32_t *) field = parsed->index;
	}
}

bool
topic_config_set(TopicConfig *config, const char *name, const char *value, char *error)
{
	const ConfigDef *def = config_topic_find(name);
	Parsed		parsed;

	if (def == NULL)
		return fail(error, "There is no topic setting \"%.100s\".", name);
	if (!parse(def, trim_value(value != NULL ? value : def->default_value), &parsed, error))
		return false;
	if (def->field != CONFIG_NO_FIELD)
		store(config, def, &parsed);
	return true;
}

void
topic_config_default(TopicConfig *config)
{
	char		error[CONFIG_ERROR_SIZE];

	memset(config, 0, sizeof(*config));
	for (int i = 0; i < config_topic_count; i++)
		topic_config_set(config, config_topic[i].name, NULL, error);
}

bool
topic_config_consistent(const TopicConfig *config, char *error)
{
	if (config->min_compaction_lag_ms > config->max_compaction_lag_ms)
		return fail(error, "min.compaction.lag.ms (%lld) is larger than max.compaction.lag.ms (%lld).",
					(long long) config->min_compaction_lag_ms, (long long) config->max_compaction_lag_ms);
	return true;
}

int64_t
topic_config_segment_ms(const TopicConfig *config)
{
	if ((config->cleanup_policy & CONFIG_CLEANUP_COMPACT) &&
		config->max_compaction_lag_ms < config->segment_ms)
		return config->max_compaction_lag_ms;
	return config->segment_ms;
}

int64_t
topic_config_retention_bytes(const TopicConfig *config)
{
	return (config->cleanup_policy & CONFIG_CLEANUP_DELETE) ? config->retention_bytes : -1;
}

int
topic_config_level(const TopicConfig *config, int codec)
{
	switch (codec)
	{
		case CODEC_GZIP:
			return config->compression_gzip_level;
		case CODEC_LZ4:
			return config->compression_lz4_level;
		case CODEC_ZSTD:
			return config->compression_zstd_level;
		default:
			return CODEC_DEFAULT_LEVEL;
	}
}
