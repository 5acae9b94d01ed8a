--
-- DDL on topics in transactions that have produced, in any order, with savepoints, and rolled back.
--
CREATE VIEW bounds AS SELECT topic, partition AS p, log_start_offset AS start, end_offset AS "end" FROM broker.partitions;

-- created, filled and committed at once
BEGIN;
SELECT broker.create_topic('tx', 2, value_type => 'text');
INSERT INTO topic.tx (partition, value) VALUES (0, 'a'), (1, 'b');
SELECT broker.alter_topic('tx', 3, '{"retention.ms": 777000}');
INSERT INTO topic.tx (partition, value) VALUES (2, 'c');
COMMIT;
SELECT partition, log_offset, value FROM topic.tx ORDER BY 1, 2;
SELECT value FROM broker.topic_config WHERE topic = 'tx' AND name = 'retention.ms';

-- created in a subtransaction that goes
BEGIN;
SAVEPOINT s;
SELECT broker.create_topic('sub', value_type => 'text');
INSERT INTO topic.sub (value) VALUES ('gone');
ROLLBACK TO s;
INSERT INTO topic.tx (partition, value) VALUES (0, 'stays');
COMMIT;
SELECT name FROM broker.topics ORDER BY 1;
SELECT partition, log_offset, value FROM topic.tx WHERE value = 'stays';

-- dropped with records in the buffer, and not
BEGIN;
INSERT INTO topic.tx (partition, value) VALUES (0, 'dropped');
SELECT broker.drop_topic('tx');
ROLLBACK;
BEGIN;
INSERT INTO topic.tx (partition, value) VALUES (0, 'kept');
SAVEPOINT s;
DROP TABLE topic.tx;
ROLLBACK TO s;
COMMIT;
SELECT partition, log_offset, value FROM topic.tx WHERE value IN ('dropped', 'kept');
BEGIN;
SELECT broker.create_topic('brief', value_type => 'text');
INSERT INTO topic.brief (value) VALUES ('x');
SELECT broker.drop_topic('brief');
SELECT broker.create_topic('brief', 2, value_type => 'text');
INSERT INTO topic.brief (partition, value) VALUES (1, 'y');
COMMIT;
SELECT partition, log_offset, value FROM topic.brief;
SELECT broker.drop_topic('brief');

-- partitions of a subtransaction that goes, with records for them
BEGIN;
SELECT broker.alter_topic('tx', 4);
SAVEPOINT s;
SELECT broker.alter_topic('tx', 6);
INSERT INTO topic.tx (partition, value) VALUES (5, 'gone');
ROLLBACK TO s;
INSERT INTO topic.tx (partition, value) VALUES (5, 'refused');
ROLLBACK TO s;
INSERT INTO topic.tx (partition, value) VALUES (3, 'fourth');
COMMIT;
SELECT * FROM bounds WHERE topic = 'tx';

-- TRUNCATE: offsets go on
BEGIN;
INSERT INTO topic.tx (partition, value) VALUES (1, 'before');
TRUNCATE topic.tx;
INSERT INTO topic.tx (partition, value) VALUES (1, 'after');
COMMIT;
SELECT partition, log_offset, value FROM topic.tx ORDER BY 1, 2;
SELECT * FROM bounds WHERE topic = 'tx';
BEGIN;
INSERT INTO topic.tx (partition, value) VALUES (1, 'one');
SAVEPOINT s;
TRUNCATE topic.tx;
INSERT INTO topic.tx (partition, value) VALUES (1, 'two');
ROLLBACK TO s;
INSERT INTO topic.tx (partition, value) VALUES (1, 'three');
COMMIT;
SELECT partition, log_offset, value FROM topic.tx ORDER BY 1, 2;
BEGIN;
SELECT broker.alter_topic('tx', 5);
TRUNCATE topic.tx;
INSERT INTO topic.tx (partition, value) VALUES (4, 'fifth');
TRUNCATE topic.tx;
INSERT INTO topic.tx (partition, value) VALUES (4, 'sixth');
COMMIT;
SELECT partition, log_offset, value FROM topic.tx ORDER BY 1, 2;
SELECT * FROM bounds WHERE topic = 'tx';
BEGIN;
TRUNCATE topic.tx;
ROLLBACK;
SELECT count(*) FROM topic.tx;

-- moved to another tablespace
SET allow_in_place_tablespaces = on;
CREATE TABLESPACE regress_topic_space LOCATION '';
BEGIN;
INSERT INTO topic.tx (partition, value) VALUES (4, 'before moving');
ALTER TABLE topic.tx SET TABLESPACE regress_topic_space;
INSERT INTO topic.tx (partition, value) VALUES (4, 'after moving');
COMMIT;
BEGIN;
INSERT INTO topic.tx (partition, value) VALUES (4, 'not moved back');
SAVEPOINT s;
ALTER TABLE topic.tx SET TABLESPACE pg_default;
INSERT INTO topic.tx (partition, value) VALUES (4, 'gone');
ROLLBACK TO s;
COMMIT;
SELECT partition, log_offset, value FROM topic.tx ORDER BY 1, 2;
SELECT tablespace FROM pg_tables WHERE schemaname = 'topic';
SET default_tablespace = regress_topic_space;
SELECT broker.create_topic('made_there');
RESET default_tablespace;
SELECT tablename, tablespace FROM pg_tables WHERE schemaname = 'topic' ORDER BY 1;
SELECT broker.drop_topic('made_there');
ALTER TABLE topic.tx SET TABLESPACE pg_default;
DROP TABLESPACE regress_topic_space;
SELECT * FROM bounds WHERE topic = 'tx';

-- another owner, and a commit that fails after its records have been written
SET client_min_messages = warning;
DROP ROLE IF EXISTS regress_topic_tx;
RESET client_min_messages;
CREATE ROLE regress_topic_tx;
GRANT CREATE ON SCHEMA topic TO regress_topic_tx;
BEGIN;
INSERT INTO topic.tx (partition, value) VALUES (0, 'as owner');
ALTER TABLE topic.tx OWNER TO regress_topic_tx;
INSERT INTO topic.tx (partition, value) VALUES (0, 'as superuser');
COMMIT;
SELECT log_offset, value FROM topic.tx WHERE partition = 0;
CREATE TEMP TABLE once (a int UNIQUE DEFERRABLE INITIALLY DEFERRED);
BEGIN;
SELECT broker.alter_topic('tx', 7, '{"retention.ms": 5}');
INSERT INTO topic.tx (partition, value) VALUES (0, 'fails'), (6, 'fails');
INSERT INTO once VALUES (1), (1);
COMMIT;
SELECT value FROM broker.topic_config WHERE topic = 'tx' AND name = 'retention.ms';
SELECT count(*) FROM topic.tx WHERE value = 'fails';
INSERT INTO topic.tx (partition, value) VALUES (0, 'goes on');
SELECT value FROM topic.tx WHERE partition = 0 ORDER BY log_offset;

-- whole schemas and owners
BEGIN;
DROP OWNED BY regress_topic_tx CASCADE;
SELECT name FROM broker.topics;
ROLLBACK;
SELECT name, owner FROM broker.topics;
REASSIGN OWNED BY regress_topic_tx TO CURRENT_USER;
DROP OWNED BY regress_topic_tx;
DROP ROLE regress_topic_tx;
SELECT owner = current_user AS mine FROM broker.topics;

-- views depend on it
CREATE VIEW reads_tx AS SELECT * FROM topic.tx;
SELECT broker.drop_topic('tx');
DROP TABLE topic.tx CASCADE;
SELECT count(*) FROM broker.topic_settings;
DROP VIEW bounds;
