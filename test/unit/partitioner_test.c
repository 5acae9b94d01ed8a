/*
 * Partitioners: the numbers of kafka-clients and of librdkafka.
 */
#include "check.h"
#include "golden.h"
#include "wire/partitioner.h"

static void
java(void)
{
	int			n;
	char	  **lines = golden_lines("golden/murmur2.txt", &n);
	int			bad = 0;

	for (int i = 0; i < n; i++)
	{
		size_t		len;
		char	   *key = golden_hex(lines[i], &len);
		int32_t		expected = (int32_t) atol(strchr(lines[i], ',') + 1);

		fails(bad, (int32_t) partitioner_murmur2(key, len) == expected, "key %s", lines[i]);
		/* the sign bit goes, then the remainder is taken */
		fails(bad, partitioner_partition(PARTITIONER_MURMUR2, key, len, 7) == (expected & INT32_MAX) % 7,
			  "partition of key %s", lines[i]);
		free(key);
	}
	check(n > 200 && bad == 0, "murmur2 is kafka-clients' for %d keys", n);
	golden_free_lines(lines, n);
}

static void
librdkafka(void)
{
	int			n;
	char	  **lines = golden_lines("golden/rdkafka_partitions.txt", &n);
	int			bad = 0;

	for (int i = 0; i < n; i++)
	{
		size_t		len;
		char	   *key = golden_hex(lines[i], &len);
		int			count;
		int			consistent;
		int			murmur2;

		if (sscanf(strchr(lines[i], ','), ",%d,%d,%d", &count, &consistent, &murmur2) != 3)
			abort();
		fails(bad, partitioner_partition(PARTITIONER_CRC32, key, len, count) == consistent, "%s", lines[i]);
		fails(bad, partitioner_partition(PARTITIONER_MURMUR2, key, len, count) == murmur2, "%s", lines[i]);
		free(key);
	}
	check(n == 200 && bad == 0, "partitions are librdkafka's, by both of its hashes");
	golden_free_lines(lines, n);
}

int
main(void)
{
	java();
	librdkafka();
	check(partitioner_partition(PARTITIONER_CRC32, NULL, 0, 12) == 0 &&
		  partitioner_partition(PARTITIONER_MURMUR2, "", 0, 1) == 0, "an empty key is a key");
	return done();
}
