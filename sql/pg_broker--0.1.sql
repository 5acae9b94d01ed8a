/* pg_broker--0.1.sql */

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION pg_broker" to load this file. \quit

CREATE SCHEMA broker;

-- refuses, and says what to do, where the extension could not work
CREATE FUNCTION broker.check_install(version text) RETURNS void
AS 'MODULE_PATHNAME', 'topic_check_install' LANGUAGE C;
SELECT broker.check_install('0.1');
DROP FUNCTION broker.check_install(text);

CREATE SCHEMA topic;
COMMENT ON SCHEMA broker IS 'pg_broker: functions and views';
COMMENT ON SCHEMA topic IS 'pg_broker: one table per topic';
GRANT USAGE ON SCHEMA broker, topic TO PUBLIC;

/* ---------- topics ---------- */

CREATE TYPE broker.header AS (key text, value bytea);
COMMENT ON TYPE broker.header IS 'header of a Kafka record';

/* ---------- the access method, producing and reading ---------- */

CREATE FUNCTION broker.broker_log_handler(internal) RETURNS table_am_handler
AS 'MODULE_PATHNAME', 'broker_log_handler' LANGUAGE C STRICT;
COMMENT ON FUNCTION broker.broker_log_handler(internal) IS 'table access method of topics';

CREATE ACCESS METHOD broker_log TYPE TABLE HANDLER broker.broker_log_handler;
COMMENT ON ACCESS METHOD broker_log IS 'pg_broker: a table that is a log of Kafka records';

CREATE FUNCTION broker.produce(topic text, value text, key text DEFAULT NULL,
	headers broker.header[] DEFAULT NULL, partition int DEFAULT NULL, ts timestamptz DEFAULT NULL)
RETURNS int
AS 'MODULE_PATHNAME', 'am_sql_produce' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION broker.produce(text, text, text, broker.header[], int, timestamptz)
	IS 'produce a record when this transaction commits, and return its partition; takes INSERT on the topic';

CREATE FUNCTION broker.produce(topic text, value bytea, key bytea DEFAULT NULL,
	headers broker.header[] DEFAULT NULL, partition int DEFAULT NULL, ts timestamptz DEFAULT NULL)
RETURNS int
AS 'MODULE_PATHNAME', 'am_sql_produce' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION broker.produce(text, bytea, bytea, broker.header[], int, timestamptz)
	IS 'produce a record when this transaction commits, and return its partition; takes INSERT on the topic';

CREATE FUNCTION broker.last_produced(OUT topic text, OUT partition int, OUT first_offset bigint,
	OUT last_offset bigint) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'am_sql_last_produced' LANGUAGE C VOLATILE PARALLEL RESTRICTED ROWS 1;
COMMENT ON FUNCTION broker.last_produced()
	IS 'where the records are that this session''s last committed transaction with records produced';

CREATE FUNCTION broker.fetch(topic text, partition int, from_offset bigint, max_records int DEFAULT 100,
	max_wait interval DEFAULT '0', OUT log_offset bigint, OUT ts timestamptz, OUT key bytea, OUT value bytea,
	OUT headers broker.header[]) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'am_sql_fetch' LANGUAGE C STRICT VOLATILE PARALLEL RESTRICTED ROWS 100;
COMMENT ON FUNCTION broker.fetch(text, int, bigint, int, interval)
	IS 'read a partition from an offset on as a Kafka consumer does, and wait for records if there are none';

/* ---------- topics as tables ---------- */

/*
 * Settings of topics, where they differ from the default; and names of topics that are too long to
 * be names of tables.  Written by the library alone, read through the views below.
 */
CREATE TABLE broker.topic_settings (
	topic regclass,
	name text,
	value text NOT NULL,
	PRIMARY KEY (topic, name)
);
CREATE TABLE broker.topic_names (
	topic regclass PRIMARY KEY,
	name text NOT NULL UNIQUE
);
CREATE FUNCTION broker.refuse_changes() RETURNS trigger
AS 'MODULE_PATHNAME', 'topic_sql_refuse_changes' LANGUAGE C;
CREATE TRIGGER read_only BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON broker.topic_settings
	EXECUTE FUNCTION broker.refuse_changes();
CREATE TRIGGER read_only BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON broker.topic_names
	EXECUTE FUNCTION broker.refuse_changes();
COMMENT ON FUNCTION broker.refuse_changes() IS 'trigger of tables that only the library writes';
COMMENT ON TABLE broker.topic_settings IS 'pg_broker''s own: see the view broker.topic_config';
COMMENT ON TABLE broker.topic_names IS 'pg_broker''s own: see the view broker.topics';

/*
 * What pg_dump keeps of topics beyond their tables: the table is empty, but dumped as if it held the
 * function's rows; the trigger acts on the rows that a restore inserts.
 */
CREATE TABLE broker.dumped_topics (
	table_name text,
	name text,
	config text[],
	last_offsets bigint[],
	next_offsets bigint[]
);
COMMENT ON TABLE broker.dumped_topics IS 'pg_broker''s own: settings and offsets of topics in a dump';
CREATE FUNCTION broker.dump_topics() RETURNS SETOF broker.dumped_topics
AS 'MODULE_PATHNAME', 'topic_sql_dump' LANGUAGE C STRICT VOLATILE;
COMMENT ON FUNCTION broker.dump_topics() IS 'what pg_dump keeps of topics beyond their tables';
CREATE FUNCTION broker.restore_topic() RETURNS trigger
AS 'MODULE_PATHNAME', 'topic_sql_restore' LANGUAGE C;
COMMENT ON FUNCTION broker.restore_topic() IS 'trigger that restores what broker.dump_topics() has kept';
CREATE TRIGGER restore BEFORE INSERT ON broker.dumped_topics
	FOR EACH ROW EXECUTE FUNCTION broker.restore_topic();
SELECT pg_catalog.pg_extension_config_dump('broker.dumped_topics',
	'WHERE false UNION ALL SELECT * FROM broker.dump_topics() ORDER BY 1');

CREATE FUNCTION broker.create_topic(name text, partitions int DEFAULT 1, config jsonb DEFAULT '{}',
	key_type regtype DEFAULT 'bytea', value_type regtype DEFAULT 'bytea') RETURNS regclass
AS 'MODULE_PATHNAME', 'topic_sql_create' LANGUAGE C;
COMMENT ON FUNCTION broker.create_topic(text, int, jsonb, regtype, regtype)
	IS 'create a topic and return its table; takes CREATE on schema topic';

CREATE FUNCTION broker.alter_topic(name text, partitions int DEFAULT NULL, config jsonb DEFAULT NULL)
RETURNS void
AS 'MODULE_PATHNAME', 'topic_sql_alter' LANGUAGE C;
COMMENT ON FUNCTION broker.alter_topic(text, int, jsonb)
	IS 'raise the number of partitions, change settings (null: back to the default); for the owner of the topic';

CREATE FUNCTION broker.drop_topic(name text) RETURNS void
AS 'MODULE_PATHNAME', 'topic_sql_drop' LANGUAGE C;
COMMENT ON FUNCTION broker.drop_topic(text) IS 'drop a topic with its records; for the owner of the topic';

-- what the views are made of
CREATE FUNCTION broker.topic_info(topic regclass, OUT name text, OUT topic_id uuid, OUT partitions int)
AS 'MODULE_PATHNAME', 'topic_sql_info' LANGUAGE C STRICT STABLE;
CREATE FUNCTION broker.topic_config_info(topic regclass, OUT name text, OUT value text, OUT source text,
	OUT default_value text, OUT effective boolean, OUT description text) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'topic_sql_config' LANGUAGE C STRICT STABLE ROWS 40;
CREATE FUNCTION broker.partition_info(topic regclass, OUT partition int, OUT log_start_offset bigint,
	OUT high_watermark bigint, OUT last_stable_offset bigint, OUT end_offset bigint, OUT size_bytes bigint,
	OUT first_time timestamptz, OUT last_time timestamptz, OUT undecided_transactions int,
	OUT leader_epoch int) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'topic_sql_partitions' LANGUAGE C STRICT VOLATILE ROWS 10;
COMMENT ON FUNCTION broker.topic_info(regclass) IS 'name, id and number of partitions of a topic, for the view broker.topics';
COMMENT ON FUNCTION broker.topic_config_info(regclass) IS 'settings of a topic, for the view broker.topic_config';
COMMENT ON FUNCTION broker.partition_info(regclass) IS 'partitions of a topic, for the view broker.partitions';

CREATE VIEW broker.topics AS
SELECT i.name,
	c.oid::regclass AS "table",
	i.topic_id,
	i.partitions,
	pg_catalog.pg_get_userbyid(c.relowner) AS owner,
	k.atttypid::regtype AS key_type,
	v.atttypid::regtype AS value_type,
	pg_catalog.pg_relation_size(c.oid) AS size_bytes
FROM pg_catalog.pg_class c
	JOIN pg_catalog.pg_am a ON a.oid = c.relam AND a.amname = 'broker_log'
	JOIN pg_catalog.pg_attribute k ON k.attrelid = c.oid AND k.attname = 'key'
	JOIN pg_catalog.pg_attribute v ON v.attrelid = c.oid AND v.attname = 'value'
	CROSS JOIN LATERAL broker.topic_info(c.oid) i
WHERE (pg_catalog.pg_has_role(c.relowner, 'USAGE') OR pg_catalog.has_table_privilege(c.oid, 'SELECT, INSERT'))
	AND i.name IS NOT NULL;
COMMENT ON VIEW broker.topics IS 'topics that the user owns, reads or writes';
COMMENT ON COLUMN broker.topics.name IS 'name for Kafka clients';
COMMENT ON COLUMN broker.topics."table" IS 'table for SQL';
COMMENT ON COLUMN broker.topics.size_bytes IS 'size of the file, free space in it included';

CREATE VIEW broker.topic_config AS
SELECT t.name AS topic, s.name, s.value, s.source, s.default_value, s.effective, s.description
FROM broker.topics t CROSS JOIN LATERAL broker.topic_config_info(t."table") s;
COMMENT ON VIEW broker.topic_config IS 'settings of topics, under Kafka''s names';
COMMENT ON COLUMN broker.topic_config.source IS 'topic: set for this topic; default: not';
COMMENT ON COLUMN broker.topic_config.effective IS 'false: kept and shown, without effect in this broker';

CREATE VIEW broker.partitions AS
SELECT t.name AS topic, p.*
FROM broker.topics t CROSS JOIN LATERAL broker.partition_info(t."table") p;
COMMENT ON VIEW broker.partitions IS 'partitions of topics, and the offsets between which they can be read';
COMMENT ON COLUMN broker.partitions.log_start_offset IS 'first offset that can be read';
COMMENT ON COLUMN broker.partitions.high_watermark IS 'end of what Kafka consumers may read';
COMMENT ON COLUMN broker.partitions.last_stable_offset IS 'end of what consumers with isolation level read_committed may read';
COMMENT ON COLUMN broker.partitions.end_offset IS 'next offset to be given';
COMMENT ON COLUMN broker.partitions.undecided_transactions IS 'SQL transactions that are committing right now, or prepared';

GRANT SELECT ON broker.topics, broker.topic_config, broker.partitions TO PUBLIC;

/* ---------- privileges on consumer groups ---------- */

/*
 * A group belongs to the role that uses it first.  Rows of this table give rights to others, and reserve the
 * names of groups for those who have them.
 */
CREATE TABLE broker.group_grants (
	group_name text,
	is_prefix boolean,
	role regrole,
	privilege text CHECK (privilege IN ('use', 'describe', 'delete')),
	PRIMARY KEY (group_name, is_prefix, role, privilege)
);
COMMENT ON TABLE broker.group_grants IS 'who may use which consumer groups, beside their owners: see broker.grant_group()';
COMMENT ON COLUMN broker.group_grants.is_prefix IS 'true: all groups whose names begin with group_name';
COMMENT ON COLUMN broker.group_grants.role IS '-: everybody';
SELECT pg_catalog.pg_extension_config_dump('broker.group_grants', '');
GRANT SELECT ON broker.group_grants TO PUBLIC;

CREATE FUNCTION broker.group_grants_changed() RETURNS trigger
AS 'MODULE_PATHNAME', 'topic_sql_group_grants_changed' LANGUAGE C;
COMMENT ON FUNCTION broker.group_grants_changed() IS 'trigger that makes the broker read its table again';
CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON broker.group_grants
	EXECUTE FUNCTION broker.group_grants_changed();

CREATE FUNCTION broker.grant_group(group_name text, role text, privileges text[] DEFAULT '{use,describe,delete}',
	is_prefix boolean DEFAULT false) RETURNS void
LANGUAGE sql STRICT SECURITY DEFINER SET search_path = pg_catalog
AS $$
	INSERT INTO broker.group_grants
	SELECT $1, $4, CASE $2 WHEN 'public' THEN '-' ELSE quote_ident($2) END::regrole, p FROM unnest($3) p
	ON CONFLICT DO NOTHING
$$;
CREATE FUNCTION broker.revoke_group(group_name text, role text,
	privileges text[] DEFAULT '{use,describe,delete}', is_prefix boolean DEFAULT false) RETURNS void
LANGUAGE sql STRICT SECURITY DEFINER SET search_path = pg_catalog
AS $$
	DELETE FROM broker.group_grants g
	WHERE g.group_name = $1 AND g.is_prefix = $4 AND g.privilege = ANY ($3)
		AND g.role = CASE $2 WHEN 'public' THEN '-' ELSE quote_ident($2) END::regrole
$$;
COMMENT ON FUNCTION broker.grant_group(text, text, text[], boolean)
	IS 'let a role (or public) use, describe or delete a consumer group, or all whose names begin alike, and reserve the names';
COMMENT ON FUNCTION broker.revoke_group(text, text, text[], boolean) IS 'take back what broker.grant_group() has given';
REVOKE ALL ON FUNCTION broker.grant_group(text, text, text[], boolean),
	broker.revoke_group(text, text, text[], boolean) FROM PUBLIC;

/* ---------- network ---------- */

CREATE FUNCTION broker.listeners(OUT address text, OUT port int) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'net_listeners' LANGUAGE C STRICT VOLATILE ROWS 2;
COMMENT ON FUNCTION broker.listeners() IS 'where Kafka clients connect, for the view broker.listeners';

CREATE VIEW broker.listeners AS
SELECT address, port FROM broker.listeners();
COMMENT ON VIEW broker.listeners IS 'addresses and ports on which the broker listens; empty while it doesn''t';
GRANT SELECT ON broker.listeners TO PUBLIC;

CREATE FUNCTION broker.connection_info(OUT worker_pid int, OUT client_addr text, OUT client_port int,
	OUT client_id text, OUT client_software text, OUT role oid, OUT connected timestamptz, OUT bytes_in bigint,
	OUT bytes_out bigint, OUT requests bigint, OUT last_request text, OUT last_request_at timestamptz,
	OUT state text) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'net_connections' LANGUAGE C STRICT VOLATILE ROWS 100;
COMMENT ON FUNCTION broker.connection_info() IS 'connections of Kafka clients, for the view broker.connections';
REVOKE ALL ON FUNCTION broker.connection_info() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION broker.connection_info() TO pg_read_all_stats;

CREATE VIEW broker.connections AS
SELECT worker_pid, client_addr, client_port, client_id, client_software,
	pg_catalog.pg_get_userbyid(role) AS role, connected, bytes_in, bytes_out, requests, last_request,
	last_request_at, state
FROM broker.connection_info();
COMMENT ON VIEW broker.connections IS 'connections of Kafka clients';
GRANT SELECT ON broker.connections TO pg_read_all_stats;

/* ---------- Kafka requests ---------- */

-- Ids of idempotent producers, which the broker's processes take in blocks.  None may be given out twice, so
-- a dump keeps it.
CREATE SEQUENCE broker.producer_id_seq INCREMENT BY 1000 MINVALUE 0 START WITH 0 NO CYCLE;
COMMENT ON SEQUENCE broker.producer_id_seq IS 'pg_broker: next block of producer ids';
SELECT pg_catalog.pg_extension_config_dump('broker.producer_id_seq', '');

/* ---------- consumer groups ---------- */

CREATE FUNCTION broker.commit_offsets(group_id text, topic text, partition int, first_offset bigint,
	last_offset bigint, member_id text DEFAULT NULL, generation int DEFAULT NULL, metadata text DEFAULT NULL,
	allow_skip boolean DEFAULT false) RETURNS void
AS 'MODULE_PATHNAME', 'consume_sql_commit_offsets' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION broker.commit_offsets(text, text, int, bigint, bigint, text, int, text, boolean)
	IS 'this transaction has processed the records from the first to the last offset: the group goes on behind them if it commits';

-- Another name: drivers leave parameters untyped, and then overloaded functions are ambiguous.
CREATE FUNCTION broker.commit_all_offsets(group_id text, topics text[], partitions int[], first_offsets bigint[],
	last_offsets bigint[], member_id text DEFAULT NULL, generation int DEFAULT NULL, metadata text DEFAULT NULL,
	allow_skip boolean DEFAULT false) RETURNS void
AS 'MODULE_PATHNAME', 'consume_sql_commit_all_offsets' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION broker.commit_all_offsets(text, text[], int[], bigint[], bigint[], text, int, text, boolean)
	IS 'broker.commit_offsets() for several partitions at once: all or none';

CREATE FUNCTION broker.committed(group_id text, topic text, OUT partition int, OUT committed_offset bigint)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'consume_sql_committed' LANGUAGE C STRICT VOLATILE PARALLEL UNSAFE ROWS 10;
COMMENT ON FUNCTION broker.committed(text, text)
	IS 'where a group goes on in the partitions of a topic (null: it has not committed); waits for transactions that are just committing';

CREATE FUNCTION broker.consume(group_id text, topic text, max_records int DEFAULT 100,
	max_wait interval DEFAULT '0', OUT partition int, OUT log_offset bigint, OUT ts timestamptz, OUT key bytea,
	OUT value bytea, OUT headers broker.header[]) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'consume_sql_consume' LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 100;
COMMENT ON FUNCTION broker.consume(text, text, int, interval)
	IS 'the next records for a group of SQL sessions, which share the partitions; the group goes on behind them if this transaction commits';

CREATE FUNCTION broker.consume(row_type anyelement, group_id text, max_records int DEFAULT 100,
	max_wait interval DEFAULT '0') RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'consume_sql_consume_typed' LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 100;
COMMENT ON FUNCTION broker.consume(anyelement, text, int, interval)
	IS 'the same as rows of the topic''s table: consume(NULL::topic.name, ...)';

CREATE FUNCTION broker.seek(group_id text, topic text, partition int, to_offset bigint) RETURNS bigint
AS 'MODULE_PATHNAME', 'consume_sql_seek' LANGUAGE C STRICT VOLATILE PARALLEL UNSAFE;
CREATE FUNCTION broker.seek(group_id text, topic text, partition int, to_time timestamptz) RETURNS bigint
AS 'MODULE_PATHNAME', 'consume_sql_seek_time' LANGUAGE C STRICT VOLATILE PARALLEL UNSAFE;
CREATE FUNCTION broker.seek(group_id text, topic text, partition int, to_place text) RETURNS bigint
AS 'MODULE_PATHNAME', 'consume_sql_seek_text' LANGUAGE C STRICT VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION broker.seek(text, text, int, bigint)
	IS 'the group goes on at this offset if this transaction commits; it must not have members; returns the offset';
COMMENT ON FUNCTION broker.seek(text, text, int, timestamptz)
	IS 'the group goes on at the first record of this time or a later one; returns its offset';
COMMENT ON FUNCTION broker.seek(text, text, int, text)
	IS 'the group goes on at ''earliest'' or ''latest'', or at an offset or a time given as text; returns the offset';

CREATE FUNCTION broker.release_group(group_id text, topic text DEFAULT NULL) RETURNS void
AS 'MODULE_PATHNAME', 'consume_sql_release_group' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION broker.release_group(text, text)
	IS 'at once: offsets of the group for the topic (null: for all, and the group itself) are the Kafka clients'' to commit again';

CREATE FUNCTION broker.delete_group(group_id text) RETURNS void
AS 'MODULE_PATHNAME', 'consume_sql_delete_group' LANGUAGE C STRICT VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION broker.delete_group(text) IS 'at once: delete a group that has no members, with its offsets';

-- what the views are made of: groups that the user may describe
CREATE FUNCTION broker.group_info(OUT group_id text, OUT kind text, OUT state text, OUT protocol_type text,
	OUT protocol text, OUT generation int, OUT members int, OUT owner oid) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'consume_sql_group_info' LANGUAGE C STRICT VOLATILE PARALLEL RESTRICTED ROWS 100;
CREATE FUNCTION broker.group_member_info(OUT group_id text, OUT member_id text, OUT instance_id text,
	OUT client_id text, OUT client_host text, OUT topic text, OUT partitions int[]) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'consume_sql_group_member_info' LANGUAGE C STRICT VOLATILE PARALLEL RESTRICTED ROWS 100;
CREATE FUNCTION broker.group_offset_info(OUT group_id text, OUT topic text, OUT partition int,
	OUT committed_offset bigint, OUT metadata text, OUT committed_at timestamptz, OUT by_sql boolean,
	OUT log_start_offset bigint, OUT high_watermark bigint, OUT lag bigint, OUT lag_seconds float8)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'consume_sql_group_offset_info' LANGUAGE C STRICT VOLATILE PARALLEL RESTRICTED ROWS 1000;
COMMENT ON FUNCTION broker.group_info() IS 'consumer groups, for the view broker.groups';
COMMENT ON FUNCTION broker.group_member_info() IS 'members of consumer groups, for the view broker.group_members';
COMMENT ON FUNCTION broker.group_offset_info() IS 'offsets of consumer groups, for the view broker.group_offsets';

CREATE VIEW broker.groups AS
SELECT group_id, kind, state, protocol_type, protocol, generation, members,
	pg_catalog.pg_get_userbyid(owner) AS owner
FROM broker.group_info();
COMMENT ON VIEW broker.groups IS 'consumer groups that the user may describe';
COMMENT ON COLUMN broker.groups.kind IS 'classic or consumer: the protocol of its Kafka clients; sql: its consumers are SQL sessions';
COMMENT ON COLUMN broker.groups.generation IS 'generation (classic) or epoch (consumer), raised by every rebalance';
COMMENT ON COLUMN broker.groups.owner IS 'role that was the first to use the group';

CREATE VIEW broker.group_members AS
SELECT group_id, member_id, instance_id, client_id, client_host, topic, partitions
FROM broker.group_member_info();
COMMENT ON VIEW broker.group_members IS 'members of consumer groups and their partitions: a row for each topic of a member';

CREATE VIEW broker.group_offsets AS
SELECT group_id, topic, partition, committed_offset, metadata, committed_at, by_sql, log_start_offset,
	high_watermark, lag, pg_catalog.make_interval(secs => lag_seconds) AS lag_time
FROM broker.group_offset_info();
COMMENT ON VIEW broker.group_offsets IS 'where consumer groups go on, and how far behind the end of the log that is';
COMMENT ON COLUMN broker.group_offsets.by_sql IS 'true: committed by SQL transactions, so the members of the group may not, until broker.release_group()';
COMMENT ON COLUMN broker.group_offsets.lag IS 'offsets between the committed one and the end of what consumers may read';
COMMENT ON COLUMN broker.group_offsets.lag_time IS 'age of the first record that the group has not committed; null if there is none';
GRANT SELECT ON broker.groups, broker.group_members, broker.group_offsets TO PUBLIC;
