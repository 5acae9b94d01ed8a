--
-- Topics are created, changed and dropped by SQL functions and by DDL.
--
SELECT broker.create_topic('orders', 3, '{"retention.ms": 1000, "compression.type": "zstd"}', 'text', 'json');
\d topic.orders
SELECT name, "table", partitions, owner = current_user AS mine, key_type, value_type, topic_id IS NOT NULL AS has_id
FROM broker.topics;
SELECT * FROM broker.partitions;
SELECT topic, name, value, source, default_value, effective FROM broker.topic_config WHERE source = 'topic';
SELECT name, value, source, default_value, effective FROM broker.topic_config
WHERE name IN ('cleanup.policy', 'flush.ms', 'retention.bytes');

-- settings: Kafka's names and checks, null resets, values are kept in Kafka's form
SELECT broker.alter_topic('orders', config => '{"retention.ms": null, "retention.bytes": " 5000 ", "min.insync.replicas": 2}');
SELECT name, value FROM broker.topic_config WHERE source = 'topic';
SELECT broker.alter_topic('orders', config => '{"no.such.setting": 1}');
SELECT broker.alter_topic('orders', config => '{"retention.ms": "long"}');
SELECT broker.alter_topic('orders', config => '{"retention.ms": -2}');
SELECT broker.alter_topic('orders', config => '{"compression.type": ["zstd"]}');
SELECT broker.alter_topic('orders', config => '[]');
SELECT broker.create_topic('wrong', config => '{"segment.ms": 0}');
SELECT name, value FROM broker.topic_config WHERE source = 'topic';

INSERT INTO broker.topic_settings VALUES ('topic.orders', 'retention.ms', '1');
TRUNCATE broker.topic_names;

-- partitions only grow, and a rollback takes them back
SELECT broker.alter_topic('orders', 2);
SELECT broker.alter_topic('orders', 3);
SELECT broker.alter_topic('orders', 100001);
BEGIN;
SELECT broker.alter_topic('orders', partitions => 4);
SELECT partitions FROM broker.topics;
SAVEPOINT s;
SELECT broker.alter_topic('orders', partitions => 6);
SELECT partitions FROM broker.topics;
ROLLBACK TO s;
SELECT partitions FROM broker.topics;
ROLLBACK;
SELECT partitions FROM broker.topics;
BEGIN;
SAVEPOINT s;
SELECT broker.alter_topic('orders', partitions => 4);
RELEASE s;
COMMIT;
SELECT partitions FROM broker.topics;
SELECT count(*) FROM broker.partitions;
SELECT topic_id AS id FROM broker.topics \gset
TRUNCATE topic.orders;
SELECT partitions, topic_id = :'id' AS same_id FROM broker.topics;

-- names
SELECT broker.create_topic('a.b-C_1');
SELECT broker.create_topic('a_b-C.1');
SELECT broker.create_topic('a.b-C_1');
SELECT broker.create_topic('or/ders');
SELECT broker.create_topic('');
SELECT broker.create_topic('..');
SELECT broker.create_topic(repeat('x', 250));
SELECT broker.create_topic(NULL);
SELECT broker.create_topic(repeat('long.', 40));
SELECT name, "table" FROM broker.topics WHERE length(name) > 63;
SELECT broker.create_topic(repeat('long.', 40));
SELECT broker.create_topic(repeat('long_', 40));
SELECT broker.alter_topic(repeat('long.', 40), 2);
SELECT broker.create_topic(repeat('long.', 40) || 'x');
SELECT count(*) FROM broker.topics;
CREATE TABLE topic."a_b-C_1" (partition int, log_offset bigint, ts timestamptz, key bytea, value bytea,
	headers broker.header[]) USING broker_log;

-- types, counts
SELECT broker.create_topic('wrong', key_type => 'json');
SELECT broker.create_topic('wrong', value_type => 'jsonb');
SELECT broker.create_topic('wrong', 0);
SELECT broker.alter_topic('wrong', 2);
SELECT broker.drop_topic('wrong');

-- a dropped topic leaves nothing behind, whatever way it goes; a rollback brings all back
BEGIN;
SELECT broker.drop_topic('orders');
SELECT count(*) FROM broker.topic_settings;
ROLLBACK;
SELECT name, value FROM broker.topic_config WHERE source = 'topic';
BEGIN;
SELECT broker.create_topic('passing', config => '{"retention.ms": 5}');
ROLLBACK;
SELECT topic, name FROM broker.topic_settings ORDER BY name;
DROP TABLE topic.orders;
SELECT broker.drop_topic(repeat('long.', 40));
SELECT topic, name, value FROM broker.topic_settings;
SELECT length(name) FROM broker.topic_names;
SELECT broker.drop_topic('a.b-C_1');
SELECT broker.drop_topic(repeat('long.', 40) || 'x');

-- plain DDL makes a topic with one partition
CREATE TABLE topic.plain (partition int, log_offset bigint, ts timestamptz, key text, value bytea,
	headers broker.header[]) USING broker_log;
SELECT name, partitions, key_type, value_type FROM broker.topics;
SELECT name, value FROM broker.topic_config WHERE source = 'topic';
SELECT broker.alter_topic('plain', config => '{"retention.ms": null}');
CREATE TABLE IF NOT EXISTS topic.plain (partition int, log_offset bigint, ts timestamptz, key text, value bytea,
	headers broker.header[]) USING broker_log;
SELECT name, value FROM broker.topic_config WHERE source = 'topic';
DROP TABLE topic.plain;

-- privileges: CREATE on the schema to create, ownership to change, SELECT or INSERT to see
SET client_min_messages = warning;
DROP ROLE IF EXISTS regress_topic_owner, regress_topic_reader;
RESET client_min_messages;
CREATE ROLE regress_topic_owner;
CREATE ROLE regress_topic_reader;
SET ROLE regress_topic_owner;
SELECT broker.create_topic('owned');
RESET ROLE;
GRANT CREATE ON SCHEMA topic TO regress_topic_owner;
SET ROLE regress_topic_owner;
SELECT broker.create_topic('owned', config => '{"retention.ms": 5}');
SELECT name, owner FROM broker.topics;
SELECT count(*) FROM broker.topic_settings;
SET ROLE regress_topic_reader;
SELECT name FROM broker.topics;
SELECT count(*) FROM broker.topic_config;
SELECT count(*) FROM broker.partitions;
SELECT * FROM broker.topic_info('topic.owned');
SELECT * FROM broker.topic_config_info('topic.owned');
SELECT * FROM broker.partition_info('topic.owned');
SELECT broker.alter_topic('owned', 2);
SELECT broker.alter_topic('owned', config => '{"retention.ms": 6}');
SELECT broker.drop_topic('owned');
SET ROLE regress_topic_owner;
GRANT INSERT ON topic.owned TO regress_topic_reader;
SET ROLE regress_topic_reader;
SELECT name FROM broker.topics;
SELECT value FROM broker.topic_config WHERE name = 'retention.ms';
SELECT broker.alter_topic('owned', 2);
RESET ROLE;
DROP OWNED BY regress_topic_owner CASCADE;
DROP ROLE regress_topic_owner, regress_topic_reader;
SELECT count(*) FROM broker.topics;
SELECT count(*) FROM broker.topic_settings;

-- not in a read-only transaction
BEGIN READ ONLY;
SELECT broker.create_topic('wrong');
ROLLBACK;

-- everything that users see is explained
SELECT p.oid::regprocedure FROM pg_proc p
WHERE p.pronamespace = 'broker'::regnamespace AND obj_description(p.oid, 'pg_proc') IS NULL;
SELECT c.oid::regclass FROM pg_class c
WHERE c.relnamespace = 'broker'::regnamespace AND c.relkind IN ('r', 'v')
	AND obj_description(c.oid, 'pg_class') IS NULL;
