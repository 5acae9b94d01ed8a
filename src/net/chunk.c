/*-------------------------------------------------------------------------
 *
 * chunk.c
 *	  Receive buffers of a network worker.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "net/chunk.h"
#include "port/pg_bitutils.h"
#include "port/pg_bswap.h"
#include "utils/memutils.h"

#define FIRST_SIZE		(64 * 1024)
#define HEADER			offsetof(NetChunk, data)
#define MAX_TRUSTED		(4 * 1024 * 1024)
#define MAX_SPARES		16
#define MAX_SPARE_BYTES	(4 * 1024 * 1024)

static MemoryContext chunk_context;
static Size limit;
static Size in_use;
static bool freed;
static NetInput *overdrawn;

/* Some that are not in use, so that most reads take no memory from the system. */
static NetChunk *spares[MAX_SPARES];
static int	n_spares;
static Size spare_bytes;

void
net_chunks_init(Size max)
{
	limit = max;
	chunk_context = AllocSetContextCreate(TopMemoryContext, "pg_broker receive buffers",
										  ALLOCSET_DEFAULT_SIZES);
}

void
net_chunks_set_limit(Size max)
{
	limit = max;
	freed = true;
}

void
net_chunks_account(int64 bytes)
{
	in_use += bytes;
	if (bytes < 0)
		freed = true;
}

bool
net_chunks_freed(void)
{
	bool		result = freed;

	freed = false;
	return result;
}

/* A spare chunk of at least this size, but not of a much larger one; or NULL. */
static NetChunk *
take_spare(uint32 size)
{
	for (int i = 0; i < n_spares; i++)
	{
		NetChunk   *chunk = spares[i];

		if (chunk->size < size || chunk->size / 4 > size)
			continue;
		spares[i] = spares[--n_spares];
		spare_bytes -= chunk->size;
		return chunk;
	}
	return NULL;
}

/* Sizes that are kept for reuse are powers of two. */
static NetChunk *
allocate(uint32 size)
{
	NetChunk   *chunk = take_spare(size);

	if (chunk == NULL)
	{
		if (size <= MAX_SPARE_BYTES)
			size = pg_nextpower2_32(size);
		chunk = MemoryContextAllocExtended(chunk_context, HEADER + size,
										   MCXT_ALLOC_HUGE | MCXT_ALLOC_NO_OOM);
		if (chunk == NULL)
			return NULL;
		chunk->size = size;
	}
	chunk->refs = 1;
	chunk->filled = 0;
	in_use += chunk->size;
	return chunk;
}

void
net_chunk_retain(NetChunk *chunk)
{
	chunk->refs++;
}

void
net_chunk_release(NetChunk *chunk)
{
	Assert(chunk->refs > 0);
	if (--chunk->refs > 0)
		return;
	in_use -= chunk->size;
	freed = true;
	if (n_spares < MAX_SPARES && spare_bytes + chunk->size <= MAX_SPARE_BYTES)
	{
		spares[n_spares++] = chunk;
		spare_bytes += chunk->size;
	}
	else
		pfree(chunk);
}

int64
net_input_frame_length(const NetInput *in)
{
	uint32		length;

	if (net_input_available(in) < sizeof(length))
		return -1;
	memcpy(&length, in->chunk->data + in->start, sizeof(length));
	return pg_ntoh32(length);
}

bool
net_input_has_frame(const NetInput *in)
{
	int64		length = net_input_frame_length(in);

	return length >= 0 && net_input_available(in) >= sizeof(uint32) + length;
}

bool
net_input_make_room(NetInput *in)
{
	int64		length = net_input_frame_length(in);
	uint32		have = net_input_available(in);
	uint64		need = length < 0 ? FIRST_SIZE : sizeof(uint32) + length;
	uint32		size;
	NetChunk   *chunk = in->chunk;

	/* Go on in the present chunk if what is announced fits in, or half of it is still free. */
	if (chunk && chunk->filled < chunk->size &&
		(in->start + need <= chunk->size || chunk->size - chunk->filled >= chunk->size / 2))
		return true;

	/*
	 * The bytes of a large frame move a few times, each time into four times the
	 * room; unless the connection has sent one as large before.
	 */
	size = Max(Max(FIRST_SIZE, have * UINT64CONST(4)), in->last_frame);
	if (length >= 0 && size > need)
		size = Max(FIRST_SIZE, need);

	if (in_use + size > limit && size > FIRST_SIZE && !in->overdraft)
	{
		if (overdrawn)
			return false;
		overdrawn = in;
		in->overdraft = true;
	}
	in->chunk = allocate(size);
	if (in->chunk == NULL)
	{
		in->chunk = chunk;
		return false;
	}
	if (have > 0)
		memcpy(in->chunk->data, chunk->data + in->start, have);
	in->chunk->filled = have;
	in->start = 0;
	if (chunk)
		net_chunk_release(chunk);
	return true;
}

void
net_input_skip(NetInput *in, uint32 bytes)
{
	in->last_frame = Min(bytes, MAX_TRUSTED);
	in->start += bytes;
	Assert(in->start <= in->chunk->filled);
	if (in->overdraft)
	{
		in->overdraft = false;
		overdrawn = NULL;
		freed = true;
	}
	if (in->start == in->chunk->filled)
	{
		net_chunk_release(in->chunk);
		in->chunk = NULL;
		in->start = 0;
	}
}

void
net_input_reset(NetInput *in)
{
	if (in->overdraft)
	{
		in->overdraft = false;
		overdrawn = NULL;
		freed = true;
	}
	if (in->chunk)
		net_chunk_release(in->chunk);
	in->chunk = NULL;
	in->start = 0;
}
