/*
 * Topic names: which are legal, which collide, and what their tables are called.
 */
#include "check.h"
#include "wire/topic_name.h"

static bool
valid(const char *name)
{
	return topic_name_valid(name, strlen(name));
}

static bool
collide(const char *a, const char *b)
{
	return topic_name_collides(a, strlen(a), b, strlen(b));
}

static const char *
table_of(const char *name)
{
	static char table[TOPIC_TABLE_NAME_SIZE];

	topic_name_to_table(name, strlen(name), table);
	return table;
}

static void
legal_names(void)
{
	char		name[TOPIC_NAME_MAX + 2];
	int			bad = 0;

	check(valid("a") && valid("Orders.2024-01_x") && valid("...") && valid("__consumer_offsets") &&
		  valid("-"),
		  "legal names");
	check(!valid("") && !valid(".") && !valid("..") && !valid("a b") && !valid("a/b") &&
		  !valid("h\xc3\xa9") &&
		  !valid("a~b"), "illegal names");
	for (int c = 1; c < 256; c++)
	{
		bool		allowed = strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-",
									 c) != NULL;
		char		one[] = {'x', (char) c, '\0'};

		fails(bad, valid(one) == allowed, "character %d", c);
	}
	check(bad == 0 && !topic_name_valid("a\0b", 3), "each character");
	memset(name, 'x', sizeof(name));
	check(topic_name_valid(name, 249) && !topic_name_valid(name, 250), "the longest name has 249 characters");
}

static void
collisions(void)
{
	char		form[10];

	check(collide("a.b", "a_b") && collide("a_b", "a_b") && collide("._", "_."), "'.' and '_' collide");
	check(!collide("a.b", "a-b") && !collide("a.b", "a.bc") && !collide("a", "b"), "nothing else does");
	topic_name_collision_form("a.b_c", 5, form);
	check(strcmp(form, "a_b_c") == 0, "the form of all names that collide");
}

static void
tables(void)
{
	char		name[100];
	char		first[TOPIC_TABLE_NAME_SIZE];
	int			bad = 0;

	memset(name, 'n', sizeof(name));
	name[63] = '\0';
	check(strcmp(table_of(name), name) == 0 && topic_name_is_table(name),
		  "63 characters are the table's name");
	name[63] = 'n';
	name[64] = '\0';
	/* This can never change: tables are called so. */
	check(strcmp(table_of(name), "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn~927175ddc52c779c") == 0,
		  "64 are not: %s", table_of(name));
	check(strlen(table_of(name)) == TOPIC_TABLE_NAME_MAX && !topic_name_is_table(table_of(name)),
		  "a shortened name is no topic's name");

	strcpy(first, table_of(name));
	for (int i = 0; i < 64; i++)
	{
		name[i] = 'm';
		fails(bad, strcmp(table_of(name), first) != 0, "character %d makes no difference", i);
		name[i] = 'n';
	}
	check(bad == 0, "each character of a long name counts");
}

static void
internal_names(void)
{
	check(topic_name_internal("__consumer_offsets", 18) && topic_name_internal("__transaction_state", 19) &&
		  topic_name_internal("__share_group_state", 19) && !topic_name_internal("__consumer_offset", 17) &&
		  !topic_name_internal("orders", 6), "internal topics");
}

int
main(void)
{
	legal_names();
	collisions();
	tables();
	internal_names();
	return done();
}
