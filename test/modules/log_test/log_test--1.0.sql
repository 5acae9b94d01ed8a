CREATE FUNCTION append(topic regclass, partition int, n_records int, size int, ts int8 DEFAULT -1, seed int8 DEFAULT 0,
                       transactional bool DEFAULT false, producer_id int8 DEFAULT -1, epoch int DEFAULT 0, sequence int DEFAULT -1,
                       explicit_offset int8 DEFAULT -1, segment_ms int8 DEFAULT 0, segment_bytes int8 DEFAULT 0,
                       OUT result int, OUT base_offset int8, OUT last_offset int8, OUT lsn pg_lsn)
    AS 'MODULE_PATHNAME', 'log_test_append' LANGUAGE C;
COMMENT ON FUNCTION append IS 'append a batch whose payload is size bytes made from seed';

CREATE FUNCTION append_many(topic regclass, partition int, n_batches int, n_records int, size int, ts int8 DEFAULT -1)
    RETURNS int8 AS 'MODULE_PATHNAME', 'log_test_append_many' LANGUAGE C;
COMMENT ON FUNCTION append_many IS 'append batches, each 1 ms later than the one before; the last offset';

CREATE FUNCTION flush() RETURNS void AS 'MODULE_PATHNAME', 'log_test_flush' LANGUAGE C;

CREATE FUNCTION replicated(lsn pg_lsn) RETURNS void AS 'MODULE_PATHNAME', 'log_test_replicated' LANGUAGE C STRICT;
COMMENT ON FUNCTION replicated IS 'what the process tells that waits for the synchronous standbys';

CREATE FUNCTION read(topic regclass, partition int, start_offset int8 DEFAULT 0, end_offset int8 DEFAULT 9223372036854775807,
                     mvcc bool DEFAULT false, backward bool DEFAULT false,
                     OUT base_offset int8, OUT last_offset int8, OUT seed int8, OUT bytes int, OUT max_ts int8, OUT intact bool)
    RETURNS SETOF record AS 'MODULE_PATHNAME', 'log_test_read' LANGUAGE C;

CREATE FUNCTION slices(topic regclass, partition int, start_offset int8, end_offset int8 DEFAULT NULL, max_bytes int DEFAULT 1000000,
                       at_least_one bool DEFAULT true, max_slices int DEFAULT 64,
                       OUT block int8, OUT "position" int8, OUT length int, OUT next_offset int8)
    RETURNS SETOF record AS 'MODULE_PATHNAME', 'log_test_slices' LANGUAGE C;
COMMENT ON FUNCTION slices IS 'no row: nothing there; an error: out of range';

CREATE FUNCTION copy(topic regclass, partition int, block int8, "position" int8, length int, skip int, len int)
    RETURNS bytea AS 'MODULE_PATHNAME', 'log_test_copy' LANGUAGE C STRICT;

CREATE FUNCTION batches(bytes bytea,
                        OUT base_offset int8, OUT last_offset int8, OUT seed int8, OUT bytes int, OUT max_ts int8, OUT intact bool)
    RETURNS SETOF record AS 'MODULE_PATHNAME', 'log_test_batches' LANGUAGE C STRICT;

CREATE FUNCTION bounds(topic regclass, partition int, OUT log_start int8, OUT high_watermark int8, OUT end_offset int8,
                       OUT flushed int8, OUT size_bytes int8, OUT undecided int, OUT scan_end int8)
    AS 'MODULE_PATHNAME', 'log_test_bounds' LANGUAGE C STRICT;

CREATE FUNCTION find_time(topic regclass, partition int, ts int8) RETURNS int8
    AS 'MODULE_PATHNAME', 'log_test_find_time' LANGUAGE C STRICT;
CREATE FUNCTION find_max_time(topic regclass, partition int) RETURNS int8
    AS 'MODULE_PATHNAME', 'log_test_find_max_time' LANGUAGE C STRICT;
CREATE FUNCTION wait_advance(topic regclass, partition int, past int8, timeout_ms int) RETURNS bool
    AS 'MODULE_PATHNAME', 'log_test_wait_advance' LANGUAGE C STRICT;

CREATE FUNCTION delete_records(topic regclass, partition int, before_offset int8) RETURNS int8
    AS 'MODULE_PATHNAME', 'log_test_delete_records' LANGUAGE C STRICT;
CREATE FUNCTION retention(topic regclass, partition int, retention_ms int8 DEFAULT -1, retention_bytes int8 DEFAULT -1,
                          now_ms int8 DEFAULT 0, segment_ms int8 DEFAULT 0) RETURNS int
    AS 'MODULE_PATHNAME', 'log_test_retention' LANGUAGE C STRICT;

CREATE FUNCTION compact(topic regclass, partition int, drop_every int) RETURNS int8
    AS 'MODULE_PATHNAME', 'log_test_compact' LANGUAGE C STRICT;
COMMENT ON FUNCTION compact IS 'drop the batches whose seed is a multiple of it; how many extents were replaced';

CREATE FUNCTION page(topic regclass, block int8, OUT kind text, OUT partition int, OUT "position" int8, OUT first_offset int8,
                     OUT max_timestamp int8, OUT first_batch int, OUT lower int, OUT content bytea)
    AS 'MODULE_PATHNAME', 'log_test_page' LANGUAGE C STRICT;

CREATE FUNCTION topic(topic regclass, OUT topic_id uuid, OUT partitions int)
    AS 'MODULE_PATHNAME', 'log_test_topic' LANGUAGE C STRICT;

CREATE FUNCTION fsck(topic regclass, OUT problem text) RETURNS SETOF text
    AS 'MODULE_PATHNAME', 'log_test_fsck' LANGUAGE C STRICT;
COMMENT ON FUNCTION fsck IS 'what is wrong with a topic''s file: a block that is nobody''s, or two owners'', a page that is not what it should be';
