-- An order and the event that tells of it: both, or neither.
BEGIN;
INSERT INTO orders (id, item) VALUES (42, 'tea');
INSERT INTO topic.orders (key, value) VALUES ('42', '{"item": "tea", "state": "ordered"}');
COMMIT;
