/*-------------------------------------------------------------------------
 *
 * apis.h
 *	  The table of the APIs that are served.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BROKER_APIS_H
#define BROKER_APIS_H

#include "broker/request.h"

/* In ascending order of keys. */
extern const BrokerApi broker_apis[];
extern const int broker_n_apis;

#endif							/* BROKER_APIS_H */
