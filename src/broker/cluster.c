/*-------------------------------------------------------------------------
 *
 * cluster.c
 *	  Cluster id, leader epoch, DescribeCluster.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xlog.h"
#include "broker/authorize.h"
#include "broker/cluster.h"
#include "broker/handlers.h"
#include "broker/settings.h"
#include "miscadmin.h"
#include "port/pg_bswap.h"
#include "wire/api_metadata.h"

#define ENDPOINT_BROKERS 1
#define ENDPOINT_CONTROLLERS 2

/*
 * Kafka's cluster ids are 16 bytes in URL-safe base64 without padding.  Ours
 * are the system identifier, which all servers of a replicated cluster share,
 * and the database, which is the "cluster" that clients see.
 */
const char *
broker_cluster_id(void)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	static char id[23];
	uint64		halves[2];
	const unsigned char *bytes = (const unsigned char *) halves;
	uint32		bits = 0;
	int			n_bits = 0;
	int			n = 0;

	if (id[0] != '\0')
		return id;
	halves[0] = pg_hton64(GetSystemIdentifier());
	halves[1] = pg_hton64((uint64) MyDatabaseId);
	for (int i = 0; i < (int) sizeof(halves); i++)
	{
		bits = bits << 8 | bytes[i];
		for (n_bits += 8; n_bits >= 6; n_bits -= 6)
			id[n++] = digits[bits >> (n_bits - 6) & 63];
	}
	id[n++] = digits[bits << (6 - n_bits) & 63];
	id[n] = '\0';
	return id;
}

int32
broker_leader_epoch(void)
{
	/* Each promotion begins a timeline, and makes a new leader.  Kafka counts from 0. */
	return (int32) GetWALInsertionTimeLine() - 1;
}

BrokerOutcome
broker_describe_cluster(BrokerRequest *req)
{
	const DescribeClusterRequest *in = req->request;
	DescribeClusterResponse *out = BROKER_NEW(req, DescribeClusterResponse, 1);

	req->response = out;
	if (in->endpoint_type != ENDPOINT_BROKERS)
	{
		bool		known = in->endpoint_type == ENDPOINT_CONTROLLERS;

		out->error_code = known ? KAFKA_MISMATCHED_ENDPOINT_TYPE : KAFKA_UNSUPPORTED_ENDPOINT_TYPE;
		out->error_message = known ?
			wire_string("This is a broker, which doesn't describe controllers.") :
			broker_printf(req, "There is no endpoint type %d.", in->endpoint_type);
		return BROKER_DONE;
	}
	out->cluster_id = wire_string(broker_cluster_id());
	out->controller_id = broker_node_id;
	out->n_brokers = 1;
	out->brokers = BROKER_NEW(req, DescribeClusterResponseDescribeClusterBroker, 1);
	out->brokers[0].broker_id = broker_node_id;
	out->brokers[0].host = wire_string(req->session->advertised_host);
	out->brokers[0].port = req->session->advertised_port;
	if (in->include_cluster_authorized_operations)
		out->cluster_authorized_operations = broker_cluster_operations(req);
	return BROKER_DONE;
}
