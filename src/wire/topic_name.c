/*-------------------------------------------------------------------------
 *
 * topic_name.c
 *	  Names of topics, and of the tables that hold them.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/topic_name.h"

#include <stdio.h>
#include <string.h>

/* What stays of a long name: the rest is '~' and 16 digits. */
#define TABLE_NAME_PREFIX (TOPIC_TABLE_NAME_MAX - 17)

const char *
topic_name_problem(const char *name, size_t len)
{
	if (len == 0)
		return "The topic name is empty.";
	if (len > TOPIC_NAME_MAX)
		return "The topic name is longer than 249 characters.";
	if ((len == 1 && name[0] == '.') || (len == 2 && name[0] == '.' && name[1] == '.'))
		return "A topic cannot be named \".\" or \"..\".";
	for (size_t i = 0; i < len; i++)
	{
		char		c = name[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
			  c == '.' || c == '_' || c == '-'))
			return "The topic name has a character other than ASCII letters, digits, '.', '_' and '-'.";
	}
	return NULL;
}

static char
collision_char(char c)
{
	return c == '.' ? '_' : c;
}

bool
topic_name_collides(const char *a, size_t a_len, const char *b, size_t b_len)
{
	if (a_len != b_len)
		return false;
	for (size_t i = 0; i < a_len; i++)
		if (collision_char(a[i]) != collision_char(b[i]))
			return false;
	return true;
}

void
topic_name_collision_form(const char *name, size_t len, char *out)
{
	for (size_t i = 0; i < len; i++)
		out[i] = collision_char(name[i]);
	out[len] = '\0';
}

/*
 * FNV-1a, 64 bits, with the finalizer of murmur3: FNV alone mixes the last
 * characters badly, and those are what long names differ in.  Table names are
 * made of it, so it can never change.
 */
static uint64_t
name_hash(const char *name, size_t len)
{
	uint64_t	h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < len; i++)
	{
		h ^= (unsigned char) name[i];
		h *= UINT64_C(0x100000001b3);
	}
	h ^= h >> 33;
	h *= UINT64_C(0xff51afd7ed558ccd);
	h ^= h >> 33;
	h *= UINT64_C(0xc4ceb9fe1a85ec53);
	h ^= h >> 33;
	return h;
}

void
topic_name_to_table(const char *name, size_t len, char out[TOPIC_TABLE_NAME_SIZE])
{
	if (len <= TOPIC_TABLE_NAME_MAX)
	{
		memcpy(out, name, len);
		out[len] = '\0';
		return;
	}
	memcpy(out, name, TABLE_NAME_PREFIX);
	snprintf(out + TABLE_NAME_PREFIX, TOPIC_TABLE_NAME_SIZE - TABLE_NAME_PREFIX, "~%016llx",
			 (unsigned long long) name_hash(name, len));
}

bool
topic_name_is_table(const char *table)
{
	return topic_name_valid(table, strlen(table)) && strlen(table) <= TOPIC_TABLE_NAME_MAX;
}

bool
topic_name_internal(const char *name, size_t len)
{
	static const char *const internal[] = {
		"__consumer_offsets", "__transaction_state", "__share_group_state"
	};

	for (size_t i = 0; i < sizeof(internal) / sizeof(internal[0]); i++)
		if (strlen(internal[i]) == len && memcmp(internal[i], name, len) == 0)
			return true;
	return false;
}
