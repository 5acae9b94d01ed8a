/*-------------------------------------------------------------------------
 *
 * manage.c
 *	  broker.release_group(), broker.delete_group(): done at once, not with the
 *	  transaction.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "consume/consume.h"
#include "exchange/call.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "wire/api_group_admin.h"
#include "wire/api_list.h"
#include "wire/error.h"

PG_FUNCTION_INFO_V1(consume_sql_release_group);
PG_FUNCTION_INFO_V1(consume_sql_delete_group);

#define API_DELETE_GROUPS 42
#define DELETE_GROUPS_VERSION 2

#define TRY_AGAIN_MS 20

/* broker.release_group(group, topic) */
Datum
consume_sql_release_group(PG_FUNCTION_ARGS)
{
	Call		call = {.api_key = CALL_RELEASE, .role = GetUserId()};
	WireWriter *writer;
	WireReader	r;
	char	   *group;
	char	   *topic = "";
	char	   *answer;
	uint32		length;
	int			error;
	int			kind;

	PreventCommandIfReadOnly("broker.release_group()");
	PreventCommandIfParallelMode("broker.release_group()");
	if (PG_ARGISNULL(0))
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("the group must not be null")));
	group = consume_group(PG_GETARG_TEXT_PP(0));
	if (!PG_ARGISNULL(1))
		topic = text_to_cstring(PG_GETARG_TEXT_PP(1));
	writer = consume_writer();
	wire_write_string(writer, wire_string(group), false);
	wire_write_string(writer, PG_ARGISNULL(1) ? WIRE_NULL_STRING : wire_string(topic), false);
	answer = consume_call(&call, writer, &length);
	wire_reader_init(&r, answer, length);
	error = wire_read_int16(&r);
	kind = wire_read_int8(&r);
	if (error)
		consume_report_error(group, error, kind, topic, 0);
	PG_RETURN_VOID();
}

static int
delete_group(const char *group)
{
	Call		call = {.api_key = API_DELETE_GROUPS, .api_version = DELETE_GROUPS_VERSION};
	const WireApi *api = wire_api(API_DELETE_GROUPS);
	WireWriter *writer = consume_writer();
	WireString	name = wire_string(group);
	DeleteGroupsRequest request;
	DeleteGroupsResponse response;
	WireReader	r;
	WireArena	arena;
	char	   *answer;
	uint32		length;
	int			error = KAFKA_UNKNOWN_SERVER_ERROR;

	call.role = GetUserId();
	WIRE_INIT(DeleteGroupsRequest, &request);
	request.n_groups_names = 1;
	request.groups_names = &name;
	(void) wire_encode(api->request, DELETE_GROUPS_VERSION, &request, writer);
	answer = consume_call(&call, writer, &length);
	wire_reader_init(&r, answer, length);
	wire_arena_init(&arena, MaxAllocSize);
	if (wire_decode(api->response, DELETE_GROUPS_VERSION, &r, &arena, &response) && response.n_results == 1)
		error = response.results[0].error_code;
	wire_arena_free(&arena);
	pfree(answer);
	return error;
}

/* broker.delete_group(group) */
Datum
consume_sql_delete_group(PG_FUNCTION_ARGS)
{
	char	   *group = consume_group(PG_GETARG_TEXT_PP(0));
	int			error;

	PreventCommandIfReadOnly("broker.delete_group()");
	PreventCommandIfParallelMode("broker.delete_group()");

	/* A transaction is just committing an offset. */
	while ((error = delete_group(group)) == KAFKA_COORDINATOR_LOAD_IN_PROGRESS)
	{
		CHECK_FOR_INTERRUPTS();
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_EXIT_ON_PM_DEATH | WL_TIMEOUT, TRY_AGAIN_MS,
						 PG_WAIT_EXTENSION);
		ResetLatch(MyLatch);
	}
	if (error)
		consume_report_error(group, error, 0, "", 0);
	PG_RETURN_VOID();
}
