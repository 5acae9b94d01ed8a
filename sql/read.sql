-- SELECT: what comes out, and what finds it
\set VERBOSITY terse
SET timezone = 'UTC';
SELECT broker.create_topic('numbers', 3, '{"retention.ms": "-1"}', 'text', 'text');
-- in batches of a second each, so that times ascend
DO $$
BEGIN
	FOR b IN 0..9 LOOP
		INSERT INTO topic.numbers (partition, ts, key, value)
		SELECT p, timestamptz '2020-01-01' + b * interval '1 second' + i * interval '1 ms', i::text,
			format('%s/%s', p, b * 100 + i)
		FROM generate_series(0, 1) p, generate_series(0, 99) i;
		COMMIT;
	END LOOP;
END $$;

-- plans: conditions on partition and log_offset need no filter, those on ts keep theirs
EXPLAIN (COSTS OFF) SELECT * FROM topic.numbers;
EXPLAIN (COSTS OFF) SELECT * FROM topic.numbers WHERE partition = 1 AND log_offset >= 500 AND log_offset < 502;
EXPLAIN (COSTS OFF) SELECT * FROM topic.numbers WHERE 1 = partition AND 500 <= log_offset AND value <> '';
EXPLAIN (COSTS OFF) SELECT * FROM topic.numbers WHERE partition IN (0, 2) AND ts >= '2020-01-01 00:00:09.098';
EXPLAIN (COSTS OFF) SELECT * FROM topic.numbers WHERE partition <> 1 OR log_offset = 1;
EXPLAIN (COSTS OFF) SELECT * FROM topic.numbers WHERE partition = 0 ORDER BY log_offset DESC LIMIT 3;
EXPLAIN (COSTS OFF) SELECT * FROM topic.numbers WHERE partition = 0 ORDER BY log_offset LIMIT 3;
EXPLAIN (COSTS OFF) SELECT * FROM topic.numbers ORDER BY partition, log_offset LIMIT 3;
EXPLAIN (COSTS OFF) SELECT * FROM topic.numbers ORDER BY log_offset LIMIT 3;
-- What the scans of a plan use, without what the majors of PostgreSQL write differently.
CREATE FUNCTION scans(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		IF line ~ '(BrokerLogScan|Partition:|Log Offset:|Time:|Direction:|Limit|Sort|Join|Loop)' THEN
			RETURN NEXT regexp_replace(btrim(line, ' ->'), ':.*| on .*', '');
		END IF;
	END LOOP;
END $$;
SELECT scans('SELECT min(log_offset), max(log_offset) FROM topic.numbers WHERE partition = 0');
SELECT scans($$SELECT n.* FROM (VALUES (0, 5), (1, 6)) v (p, o) JOIN topic.numbers n
	ON n.partition = v.p AND n.log_offset = v.o$$);
SELECT scans($$SELECT n.* FROM (VALUES (0, 5, 7), (1, 6, 8)) v (p, a, b) JOIN topic.numbers n
	ON n.partition = v.p AND n.log_offset > v.a AND n.log_offset <= v.b$$);

-- results
SELECT * FROM topic.numbers WHERE partition = 1 AND log_offset >= 500 AND log_offset < 502;
SELECT partition, log_offset, value FROM topic.numbers WHERE log_offset IN (3, 997, 5000);
SELECT partition, log_offset, value FROM topic.numbers
WHERE partition IN (0, 2, 7) AND ts >= '2020-01-01 00:00:09.0975';
SELECT count(*), min(value), max(value) FROM topic.numbers
WHERE ts > '2020-01-01 00:00:03.05' AND ts < '2020-01-01 00:00:04';
SELECT partition, log_offset FROM topic.numbers WHERE partition = 0 ORDER BY log_offset DESC LIMIT 3;
SELECT partition, log_offset FROM topic.numbers ORDER BY partition DESC, log_offset DESC LIMIT 3;
SELECT partition, log_offset FROM topic.numbers WHERE partition = 1 AND log_offset < 201 ORDER BY log_offset DESC LIMIT 3;
SELECT min(log_offset), max(log_offset), count(*) FROM topic.numbers WHERE partition = 1;
SELECT min(log_offset), max(log_offset), count(*) FROM topic.numbers WHERE partition = 2;
SELECT n.partition, n.log_offset, n.value FROM (VALUES (0, 5), (1, 6)) v (p, o) JOIN topic.numbers n
	ON n.partition = v.p AND n.log_offset = v.o;
CREATE TABLE outer_rows AS SELECT * FROM (VALUES (0, 5, 7), (1, 6, 8)) v (p, a, b);
SELECT n.partition, n.log_offset, n.value FROM outer_rows v JOIN topic.numbers n
	ON n.partition = v.p AND n.log_offset > v.a AND n.log_offset <= v.b ORDER BY 1, 2;
DROP TABLE outer_rows;
SELECT count(*) FROM topic.numbers a JOIN topic.numbers b USING (log_offset) WHERE a.partition = 0 AND b.partition = 1;
-- nothing fulfils these
SELECT count(*) FROM topic.numbers WHERE partition = NULL;
SELECT count(*) FROM topic.numbers WHERE partition = 0 AND partition = 1;
SELECT count(*) FROM topic.numbers WHERE log_offset < 0;
SELECT count(*) FROM topic.numbers WHERE log_offset > 9223372036854775807;
SELECT count(*) FROM topic.numbers WHERE log_offset = ANY (NULL::bigint[]);
SELECT count(*) FROM topic.numbers WHERE partition = 5000000000;
SELECT count(*) FROM topic.numbers WHERE ts > 'infinity';
-- everything fulfils these
SELECT count(*) FROM topic.numbers WHERE log_offset IS NOT NULL AND partition >= -5;
SELECT count(*) FROM topic.numbers WHERE ts > '-infinity' AND ts < 'infinity';
-- counting whole batches and parts of them
SELECT count(*) FROM topic.numbers WHERE log_offset BETWEEN 150 AND 349;
SELECT count(*), 'constant' FROM topic.numbers GROUP BY 2;
-- offsets alone are told by the headers of batches, too
SELECT partition, min(log_offset), max(log_offset), count(*), sum(log_offset)
FROM topic.numbers WHERE log_offset BETWEEN 150 AND 349 GROUP BY partition ORDER BY partition;
SELECT log_offset FROM topic.numbers WHERE partition = 1 AND log_offset BETWEEN 198 AND 301
ORDER BY log_offset DESC LIMIT 3;
-- a subquery's result finds the place, too
SELECT scans($$SELECT * FROM topic.numbers
WHERE partition = 0 AND log_offset > (SELECT max(log_offset) - 2 FROM topic.numbers WHERE partition = 1)$$);
SELECT log_offset FROM topic.numbers
WHERE partition = 0 AND log_offset > (SELECT max(log_offset) - 2 FROM topic.numbers WHERE partition = 1);
-- rows as a whole, and as a source
SELECT n FROM topic.numbers n WHERE partition = 0 AND log_offset = 42;
CREATE TEMP TABLE copied AS SELECT * FROM topic.numbers WHERE partition = 1;
SELECT count(*), count(DISTINCT value), sum(length(value)) FROM copied;
SELECT count(*) FROM (SELECT partition, log_offset, ts, key, value FROM topic.numbers WHERE partition = 1
	EXCEPT SELECT partition, log_offset, ts, key, value FROM copied) s;
DROP TABLE copied;
-- parameters
PREPARE numbers (int, bigint) AS SELECT count(*) FROM topic.numbers WHERE partition = $1 AND log_offset < $2;
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE numbers (0, 10);
EXECUTE numbers (0, 10);
EXECUTE numbers (1, 250);
EXECUTE numbers (1, NULL);
RESET plan_cache_mode;
SELECT o, (SELECT value FROM topic.numbers WHERE partition = 0 AND log_offset = o)
FROM generate_series(998, 1001) o;

-- the rows of a cursor, there and back
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT partition, log_offset FROM topic.numbers WHERE log_offset < 3;
FETCH 2 FROM c;
FETCH BACKWARD 1 FROM c;
FETCH LAST FROM c;
COMMIT;

-- pages read grow with the answer, not with the topic
CREATE FUNCTION pages_read(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ' || query INTO plan;
	RETURN (plan->0->'Plan'->>'Shared Hit Blocks')::int + (plan->0->'Plan'->>'Shared Read Blocks')::int;
END $$;
INSERT INTO topic.numbers (partition, value) SELECT 2, repeat('x', 1000) FROM generate_series(1, 20000);
SELECT pages_read('SELECT sum(length(value)) FROM topic.numbers WHERE partition = 2') > 2000 AS everything,
	pages_read('SELECT count(*) FROM topic.numbers WHERE partition = 2') < 500 AS count,
	pages_read('SELECT * FROM topic.numbers WHERE partition = 2 AND log_offset = 10000') < 100 AS one,
	pages_read('SELECT * FROM topic.numbers WHERE partition = 2 ORDER BY log_offset DESC LIMIT 10') < 100 AS last_ten,
	pages_read('SELECT max(log_offset) FROM topic.numbers WHERE partition = 2') < 100 AS max;
-- a range of times has an end, too: what is known to be younger isn't read
SELECT broker.create_topic('times', 1, '{"retention.ms": "-1"}', value_type => 'text');
DO $$
BEGIN
	FOR h IN 0..99 LOOP
		INSERT INTO topic.times (ts, value)
		SELECT timestamptz '2020-01-01' + h * interval '1 hour' + i * interval '1 s', repeat('x', 1000)
		FROM generate_series(0, 199) i;
		COMMIT;
	END LOOP;
END $$;
SELECT count(*), min(log_offset), max(log_offset) FROM topic.times
WHERE ts BETWEEN '2020-01-02' AND '2020-01-02 01:00';
SELECT count(*), min(log_offset), max(log_offset) FROM topic.times WHERE ts < '2020-01-01 02:00';
SELECT log_offset FROM topic.times WHERE partition = 0 AND ts < '2020-01-01 02:00' ORDER BY log_offset DESC LIMIT 1;
SELECT pages_read('SELECT value FROM topic.times') > 2000 AS everything,
	pages_read($$SELECT value FROM topic.times WHERE ts BETWEEN '2020-01-02' AND '2020-01-02 01:00'$$) < 1200 AS range,
	pages_read($$SELECT value FROM topic.times WHERE ts < '2020-01-01 02:00'$$) < 600 AS first,
	pages_read($$SELECT value FROM topic.times WHERE ts >= '2020-01-05'$$) < 600 AS last;
DROP TABLE topic.times;

-- parallel scans see the same
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
EXPLAIN (COSTS OFF) SELECT count(*) FROM topic.numbers WHERE log_offset >= 10;
SELECT count(*), count(DISTINCT (partition, log_offset)) FROM topic.numbers WHERE log_offset >= 10;
EXPLAIN (COSTS OFF) SELECT sum(log_offset) FROM topic.numbers WHERE value <> '';
SELECT sum(log_offset), count(*) FROM topic.numbers WHERE value <> '';
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
RESET max_parallel_workers_per_gather;

-- a topic among others in UPDATE and DELETE
CREATE TABLE seen (partition int, log_offset bigint, value text);
INSERT INTO seen VALUES (0, 1), (0, 2), (1, 3);
UPDATE seen SET value = n.value FROM topic.numbers n
WHERE n.partition = seen.partition AND n.log_offset = seen.log_offset;
SELECT * FROM seen ORDER BY 1, 2;
DELETE FROM seen USING topic.numbers n
WHERE n.partition = seen.partition AND n.log_offset = seen.log_offset AND n.value = '0/1';
SELECT count(*) FROM seen;
DROP TABLE seen;

-- system columns
SELECT tableoid::regclass, ctid FROM topic.numbers WHERE partition = 1 AND log_offset = 7;
SELECT xmin FROM topic.numbers;

-- statistics
ANALYZE topic.numbers;
SELECT reltuples BETWEEN 21990 AND 22000 AS reltuples FROM pg_class WHERE oid = 'topic.numbers'::regclass;
SELECT attname, n_distinct, null_frac, most_common_vals FROM pg_stats
WHERE schemaname = 'topic' AND tablename = 'numbers' AND attname IN ('partition', 'headers') ORDER BY attname;

-- the five codecs
CREATE FUNCTION test_codec(codec text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM broker.create_topic('codec', 1, jsonb_build_object('compression.type', codec), 'text', 'text');
	INSERT INTO topic.codec (key, value) SELECT i::text, repeat('value ' || i, 10) FROM generate_series(1, 20000) i;
	INSERT INTO topic.codec (key, value) VALUES ('large', repeat('0123456789', 100000));
	RETURN 'produced';
END $$;
CREATE FUNCTION codec_result() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN format('%s records, %s, backwards %s, packed %s', count(*),
		CASE WHEN md5(string_agg(key || value, ',' ORDER BY log_offset)) =
			(SELECT md5(string_agg(i || repeat('value ' || i, 10), ',' ORDER BY i) || ',large' || repeat('0123456789', 100000))
			 FROM generate_series(1, 20000) i) THEN 'as inserted' ELSE 'different' END,
		(SELECT string_agg(key, ' ') FROM (SELECT key FROM topic.codec WHERE partition = 0 ORDER BY log_offset DESC LIMIT 3) s),
		pg_relation_size('topic.codec') < 2000000)
	FROM topic.codec;
END $$;
SELECT test_codec('none'); -- not one of Kafka's names for topics
SELECT test_codec('uncompressed');
SELECT codec_result();
DROP TABLE topic.codec;
SELECT test_codec('gzip');
SELECT codec_result();
DROP TABLE topic.codec;
SELECT test_codec('snappy');
SELECT codec_result();
DROP TABLE topic.codec;
SELECT test_codec('lz4');
SELECT codec_result();
DROP TABLE topic.codec;
SELECT test_codec('zstd');
SELECT codec_result();
DROP TABLE topic.codec;

DROP FUNCTION test_codec(text);
DROP FUNCTION codec_result();
DROP FUNCTION pages_read(text);
DROP FUNCTION scans(text);
DROP TABLE topic.numbers;
