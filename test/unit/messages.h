/*
 * messages.h: what tests do with any message, by its table.
 */
#ifndef MESSAGES_H
#define MESSAGES_H

#include <stdio.h>

#include "wire/api_list.h"

/* Fill the fields of a version with pseudo-random content, the others with defaults. */
extern void message_random(const WireStruct *s, int version, uint64_t *state, WireArena *a, void *out);

extern bool message_equal(const WireStruct *s, const void *x, const void *y);

/* Print the fields of a version in the JSON of Kafka's own converters. */
extern void message_print(FILE *f, const WireStruct *s, int version, const void *in);

/* The table of a message, by its name; NULL if there is none. */
extern const WireMessage *message_by_name(const char *name);

/* The last version that any message has must be less than this. */
#define MAX_VERSION 100

#endif							/* MESSAGES_H */
