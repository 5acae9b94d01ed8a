/*-------------------------------------------------------------------------
 *
 * header.c
 *	  The headers of requests and responses.
 *
 * Not in the tables, because they follow rules of their own: which version a
 * header has depends on the message's, the client id has a two-byte length even
 * in the flexible version, and the response to ApiVersions never has a
 * flexible header, as the client can't know yet what the broker speaks.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/api_list.h"

#define API_KEY_API_VERSIONS	18

bool
wire_read_request_header(WireReader *r, WireRequestHeader *h)
{
	h->api_key = wire_read_int16(r);
	h->api_version = wire_read_int16(r);
	h->correlation_id = wire_read_int32(r);
	h->client_id = wire_read_string(r, false);
	h->api = wire_api(h->api_key);
	if (h->api && wire_api_has_version(h->api, h->api_version) &&
		h->api_version >= h->api->flexible_since)
		wire_skip_tags(r);
	return !r->failed;
}

size_t
wire_begin_response(WireWriter *w, const WireApi *api, int version, int32_t correlation_id)
{
	size_t		frame = w->len;

	wire_write_int32(w, 0);
	wire_write_int32(w, correlation_id);
	if (version >= api->flexible_since && api->key != API_KEY_API_VERSIONS)
		wire_write_uvarint(w, 0);
	return frame;
}

bool
wire_end_response(WireWriter *w, size_t frame)
{
	size_t		size = w->len - frame - sizeof(int32_t);
	int			i;

	for (i = w->n_splices - 1; i >= 0 && w->splices[i].pos > frame; i--)
		size += w->splices[i].len;
	if (size > INT32_MAX)
		wire_writer_fail(w, "is too large");
	wire_patch_int32(w, frame, (int32_t) size);
	return !w->failed;
}
