/*-------------------------------------------------------------------------
 *
 * api_consumer_group.h
 *	  Messages for the consumer group protocol of KIP-848.
 *
 * ConsumerGroupHeartbeat, ConsumerGroupDescribe.
 * A comment at a member says in which versions it is there, if not in all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_API_CONSUMER_GROUP_H
#define WIRE_API_CONSUMER_GROUP_H

#include "wire/message.h"

/* ---------- ConsumerGroupHeartbeat (68), request, versions 0 to 1 ---------- */

typedef struct ConsumerGroupHeartbeatRequestTopicPartitions
{
	WireUuid	topic_id;
	int32_t		n_partitions;
	int32_t	   *partitions;
} ConsumerGroupHeartbeatRequestTopicPartitions;

typedef struct ConsumerGroupHeartbeatRequest
{
	WireString	group_id;
	WireString	member_id;
	int32_t		member_epoch;
	WireString	instance_id;	/* can be null */
	WireString	rack_id;		/* can be null */
	int32_t		rebalance_timeout_ms; /* default -1 */
	int32_t		n_subscribed_topic_names;
	WireString *subscribed_topic_names; /* can be null */
	WireString	subscribed_topic_regex; /* 1+, can be null */
	WireString	server_assignor; /* can be null */
	int32_t		n_topic_partitions;
	ConsumerGroupHeartbeatRequestTopicPartitions *topic_partitions; /* can be null */
} ConsumerGroupHeartbeatRequest;

extern const WireStruct wire_ConsumerGroupHeartbeatRequestTopicPartitions;
extern const WireMessage wire_ConsumerGroupHeartbeatRequest;

/* ---------- ConsumerGroupHeartbeat (68), response, versions 0 to 1 ---------- */

typedef struct ConsumerGroupHeartbeatResponseTopicPartitions
{
	WireUuid	topic_id;
	int32_t		n_partitions;
	int32_t	   *partitions;
} ConsumerGroupHeartbeatResponseTopicPartitions;

typedef struct ConsumerGroupHeartbeatResponseAssignment
{
	int32_t		n_topic_partitions;
	ConsumerGroupHeartbeatResponseTopicPartitions *topic_partitions;
} ConsumerGroupHeartbeatResponseAssignment;

typedef struct ConsumerGroupHeartbeatResponse
{
	int32_t		throttle_time_ms;
	int16_t		error_code;
	WireString	error_message;	/* can be null */
	WireString	member_id;		/* can be null */
	int32_t		member_epoch;
	int32_t		heartbeat_interval_ms;
	ConsumerGroupHeartbeatResponseAssignment *assignment; /* can be null */
} ConsumerGroupHeartbeatResponse;

extern const WireStruct wire_ConsumerGroupHeartbeatResponseTopicPartitions;
extern const WireStruct wire_ConsumerGroupHeartbeatResponseAssignment;
extern const WireMessage wire_ConsumerGroupHeartbeatResponse;

/* ---------- ConsumerGroupDescribe (69), request, versions 0 to 1 ---------- */

typedef struct ConsumerGroupDescribeRequest
{
	int32_t		n_group_ids;
	WireString *group_ids;
	bool		include_authorized_operations;
} ConsumerGroupDescribeRequest;

extern const WireMessage wire_ConsumerGroupDescribeRequest;

/* ---------- ConsumerGroupDescribe (69), response, versions 0 to 1 ---------- */

typedef struct ConsumerGroupDescribeResponseTopicPartitions
{
	WireUuid	topic_id;
	WireString	topic_name;
	int32_t		n_partitions;
	int32_t	   *partitions;
} ConsumerGroupDescribeResponseTopicPartitions;

typedef struct ConsumerGroupDescribeResponseAssignment
{
	int32_t		n_topic_partitions;
	ConsumerGroupDescribeResponseTopicPartitions *topic_partitions;
} ConsumerGroupDescribeResponseAssignment;

typedef struct ConsumerGroupDescribeResponseMember
{
	WireString	member_id;
	WireString	instance_id;	/* can be null */
	WireString	rack_id;		/* can be null */
	int32_t		member_epoch;
	WireString	client_id;
	WireString	client_host;
	int32_t		n_subscribed_topic_names;
	WireString *subscribed_topic_names;
	WireString	subscribed_topic_regex; /* can be null */
	ConsumerGroupDescribeResponseAssignment assignment;
	ConsumerGroupDescribeResponseAssignment target_assignment;
	int8_t		member_type;	/* 1+, default -1 */
} ConsumerGroupDescribeResponseMember;

typedef struct ConsumerGroupDescribeResponseDescribedGroup
{
	int16_t		error_code;
	WireString	error_message;	/* can be null */
	WireString	group_id;
	WireString	group_state;
	int32_t		group_epoch;
	int32_t		assignment_epoch;
	WireString	assignor_name;
	int32_t		n_members;
	ConsumerGroupDescribeResponseMember *members;
	int32_t		authorized_operations; /* default INT32_MIN */
} ConsumerGroupDescribeResponseDescribedGroup;

typedef struct ConsumerGroupDescribeResponse
{
	int32_t		throttle_time_ms;
	int32_t		n_groups;
	ConsumerGroupDescribeResponseDescribedGroup *groups;
} ConsumerGroupDescribeResponse;

extern const WireStruct wire_ConsumerGroupDescribeResponseTopicPartitions;
extern const WireStruct wire_ConsumerGroupDescribeResponseAssignment;
extern const WireStruct wire_ConsumerGroupDescribeResponseMember;
extern const WireStruct wire_ConsumerGroupDescribeResponseDescribedGroup;
extern const WireMessage wire_ConsumerGroupDescribeResponse;

#endif							/* WIRE_API_CONSUMER_GROUP_H */
