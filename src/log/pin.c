/*-------------------------------------------------------------------------
 *
 * pin.c
 *	  Pages of slices, held while their bytes are sent.
 *
 * A page may be freed and given to another partition until it is locked: a pin
 * doesn't prevent that, so the stamp is looked at under the lock.  Pages are
 * pinned before the first is locked, so that nobody waits for a page while another is
 * read from disk.
 *
 * An append locks pages of one partition, in the order of their positions.  A
 * reader that waited for a page while it holds others could wait in a circle with
 * such writers and other readers; so it waits for the first one only.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "storage/buf_internals.h"
#include "storage/bufmgr.h"

#include "log/internal.h"

bool
log_pins_add(LogPins *pins, Relation rel, const LogSlice *slice, uint32 skip, uint32 len, uint32 *pinned)
{
	uint64		position = slice->position + skip;
	BlockNumber block = log_slice_block(slice, skip);
	BlockNumber n_blocks = RelationGetNumberOfBlocks(rel);

	Assert(skip + len <= slice->length && pins->n_locked == 0);
	*pinned = 0;
	if (!RelFileNodeEquals(rel->rd_node, slice->node))
		return false;
	while (len > 0 && pins->n < LOG_MAX_PINS)
	{
		uint32		offset = position % LOG_PAGE_DATA_SIZE;
		uint32		n = Min(LOG_PAGE_DATA_SIZE - offset, len);
		LogPin	   *pin = &pins->pages[pins->n];

		if (block >= n_blocks)
			return false;
		pin->buffer = log_read_buffer(rel, block++);
		pin->partition = slice->partition;
		pin->page_position = position - offset;
		pin->data = LogPageContent(BufferGetPage(pin->buffer)) + offset;
		pin->length = n;
		pins->n++;
		*pinned += n;
		position += n;
		len -= n;
	}
	return true;
}

int
log_pins_lock(LogPins *pins)
{
	Assert(pins->n_locked == 0);
	for (int i = 0; i < pins->n; i++)
	{
		const LogPin *pin = &pins->pages[i];
		LWLock	   *lock = BufferDescriptorGetContentLock(GetBufferDescriptor(pin->buffer - 1));

		if (i == 0)
			LWLockAcquire(lock, LW_SHARED);
		else if (!LWLockConditionalAcquire(lock, LW_SHARED))
			break;
		pins->n_locked++;
		if (!log_page_is(BufferGetPage(pin->buffer), LOG_PAGE_DATA, pin->partition, pin->page_position))
			return i;
	}
	return pins->n_locked;
}

void
log_pins_release(LogPins *pins)
{
	for (int i = 0; i < pins->n; i++)
	{
		if (i < pins->n_locked)
			LockBuffer(pins->pages[i].buffer, BUFFER_LOCK_UNLOCK);
		ReleaseBuffer(pins->pages[i].buffer);
	}
	pins->n = 0;
	pins->n_locked = 0;
}
