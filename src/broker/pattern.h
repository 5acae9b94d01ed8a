/*-------------------------------------------------------------------------
 *
 * pattern.h
 *	  Regular expressions over names of topics, of clients that nobody trusts.
 *
 * RE2 matches in time proportional to the text, whatever the pattern is; its
 * syntax is that of RE2/J, which Kafka's broker uses.  Both functions raise no
 * errors, and nothing is thrown out of them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BROKER_PATTERN_H
#define BROKER_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct BrokerPattern BrokerPattern;

/*
 * NULL if it is not valid, or takes too many steps: *size is how many a character may take at
 * most, 0 if it is not valid.
 */
extern BrokerPattern *broker_pattern_compile(const char *pattern, size_t length, int32_t *size);
extern void broker_pattern_free(BrokerPattern *pattern);

/* Does the whole text match? */
extern bool broker_pattern_matches(const BrokerPattern *pattern, const char *text, size_t length);

#ifdef __cplusplus
}
#endif

#endif							/* BROKER_PATTERN_H */
