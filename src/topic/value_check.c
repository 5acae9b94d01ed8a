/*-------------------------------------------------------------------------
 *
 * value_check.c
 *	  See value_check.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "topic/value_check.h"

TopicValueError
topic_check_value(TopicType type, const char *data, int len)
{
	if (type == TOPIC_BYTEA)
		return TOPIC_VALUE_OK;

	/* this refuses NUL bytes in every encoding */
	if (pg_encoding_verifymbstr(GetDatabaseEncoding(), data, len) != len)
		return TOPIC_VALUE_BAD_TEXT;
	if (type == TOPIC_TEXT)
		return TOPIC_VALUE_OK;

	switch (json_check(data, len))
	{
		case JSON_CHECK_OK:
			return TOPIC_VALUE_OK;
		case JSON_CHECK_TOO_DEEP:
			return TOPIC_VALUE_TOO_DEEP;
		case JSON_CHECK_INVALID:
			break;
	}
	return TOPIC_VALUE_BAD_JSON;
}

const char *
topic_value_error_message(TopicValueError error)
{
	switch (error)
	{
		case TOPIC_VALUE_OK:
			break;
		case TOPIC_VALUE_BAD_TEXT:
			return "It is not valid text in the encoding of the database.";
		case TOPIC_VALUE_BAD_JSON:
			return "It is not valid json.";
		case TOPIC_VALUE_TOO_DEEP:
			return "Its json is nested too deeply.";
	}
	return "It is valid.";
}
