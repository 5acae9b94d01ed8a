-- What the consumers write, without any constraint that would hide a record processed twice.
CREATE TABLE received (
	id			bigserial,
	grp			text DEFAULT current_setting('checker.grp'),
	topic		text,
	partition	int,
	log_offset	bigint,
	value		text
);
CREATE INDEX ON received (grp, topic, partition, log_offset);
CREATE INDEX ON received (grp, id);

-- Up to where a group's rows have been checked and deleted, in long runs.
CREATE TABLE checked (grp text, topic text, partition int, upto bigint, PRIMARY KEY (grp, topic, partition));

CREATE TABLE consumer_offset (consumer_group text, topic text, partition int, next_offset bigint NOT NULL,
	PRIMARY KEY (consumer_group, topic, partition));

-- Makes some COMMITs fail, before the broker has looked at them.
CREATE TABLE chaos (failing_commits float NOT NULL);
INSERT INTO chaos VALUES (0);

CREATE FUNCTION fail_sometimes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF random() < (SELECT failing_commits FROM chaos) THEN
		RAISE EXCEPTION 'this COMMIT fails on purpose' USING ERRCODE = '23514';
	END IF;
	RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER fail_sometimes AFTER INSERT ON received DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW WHEN (NEW.log_offset % 50 = 0) EXECUTE FUNCTION fail_sometimes();

-- What producers need in order to fail at their COMMIT.
CREATE TABLE skew (side int);

-- What is wrong with a group's rows: they must be its topic's log from the beginning up to some offset, in order.
CREATE FUNCTION wrong(of_group text, of_topic text)
	RETURNS TABLE (what text, partition int, log_offset bigint, value text) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format($q$
		WITH rows AS MATERIALIZED (SELECT * FROM received WHERE grp = %1$L AND topic = %2$L),
			ends AS (SELECT r.partition, max(r.log_offset) AS top, coalesce(min(c.upto), -1) AS upto
				FROM rows r LEFT JOIN checked c ON c.grp = r.grp AND c.topic = r.topic AND c.partition = r.partition GROUP BY 1),
			log AS MATERIALIZED (SELECT l.partition, l.log_offset, convert_from(l.value, 'UTF8') AS value FROM ends e,
				LATERAL (SELECT * FROM topic.%2$I t WHERE t.partition = e.partition
					AND t.log_offset > e.upto AND t.log_offset <= e.top) l)
		SELECT 'lost', l.partition, l.log_offset, l.value FROM log l LEFT JOIN rows r USING (partition, log_offset)
			WHERE r.id IS NULL
		UNION ALL
		SELECT 'doubled', r.partition, r.log_offset, min(r.value) FROM rows r GROUP BY 2, 3 HAVING count(*) > 1
		UNION ALL
		SELECT 'not in the log', r.partition, r.log_offset, r.value FROM rows r LEFT JOIN log l USING (partition, log_offset)
			WHERE l.value IS DISTINCT FROM r.value
		UNION ALL
		SELECT 'out of order', o.partition, o.log_offset, o.value FROM
			(SELECT r.*, lag(r.log_offset) OVER (PARTITION BY r.partition ORDER BY r.id) AS before FROM rows r) o
			WHERE o.before >= o.log_offset
		LIMIT 10 $q$, of_group, of_topic);
END $$;
