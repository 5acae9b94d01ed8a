/*-------------------------------------------------------------------------
 *
 * group_settings.h
 *	  The settings of consumer groups.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BROKER_GROUP_SETTINGS_H
#define BROKER_GROUP_SETTINGS_H

#include "group/group.h"

/* Partitions of __consumer_offsets, when it is created. */
extern int	broker_offsets_topic_num_partitions;

extern void broker_group_settings_define(void);

/* The value of one by Kafka's name, palloc'd; NULL: it is none of ours. */
extern const char *broker_group_setting(const char *name);

/* As they are now. */
extern void broker_group_settings(GroupSettings *settings);

#endif							/* BROKER_GROUP_SETTINGS_H */
