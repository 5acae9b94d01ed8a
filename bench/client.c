/*
 * client.c
 *	  The client work of the benchmarks: one program, through librdkafka, for
 *	  any broker.
 *
 *	  client produce BOOTSTRAP TOPIC PARTITIONS SIZE RECORDS
 *		  batches, acks=all, uncompressed
 *	  client single BOOTSTRAP TOPIC PARTITIONS SIZE RECORDS
 *		  one record a request, as many requests in flight as librdkafka likes
 *	  client consume BOOTSTRAP TOPIC PARTITIONS SIZE RECORDS
 *		  reads that many records from the start, by assignment
 *	  client tail BOOTSTRAP TOPIC PARTITIONS SIZE RECORDS
 *		  produces one record at a time and waits until it has been read: the
 *		  latency from produce to consumer
 *
 * Prints one line: seconds records megabytes p50 p99 max, latencies in ms (of
 * delivery, or of the whole way for tail).  Exit code 1 if anything failed.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <librdkafka/rdkafka.h>

static int64_t delivered;
static int64_t failed;
static double *latency;			/* of each record, in ms */

static double
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000.0 + t.tv_nsec / 1e6;
}

static void
die(const char *what, const char *why)
{
	fprintf(stderr, "%s: %s\n", what, why);
	exit(1);
}

static void
set(rd_kafka_conf_t *conf, const char *name, const char *value)
{
	char		error[256];

	if (rd_kafka_conf_set(conf, name, value, error, sizeof(error)) != RD_KAFKA_CONF_OK)
		die(name, error);
}

/* Each record's opaque is its number; latency[] holds the start until then. */
static void
on_delivery(rd_kafka_t *rk, const rd_kafka_message_t *m, void *opaque)
{
	int64_t		n = (int64_t) (intptr_t) m->_private;

	(void) rk;
	(void) opaque;
	if (m->err)
	{
		if (failed++ == 0)
			fprintf(stderr, "not delivered: %s\n", rd_kafka_err2str(m->err));
		return;
	}
	latency[n] = now_ms() - latency[n];
	delivered++;
}

static int
compare(const void *a, const void *b)
{
	double		x = *(const double *) a;
	double		y = *(const double *) b;

	return x < y ? -1 : x > y;
}

static void
report(double ms, int64_t records, int64_t bytes, bool with_latency)
{
	double		p50 = 0,
				p99 = 0,
				max = 0;

	if (with_latency)
	{
		qsort(latency, records, sizeof(double), compare);
		p50 = latency[records / 2];
		p99 = latency[records * 99 / 100];
		max = latency[records - 1];
	}
	printf("%.3f %lld %.3f %.3f %.3f %.3f\n", ms / 1000, (long long) records, bytes / 1e6, p50, p99, max);
}

static rd_kafka_t *
new_producer(const char *bootstrap, bool single)
{
	rd_kafka_conf_t *conf = rd_kafka_conf_new();
	char		error[256];
	rd_kafka_t *rk;

	set(conf, "bootstrap.servers", bootstrap);
	set(conf, "acks", "all");
	set(conf, "linger.ms", single ? "0" : "5");
	set(conf, "queue.buffering.max.messages", single ? "1000" : "500000");
	set(conf, "queue.buffering.max.kbytes", "262144");
	if (single)
		set(conf, "batch.num.messages", "1");
	rd_kafka_conf_set_dr_msg_cb(conf, on_delivery);
	rk = rd_kafka_new(RD_KAFKA_PRODUCER, conf, error, sizeof(error));
	if (rk == NULL)
		die("producer", error);
	return rk;
}

/* Incompressible, the same in every run. */
static char *
payload(int size)
{
	char	   *p = malloc(size);
	uint64_t	x = 88172645463325252u;

	if (p == NULL)
		die("payload", "out of memory");
	for (int i = 0; i < size; i++)
	{
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		p[i] = (char) x;
	}
	return p;
}

static void
send_one(rd_kafka_t *rk, const char *topic, int partition, char *value, int size, int64_t n)
{
	rd_kafka_resp_err_t err;

	for (;;)
	{
		latency[n] = now_ms();
		err = rd_kafka_producev(rk, RD_KAFKA_V_TOPIC(topic), RD_KAFKA_V_PARTITION(partition),
								RD_KAFKA_V_VALUE(value, (size_t) size),
								RD_KAFKA_V_MSGFLAGS(0),
								RD_KAFKA_V_OPAQUE((void *) (intptr_t) n), RD_KAFKA_V_END);
		if (err != RD_KAFKA_RESP_ERR__QUEUE_FULL)
			break;
		rd_kafka_poll(rk, 10);
	}
	if (err)
		die("produce", rd_kafka_err2str(err));
}

static void
produce(const char *bootstrap, const char *topic, int partitions, int size, int64_t records, bool single)
{
	rd_kafka_t *rk = new_producer(bootstrap, single);
	char	   *value = payload(size);
	double		start;

	latency = calloc(records + 1, sizeof(double));
	if (latency == NULL)
		die("latencies", "out of memory");

	/* One record first, so that connecting isn't measured. */
	send_one(rk, topic, 0, value, size, records);
	if (rd_kafka_flush(rk, 60000) || failed)
		die("produce", "the first record was not delivered");
	delivered = 0;

	start = now_ms();
	for (int64_t n = 0; n < records; n++)
	{
		send_one(rk, topic, n % partitions, value, size, n);
		if (n % 64 == 0)
			rd_kafka_poll(rk, 0);
	}
	while (delivered + failed < records)
		rd_kafka_poll(rk, 100);
	report(now_ms() - start, records, records * size, failed == 0);
	rd_kafka_destroy(rk);
	free(value);
}

static rd_kafka_t *
new_consumer(const char *bootstrap, const char *topic, int partitions, int64_t offset)
{
	rd_kafka_conf_t *conf = rd_kafka_conf_new();
	rd_kafka_topic_partition_list_t *list = rd_kafka_topic_partition_list_new(partitions);
	char		error[256];
	rd_kafka_t *rk;

	set(conf, "bootstrap.servers", bootstrap);
	set(conf, "group.id", "bench");
	set(conf, "enable.auto.commit", "false");
	set(conf, "check.crcs", "false");
	set(conf, "queued.min.messages", "1000000");
	set(conf, "queued.max.messages.kbytes", "524288");
	set(conf, "fetch.message.max.bytes", "10485760");
	set(conf, "fetch.wait.max.ms", "500");
	rk = rd_kafka_new(RD_KAFKA_CONSUMER, conf, error, sizeof(error));
	if (rk == NULL)
		die("consumer", error);
	rd_kafka_poll_set_consumer(rk);
	for (int p = 0; p < partitions; p++)
		rd_kafka_topic_partition_list_add(list, topic, p)->offset = offset;
	if (rd_kafka_assign(rk, list))
		die("consumer", "assign failed");
	rd_kafka_topic_partition_list_destroy(list);
	return rk;
}

static void
consume(const char *bootstrap, const char *topic, int partitions, int64_t records)
{
	rd_kafka_t *rk = new_consumer(bootstrap, topic, partitions, RD_KAFKA_OFFSET_BEGINNING);
	rd_kafka_queue_t *queue = rd_kafka_queue_get_consumer(rk);
	static rd_kafka_message_t *batch[10000];
	int64_t		got = 0;
	int64_t		bytes = 0;
	double		start = now_ms();
	double		last = start;

	while (got < records)
	{
		ssize_t		n = rd_kafka_consume_batch_queue(queue, 100, batch, 10000);

		for (ssize_t i = 0; i < n; i++)
		{
			if (batch[i]->err)
				die("consume", rd_kafka_message_errstr(batch[i]));
			bytes += batch[i]->len;
			rd_kafka_message_destroy(batch[i]);
		}
		if (n > 0)
		{
			got += n;
			last = now_ms();
		}
		else if (now_ms() - last > 60000)
			die("consume", "nothing came for a minute");
	}
	report(now_ms() - start, got, bytes, false);
	rd_kafka_queue_destroy(queue);
	rd_kafka_consumer_close(rk);
	rd_kafka_destroy(rk);
}

static void
tail(const char *bootstrap, const char *topic, int size, int64_t records)
{
	rd_kafka_t *producer = new_producer(bootstrap, true);
	rd_kafka_t *consumer = new_consumer(bootstrap, topic, 1, RD_KAFKA_OFFSET_END);
	char	   *value = payload(size);
	double	   *whole = calloc(records, sizeof(double));
	double		start = now_ms();
	bool		ready = false;

	latency = calloc(records + 1, sizeof(double));
	if (latency == NULL || whole == NULL)
		die("latencies", "out of memory");
	/* The consumer's position is the end once it has seen a record come in. */
	while (!ready)
	{
		rd_kafka_message_t *m;

		if (now_ms() - start > 60000)
			die("tail", "no record came back for a minute");
		send_one(producer, topic, 0, value, size, records);
		rd_kafka_flush(producer, 10000);
		m = rd_kafka_consumer_poll(consumer, 200);
		ready = m != NULL && m->err == 0;
		if (m)
			rd_kafka_message_destroy(m);
	}
	for (rd_kafka_message_t *m; (m = rd_kafka_consumer_poll(consumer, 300)) != NULL;)
		rd_kafka_message_destroy(m);

	start = now_ms();
	for (int64_t n = 0; n < records; n++)
	{
		double		sent = now_ms();

		send_one(producer, topic, 0, value, size, n);
		for (;;)
		{
			rd_kafka_message_t *m;
			bool		done;

			rd_kafka_poll(producer, 0);
			m = rd_kafka_consumer_poll(consumer, 10000);
			if (m == NULL)
				die("tail", "the record did not come");
			done = m->err == 0;
			rd_kafka_message_destroy(m);
			if (done)
				break;
		}
		whole[n] = now_ms() - sent;
	}
	rd_kafka_flush(producer, 10000);
	start = now_ms() - start;
	free(latency);
	latency = whole;
	report(start, records, records * size, true);
	rd_kafka_consumer_close(consumer);
	rd_kafka_destroy(consumer);
	rd_kafka_destroy(producer);
}

int
main(int argc, char **argv)
{
	int			partitions,
				size;
	int64_t		records;

	if (argc != 7)
		die("usage", "client produce|single|consume|tail BOOTSTRAP TOPIC PARTITIONS SIZE RECORDS");
	partitions = atoi(argv[4]);
	size = atoi(argv[5]);
	records = atoll(argv[6]);
	if (partitions < 1 || size < 1 || records < 1)
		die("usage", "positive numbers, please");
	if (strcmp(argv[1], "produce") == 0)
		produce(argv[2], argv[3], partitions, size, records, false);
	else if (strcmp(argv[1], "single") == 0)
		produce(argv[2], argv[3], partitions, size, records, true);
	else if (strcmp(argv[1], "consume") == 0)
		consume(argv[2], argv[3], partitions, records);
	else if (strcmp(argv[1], "tail") == 0)
		tail(argv[2], argv[3], size, records);
	else
		die("usage", argv[1]);
	return failed ? 1 : 0;
}
