/*-------------------------------------------------------------------------
 *
 * spill.h
 *	  A stream of bytes that is written at its end, cut back when a
 *	  subtransaction aborts, and read once; its older part may be in a
 *	  temporary file, which all streams of a transaction share.
 *
 * Invariant: bytes [0, spilled) are in the file, in the pieces listed in
 * `pieces`; bytes [spilled, length) are in `tail`.
 *
 *-------------------------------------------------------------------------
 */
#ifndef AM_SPILL_H
#define AM_SPILL_H

#include "storage/fd.h"

typedef struct SpillFile
{
	bool		open;
	File		file;
	off_t		end;			/* where the next piece goes */
} SpillFile;

typedef struct SpillPiece
{
	off_t		offset;
	int64		length;
} SpillPiece;

typedef struct SpillStream
{
	int64		length;
	int64		spilled;
	char	   *tail;
	Size		tail_size;		/* allocated */
	SpillPiece *pieces;
	int			n_pieces;
	int			max_pieces;
} SpillStream;

/*
 * Room for `max` bytes at the end of the stream; spill_extend() then says how many were
 * written there.  All memory is taken from `cxt`, which outlives the stream.
 */
extern char *spill_reserve(SpillStream *s, MemoryContext cxt, Size max);

static inline void
spill_extend(SpillStream *s, Size len)
{
	s->length += len;
}

/* Change bytes of the stream that went into it by one spill_extend(). */
extern void spill_overwrite(SpillStream *s, SpillFile *file, int64 position, const char *data, Size len);

/* Move what is in memory to the file; memory stays allocated if no more than `keep` of it was used. */
extern void spill_to_file(SpillStream *s, MemoryContext cxt, SpillFile *file, Size keep);

extern void spill_truncate(SpillStream *s, int64 length);
extern void spill_file_close(SpillFile *file);

typedef struct SpillReader
{
	SpillStream *stream;
	SpillFile  *file;
	int64		position;		/* of what is returned next */
	int			piece;			/* what is read from the file next */
	int64		piece_done;
	char	   *buffer;			/* bytes [start, end) were read ahead */
	Size		size;
	Size		start;
	Size		end;
} SpillReader;

/*
 * Reading starts at `position`; nothing is written to the stream from then on.  Memory
 * is CurrentMemoryContext's.
 */
extern void spill_read_begin(SpillReader *r, SpillStream *s, SpillFile *file, int64 position);
extern bool spill_at_end(SpillReader *r);

/* The next bytes, which stay until the next call, and may be changed there; never NULL. */
extern char *spill_read(SpillReader *r, Size len);
extern void spill_read_end(SpillReader *r);

#endif							/* AM_SPILL_H */
