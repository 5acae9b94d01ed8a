/*-------------------------------------------------------------------------
 *
 * chunk.h
 *	  Memory into which a connection's bytes are received.
 *
 * A chunk is shared by the requests cut from it, by count.  Invariant of an
 * input:  start <= chunk->filled <= chunk->size, and the bytes from start on are
 * received but not yet cut.  Without a chunk there are no such bytes: a connection
 * with nothing half-received holds no memory.
 *
 * What a frame's length announces is never believed: memory grows with the
 * bytes that arrive.  The chunks of a worker are capped in total, beyond which only
 * small requests are received; and one larger one at a time, so that those that
 * are half-received by then can't block one another for ever.
 *
 *-------------------------------------------------------------------------
 */
#ifndef NET_CHUNK_H
#define NET_CHUNK_H

typedef struct NetChunk
{
	uint32		refs;
	uint32		size;
	uint32		filled;
	char		data[FLEXIBLE_ARRAY_MEMBER];
} NetChunk;

typedef struct NetInput
{
	NetChunk   *chunk;
	uint32		start;
	uint32		last_frame;		/* length of the one before, up to a limit */
	bool		overdraft;		/* is the one that may exceed the limit */
} NetInput;

extern void net_chunks_init(Size limit);
extern void net_chunks_set_limit(Size limit);

extern void net_chunk_retain(NetChunk *chunk);
extern void net_chunk_release(NetChunk *chunk);

/* Count other memory of requests to the limit. */
extern void net_chunks_account(int64 bytes);

/* Has memory been given back since the last call? */
extern bool net_chunks_freed(void);

/* Length of the frame at the start: -1 while its first four bytes are not all there. */
extern int64 net_input_frame_length(const NetInput *in);
extern bool net_input_has_frame(const NetInput *in);
static inline uint32
net_input_available(const NetInput *in)
{
	return in->chunk ? in->chunk->filled - in->start : 0;
}

/* Make room to receive more; false: not before memory is given back. */
extern bool net_input_make_room(NetInput *in);

/* The frame at the start has been used: go on behind it. */
extern void net_input_skip(NetInput *in, uint32 bytes);
extern void net_input_reset(NetInput *in);

#endif							/* NET_CHUNK_H */
