/*-------------------------------------------------------------------------
 *
 * config_def.h
 *	  Settings of topics and of the broker, under Kafka's names.
 *
 * One row per setting: name, type, default, what values are allowed, what it
 * is for.  Values are text everywhere (as clients send them and the catalog
 * keeps them) until topic_config_set() parses them into a TopicConfig.
 *
 * Functions that can fail write one sentence for the client to `error`, which has
 * CONFIG_ERROR_SIZE bytes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_CONFIG_DEF_H
#define WIRE_CONFIG_DEF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONFIG_ERROR_SIZE 512

/* The numbers are those of DescribeConfigs. */
typedef enum ConfigType
{
	CONFIG_BOOLEAN = 1,
	CONFIG_STRING = 2,
	CONFIG_INT = 3,
	CONFIG_SHORT = 4,
	CONFIG_LONG = 5,
	CONFIG_DOUBLE = 6,
	CONFIG_LIST = 7,
	CONFIG_CLASS = 8,
	CONFIG_PASSWORD = 9
} ConfigType;

/* Where a value comes from; the numbers are those of DescribeConfigs. */
typedef enum ConfigSource
{
	CONFIG_SOURCE_UNKNOWN = 0,
	CONFIG_SOURCE_TOPIC = 1,
	CONFIG_SOURCE_DYNAMIC_BROKER = 2,
	CONFIG_SOURCE_DYNAMIC_DEFAULT_BROKER = 3,
	CONFIG_SOURCE_STATIC_BROKER = 4,
	CONFIG_SOURCE_DEFAULT = 5
} ConfigSource;

/* What a value must satisfy besides type, range and list of values. */
typedef enum ConfigRule
{
	CONFIG_RULE_NONE,
	CONFIG_RULE_NOT_ZERO,
	CONFIG_RULE_FALSE,			/* a boolean that can't be true here */
	CONFIG_RULE_REPLICAS		/* "*" or a list of partition:broker */
} ConfigRule;

typedef struct ConfigDef
{
	const char *name;
	ConfigType	type;
	const char *default_value;	/* NULL: null */
	double		min;			/* numbers: allowed range */
	double		max;
	const char *const *values;	/* strings and lists: allowed values, NULL: any; ends with NULL */
	ConfigRule	rule;
	const char *synonym;		/* topic setting: the broker setting that is its default, or
								 * NULL; clients are told of it unless its value is null */
	size_t		field;			/* its place in TopicConfig, CONFIG_NO_FIELD if it has none */
	bool		effective;		/* has an effect in this broker */
	const char *doc;
} ConfigDef;

#define CONFIG_UNBOUNDED __DBL_MAX__
#define CONFIG_NO_FIELD ((size_t) -1)

/* Sorted by name. */
extern const ConfigDef config_topic[];
extern const int config_topic_count;

/*
 * The broker's settings that clients ask for.  They are shown, not set, by Kafka's
 * protocol; whoever answers replaces the defaults by what is in force.
 */
extern const ConfigDef config_broker[];
extern const int config_broker_count;

extern const ConfigDef *config_topic_find(const char *name);	/* NULL: no such setting */
extern const ConfigDef *config_broker_find(const char *name);

/* Is the value allowed?  (A NULL value is: it stands for the default.) */
extern bool config_check(const ConfigDef *def, const char *value, char *error);

/*
 * Check the value (not NULL), and write the form in which Kafka would show it (" +5" is "5",
 * "TRUE" is "true", "a , b" is "a,b").  `out` has config_normal_size(value) bytes.
 */
extern bool config_normalize(const ConfigDef *def, const char *value, char *out, char *error);
extern size_t config_normal_size(const char *value);

/*
 * IncrementalAlterConfigs APPEND and SUBTRACT: `value` is a list whose elements
 * are added to or taken from `current`, the value or the default that is in force
 * (NULL: empty).  `out` has strlen of both + 2 bytes.  false if the setting isn't a list.
 */
extern bool config_list_append(const ConfigDef *def, const char *current, const char *value, char *out,
							   char *error);
extern bool config_list_subtract(const ConfigDef *def, const char *current, const char *value, char *out,
								 char *error);

/* ---------- the settings of a topic, parsed ---------- */

/* message.timestamp.type */
#define CONFIG_CREATE_TIME 0
#define CONFIG_LOG_APPEND_TIME 1

/* compression.type: the number of a codec, or what the producer chose */
#define CONFIG_COMPRESSION_PRODUCER 5

/* cleanup.policy: a set of these */
#define CONFIG_CLEANUP_COMPACT 1
#define CONFIG_CLEANUP_DELETE 2

typedef struct TopicConfig
{
	int64_t		retention_ms;	/* -1: no limit */
	int64_t		retention_bytes;	/* -1: no limit */
	int64_t		segment_ms;
	int64_t		segment_jitter_ms;
	int64_t		timestamp_before_max_ms;
	int64_t		timestamp_after_max_ms;
	int64_t		delete_retention_ms;
	int64_t		min_compaction_lag_ms;
	int64_t		max_compaction_lag_ms;
	int64_t		file_delete_delay_ms;
	double		min_cleanable_dirty_ratio;
	int32_t		segment_bytes;
	int32_t		max_message_bytes;
	int32_t		max_decompressed_message_bytes;	/* of one record */
	int32_t		timestamp_type; /* CONFIG_CREATE_TIME, CONFIG_LOG_APPEND_TIME */
	int32_t		compression_type;	/* a Codec, or CONFIG_COMPRESSION_PRODUCER */
	int32_t		compression_gzip_level;
	int32_t		compression_lz4_level;
	int32_t		compression_zstd_level;
	int32_t		min_insync_replicas;
	int32_t		cleanup_policy; /* CONFIG_CLEANUP_* bits */
	int32_t		partitioner;	/* a Partitioner, see partitioner.h */
	bool		prepared_transactions;	/* PREPARE TRANSACTION after producing is allowed */
} TopicConfig;

extern void topic_config_default(TopicConfig *config);

/* Set one; a NULL value is the default. */
extern bool topic_config_set(TopicConfig *config, const char *name, const char *value, char *error);

/* Do the settings go together? */
extern bool topic_config_consistent(const TopicConfig *config, char *error);

/*
 * An extent is closed when it is this old: segment.ms, and in a compacted topic max.compaction.lag.ms,
 * as the active extent is never compacted.
 */
extern int64_t topic_config_segment_ms(const TopicConfig *config);

/* retention.bytes, or -1 where nothing is deleted. */
extern int64_t topic_config_retention_bytes(const TopicConfig *config);

/* The level that goes with a codec in this topic. */
extern int	topic_config_level(const TopicConfig *config, int codec);

#endif							/* WIRE_CONFIG_DEF_H */
