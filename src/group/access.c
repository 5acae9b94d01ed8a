/*-------------------------------------------------------------------------
 *
 * access.c
 *	  Who may do what with a group: its owner, and whom the callbacks allow.
 *
 * The role that uses a group first owns it.  Owners are kept apart from the
 * groups, since a group that changes its protocol is deleted and made anew in
 * the records, and stays whose it was.
 *
 *-------------------------------------------------------------------------
 */
#include "group/internal.h"

typedef struct GroupOwner
{
	GroupMapNode node;
	WireString	group;
	uint32_t	role;
	bool		stored;			/* there is a record of it */
} GroupOwner;

uint32_t
group_owner(const GroupCoordinator *co, WireString group)
{
	const GroupOwner *owner = group_map_find(&co->owners, group);

	return owner ? owner->role : 0;
}

void
group_act_as(GroupCoordinator *co, uint32_t who)
{
	co->who = who;
}

/* ---------- checks ---------- */

int16_t
group_check(const GroupCoordinator *co, uint32_t who, WireString group, GroupRight right)
{
	uint32_t	owner;

	if (co->call.served)
	{
		int16_t		error = co->call.served(co->call.arg, group);

		if (error)
			return error;
	}
	if (who == 0 || co->call.may == NULL)
		return KAFKA_NONE;
	owner = group_owner(co, group);
	if (owner == who)
		return KAFKA_NONE;
	return co->call.may(co->call.arg, who, group, owner, right);
}

int16_t
group_check_topic(const GroupCoordinator *co, uint32_t who, const GroupTopic *topic, bool read)
{
	if (topic == NULL || who == 0 || co->call.may_topic == NULL)
		return KAFKA_NONE;
	return co->call.may_topic(co->call.arg, who, &topic->id, read);
}

/* ---------- owners ---------- */

static GroupOwner *
add(GroupCoordinator *co, WireString group)
{
	GroupOwner *owner = group_alloc(co, sizeof(GroupOwner));

	owner->group = group_copy(co, group);
	group_map_add(co, &co->owners, &owner->node, owner->group);
	return owner;
}

static void
drop(GroupCoordinator *co, GroupOwner *owner)
{
	group_map_remove(&co->owners, &owner->node);
	group_free_string(co, &owner->group);
	group_free(co, owner);
}

void
group_new_owner(GroupCoordinator *co, WireString group)
{
	if (co->loaded && co->who != 0 && group_map_find(&co->owners, group) == NULL)
		add(co, group)->role = co->who;
}

void
group_apply_owner(GroupCoordinator *co, WireString group, const GroupOwnerValue *value)
{
	GroupOwner *owner = group_map_find(&co->owners, group);

	if (value == NULL)
	{
		if (owner)
			drop(co, owner);
		return;
	}
	if (owner == NULL)
		owner = add(co, group);
	owner->role = (uint32_t) value->role;
	owner->stored = true;
}

void
group_emit_owner(GroupCoordinator *co, WireString group)
{
	GroupOwner *owner = group_map_find(&co->owners, group);
	GroupOwnerKey key = {.group = group};
	GroupOwnerValue value;

	if (owner == NULL || owner->stored)
		return;
	owner->stored = true;
	value.role = owner->role;
	group_emit_for(co, group, WIRE_RECORD_GROUP_OWNER, &key, &value);
}

void
group_forget_owner(GroupCoordinator *co, WireString group)
{
	GroupOwner *owner = group_map_find(&co->owners, group);
	GroupOwnerKey key = {.group = group};

	if (owner == NULL)
		return;
	if (owner->stored)
		group_emit_for(co, group, WIRE_RECORD_GROUP_OWNER, &key, NULL);
	drop(co, owner);
}

void
group_drop_stale_owners(GroupCoordinator *co)
{
	void	  **owners = group_map_sorted(co, &co->owners);
	int32_t		n = co->owners.n;

	for (int32_t i = 0; i < n; i++)
	{
		WireString	group = group_out_string(co, ((GroupOwner *) owners[i])->group);

		if (group_find(co, group) == NULL)
			group_forget_owner(co, group);
	}
}

void
group_unload_owners(GroupCoordinator *co, bool (*which) (void *arg, WireString group), void *arg)
{
	GroupMapScan scan;

	group_map_scan(&scan, &co->owners);
	for (GroupOwner *owner; (owner = group_map_next(&scan)) != NULL;)
		if (which(arg, owner->group))
			drop(co, owner);
}

void
group_free_owners(GroupCoordinator *co)
{
	GroupOwner *owner;

	while ((owner = group_map_any(&co->owners)) != NULL)
		drop(co, owner);
	group_map_free(co, &co->owners);
}
