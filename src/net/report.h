/*-------------------------------------------------------------------------
 *
 * report.h
 *	  Log lines that clients can cause, limited in their rate.
 *
 *-------------------------------------------------------------------------
 */
#ifndef NET_REPORT_H
#define NET_REPORT_H

/* May one more line be written?  If not it is counted, and told of later. */
extern bool net_may_report(void);

#endif							/* NET_REPORT_H */
