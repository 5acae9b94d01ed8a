/*-------------------------------------------------------------------------
 *
 * chunk.c
 *	  Receive buffers of a network worker.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "net/chunk.h"
#include "port/pg_bswap.h"
#include "utils/memutils.h"

#define FIRST_SIZE		(64 * 1024)
#define HEADER			offsetof(NetChunk, data)

static MemoryContext chunk_context;
static Size limit;
static Size in_use;
static bool freed;
static NetInput *overdrawn;
static NetChunk *spare;			/* of FIRST_SIZE, so that most reads allocate nothing */

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

/* The size of an allocation has a round total, so that malloc wastes nothing. */
static NetChunk *
allocate(uint32 size)
{
	NetChunk   *chunk;

	if (size == FIRST_SIZE && spare)
	{
		chunk = spare;
		spare = NULL;
	}
	else
	{
		chunk = MemoryContextAllocExtended(chunk_context, HEADER + size,
										   MCXT_ALLOC_HUGE | MCXT_ALLOC_NO_OOM);
		if (chunk == NULL)
			return NULL;
	}
	chunk->refs = 1;
	chunk->size = size;
	chunk->filled = 0;
	in_use += size;
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
	if (chunk->size == FIRST_SIZE && spare == NULL)
		spare = chunk;
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

	/* The bytes of a large frame move a few times: each time into four times the room. */
	size = Max(FIRST_SIZE, have > FIRST_SIZE / 4 ? have * UINT64CONST(4) : FIRST_SIZE);
	if (size > need)
		size = Max(FIRST_SIZE, need);

	if (in_use + size > limit && in_use > 0 && !in->overdraft)
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
