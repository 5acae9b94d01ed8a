-- What CREATE EXTENSION makes, and who may use it.
BEGIN;
SELECT plan(36);

SELECT has_schema('broker');
SELECT has_schema('topic');
SELECT has_extension('pg_broker');
SELECT is((SELECT amtype::text FROM pg_am WHERE amname = 'broker_log'), 't', 'broker_log is a table access method');
SELECT has_composite('broker', 'header', 'type of headers');

SELECT has_view('broker', 'topics', 'view of topics');
SELECT has_view('broker', 'partitions', 'view of partitions');
SELECT has_view('broker', 'topic_config', 'view of settings');
SELECT has_view('broker', 'listeners', 'view of listeners');
SELECT has_view('broker', 'connections', 'view of connections');

SELECT has_function('broker', 'create_topic', ARRAY['text', 'integer', 'jsonb', 'regtype', 'regtype']);
SELECT has_function('broker', 'alter_topic', ARRAY['text', 'integer', 'jsonb']);
SELECT has_function('broker', 'drop_topic', ARRAY['text']);
SELECT has_function('broker', 'produce', ARRAY['text', 'text', 'text', 'broker.header[]', 'integer', 'timestamp with time zone']);
SELECT has_function('broker', 'produce', ARRAY['text', 'bytea', 'bytea', 'broker.header[]', 'integer', 'timestamp with time zone']);
SELECT has_function('broker', 'last_produced', '{}'::name[]);
SELECT has_function('broker', 'fetch', ARRAY['text', 'integer', 'bigint', 'integer', 'interval']);

-- every object has a comment
SELECT is_empty($$
	SELECT p.oid::regprocedure FROM pg_proc p
	WHERE p.pronamespace = 'broker'::regnamespace AND obj_description(p.oid, 'pg_proc') IS NULL
$$, 'every function has a comment');
SELECT is_empty($$
	SELECT c.oid::regclass FROM pg_class c
	WHERE c.relnamespace = 'broker'::regnamespace AND c.relkind IN ('r', 'v', 'S') AND obj_description(c.oid, 'pg_class') IS NULL
$$, 'every table, view and sequence has a comment');

-- a topic's columns
SELECT lives_ok($$SELECT broker.create_topic('pgtap.topic', partitions => 2, key_type => 'text', value_type => 'json')$$);
SELECT has_table('topic', 'pgtap.topic', 'the topic is a table');
SELECT columns_are('topic', 'pgtap.topic', ARRAY['partition', 'log_offset', 'ts', 'key', 'value', 'headers']);
SELECT col_type_is('topic', 'pgtap.topic', 'log_offset', 'bigint', 'offsets are bigint');
SELECT col_type_is('topic', 'pgtap.topic', 'key', 'text', 'key as asked');
SELECT col_type_is('topic', 'pgtap.topic', 'value', 'json', 'value as asked');
SELECT results_eq($$SELECT name, partitions FROM broker.topics WHERE name = 'pgtap.topic'$$,
	$$VALUES ('pgtap.topic', 2)$$, 'the view shows it');
SELECT results_eq($$SELECT partition, log_start_offset, high_watermark, end_offset FROM broker.partitions WHERE topic = 'pgtap.topic' ORDER BY 1$$,
	$$VALUES (0, 0::bigint, 0::bigint, 0::bigint), (1, 0::bigint, 0::bigint, 0::bigint)$$, 'its partitions are empty');

-- errors
SELECT throws_ok($$SELECT broker.create_topic('pgtap.topic')$$, '42P07', NULL, 'a topic exists once');
SELECT throws_ok($$SELECT broker.drop_topic('no-such-topic')$$, '42P01', NULL, 'what is not there can''t be dropped');
SELECT throws_ok($$UPDATE topic."pgtap.topic" SET key = 'x'$$, '0A000', NULL, 'UPDATE is refused');
SELECT throws_ok($$INSERT INTO topic."pgtap.topic" (value) VALUES ('{')$$, '22P02', NULL, 'json is checked');

-- privileges
CREATE ROLE pgtap_reader;
CREATE ROLE pgtap_nobody;
GRANT SELECT ON topic."pgtap.topic" TO pgtap_reader;
SET LOCAL ROLE pgtap_reader;
SELECT lives_ok($$SELECT * FROM topic."pgtap.topic"$$, 'SELECT is enough to read');
SELECT throws_ok($$SELECT broker.produce('pgtap.topic', '1'::text)$$, '42501', NULL, 'but not to produce by the function');
SELECT throws_ok($$SELECT broker.create_topic('pgtap.mine')$$, '42501', NULL, 'nor to create topics');
RESET ROLE;
SET LOCAL ROLE pgtap_nobody;
SELECT throws_ok($$SELECT * FROM broker.fetch('pgtap.topic', 0, 0)$$, '42501', NULL, 'no way around by broker.fetch');
SELECT is_empty($$SELECT * FROM broker.topics WHERE name = 'pgtap.topic'$$, 'others don''t see it in the view');
RESET ROLE;

SELECT * FROM finish();
ROLLBACK;
