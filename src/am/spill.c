/*-------------------------------------------------------------------------
 *
 * spill.c
 *	  Byte streams of a transaction, partly in a temporary file.
 *
 * The file belongs to the top transaction's resource owner, so that it
 * survives the subtransaction, portal or function in which it was made.
 * What is cut off leaves a hole in the file; that is no matter, it is gone at the
 * end of the transaction.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "am/spill.h"

#include "commands/tablespace.h"
#include "pgstat.h"
#include "utils/memutils.h"
#include "utils/resowner.h"

#define SPILL_INITIAL_TAIL 1024
#define SPILL_READ_AHEAD (512 * 1024)

/*
 * Bytes that are written by one call.  The system's cache takes memory in pieces as large as a
 * write; pieces of megabytes are rarely at hand, and small ones make many calls.
 */
#define SPILL_MAX_WRITE (512 * 1024)

static void
grow_tail(SpillStream *s, MemoryContext cxt, Size need)
{
	Size		size = Max(s->tail_size, SPILL_INITIAL_TAIL);

	while (size < need)
		size *= 2;
	if (s->tail == NULL)
		s->tail = MemoryContextAllocHuge(cxt, size);
	else
		s->tail = repalloc_huge(s->tail, size);
	s->tail_size = size;
}

char *
spill_reserve(SpillStream *s, MemoryContext cxt, Size max)
{
	Size		used = s->length - s->spilled;

	if (used + max > s->tail_size)
		grow_tail(s, cxt, used + max);
	return s->tail + used;
}

static void
spill_file_open(SpillFile *file)
{
	ResourceOwner old_owner = CurrentResourceOwner;

	PrepareTempTablespaces();
	CurrentResourceOwner = TopTransactionResourceOwner;
	file->file = OpenTemporaryFile(false);
	CurrentResourceOwner = old_owner;
	file->open = true;
	file->end = 0;
}

static void
spill_write(SpillFile *file, const char *data, Size len, off_t offset)
{
	while (len > 0)
	{
		int			amount = Min(len, SPILL_MAX_WRITE);
		int			done = FileWrite(file->file, unconstify(char *, data), amount, offset,
									 WAIT_EVENT_BUFFILE_WRITE);

		if (done < 0)
			ereport(ERROR,
					(errcode_for_file_access(),
					 errmsg("could not write to file \"%s\": %m", FilePathName(file->file))));
		offset += done;
		data += done;
		len -= done;
	}
}

void
spill_to_file(SpillStream *s, MemoryContext cxt, SpillFile *file, Size keep)
{
	SpillPiece *last;
	Size		used = s->length - s->spilled;

	if (used > 0)
	{
		if (!file->open)
			spill_file_open(file);

		if (s->n_pieces == s->max_pieces)
		{
			int			max = Max(8, s->max_pieces * 2);

			if (s->pieces == NULL)
				s->pieces = MemoryContextAlloc(cxt, max * sizeof(SpillPiece));
			else
				s->pieces = repalloc_huge(s->pieces, max * sizeof(SpillPiece));
			s->max_pieces = max;
		}

		last = &s->pieces[s->n_pieces];
		last->offset = file->end;
		last->length = used;
		spill_write(file, s->tail, used, file->end);
		file->end += used;
		s->n_pieces++;
		s->spilled = s->length;
	}
	if (used > keep)
	{
		pfree(s->tail);
		s->tail = NULL;
		s->tail_size = 0;
	}
}

void
spill_overwrite(SpillStream *s, SpillFile *file, int64 position, const char *data, Size len)
{
	int64		start = s->spilled;
	SpillPiece *piece = s->pieces + s->n_pieces;

	Assert(position + (int64) len <= s->length);
	if (position >= s->spilled)
	{
		memcpy(s->tail + (position - s->spilled), data, len);
		return;
	}
	/* Mostly it is near the end. */
	while (position < start)
	{
		piece--;
		start -= piece->length;
	}
	Assert(position + (int64) len <= start + piece->length);
	spill_write(file, data, len, piece->offset + (position - start));
}

void
spill_truncate(SpillStream *s, int64 length)
{
	Assert(length <= s->length);
	while (s->spilled > length)
	{
		SpillPiece *last = &s->pieces[s->n_pieces - 1];
		int64		cut = Min(s->spilled - length, last->length);

		last->length -= cut;
		s->spilled -= cut;
		if (last->length == 0)
			s->n_pieces--;
	}
	s->length = length;
}

void
spill_file_close(SpillFile *file)
{
	if (file->open)
		FileClose(file->file);
	memset(file, 0, sizeof(*file));
}

/* ---------- reading ---------- */

void
spill_read_begin(SpillReader *r, SpillStream *s, SpillFile *file, int64 position)
{
	memset(r, 0, sizeof(*r));
	r->stream = s;
	r->file = file;
	r->position = position;

	/* Find the piece in which reading begins. */
	for (; r->piece < s->n_pieces; r->piece++)
	{
		if (position < s->pieces[r->piece].length)
		{
			r->piece_done = position;
			break;
		}
		position -= s->pieces[r->piece].length;
	}
}

bool
spill_at_end(SpillReader *r)
{
	return r->position >= r->stream->length;
}

/* Put more bytes into the buffer, which has room: up to `want` of them if they are in memory. */
static void
read_ahead(SpillReader *r, Size want)
{
	SpillStream *s = r->stream;
	SpillPiece *piece = &s->pieces[r->piece];
	int64		amount;
	int			done;

	if (r->piece == s->n_pieces)
	{
		int64		position = r->position + (int64) (r->end - r->start);

		memcpy(r->buffer + r->end, s->tail + (position - s->spilled), want);
		r->end += want;
		return;
	}
	amount = Min((int64) (r->size - r->end), piece->length - r->piece_done);
	amount = Min(amount, SPILL_MAX_WRITE);
	done = FileRead(r->file->file, r->buffer + r->end, amount, piece->offset + r->piece_done,
					WAIT_EVENT_BUFFILE_READ);
	if (done < 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not read from file \"%s\": %m", FilePathName(r->file->file))));
	if (done == 0)
		elog(ERROR, "temporary file of buffered records is too short");
	r->end += done;
	r->piece_done += done;
	if (r->piece_done == piece->length)
	{
		r->piece++;
		r->piece_done = 0;
	}
}

char *
spill_read(SpillReader *r, Size len)
{
	SpillStream *s = r->stream;
	char	   *result;

	if (r->position + (int64) len > s->length)
		elog(ERROR, "read past the end of buffered records");

	if (r->position >= s->spilled)
		result = s->tail + (r->position - s->spilled);
	else
	{
		if (r->end - r->start < len)
		{
			if (r->buffer == NULL || r->size < len)
			{
				Size		size = Max(len, SPILL_READ_AHEAD);

				r->buffer = r->buffer == NULL ? MemoryContextAllocHuge(CurrentMemoryContext, size) :
					repalloc_huge(r->buffer, size);
				r->size = size;
			}
			memmove(r->buffer, r->buffer + r->start, r->end - r->start);
			r->end -= r->start;
			r->start = 0;
			while (r->end < len)
				read_ahead(r, len - r->end);
		}
		result = r->buffer + r->start;
		r->start += len;
	}
	r->position += len;
	return result;
}

void
spill_read_end(SpillReader *r)
{
	if (r->buffer != NULL)
		pfree(r->buffer);
}
