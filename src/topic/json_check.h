/*-------------------------------------------------------------------------
 *
 * json_check.h
 *	  Does the server's json type accept these bytes?
 *
 * Plain C without server headers, so that it can be tested against the
 * server's own parser as a plain program.
 *
 *-------------------------------------------------------------------------
 */
#ifndef TOPIC_JSON_CHECK_H
#define TOPIC_JSON_CHECK_H

#include <stddef.h>

/*
 * Objects and arrays may be nested this deep.  The server's parser recurses, and
 * gives up where its stack ends (max_stack_depth, at least 100 kB); that
 * must not happen to a stored value.
 */
#define JSON_CHECK_MAX_DEPTH	256

typedef enum JsonCheckResult
{
	JSON_CHECK_OK,
	JSON_CHECK_INVALID,
	JSON_CHECK_TOO_DEEP
} JsonCheckResult;

/* The bytes must be valid text already. */
extern JsonCheckResult json_check(const char *data, size_t len);

#endif							/* TOPIC_JSON_CHECK_H */
