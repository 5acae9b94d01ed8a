/*-------------------------------------------------------------------------
 *
 * topic_name.h
 *	  Names of topics, and of the tables that hold them.
 *
 * Kafka's names have 1 to 249 characters out of [a-zA-Z0-9._-]; PostgreSQL's
 * identifiers have 63 bytes at most.  A short name is its table's name.  A longer one
 * becomes its first 46 characters, '~' and 16 hexadecimal digits of a 64-bit hash
 * of the whole name.  '~' isn't legal in a topic's name, so no short name meets
 * a long one's table.  Two long names with the same beginning and the same hash
 * are possible in principle; then the second can't be created, as its table exists.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_TOPIC_NAME_H
#define WIRE_TOPIC_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TOPIC_NAME_MAX 249

/* Longest name of a table, and the size of a buffer for it. */
#define TOPIC_TABLE_NAME_MAX 63
#define TOPIC_TABLE_NAME_SIZE (TOPIC_TABLE_NAME_MAX + 1)

/* NULL if the name is legal, else why not: a sentence for the client. */
extern const char *topic_name_problem(const char *name, size_t len);

static inline bool
topic_name_valid(const char *name, size_t len)
{
	return topic_name_problem(name, len) == NULL;
}

/*
 * Names that differ only in '.' and '_' may not exist side by side (Kafka's
 * metrics can't tell them apart).  Are these two such names (or the same)?
 */
extern bool topic_name_collides(const char *a, size_t a_len, const char *b, size_t b_len);

/* The form by which such names are equal; `out` has len + 1 bytes. */
extern void topic_name_collision_form(const char *name, size_t len, char *out);

/* The name of the table of a topic with a legal name. */
extern void topic_name_to_table(const char *name, size_t len, char out[TOPIC_TABLE_NAME_SIZE]);

/*
 * Is the table's name also its topic's?  Not if it is a shortened one, whose topic
 * only the catalog knows, or none that a topic can have.
 */
extern bool topic_name_is_table(const char *table);

/* Internal topics (of groups and transactions): clients may not produce to them. */
extern bool topic_name_internal(const char *name, size_t len);

#endif							/* WIRE_TOPIC_NAME_H */
