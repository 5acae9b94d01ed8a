/*-------------------------------------------------------------------------
 *
 * compactor.h
 *	  Compaction by the controller.
 *
 *-------------------------------------------------------------------------
 */
#ifndef NET_COMPACTOR_H
#define NET_COMPACTOR_H

/* Compact the partitions of a topic that are due; `between` is called after each step. */
extern void net_compact_topic(Oid relid, void (*between) (void));

#endif							/* NET_COMPACTOR_H */
