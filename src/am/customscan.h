/*-------------------------------------------------------------------------
 *
 * customscan.h
 *	  What planner and executor node of BrokerLogScan share.
 *
 *-------------------------------------------------------------------------
 */
#ifndef AM_CUSTOMSCAN_H
#define AM_CUSTOMSCAN_H

#include "nodes/extensible.h"

#define LOG_SCAN_NAME "BrokerLogScan"

/*
 * A CustomScan's custom_exprs are the conditions that say what is read, as
 * condition_match() takes them; custom_private is one integer, 1 for backwards.
 */
extern const CustomScanMethods am_log_scan_methods;

#endif							/* AM_CUSTOMSCAN_H */
