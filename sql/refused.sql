--
-- What a topic can't do is refused at once: SQLSTATE 0A000 and a hint.
-- docs/limits.md has the table of it.
--
SET client_min_messages = warning;
CREATE SCHEMA refused;
SET search_path = refused, public;
CREATE TABLE plain (id int, value text);
CREATE TABLE parent (partition int, log_offset bigint, ts timestamptz, key bytea, value bytea,
	headers broker.header[]) PARTITION BY LIST (partition);
CREATE VIEW refused.v AS SELECT 1 AS partition, 'x'::bytea AS value;
CREATE FUNCTION noop() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
RESET client_min_messages;
SELECT broker.create_topic('orders');

-- the error's SQLSTATE and message
CREATE FUNCTION try(command text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	state text; message text; hint text;
BEGIN
	BEGIN
		EXECUTE command;
	EXCEPTION WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, hint = PG_EXCEPTION_HINT;
		RETURN format('%s %s%s', state, message, CASE WHEN hint = '' THEN ' (no hint!)' ELSE '' END);
	END;
	RETURN 'done';
END
$$;
\pset format unaligned
\pset tuples_only on

-- queries
SELECT try($$UPDATE topic.orders SET value = 'x'$$);
SELECT try($$DELETE FROM topic.orders$$);
SELECT try($$MERGE INTO topic.orders o USING refused.plain p ON o.partition = p.id WHEN MATCHED THEN DO NOTHING$$);
SELECT try($$MERGE INTO topic.orders o USING refused.plain p ON o.partition = p.id WHEN NOT MATCHED THEN INSERT (value) VALUES ('x')$$);
SELECT try($$INSERT INTO topic.orders (value) VALUES ('x') ON CONFLICT (partition) DO UPDATE SET value = 'y'$$);
SELECT try($$INSERT INTO topic.orders (value) VALUES ('x') ON CONFLICT (partition, log_offset) DO NOTHING$$);
SELECT try($$SELECT * FROM topic.orders FOR UPDATE$$);
SELECT try($$SELECT * FROM topic.orders FOR KEY SHARE$$);
SELECT try($$SELECT * FROM refused.plain p, topic.orders o FOR SHARE OF o$$);
SELECT try($$SELECT * FROM refused.plain p, topic.orders o FOR SHARE OF p$$);	-- allowed
SELECT try($$SELECT * FROM topic.orders TABLESAMPLE SYSTEM (10)$$);

-- the same in other places
SELECT try($$WITH d AS (DELETE FROM topic.orders RETURNING *) SELECT * FROM d$$);
SELECT try($$SELECT * FROM refused.plain WHERE id IN (SELECT partition FROM topic.orders TABLESAMPLE BERNOULLI (1))$$);
SELECT try($$EXPLAIN UPDATE topic.orders SET value = 'x'$$);
SELECT try($$SELECT * FROM (SELECT * FROM topic.orders FOR UPDATE) s$$);
COPY (DELETE FROM topic.orders RETURNING *) TO STDOUT;
CREATE VIEW over AS SELECT partition, value FROM topic.orders;
SELECT try($$UPDATE refused.over SET value = 'x'$$);
SELECT try($$SELECT * FROM refused.over FOR UPDATE$$);
CREATE RULE r AS ON DELETE TO plain DO INSTEAD DELETE FROM topic.orders;
SELECT try($$DELETE FROM refused.plain$$);
DROP RULE r ON plain;
CREATE FUNCTION sneaky() RETURNS void LANGUAGE sql AS 'DELETE FROM topic.orders';
SELECT try($$SELECT refused.sneaky()$$);
PREPARE stmt AS UPDATE topic.orders SET value = 'x';
SELECT try($$EXECUTE stmt$$);
DEALLOCATE stmt;

-- indexes and constraints
SELECT try($$CREATE INDEX ON topic.orders (log_offset)$$);
SELECT try($$CREATE UNIQUE INDEX CONCURRENTLY i ON topic.orders (key)$$);
SELECT try($$ALTER TABLE topic.orders ADD PRIMARY KEY (partition, log_offset)$$);
SELECT try($$ALTER TABLE topic.orders ADD UNIQUE (log_offset)$$);
SELECT try($$ALTER TABLE topic.orders ADD EXCLUDE (log_offset WITH =)$$);
SELECT try($$ALTER TABLE topic.orders REPLICA IDENTITY FULL$$);
SELECT try($$ALTER TABLE topic.orders ADD CHECK (value IS NOT NULL)$$);
SELECT try($$ALTER TABLE topic.orders ALTER value SET NOT NULL$$);
SELECT try($$ALTER TABLE topic.orders ALTER value SET DEFAULT 'x'$$);
SELECT try($$ALTER TABLE topic.orders ALTER partition ADD GENERATED ALWAYS AS IDENTITY$$);
SELECT try($$ALTER TABLE topic.orders ADD FOREIGN KEY (partition) REFERENCES refused.plain (id)$$);
SELECT try($$ALTER TABLE refused.plain ADD FOREIGN KEY (id) REFERENCES topic.orders (partition)$$);
SELECT try($$CREATE TABLE refused.child (p int REFERENCES topic.orders (partition))$$);
SELECT try($$CREATE STATISTICS refused.s ON partition, log_offset FROM topic.orders$$);

-- columns
SELECT try($$ALTER TABLE topic.orders ADD COLUMN extra int$$);
SELECT try($$ALTER TABLE topic.orders ADD COLUMN extra int GENERATED ALWAYS AS (partition + 1) STORED$$);
SELECT try($$ALTER TABLE topic.orders DROP COLUMN headers$$);
SELECT try($$ALTER TABLE topic.orders ALTER value TYPE text USING value::text$$);
SELECT try($$ALTER TABLE topic.orders ALTER value SET STORAGE EXTERNAL$$);
SELECT try($$ALTER TABLE topic.orders ALTER value SET STATISTICS 10$$);
SELECT try($$ALTER TABLE topic.orders RENAME COLUMN value TO v$$);

-- what Kafka clients would pass by
SELECT try($$CREATE TRIGGER t BEFORE INSERT ON topic.orders FOR EACH ROW EXECUTE FUNCTION refused.noop()$$);
SELECT try($$CREATE TRIGGER t AFTER INSERT ON topic.orders FOR EACH STATEMENT EXECUTE FUNCTION refused.noop()$$);
SELECT try($$CREATE RULE r AS ON INSERT TO topic.orders DO ALSO NOTIFY x$$);
SELECT try($$ALTER TABLE topic.orders ENABLE ROW LEVEL SECURITY$$);
SELECT try($$CREATE POLICY p ON topic.orders USING (true)$$);
SELECT try($$GRANT SELECT (value) ON topic.orders TO PUBLIC$$);
SELECT try($$REVOKE SELECT (value) ON topic.orders FROM PUBLIC$$);

-- what it is
SELECT try($$CREATE TABLE refused.c () INHERITS (topic.orders)$$);
SELECT try($$ALTER TABLE topic.orders INHERIT refused.plain$$);
SELECT try($$ALTER TABLE refused.plain INHERIT topic.orders$$);
SELECT try($$ALTER TABLE refused.parent ATTACH PARTITION topic.orders DEFAULT$$);
SELECT try($$ALTER TABLE topic.orders RENAME TO orders2$$);
SELECT try($$ALTER VIEW topic.orders RENAME TO orders2$$);
SELECT try($$ALTER TABLE topic.orders SET SCHEMA public$$);
SELECT try($$ALTER TABLE topic.orders SET UNLOGGED$$);
SELECT try($$ALTER TABLE topic.orders SET LOGGED$$);
SELECT try($$ALTER TABLE topic.orders SET ACCESS METHOD heap$$);
SELECT try($$ALTER TABLE refused.plain SET ACCESS METHOD broker_log$$);
SELECT try($$ALTER TABLE topic.orders SET (fillfactor = 50)$$);
SELECT try($$ALTER TABLE topic.orders OF broker.header$$);
SELECT try($$ALTER TABLE topic.orders CLUSTER ON i$$);
SELECT try($$ALTER TABLE topic.orders SET WITHOUT OIDS$$);
SELECT try($$ALTER TABLE topic.orders OWNER TO CURRENT_USER, SET UNLOGGED$$);
SELECT try($$CLUSTER topic.orders USING i$$);
VACUUM FULL topic.orders;
VACUUM (FULL) plain, topic.orders;
VACUUM FULL;
SELECT try($$CREATE PUBLICATION p FOR TABLE topic.orders$$);
SELECT try($$CREATE PUBLICATION p FOR TABLE refused.plain, topic.orders (value)$$);
SELECT try($$CREATE PUBLICATION p FOR TABLES IN SCHEMA topic$$);
SET client_min_messages = error;
CREATE PUBLICATION p FOR TABLE plain;
RESET client_min_messages;
SELECT try($$ALTER PUBLICATION p ADD TABLE topic.orders$$);
SELECT try($$ALTER PUBLICATION p SET TABLES IN SCHEMA topic$$);
DROP PUBLICATION p;

-- a topic's table is made by create_topic() or by a dump
SELECT try($$CREATE TABLE topic.t (a int) USING broker_log$$);
SELECT try($$CREATE TABLE topic.t (a int)$$);
SELECT try($$CREATE TABLE refused.t (LIKE topic.orders) USING broker_log$$);
SELECT try($$CREATE TABLE topic.t (LIKE topic.orders) USING broker_log$$);
SELECT try($$CREATE TEMP TABLE t (a int) USING broker_log$$);
SELECT try($$CREATE UNLOGGED TABLE topic.t (a int) USING broker_log$$);
SELECT try($$CREATE TABLE topic.t AS SELECT * FROM topic.orders$$);
SELECT try($$CREATE TABLE refused.t USING broker_log AS SELECT * FROM topic.orders$$);
SELECT try($$SELECT * INTO topic.t FROM topic.orders$$);
SELECT try($$EXPLAIN ANALYZE CREATE TABLE topic.t AS SELECT 1$$);
SELECT try($$CREATE MATERIALIZED VIEW refused.m USING broker_log AS SELECT * FROM topic.orders$$);
SELECT try($$CREATE TABLE refused.pt PARTITION OF refused.parent DEFAULT USING broker_log$$);
SELECT try($$CREATE TABLE topic.t (partition int, log_offset bigint, ts timestamptz, key bytea, value bytea, headers broker.header[], extra int) USING broker_log$$);
SELECT try($$CREATE TABLE topic.t (partition int, log_offset bigint, ts timestamptz, key json, value bytea, headers broker.header[]) USING broker_log$$);
SELECT try($$CREATE TABLE topic.t (partition int, log_offset bigint, ts timestamptz, key bytea, value varchar(10), headers broker.header[]) USING broker_log$$);
SELECT try($$CREATE TABLE topic.t (partition int, log_offset bigint, ts timestamptz(3), key bytea, value bytea, headers broker.header[]) USING broker_log$$);
SELECT try($$CREATE TABLE topic.t (partition int NOT NULL, log_offset bigint, ts timestamptz, key bytea, value bytea, headers broker.header[]) USING broker_log$$);
SELECT try($$CREATE TABLE topic.t (partition int, log_offset bigint, ts timestamptz, key bytea, value bytea, headers broker.header[], CHECK (partition > 0)) USING broker_log$$);
SELECT try($$CREATE TABLE topic.t (partition int, log_offset bigint, ts timestamptz DEFAULT now(), key bytea, value bytea, headers broker.header[]) USING broker_log$$);
SELECT try($$CREATE TABLE topic.t (partition int, log_offset bigint, ts timestamptz, key bytea, value bytea, headers broker.header[]) USING broker_log WITH (fillfactor = 10)$$);
SELECT try($$CREATE TABLE topic."t/1" (partition int, log_offset bigint, ts timestamptz, key bytea, value bytea, headers broker.header[]) USING broker_log$$);

-- schema topic holds topics only
SELECT try($$CREATE VIEW topic.t AS SELECT 1$$);
SELECT try($$CREATE SEQUENCE topic.t$$);
SELECT try($$CREATE TYPE topic.t AS (a int)$$);
SELECT try($$CREATE TYPE topic.t AS ENUM ('a')$$);
SELECT try($$CREATE DOMAIN topic.t AS int$$);
SELECT try($$CREATE FUNCTION topic.t() RETURNS int LANGUAGE sql AS 'SELECT 1'$$);
SELECT try($$CREATE OPERATOR topic.@@@ (FUNCTION = int4pl, LEFTARG = int, RIGHTARG = int)$$);
SELECT try($$CREATE FOREIGN TABLE topic.t (a int) SERVER none$$);
SELECT try($$ALTER TABLE refused.plain SET SCHEMA topic$$);
SELECT try($$ALTER FUNCTION refused.noop() SET SCHEMA topic$$);
SELECT try($$ALTER SCHEMA topic RENAME TO t$$);
SELECT try($$ALTER SCHEMA broker RENAME TO b$$);
SET search_path = topic;
SELECT refused.try($$CREATE TABLE t (a int)$$);
SELECT refused.try($$SELECT 1 AS a INTO t$$);
SET search_path = refused;
SET default_table_access_method = broker_log;
SELECT try($$CREATE TABLE t (a int)$$);
SELECT try($$CREATE TEMP TABLE t (a int)$$);
SELECT try($$CREATE TABLE refused.parent2 (partition int) PARTITION BY LIST (partition)$$);	-- allowed
RESET default_table_access_method;

-- hints
UPDATE topic.orders SET value = 'x';
CREATE INDEX ON topic.orders (key);
CREATE TABLE topic.t (a int);

-- what a topic can do
SELECT try($$INSERT INTO topic.orders (value) SELECT 'x' WHERE false ON CONFLICT DO NOTHING$$);
SELECT try($$COMMENT ON TABLE topic.orders IS 'x'$$);
SELECT try($$COMMENT ON COLUMN topic.orders.key IS 'x'$$);
SELECT try($$GRANT SELECT, INSERT ON topic.orders TO PUBLIC$$);
SELECT try($$REVOKE ALL ON topic.orders FROM PUBLIC$$);
SELECT try($$ALTER TABLE topic.orders OWNER TO CURRENT_USER$$);
SELECT try($$ALTER TABLE topic.orders SET TABLESPACE pg_default$$);
SELECT try($$ALTER TABLE topic.orders DISABLE TRIGGER ALL$$);
SELECT try($$CREATE TABLE refused.like_topic (LIKE topic.orders)$$);
SELECT try($$CREATE TABLE refused.as_topic AS SELECT * FROM topic.orders$$);
SELECT try($$CREATE TABLE topic.t (partition int, log_offset bigint, ts timestamptz, key bytea, value bytea, headers broker.header[]) USING broker_log$$);
SELECT try($$TRUNCATE topic.orders$$);
SELECT try($$ANALYZE topic.orders$$);
DROP VIEW over;
SELECT try($$DROP TABLE topic.orders, topic.t$$);

SET client_min_messages = warning;
DROP SCHEMA refused CASCADE;
