/*-------------------------------------------------------------------------
 *
 * rights.c
 *	  Who may do what with a topic: PostgreSQL's privileges, for Kafka's
 *	  operations.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "catalog/pg_namespace.h"
#include "compat.h"
#include "miscadmin.h"
#include "topic/internal.h"
#include "utils/acl.h"

/* As in SQL: of no use without USAGE on the schema, which PUBLIC has by default. */
static bool
has_privilege(Oid role, Oid relid, AclMode mode)
{
	Oid			schema = topic_ids()->topic_schema;
	bool		is_missing = false;

	if (!OidIsValid(schema) || compat_schema_aclcheck(schema, role, ACL_USAGE) != ACLCHECK_OK)
		return false;
	return pg_class_aclcheck_ext(relid, role, mode, &is_missing) == ACLCHECK_OK && !is_missing;
}

static bool
is_owner(Oid role, Oid relid)
{
	/* of a table that is gone, this would raise an error */
	return topic_is_topic(relid) && compat_table_ownercheck(relid, role);
}

bool
topic_may(Oid role, Oid relid, TopicRight right)
{
	switch (right)
	{
		case TOPIC_READ:
			return has_privilege(role, relid, ACL_SELECT);
		case TOPIC_WRITE:
			return has_privilege(role, relid, ACL_INSERT);
		case TOPIC_DESCRIBE:
			return has_privilege(role, relid, ACL_SELECT) ||
				has_privilege(role, relid, ACL_INSERT) ||
				is_owner(role, relid);
		case TOPIC_DELETE_RECORDS:
			return has_privilege(role, relid, ACL_TRUNCATE);
		case TOPIC_ALTER:
			return is_owner(role, relid);
	}
	return false;
}

void
topic_require_right(Oid relid, const char *name, TopicRight right)
{
	if (!topic_may(GetUserId(), relid, right))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied for topic \"%s\"", name),
				 errhint("It takes %s on the topic's table.", right == TOPIC_WRITE ? "INSERT" : "SELECT")));
}

bool
topic_may_create(Oid role)
{
	Oid			schema = topic_ids()->topic_schema;

	return OidIsValid(schema) &&
		compat_schema_aclcheck(schema, role, ACL_CREATE) == ACLCHECK_OK;
}
