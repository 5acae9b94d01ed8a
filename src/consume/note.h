/*-------------------------------------------------------------------------
 *
 * note.h
 *	  What the open transaction is about to commit as groups' offsets.
 *
 * There is a note for each position (exchange/position.h) that the transaction
 * has to do with.  It pins the position until the transaction ends.
 *
 *-------------------------------------------------------------------------
 */
#ifndef CONSUME_NOTE_H
#define CONSUME_NOTE_H

#include "exchange/position.h"
#include "lib/ilist.h"
#include "topic/topic.h"

/* What a subtransaction changes, and its abort brings back. */
typedef struct NoteState
{
	int64		first;			/* first record that was processed; PG_INT64_MAX: it goes where it wants */
	int64		next;			/* the new offset; -1: none */
	bool		may_skip;		/* records before the first */
	char	   *metadata;		/* can be NULL */
	bool		consuming;		/* nobody else may consume meanwhile */
} NoteState;

typedef struct NoteMark
{
	int			level;			/* nesting level of the subtransaction */
	NoteState	state;			/* before it */
} NoteMark;

typedef struct Note
{
	PositionKey	key;			/* must be first (hash key) */
	dlist_node	node;
	Position   *position;
	Oid			relid;
	const char *topic;			/* its name */
	uint64		fence;			/* when the transaction first had to do with it */
	int64		start;			/* likewise, the group's offset */
	bool		held;			/* in pre-commit, see position_hold() */
	NoteState	state;
	NoteMark   *marks;
	int			n_marks;
	int			max_marks;
} Note;

/* Find or make the note of a position. */
extern Note *note_get(const PositionKey *key, const Topic *topic);

/* Has the transaction nothing to do with it (any more)? */
static inline bool
note_is_empty(const Note *note)
{
	return note->state.next < 0 && !note->state.consuming;
}

/* Before the state is changed. */
extern void note_change(Note *note);

/* Kept until the transaction ends. */
extern char *note_string(const char *s);

/* precommit.c: the new offsets are checked for the last time, and written. */
extern void note_precommit(Note **notes, int n);

extern void note_init(void);

#endif /* CONSUME_NOTE_H */
