/*-------------------------------------------------------------------------
 *
 * headers.h
 *	  The headers of a record: Kafka's encoding and the type broker.header[].
 *
 *-------------------------------------------------------------------------
 */
#ifndef AM_HEADERS_H
#define AM_HEADERS_H

#include "wire/record.h"

/*
 * The headers of an array, in CurrentMemoryContext, pointing into it or copies of its parts.
 * ERROR for what Kafka can't hold (a null key).
 */
extern RecordHeader *headers_from_array(Datum array, int32 *n);

/* The array of a record's headers, in CurrentMemoryContext, with elements of this type. */
extern Datum headers_decode(Oid type, const Record *record);

#endif							/* AM_HEADERS_H */
