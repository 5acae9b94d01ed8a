/*-------------------------------------------------------------------------
 *
 * api_list.c
 *	  The list of APIs whose messages are known.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/api_list.h"

#include "wire/api_acl.h"
#include "wire/api_cluster.h"
#include "wire/api_commit.h"
#include "wire/api_configs.h"
#include "wire/api_consumer_group.h"
#include "wire/api_fetch.h"
#include "wire/api_group.h"
#include "wire/api_group_admin.h"
#include "wire/api_logdirs.h"
#include "wire/api_metadata.h"
#include "wire/api_offsets.h"
#include "wire/api_produce.h"
#include "wire/api_quota.h"
#include "wire/api_replicas.h"
#include "wire/api_sasl.h"
#include "wire/api_scram.h"
#include "wire/api_telemetry.h"
#include "wire/api_token.h"
#include "wire/api_topics.h"
#include "wire/api_txn.h"
#include "wire/api_txn_admin.h"
#include "wire/api_versions.h"

#define API(key, name, min, max, flexible) \
	{(key), #name, (min), (max), (flexible), &wire_##name##Request, &wire_##name##Response}

/* In ascending order of keys. */
const WireApi wire_apis[] = {
	API(0, Produce, 3, 13, 9),
	API(1, Fetch, 4, 18, 12),
	API(2, ListOffsets, 1, 11, 6),
	API(3, Metadata, 0, 13, 9),
	API(8, OffsetCommit, 2, 10, 8),
	API(9, OffsetFetch, 1, 10, 6),
	API(10, FindCoordinator, 0, 6, 3),
	API(11, JoinGroup, 0, 9, 6),
	API(12, Heartbeat, 0, 4, 4),
	API(13, LeaveGroup, 0, 5, 4),
	API(14, SyncGroup, 0, 5, 4),
	API(15, DescribeGroups, 0, 6, 5),
	API(16, ListGroups, 0, 5, 3),
	API(17, SaslHandshake, 0, 1, WIRE_LATEST),
	API(18, ApiVersions, 0, 5, 3),
	API(19, CreateTopics, 2, 7, 5),
	API(20, DeleteTopics, 1, 6, 4),
	API(21, DeleteRecords, 0, 2, 2),
	API(22, InitProducerId, 0, 5, 2),
	API(23, OffsetForLeaderEpoch, 2, 4, 4),
	API(24, AddPartitionsToTxn, 0, 5, 3),
	API(25, AddOffsetsToTxn, 0, 4, 3),
	API(26, EndTxn, 0, 5, 3),
	API(27, WriteTxnMarkers, 1, 2, 1),
	API(28, TxnOffsetCommit, 0, 6, 3),
	API(29, DescribeAcls, 1, 3, 2),
	API(30, CreateAcls, 1, 3, 2),
	API(31, DeleteAcls, 1, 3, 2),
	API(32, DescribeConfigs, 1, 4, 4),
	API(33, AlterConfigs, 0, 2, 2),
	API(34, AlterReplicaLogDirs, 1, 2, 2),
	API(35, DescribeLogDirs, 1, 5, 2),
	API(36, SaslAuthenticate, 0, 2, 2),
	API(37, CreatePartitions, 0, 3, 2),
	API(38, CreateDelegationToken, 1, 3, 2),
	API(39, RenewDelegationToken, 1, 2, 2),
	API(40, ExpireDelegationToken, 1, 2, 2),
	API(41, DescribeDelegationToken, 1, 3, 2),
	API(42, DeleteGroups, 0, 3, 2),
	API(43, ElectLeaders, 0, 2, 2),
	API(44, IncrementalAlterConfigs, 0, 1, 1),
	API(45, AlterPartitionReassignments, 0, 1, 0),
	API(46, ListPartitionReassignments, 0, 0, 0),
	API(47, OffsetDelete, 0, 0, WIRE_LATEST),
	API(48, DescribeClientQuotas, 0, 1, 1),
	API(49, AlterClientQuotas, 0, 1, 1),
	API(50, DescribeUserScramCredentials, 0, 0, 0),
	API(51, AlterUserScramCredentials, 0, 0, 0),
	API(55, DescribeQuorum, 0, 2, 0),
	API(57, UpdateFeatures, 0, 2, 0),
	API(60, DescribeCluster, 0, 2, 0),
	API(61, DescribeProducers, 0, 0, 0),
	API(65, DescribeTransactions, 0, 0, 0),
	API(66, ListTransactions, 0, 2, 0),
	API(68, ConsumerGroupHeartbeat, 0, 1, 0),
	API(69, ConsumerGroupDescribe, 0, 1, 0),
	API(71, GetTelemetrySubscriptions, 0, 0, 0),
	API(72, PushTelemetry, 0, 0, 0),
	API(74, ListConfigResources, 0, 1, 0),
	API(75, DescribeTopicPartitions, 0, 0, 0),
};

const int	wire_n_apis = sizeof(wire_apis) / sizeof(wire_apis[0]);

const WireApi *
wire_api(int key)
{
	int			low = 0;
	int			high = wire_n_apis - 1;

	while (low <= high)
	{
		int			mid = (low + high) / 2;

		if (wire_apis[mid].key == key)
			return &wire_apis[mid];
		if (wire_apis[mid].key < key)
			low = mid + 1;
		else
			high = mid - 1;
	}
	return NULL;
}
