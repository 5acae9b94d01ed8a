/*-------------------------------------------------------------------------
 *
 * crc32c.c
 *	  CRC-32C (Castagnoli).
 *
 * Every produced byte passes through here, so it matters.  The instruction of
 * SSE 4.2 has a latency of three cycles and can start every cycle: three
 * stretches of the input are worked on at a time, and their results are joined.
 * A checksum is linear: that of A followed by n bytes is the checksum of A
 * moved over n zero bytes, xor the checksum (from 0) of those n bytes.  The move
 * over a fixed n is four table look-ups.
 *
 * Without the instruction: eight bytes a step by eight tables.
 *
 * The tables are made at first use.  That isn't safe among threads; processes
 * of PostgreSQL have one.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/crc32c.h"

#include <string.h>

#if defined(__x86_64__)
#include <nmmintrin.h>
#define CRC32C_HARDWARE 1
#endif

/* The polynomial, bits reversed. */
#define CRC32C_POLY 0x82F63B78u

/* ---------- tables ---------- */

static bool crc32c_table_ready;
static uint32_t crc32c_table[8][256];

static void
crc32c_make_table(void)
{
	for (uint32_t b = 0; b < 256; b++)
	{
		uint32_t	crc = b;

		for (int bit = 0; bit < 8; bit++)
			crc = (crc >> 1) ^ ((crc & 1) ? CRC32C_POLY : 0);
		crc32c_table[0][b] = crc;
	}
	for (int k = 1; k < 8; k++)
		for (uint32_t b = 0; b < 256; b++)
		{
			uint32_t	crc = crc32c_table[k - 1][b];

			crc32c_table[k][b] = (crc >> 8) ^ crc32c_table[0][crc & 0xFF];
		}
	crc32c_table_ready = true;
}

static inline uint32_t
crc32c_load32(const unsigned char *p)
{
	return (uint32_t) p[0] | (uint32_t) p[1] << 8 | (uint32_t) p[2] << 16 | (uint32_t) p[3] << 24;
}

uint32_t
crc32c_extend_table(uint32_t crc, const void *data, size_t len)
{
	const unsigned char *p = data;

	if (!crc32c_table_ready)
		crc32c_make_table();

	crc = ~crc;
	for (; len >= 8; p += 8, len -= 8)
	{
		uint32_t	low = crc32c_load32(p) ^ crc;
		uint32_t	high = crc32c_load32(p + 4);

		crc = crc32c_table[7][low & 0xFF] ^
			crc32c_table[6][low >> 8 & 0xFF] ^
			crc32c_table[5][low >> 16 & 0xFF] ^
			crc32c_table[4][low >> 24] ^
			crc32c_table[3][high & 0xFF] ^
			crc32c_table[2][high >> 8 & 0xFF] ^
			crc32c_table[1][high >> 16 & 0xFF] ^
			crc32c_table[0][high >> 24];
	}
	for (; len > 0; p++, len--)
		crc = (crc >> 8) ^ crc32c_table[0][(crc ^ *p) & 0xFF];
	return ~crc;
}

/* ---------- instruction ---------- */

#ifdef CRC32C_HARDWARE

/* Stretches of two lengths: the long one for speed, the short one for what is left of a batch. */
#define CRC32C_LONG		2048
#define CRC32C_SHORT	128

static uint32_t crc32c_move_long[4][256];
static uint32_t crc32c_move_short[4][256];
static bool crc32c_move_ready;

bool
crc32c_has_hardware(void)
{
	static int	known = -1;

	if (known < 0)
	{
		__builtin_cpu_init();
		known = __builtin_cpu_supports("sse4.2") ? 1 : 0;
	}
	return known == 1;
}

/* What becomes of each bit of a checksum after n zero bytes, combined for all values of each byte. */
__attribute__((target("sse4.2"))) static void
crc32c_make_move(uint32_t table[4][256], size_t n)
{
	for (int k = 0; k < 4; k++)
	{
		table[k][0] = 0;
		for (int bit = 0; bit < 8; bit++)
		{
			uint64_t	crc = (uint64_t) 1 << (8 * k + bit);

			for (size_t i = 0; i < n; i += 8)
				crc = _mm_crc32_u64(crc, 0);
			for (int b = 0; b < 1 << bit; b++)
				table[k][(1 << bit) + b] = table[k][b] ^ (uint32_t) crc;
		}
	}
}

static inline uint32_t
crc32c_move(uint32_t table[4][256], uint32_t crc)
{
	return table[0][crc & 0xFF] ^ table[1][crc >> 8 & 0xFF] ^
		table[2][crc >> 16 & 0xFF] ^ table[3][crc >> 24];
}

static inline uint64_t
crc32c_load64(const unsigned char *p)
{
	uint64_t	v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* Three stretches of `n` bytes. */
__attribute__((target("sse4.2"))) static inline uint32_t
crc32c_three(uint32_t crc, const unsigned char *p, size_t n, uint32_t table[4][256])
{
	uint64_t	a = crc;
	uint64_t	b = 0;
	uint64_t	c = 0;

	for (const unsigned char *end = p + n; p < end; p += 8)
	{
		a = _mm_crc32_u64(a, crc32c_load64(p));
		b = _mm_crc32_u64(b, crc32c_load64(p + n));
		c = _mm_crc32_u64(c, crc32c_load64(p + 2 * n));
	}
	crc = crc32c_move(table, (uint32_t) a) ^ (uint32_t) b;
	return crc32c_move(table, crc) ^ (uint32_t) c;
}

__attribute__((target("sse4.2"))) uint32_t
crc32c_extend_hardware(uint32_t crc, const void *data, size_t len)
{
	const unsigned char *p = data;

	crc = ~crc;
	if (len >= 3 * CRC32C_SHORT)
	{
		if (!crc32c_move_ready)
		{
			crc32c_make_move(crc32c_move_long, CRC32C_LONG);
			crc32c_make_move(crc32c_move_short, CRC32C_SHORT);
			crc32c_move_ready = true;
		}
		for (; len >= 3 * CRC32C_LONG; p += 3 * CRC32C_LONG, len -= 3 * CRC32C_LONG)
			crc = crc32c_three(crc, p, CRC32C_LONG, crc32c_move_long);
		for (; len >= 3 * CRC32C_SHORT; p += 3 * CRC32C_SHORT, len -= 3 * CRC32C_SHORT)
			crc = crc32c_three(crc, p, CRC32C_SHORT, crc32c_move_short);
	}
	for (; len >= 8; p += 8, len -= 8)
		crc = (uint32_t) _mm_crc32_u64(crc, crc32c_load64(p));
	for (; len > 0; p++, len--)
		crc = _mm_crc32_u8(crc, *p);
	return ~crc;
}

#else

bool
crc32c_has_hardware(void)
{
	return false;
}

uint32_t
crc32c_extend_hardware(uint32_t crc, const void *data, size_t len)
{
	return crc32c_extend_table(crc, data, len);
}

#endif

/* ---------- choice ---------- */

uint32_t
crc32c_extend(uint32_t crc, const void *data, size_t len)
{
	if (crc32c_has_hardware())
		return crc32c_extend_hardware(crc, data, len);
	return crc32c_extend_table(crc, data, len);
}

uint32_t
crc32c_compute(const void *data, size_t len)
{
	return crc32c_extend(0, data, len);
}
