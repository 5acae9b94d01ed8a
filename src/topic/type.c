/*-------------------------------------------------------------------------
 *
 * type.c
 *	  The types that keys and values of topics have.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "topic/internal.h"

Oid
topic_type_to_oid(TopicType type)
{
	switch (type)
	{
		case TOPIC_BYTEA:
			return BYTEAOID;
		case TOPIC_TEXT:
			return TEXTOID;
		case TOPIC_JSON:
			return JSONOID;
	}
	return InvalidOid;
}

bool
topic_type_from_oid(Oid type, bool is_key, TopicType *result)
{
	switch (type)
	{
		case BYTEAOID:
			*result = TOPIC_BYTEA;
			return true;
		case TEXTOID:
			*result = TOPIC_TEXT;
			return true;
		case JSONOID:
			*result = TOPIC_JSON;
			return !is_key;
		default:
			return false;
	}
}
