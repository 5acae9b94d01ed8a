/*-------------------------------------------------------------------------
 *
 * value_check.h
 *	  Is a key or value that a client sent valid for the topic's column type?
 *
 * What passes here is stored as it is, and SELECT hands it out as a value of
 * the column's type; so nothing may pass that the type's own input function
 * would refuse.  These functions run for every record in a network worker's
 * event loop: they raise nothing, allocate nothing and don't recurse.
 *
 *-------------------------------------------------------------------------
 */
#ifndef TOPIC_VALUE_CHECK_H
#define TOPIC_VALUE_CHECK_H

#include "topic/topic.h"

/* Objects and arrays may be nested this deep in a json value. */
#define TOPIC_JSON_MAX_DEPTH	1000

typedef enum TopicValueError
{
	TOPIC_VALUE_OK = 0,
	TOPIC_VALUE_BAD_TEXT,		/* not valid in the database's encoding, or has a NUL byte */
	TOPIC_VALUE_BAD_JSON,
	TOPIC_VALUE_TOO_DEEP		/* json nested deeper than TOPIC_JSON_MAX_DEPTH */
} TopicValueError;

/* Nulls are always valid and not asked for. */
extern TopicValueError topic_check_value(TopicType type, const char *data, int len);

/* For error messages: what is wrong, in English, as a detail. */
extern const char *topic_value_error_message(TopicValueError error);

/* The part of it that needs no server: the grammar of json, bytes being valid text. */
extern TopicValueError topic_check_json(const char *data, int len);

#endif							/* TOPIC_VALUE_CHECK_H */
