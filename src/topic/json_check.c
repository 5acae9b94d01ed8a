/*-------------------------------------------------------------------------
 *
 * json_check.c
 *	  A recogniser for json that neither recurses nor allocates.
 *
 * It accepts what json_in() accepts: as there, escapes of surrogates and of
 * U+0000 are looked at no further than their four hex digits, and duplicate
 * keys are fine.
 *
 *-------------------------------------------------------------------------
 */
#include "topic/json_check.h"

#include <stdbool.h>
#include <string.h>

/* What may come next. */
typedef enum Expect
{
	EXPECT_VALUE,
	EXPECT_VALUE_OR_END,		/* after [ */
	EXPECT_KEY,					/* after , in an object */
	EXPECT_KEY_OR_END,			/* after { */
	EXPECT_COLON,
	EXPECT_COMMA_OR_END			/* after a value */
} Expect;

static bool
is_digit(const char *p, const char *end)
{
	return p < end && *p >= '0' && *p <= '9';
}

static bool
is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Past the string that starts at p (its opening quote), or NULL. */
static const char *
skip_string(const char *p, const char *end)
{
	for (p++; p < end; p++)
	{
		unsigned char c = (unsigned char) *p;

		if (c == '"')
			return p + 1;
		if (c < 0x20)
			return NULL;
		if (c != '\\')
			continue;
		if (++p >= end)
			return NULL;
		if (*p == 'u')
		{
			if (end - p < 5)
				return NULL;
			for (int i = 1; i <= 4; i++)
			{
				if (!is_hex(p[i]))
					return NULL;
			}
			p += 4;
		}
		else if (*p == '\0' || strchr("\"\\/bfnrt", *p) == NULL)
			return NULL;
	}
	return NULL;
}

static const char *
skip_digits(const char *p, const char *end)
{
	if (!is_digit(p, end))
		return NULL;
	while (is_digit(p, end))
		p++;
	return p;
}

static const char *
skip_number(const char *p, const char *end)
{
	if (*p == '-')
		p++;
	if (p < end && *p == '0')
		p++;
	else if ((p = skip_digits(p, end)) == NULL)
		return NULL;
	if (p < end && *p == '.')
	{
		if ((p = skip_digits(p + 1, end)) == NULL)
			return NULL;
	}
	if (p < end && (*p == 'e' || *p == 'E'))
	{
		p++;
		if (p < end && (*p == '+' || *p == '-'))
			p++;
		p = skip_digits(p, end);
	}
	return p;
}

static const char *
skip_literal(const char *p, const char *end)
{
	static const char *const words[] = {"true", "false", "null"};

	for (int i = 0; i < 3; i++)
	{
		size_t		len = strlen(words[i]);

		if ((size_t) (end - p) >= len && memcmp(p, words[i], len) == 0)
			return p + len;
	}
	return NULL;
}

/* Past the string, number or word that starts at p, or NULL. */
static const char *
skip_scalar(const char *p, const char *end)
{
	if (*p == '"')
		return skip_string(p, end);
	if (*p == '-' || is_digit(p, end))
		return skip_number(p, end);
	return skip_literal(p, end);
}

JsonCheckResult
json_check(const char *data, size_t len)
{
	const char *p = data;
	const char *end = data + len;
	bool		in_object[JSON_CHECK_MAX_DEPTH];	/* else in an array */
	int			depth = 0;
	Expect		expect = EXPECT_VALUE;

	while (p < end)
	{
		char		c = *p;

		if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
		{
			p++;
			continue;
		}

		switch (expect)
		{
			case EXPECT_VALUE_OR_END:
			case EXPECT_VALUE:
				if (c == ']' && expect == EXPECT_VALUE_OR_END)
				{
					depth--;
					expect = EXPECT_COMMA_OR_END;
					p++;
				}
				else if (c == '{' || c == '[')
				{
					if (depth == JSON_CHECK_MAX_DEPTH)
						return JSON_CHECK_TOO_DEEP;
					in_object[depth++] = (c == '{');
					expect = (c == '{') ? EXPECT_KEY_OR_END : EXPECT_VALUE_OR_END;
					p++;
				}
				else
				{
					if ((p = skip_scalar(p, end)) == NULL)
						return JSON_CHECK_INVALID;
					expect = EXPECT_COMMA_OR_END;
				}
				break;

			case EXPECT_KEY_OR_END:
			case EXPECT_KEY:
				if (c == '}' && expect == EXPECT_KEY_OR_END)
				{
					depth--;
					expect = EXPECT_COMMA_OR_END;
					p++;
				}
				else
				{
					if (c != '"' || (p = skip_string(p, end)) == NULL)
						return JSON_CHECK_INVALID;
					expect = EXPECT_COLON;
				}
				break;

			case EXPECT_COLON:
				if (c != ':')
					return JSON_CHECK_INVALID;
				expect = EXPECT_VALUE;
				p++;
				break;

			case EXPECT_COMMA_OR_END:
				if (depth == 0)
					return JSON_CHECK_INVALID;
				if (c == ',')
					expect = in_object[depth - 1] ? EXPECT_KEY : EXPECT_VALUE;
				else if (c == (in_object[depth - 1] ? '}' : ']'))
					depth--;
				else
					return JSON_CHECK_INVALID;
				p++;
				break;
		}
	}

	return (depth == 0 && expect == EXPECT_COMMA_OR_END) ? JSON_CHECK_OK : JSON_CHECK_INVALID;
}
