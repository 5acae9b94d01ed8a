-- Consumer groups in SQL: broker.commit_offsets(), consume(), seek() and what they refuse
\pset format unaligned
SELECT broker.create_topic('cg', 3, value_type => 'text');
INSERT INTO topic.cg (partition, value) SELECT 0, 'v' || i FROM generate_series(0, 9) i;

/* ---------- offsets that commit with the transaction ---------- */

SELECT * FROM broker.committed('cg1', 'cg');
BEGIN;
SELECT broker.commit_offsets('cg1', 'cg', 0, 0, 4);
SELECT * FROM broker.committed('cg1', 'cg');	-- not yet
COMMIT;
SELECT * FROM broker.committed('cg1', 'cg');
BEGIN;
SELECT broker.commit_offsets('cg1', 'cg', 0, 5, 6);
ROLLBACK;
SELECT committed_offset FROM broker.committed('cg1', 'cg') WHERE partition = 0;

-- twice, skipped, not there
\set VERBOSITY default
SELECT broker.commit_offsets('cg1', 'cg', 0, 4, 5);
SELECT broker.commit_offsets('cg1', 'cg', 0, 6, 7);
SELECT broker.commit_offsets('cg1', 'cg', 0, 5, 10);
SELECT broker.commit_all_offsets('cg1', '{cg,cg}', '{0,0}', '{3,8}', '{3,8}');
\set VERBOSITY sqlstate
SELECT broker.commit_offsets('cg1', 'cg', 0, 4, 5);
SELECT broker.commit_offsets('cg1', 'cg', 0, 5, 10);
\set VERBOSITY default
SELECT broker.commit_offsets('cg1', 'cg', 0, 7, 7, allow_skip => true);
SELECT committed_offset FROM broker.committed('cg1', 'cg') WHERE partition = 0;

-- several calls go on from each other, savepoints take them back
BEGIN;
SELECT broker.commit_offsets('cg1', 'cg', 0, 8, 8);
SAVEPOINT a;
SELECT broker.commit_offsets('cg1', 'cg', 0, 9, 9);
ROLLBACK TO a;
SELECT broker.commit_offsets('cg1', 'cg', 0, 8, 8);
ROLLBACK TO a;
COMMIT;
SELECT committed_offset FROM broker.committed('cg1', 'cg') WHERE partition = 0;
BEGIN;
SAVEPOINT a;
SAVEPOINT b;
SELECT broker.commit_offsets('cg1', 'cg', 0, 9, 9);
RELEASE b;
ROLLBACK TO a;
COMMIT;
SELECT committed_offset FROM broker.committed('cg1', 'cg') WHERE partition = 0;
BEGIN;
SAVEPOINT a;
SAVEPOINT b;
SELECT broker.commit_offsets('cg1', 'cg', 0, 9, 9);
RELEASE b;
RELEASE a;
COMMIT;
SELECT committed_offset FROM broker.committed('cg1', 'cg') WHERE partition = 0;

-- holes in the log are not skipped records
BEGIN;
INSERT INTO topic.cg (partition, value) VALUES (1, 'first');
COMMIT;
BEGIN;
INSERT INTO topic.cg (partition, value) VALUES (1, 'never');
ROLLBACK;
INSERT INTO topic.cg (partition, value) VALUES (1, 'second');
SELECT broker.commit_offsets('cg2', 'cg', 1, 0, 0);
SELECT broker.commit_offsets('cg2', 'cg', 1, log_offset, log_offset) FROM topic.cg WHERE value = 'second';

-- arguments
SELECT broker.commit_offsets('', 'cg', 0, 0, 0);
SELECT broker.commit_offsets('cg1', 'none', 0, 0, 0);
SELECT broker.commit_offsets('cg1', 'cg', 3, 0, 0);
SELECT broker.commit_offsets('cg1', 'cg', 0, 1, 0);
SELECT broker.commit_offsets('cg1', 'cg', 0, -1, 0);
SELECT broker.commit_offsets(NULL, 'cg', 0, 0, 0);
SELECT broker.commit_offsets(repeat('x', 256), 'cg', 0, 0, 0);
SELECT broker.commit_offsets('cg1', 'cg', 0, 9, 9, metadata => repeat('x', 5000));
SELECT broker.commit_offsets('cg1', 'cg', 0, 9, 9, member_id => 'nobody');
SELECT broker.commit_offsets('cg1', 'cg', 0, 9, 9, generation => 1);
SELECT broker.commit_all_offsets('cg1', '{cg}', '{0,1}', '{0}', '{0}');
SELECT broker.commit_all_offsets('cg1', '{cg,NULL}', '{0,1}', '{0,0}', '{0,0}');
SELECT broker.commit_all_offsets('cg1', '{}', '{}', '{}', '{}');
BEGIN READ ONLY;
SELECT broker.commit_offsets('cg1', 'cg', 0, 9, 9);
ROLLBACK;

-- the record is the one that Kafka's clients would have made
SELECT encode(key, 'hex') AS key, length(value) AS bytes FROM topic.__consumer_offsets
WHERE substring(key FOR 2) = '\x0001' AND position('cg2'::bytea IN key) > 0 ORDER BY log_offset;

/* ---------- consuming ---------- */

SELECT partition, log_offset, convert_from(value, 'UTF8') AS value FROM broker.consume('cg3', 'cg', 3);
SELECT * FROM broker.committed('cg3', 'cg');
BEGIN;
SELECT partition, log_offset, value FROM broker.consume(NULL::topic.cg, 'cg3', 2);
SAVEPOINT a;
SELECT count(*) FROM broker.consume('cg3', 'cg');
ROLLBACK TO a;
SELECT count(*) FROM broker.consume('cg3', 'cg');
ROLLBACK;
SELECT count(*) FROM broker.consume(NULL::topic.cg, 'cg3');
SELECT count(*) FROM broker.consume('cg3', 'cg', max_wait => '10 ms');
SELECT * FROM broker.committed('cg3', 'cg');

-- produced and consumed in one transaction
BEGIN;
INSERT INTO topic.cg (partition, value) SELECT 2, r.value FROM broker.consume(NULL::topic.cg, 'cg4', 2) r;
SELECT count(*) FROM broker.consume('cg4', 'cg', 2);
COMMIT;
SELECT partition, value FROM topic.cg WHERE partition = 2;

SELECT * FROM broker.consume(NULL::int, 'cg3');
SELECT * FROM broker.consume('cg3', 'cg', -1);
SELECT * FROM broker.consume('cg3', 'none');
SELECT * FROM broker.consume('cg3', NULL);
BEGIN READ ONLY;
SELECT * FROM broker.consume('cg3', 'cg');
ROLLBACK;

/* ---------- seeking ---------- */

SELECT broker.seek('cg3', 'cg', 0, 7);
SELECT log_offset FROM broker.consume('cg3', 'cg');
SELECT broker.seek('cg3', 'cg', 0, 'earliest'), broker.seek('cg3', 'cg', 1, 'LATEST'),
	broker.seek('cg3', 'cg', 2, '1'), broker.seek('new', 'cg', 0, '2020-01-01'),
	broker.seek('new', 'cg', 1, now() + '1 day');
SELECT * FROM broker.committed('cg3', 'cg');
BEGIN;
SELECT count(*) FROM broker.consume('cg3', 'cg', 4);
SELECT broker.seek('cg3', 'cg', 0, 1);
SELECT log_offset FROM broker.consume('cg3', 'cg', 1);
COMMIT;
SELECT committed_offset FROM broker.committed('cg3', 'cg') WHERE partition = 0;
SELECT broker.seek('cg3', 'cg', 0, 11);
SELECT broker.seek('cg3', 'cg', 0, -1);
SELECT broker.seek('cg3', 'cg', 3, 0);
SELECT broker.seek('cg3', 'cg', 0, 'nowhere');
SELECT broker.seek('cg3', 'cg', 0, 'infinity'::timestamptz);

/* ---------- views ---------- */

SELECT group_id, kind, state, protocol_type, protocol, generation, members, owner = current_user AS mine
FROM broker.groups WHERE group_id LIKE 'cg_' ORDER BY 1;
SELECT * FROM broker.group_members;
SELECT group_id, topic, partition, committed_offset, metadata, committed_at > now() - interval '1 hour' AS recent,
	by_sql, log_start_offset, high_watermark, lag, lag_time BETWEEN '0' AND '1 hour' AS lags
FROM broker.group_offsets WHERE group_id LIKE 'cg_' ORDER BY 1, 2, 3;
SELECT broker.commit_offsets('cg4', 'cg', 1, 0, 0, metadata => 'über');
SELECT metadata, committed_offset FROM broker.group_offsets WHERE group_id = 'cg4' AND partition = 1;

/* ---------- groups come and go ---------- */

SELECT broker.release_group('cg1', 'cg');
SELECT broker.release_group('cg3');
SELECT broker.release_group('none');
SELECT broker.delete_group('cg3');
SELECT broker.delete_group('cg3');
SELECT * FROM broker.committed('cg3', 'cg');

-- a topic that is made again is another topic
SELECT broker.drop_topic('cg');
SELECT broker.create_topic('cg', 1);
SELECT * FROM broker.committed('cg1', 'cg');
BEGIN;
SELECT broker.create_topic('cg5');
SELECT broker.commit_offsets('cg1', 'cg5', 0, 0, 0);
SELECT * FROM broker.consume('cg1', 'cg5');
ROLLBACK;

/* ---------- privileges ---------- */

CREATE ROLE cg_reader;
CREATE ROLE cg_other;
GRANT SELECT ON topic.cg TO cg_reader, cg_other;
INSERT INTO topic.cg (value) VALUES ('x');
SET ROLE cg_reader;
SELECT broker.commit_offsets('cg6', 'cg', 0, 0, 0);
SET ROLE cg_other;
SELECT broker.commit_offsets('cg6', 'cg', 0, 0, 0);
SELECT * FROM broker.committed('cg6', 'cg');
SELECT * FROM broker.consume('cg6', 'cg');
SELECT broker.delete_group('cg6');
SELECT broker.release_group('cg6');
SELECT group_id FROM broker.groups WHERE group_id LIKE 'cg_';
RESET ROLE;
REVOKE SELECT ON topic.cg FROM cg_reader;
SET ROLE cg_reader;
SELECT * FROM broker.consume('cg6', 'cg');
RESET ROLE;
SELECT broker.delete_group('cg6');
SELECT broker.drop_topic('cg');
DROP ROLE cg_reader, cg_other;

/* ---------- the broker's own topic ---------- */

INSERT INTO topic.__consumer_offsets (value) VALUES ('x');
COPY topic.__consumer_offsets (value) FROM PROGRAM 'echo x';
SELECT broker.produce('__consumer_offsets', 'x'::text);
TRUNCATE topic.__consumer_offsets;
SELECT broker.drop_topic('__consumer_offsets');
