/*-------------------------------------------------------------------------
 *
 * note.c
 *	  What the open transaction is about to commit as groups' offsets.
 *
 * Everything that is not in this process's memory is released in the callbacks
 * of the transaction's end, which must not raise errors.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "consume/note.h"
#include "log/log.h"
#include "log/stop_point.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

/* The transaction's; NULL when there is no note. */
static MemoryContext note_cxt;
static HTAB *notes_by_key;
static dlist_head notes;
static int	max_mark_level; /* no mark has a higher one */

static void
notes_begin(void)
{
	HASHCTL		ctl = {0};

	note_cxt = AllocSetContextCreate(TopTransactionContext, "pg_broker offsets", ALLOCSET_SMALL_SIZES);
	ctl.keysize = sizeof(PositionKey);
	ctl.entrysize = sizeof(Note);
	ctl.hcxt = note_cxt;
	notes_by_key = hash_create("pg_broker offsets", 16, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	dlist_init(&notes);
	max_mark_level = 0;
}

static void
notes_forget(void)
{
	note_cxt = NULL;
	notes_by_key = NULL;
}

Note *
note_get(const PositionKey *key, const Topic *topic)
{
	Note	   *note;
	Position   *position;

	if (note_cxt == NULL)
		notes_begin();
	note = hash_search(notes_by_key, key, HASH_FIND, NULL);
	if (note)
		return note;

	position = position_pin(key);
	note = hash_search(notes_by_key, key, HASH_ENTER_NULL, NULL);
	if (note == NULL)
	{
		position_unpin(position);
		ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
	}
	memset((char *) note + sizeof(PositionKey), 0, sizeof(Note) - sizeof(PositionKey));
	note->position = position;
	note->state.next = -1;
	dlist_push_tail(&notes, &note->node);
	note->relid = topic->relid;
	note->topic = note_string(topic->name);
	return note;
}

char *
note_string(const char *s)
{
	return MemoryContextStrdup(note_cxt, s);
}

/* ---------- subtransactions ---------- */

void
note_change(Note *note)
{
	int			level = GetCurrentTransactionNestLevel();

	if (level <= 1 || (note->n_marks > 0 && note->marks[note->n_marks - 1].level >= level))
		return;
	if (note->n_marks == note->max_marks)
	{
		int			max = Max(4, note->max_marks * 2);

		if (note->marks == NULL)
			note->marks = MemoryContextAlloc(note_cxt, max * sizeof(NoteMark));
		else
			note->marks = repalloc(note->marks, max * sizeof(NoteMark));
		note->max_marks = max;
	}
	note->marks[note->n_marks].level = level;
	note->marks[note->n_marks++].state = note->state;
	max_mark_level = Max(max_mark_level, level);
}

static void
subxact_abort(Note *note, int level)
{
	NoteState	state = note->state;

	while (note->n_marks > 0 && note->marks[note->n_marks - 1].level >= level)
		state = note->marks[--note->n_marks].state;
	if (note->state.consuming && !state.consuming)
	{
		position_consume_end(note->position);
		log_wake_waiting();
	}
	note->state = state;
}

/* What it did is its parent's now. */
static void
subxact_commit(Note *note, int level)
{
	NoteMark   *top;

	if (note->n_marks == 0)
		return;
	top = &note->marks[note->n_marks - 1];
	if (top->level < level)
		return;
	if (level - 1 <= 1 || (note->n_marks > 1 && top[-1].level == level - 1))
		note->n_marks--;
	else
		top->level = level - 1;
}

static void
subxact_callback(SubXactEvent event, SubTransactionId mySubid, SubTransactionId parentSubid, void *arg)
{
	int			level = GetCurrentTransactionNestLevel();
	dlist_iter	iter;

	if (note_cxt == NULL || level > max_mark_level ||
		(event != SUBXACT_EVENT_ABORT_SUB && event != SUBXACT_EVENT_COMMIT_SUB))
		return;
	dlist_foreach(iter, &notes)
	{
		Note	   *note = dlist_container(Note, node, iter.cur);

		if (event == SUBXACT_EVENT_ABORT_SUB)
			subxact_abort(note, level);
		else
			subxact_commit(note, level);
	}
	max_mark_level = Min(max_mark_level, level - 1);
}

/* ---------- the transaction's end ---------- */

static int
compare_notes(const void *a, const void *b)
{
	return memcmp(&(*(Note *const *) a)->key, &(*(Note *const *) b)->key, sizeof(PositionKey));
}

/*
 * All transactions take positions in one order, so that those with several in common
 * don't wait crosswise.
 */
static void
precommit(void)
{
	Note	  **list = MemoryContextAlloc(note_cxt, hash_get_num_entries(notes_by_key) * sizeof(Note *));
	int			n = 0;
	dlist_iter	iter;

	dlist_foreach(iter, &notes)
	{
		Note	   *note = dlist_container(Note, node, iter.cur);

		if (note->state.next >= 0)
			list[n++] = note;
	}
	if (n == 0)
		return;
	qsort(list, n, sizeof(Note *), compare_notes);
	note_precommit(list, n);
}

static void
refuse_prepare(void)
{
	dlist_iter	iter;

	dlist_foreach(iter, &notes)
	{
		if (!note_is_empty(dlist_container(Note, node, iter.cur)))
			ereport(
				ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot prepare a transaction that commits offsets of a consumer group"),
				 errdetail("Until COMMIT PREPARED or ROLLBACK PREPARED nobody could consume in the group."),
				 errhint("Use COMMIT.")));
	}
}

static void
release(bool committed)
{
	dlist_iter	iter;
	bool		consumed = false;

	dlist_foreach(iter, &notes)
	{
		Note	   *note = dlist_container(Note, node, iter.cur);

		if (note->held)
			position_release(note->position, committed, XactLastCommitEnd, note->state.first == PG_INT64_MAX);
		if (note->state.consuming)
		{
			position_consume_end(note->position);
			consumed = true;
		}
		position_unpin(note->position);
	}
	notes_forget();

	/* Others may go on, or begin again. */
	if (consumed)
		log_wake_waiting();
}

static void
xact_callback(XactEvent event, void *arg)
{
	if (note_cxt == NULL)
		return;
	switch (event)
	{
		case XACT_EVENT_PRE_COMMIT:
			precommit();
			break;
		case XACT_EVENT_PRE_PREPARE:
			refuse_prepare();
			break;
		case XACT_EVENT_COMMIT:
			LOG_STOP_POINT("offsets-committed");
			release(true);
			break;
		case XACT_EVENT_ABORT:
		case XACT_EVENT_PREPARE:
			release(false);
			break;
		default:
			break;
	}
}

void
note_init(void)
{
	RegisterXactCallback(xact_callback, NULL);
	RegisterSubXactCallback(subxact_callback, NULL);
}
