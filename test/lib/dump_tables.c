/*
 * dump_tables.c: prints the message tables of src/wire as text, for test/wire_tables.
 *
 * For each message and version one line per field, in the order of the wire:
 *
 *	  message version path type nullable tag default
 */
#include <ctype.h>
#include <stdio.h>

#include "wire/api_list.h"
#include "wire/record_group.h"

static const char *const type_names[] = {
	[WIRE_BOOL] = "bool",
	[WIRE_INT8] = "int8",
	[WIRE_INT16] = "int16",
	[WIRE_UINT16] = "uint16",
	[WIRE_INT32] = "int32",
	[WIRE_INT64] = "int64",
	[WIRE_FLOAT64] = "float64",
	[WIRE_UUID] = "uuid",
	[WIRE_STRING] = "string",
	[WIRE_BYTES] = "bytes",
	[WIRE_RECORDS] = "records",
	[WIRE_STRUCT] = "struct",
};

static bool
in(const WireVersions *v, int version)
{
	return version >= v->min && version <= v->max;
}

static void
print_default(const WireField *f)
{
	if (f->is_array || f->type == WIRE_STRING || f->type == WIRE_BYTES)
		printf("%s", f->default_null ? "null" : "empty");
	else if (f->type == WIRE_RECORDS || (f->type == WIRE_STRUCT && f->is_nullable && f->default_value == 0))
		printf("null");
	else if (f->type == WIRE_STRUCT)
		printf("struct");
	else
		printf("%lld", (long long) f->default_value);
}

static void
print_struct(const WireMessage *m, const WireStruct *s, int version, const char *path)
{
	int			i;

	for (i = 0; i < s->n_fields; i++)
	{
		const WireField *f = &s->fields[i];
		char		name[500];

		snprintf(name, sizeof(name), "%s%s%s", path, f->name, f->is_array ? "[]" : "");
		printf("%s %d %s ", m->name, version, name);
		if (!in(&f->versions, version))
		{
			printf("absent ");
			print_default(f);
			printf("\n");
			continue;
		}
		printf("%s ", type_names[f->type]);
		printf("%s ", f->is_nullable && in(&f->nullable, version) ? "nullable" : "-");
		if (f->is_tagged && in(&f->tagged, version))
			printf("%d ", f->tag);
		else
			printf("- ");
		print_default(f);
		printf("\n");
		if (f->sub)
		{
			snprintf(name + strlen(name), sizeof(name) - strlen(name), ".");
			print_struct(m, f->sub, version, name);
		}
	}
}

static void
print_message(const WireMessage *m)
{
	int			v;

	for (v = m->versions.min; v <= m->versions.max; v++)
	{
		printf("%s %d %s\n", m->name, v, v >= m->flexible_since ? "flexible" : "fixed");
		print_struct(m, m, v, "");
	}
}

int
main(void)
{
	int			i;

	for (i = 0; i < wire_n_apis; i++)
	{
		const WireApi *api = &wire_apis[i];

		printf("api %d %s %d %d\n", api->key, api->name, api->min, api->max);
		print_message(api->request);
		print_message(api->response);
	}

	/* Types below 1 are old forms of others, those from 10000 on are ours. */
	for (i = 0; i < wire_n_group_records; i++)
	{
		const WireGroupRecord *record = &wire_group_records[i];

		if (record->type < 1 || record->type >= 10000)
			continue;
		printf("record %d %s\n", record->type, record->name);
		print_message(record->key);
		print_message(record->value);
	}
	return 0;
}
