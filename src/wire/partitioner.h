/*-------------------------------------------------------------------------
 *
 * partitioner.h
 *	  From a record's key to its partition, as Kafka's clients do it, and from a group.
 *
 * Records with the same key must go to the same partition whoever produces
 * them.  Java's clients (and kafka-python, franz-go, kafkajs, sarama by choice)
 * hash by murmur2; librdkafka and those built on it by CRC-32.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_PARTITIONER_H
#define WIRE_PARTITIONER_H

#include <stddef.h>
#include <stdint.h>

#include "wire/bytes.h"

typedef enum Partitioner
{
	PARTITIONER_MURMUR2 = 0,
	PARTITIONER_CRC32 = 1
} Partitioner;

/* The hash of Java's clients: murmur2 with their seed. */
extern uint32_t partitioner_murmur2(const void *key, size_t len);

/* The hash of librdkafka: the CRC-32 of zlib. */
extern uint32_t partitioner_crc32(const void *key, size_t len);

/*
 * The partition of a key, out of n > 0.  A null key has none (the producer
 * chooses freely); an empty one is a key like others.
 */
extern int32_t partitioner_partition(Partitioner partitioner, const void *key, size_t len, int32_t n);

/* The topic of groups' records, by the name that every client and tool knows. */
#define PARTITIONER_GROUP_TOPIC "__consumer_offsets"

/* Its partition that has the records of a group. */
extern int32_t partitioner_group_partition(WireString group, int32_t n);

#endif							/* WIRE_PARTITIONER_H */
