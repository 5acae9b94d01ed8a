/*-------------------------------------------------------------------------
 *
 * produce_batch.h
 *	  The batch of one partition in a Produce request.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BROKER_PRODUCE_BATCH_H
#define BROKER_PRODUCE_BATCH_H

#include "broker/open_topic.h"
#include "broker/request.h"
#include "wire/api_produce.h"

/*
 * Append the partition's batch if it is acceptable, and fill its answer.  *lsn
 * is raised to what must be flushed before the answer is true.
 */
extern void produce_partition(BrokerRequest *req, BrokerTopic *t,
							  const ProduceRequestPartitionProduceData *in,
							  ProduceResponsePartitionProduceResponse *out, XLogRecPtr *lsn);

extern void produce_set_error(ProduceResponsePartitionProduceResponse *out, int16 error, WireString message);

#endif							/* BROKER_PRODUCE_BATCH_H */
