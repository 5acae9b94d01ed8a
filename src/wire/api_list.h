/*-------------------------------------------------------------------------
 *
 * api_list.h
 *	  The list of APIs whose messages are known, and the messages' headers.
 *
 * The versions here are those that Kafka 4.4 has messages for.  Which of them
 * the broker serves and advertises is the broker layer's business.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_API_LIST_H
#define WIRE_API_LIST_H

#include "wire/message.h"

typedef struct WireApi
{
	int16_t		key;
	const char *name;
	int16_t		min;
	int16_t		max;			/* without versions still unstable in Kafka */
	int16_t		flexible_since; /* WIRE_LATEST: never */
	const WireMessage *request;
	const WireMessage *response;
} WireApi;

extern const WireApi wire_apis[];
extern const int wire_n_apis;

/* NULL if it isn't known. */
extern const WireApi *wire_api(int key);

static inline bool
wire_api_has_version(const WireApi *api, int version)
{
	return version >= api->min && version <= api->max;
}

/* ---------- headers ---------- */

typedef struct WireRequestHeader
{
	int16_t		api_key;
	int16_t		api_version;
	int32_t		correlation_id;
	WireString	client_id;		/* can be null */
	const WireApi *api;			/* NULL if it isn't known */
} WireRequestHeader;

/*
 * Read a request's header; the message follows.  False if there are too few
 * bytes, with api_key, api_version and correlation_id right if there are at least 8.
 *
 * An unknown API or version is no failure, but then no more than the
 * client id has been read: what follows is unknown.
 */
extern bool wire_read_request_header(WireReader *r, WireRequestHeader *h);

/*
 * A response as a frame: begin writes room for the size and the header, end
 * puts the size, splices included.  `begin` returns the frame's position, for `end`.
 */
extern size_t wire_begin_response(WireWriter *w, const WireApi *api, int version, int32_t correlation_id);
extern bool wire_end_response(WireWriter *w, size_t frame);

#endif							/* WIRE_API_LIST_H */
