/*-------------------------------------------------------------------------
 *
 * group_rights.c
 *	  Who may do what with consumer groups: the rows of broker.group_grants.
 *
 * A group belongs to the role that uses it first, which the group coordinator
 * knows.  Others get rights by rows of the table: for a group, or for all groups
 * whose names begin alike.  A name that a row covers is reserved: who has no
 * right by a row can't be the first to use it.
 *
 * The rows are few, and are kept in memory until a trigger of the table tells
 * that they have changed.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_class.h"
#include "commands/trigger.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "topic/internal.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/inval.h"
#include "utils/memutils.h"
#include "utils/rel.h"

PG_FUNCTION_INFO_V1(topic_sql_group_grants_changed);

#define GRANTS_TABLE	"group_grants"

enum
{
	COL_GROUP = 1,				/* text */
	COL_PREFIX,					/* boolean */
	COL_ROLE,					/* regrole; 0: everybody */
	COL_PRIVILEGE				/* text */
};

typedef struct Grant
{
	Oid			role;
	TopicGroupRight right;
	bool		is_prefix;
	int			len;
	const char *name;
} Grant;

static const char *const right_names[] = {
	[TOPIC_GROUP_USE] = "use",
	[TOPIC_GROUP_DESCRIBE] = "describe",
	[TOPIC_GROUP_DELETE] = "delete",
};

static MemoryContext context;
static Grant *grants;
static int	n_grants;
static Oid	grants_relid;
static bool grants_valid;

static void
forget(Datum arg, Oid relid)
{
	if (!OidIsValid(relid) || relid == grants_relid)
		grants_valid = false;
}

static void
add_grant(HeapTuple tuple, TupleDesc desc, int *room)
{
	bool		isnull[COL_PRIVILEGE + 1];
	Datum		values[COL_PRIVILEGE + 1];
	char	   *privilege;

	for (int i = COL_GROUP; i <= COL_PRIVILEGE; i++)
	{
		values[i] = heap_getattr(tuple, i, desc, &isnull[i]);
		if (isnull[i])
			return;
	}
	privilege = TextDatumGetCString(values[COL_PRIVILEGE]);
	for (int right = 0; right < lengthof(right_names); right++)
	{
		Grant	   *g;

		if (strcmp(privilege, right_names[right]) != 0)
			continue;
		if (n_grants == *room)
		{
			*room = *room ? *room * 2 : 16;
			grants = grants ? repalloc(grants, *room * sizeof(Grant)) : palloc(*room * sizeof(Grant));
		}
		g = &grants[n_grants++];
		g->role = DatumGetObjectId(values[COL_ROLE]);
		g->right = right;
		g->is_prefix = DatumGetBool(values[COL_PREFIX]);
		g->name = TextDatumGetCString(values[COL_GROUP]);
		g->len = strlen(g->name);
	}
	pfree(privilege);
}

static void
read_grants(Relation rel)
{
	MemoryContext old;
	SysScanDesc scan;
	HeapTuple	tuple;
	int			room = 0;

	if (context == NULL)
		context = AllocSetContextCreate(TopMemoryContext, "pg_broker rights on groups",
										ALLOCSET_SMALL_SIZES);
	MemoryContextReset(context);
	grants = NULL;
	n_grants = 0;
	old = MemoryContextSwitchTo(context);
	scan = systable_beginscan(rel, InvalidOid, false, NULL, 0, NULL);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
		add_grant(tuple, RelationGetDescr(rel), &room);
	systable_endscan(scan);
	MemoryContextSwitchTo(old);
}

/* While somebody has locked the table, what was known before counts. */
static void
refresh(void)
{
	static bool registered;
	Relation	rel;

	if (grants_valid)
		return;
	if (!registered)
	{
		CacheRegisterRelcacheCallback(forget, (Datum) 0);
		registered = true;
	}
	grants_relid = topic_catalog_table(GRANTS_TABLE);
	if (!OidIsValid(grants_relid) || !ConditionalLockRelationOid(grants_relid, AccessShareLock))
		return;
	rel = try_table_open(grants_relid, NoLock);
	if (rel)
	{
		/* set first: an invalidation that comes in meanwhile must not be lost */
		grants_valid = true;
		PG_TRY();
		{
			read_grants(rel);
		}
		PG_CATCH();
		{
			grants_valid = false;
			grants = NULL;
			n_grants = 0;
			PG_RE_THROW();
		}
		PG_END_TRY();
		table_close(rel, NoLock);
	}
	UnlockRelationOid(grants_relid, AccessShareLock);
}

static bool
covers(const Grant *g, const char *group, int len)
{
	return (g->is_prefix ? len >= g->len : len == g->len) && memcmp(group, g->name, g->len) == 0;
}

bool
topic_may_use_group(Oid role, const char *group, int len, Oid owner, TopicGroupRight right)
{
	bool		reserved = false;

	if (OidIsValid(owner) && has_privs_of_role(role, owner))
		return true;
	if (superuser_arg(role))
		return true;
	refresh();
	for (int i = 0; i < n_grants; i++)
	{
		const Grant *g = &grants[i];

		if (!covers(g, group, len))
			continue;
		reserved = true;
		/* Whoever may use or delete a group may see it. */
		if ((g->right == right || right == TOPIC_GROUP_DESCRIBE) &&
			(!OidIsValid(g->role) || has_privs_of_role(role, g->role)))
			return true;
	}
	return !OidIsValid(owner) && !reserved;
}

Datum
topic_sql_group_grants_changed(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;

	if (!CALLED_AS_TRIGGER(fcinfo))
		elog(ERROR, "not called as a trigger");
	CacheInvalidateRelcacheByRelid(RelationGetRelid(trigger->tg_relation));
	return PointerGetDatum(NULL);
}
