/*
 * CRC-32C: known values, and the two implementations against each other.
 */
#include "check.h"
#include "wire/crc32c.h"

static void
known_values(void)
{
	unsigned char bytes[32];

	check(crc32c_compute("", 0) == 0, "of nothing");
	check(crc32c_compute("123456789", 9) == 0xE3069283, "of the digits");
	memset(bytes, 0, sizeof(bytes));
	check(crc32c_compute(bytes, 32) == 0x8A9136AA, "of zeros (RFC 3720)");
	memset(bytes, 0xFF, sizeof(bytes));
	check(crc32c_compute(bytes, 32) == 0x62A8AB43, "of ones (RFC 3720)");
	for (int i = 0; i < 32; i++)
		bytes[i] = (unsigned char) i;
	check(crc32c_compute(bytes, 32) == 0x46DD794E, "of ascending bytes (RFC 3720)");
}

static uint32_t
bit_by_bit(const unsigned char *p, size_t len)
{
	uint32_t	crc = ~0u;

	for (; len > 0; p++, len--)
	{
		crc ^= *p;
		for (int bit = 0; bit < 8; bit++)
			crc = (crc >> 1) ^ ((crc & 1) ? 0x82F63B78u : 0);
	}
	return ~crc;
}

static void
against_each_other(void)
{
	enum
	{
		SIZE = 40000
	};
	unsigned char *bytes = malloc(SIZE);
	uint64_t	state = 42;
	int			bad = 0;

	for (int i = 0; i < SIZE; i++)
		bytes[i] = (unsigned char) random_next(&state);
	if (!crc32c_has_hardware())
		printf("# no SSE 4.2: only the tables are tested\n");

	for (size_t len = 0; len < 1200; len++)
	{
		size_t		start = len % 11;
		uint32_t	expected = bit_by_bit(bytes + start, len);

		fails(bad, crc32c_extend_table(0, bytes + start, len) == expected, "table, length %zu", len);
		if (crc32c_has_hardware())
			fails(bad, crc32c_extend_hardware(0, bytes + start, len) == expected, "hardware, length %zu",
				  len);
	}
	for (int i = 0; i < 300; i++)
	{
		size_t		start = random_next(&state) % 100;
		size_t		len = random_next(&state) % (SIZE - 100);
		size_t		cut = random_next(&state) % (len + 1);
		uint32_t	expected = bit_by_bit(bytes + start, len);
		uint32_t	first = crc32c_compute(bytes + start, cut);

		fails(bad, crc32c_extend(first, bytes + start + cut, len - cut) == expected, "%zu cut at %zu", len,
			  cut);
		fails(bad, crc32c_extend_table(first, bytes + start + cut, len - cut) == expected, "%zu cut at %zu",
			  len,
			  cut);
	}
	check(bad == 0, "hardware, tables and definition agree for all lengths, addresses and cuts");
	free(bytes);
}

int
main(void)
{
	known_values();
	against_each_other();
	return done();
}
