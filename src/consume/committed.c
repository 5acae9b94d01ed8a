/*-------------------------------------------------------------------------
 *
 * committed.c
 *	  broker.committed(): where a group is.
 *
 * A transaction that is just committing is waited for: so who lost its connection in the
 * middle of COMMIT learns here what became of it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "consume/consume.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(consume_sql_committed);

/* What the coordinator knows, where it is more than the positions tell. */
static void
look(const ConsumeAsk *ask, PositionState *states)
{
	bool		known = true;
	int64	   *offsets;

	for (int i = 0; i < ask->n; i++)
	{
		position_look(ask->notes[i]->position, &states[i]);
		known &= states[i].known;
	}
	if (known && topic_may_use_group(GetUserId(), ask->group, strlen(ask->group), states[0].owner,
									 TOPIC_GROUP_DESCRIBE))
		return;
	offsets = consume_ask(ask);
	for (int i = 0; i < ask->n; i++)
	{
		position_look(ask->notes[i]->position, &states[i]);
		if (!states[i].known)
			states[i].offset = offsets[i];
	}
}

/* broker.committed(group, topic): partition, committed_offset */
Datum
consume_sql_committed(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	char	   *group = consume_group(PG_GETARG_TEXT_PP(0));
	Topic	   *topic = consume_topic(PG_GETARG_TEXT_PP(1));
	Note	  **notes = palloc(topic->n_partitions * sizeof(Note *));
	PositionState *states = palloc(topic->n_partitions * sizeof(PositionState));
	ConsumeAsk	ask = {
		.group = group, .purpose = SESSION_LOOK, .generation = -1, .notes = notes, .n = topic->n_partitions};

	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; i < topic->n_partitions; i++)
	{
		PositionKey	key;

		position_key(&key, group, strlen(group), topic->id.data, i);
		notes[i] = note_get(&key, topic);
	}
	look(&ask, states);
	for (int i = 0; i < topic->n_partitions; i++)
	{
		Datum		values[2];
		bool		nulls[2] = {false, states[i].offset == POSITION_NONE};

		values[0] = Int32GetDatum(i);
		values[1] = Int64GetDatum(states[i].offset);
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}
