/*-------------------------------------------------------------------------
 *
 * page.c
 *	  Pages of a topic's relation, and atomic changes of metadata pages.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xloginsert.h"
#include "catalog/pg_control.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"

#include "log/internal.h"

void
log_page_init(Page page, LogPageKind kind, int32 partition, uint64 position)
{
	LogStamp   *stamp;

	PageInit(page, BLCKSZ, sizeof(LogStamp));
	stamp = LogPageStamp(page);
	stamp->kind = kind;
	stamp->partition = partition;
	stamp->position = position;
}

/* Is this the page that we think it is?  It may have been freed and given away. */
bool
log_page_is(Page page, LogPageKind kind, int32 partition, uint64 position)
{
	LogStamp   *stamp = LogPageStamp(page);

	return !PageIsNew(page) && stamp->kind == kind && stamp->partition == partition &&
		stamp->position == position;
}

/* How much of the contents counts: full-page images leave out the rest, which must be zero. */
void
log_page_set_length(Page page, Size length)
{
	Assert(length <= LOG_CONTENT_SIZE);
	((PageHeader) page)->pd_lower = LOG_CONTENT_START + length;
	memset(LogPageContent(page) + length, 0, LOG_CONTENT_SIZE - length);
}

Buffer
log_read_buffer(Relation rel, BlockNumber block)
{
	return ReadBufferExtended(rel, MAIN_FORKNUM, block, RBM_NORMAL, NULL);
}

/* A page that will be overwritten whole: pinned, without reading it. */
Buffer
log_new_buffer(Relation rel, BlockNumber block)
{
	Buffer		buffer = ReadBufferExtended(rel, MAIN_FORKNUM, block, RBM_ZERO_AND_LOCK, NULL);

	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	return buffer;
}

void
log_corrupted(Relation rel, BlockNumber block, const char *what)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("topic table \"%s\" is damaged: %s", RelationGetRelationName(rel), what),
			 errdetail("Block %u.", block),
			 errhint("Restore the table from a backup.")));
}

/* ---------- atomic changes ---------- */

/* Lock a pinned page for a change; do so in lock order. */
Page
log_change_add(LogChange *change, Buffer buffer)
{
	Assert(change->n < LOG_CHANGE_MAX);
	LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
	change->buffers[change->n++] = buffer;
	return BufferGetPage(buffer);
}

/* From here to log_change_end nothing may fail. */
void
log_change_begin(void)
{
	START_CRIT_SECTION();
}

XLogRecPtr
log_change_end(LogChange *change)
{
	XLogRecPtr	lsn;

	for (int i = 0; i < change->n; i++)
		MarkBufferDirty(change->buffers[i]);

	/*
	 * A standby replays the pages of a record one by one, in this order, while its
	 * queries read: what is pointed to comes before what points to it.
	 */
	XLogBeginInsert();
	for (int i = 0; i < change->n; i++)
		XLogRegisterBuffer(i, change->buffers[change->n - 1 - i], REGBUF_FORCE_IMAGE | REGBUF_STANDARD);
	lsn = XLogInsert(RM_XLOG_ID, XLOG_FPI);
	for (int i = 0; i < change->n; i++)
		PageSetLSN(BufferGetPage(change->buffers[i]), lsn);

	END_CRIT_SECTION();

	for (int i = 0; i < change->n; i++)
		UnlockReleaseBuffer(change->buffers[i]);
	change->n = 0;
	return lsn;
}
