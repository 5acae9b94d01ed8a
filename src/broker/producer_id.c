/*-------------------------------------------------------------------------
 *
 * producer_id.c
 *	  InitProducerId: numbers for idempotent producers.
 *
 * They come from the sequence broker.producer_id_seq, which each worker asks
 * for a block at a time.  A number is given out only when the WAL that moved
 * the sequence past its block is flushed, and at the synchronous standbys, so
 * none is given twice, whatever crashes; what is left of a block when a worker
 * ends is lost.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xlog.h"
#include "broker/authorize.h"
#include "broker/handlers.h"
#include "catalog/namespace.h"
#include "catalog/pg_authid.h"
#include "commands/sequence.h"
#include "log/log.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "topic/topic.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"
#include "wire/api_txn.h"

/* The increment of the sequence */
#define BLOCK_SIZE 1000

/* How long a client waits for standbys that don't confirm */
#define WAIT_MS 30000

static int64 next_id;
static int64 block_end;
static XLogRecPtr block_lsn;

/*
 * Draw a block; false if someone has locked the sequence.  Drawing is what
 * the broker does, so it is done with the broker's privileges.
 */
static bool
draw_block(void)
{
	Oid			relid = get_relname_relid("producer_id_seq", get_namespace_oid(TOPIC_BROKER_SCHEMA, false));
	Oid			role;
	int			security_context;

	if (!OidIsValid(relid))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("sequence \"broker.producer_id_seq\" does not exist")));
	if (!ConditionalLockRelationOid(relid, RowExclusiveLock))
		return false;
	GetUserIdAndSecContext(&role, &security_context);
	SetUserIdAndSecContext(BOOTSTRAP_SUPERUSERID, security_context | SECURITY_LOCAL_USERID_CHANGE);
	next_id = nextval_internal(relid, false);
	SetUserIdAndSecContext(role, security_context);

	/* Not only this block's: an earlier one's record may have covered it. */
	block_lsn = log_insert_end();
	block_end = next_id + BLOCK_SIZE;
	return true;
}

static BrokerOutcome
answer_when_durable(BrokerRequest *req)
{
	XLogRecPtr	lsn = *(XLogRecPtr *) req->state;
	TimestampTz deadline = TimestampTzPlusMilliseconds(req->received, WAIT_MS);

	if (lsn <= log_durable_lsn())
		return BROKER_DONE;
	if (req->now >= deadline)
	{
		broker_init_producer_id_fail(req, KAFKA_COORDINATOR_NOT_AVAILABLE);
		return BROKER_DONE;
	}
	req->wait.lsn = lsn;
	req->wait.replicated = true;
	req->wait.deadline = deadline;
	req->resume = answer_when_durable;
	return BROKER_PARKED;
}

static int16
check_request(const InitProducerIdRequest *in)
{
	/* Transactions don't exist yet: nobody may have a transactional id. */
	if (in->transactional_id.len > 0)
		return KAFKA_TRANSACTIONAL_ID_AUTHORIZATION_FAILED;
	if (in->transactional_id.len == 0)
		return KAFKA_INVALID_REQUEST;
	if ((in->producer_id < 0) != (in->producer_epoch < 0))
		return KAFKA_INVALID_REQUEST;
	return KAFKA_NONE;
}

BrokerOutcome
broker_init_producer_id(BrokerRequest *req)
{
	InitProducerIdResponse *out = BROKER_NEW(req, InitProducerIdResponse, 1);

	req->response = out;
	out->producer_epoch = -1;
	out->error_code = check_request(req->request);
	if (out->error_code == KAFKA_NONE && !broker_may_cluster(req, BROKER_CLUSTER_IDEMPOTENT_WRITE))
		out->error_code = KAFKA_CLUSTER_AUTHORIZATION_FAILED;
	if (out->error_code != KAFKA_NONE)
		return BROKER_DONE;

	/* Clients try again after this error. */
	if (next_id >= block_end && !draw_block())
	{
		out->error_code = KAFKA_COORDINATOR_LOAD_IN_PROGRESS;
		return BROKER_DONE;
	}

	/* One that has an id already gets another, like everyone else. */
	out->producer_id = next_id++;
	out->producer_epoch = 0;
	req->state = broker_alloc(req, 1, sizeof(XLogRecPtr));
	*(XLogRecPtr *) req->state = block_lsn;
	log_flush_request(block_lsn);
	return answer_when_durable(req);
}

void
broker_init_producer_id_fail(BrokerRequest *req, int16 error)
{
	InitProducerIdResponse *out = BROKER_TRY_NEW(req, InitProducerIdResponse, 1);

	req->response = out;
	if (out == NULL)
		return;
	out->producer_epoch = -1;

	/* The producer has nothing to lose: it may as well try again. */
	out->error_code = KAFKA_COORDINATOR_NOT_AVAILABLE;
}
