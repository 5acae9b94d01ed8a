/*
 * Writes what the unit tests are compared with, as librdkafka makes it:
 *
 *	cc rdkafka.c -lrdkafka && ./a.out DIRECTORY
 *
 * rdkafka_batches.txt: record batches ("name hex"),
 produced to librdkafka's mock broker and fetched from it as
 * they are; the records are those of golden_records() in batch_test.c.
 * rdkafka_partitions.txt: "hex of a key, number of partitions, partition by consistent, by murmur2".
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

#define TIME 1700000000000LL

static rd_kafka_t *producer;
static char topic[64];

static void
die(const char *what)
{
	fprintf(stderr, "%s\n", what);
	exit(1);
}

static void
produce(long long time, const void *key, size_t key_len, const void *value, size_t value_len,
		int with_headers)
{
	rd_kafka_headers_t *headers = rd_kafka_headers_new(4);

	if (with_headers)
	{
		rd_kafka_header_add(headers, "h1", -1, "x", 1);
		rd_kafka_header_add(headers, "h1", -1, "y", 1);
		rd_kafka_header_add(headers, "h2", -1, NULL, 0);
		rd_kafka_header_add(headers, "", 0, "", 0);
	}
	if (rd_kafka_producev(producer, RD_KAFKA_V_TOPIC(topic), RD_KAFKA_V_PARTITION(0),
						  RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY), RD_KAFKA_V_TIMESTAMP(time),
						  RD_KAFKA_V_KEY((void *) key, key_len), RD_KAFKA_V_VALUE((void *) value, value_len),
						  RD_KAFKA_V_HEADERS(headers), RD_KAFKA_V_END))
		die("produce");
}

static void
produce_mixed(void)
{
	unsigned char pattern[3000];

	for (int i = 0; i < 3000; i++)
		pattern[i] = (unsigned char) (i * 7 + i / 251);
	produce(TIME, "key-0", 5, "value-0", 7, 0);
	produce(TIME + 5, NULL, 0, "v", 1, 1);
	produce(TIME - 10, "", 0, NULL, 0, 0);
	produce(TIME + 1000000, "\x00\xff\x80\x7f", 4, "h\xc3\xa9llo \xe2\x9c\x93", 10, 0);
	produce(TIME + 1000000, "k", 1, pattern, sizeof(pattern), 0);
	for (int i = 5; i < 100; i++)
	{
		char		key[20];
		char		value[20];

		sprintf(key, "key-%d", i);
		sprintf(value, "value-%d", i);
		produce(TIME + i, key, strlen(key), value, strlen(value), 0);
	}
}

static void
produce_large(void)
{
	static char value[150000];

	for (int i = 0; i < 150000; i++)
		value[i] = (char) ('a' + i % 26);
	produce(TIME, "large", 5, value, sizeof(value), 0);
}

static void
put(unsigned char **p, unsigned long long v, int bytes)
{
	for (int i = bytes - 1; i >= 0; i--)
		*(*p)++ = (unsigned char) (v >> (8 * i));
}

static unsigned
get32(const unsigned char *p)
{
	return (unsigned) p[0] << 24 | (unsigned) p[1] << 16 | (unsigned) p[2] << 8 | p[3];
}

static void
read_fully(int fd, unsigned char *p, size_t len)
{
	while (len > 0)
	{
		ssize_t		n = read(fd, p, len);

		if (n <= 0)
			die("read");
		p += n;
		len -= (size_t) n;
	}
}

/* Fetch version 4 of partition 0, by hand; write the records as they came. */
static void
fetch(FILE *out, const char *name, const char *bootstrap)
{
	unsigned char request[256];
	unsigned char size[4];
	unsigned char *p = request + 4;
	unsigned char *response;
	const unsigned char *q;
	const unsigned char *batch;
	struct sockaddr_in address = {.sin_family = AF_INET};
	int			fd = socket(AF_INET, SOCK_STREAM, 0);
	unsigned	len;

	address.sin_port = htons((unsigned short) atoi(strchr(bootstrap, ':') + 1));
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (connect(fd, (struct sockaddr *) &address, sizeof(address)) != 0)
		die("connect");
	put(&p, 1, 2), put(&p, 4, 2), put(&p, 1, 4), put(&p, 0xffff, 2);
	put(&p, 0xffffffff, 4), put(&p, 500, 4), put(&p, 1, 4), put(&p, 10000000, 4), put(&p, 0, 1);
	put(&p, 1, 4), put(&p, strlen(topic), 2);
	memcpy(p, topic, strlen(topic));
	p += strlen(topic);
	put(&p, 1, 4), put(&p, 0, 4), put(&p, 0, 8), put(&p, 10000000, 4);
	len = (unsigned) (p - request - 4);
	p = request;
	put(&p, len, 4);
	if (write(fd, request, len + 4) != (ssize_t) len + 4)
		die("write");

	read_fully(fd, size, 4);
	len = get32(size);
	response = malloc(len);
	read_fully(fd, response, len);
	/* correlation id, throttle time, topics, name, partitions, partition, error, high watermark,
	last stable */
	q = response + 4 + 4 + 4 + 2 + strlen(topic) + 4 + 4 + 2 + 8 + 8;
	if (get32(q) != 0xffffffff)	/* aborted transactions */
		q += 16 * get32(q);
	q += 4;
	len = get32(q);
	batch = q + 4;
	if (get32(batch + 8) + 12 != len)
		die("not one batch");
	fprintf(out, "%s ", name);
	for (unsigned i = 0; i < len; i++)
		fprintf(out, "%02x", batch[i]);
	fprintf(out, "\n");
	free(response);
	close(fd);
}

static void
batch(FILE *out, const char *kind, const char *codec)
{
	char		error[200];
	char		name[64];
	const char *bootstrap;
	rd_kafka_conf_t *conf = rd_kafka_conf_new();
	rd_kafka_mock_cluster_t *cluster;

	if (rd_kafka_conf_set(conf, "test.mock.num.brokers", "1", error, sizeof(error)) ||
		rd_kafka_conf_set(conf, "compression.codec", codec, error, sizeof(error)) ||
		rd_kafka_conf_set(conf, "linger.ms", "500", error, sizeof(error)))
		die(error);
	producer = rd_kafka_new(RD_KAFKA_PRODUCER, conf, error, sizeof(error));
	if (producer == NULL)
		die(error);
	cluster = rd_kafka_handle_mock_cluster(producer);
	bootstrap = rd_kafka_mock_cluster_bootstraps(cluster);
	sprintf(topic, "golden-%s-%s", kind, codec);
	sprintf(name, "%s-%s", kind, codec);
	if (rd_kafka_mock_topic_create(cluster, topic, 1, 1))
		die("topic");
	if (strcmp(kind, "mixed") == 0)
		produce_mixed();
	else
		produce_large();
	while (rd_kafka_outq_len(producer) > 0)
		rd_kafka_poll(producer, 100);	/* a flush would not wait for the batch to fill */
	fetch(out, name, bootstrap);
	rd_kafka_destroy(producer);
}

static void
partitions(FILE *out)
{
	static const int counts[] = {1, 2, 3, 7, 12, 100, 1000};
	unsigned	seed = 1;

	for (int i = 0; i < 200; i++)
	{
		unsigned char key[40];
		size_t		len = (size_t) (i % 40);
		int			n = counts[i % 7];

		for (size_t j = 0; j < len; j++)
			key[j] = (unsigned char) ((seed = seed * 1103515245 + 12345) >> 16);
		for (size_t j = 0; j < len; j++)
			fprintf(out, "%02x", key[j]);
		fprintf(out, ",%d,%d,%d\n", n, rd_kafka_msg_partitioner_consistent(NULL, key, len, n, NULL, NULL),
				rd_kafka_msg_partitioner_murmur2(NULL, key, len, n, NULL, NULL));
	}
}

int
main(int argc, char **argv)
{
	static const char *const codecs[] = {"none", "gzip", "snappy", "lz4", "zstd"};
	char		path[500];
	FILE	   *out;

	snprintf(path, sizeof(path), "%s/rdkafka_batches.txt", argv[argc - 1]);
	out = fopen(path, "w");
	for (int i = 0; i < 5; i++)
	{
		batch(out, "mixed", codecs[i]);
		if (i > 0)
			batch(out, "large", codecs[i]);
	}
	fclose(out);
	snprintf(path, sizeof(path), "%s/rdkafka_partitions.txt", argv[argc - 1]);
	out = fopen(path, "w");
	partitions(out);
	fclose(out);
	return 0;
}
