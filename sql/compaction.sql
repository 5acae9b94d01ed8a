-- Compacted topics by SQL.  VACUUM compacts what can be: all but the newest extent.
SELECT broker.create_topic('prices', key_type => 'text', value_type => 'text',
	config => '{"cleanup.policy": "compact", "min.cleanable.dirty.ratio": "1", "delete.retention.ms": "0"}');

-- without a key nothing can be compacted
INSERT INTO topic.prices (value) VALUES ('no key');
COPY topic.prices (key, value) FROM STDIN;
\N	no key
\.
SELECT broker.produce('prices', 'no key'::text);

-- a hundred keys, each with a hundred records
INSERT INTO topic.prices (partition, key, value)
	SELECT 0, 'key' || k, format('%s of key %s %s', n, k, repeat('.', 100))
	FROM generate_series(1, 100) n, generate_series(1, 100) k ORDER BY n, k;
CREATE TEMP TABLE before AS SELECT log_offset, key, value, ts FROM topic.prices;
SELECT log_start_offset, high_watermark, size_bytes > 1000000 AS large FROM broker.partitions WHERE topic = 'prices';
VACUUM topic.prices;
SELECT log_start_offset, high_watermark, size_bytes < 300000 AS small FROM broker.partitions WHERE topic = 'prices';
SELECT count(*) BETWEEN 100 AND 2000 AS compacted, count(DISTINCT key), max(log_offset) FROM topic.prices;
-- what is left is as it was, the last of each key among it
SELECT count(*) FROM topic.prices p
	WHERE NOT EXISTS (SELECT FROM before b WHERE (b.log_offset, b.key, b.value, b.ts) = (p.log_offset, p.key, p.value, p.ts));
SELECT count(*) FROM (SELECT DISTINCT ON (key) * FROM before ORDER BY key, log_offset DESC) b
	WHERE NOT EXISTS (SELECT FROM topic.prices p WHERE p.log_offset = b.log_offset);
-- by offset and backward
SELECT count(*) FROM topic.prices WHERE partition = 0 AND log_offset < 5000;
SELECT log_offset, key FROM topic.prices WHERE partition = 0 ORDER BY log_offset DESC LIMIT 2;
SELECT log_offset >= 5000 AS gap FROM broker.fetch('prices', 0, 5000, 1);

-- what failed is gone, and what was deleted goes in the end
BEGIN;
INSERT INTO topic.prices (partition, key, value) SELECT 0, 'failed' || n, repeat('.', 100) FROM generate_series(1, 1000) n;
ROLLBACK;
INSERT INTO topic.prices (partition, key) SELECT 0, 'key' || k FROM generate_series(1, 50) k;
INSERT INTO topic.prices (partition, key, value) SELECT 0, 'fill' || n, repeat('.', 500) FROM generate_series(1, 2000) n;
VACUUM topic.prices;
SELECT count(*) AS tombstones, count(DISTINCT key) FROM topic.prices WHERE value IS NULL;
SELECT count(*) FROM topic.prices WHERE value IS NOT NULL AND key IN (SELECT 'key' || k FROM generate_series(1, 50) k);
INSERT INTO topic.prices (partition, key, value) SELECT 0, 'fill' || n, repeat('.', 500) FROM generate_series(1, 2000) n;
VACUUM topic.prices;
SELECT count(*) FILTER (WHERE value IS NULL) AS tombstones,
	count(*) FILTER (WHERE key ~ '^key' AND value IS NOT NULL) > 0 AS others FROM topic.prices;
SELECT log_start_offset FROM broker.partitions WHERE topic = 'prices';

-- compaction goes with deletion
SELECT broker.alter_topic('prices', config => '{"cleanup.policy": "compact,delete"}');
VACUUM topic.prices;
-- and can end: null keys are taken then, and go when it begins again
SELECT broker.alter_topic('prices', config => '{"cleanup.policy": "delete"}');
INSERT INTO topic.prices (partition, value) VALUES (0, 'no key');
SELECT key, value FROM topic.prices ORDER BY log_offset DESC LIMIT 1;
SELECT broker.drop_topic('prices');
