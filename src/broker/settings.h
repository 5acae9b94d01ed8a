/*-------------------------------------------------------------------------
 *
 * settings.h
 *	  The settings (GUCs) of the broker: pg_broker.*
 *
 * Topic defaults and the storage's limits are defined by their own layers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BROKER_SETTINGS_H
#define BROKER_SETTINGS_H

/* fixed at server start */
extern bool broker_enabled;
extern char *broker_listen_addresses;
extern int	broker_port;		/* 0: chosen by the system */
extern char *broker_database;
extern int	broker_node_id;
extern int	broker_network_workers;
extern int	broker_max_connections;

/* can be reloaded */
extern char *broker_advertised_listeners;	/* host:port, or "" */
extern char *broker_plaintext_role;
extern int	broker_socket_request_max_bytes;
extern int	broker_queued_max_request_kb;	/* in flight, all workers together */
extern int	broker_connections_max_idle_ms;
extern bool broker_auto_create_topics;
extern int	broker_num_partitions;	/* of topics made without a count */
extern int	broker_retention_check_interval_ms;

extern void broker_settings_define(void);

/*
 * Take apart host:port, [host]:port or PLAINTEXT://host:port.  false: it is
 * neither, or the host doesn't fit into the buffer.
 */
extern bool broker_parse_address(const char *address, char *host, size_t host_size, int *port);

#endif							/* BROKER_SETTINGS_H */
