-- What users and tools may rely on: functions, their arguments and privileges, columns of topics.
BEGIN;
SELECT plan(35);

-- producing and reading
SELECT has_function('broker', 'produce', ARRAY['text', 'text', 'text', 'broker.header[]', 'integer', 'timestamp with time zone']);
SELECT has_function('broker', 'produce', ARRAY['text', 'bytea', 'bytea', 'broker.header[]', 'integer', 'timestamp with time zone']);
SELECT function_returns('broker', 'produce',
	ARRAY['text', 'text', 'text', 'broker.header[]', 'integer', 'timestamp with time zone'], 'integer');
SELECT volatility_is('broker', 'produce',
	ARRAY['text', 'text', 'text', 'broker.header[]', 'integer', 'timestamp with time zone'], 'volatile');
SELECT has_function('broker', 'fetch', ARRAY['text', 'integer', 'bigint', 'integer', 'interval']);
SELECT function_returns('broker', 'fetch', ARRAY['text', 'integer', 'bigint', 'integer', 'interval'], 'setof record');
SELECT volatility_is('broker', 'fetch', ARRAY['text', 'integer', 'bigint', 'integer', 'interval'], 'volatile');
SELECT is_strict('broker', 'fetch', ARRAY['text', 'integer', 'bigint', 'integer', 'interval']);
SELECT function_returns('broker', 'last_produced', '{}'::name[], 'setof record');
SELECT is(string_agg(format('%s %s', proname, proparallel), ', ' ORDER BY proname),
	'fetch r, last_produced r, produce u, produce u', 'none of them runs in a parallel worker')
FROM pg_proc WHERE pronamespace = 'broker'::regnamespace AND proname IN ('produce', 'last_produced', 'fetch');

-- the type of headers
SELECT has_type('broker', 'header', 'broker.header exists');
SELECT is(string_agg(format('%s %s', attname, format_type(atttypid, atttypmod)), ', ' ORDER BY attnum),
	'key text, value bytea', 'a header is a key and a value')
FROM pg_attribute WHERE attrelid = 'broker.header'::regclass;

-- topics
SELECT lives_ok($$SELECT broker.create_topic('tapped', 2, key_type => 'text', value_type => 'json')$$, 'a topic is made');
SELECT has_table('topic', 'tapped', 'it is a table');
SELECT is(string_agg(format('%s %s', attname, format_type(atttypid, atttypmod)), ', ' ORDER BY attnum),
	'partition integer, log_offset bigint, ts timestamp with time zone, key text, value json, headers broker.header[]',
	'its columns')
FROM pg_attribute WHERE attrelid = 'topic.tapped'::regclass AND attnum > 0;
SELECT is(amname::text, 'broker_log', 'its access method') FROM pg_class c JOIN pg_am a ON a.oid = relam
	WHERE c.oid = 'topic.tapped'::regclass;
SELECT isnt(relfrozenxid, '0'::xid, 'its relfrozenxid is real') FROM pg_class WHERE oid = 'topic.tapped'::regclass;
SELECT is(reltoastrelid, 0::oid, 'it has no TOAST table') FROM pg_class WHERE oid = 'topic.tapped'::regclass;
SELECT is_empty($$SELECT * FROM topic.tapped$$, 'it is empty');
SELECT ok(pg_relation_size('topic.tapped') > 0, 'but has a file');

-- a transaction doesn't see what it produces, and is told so by RETURNING
SELECT is((SELECT broker.produce('tapped', '{}', 'a')), 0, 'Java''s clients, too, put key a of two partitions into 0');
PREPARE returning_offset AS INSERT INTO topic.tapped (key, value) VALUES ('a', '{}') RETURNING log_offset;
SELECT results_eq('returning_offset', ARRAY[NULL::bigint], 'no offset before the commit');
SELECT is_empty($$SELECT * FROM topic.tapped$$, 'nothing is seen before the commit');
SELECT is_empty($$SELECT * FROM broker.fetch('tapped', 0, 0)$$, 'nor fetched');

-- errors have SQLSTATEs that a program can tell apart
SELECT throws_ok($$INSERT INTO topic.tapped (partition) VALUES (2)$$, '22023', NULL, 'no such partition');
SELECT throws_ok($$INSERT INTO topic.tapped (ts) VALUES ('infinity')$$, '22008', NULL, 'no such time');
SELECT throws_ok($$INSERT INTO topic.tapped (value) SELECT to_json(repeat('x', 2000000))$$, '54000', NULL, 'too large');
SELECT throws_ok($$SELECT broker.produce('tapped', 'no json')$$, '22P02', NULL, 'not valid for the type');
SELECT throws_ok($$SELECT broker.produce('absent', '{}')$$, '42P01', NULL, 'no such topic');
SELECT throws_ok($$SELECT * FROM broker.fetch('tapped', 0, 1)$$, '22023', NULL, 'no such offset');
SELECT throws_ok($$UPDATE topic.tapped SET key = 'b'$$, '0A000', NULL, 'not for a log');
SELECT throws_ok($$SELECT xmin FROM topic.tapped$$, '0A000', NULL, 'no such system column');

-- privileges
CREATE ROLE tap_nobody;
SELECT table_privs_are('topic', 'tapped', 'tap_nobody', '{}', 'a topic is nobody''s but its owner''s');
SET LOCAL ROLE tap_nobody;
SELECT throws_ok($$SELECT broker.produce('tapped', '{}')$$, '42501', NULL, 'broker.produce() is no way around');
SELECT throws_ok($$SELECT * FROM broker.fetch('tapped', 0, 0)$$, '42501', NULL, 'nor is broker.fetch()');

SELECT * FROM finish();
ROLLBACK;
