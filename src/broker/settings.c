/*-------------------------------------------------------------------------
 *
 * settings.c
 *	  Defines the broker's settings.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <limits.h>
#include <unistd.h>

#include "broker/group_settings.h"
#include "broker/settings.h"
#include "log/log.h"
#include "utils/guc.h"

bool		broker_enabled = true;
char	   *broker_listen_addresses;
int			broker_port = 9092;
char	   *broker_database;
int			broker_node_id = 1;
int			broker_network_workers = 4;
int			broker_max_connections = 2000;
char	   *broker_advertised_listeners;
char	   *broker_plaintext_role;
int			broker_socket_request_max_bytes = 104857600;
int			broker_queued_max_request_kb = 512 * 1024;
int			broker_connections_max_idle_ms = 600000;
bool		broker_auto_create_topics = true;
int			broker_num_partitions = 1;
int			broker_retention_check_interval_ms = 300000;

/* The storage keeps wake-up slots for this many. */
#define MAX_NETWORK_WORKERS 63	/* the coordinator waits for flushes as another one */

/*
 * One a CPU, but no more than leave the other workers of ours, and one for a synchronous
 * standby, their places in the default max_worker_processes of 8.
 */
static int
default_network_workers(void)
{
	long		cpus = sysconf(_SC_NPROCESSORS_ONLN);

	return cpus < 1 ? 1 : (int) Min(cpus, 3);
}

bool
broker_parse_address(const char *address, char *host, size_t host_size, int *port)
{
	const char *scheme = strstr(address, "://");
	const char *end;
	char	   *rest;
	long		number;
	size_t		len;

	if (scheme)
	{
		if (pg_strncasecmp(address, "PLAINTEXT", scheme - address) != 0 || scheme - address != 9)
			return false;
		address = scheme + 3;
	}
	if (*address == '[')
	{
		address++;
		end = strchr(address, ']');
		if (end == NULL || end[1] != ':')
			return false;
		len = end - address;
		end++;
	}
	else
	{
		end = strrchr(address, ':');
		if (end == NULL)
			return false;
		len = end - address;
		if (memchr(address, ':', len) != NULL)
			return false;
	}
	if (len == 0 || len >= host_size || end[1] < '0' || end[1] > '9')
		return false;
	number = strtol(end + 1, &rest, 10);
	if (*rest != '\0' || number < 1 || number > 65535)
		return false;
	memcpy(host, address, len);
	host[len] = '\0';
	*port = (int) number;
	return true;
}

static bool
check_advertised_listeners(char **newval, void **extra, GucSource source)
{
	char		host[256];
	int			port;

	if (**newval == '\0' || broker_parse_address(*newval, host, sizeof(host), &port))
		return true;
	GUC_check_errdetail("An address must be given as host:port.");
	return false;
}

void
broker_settings_define(void)
{
	DefineCustomBoolVariable("pg_broker.enabled",
							 "Starts the broker's processes with the server.",
							 NULL, &broker_enabled, true,
							 PGC_POSTMASTER, 0, NULL, NULL, NULL);
	DefineCustomStringVariable("pg_broker.listen_addresses",
							   "Sets the names or addresses on which the broker listens for Kafka clients.",
							   "A comma-separated list; \"*\" stands for all addresses.",
							   &broker_listen_addresses, "localhost",
							   PGC_POSTMASTER, GUC_LIST_INPUT, NULL, NULL, NULL);
	DefineCustomIntVariable("pg_broker.port",
							"Sets the TCP port on which the broker listens for Kafka clients.",
							"With 0 the system chooses one; the view broker.listeners shows it.",
							&broker_port, 9092, 0, 65535,
							PGC_POSTMASTER, 0, NULL, NULL, NULL);
	DefineCustomStringVariable("pg_broker.database",
							   "Sets the database whose topics are served to Kafka clients.",
							   NULL, &broker_database, "postgres",
							   PGC_POSTMASTER, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("pg_broker.node_id",
							"Sets the Kafka node id of this broker.",
							NULL, &broker_node_id, 1, 0, INT_MAX,
							PGC_POSTMASTER, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("pg_broker.network_workers",
							"Sets the number of processes that serve Kafka clients.",
							NULL, &broker_network_workers, default_network_workers(),
							1, MAX_NETWORK_WORKERS,
							PGC_POSTMASTER, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("pg_broker.max_connections",
							"Sets the greatest number of Kafka clients' connections, over all workers.",
							NULL, &broker_max_connections, 2000, 1, 100000,
							PGC_POSTMASTER, 0, NULL, NULL, NULL);
	DefineCustomStringVariable("pg_broker.advertised_listeners",
							   "Sets the address (host:port) that the broker gives to its clients.",
							   "When empty, a client gets the address that it is connected to.",
							   &broker_advertised_listeners, "",
							   PGC_SIGHUP, 0, check_advertised_listeners, NULL, NULL);
	DefineCustomStringVariable("pg_broker.plaintext_role",
							   "Sets the role whose privileges clients without authentication have.",
							   "When empty, only clients on the loopback interface are served, "
							   "as the owner of the extension.",
							   &broker_plaintext_role, "",
							   PGC_SIGHUP, GUC_SUPERUSER_ONLY, NULL, NULL, NULL);
	DefineCustomIntVariable("pg_broker.socket_request_max_bytes",
							"Sets the size of the largest request that is read from a client.",
							NULL, &broker_socket_request_max_bytes,
							104857600, 1024, 1024 * 1024 * 1024 - 1024,
							PGC_SIGHUP, GUC_UNIT_BYTE, NULL, NULL, NULL);
	DefineCustomIntVariable("pg_broker.queued_max_request_size",
							"Sets the memory for requests in flight, over all workers.",
							"Connections are not read while it is used up.",
							&broker_queued_max_request_kb,
							512 * 1024, 1024, INT_MAX,
							PGC_SIGHUP, GUC_UNIT_KB, NULL, NULL, NULL);
	DefineCustomIntVariable("pg_broker.connections_max_idle",
							"Sets after how long idle connections are closed.",
							NULL, &broker_connections_max_idle_ms,
							600000, 100, INT_MAX,
							PGC_SIGHUP, GUC_UNIT_MS, NULL, NULL, NULL);
	DefineCustomBoolVariable("pg_broker.auto_create_topics",
							 "Creates topics that clients ask for when they don't exist.",
							 NULL, &broker_auto_create_topics, true,
							 PGC_SIGHUP, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("pg_broker.num_partitions",
							"Sets the number of partitions of topics that are created without one.",
							NULL, &broker_num_partitions, 1, 1, LOG_MAX_PARTITIONS,
							PGC_SIGHUP, 0, NULL, NULL, NULL);
	broker_group_settings_define();
	DefineCustomIntVariable("pg_broker.retention_check_interval",
							"Sets the longest time between two checks of the topics' retention.",
							NULL, &broker_retention_check_interval_ms,
							300000, 100, INT_MAX,
							PGC_SIGHUP, GUC_UNIT_MS, NULL, NULL, NULL);
}
