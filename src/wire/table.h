/*-------------------------------------------------------------------------
 *
 * table.h
 *	  The words in which the tables of api_*.c are written.
 *
 * A row is {"KafkaName", WIRE_<type>, <versions>, <place>, <options>...}:
 *
 *	  SINCE(v), FROM_TO(v, w)	versions that have the field
 *	  AT(struct, member)		where its value is
 *	  ARRAY_AT(struct, member)	where an array's elements and their number are
 *	  OF(struct)				the structure it consists of
 *	  NULL_SINCE(v)				versions in which it can be null
 *	  TAG(n), TAG_SINCE(v, n)	optional field with this tag (from version v on)
 *	  DEFAULT(n), DEFAULT_NULL	if not zero, empty or false
 *	  WRITE_NULL				an optional structure that is written also if null
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_TABLE_H
#define WIRE_TABLE_H

#include "wire/message.h"

#define SINCE(v)			.versions = {(v), WIRE_LATEST}
#define FROM_TO(v, w)		.versions = {(v), (w)}
#define AT(type, member) \
	.offset = offsetof(type, member), .size = sizeof(((type *) 0)->member)
#define ARRAY_AT(type, member) \
	.offset = offsetof(type, member), .size = sizeof(*((type *) 0)->member), \
	.count_offset = offsetof(type, n_##member), .is_array = true
/* A structure that can be null is behind a pointer. */
#define POINTER_AT(type, member) \
	.offset = offsetof(type, member), .size = sizeof(*((type *) 0)->member)
#define OF(type)			.sub = &wire_##type
#define NULL_SINCE(v)		.is_nullable = true, .nullable = {(v), WIRE_LATEST}
#define TAG_SINCE(v, n)		.is_tagged = true, .tagged = {(v), WIRE_LATEST}, .tag = (n)
#define DEFAULT(n)			.default_value = (n)
#define DEFAULT_NULL		.default_null = true
#define WRITE_NULL			.default_value = 1

/* Define the table of a structure, or of a message with its versions, from its rows: <struct>_rows[]. */
#define WIRE_STRUCT_TABLE(type) \
	const WireStruct wire_##type = { \
		.name = #type, .size = sizeof(type), \
		.fields = type##_rows, .n_fields = sizeof(type##_rows) / sizeof(type##_rows[0]), \
		.versions = {0, WIRE_LATEST} \
	}
#define WIRE_MESSAGE_TABLE(type, first, last, flexible) \
	const WireMessage wire_##type = { \
		.name = #type, .size = sizeof(type), \
		.fields = type##_rows, .n_fields = sizeof(type##_rows) / sizeof(type##_rows[0]), \
		.versions = {(first), (last)}, .flexible_since = (flexible) \
	}

#endif							/* WIRE_TABLE_H */
