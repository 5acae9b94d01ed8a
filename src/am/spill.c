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
#include "compat.h"

#include "commands/tablespace.h"
#include "utils/memutils.h"
#include "utils/resowner.h"

#define SPILL_INITIAL_TAIL 1024

char *
spill_extend(SpillStream *s, MemoryContext cxt, Size len)
{
	Size		used = s->length - s->spilled;

	if (used + len > s->tail_size)
	{
		Size		size = Max(s->tail_size, SPILL_INITIAL_TAIL);

		while (size < used + len)
			size *= 2;
		if (s->tail == NULL)
			s->tail = MemoryContextAllocHuge(cxt, size);
		else
			s->tail = repalloc_huge(s->tail, size);
		s->tail_size = size;
	}
	s->length += len;
	return s->tail + used;
}

static void
spill_file_open(SpillFile *file, MemoryContext cxt)
{
	ResourceOwner old_owner = CurrentResourceOwner;
	MemoryContext old_cxt = MemoryContextSwitchTo(cxt);

	PrepareTempTablespaces();
	CurrentResourceOwner = TopTransactionResourceOwner;
	file->file = BufFileCreateTemp(false);
	CurrentResourceOwner = old_owner;
	MemoryContextSwitchTo(old_cxt);
}

void
spill_to_file(SpillStream *s, MemoryContext cxt, SpillFile *file, Size keep)
{
	SpillPiece *last;
	Size		used = s->length - s->spilled;

	if (used > 0)
	{
		if (file->file == NULL)
			spill_file_open(file, cxt);

		if (s->n_pieces == s->max_pieces)
		{
			int			max = Max(8, s->max_pieces * 2);

			if (s->pieces == NULL)
				s->pieces = MemoryContextAlloc(cxt, max * sizeof(SpillPiece));
			else
				s->pieces = repalloc_huge(s->pieces, max * sizeof(SpillPiece));
			s->max_pieces = max;
		}

		BufFileWrite(file->file, s->tail, used);
		last = &s->pieces[s->n_pieces++];
		last->fileno = file->end_fileno;
		last->offset = file->end_offset;
		last->length = used;
		s->spilled = s->length;
		BufFileTell(file->file, &file->end_fileno, &file->end_offset);
	}
	if (s->tail_size > keep)
	{
		pfree(s->tail);
		s->tail = NULL;
		s->tail_size = 0;
	}
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
	if (file->file != NULL)
		BufFileClose(file->file);
	memset(file, 0, sizeof(*file));
}

static void
spill_seek(SpillFile *file, const SpillPiece *piece, int64 skip)
{
	if (BufFileSeek(file->file, piece->fileno, piece->offset + skip, SEEK_SET) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not seek in a temporary file of buffered records: %m")));
}

void
spill_read_begin(SpillReader *r, SpillStream *s, SpillFile *file, int64 position)
{
	int64		start = 0;

	r->stream = s;
	r->file = file;
	r->position = position;
	r->piece = 0;
	r->piece_left = 0;

	/* Find the piece in which reading begins. */
	for (; r->piece < s->n_pieces; r->piece++)
	{
		SpillPiece *p = &s->pieces[r->piece];

		if (position < start + p->length)
		{
			int64		skip = position - start;

			spill_seek(file, p, skip);
			r->piece_left = p->length - skip;
			break;
		}
		start += p->length;
	}
}

bool
spill_at_end(SpillReader *r)
{
	return r->position >= r->stream->length;
}

void
spill_read(SpillReader *r, void *dst, Size len)
{
	SpillStream *s = r->stream;
	char	   *out = dst;

	if (r->position + (int64) len > s->length)
		elog(ERROR, "read past the end of buffered records");

	while (len > 0 && r->position < s->spilled)
	{
		Size		n;

		if (r->piece_left == 0)
		{
			SpillPiece *p = &s->pieces[++r->piece];

			spill_seek(r->file, p, 0);
			r->piece_left = p->length;
		}
		n = Min((int64) len, r->piece_left);
		compat_buffile_read(r->file->file, out, n);
		r->piece_left -= n;
		r->position += n;
		out += n;
		len -= n;
	}
	if (len > 0)
	{
		memcpy(out, s->tail + (r->position - s->spilled), len);
		r->position += len;
	}
}
