/*-------------------------------------------------------------------------
 *
 * consumer.h
 *	  Groups of the consumer protocol (KIP-848), to the rest of the coordinator.
 *
 * Here the coordinator computes the assignments.  A group has an epoch that
 * rises with every change of members, subscriptions and topics; a target
 * assignment, computed for an epoch; and each member's current assignment,
 * which approaches the target heartbeat by heartbeat: a member first gives up
 * what it should not have, and gets a partition when nobody has it any more.
 *
 * Members of the classic protocol can be in such a group (consumer_classic.c):
 * to them an epoch is a generation, and a heartbeat tells them to join again
 * when their assignment changes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GROUP_CONSUMER_H
#define GROUP_CONSUMER_H

#include "group/internal.h"

#define CONSUMER_LEAVE_EPOCH		(-1)
#define CONSUMER_LEAVE_STATIC_EPOCH	(-2)	/* it will be back */

/* ---------- consumer_state.c: what records say ---------- */

extern void consumer_become(Group *group);	/* without records */
extern void consumer_free(Group *group);
extern void consumer_apply_metadata(Group *group, const ConsumerGroupMetadataValue *value);
extern void consumer_apply_member(Group *group, WireString id, const ConsumerGroupMemberMetadataValue *value);
extern void consumer_apply_target_metadata(Group *group,
										   const ConsumerGroupTargetAssignmentMetadataValue *value);
extern void consumer_apply_target(Group *group, WireString id,
								  const ConsumerGroupTargetAssignmentMemberValue *value);
extern void consumer_apply_current(Group *group, WireString id,
								   const ConsumerGroupCurrentMemberAssignmentValue *value);
extern void consumer_apply_regex(Group *group, WireString pattern,
								 const ConsumerGroupRegularExpressionValue *value);
extern void consumer_loaded(Group *group);
extern void consumer_topic_changed(Group *group, WireString name, bool came_or_went);

extern ConsumerMember *consumer_by_instance(const Group *group, WireString instance_id);
extern const char *consumer_state_name(const Group *group);
extern bool consumer_member_subscribes(const ConsumerMember *member, WireString topic);
extern bool consumer_subscribes(const Group *group, WireString topic);

/* Has a member this partition, or has it not said yet that it gave it up? */
extern bool consumer_is_owned(const Group *group, const WireUuid *topic_id, int32_t partition);

/* ---------- consumer_emit.c: changes ---------- */

extern void consumer_emit_metadata(Group *group, int32_t epoch, int64_t hash);
extern void consumer_emit_member(Group *group, WireString id, const ConsumerGroupMemberMetadataValue *value);
extern void consumer_emit_target_metadata(Group *group, int32_t epoch, int64_t at);
extern void consumer_emit_target(Group *group, WireString id, const GroupPartitions *target); /* NULL: none */
extern void consumer_emit_current(Group *group, WireString id, int32_t epoch, int32_t previous_epoch,
								  ConsumerState state, const GroupPartitions *assigned,
								  const GroupPartitions *pending);
extern void consumer_emit_regex(Group *group, WireString pattern,
								const ConsumerGroupRegularExpressionValue *value);
extern void consumer_emit_remove(ConsumerMember *member);	/* frees it */
extern void consumer_emit_tombstones(Group *group); /* of all its records; the state stays */

/* A member's metadata as a record would have it; strings are shared with the member. */
extern void consumer_member_value(GroupCoordinator *co, const ConsumerMember *member,
								  ConsumerGroupMemberMetadataValue *value);

/* ---------- consumer_target.c ---------- */

extern int64_t consumer_compute_hash(Group *group);
extern WireString consumer_assignor(const Group *group);
extern bool consumer_knows_assignor(WireString name);
extern void consumer_update_target(Group *group);
extern void consumer_bump(Group *group);	/* a new epoch, with the hash of now */
extern bool consumer_resolve(Group *group, WireString pattern, uint32_t who);

/* ---------- consumer_reconcile.c ---------- */

/* What a member said that it has; NULL: didn't say. */
extern void consumer_reconcile(ConsumerMember *member, bool subscription_changed,
							   const GroupPartitions *owned);

/* ---------- consumer.c ---------- */

extern void consumer_heartbeat(GroupCoordinator *co, const GroupRequest *req);
extern void consumer_timeout(ConsumerMember *member);
extern void consumer_keep_alive(ConsumerMember *member);
extern void consumer_fence(Group *group, int32_t n, ConsumerMember **members);
extern int16_t consumer_check_commit(Group *group, WireString member_id, int32_t epoch, int api_version,
									 ConsumerMember **member);
extern int16_t consumer_check_commit_partition(const ConsumerMember *member, int32_t epoch,
											   const WireUuid *topic_id, int32_t partition);
extern int16_t consumer_check_fetch(const Group *group, WireString member_id, int32_t epoch);
extern ConsumerMember *consumer_replace(ConsumerMember *old, WireString new_id);

/*
 * What both protocols do when a member has said what it wants: records, epoch,
 * target and the member's own assignment.  `value` is its metadata now.
 */
extern ConsumerMember *consumer_update(Group *group, WireString member_id,
									   const ConsumerGroupMemberMetadataValue *value,
									   const GroupPartitions *owned, uint32_t who);

/* ---------- consumer_describe.c ---------- */

extern void consumer_describe(GroupCoordinator *co, const GroupRequest *req);

/* ---------- consumer_classic.c: members of the classic protocol ---------- */

extern void consumer_join_classic(Group *group, const GroupRequest *req);
extern int16_t consumer_sync_classic(Group *group,
									 const GroupRequest *req); /* an error, or it has answered */
extern int16_t consumer_heartbeat_classic(Group *group, const HeartbeatRequest *request);
extern void consumer_leave_classic(Group *group, int32_t n, const LeaveGroupRequestMemberIdentity *members,
								   LeaveGroupResponseMemberResponse *responses);

/* ---------- consumer_convert.c: from one protocol to the other ---------- */

/* 0, or why a classic group can't become one of consumers. */
extern int16_t consumer_can_upgrade(Group *group);
extern int16_t consumer_upgrade(Group *group);

/* Can the group become classic when these members are gone? */
extern bool consumer_can_downgrade(const Group *group, int32_t n, ConsumerMember **leaving);
extern void consumer_downgrade(Group *group, int32_t n, ConsumerMember **leaving);

/* ---------- partitions.c ---------- */

typedef struct PartitionItem
{
	WireUuid	topic_id;
	int32_t		partition;
	int32_t		epoch;
} PartitionItem;

/* A list under construction, in `out` memory. */
typedef struct PartitionList
{
	int32_t		n;
	int32_t		cap;
	PartitionItem *items;
} PartitionList;

extern void partition_list_add(GroupCoordinator *co, PartitionList *list, const WireUuid *topic_id,
							   int32_t partition, int32_t epoch);

/* Sorted, each partition once; in `out` memory. */
extern GroupPartitions partitions_of(GroupCoordinator *co, PartitionList *list);
extern GroupPartitions partitions_copy(GroupCoordinator *co, const GroupPartitions *p);	/* into the state */
extern void partitions_free(GroupCoordinator *co, GroupPartitions *p);
extern bool partitions_find(const GroupPartitions *p, const WireUuid *topic_id, int32_t partition,
							int32_t *epoch);
extern bool partitions_equal(const GroupPartitions *a, const GroupPartitions *b, bool with_epochs);
extern int32_t partitions_count(const GroupPartitions *p);

/* Is there a partition in both? */
extern bool partitions_overlap(const GroupPartitions *a, const GroupPartitions *b);

#define for_partitions(p, t, i) \
	for (int32_t t##_index = 0; t##_index < (p)->n; t##_index++) \
		for (const GroupTopicPartitions *t = &(p)->topics[t##_index]; t; t = NULL) \
			for (int32_t i = 0; i < t->n; i++)

/* ---------- assignor.c ---------- */

typedef struct AssignorMember
{
	WireString	id;
	WireString	instance_id;
	int32_t		n_topics;
	GroupTopic **topics;		/* subscribed and existing, in ascending order of ids */
	const GroupPartitions *before;	/* its target until now */
	PartitionList result;
} AssignorMember;

extern void assignor_uniform(GroupCoordinator *co, int32_t n, AssignorMember *members);
extern void assignor_range(GroupCoordinator *co, int32_t n, AssignorMember *members);

#endif							/* GROUP_CONSUMER_H */
