-- INSERT, COPY and broker.produce()
\set VERBOSITY terse
SET timezone = 'UTC';

SELECT broker.create_topic('produced', 3, '{"retention.ms": "-1"}', 'text', 'text');

-- the partition is chosen by the key, as Kafka's Java clients choose it; offsets come at commit
INSERT INTO topic.produced (key, value, ts)
VALUES ('a', 'one', '2020-01-01'), ('b', 'two', '2020-01-02'), ('c', 'three', '2020-01-03 00:00:00.0019'),
	('a', NULL, '2020-01-04')
RETURNING partition, log_offset, ts, key, value, headers;
SELECT * FROM topic.produced;

-- where they went
SELECT * FROM broker.last_produced();

-- explicit partitions; the keyless of one transaction stay together
INSERT INTO topic.produced (partition, value) VALUES (2, 'four'), (0, 'five') RETURNING partition, value;
BEGIN;
INSERT INTO topic.produced (value) SELECT 'keyless' FROM generate_series(1, 10);
SELECT broker.produce('produced', 'keyless') IS NOT NULL AS has_partition;
COMMIT;
SELECT count(DISTINCT partition), count(*) FROM topic.produced WHERE value = 'keyless';
SELECT count(*), sum(last_offset - first_offset + 1) FROM broker.last_produced();

-- keyless transactions take turns
SELECT broker.create_topic('turns', 3, value_type => 'text');
DO $$
BEGIN
	FOR i IN 1..6 LOOP
		INSERT INTO topic.turns (value) VALUES (i::text);
		COMMIT;
	END LOOP;
END $$;
SELECT partition, count(*) FROM topic.turns GROUP BY partition ORDER BY partition;

-- what can't be a record
INSERT INTO topic.produced (partition, value) VALUES (3, 'no such partition');
INSERT INTO topic.produced (partition, value) VALUES (-1, 'no such partition');
INSERT INTO topic.produced (ts, value) VALUES ('1969-12-31 23:59:59.999', 'too early');
INSERT INTO topic.produced (ts, value) VALUES ('infinity', 'too late');
INSERT INTO topic.produced (value) VALUES (repeat('x', 1048588));
INSERT INTO topic.produced (headers, value) VALUES (ARRAY[NULL]::broker.header[], 'null header');
INSERT INTO topic.produced (headers, value) VALUES (ARRAY[ROW(NULL, 'v')]::broker.header[], 'null key');

-- nor what Kafka's clients could not send: times too far from now
SELECT broker.create_topic('window', config => '{"message.timestamp.before.max.ms": "3600000"}');
INSERT INTO topic.window (ts) VALUES (now() + interval '59 min'), (now() - interval '59 min');
INSERT INTO topic.window (ts) VALUES (now() + interval '61 min');
INSERT INTO topic.window (ts) VALUES (now() - interval '61 min');
DROP TABLE topic.window;

-- compaction needs keys
SELECT broker.create_topic('compacted', config => '{"cleanup.policy": "compact"}', key_type => 'text');
INSERT INTO topic.compacted (key, value) VALUES ('a', '1'), ('', '2'), ('a', NULL);
INSERT INTO topic.compacted (value) VALUES ('no key');
SELECT broker.produce('compacted', 'no key');
DROP TABLE topic.compacted;

-- the default of ts is the clock, in milliseconds
INSERT INTO topic.produced (partition, value) VALUES (0, 'now')
RETURNING ts BETWEEN now() - interval '1 minute' AND now() + interval '1 minute' AS now,
	ts = date_trunc('milliseconds', ts) AS whole_ms;

-- headers: in order, with duplicates, empty and null values
INSERT INTO topic.produced (partition, ts, value, headers) VALUES
	(1, '2020-02-01', 'headers', ARRAY[ROW('k', '\x01'), ROW('k', NULL), ROW('', ''), ROW('k', '\x02')]::broker.header[]),
	(1, '2020-02-02', 'no headers', '{}');
SELECT value, headers, cardinality(headers) AS n, headers[1].key, headers[4].value AS v
FROM topic.produced WHERE partition = 1 AND value LIKE '%headers' ORDER BY log_offset;

-- broker.produce(): the same way
SELECT broker.produce('produced', 'by function', 'b', ARRAY[ROW('h', 'v')]::broker.header[], ts => '2020-03-01');
SELECT broker.produce('produced', '\x6279746573'::bytea, key => '\x62'::bytea, ts => '2020-03-02');
SELECT broker.produce('produced', 'to partition 2', partition => 2, ts => '2020-03-03');
SELECT broker.produce('produced', NULL::text, 'b', ts => '2020-03-04');
SELECT partition, ts, key, value, headers FROM topic.produced WHERE ts >= '2020-03-01' AND ts < '2020-04-01'
ORDER BY ts;
SELECT broker.produce('absent', 'x');
SELECT broker.produce('produced', '\xff'::bytea);
SELECT broker.produce('produced', 'x', partition => 3);
SELECT broker.create_topic('produced_json', value_type => 'json');
SELECT broker.produce('produced_json', '{"a": [1, 2]}');
SELECT broker.produce('produced_json', '{"a": ');
INSERT INTO topic.produced_json (value) SELECT row_to_json(s) FROM (SELECT 1 AS x, 'two' AS y) s;
SELECT log_offset, value, value->'x' AS x FROM topic.produced_json ORDER BY log_offset;
BEGIN READ ONLY;
SELECT broker.produce('produced', 'x');
ROLLBACK;

-- COPY, there and back
TRUNCATE topic.produced;
COPY topic.produced (partition, key, value, ts, headers) FROM stdin;
0	k1	v1	2020-01-01	\N
1	\N	\N	2020-01-02	{"(a,\\"\\\\\\\\x00\\")"}
2	k\\3	tab\there	2020-01-03	\N
\.
SELECT partition, key, value, ts, headers FROM topic.produced;
COPY (SELECT partition, key, value, ts, headers FROM topic.produced) TO stdout;
BEGIN;
TRUNCATE topic.produced;
COPY topic.produced (value) FROM stdin WITH (FREEZE);
frozen
\.
ROLLBACK;

-- nothing of a transaction that fails, whenever that is
CREATE TABLE parent (id int PRIMARY KEY);
CREATE TABLE child (id int REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
TRUNCATE topic.produced;
BEGIN;
INSERT INTO topic.produced (value) VALUES ('with a bad row');
INSERT INTO child VALUES (1);
COMMIT;
BEGIN;
INSERT INTO topic.produced (value) VALUES ('with an error');
SELECT 1 / 0;
COMMIT;
SELECT count(*) FROM topic.produced;
-- a deferred trigger produces, too
CREATE FUNCTION produce_late() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM broker.produce('produced', 'late ' || NEW.id, partition => 0);
	RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER late AFTER INSERT ON parent DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW EXECUTE FUNCTION produce_late();
BEGIN;
INSERT INTO parent VALUES (1), (2);
INSERT INTO topic.produced (partition, value) VALUES (0, 'early');
COMMIT;
SELECT value FROM topic.produced ORDER BY log_offset;
DROP TABLE child, parent;
DROP FUNCTION produce_late();

-- PREPARE TRANSACTION is refused, unless the topic allows it
BEGIN;
INSERT INTO topic.produced (value) VALUES ('prepared');
PREPARE TRANSACTION 'produced';
SELECT broker.alter_topic('produced', config => '{"prepared.transactions.enable": "true"}');
BEGIN;
INSERT INTO topic.produced (partition, value) VALUES (0, 'prepared');
PREPARE TRANSACTION 'produced';
SELECT count(*) FROM topic.produced WHERE value = 'prepared';
COMMIT PREPARED 'produced';
SELECT value FROM topic.produced ORDER BY log_offset;
BEGIN;
INSERT INTO topic.produced (partition, value) VALUES (0, 'rolled back');
PREPARE TRANSACTION 'produced';
ROLLBACK PREPARED 'produced';
SELECT value FROM topic.produced ORDER BY log_offset;

-- LogAppendTime: the time of the commit, whatever the row says
SELECT broker.create_topic('append_time', value_type => 'text', config => '{"message.timestamp.type": "LogAppendTime"}');
INSERT INTO topic.append_time (ts, value) VALUES ('2000-01-01', 'x');
SELECT ts > now() - interval '1 minute' AS now, value FROM topic.append_time;

-- the other partitioner
SELECT broker.create_topic('crc', 10, key_type => 'text', config => '{"partitioner": "crc32"}');
INSERT INTO topic.crc (key) VALUES ('a'), ('b'), ('') RETURNING key, partition;

DROP TABLE topic.produced, topic.produced_json, topic.turns, topic.append_time, topic.crc;
