/* The reader, the writer and the arena: bounds, stickiness, limits. */
#include "check.h"
#include "wire/arena.h"

static void
test_numbers(void)
{
	WireWriter	w;
	WireReader	r;

	wire_writer_init(&w, 1000);
	wire_write_int8(&w, -2);
	wire_write_int16(&w, 0x1234);
	wire_write_int32(&w, -3);
	wire_write_int64(&w, INT64_C(0x0102030405060708));
	check(w.len == 15 && memcmp(w.data, "\xfe\x12\x34\xff\xff\xff\xfd\1\2\3\4\5\6\7\10", 15) == 0,
		  "numbers are big-endian");
	wire_reader_init(&r, w.data, w.len);
	check(wire_read_int8(&r) == -2 && wire_read_int16(&r) == 0x1234 && wire_read_int32(&r) == -3 &&
		  wire_read_int64(&r) == INT64_C(0x0102030405060708), "numbers are read back");
	check(!r.failed && wire_remaining(&r) == 0, "to the last byte");
	check(wire_read_int8(&r) == 0 && r.failed, "one byte more fails and reads as zero");
	wire_writer_free(&w);
}

static void
test_varints(void)
{
	static const uint32_t unsigned_values[] = {0, 1, 127, 128, 16383, 16384, 2097151, 2097152,
	268435455, 268435456, UINT32_MAX};
	WireWriter	w;
	WireReader	r;
	int			bad = 0;
	size_t		i;

	wire_writer_init(&w, 1000);
	for (i = 0; i < sizeof(unsigned_values) / sizeof(unsigned_values[0]); i++)
	{
		wire_writer_reset(&w);
		wire_write_uvarint(&w, unsigned_values[i]);
		wire_reader_init(&r, w.data, w.len);
		fails(bad, wire_read_uvarint(&r) == unsigned_values[i] && !r.failed && wire_remaining(&r) == 0,
			  "%u", unsigned_values[i]);
	}
	check(bad == 0, "variable-length numbers make the round trip");

	wire_writer_reset(&w);
	wire_write_uvarint(&w, 300);
	check(w.len == 2 && memcmp(w.data, "\xac\x02", 2) == 0,
		  "variable-length numbers have Kafka's form");

	wire_reader_init(&r, "\xff\xff\xff\xff\x1f", 5);
	wire_read_uvarint(&r);
	check(r.failed, "a 32-bit number of 33 bits fails");
	wire_reader_init(&r, "\x80\x80\x80\x80\x80\x00", 6);
	wire_read_uvarint(&r);
	check(r.failed, "a 32-bit number of 6 bytes fails");
	wire_reader_init(&r, "\x80\x80", 2);
	wire_read_uvarint(&r);
	check(r.failed, "an unfinished number fails");
	wire_writer_free(&w);
}

static void
test_lengths(void)
{
	WireReader	r;
	WireString	s;
	WireBytes	b;

	wire_reader_init(&r, "\0\3abc\xff\xff\0\0", 9);
	s = wire_read_string(&r, false);
	check(wire_string_is(s, "abc"), "a string");
	s = wire_read_string(&r, false);
	check(s.len == -1 && s.data == NULL, "the null string");
	s = wire_read_string(&r, false);
	check(s.len == 0 && !r.failed, "the empty string");
	check(wire_read_string(&r, false).len == 0 && r.failed, "no string");

	wire_reader_init(&r, NULL, 0);
	check(wire_read_raw(&r, 0) != NULL && !r.failed, "no bytes from nothing are no failure");
	check(wire_read_raw(&r, 1) == NULL && r.failed, "a byte from nothing is one");

	wire_reader_init(&r, "\0\4abc", 5);
	check(wire_read_string(&r, false).len == 0 && r.failed, "a string longer than the rest fails");
	wire_reader_init(&r, "\xff\xfe", 2);
	wire_read_string(&r, false);
	check(r.failed, "a string of length -2 fails");
	wire_reader_init(&r, "\xff\xff\xff\xff\x0f", 5);
	wire_read_string(&r, true);
	check(r.failed, "a compact string of 4 GB fails");
	wire_reader_init(&r, "\x7f\xff\xff\xff\0", 5);
	b = wire_read_bytes(&r, false);
	check(r.failed && b.len == 0, "bytes of 2 GB fail");
	wire_reader_init(&r, "\4abc\0\1", 6);
	b = wire_read_bytes(&r, true);
	check(b.len == 3 && memcmp(b.data, "abc", 3) == 0, "compact bytes");
	check(wire_read_bytes(&r, true).len == -1, "compact null");
	check(wire_read_bytes(&r, true).len == 0 && !r.failed, "compact and empty");

	wire_reader_init(&r, "\0\0\0\2abcdefgh", 12);
	check(wire_read_array_len(&r, false, 4) == 2, "as many elements as there are bytes for");
	wire_reader_init(&r, "\0\0\0\3abcdefgh", 12);
	check(wire_read_array_len(&r, false, 4) == 0 && r.failed, "one element more fails");
	wire_reader_init(&r, "\x80\0\0\0", 4);
	wire_read_array_len(&r, false, 1);
	check(r.failed, "a negative number of elements fails");

	wire_reader_init(&r, "\2\0\2ab\7\0rest", 11);
	wire_skip_tags(&r);
	check(!r.failed && wire_remaining(&r) == 4, "tagged fields are skipped");
	wire_reader_init(&r, "\xff\xff\xff\xff\x0f\0\0\0\0", 9);
	wire_skip_tags(&r);
	check(r.failed, "billions of tagged fields end with the bytes");
}

static void
test_writer(void)
{
	WireWriter	w;
	WireRecords rec = {NULL, 100, &w};
	WireRecords inner = {(char *) "xy", 2, NULL};
	char		big[300];
	size_t		at;

	memset(big, 'x', sizeof(big));
	wire_writer_init(&w, 1000);
	wire_write_int32(&w, 0);
	wire_write_records(&w, &rec, false);
	wire_write_records(&w, &inner, true);
	wire_patch_int32(&w, 0, 77);
	check(w.len == 11 && memcmp(w.data, "\0\0\0\115\0\0\0\144\3xy", 11) == 0,
		  "records elsewhere leave their length");
	check(w.n_splices == 1 && w.splices[0].pos == 8 && w.splices[0].len == 100 &&
		  w.splices[0].external == &w && wire_total(&w) == 111, "and a splice");

	at = w.len;
	wire_write_raw(&w, big, 300);
	wire_insert_size(&w, at);
	check(w.len == at + 302 && memcmp(w.data + at, "\xac\2xx", 4) == 0 && w.data[w.len - 1] == 'x',
		  "a size is put before what was written");
	at = w.len;
	wire_insert_size(&w, at);
	check(w.len == at + 1 && w.data[at] == 0, "also before nothing");

	rec.len = 1000 - (int32_t) wire_total(&w) - 3;
	wire_write_records(&w, &rec, true);
	check(!w.failed && wire_total(&w) == 999, "splices count towards the limit: %zu", wire_total(&w));
	wire_write_int8(&w, 1);
	check(!w.failed && wire_total(&w) == 1000, "all of which can be used");
	wire_write_int8(&w, 1);
	check(w.failed && w.why && wire_total(&w) == 1000, "but no more");
	wire_writer_reset(&w);
	check(!w.failed && wire_total(&w) == 0 && w.n_splices == 0, "a reset starts anew");
	rec.len = 997;
	wire_write_records(&w, &rec, false);
	check(w.failed && w.n_splices == 0, "a splice past the limit fails");
	wire_writer_reset(&w);
	wire_write_string(&w, wire_string_n(big, 40000), false);
	check(w.failed && w.len == 0, "a string longer than Kafka allows fails");
	wire_writer_free(&w);

	wire_writer_init(&w, SIZE_MAX);
	wire_write_int8(&w, 1);
	check(wire_reserve(&w, SIZE_MAX) == NULL && w.failed, "a size that overflows fails");
	wire_writer_free(&w);
}

static void
test_arena(void)
{
	WireArena	a;
	char	   *p;
	int			bad = 0;
	int			i;
	size_t		n;

	wire_arena_init(&a, 100000);
	for (i = 0; i < 200; i++)
	{
		p = wire_alloc(&a, 100 + i);
		fails(bad, p && (uintptr_t) p % _Alignof(max_align_t) == 0, "piece %d", i);
		for (n = 0; p && n < 100 + (size_t) i; n++)
			fails(bad, p[n] == 0, "piece %d, byte %zu", i, n);
		if (p)
			memset(p, 'x', 100 + i);
	}
	check(bad == 0, "pieces are zeroed and aligned");
	wire_arena_reset(&a);
	p = wire_alloc(&a, 4000);
	for (n = 0; p && n < 4000; n++)
		fails(bad, p[n] == 0, "byte %zu", n);
	check(p && bad == 0, "also when memory is used again");
	check(wire_alloc(&a, 100001) == NULL, "not more than the cap");
	check(wire_alloc(&a, SIZE_MAX) == NULL && wire_alloc_array(&a, SIZE_MAX / 2, 3) == NULL,
		  "sizes that overflow fail");
	for (n = 0; wire_alloc(&a, 1000); n++)
		;
	check(a.total <= 100000 && n >= 80, "the cap is for all pieces together (%zu)", n);
	check(wire_alloc(&a, 0) != NULL, "a piece of no bytes always fits");
	wire_arena_reset(&a);
	check(wire_string_is(wire_printf(&a, "%d %s", 42, "apples"), "42 apples"), "printf");
	check(wire_string_is(wire_copy_string(&a, wire_string("abc")), "abc") &&
		  wire_copy_string(&a, wire_string(NULL)).len == -1, "copies");
	wire_arena_free(&a);
	check(a.total == 0 && wire_alloc(&a, 10) != NULL, "an arena can be used after it was freed");
	wire_arena_free(&a);
}

int
main(void)
{
	test_numbers();
	test_varints();
	test_lengths();
	test_writer();
	test_arena();
	return done();
}
