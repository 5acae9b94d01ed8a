/*-------------------------------------------------------------------------
 *
 * reserve.c
 *	  Refuses appends while the disk of the write-ahead log is nearly full.
 *
 * PostgreSQL panics when it can't write WAL.  Producers are usually what fills
 * that disk, and they can wait, so they are stopped before: a Kafka client gets
 * an error that makes it try again, a SQL transaction fails before its commit.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <sys/statvfs.h>

#include "access/xlog_internal.h"
#include "utils/timestamp.h"

#include "log/internal.h"

/* How long the answer of the file system counts. */
#define CHECK_INTERVAL_MS	100

int			log_wal_reserve_mb = 64;

void
log_check_reserve(void)
{
	static TimestampTz checked = 0;
	static bool enough = true;
	TimestampTz now;
	struct statvfs fs;
	uint64		free_mb = 0;

	if (log_wal_reserve_mb == 0)
		return;

	now = GetCurrentTimestamp();
	if (!enough || TimestampDifferenceExceeds(checked, now, CHECK_INTERVAL_MS))
	{
		checked = now;
		enough = true;
		if (statvfs(XLOGDIR, &fs) == 0)
		{
			free_mb = (uint64) fs.f_bavail * fs.f_frsize / (1024 * 1024);
			enough = free_mb >= log_wal_reserve_mb;
		}
	}
	if (!enough)
		ereport(ERROR,
				(errcode(ERRCODE_DISK_FULL),
				 errmsg("topics can't be written: only %llu MB are free for the write-ahead log",
						(unsigned long long) free_mb),
				 errdetail("pg_broker.wal_reserve is %d MB.", log_wal_reserve_mb),
				 errhint("Free space on the disk of pg_wal; producers go on by themselves then.")));
}
