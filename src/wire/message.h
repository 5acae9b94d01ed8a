/*-------------------------------------------------------------------------
 *
 * message.h
 *	  Kafka's messages as data: field tables, one decoder, one encoder.
 *
 * A message, and each structure inside it, is a C struct and a WireStruct: a
 * table with one row per field that says in which versions it is there and
 * how it looks.  The C structs are in api_*.h, the tables in api_*.c; the
 * names are Kafka's, those of nested types prefixed by the message's:
 *
 *	  FetchResponse, FetchResponsePartitionData   C structs
 *	  wire_FetchResponse, ...                     their tables
 *
 *	  bool, int8 ... int64, uint16, float64       the C type of that name
 *	  string, bytes, records, uuid                WireString, WireBytes, ...
 *	  array `topics`                              n_topics (-1 is null), *topics
 *	  structure                                   embedded; a pointer if it can be null
 *
 * Decoded strings, bytes and records point into the bytes that were read.
 * Fields that the version lacks get their defaults.  A struct for encoding
 * must be initialised with its defaults (WIRE_INIT, WIRE_NEW): some are not
 * zero.  Fields that the version lacks are left out silently.
 *
 * A null in a version before the field could be null is written as empty (as
 * Kafka's own handlers do); in a field that can never be null it is an error.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_MESSAGE_H
#define WIRE_MESSAGE_H

#include "wire/arena.h"
#include "wire/bytes.h"

typedef enum WireType
{
	WIRE_BOOL = 1,
	WIRE_INT8,
	WIRE_INT16,
	WIRE_UINT16,
	WIRE_INT32,
	WIRE_INT64,
	WIRE_FLOAT64,
	WIRE_UUID,
	WIRE_STRING,
	WIRE_BYTES,
	WIRE_RECORDS,
	WIRE_STRUCT
} WireType;

/* The last version, whatever that is. */
#define WIRE_LATEST		INT16_MAX

typedef struct WireVersions
{
	int16_t		min;
	int16_t		max;
} WireVersions;

typedef struct WireStruct WireStruct;

/* Rows are written with the macros of wire/table.h. */
typedef struct WireField
{
	const char *name;			/* in Kafka's definition */
	uint8_t		type;			/* WireType; of the elements if an array */
	bool		is_array;
	bool		is_nullable;
	bool		is_tagged;
	bool		default_null;
	uint8_t		tag;
	WireVersions versions;
	WireVersions nullable;
	WireVersions tagged;
	uint16_t	offset;			/* in the C struct */
	uint16_t	count_offset;	/* of an array's n_... */
	uint16_t	size;			/* of the value, of an array's element */
	const WireStruct *sub;		/* of a structure */
	int64_t		default_value;	/* of a number */
} WireField;

/*
 * A structure, or a message as a whole.  A message stands alone and has
 * versions; structures inside it follow the message's.
 */
struct WireStruct
{
	const char *name;
	uint16_t	size;
	uint16_t	n_fields;
	const WireField *fields;
	WireVersions versions;
	int16_t		flexible_since; /* WIRE_LATEST: never */
};

typedef WireStruct WireMessage;

/*
 * Both return false after a failure, and then reader or writer says why and
 * in which field.  `out` need not be initialised; on failure its contents
 * must not be used.  The version must be one of the message's.
 */
extern bool wire_decode(const WireMessage *m, int version, WireReader *r, WireArena *a, void *out);
extern bool wire_encode(const WireMessage *m, int version, const void *in, WireWriter *w);

/* Set a struct to the defaults of its fields. */
extern void wire_init(const WireStruct *s, void *out);

/* An array of n such structs in the arena; NULL if there is no memory. */
extern void *wire_new(WireArena *a, const WireStruct *s, size_t n);

#define WIRE_INIT(type, ptr)	wire_init(&wire_##type, (type *) (ptr))
#define WIRE_NEW(arena, type, n)	((type *) wire_new(arena, &wire_##type, n))

#endif							/* WIRE_MESSAGE_H */
