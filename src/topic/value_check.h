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

#include "topic/json_check.h"
#include "topic/topic.h"

typedef enum TopicValueError
{
	TOPIC_VALUE_OK = 0,
	TOPIC_VALUE_BAD_TEXT,		/* not valid in the database's encoding, or has a NUL byte */
	TOPIC_VALUE_BAD_JSON,
	TOPIC_VALUE_TOO_DEEP		/* json nested deeper than JSON_CHECK_MAX_DEPTH */
} TopicValueError;

/*
 * Nulls are always valid and not asked for.  In a database whose encoding is
 * not UTF8 the bytes must be valid in that encoding: nothing is converted.
 */
extern TopicValueError topic_check_value(TopicType type, const char *data, int len);

/* For messages: what is wrong, as a detail. */
extern const char *topic_value_error_message(TopicValueError error);

#endif							/* TOPIC_VALUE_CHECK_H */
