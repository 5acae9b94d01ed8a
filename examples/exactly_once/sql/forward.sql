-- Consume, write and produce in one transaction: psql -v group=billing -f forward.sql
BEGIN;
WITH consumed AS (
	SELECT * FROM broker.consume(NULL::topic.orders, :'group', max_records => 500)
), billed AS (
	INSERT INTO bills (order_id, item) SELECT key::int, value ->> 'item' FROM consumed
	RETURNING order_id
)
INSERT INTO topic.bills (key, value) SELECT order_id::text, json_build_object('order', order_id) FROM billed;
COMMIT;
