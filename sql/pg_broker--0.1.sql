/* pg_broker--0.1.sql */

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION pg_broker" to load this file. \quit

CREATE SCHEMA broker;
CREATE SCHEMA topic;
COMMENT ON SCHEMA broker IS 'pg_broker: functions and views';
COMMENT ON SCHEMA topic IS 'pg_broker: one table per topic';
GRANT USAGE ON SCHEMA broker, topic TO PUBLIC;
