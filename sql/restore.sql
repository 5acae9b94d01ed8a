-- rows with a log_offset of their own, as a dump has them
\set VERBOSITY terse
SET timezone = 'UTC';
SELECT broker.create_topic('restored', 2, '{"retention.ms": "-1"}', value_type => 'text');
COPY topic.restored (partition, log_offset, ts, value) FROM stdin;
0	10	2020-01-01	ten
0	11	2020-01-02	eleven
0	20	2020-01-03	twenty
1	5	\N	five, of a producer that gave no time
\.
SELECT * FROM topic.restored;
SELECT * FROM broker.last_produced();
-- and on from there
INSERT INTO topic.restored (partition, ts, value) VALUES (0, '2020-01-05', 'twenty-one');
SELECT log_offset, value FROM topic.restored WHERE partition = 0 ORDER BY log_offset;
-- given and chosen offsets in one transaction
BEGIN;
INSERT INTO topic.restored (partition, value) VALUES (0, 'twenty-two');
INSERT INTO topic.restored (partition, log_offset, value) VALUES (0, 30, 'thirty');
INSERT INTO topic.restored (partition, value) VALUES (0, 'thirty-one');
COMMIT;
SELECT log_offset, value FROM topic.restored WHERE partition = 0 ORDER BY log_offset;
-- partitions that the topic doesn't have yet
INSERT INTO topic.restored (partition, log_offset, value) VALUES (4, 100, 'in partition 4'), (3, 7, 'in partition 3');
SELECT name, partitions FROM broker.topics WHERE name = 'restored';
SELECT partition, log_offset, value FROM topic.restored WHERE partition > 1;

-- offsets never go back
INSERT INTO topic.restored (partition, log_offset, value) VALUES (0, 31, 'given before');
INSERT INTO topic.restored (partition, log_offset, value) VALUES (0, 41, 'x'), (0, 40, 'x');
INSERT INTO topic.restored (partition, log_offset, value) VALUES (0, 41, 'x'), (0, 41, 'x');
INSERT INTO topic.restored (partition, log_offset, value) VALUES (0, -1, 'x');
INSERT INTO topic.restored (log_offset, value) VALUES (100, 'without a partition');
TRUNCATE topic.restored;
INSERT INTO topic.restored (partition, log_offset, value) VALUES (0, 31, 'given before');
-- a savepoint that is rolled back gives them free, for they weren't given yet
BEGIN;
SAVEPOINT a;
INSERT INTO topic.restored (partition, log_offset, value) VALUES (0, 60, 'rolled back');
ROLLBACK TO a;
INSERT INTO topic.restored (partition, log_offset, value) VALUES (0, 50, 'fifty');
COMMIT;
SELECT log_offset, value FROM topic.restored;

-- only the owner may
CREATE ROLE regress_restorer;
GRANT SELECT, INSERT ON topic.restored TO regress_restorer;
SET ROLE regress_restorer;
INSERT INTO topic.restored (partition, log_offset, value) VALUES (0, 70, 'x');
INSERT INTO topic.restored (partition, value) VALUES (0, 'without');
RESET ROLE;
SELECT log_offset, value FROM topic.restored;
DROP TABLE topic.restored;
DROP ROLE regress_restorer;
