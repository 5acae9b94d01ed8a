/*-------------------------------------------------------------------------
 *
 * coordinator.h
 *	  The coordinator process.
 *
 *-------------------------------------------------------------------------
 */
#ifndef NET_COORDINATOR_H
#define NET_COORDINATOR_H

/* Its number among those that wait for flushes; network workers have lower ones. */
#define NET_COORDINATOR_NUMBER	63

#endif							/* NET_COORDINATOR_H */
