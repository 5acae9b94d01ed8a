/*-------------------------------------------------------------------------
 *
 * api_versions.c
 *	  ApiVersions: which APIs, in which versions, this broker serves.
 *
 * The first request of nearly every client.  (Clients of the future send it in
 * versions that nobody here can decode; the network layer answers those.)
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "broker/apis.h"
#include "broker/cluster.h"
#include "broker/handlers.h"
#include "broker/settings.h"
#include "wire/api_versions.h"

/*
 * librdkafka takes the absence of Produce 0 for a broker without compression,
 * so versions are advertised that are refused when used, as Kafka does.
 */
#define API_PRODUCE 0
#define PRODUCE_ADVERTISED_MIN 0

/* Letters, digits, and between them also '-' and '.'. */
static bool
valid_software_name(WireString s)
{
	if (s.len <= 0)
		return false;
	for (int i = 0; i < s.len; i++)
	{
		char		c = s.data[i];
		bool		alnum = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
		bool		inner = i > 0 && i < s.len - 1;

		if (!alnum && !(inner && (c == '-' || c == '.')))
			return false;
	}
	return true;
}

static void
list_apis(BrokerRequest *req, ApiVersionsResponse *out)
{
	out->api_keys = BROKER_NEW(req, ApiVersionsResponseApiVersion, broker_n_apis);
	out->n_api_keys = broker_n_apis;
	for (int i = 0; i < broker_n_apis; i++)
	{
		const BrokerApi *api = &broker_apis[i];

		out->api_keys[i].api_key = api->key;
		out->api_keys[i].min_version = api->key == API_PRODUCE ? PRODUCE_ADVERTISED_MIN : api->min_version;
		out->api_keys[i].max_version = api->max_version;
	}
}

/*
 * Levels of features that a Kafka cluster could have switched on.  Version 3 has
 * no room for a lowest level of 0, so its clients are told of none.
 */
static void
list_features(BrokerRequest *req, ApiVersionsResponse *out)
{
	if (req->api_version < 4)
		return;
	out->n_supported_features = out->n_finalized_features = 1;
	out->supported_features = BROKER_NEW(req, ApiVersionsResponseSupportedFeatureKey, 1);
	out->supported_features[0].name = wire_string("group.version");
	out->supported_features[0].min_version = 0;
	out->supported_features[0].max_version = 1;
	out->finalized_features = BROKER_NEW(req, ApiVersionsResponseFinalizedFeatureKey, 1);
	out->finalized_features[0].name = wire_string("group.version");
	out->finalized_features[0].min_version_level = 1;
	out->finalized_features[0].max_version_level = 1;
	out->finalized_features_epoch = 0;
}

BrokerOutcome
broker_api_versions(BrokerRequest *req)
{
	const ApiVersionsRequest *in = req->request;
	ApiVersionsResponse *out = BROKER_NEW(req, ApiVersionsResponse, 1);
	BrokerSession *session = req->session;

	req->response = out;
	if (req->api_version >= 3)
	{
		if (!valid_software_name(in->client_software_name) ||
			!valid_software_name(in->client_software_version))
		{
			out->error_code = KAFKA_INVALID_REQUEST;
			return BROKER_DONE;
		}
		snprintf(session->software_name, sizeof(session->software_name), "%.*s",
				 (int) in->client_software_name.len, in->client_software_name.data);
		snprintf(session->software_version, sizeof(session->software_version), "%.*s",
				 (int) in->client_software_version.len, in->client_software_version.data);
	}

	/* A client that means another cluster or broker has to look for it anew. */
	if (req->api_version >= 5)
	{
		if ((in->cluster_id.len >= 0) != (in->node_id >= 0))
		{
			out->error_code = KAFKA_INVALID_REQUEST;
			return BROKER_DONE;
		}
		if (in->cluster_id.len >= 0 &&
			(!wire_string_is(in->cluster_id, broker_cluster_id()) || in->node_id != broker_node_id))
		{
			out->error_code = KAFKA_REBOOTSTRAP_REQUIRED;
			return BROKER_DONE;
		}
	}
	list_apis(req, out);
	list_features(req, out);
	return BROKER_DONE;
}
