/*
 * json_check accepts exactly what the server's json parser accepts: compared on
 * a list of cases, on all short strings over json's characters, and on
 * random changes of valid values.
 *
 * The only unit test that needs PostgreSQL's headers and libpgcommon.
 */
#include "postgres_fe.h"

#include "common/jsonapi.h"
#include "mb/pg_wchar.h"

#include "check.h"
#include "topic/json_check.h"

/* The server's parser keeps memory where it fails. */
const char *__lsan_default_options(void);
const char *
__lsan_default_options(void)
{
	return "detect_leaks=0";
}

static bool
server_accepts(const char *data, size_t len)
{
	/* a copy of the exact size, so that reading past it is noticed */
	char	   *copy = malloc(len + 1);
	JsonLexContext *lex;
	bool		result;

	memcpy(copy, data, len);
	copy[len] = '\0';
#if PG_MAJORVERSION_NUM >= 17
	lex = makeJsonLexContextCstringLen(NULL, copy, len, PG_UTF8, false);
#else
	lex = makeJsonLexContextCstringLen(copy, len, PG_UTF8, false);
#endif
	result = pg_parse_json(lex, &nullSemAction) == JSON_SUCCESS;
	free(lex);
	free(copy);
	return result;
}

static bool
same(const char *data, size_t len)
{
	char	   *copy = malloc(len ? len : 1);
	JsonCheckResult ours;

	memcpy(copy, data, len);
	ours = json_check(copy, len);
	free(copy);
	return ours == JSON_CHECK_TOO_DEEP || (ours == JSON_CHECK_OK) == server_accepts(data, len);
}

static const char *const cases[] = {
	"", " ", "null", "true", "false", "nul", "nulll", "True", "0", "-0", "01", "-", "+1", "1.", ".5", "1.5", "1e", "1e5",
	"1E+5", "1e-", "1e5x", "1x", "0x1", "1 2", "\"\"", "\"a", "\"a\"b", "\"\\\"\"", "\"\\u12\"", "\"\\u123g\"",
	"\"\\u0000\"", "\"\\ud800\"", "\"\\x\"", "\"\\", "\"\t\"", "\"\x7f\"", "\"\xc3\xa9\"", "[]", "[", "]", "[1,]", "[,1]", "[1 2]",
	"[1,2]", "[[]]", "[}", "{}", "{", "}", "{]", "{\"a\"}", "{\"a\":}", "{\"a\":1}", "{\"a\":1,}", "{,}", "{1:2}",
	"{\"a\":1 \"b\":2}", "{\"a\":1,\"b\":[{}, null, -1.5e3]}", "{\"a\":1,\"a\":2}", " [ 1 , 2 ] ", "\n\t\r 1", "\v1", "1\f", "[1]]",
	"{\"a\":{\"b\":{}}}", "nullnull", "null,", "\"a\" \"b\"", "\xef\xbb\xbf" "1", "/**/1", "'a'", "NaN", "Infinity", "_", "true1", "true_", "[true1]",
	"1\xc3\xa9", "[1\xc3\xa9]"
};

int
main(void)
{
	const char	alphabet[] = "[]{}\",:1-.e \\ut";
	const char	seed[] =
		"{\"key\": [1, -2.5e+10, \"text\\n\\u00e9\", true, false, null, {}], \"o\": {\"a\": [[\"\"]]}}";
	uint64_t	state = 88172645463325252u;
	char		deep[2 * JSON_CHECK_MAX_DEPTH + 3];
	int			bad = 0;

	for (int i = 0; i < lengthof(cases); i++)
		fails(bad, same(cases[i], strlen(cases[i])), "%s", cases[i]);
	check(bad == 0, "cases by hand");

	bad = 0;
	for (int len = 1; len <= 5; len++)
	{
		int			n = lengthof(alphabet) - 1;
		int			count = 1;
		char		s[5];

		for (int i = 0; i < len; i++)
			count *= n;
		for (int i = 0; i < count; i++)
		{
			for (int j = 0, rest = i; j < len; j++, rest /= n)
				s[j] = alphabet[rest % n];
			fails(bad, same(s, len), "%.*s", len, s);
		}
	}
	check(bad == 0, "all strings of up to five of json's characters");

	bad = 0;
	for (int i = 0; i < 200000; i++)
	{
		char		s[sizeof(seed)];
		size_t		len = strlen(seed);

		memcpy(s, seed, sizeof(seed));
		for (int changes = 1 + random_next(&state) % 3; changes > 0; changes--)
		{
			size_t		at = random_next(&state) % len;

			switch (random_next(&state) % 3)
			{
				case 0:
					s[at] = alphabet[random_next(&state) % (lengthof(alphabet) - 1)];
					break;
				case 1:
					memmove(s + at, s + at + 1, len - at - 1);
					len--;
					break;
				default:
					s[at] = 1 + random_next(&state) % 127;
					break;
			}
		}
		fails(bad, same(s, len), "%.*s", (int) len, s);
	}
	check(bad == 0, "random changes of a valid value");

	memset(deep, '[', sizeof(deep));
	memset(deep + JSON_CHECK_MAX_DEPTH, ']', JSON_CHECK_MAX_DEPTH);
	check(json_check(deep, 2 * JSON_CHECK_MAX_DEPTH) == JSON_CHECK_OK, "as deep as allowed");
	memset(deep, '[', sizeof(deep));
	check(json_check(deep, sizeof(deep)) == JSON_CHECK_TOO_DEEP, "too deep");
	return done();
}
