/*-------------------------------------------------------------------------
 *
 * tablescan.h
 *	  The scan descriptor of the access method.
 *
 *-------------------------------------------------------------------------
 */
#ifndef AM_TABLESCAN_H
#define AM_TABLESCAN_H

#include "access/relscan.h"
#include "am/scan.h"

typedef struct AmTableScan
{
	TableScanDescData base;		/* must be first */
	MemoryContext cxt;			/* of everything else */
	AmScan	   *scan;
	AmRangeList ranges;
	struct AmSampler *sampler;	/* analyze.c's */
} AmTableScan;

#endif							/* AM_TABLESCAN_H */
