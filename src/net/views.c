/*-------------------------------------------------------------------------
 *
 * views.c
 *	  SQL functions behind the views broker.listeners and broker.connections.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "net/shared.h"
#include "topic/topic.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"
#include "wire/api_list.h"

PG_FUNCTION_INFO_V1(net_listeners);
PG_FUNCTION_INFO_V1(net_connections);

Datum
net_listeners(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	NetAddress	addresses[NET_MAX_ADDRESSES];
	int			n = 0;

	topic_require_preload();
	InitMaterializedSRF(fcinfo, 0);

	LWLockAcquire(&net_shared->listen_lock, LW_SHARED);
	if (net_shared->n_listening > 0)
	{
		n = net_shared->n_addresses;
		memcpy(addresses, net_shared->addresses, sizeof(addresses));
	}
	LWLockRelease(&net_shared->listen_lock);

	for (int i = 0; i < n; i++)
	{
		Datum		values[2];
		bool		nulls[2] = {false};

		values[0] = CStringGetTextDatum(addresses[i].host);
		values[1] = Int32GetDatum(addresses[i].port);
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
	return (Datum) 0;
}

/* What a client calls itself may be anything; text must be in the server's encoding. */
static Datum
client_text(const char *s)
{
	char	   *copy = pstrdup(s);

	for (char *p = copy; *p; p++)
		if (*p < ' ' || *p > '~')
			*p = '?';
	return CStringGetTextDatum(copy);
}

static void
connection_row(ReturnSetInfo *result, NetConnectionSlot *slot)
{
	static const char *const states[] = {"idle", "waiting", "sending"};
	char		host[sizeof(slot->client_host)];
	char		client_id[sizeof(slot->client_id)];
	char		software[sizeof(slot->software)];
	Datum		values[13];
	bool		nulls[13] = {false};
	const WireApi *api;
	uint32		state;
	bool		used;
	int			port;
	int			pid;
	Oid			role;
	TimestampTz connected;

	SpinLockAcquire(&slot->mutex);
	used = slot->used;
	memcpy(host, slot->client_host, sizeof(host));
	memcpy(client_id, slot->client_id, sizeof(client_id));
	memcpy(software, slot->software, sizeof(software));
	port = slot->client_port;
	pid = slot->worker_pid;
	role = slot->role;
	connected = slot->connected;
	SpinLockRelease(&slot->mutex);
	if (!used)
		return;

	values[0] = Int32GetDatum(pid);
	values[1] = CStringGetTextDatum(host);
	values[2] = Int32GetDatum(port);
	values[3] = client_text(client_id);
	values[4] = client_text(software);
	nulls[4] = software[0] == '\0';
	values[5] = ObjectIdGetDatum(role);
	values[6] = TimestampTzGetDatum(connected);
	values[7] = Int64GetDatum(pg_atomic_read_u64(&slot->bytes_in));
	values[8] = Int64GetDatum(pg_atomic_read_u64(&slot->bytes_out));
	values[9] = Int64GetDatum(pg_atomic_read_u64(&slot->requests));
	api = wire_api((int) pg_atomic_read_u32(&slot->last_api) - 1);
	nulls[10] = api == NULL;
	values[10] = api ? CStringGetTextDatum(api->name) : (Datum) 0;
	values[11] = TimestampTzGetDatum((TimestampTz) pg_atomic_read_u64(&slot->last_request));
	nulls[11] = pg_atomic_read_u64(&slot->requests) == 0;
	state = pg_atomic_read_u32(&slot->state);
	values[12] = CStringGetTextDatum(state < lengthof(states) ? states[state] : "?");
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

Datum
net_connections(PG_FUNCTION_ARGS)
{
	topic_require_preload();
	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; i < net_shared->n_slots; i++)
		connection_row((ReturnSetInfo *) fcinfo->resultinfo, &net_shared->slots[i]);
	return (Datum) 0;
}
