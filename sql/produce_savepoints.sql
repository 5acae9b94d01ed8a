-- what becomes of buffered records when savepoints, TRUNCATE, DROP and ALTER come in between
\set VERBOSITY terse
SELECT broker.create_topic('saved', 2, value_type => 'text');
CREATE VIEW saved AS SELECT partition, log_offset, value FROM topic.saved;

BEGIN;
INSERT INTO topic.saved (partition, value) VALUES (0, '1');
SAVEPOINT a;
INSERT INTO topic.saved (partition, value) VALUES (0, '2 rolled back'), (1, '2 rolled back');
SAVEPOINT b;
INSERT INTO topic.saved (partition, value) VALUES (0, '3 released, then rolled back');
RELEASE b;
ROLLBACK TO a;
INSERT INTO topic.saved (partition, value) VALUES (0, '4');
SAVEPOINT c;
INSERT INTO topic.saved (partition, value) VALUES (0, '5'), (1, '5');
SAVEPOINT d;
INSERT INTO topic.saved (partition, value) VALUES (0, '6 rolled back');
ROLLBACK TO d;
INSERT INTO topic.saved (partition, value) VALUES (0, '7');
RELEASE c;
SAVEPOINT e;
SAVEPOINT f;
INSERT INTO topic.saved (partition, value) VALUES (1, '8 rolled back');
RELEASE f;
ROLLBACK TO e;
COMMIT;
SELECT * FROM saved;

-- exception blocks are subtransactions
DO $$
BEGIN
	FOR i IN 1..6 LOOP
		BEGIN
			PERFORM broker.produce('saved', 'loop ' || i, partition => 1);
			IF i % 2 = 0 THEN
				RAISE EXCEPTION 'even';
			END IF;
		EXCEPTION WHEN raise_exception THEN
			NULL;
		END;
	END LOOP;
END $$;
SELECT * FROM saved WHERE partition = 1;

-- TRUNCATE forgets what was buffered before it; rolled back, it doesn't
BEGIN;
INSERT INTO topic.saved (partition, value) VALUES (0, '10 kept');
SAVEPOINT a;
TRUNCATE topic.saved;
INSERT INTO topic.saved (partition, value) VALUES (0, '11 rolled back');
ROLLBACK TO a;
INSERT INTO topic.saved (partition, value) VALUES (0, '12 kept');
COMMIT;
SELECT * FROM saved WHERE partition = 0;
BEGIN;
INSERT INTO topic.saved (partition, value) VALUES (0, '13 truncated');
SAVEPOINT a;
TRUNCATE topic.saved;
RELEASE a;
INSERT INTO topic.saved (partition, value) VALUES (0, '14 kept'), (1, '14 kept');
COMMIT;
-- next offsets go on
SELECT * FROM saved;
-- a second TRUNCATE empties the new file in place
BEGIN;
TRUNCATE topic.saved;
INSERT INTO topic.saved (partition, value) VALUES (0, '15 truncated');
TRUNCATE topic.saved;
INSERT INTO topic.saved (partition, value) VALUES (0, '16 kept');
COMMIT;
SELECT * FROM saved;

-- DROP
BEGIN;
INSERT INTO topic.saved (partition, value) VALUES (0, '17 kept');
SAVEPOINT a;
DROP TABLE topic.saved CASCADE;
ROLLBACK TO a;
COMMIT;
SELECT * FROM saved;
BEGIN;
INSERT INTO topic.saved (partition, value) VALUES (0, 'dropped');
DROP TABLE topic.saved CASCADE;
COMMIT;

-- created and produced to in one transaction
BEGIN;
SELECT broker.create_topic('saved', 1, value_type => 'text');
INSERT INTO topic.saved (value) VALUES ('1');
SELECT broker.alter_topic('saved', 3);
INSERT INTO topic.saved (partition, value) VALUES (2, 'in a partition that this transaction adds');
COMMIT;
SELECT partition, log_offset, value FROM topic.saved;
BEGIN;
SELECT broker.create_topic('gone');
INSERT INTO topic.gone (value) VALUES ('1');
ROLLBACK;
BEGIN;
SELECT broker.create_topic('gone');
SAVEPOINT a;
INSERT INTO topic.gone (value) VALUES ('1');
ROLLBACK TO a;
INSERT INTO topic.gone (value) VALUES ('2');
COMMIT;
SELECT log_offset, value FROM topic.gone;
DROP TABLE topic.gone;

-- SET TABLESPACE keeps them
SET allow_in_place_tablespaces = on;
CREATE TABLESPACE regress_saved LOCATION '';
BEGIN;
INSERT INTO topic.saved (partition, value) VALUES (0, 'before SET TABLESPACE');
ALTER TABLE topic.saved SET TABLESPACE regress_saved;
INSERT INTO topic.saved (partition, value) VALUES (0, 'after SET TABLESPACE');
COMMIT;
SELECT partition, log_offset, value FROM topic.saved;
BEGIN;
INSERT INTO topic.saved (partition, value) VALUES (0, 'before SET TABLESPACE again');
SAVEPOINT a;
ALTER TABLE topic.saved SET TABLESPACE pg_default;
INSERT INTO topic.saved (partition, value) VALUES (0, 'rolled back');
ROLLBACK TO a;
COMMIT;
SELECT partition, log_offset, value FROM topic.saved;

-- more than work_mem: by a temporary file, which outlives the savepoint that began it
TRUNCATE topic.saved;
SET work_mem = '64kB';
BEGIN;
SAVEPOINT a;
INSERT INTO topic.saved (partition, value)
SELECT i % 3, repeat('rolled back', 20) FROM generate_series(1, 5000) i;
ROLLBACK TO a;
INSERT INTO topic.saved (partition, value)
SELECT i % 3, repeat(md5(i::text), 10) FROM generate_series(1, 5000) i;
SAVEPOINT a;
INSERT INTO topic.saved (partition, value)
SELECT i % 3, repeat('rolled back', 20) FROM generate_series(1, 5000) i;
ROLLBACK TO a;
INSERT INTO topic.saved (partition, value)
SELECT i % 3, repeat(md5(i::text), 10) FROM generate_series(5001, 10000) i;
COMMIT;
-- nothing is left of one that is rolled back
BEGIN;
INSERT INTO topic.saved (partition, value)
SELECT i % 3, repeat('rolled back', 20) FROM generate_series(1, 5000) i;
ROLLBACK;
BEGIN;
SAVEPOINT a;
INSERT INTO topic.saved (partition, value)
SELECT i % 3, repeat('rolled back', 20) FROM generate_series(1, 5000) i;
ROLLBACK TO a;
COMMIT;
RESET work_mem;
SELECT partition, count(*),
	md5(string_agg(value, ',' ORDER BY log_offset)) = (
		SELECT md5(string_agg(repeat(md5(i::text), 10), ',' ORDER BY i))
		FROM generate_series(1, 10000) i WHERE i % 3 = s.partition) AS as_inserted
FROM topic.saved s GROUP BY partition ORDER BY partition;

SET work_mem = '64kB';
-- empty isn't null, wherever the record is in the file
BEGIN;
INSERT INTO topic.saved (partition, value) VALUES (0, repeat('x', 100000));
INSERT INTO topic.saved (partition, value) VALUES (1, '');
INSERT INTO topic.saved (partition, value) VALUES (0, repeat('y', 100000));
COMMIT;
SELECT value FROM topic.saved WHERE partition = 1 ORDER BY log_offset DESC LIMIT 1;
SELECT value IS NULL AS is_null FROM topic.saved WHERE partition = 1 ORDER BY log_offset DESC LIMIT 1;
RESET work_mem;

DROP TABLE topic.saved;
DROP TABLESPACE regress_saved;
