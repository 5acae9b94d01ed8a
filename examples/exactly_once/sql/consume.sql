-- psql -v group=billing -v topic=orders -f consume.sql
INSERT INTO received (topic, partition, log_offset, value)
SELECT :'topic', partition, log_offset, convert_from(value, 'UTF8')
FROM broker.consume(:'group', :'topic', max_records => 500, max_wait => '1 s');
