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
 *	  client watch BOOTSTRAP TOPIC PARTITIONS SIZE RECORDS
 *		  until SIGTERM: produces a record every 5 ms to partition 0 and reads it from its
 *		  end; prints the longest time without a record and the longest one until a
 *		  record was acknowledged, in ms
 *	  client group BOOTSTRAP TOPIC CONSUMERS SIZE RECORDS
 *		  so many consumers of one group, which subscribe, read that many records; the
 *		  time is from the first one
 *	  client commits BOOTSTRAP TOPIC PARTITIONS SIZE RECORDS
 *		  a consumer commits its offset that many times, 100 commits at a time under way
 *	  client death BOOTSTRAP TOPIC PARTITIONS SIZE RECORDS
 *		  of two consumers of a group one is killed; the time until the other has all
 *		  partitions (the session timeout is 6 s)
 *
 * Prints one line: seconds records megabytes p50 p99 max, latencies in ms (of
 * delivery, or of the whole way for tail).  Exit code 1 if anything failed.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

static rd_kafka_conf_t *
consumer_conf(const char *bootstrap, const char *group)
{
	rd_kafka_conf_t *conf = rd_kafka_conf_new();

	set(conf, "bootstrap.servers", bootstrap);
	set(conf, "group.id", group);
	set(conf, "enable.auto.commit", "false");
	set(conf, "check.crcs", "false");
	set(conf, "queued.min.messages", "1000000");
	set(conf, "queued.max.messages.kbytes", "524288");
	set(conf, "fetch.message.max.bytes", "10485760");
	set(conf, "fetch.wait.max.ms", "500");
	return conf;
}

static rd_kafka_t *
new_consumer(const char *bootstrap, const char *topic, int partitions, int64_t offset)
{
	rd_kafka_conf_t *conf = consumer_conf(bootstrap, "bench");
	rd_kafka_topic_partition_list_t *list = rd_kafka_topic_partition_list_new(partitions);
	char		error[256];
	rd_kafka_t *rk;

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
			m = rd_kafka_consumer_poll(consumer, 60000);
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

/* ---------- a pause ---------- */

static volatile sig_atomic_t stopped;

static void
on_stop(int signo)
{
	(void) signo;
	stopped = 1;
}

static double longest_ack;

/* The opaque is the time when it was sent, in microseconds. */
static void
on_watched(rd_kafka_t *rk, const rd_kafka_message_t *m, void *opaque)
{
	double		took = now_ms() - (double) (intptr_t) m->_private / 1000;

	(void) rk;
	(void) opaque;
	if (m->err)
		failed++;
	else if (took > longest_ack)
		longest_ack = took;
}

static void
watch(const char *bootstrap, const char *topic, int size)
{
	rd_kafka_conf_t *conf = rd_kafka_conf_new();
	rd_kafka_t *consumer = new_consumer(bootstrap, topic, 1, RD_KAFKA_OFFSET_END);
	rd_kafka_queue_t *queue = rd_kafka_queue_get_consumer(consumer);
	static rd_kafka_message_t *batch[10000];
	rd_kafka_t *producer;
	char		error[256];
	char	   *value = payload(size);
	double		sent = 0,
				came = 0,
				longest = 0;

	signal(SIGTERM, on_stop);
	set(conf, "bootstrap.servers", bootstrap);
	set(conf, "acks", "all");
	set(conf, "linger.ms", "0");
	rd_kafka_conf_set_dr_msg_cb(conf, on_watched);
	producer = rd_kafka_new(RD_KAFKA_PRODUCER, conf, error, sizeof(error));
	if (producer == NULL)
		die("producer", error);

	while (!stopped)
	{
		double		now = now_ms();
		ssize_t		n;

		if (now - sent >= 5)
		{
			sent = now;
			if (rd_kafka_producev(producer, RD_KAFKA_V_TOPIC(topic), RD_KAFKA_V_PARTITION(0),
								  RD_KAFKA_V_VALUE(value, (size_t) size), RD_KAFKA_V_MSGFLAGS(0),
								  RD_KAFKA_V_OPAQUE((void *) (intptr_t) (now * 1000)), RD_KAFKA_V_END))
				die("produce", "refused");
		}
		rd_kafka_poll(producer, 0);
		n = rd_kafka_consume_batch_queue(queue, 1, batch, 10000);
		for (ssize_t i = 0; i < n; i++)
			rd_kafka_message_destroy(batch[i]);
		if (n > 0)
		{
			now = now_ms();
			if (came == 0)
				longest_ack = 0;	/* connecting doesn't count */
			else if (now - came > longest)
				longest = now - came;
			came = now;
		}
	}
	rd_kafka_flush(producer, 60000);
	printf("%.1f %.1f\n", longest, longest_ack);
	rd_kafka_queue_destroy(queue);
	rd_kafka_consumer_close(consumer);
	rd_kafka_destroy(consumer);
	rd_kafka_destroy(producer);
}

/* ---------- groups ---------- */

static char *
new_group(void)
{
	static char name[64];

	snprintf(name, sizeof(name), "bench-%d-%.0f", (int) getpid(), now_ms());
	return name;
}

static rd_kafka_t *
new_member(const char *bootstrap, const char *topic, const char *group)
{
	rd_kafka_conf_t *conf = consumer_conf(bootstrap, group);
	rd_kafka_topic_partition_list_t *list = rd_kafka_topic_partition_list_new(1);
	char		error[256];
	rd_kafka_t *rk;

	set(conf, "auto.offset.reset", "earliest");
	set(conf, "session.timeout.ms", "6000");
	set(conf, "heartbeat.interval.ms", "500");
	rk = rd_kafka_new(RD_KAFKA_CONSUMER, conf, error, sizeof(error));
	if (rk == NULL)
		die("consumer", error);
	rd_kafka_poll_set_consumer(rk);
	rd_kafka_topic_partition_list_add(list, topic, RD_KAFKA_PARTITION_UA);
	if (rd_kafka_subscribe(rk, list))
		die("consumer", "subscribe failed");
	rd_kafka_topic_partition_list_destroy(list);
	return rk;
}

static void
group(const char *bootstrap, const char *topic, int consumers, int64_t records)
{
	const char *name = new_group();
	rd_kafka_t *members[64];
	rd_kafka_queue_t *queues[64];
	static rd_kafka_message_t *batch[10000];
	int64_t		got = 0,
				bytes = 0;
	double		start = 0,
				last = now_ms();

	for (int i = 0; i < consumers; i++)
	{
		members[i] = new_member(bootstrap, topic, name);
		queues[i] = rd_kafka_queue_get_consumer(members[i]);
	}
	while (got < records)
	{
		bool		any = false;	/* who has nothing is waited for, a ms, unless another has something */

		for (int i = 0; i < consumers; i++)
		{
			ssize_t		n = rd_kafka_consume_batch_queue(queues[i], any ? 0 : 1, batch, 10000);

			for (ssize_t k = 0; k < n; k++)
			{
				if (batch[k]->err == 0)
				{
					got++;
					bytes += batch[k]->len;
				}
				rd_kafka_message_destroy(batch[k]);
			}
			any = any || n > 0;
		}
		if (any)
			last = now_ms();
		else if (now_ms() - last > 60000)
			die("group", "nothing came for a minute");
		if (start == 0 && got > 0)
			start = now_ms();
	}
	report(now_ms() - start, got, bytes, false);
	for (int i = 0; i < consumers; i++)
	{
		rd_kafka_queue_destroy(queues[i]);
		rd_kafka_consumer_close(members[i]);
		rd_kafka_destroy(members[i]);
	}
}

static int64_t committed;

static void
on_commit(rd_kafka_t *rk, rd_kafka_resp_err_t err, rd_kafka_topic_partition_list_t *offsets, void *opaque)
{
	(void) rk;
	(void) offsets;
	if (err)
		die("commit", rd_kafka_err2str(err));
	latency[committed] = now_ms() - *(double *) opaque;
	committed++;
}

static void
commits(const char *bootstrap, const char *topic, int64_t records)
{
	rd_kafka_conf_t *conf = consumer_conf(bootstrap, new_group());
	rd_kafka_topic_partition_list_t *list = rd_kafka_topic_partition_list_new(1);
	rd_kafka_queue_t *queue;
	char		error[256];
	rd_kafka_t *rk = rd_kafka_new(RD_KAFKA_CONSUMER, conf, error, sizeof(error));
	double	   *sent = calloc(records, sizeof(double));
	double		start;
	int64_t		under_way = 0;

	latency = calloc(records, sizeof(double));
	if (rk == NULL || sent == NULL || latency == NULL)
		die("consumer", error);
	queue = rd_kafka_queue_new(rk);
	rd_kafka_topic_partition_list_add(list, topic, 0)->offset = 1;
	if (rd_kafka_commit(rk, list, 0))
		die("commit", "the first failed");
	start = now_ms();
	while (committed < records)
	{
		while (under_way < records && under_way - committed < 100)
		{
			list->elems[0].offset = under_way + 1;
			sent[under_way] = now_ms();
			if (rd_kafka_commit_queue(rk, list, queue, on_commit, &sent[under_way]))
				die("commit", "refused");
			under_way++;
		}
		rd_kafka_queue_poll_callback(queue, 10);
	}
	report(now_ms() - start, records, 0, true);
	rd_kafka_topic_partition_list_destroy(list);
	rd_kafka_queue_destroy(queue);
	rd_kafka_consumer_close(rk);
	rd_kafka_destroy(rk);
}

/* How many partitions a member has now; it is polled. */
static int
assigned(rd_kafka_t *rk)
{
	rd_kafka_message_t *m = rd_kafka_consumer_poll(rk, 1);
	rd_kafka_topic_partition_list_t *list;
	int			n = 0;

	if (m)
		rd_kafka_message_destroy(m);
	if (rd_kafka_assignment(rk, &list) == 0)
	{
		n = list->cnt;
		rd_kafka_topic_partition_list_destroy(list);
	}
	return n;
}

static void
death(const char *bootstrap, const char *topic, int partitions)
{
	char	   *name = new_group();
	pid_t		child = fork();
	rd_kafka_t *rk = new_member(bootstrap, topic, name);
	double		start = now_ms();

	if (child == 0)
		for (;;)
			(void) assigned(rk);
	while (assigned(rk) != partitions / 2)
	{
		if (now_ms() - start > 60000)
		{
			kill(child, SIGKILL);
			die("death", "the partitions were not shared");
		}
	}
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	start = now_ms();
	while (assigned(rk) != partitions)
	{
		if (now_ms() - start > 60000)
			die("death", "the partitions were not given back");
	}
	report(now_ms() - start, 0, 0, false);
	rd_kafka_consumer_close(rk);
	rd_kafka_destroy(rk);
}

int
main(int argc, char **argv)
{
	int			partitions,
				size;
	int64_t		records;

	if (argc != 7)
		die("usage", "client MODE BOOTSTRAP TOPIC PARTITIONS SIZE RECORDS");
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
	else if (strcmp(argv[1], "watch") == 0)
		watch(argv[2], argv[3], size);
	else if (strcmp(argv[1], "group") == 0 && partitions <= 64)
		group(argv[2], argv[3], partitions, records);
	else if (strcmp(argv[1], "commits") == 0)
		commits(argv[2], argv[3], records);
	else if (strcmp(argv[1], "death") == 0)
		death(argv[2], argv[3], partitions);
	else
		die("usage", argv[1]);
	return failed ? 1 : 0;
}
