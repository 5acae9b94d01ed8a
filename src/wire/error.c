/*-------------------------------------------------------------------------
 *
 * error.c
 *	  Names and default messages of the error codes.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/error.h"

#include <stddef.h>
#include <string.h>

typedef struct ErrorText
{
	const char *name;
	const char *message;
} ErrorText;

/* Indexed by code + 1. */
static const ErrorText error_texts[] = {
	[KAFKA_UNKNOWN_SERVER_ERROR + 1] = {"UNKNOWN_SERVER_ERROR",
	"The broker failed in a way that has no code of its own."},
	[KAFKA_NONE + 1] = {"NONE", "No error."},
	[KAFKA_OFFSET_OUT_OF_RANGE + 1] = {"OFFSET_OUT_OF_RANGE", "The partition does not hold this offset."},
	[KAFKA_CORRUPT_MESSAGE + 1] = {"CORRUPT_MESSAGE",
	"The record batch is damaged: its checksum or its size is wrong."},
	[KAFKA_UNKNOWN_TOPIC_OR_PARTITION + 1] = {"UNKNOWN_TOPIC_OR_PARTITION",
	"There is no such topic or partition here."},
	[KAFKA_INVALID_FETCH_SIZE + 1] = {"INVALID_FETCH_SIZE", "The fetch size is not valid."},
	[KAFKA_LEADER_NOT_AVAILABLE + 1] = {"LEADER_NOT_AVAILABLE",
	"The partition has no leader at the moment."},
	[KAFKA_NOT_LEADER_OR_FOLLOWER + 1] = {"NOT_LEADER_OR_FOLLOWER",
	"This broker does not lead the partition."},
	[KAFKA_REQUEST_TIMED_OUT + 1] = {"REQUEST_TIMED_OUT", "The request was not completed in time."},
	[KAFKA_BROKER_NOT_AVAILABLE + 1] = {"BROKER_NOT_AVAILABLE", "The broker is not available."},
	[KAFKA_REPLICA_NOT_AVAILABLE + 1] = {"REPLICA_NOT_AVAILABLE", "The replica is not available."},
	[KAFKA_MESSAGE_TOO_LARGE + 1] = {"MESSAGE_TOO_LARGE",
	"The record batch is larger than the topic allows."},
	[KAFKA_STALE_CONTROLLER_EPOCH + 1] = {"STALE_CONTROLLER_EPOCH", "Another broker is controller now."},
	[KAFKA_OFFSET_METADATA_TOO_LARGE + 1] = {"OFFSET_METADATA_TOO_LARGE",
	"The metadata of the committed offset is too long."},
	[KAFKA_NETWORK_EXCEPTION + 1] = {"NETWORK_EXCEPTION", "The connection ended before the answer came."},
	[KAFKA_COORDINATOR_LOAD_IN_PROGRESS + 1] = {"COORDINATOR_LOAD_IN_PROGRESS",
	"The coordinator is still loading its state."},
	[KAFKA_COORDINATOR_NOT_AVAILABLE + 1] = {"COORDINATOR_NOT_AVAILABLE",
	"The coordinator is not available."},
	[KAFKA_NOT_COORDINATOR + 1] = {"NOT_COORDINATOR", "This broker is not the coordinator."},
	[KAFKA_INVALID_TOPIC_EXCEPTION + 1] = {"INVALID_TOPIC_EXCEPTION",
	"The topic name or the operation on this topic is not valid."},
	[KAFKA_RECORD_LIST_TOO_LARGE + 1] = {"RECORD_LIST_TOO_LARGE",
	"The records are larger than a segment of the topic."},
	[KAFKA_NOT_ENOUGH_REPLICAS + 1] = {"NOT_ENOUGH_REPLICAS",
	"There are fewer in-sync replicas than the topic requires."},
	[KAFKA_NOT_ENOUGH_REPLICAS_AFTER_APPEND + 1] = {"NOT_ENOUGH_REPLICAS_AFTER_APPEND",
	"The records were written, but to fewer in-sync replicas than the topic requires."},
	[KAFKA_INVALID_REQUIRED_ACKS + 1] = {"INVALID_REQUIRED_ACKS", "acks must be -1, 0 or 1."},
	[KAFKA_ILLEGAL_GENERATION + 1] = {"ILLEGAL_GENERATION",
	"The generation of the group is not the current one."},
	[KAFKA_INCONSISTENT_GROUP_PROTOCOL + 1] = {"INCONSISTENT_GROUP_PROTOCOL",
	"The member has no protocol in common with the group."},
	[KAFKA_INVALID_GROUP_ID + 1] = {"INVALID_GROUP_ID", "The group id is not valid."},
	[KAFKA_UNKNOWN_MEMBER_ID + 1] = {"UNKNOWN_MEMBER_ID", "The group does not know this member."},
	[KAFKA_INVALID_SESSION_TIMEOUT + 1] = {"INVALID_SESSION_TIMEOUT",
	"The session timeout is outside the allowed range."},
	[KAFKA_REBALANCE_IN_PROGRESS + 1] = {"REBALANCE_IN_PROGRESS",
	"The group is rebalancing; join it again."},
	[KAFKA_INVALID_COMMIT_OFFSET_SIZE + 1] = {"INVALID_COMMIT_OFFSET_SIZE", "The commit is too large."},
	[KAFKA_TOPIC_AUTHORIZATION_FAILED + 1] = {"TOPIC_AUTHORIZATION_FAILED", "Not allowed on this topic."},
	[KAFKA_GROUP_AUTHORIZATION_FAILED + 1] = {"GROUP_AUTHORIZATION_FAILED", "Not allowed on this group."},
	[KAFKA_CLUSTER_AUTHORIZATION_FAILED + 1] = {"CLUSTER_AUTHORIZATION_FAILED",
	"Not allowed on the cluster."},
	[KAFKA_INVALID_TIMESTAMP + 1] = {"INVALID_TIMESTAMP",
	"A record's timestamp is outside the range that the topic accepts."},
	[KAFKA_UNSUPPORTED_SASL_MECHANISM + 1] = {"UNSUPPORTED_SASL_MECHANISM",
	"The broker does not offer this SASL mechanism."},
	[KAFKA_ILLEGAL_SASL_STATE + 1] = {"ILLEGAL_SASL_STATE",
	"The request does not fit the state of the SASL exchange."},
	[KAFKA_UNSUPPORTED_VERSION + 1] = {"UNSUPPORTED_VERSION",
	"The broker does not support this version of the request."},
	[KAFKA_TOPIC_ALREADY_EXISTS + 1] = {"TOPIC_ALREADY_EXISTS", "A topic of this name exists."},
	[KAFKA_INVALID_PARTITIONS + 1] = {"INVALID_PARTITIONS", "The number of partitions is not valid."},
	[KAFKA_INVALID_REPLICATION_FACTOR + 1] = {"INVALID_REPLICATION_FACTOR",
	"The replication factor is below 1 or above the number of brokers."},
	[KAFKA_INVALID_REPLICA_ASSIGNMENT + 1] = {"INVALID_REPLICA_ASSIGNMENT",
	"The replica assignment is not valid."},
	[KAFKA_INVALID_CONFIG + 1] = {"INVALID_CONFIG", "The configuration is not valid."},
	[KAFKA_NOT_CONTROLLER + 1] = {"NOT_CONTROLLER", "This broker is not the controller."},
	[KAFKA_INVALID_REQUEST + 1] = {"INVALID_REQUEST", "The request is malformed or contradicts itself."},
	[KAFKA_UNSUPPORTED_FOR_MESSAGE_FORMAT + 1] = {"UNSUPPORTED_FOR_MESSAGE_FORMAT",
	"The format of the records does not support the request."},
	[KAFKA_POLICY_VIOLATION + 1] = {"POLICY_VIOLATION", "The request violates a policy of the broker."},
	[KAFKA_OUT_OF_ORDER_SEQUENCE_NUMBER + 1] = {"OUT_OF_ORDER_SEQUENCE_NUMBER",
	"The sequence number is not the one that was expected of this producer."},
	[KAFKA_DUPLICATE_SEQUENCE_NUMBER + 1] = {"DUPLICATE_SEQUENCE_NUMBER",
	"The sequence number has been seen before."},
	[KAFKA_INVALID_PRODUCER_EPOCH + 1] = {"INVALID_PRODUCER_EPOCH",
	"The producer epoch is older than the current one."},
	[KAFKA_INVALID_TXN_STATE + 1] = {"INVALID_TXN_STATE",
	"The operation does not fit the state of the transaction."},
	[KAFKA_INVALID_PRODUCER_ID_MAPPING + 1] = {"INVALID_PRODUCER_ID_MAPPING",
	"The producer id does not belong to this transactional id."},
	[KAFKA_INVALID_TRANSACTION_TIMEOUT + 1] = {"INVALID_TRANSACTION_TIMEOUT",
	"The transaction timeout is larger than the broker allows."},
	[KAFKA_CONCURRENT_TRANSACTIONS + 1] = {"CONCURRENT_TRANSACTIONS",
	"The transaction before this one is still being completed."},
	[KAFKA_TRANSACTION_COORDINATOR_FENCED + 1] = {"TRANSACTION_COORDINATOR_FENCED",
	"The coordinator that ends the transaction has been replaced."},
	[KAFKA_TRANSACTIONAL_ID_AUTHORIZATION_FAILED + 1] = {"TRANSACTIONAL_ID_AUTHORIZATION_FAILED",
	"Not allowed on this transactional id."},
	[KAFKA_SECURITY_DISABLED + 1] = {"SECURITY_DISABLED", "Security is not configured on the broker."},
	[KAFKA_OPERATION_NOT_ATTEMPTED + 1] = {"OPERATION_NOT_ATTEMPTED",
	"The operation was not tried because another part of the request failed."},
	[KAFKA_KAFKA_STORAGE_ERROR + 1] = {"KAFKA_STORAGE_ERROR", "The storage of the partition failed."},
	[KAFKA_LOG_DIR_NOT_FOUND + 1] = {"LOG_DIR_NOT_FOUND", "There is no such log directory."},
	[KAFKA_SASL_AUTHENTICATION_FAILED + 1] = {"SASL_AUTHENTICATION_FAILED", "Authentication failed."},
	[KAFKA_UNKNOWN_PRODUCER_ID + 1] = {"UNKNOWN_PRODUCER_ID",
	"The partition has no state of this producer."},
	[KAFKA_REASSIGNMENT_IN_PROGRESS + 1] = {"REASSIGNMENT_IN_PROGRESS",
	"A reassignment of the partition is in progress."},
	[KAFKA_DELEGATION_TOKEN_AUTH_DISABLED + 1] = {"DELEGATION_TOKEN_AUTH_DISABLED",
	"Delegation tokens are not enabled."},
	[KAFKA_DELEGATION_TOKEN_NOT_FOUND + 1] = {"DELEGATION_TOKEN_NOT_FOUND",
	"There is no such delegation token."},
	[KAFKA_DELEGATION_TOKEN_OWNER_MISMATCH + 1] = {"DELEGATION_TOKEN_OWNER_MISMATCH",
	"The delegation token belongs to another principal."},
	[KAFKA_DELEGATION_TOKEN_REQUEST_NOT_ALLOWED + 1] = {"DELEGATION_TOKEN_REQUEST_NOT_ALLOWED",
	"Delegation tokens cannot be requested over this connection."},
	[KAFKA_DELEGATION_TOKEN_AUTHORIZATION_FAILED + 1] = {"DELEGATION_TOKEN_AUTHORIZATION_FAILED",
	"Not allowed on this delegation token."},
	[KAFKA_DELEGATION_TOKEN_EXPIRED + 1] = {"DELEGATION_TOKEN_EXPIRED",
	"The delegation token has expired."},
	[KAFKA_INVALID_PRINCIPAL_TYPE + 1] = {"INVALID_PRINCIPAL_TYPE",
	"The type of the principal is not supported."},
	[KAFKA_NON_EMPTY_GROUP + 1] = {"NON_EMPTY_GROUP", "The group still has members."},
	[KAFKA_GROUP_ID_NOT_FOUND + 1] = {"GROUP_ID_NOT_FOUND", "There is no such group."},
	[KAFKA_FETCH_SESSION_ID_NOT_FOUND + 1] = {"FETCH_SESSION_ID_NOT_FOUND",
	"There is no such fetch session."},
	[KAFKA_INVALID_FETCH_SESSION_EPOCH + 1] = {"INVALID_FETCH_SESSION_EPOCH",
	"The epoch of the fetch session is not the expected one."},
	[KAFKA_LISTENER_NOT_FOUND + 1] = {"LISTENER_NOT_FOUND",
	"The leader has no listener like the one that the request came in on."},
	[KAFKA_TOPIC_DELETION_DISABLED + 1] = {"TOPIC_DELETION_DISABLED", "Topics cannot be deleted."},
	[KAFKA_FENCED_LEADER_EPOCH + 1] = {"FENCED_LEADER_EPOCH",
	"The leader epoch of the request is older than the broker's."},
	[KAFKA_UNKNOWN_LEADER_EPOCH + 1] = {"UNKNOWN_LEADER_EPOCH",
	"The leader epoch of the request is newer than the broker's."},
	[KAFKA_UNSUPPORTED_COMPRESSION_TYPE + 1] = {"UNSUPPORTED_COMPRESSION_TYPE",
	"The compression type is not supported in this version of the request."},
	[KAFKA_STALE_BROKER_EPOCH + 1] = {"STALE_BROKER_EPOCH", "The epoch of the broker has changed."},
	[KAFKA_OFFSET_NOT_AVAILABLE + 1] = {"OFFSET_NOT_AVAILABLE",
	"The new leader does not know the high watermark yet."},
	[KAFKA_MEMBER_ID_REQUIRED + 1] = {"MEMBER_ID_REQUIRED",
	"Join again with the member id that came with this answer."},
	[KAFKA_PREFERRED_LEADER_NOT_AVAILABLE + 1] = {"PREFERRED_LEADER_NOT_AVAILABLE",
	"The preferred leader is not available."},
	[KAFKA_GROUP_MAX_SIZE_REACHED + 1] = {"GROUP_MAX_SIZE_REACHED",
	"The group has as many members as are allowed."},
	[KAFKA_FENCED_INSTANCE_ID + 1] = {"FENCED_INSTANCE_ID",
	"Another member with the same instance id has taken over."},
	[KAFKA_ELIGIBLE_LEADERS_NOT_AVAILABLE + 1] = {"ELIGIBLE_LEADERS_NOT_AVAILABLE",
	"No replica can become leader."},
	[KAFKA_ELECTION_NOT_NEEDED + 1] = {"ELECTION_NOT_NEEDED", "No leader election is needed."},
	[KAFKA_NO_REASSIGNMENT_IN_PROGRESS + 1] = {"NO_REASSIGNMENT_IN_PROGRESS",
	"No reassignment of the partition is in progress."},
	[KAFKA_GROUP_SUBSCRIBED_TO_TOPIC + 1] = {"GROUP_SUBSCRIBED_TO_TOPIC",
	"The group is subscribed to the topic, so its offsets cannot be deleted."},
	[KAFKA_INVALID_RECORD + 1] = {"INVALID_RECORD", "The records do not pass the broker's checks."},
	[KAFKA_UNSTABLE_OFFSET_COMMIT + 1] = {"UNSTABLE_OFFSET_COMMIT",
	"An offset commit is still being decided."},
	[KAFKA_THROTTLING_QUOTA_EXCEEDED + 1] = {"THROTTLING_QUOTA_EXCEEDED", "The quota is used up."},
	[KAFKA_PRODUCER_FENCED + 1] = {"PRODUCER_FENCED",
	"A newer producer with the same transactional id has taken over."},
	[KAFKA_RESOURCE_NOT_FOUND + 1] = {"RESOURCE_NOT_FOUND", "There is no such resource."},
	[KAFKA_DUPLICATE_RESOURCE + 1] = {"DUPLICATE_RESOURCE", "The request names a resource twice."},
	[KAFKA_UNACCEPTABLE_CREDENTIAL + 1] = {"UNACCEPTABLE_CREDENTIAL", "The credential is not acceptable."},
	[KAFKA_INCONSISTENT_VOTER_SET + 1] = {"INCONSISTENT_VOTER_SET",
	"Sender and recipient disagree about the set of voters."},
	[KAFKA_INVALID_UPDATE_VERSION + 1] = {"INVALID_UPDATE_VERSION", "The update version is not valid."},
	[KAFKA_FEATURE_UPDATE_FAILED + 1] = {"FEATURE_UPDATE_FAILED", "The features could not be updated."},
	[KAFKA_PRINCIPAL_DESERIALIZATION_FAILURE + 1] = {"PRINCIPAL_DESERIALIZATION_FAILURE",
	"The principal of a forwarded request could not be read."},
	[KAFKA_SNAPSHOT_NOT_FOUND + 1] = {"SNAPSHOT_NOT_FOUND", "There is no such snapshot."},
	[KAFKA_POSITION_OUT_OF_RANGE + 1] = {"POSITION_OUT_OF_RANGE", "The position is outside the snapshot."},
	[KAFKA_UNKNOWN_TOPIC_ID + 1] = {"UNKNOWN_TOPIC_ID", "There is no topic with this id here."},
	[KAFKA_DUPLICATE_BROKER_REGISTRATION + 1] = {"DUPLICATE_BROKER_REGISTRATION",
	"A broker with this id is registered."},
	[KAFKA_BROKER_ID_NOT_REGISTERED + 1] = {"BROKER_ID_NOT_REGISTERED",
	"No broker with this id is registered."},
	[KAFKA_INCONSISTENT_TOPIC_ID + 1] = {"INCONSISTENT_TOPIC_ID",
	"The topic id is not that of the topic's log."},
	[KAFKA_INCONSISTENT_CLUSTER_ID + 1] = {"INCONSISTENT_CLUSTER_ID",
	"The cluster id is not this cluster's."},
	[KAFKA_TRANSACTIONAL_ID_NOT_FOUND + 1] = {"TRANSACTIONAL_ID_NOT_FOUND",
	"There is no such transactional id."},
	[KAFKA_FETCH_SESSION_TOPIC_ID_ERROR + 1] = {"FETCH_SESSION_TOPIC_ID_ERROR",
	"The fetch session mixes topic names and topic ids."},
	[KAFKA_INELIGIBLE_REPLICA + 1] = {"INELIGIBLE_REPLICA", "A replica may not be in sync."},
	[KAFKA_NEW_LEADER_ELECTED + 1] = {"NEW_LEADER_ELECTED", "The update led to a new leader."},
	[KAFKA_OFFSET_MOVED_TO_TIERED_STORAGE + 1] = {"OFFSET_MOVED_TO_TIERED_STORAGE",
	"The offset has moved to tiered storage."},
	[KAFKA_FENCED_MEMBER_EPOCH + 1] = {"FENCED_MEMBER_EPOCH",
	"The member's epoch is fenced; give up all partitions and join again."},
	[KAFKA_UNRELEASED_INSTANCE_ID + 1] = {"UNRELEASED_INSTANCE_ID",
	"Another member still uses this instance id."},
	[KAFKA_UNSUPPORTED_ASSIGNOR + 1] = {"UNSUPPORTED_ASSIGNOR",
	"The group does not support this assignor."},
	[KAFKA_STALE_MEMBER_EPOCH + 1] = {"STALE_MEMBER_EPOCH",
	"The member's epoch is out of date; send a heartbeat and try again."},
	[KAFKA_MISMATCHED_ENDPOINT_TYPE + 1] = {"MISMATCHED_ENDPOINT_TYPE",
	"The request came in on the wrong kind of endpoint."},
	[KAFKA_UNSUPPORTED_ENDPOINT_TYPE + 1] = {"UNSUPPORTED_ENDPOINT_TYPE",
	"This kind of endpoint is not supported."},
	[KAFKA_UNKNOWN_CONTROLLER_ID + 1] = {"UNKNOWN_CONTROLLER_ID", "There is no such controller."},
	[KAFKA_UNKNOWN_SUBSCRIPTION_ID + 1] = {"UNKNOWN_SUBSCRIPTION_ID",
	"The telemetry subscription is unknown or out of date."},
	[KAFKA_TELEMETRY_TOO_LARGE + 1] = {"TELEMETRY_TOO_LARGE",
	"The telemetry data is larger than the broker allows."},
	[KAFKA_INVALID_REGISTRATION + 1] = {"INVALID_REGISTRATION",
	"The registration of the broker is not valid."},
	[KAFKA_TRANSACTION_ABORTABLE + 1] = {"TRANSACTION_ABORTABLE",
	"The transaction has failed; abort it, then go on."},
	[KAFKA_INVALID_RECORD_STATE + 1] = {"INVALID_RECORD_STATE",
	"The acknowledgement does not fit the state of the record."},
	[KAFKA_SHARE_SESSION_NOT_FOUND + 1] = {"SHARE_SESSION_NOT_FOUND", "There is no such share session."},
	[KAFKA_INVALID_SHARE_SESSION_EPOCH + 1] = {"INVALID_SHARE_SESSION_EPOCH",
	"The epoch of the share session is not the expected one."},
	[KAFKA_FENCED_STATE_EPOCH + 1] = {"FENCED_STATE_EPOCH",
	"The epoch of the state is not the current one."},
	[KAFKA_INVALID_VOTER_KEY + 1] = {"INVALID_VOTER_KEY",
	"The voter key is not that of the receiving replica."},
	[KAFKA_DUPLICATE_VOTER + 1] = {"DUPLICATE_VOTER", "The voter is in the set already."},
	[KAFKA_VOTER_NOT_FOUND + 1] = {"VOTER_NOT_FOUND", "The voter is not in the set."},
	[KAFKA_INVALID_REGULAR_EXPRESSION + 1] = {"INVALID_REGULAR_EXPRESSION",
	"The regular expression is not valid."},
	[KAFKA_REBOOTSTRAP_REQUIRED + 1] = {"REBOOTSTRAP_REQUIRED",
	"The client's metadata is out of date; start again from the bootstrap servers."},
	[KAFKA_STREAMS_INVALID_TOPOLOGY + 1] = {"STREAMS_INVALID_TOPOLOGY", "The topology is not valid."},
	[KAFKA_STREAMS_INVALID_TOPOLOGY_EPOCH + 1] = {"STREAMS_INVALID_TOPOLOGY_EPOCH",
	"The epoch of the topology is not valid."},
	[KAFKA_STREAMS_TOPOLOGY_FENCED + 1] = {"STREAMS_TOPOLOGY_FENCED",
	"The epoch of the topology is out of date."},
	[KAFKA_SHARE_SESSION_LIMIT_REACHED + 1] = {"SHARE_SESSION_LIMIT_REACHED",
	"There are as many share sessions as are allowed."},
	[KAFKA_GROUP_DELETION_FAILED + 1] = {"GROUP_DELETION_FAILED", "The group could not be deleted."},
	[KAFKA_STREAMS_TOPOLOGY_DESCRIPTION_UPDATE_FAILED + 1] = {"STREAMS_TOPOLOGY_DESCRIPTION_UPDATE_FAILED",
	"The description of the topology could not be updated."},
	[KAFKA_CONTROLLER_ID_NOT_REGISTERED + 1] = {"CONTROLLER_ID_NOT_REGISTERED",
	"No controller with this id is registered."},
};

_Static_assert(sizeof(error_texts) / sizeof(error_texts[0]) == KAFKA_ERROR_MAX + 2,
			   "one text per error code");

static const ErrorText *
error_text(int code)
{
	if (code < -1 || code > KAFKA_ERROR_MAX)
		code = KAFKA_UNKNOWN_SERVER_ERROR;
	return &error_texts[code + 1];
}

const char *
kafka_error_name(int code)
{
	return error_text(code)->name;
}

const char *
kafka_error_message(int code)
{
	return error_text(code)->message;
}

bool
kafka_error_by_name(const char *name, int *code)
{
	for (int i = -1; i <= KAFKA_ERROR_MAX; i++)
	{
		if (strcmp(error_texts[i + 1].name, name) == 0)
		{
			*code = i;
			return true;
		}
	}
	return false;
}
