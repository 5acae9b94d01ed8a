/*-------------------------------------------------------------------------
 *
 * cluster.h
 *	  What this broker tells of itself and its cluster.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BROKER_CLUSTER_H
#define BROKER_CLUSTER_H

#include "broker/request.h"

/* 22 characters, made from the database's identity; never changes. */
extern const char *broker_cluster_id(void);

/* The epoch of this primary as the leader of all partitions. */
extern int32 broker_leader_epoch(void);

#endif							/* BROKER_CLUSTER_H */
