/*
 * Settings: what Kafka accepts we accept, and show in the same form.
 */
#include "check.h"
#include "golden.h"
#include "wire/codec.h"
#include "wire/config_def.h"
#include "wire/partitioner.h"

static char error[CONFIG_ERROR_SIZE];

/* One line of the golden file: "setting, value, '-' or '+' and the normal form". */
static bool
as_kafka(const char *line, bool *is_default)
{
	char		name[100];
	char	   *value = strchr(line, '\t') + 1;
	char	   *result = strchr(value, '\t') + 1;
	char	   *text = strndup(value, (size_t) (result - 1 - value));
	char	   *normal;
	const ConfigDef *def;
	bool		same;

	snprintf(name, sizeof(name), "%.*s", (int) (value - 1 - line), line);
	def = config_topic_find(name);
	*is_default = strcmp(text, "default") == 0;
	if (def == NULL)
	{
		free(text);
		return false;
	}
	normal = malloc(config_normal_size(*is_default ? def->default_value : text));
	if (config_normalize(def, *is_default ? def->default_value : text, normal, error))
		same = result[0] == '+' && strcmp(normal, result + 1) == 0;
	else
		same = result[0] == '-' && strstr(error, name) != NULL;
	same = same && config_check(def, *is_default ? NULL : text, error) == (result[0] == '+');
	free(normal);
	free(text);
	return same;
}

static void
against_kafka(void)
{
	int			n;
	int			defaults = 0;
	int			bad = 0;
	char	  **lines = golden_lines("golden/topic_configs.txt", &n);

	for (int i = 0; i < n; i++)
	{
		bool		is_default;

		/* The only setting of which we accept less. */
		if (strncmp(lines[i], "remote.storage.enable\t", 22) == 0 && strstr(lines[i], "\t+true") != NULL)
			continue;
		fails(bad, as_kafka(lines[i], &is_default), "%s (%s)", lines[i], error);
		defaults += is_default;
	}
	check(bad == 0 && n > 3000, "%d values are accepted, shown or refused as by Kafka", n);
	check(defaults == config_topic_count - 2, "the tables have the same settings, and two more: %d",
		  defaults);
	golden_free_lines(lines, n);
}

static void
tables(void)
{
	int			bad = 0;

	for (int i = 0; i < config_topic_count; i++)
	{
		const ConfigDef *def = &config_topic[i];

		fails(bad, i == 0 || strcmp(config_topic[i - 1].name, def->name) < 0, "%s is out of order",
			  def->name);
		fails(bad, config_topic_find(def->name) == def, "%s is not found", def->name);
		fails(bad, def->default_value != NULL && config_check(def, def->default_value, error), "%s: %s",
			  def->name,
			  error);
		fails(bad, def->synonym == NULL || config_broker_find(def->synonym) != NULL,
			  "%s is no broker setting",
			  def->synonym);
		fails(bad, strlen(def->doc) > 20, "%s has no description", def->name);
	}
	check(bad == 0, "the table of topic settings is sorted and has good defaults");
	for (int i = 0; i < config_broker_count; i++)
	{
		const ConfigDef *def = &config_broker[i];

		fails(bad, i == 0 || strcmp(config_broker[i - 1].name, def->name) < 0, "%s is out of order",
			  def->name);
		fails(bad, config_broker_find(def->name) == def, "%s is not found", def->name);
		fails(bad, config_check(def, def->default_value, error), "%s: %s", def->name, error);
	}
	check(bad == 0, "the table of broker settings too");
	check(config_topic_find("retention") == NULL && config_topic_find("") == NULL &&
		  config_broker_find("retention.ms") == NULL, "others are not found");
}

/* What this broker shows differs from Kafka's default, because it is what it is. */
static bool
differs(const char *name)
{
	static const char *const names[] = {"broker.id", "node.id", "process.roles"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static void
types(void)
{
	static const char *const type_names[] = {
		"", "BOOLEAN", "STRING", "INT", "SHORT", "LONG", "DOUBLE", "LIST", "CLASS", "PASSWORD"
	};
	int			n;
	char	  **lines = golden_lines("golden/config_types.txt", &n);
	int			bad = 0;
	int			found = 0;

	for (int i = 0; i < n; i++)
	{
		char	   *save;
		const char *of = strtok_r(lines[i], "\t", &save);
		const char *name = strtok_r(NULL, "\t", &save);
		const char *type = strtok_r(NULL, "\t", &save);
		const char *value = strtok_r(NULL, "\t", &save);
		const ConfigDef *def = strcmp(of, "topic") == 0 ? config_topic_find(name) : config_broker_find(name);

		if (def == NULL)
			continue;			/* of the broker's only those are shown that mean something */
		found++;
		value = value != NULL ? value : "";
		fails(bad, strcmp(type_names[def->type], type) == 0, "%s: type %s", name, type);
		fails(bad, differs(name) || strcmp(def->default_value != NULL ? def->default_value : "null",
										   value) == 0 ||
			  (def->type == CONFIG_LIST && strcmp(value, "null") == 0), "%s: default %s", name, value);
	}
	check(bad == 0, "types and defaults are those of Kafka's classes");
	check(found == config_topic_count - 2 + config_broker_count,
		  "Kafka has all settings, but for two of ours: %d",
		  found);
	golden_free_lines(lines, n);
}

static void
topic_settings(void)
{
	TopicConfig config;

	topic_config_default(&config);
	check(config.retention_ms == 604800000 && config.retention_bytes == -1 &&
		  config.segment_bytes == 1073741824 &&
		  config.segment_ms == 604800000 && config.max_message_bytes == 1048588 &&
		  config.min_insync_replicas == 1 &&
		  config.timestamp_type == CONFIG_CREATE_TIME && config.timestamp_after_max_ms == 3600000 &&
		  config.timestamp_before_max_ms == INT64_MAX && config.cleanup_policy == CONFIG_CLEANUP_DELETE &&
		  config.compression_type == CONFIG_COMPRESSION_PRODUCER &&
		  config.partitioner == PARTITIONER_MURMUR2 &&
		  config.min_cleanable_dirty_ratio == 0.5 && config.max_compaction_lag_ms == INT64_MAX &&
		  !config.prepared_transactions, "the defaults are Kafka's");

	check(topic_config_set(&config, "retention.ms", "-1", error) && config.retention_ms == -1 &&
		  topic_config_set(&config, "cleanup.policy", "compact, delete", error) &&
		  config.cleanup_policy == (CONFIG_CLEANUP_COMPACT | CONFIG_CLEANUP_DELETE) &&
		  topic_config_set(&config, "cleanup.policy", "", error) && config.cleanup_policy == 0 &&
		  topic_config_set(&config, "compression.type", "lz4", error) &&
		  config.compression_type == CODEC_LZ4 &&
		  topic_config_set(&config, "compression.type", "uncompressed", error) &&
		  config.compression_type == CODEC_NONE &&
		  topic_config_set(&config, "message.timestamp.type", "LogAppendTime", error) &&
		  config.timestamp_type == CONFIG_LOG_APPEND_TIME &&
		  topic_config_set(&config, "partitioner", "crc32", error) &&
		  config.partitioner == PARTITIONER_CRC32 &&
		  topic_config_set(&config, "prepared.transactions.enable", "true", error) &&
		  config.prepared_transactions &&
		  topic_config_set(&config, "min.cleanable.dirty.ratio", "0.25", error) &&
		  config.min_cleanable_dirty_ratio == 0.25 &&
		  topic_config_set(&config, "flush.ms", "1000", error), "settings of all types are set");
	check(topic_config_set(&config, "retention.ms", NULL, error) && config.retention_ms == 604800000,
		  "no value is the default");
	check(!topic_config_set(&config, "retention.ms", "soon", error) && config.retention_ms == 604800000,
		  "a bad value changes nothing: %s", error);
	check(!topic_config_set(&config, "retention.parsecs", "1", error) &&
		  strstr(error, "retention.parsecs") != NULL,
		  "an unknown setting is refused: %s", error);
	check(!topic_config_set(&config, "remote.storage.enable", "true", error), "tiered storage is refused: %s",
		  error);

	topic_config_set(&config, "max.compaction.lag.ms", "10", error);
	check(topic_config_consistent(&config, error), "settings that go together");
	topic_config_set(&config, "min.compaction.lag.ms", "11", error);
	check(!topic_config_consistent(&config, error), "and that do not: %s", error);
	check(topic_config_level(&config, CODEC_ZSTD) == 3 && topic_config_level(&config, CODEC_LZ4) == 9 &&
		  topic_config_level(&config, CODEC_GZIP) == -1 &&
		  topic_config_level(&config, CODEC_SNAPPY) == CODEC_DEFAULT_LEVEL, "levels");
}

static const char *
change(bool append, const char *current, const char *value)
{
	static char out[200];
	const ConfigDef *def = config_topic_find("cleanup.policy");
	bool		ok = append ? config_list_append(def, current, value, out, error) :
		config_list_subtract(def, current, value, out, error);

	return ok ? out : "error";
}

static void
list_changes(void)
{
	char		out[100];

	check(strcmp(change(true, "delete", "compact"), "delete,compact") == 0 &&
		  strcmp(change(true, "delete", " delete "), "delete") == 0 &&
		  strcmp(change(true, NULL, "compact"), "compact") == 0 && strcmp(change(true, "", "a,b"),
																		  "a,b") == 0,
		  "append");
	check(strcmp(change(false, "compact,delete", "compact"), "delete") == 0 &&
		  strcmp(change(false, "compact", "delete"), "compact") == 0 &&
		  strcmp(change(false, "compact", "compact"), "") == 0 && strcmp(change(false, NULL, "compact"),
																		 "") == 0,
		  "subtract");
	check(!config_list_append(config_topic_find("retention.ms"), "1", "2", out, error) &&
		  !config_list_subtract(config_topic_find("retention.ms"), "1", "2", out, error), "not a list: %s",
		  error);
}

int
main(void)
{
	against_kafka();
	tables();
	types();
	topic_settings();
	list_changes();
	return done();
}
