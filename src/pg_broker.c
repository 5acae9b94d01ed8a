/*-------------------------------------------------------------------------
 *
 * pg_broker.c
 *	  Entry points of the shared library: settings, hooks, workers.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

PG_MODULE_MAGIC;

void		_PG_init(void);

void
_PG_init(void)
{
}
