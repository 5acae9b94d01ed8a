/*-------------------------------------------------------------------------
 *
 * report.c
 *	  Errors about groups and their offsets.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "consume/consume.h"
#include "wire/error.h"

void
consume_mismatch(StringInfo mismatches, const char *topic, int32 partition, const char *format, ...)
{
	if (mismatches->len > 0)
		appendStringInfoChar(mismatches, '\n');
	appendStringInfo(mismatches, "Topic \"%s\", partition %d: ", topic, partition);
	for (;;)
	{
		va_list		args;
		int			needed;

		va_start(args, format);
		needed = appendStringInfoVA(mismatches, format, args);
		va_end(args);
		if (needed == 0)
			break;
		enlargeStringInfo(mismatches, needed);
	}
	appendStringInfoChar(mismatches, '.');
}

void
consume_report_mismatches(const char *group, const char *mismatches)
{
	ereport(
		ERROR,
		(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
		 errmsg("the offsets of group \"%s\" can't be committed", group), errdetail("%s", mismatches),
		 errhint("Roll back, read the group's committed position again, seek to it, and go on from there.")));
	pg_unreachable();
}

static const char *
member_problem(int error)
{
	switch (error)
	{
		case KAFKA_UNKNOWN_MEMBER_ID:
			return "The group has no such member (any more).";
		case KAFKA_ILLEGAL_GENERATION:
			return "The group has another generation.";
		case KAFKA_STALE_MEMBER_EPOCH:
			return "The member has another epoch, or has got the partition since.";
		case KAFKA_FENCED_MEMBER_EPOCH:
			return "The partition is not the member's.";
		default:
			return NULL;
	}
}

void
consume_report_error(const char *group, int error, int kind, const char *topic, int32 partition)
{
	const char *problem = member_problem(error);

	if (problem)
		ereport(ERROR, (errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
						errmsg("the member does not have partition %d of topic \"%s\" in group \"%s\"",
							   partition, topic, group),
						errdetail("%s", problem),
						errhint("Roll back, and go on with the partitions that the consumer is given.")));
	if (error == SESSION_WRONG_KIND)
		ereport(ERROR, (errcode(ERRCODE_OBJECT_IN_USE), errmsg("group \"%s\" is one of Kafka clients", group),
						errdetail("It has members, and can become a group of SQL sessions when it has none."),
						errhint("Use another group.")));
	if (error == KAFKA_GROUP_AUTHORIZATION_FAILED)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE), errmsg("permission denied for group \"%s\"", group),
				 errhint("A group belongs to the role that uses it first; broker.grant_group() gives"
						 " rights to others.")));
	if (error == KAFKA_NON_EMPTY_GROUP)
		ereport(ERROR, (errcode(ERRCODE_OBJECT_IN_USE), errmsg("group \"%s\" has members", group),
						errhint("Stop its consumers first.")));
	if (error == KAFKA_GROUP_ID_NOT_FOUND)
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT), errmsg("group \"%s\" does not exist", group)));
	if (error == KAFKA_UNKNOWN_TOPIC_ID)
		ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
						errmsg("topic \"%s\" can't be consumed yet", topic),
						errdetail("The transaction that creates it has not committed, or it is locked.")));
	ereport(ERROR, (errcode(ERRCODE_INTERNAL_ERROR),
					errmsg("the coordinator of group \"%s\" answers: %s", group, kafka_error_name(error))));
	pg_unreachable();
}
