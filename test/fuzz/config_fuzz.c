/*
 * Values of settings, as clients send them: the first two bytes choose the setting. The
 * normal form of a good value is good and its own normal form; lists stay lists.
 */
#include <stdlib.h>
#include <string.h>

#include "wire/config_def.h"

extern int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char error[CONFIG_ERROR_SIZE];

static void
normal_form(const ConfigDef *def, const char *value)
{
	char	   *once = malloc(config_normal_size(value));
	char	   *twice;

	if (config_normalize(def, value, once, error) != config_check(def, value, error))
		abort();
	if (config_check(def, value, error))
	{
		twice = malloc(config_normal_size(once));
		if (!config_normalize(def, once, twice, error) || strcmp(once, twice) != 0)
			abort();
		free(twice);
	}
	free(once);
}

static void
list_changes(const ConfigDef *def, const char *value, const char *other)
{
	char	   *out = malloc(strlen(value) + strlen(other) + 2);

	if (config_list_append(def, value, other, out, error) != (def->type == CONFIG_LIST) ||
		config_list_subtract(def, value, other, out, error) != (def->type == CONFIG_LIST))
		abort();
	free(out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const ConfigDef *def;
	TopicConfig config;
	char	   *value;
	char	   *other;

	if (size < 2)
		return 0;
	if (data[0] & 1)
		def = &config_broker[data[1] % config_broker_count];
	else
		def = &config_topic[data[1] % config_topic_count];
	value = strndup((const char *) data + 2, size - 2);
	other = strndup((const char *) data + 2 + (size - 2) / 2, (size - 2) / 2);

	normal_form(def, value);
	list_changes(def, value, other);
	topic_config_default(&config);
	if ((data[0] & 1) == 0 &&
		topic_config_set(&config, def->name, value, error) != config_check(def, value, error))
		abort();
	free(other);
	free(value);
	return 0;
}
