-- broker.fetch()
\set VERBOSITY terse
SET timezone = 'UTC';
SELECT broker.create_topic('fetched', 2, '{"retention.ms": "-1"}', value_type => 'text');
INSERT INTO topic.fetched (partition, ts, key, value, headers) VALUES
	(0, '2020-01-01', 'k1', 'v1', NULL), (0, '2020-01-02', NULL, NULL, ARRAY[ROW('h', NULL)]::broker.header[]),
	(0, '2020-01-03', '', 'v3', NULL);
SELECT * FROM broker.fetch('fetched', 0, 0);
SELECT log_offset FROM broker.fetch('fetched', 0, 1);
SELECT log_offset FROM broker.fetch('fetched', 0, 0, max_records => 1);
SELECT count(*) FROM broker.fetch('fetched', 0, 0, 0);
-- nothing there, and no time to wait
SELECT count(*) FROM broker.fetch('fetched', 0, 3);
SELECT count(*) FROM broker.fetch('fetched', 1, 0, max_wait => '10 ms');
-- what there is, without waiting
SELECT count(*) FROM broker.fetch('fetched', 0, 0, max_wait => '1 hour');
PREPARE fetched (bigint) AS SELECT count(*) FROM broker.fetch('fetched', 0, $1, 100, '1 hour');
EXECUTE fetched (1);
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT count(*) FROM broker.fetch('fetched', 0, 2, max_wait => '1 hour');
COMMIT;
-- in a function it works, too
DO $$
BEGIN
	PERFORM * FROM broker.fetch('fetched', 0, 3, max_wait => '10 ms');
END $$;
-- records of this transaction aren't there yet, and no consumer reads records that aren't committed
BEGIN;
INSERT INTO topic.fetched (partition, value) VALUES (0, 'own');
SELECT count(*) FROM broker.fetch('fetched', 0, 3);
ROLLBACK;

SELECT * FROM broker.fetch('fetched', 0, 4);
SELECT * FROM broker.fetch('fetched', 0, -1);
SELECT * FROM broker.fetch('fetched', 2, 0);
SELECT * FROM broker.fetch('fetched', 0, 0, -1);
SELECT * FROM broker.fetch('absent', 0, 0);
SELECT * FROM broker.fetch(NULL, 0, 0);

-- privileges are those of the table
CREATE ROLE regress_fetcher;
SET ROLE regress_fetcher;
SELECT count(*) FROM broker.fetch('fetched', 0, 0);
SELECT broker.produce('fetched', 'x');
RESET ROLE;
GRANT SELECT ON topic.fetched TO regress_fetcher;
SET ROLE regress_fetcher;
SELECT count(*) FROM broker.fetch('fetched', 0, 0);
SELECT broker.produce('fetched', 'x');
RESET ROLE;
DROP TABLE topic.fetched;
DROP ROLE regress_fetcher;
