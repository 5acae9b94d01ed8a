/*-------------------------------------------------------------------------
 *
 * find_coordinator.c
 *	  FindCoordinator: all groups have the same, here.
 *
 * Requests of groups go to the coordinator process as they are.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "broker/handlers.h"
#include "broker/settings.h"
#include "wire/api_group.h"

#define KEY_TYPE_GROUP			0
#define KEY_TYPE_TRANSACTION	1

BrokerOutcome
broker_find_coordinator(BrokerRequest *req)
{
	const FindCoordinatorRequest *in = req->request;
	FindCoordinatorResponse *out = BROKER_NEW(req, FindCoordinatorResponse, 1);
	int32		n = req->api_version >= 4 ? in->n_coordinator_keys : 1;
	bool		known = in->key_type == KEY_TYPE_GROUP || in->key_type == KEY_TYPE_TRANSACTION;

	req->response = out;
	out->coordinators = BROKER_NEW(req, FindCoordinatorResponseCoordinator, n);
	out->n_coordinators = n;
	for (int i = 0; i < n; i++)
	{
		FindCoordinatorResponseCoordinator *c = &out->coordinators[i];

		c->key = req->api_version >= 4 ? in->coordinator_keys[i] : in->key;
		c->error_message = WIRE_NULL_STRING;
		c->node_id = -1;
		c->port = -1;
		if (!known)
		{
			c->error_code = KAFKA_INVALID_REQUEST;
			continue;
		}
		c->node_id = broker_node_id;
		c->host = wire_string(req->session->advertised_host);
		c->port = req->session->advertised_port;
	}
	if (req->api_version < 4)
	{
		out->error_code = out->coordinators[0].error_code;
		out->error_message = WIRE_NULL_STRING;
		out->node_id = out->coordinators[0].node_id;
		out->host = out->coordinators[0].host;
		out->port = out->coordinators[0].port;
	}
	return BROKER_DONE;
}
