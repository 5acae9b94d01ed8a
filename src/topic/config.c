/*-------------------------------------------------------------------------
 *
 * config.c
 *	  Settings of topics: rows under Kafka's names, in Kafka's form.
 *
 * Only what was set is stored; a setting without a row has its default.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "topic/catalog.h"
#include "topic/internal.h"

List *
topic_settings(Oid relid)
{
	List	   *rows = topic_catalog_read(TOPIC_SETTINGS_TABLE, relid);
	List	   *result = NIL;
	ListCell   *lc;

	foreach(lc, rows)
	{
		TopicRow   *row = lfirst(lc);
		TopicSetting *setting = palloc(sizeof(TopicSetting));

		setting->op = TOPIC_SET;
		setting->name = row->name;
		setting->value = row->value;
		result = lappend(result, setting);
	}
	return result;
}

/*
 * This runs in network workers and can't ask anybody what to do: a row that is
 * not valid (an older library's, or a superuser's own) counts as not there.
 */
void
topic_load_config(Oid relid, TopicConfig *config)
{
	char		error[CONFIG_ERROR_SIZE];
	ListCell   *lc;

	topic_config_default(config);
	foreach(lc, topic_settings(relid))
	{
		TopicSetting *setting = lfirst(lc);

		if (!topic_config_set(config, setting->name, setting->value, error))
			ereport(LOG,
					(errmsg("ignoring setting \"%s\" of topic with OID %u", setting->name, relid),
					 errdetail("%s", error)));
	}
}

/* ---------- changes ---------- */

static void
refuse_value(const char *name, const char *value, const char *error)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 value ? errmsg("invalid value \"%s\" for topic setting \"%s\"", value, name) :
			 errmsg("invalid change of topic setting \"%s\"", name),
			 errdetail("%s", error)));
}

static TopicSetting *
find_setting(List *settings, const char *name)
{
	ListCell   *lc;

	foreach(lc, settings)
	{
		TopicSetting *setting = lfirst(lc);

		if (strcmp(setting->name, name) == 0)
			return setting;
	}
	return NULL;
}

/* The value after a change, in Kafka's form; NULL: the default. */
static const char *
changed_value(const ConfigDef *def, const TopicSetting *old, const TopicSetting *change)
{
	char		error[CONFIG_ERROR_SIZE] = "";
	const char *old_value = old ? old->value : def->default_value;
	const char *value = change->value;
	char	   *buffer;

	if (change->op == TOPIC_RESET || value == NULL)
		return NULL;

	if (change->op != TOPIC_SET)
	{
		bool		ok;

		buffer = palloc(strlen(old_value ? old_value : "") + strlen(value) + 2);
		ok = change->op == TOPIC_APPEND ?
			config_list_append(def, old_value, value, buffer, error) :
			config_list_subtract(def, old_value, value, buffer, error);
		if (!ok)
			refuse_value(def->name, NULL, error);
		value = buffer;
	}

	buffer = palloc(config_normal_size(value));
	if (!config_normalize(def, value, buffer, error))
		refuse_value(def->name, value, error);
	return buffer;
}

List *
topic_change_settings(List *current, const TopicSetting *changes, int n_changes, bool replace)
{
	char		error[CONFIG_ERROR_SIZE] = "";
	List	   *result = replace ? NIL : list_copy(current);
	TopicConfig config;
	ListCell   *lc;

	for (int i = 0; i < n_changes; i++)
	{
		const ConfigDef *def = config_topic_find(changes[i].name);
		TopicSetting *old = find_setting(result, changes[i].name);
		TopicSetting *new;

		if (def == NULL)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("unknown topic setting \"%s\"", changes[i].name),
					 errhint("The view broker.topic_config shows the settings that there are.")));

		new = palloc0(sizeof(TopicSetting));
		new->name = def->name;
		new->value = changed_value(def, old, &changes[i]);
		if (old != NULL)
			result = list_delete_ptr(result, old);
		if (new->value != NULL)
			result = lappend(result, new);
	}

	topic_config_default(&config);
	foreach(lc, result)
	{
		TopicSetting *setting = lfirst(lc);

		if (!topic_config_set(&config, setting->name, setting->value, error))
			refuse_value(setting->name, setting->value, error);
	}
	if (!topic_config_consistent(&config, error))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("these topic settings do not go together"),
				 errdetail("%s", error)));
	return result;
}

void
topic_store_settings(Oid relid, List *current, List *changed)
{
	ListCell   *lc;

	foreach(lc, current)
	{
		TopicSetting *old = lfirst(lc);

		if (find_setting(changed, old->name) == NULL)
			topic_catalog_put_setting(relid, old->name, NULL);
	}
	foreach(lc, changed)
	{
		TopicSetting *new = lfirst(lc);
		TopicSetting *old = find_setting(current, new->name);

		if (old == NULL || strcmp(old->value, new->value) != 0)
			topic_catalog_put_setting(relid, new->name, new->value);
	}
}
