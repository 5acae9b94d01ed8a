/*-------------------------------------------------------------------------
 *
 * crc32c.h
 *	  CRC-32C (Castagnoli), the checksum of a record batch.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_CRC32C_H
#define WIRE_CRC32C_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The checksum of some bytes. */
extern uint32_t crc32c_compute(const void *data, size_t len);

/* The checksum of bytes with the checksum `crc` (0 for none) followed by these. */
extern uint32_t crc32c_extend(uint32_t crc, const void *data, size_t len);

/* The two implementations, for the tests; the first needs SSE 4.2. */
extern bool crc32c_has_hardware(void);
extern uint32_t crc32c_extend_hardware(uint32_t crc, const void *data, size_t len);
extern uint32_t crc32c_extend_table(uint32_t crc, const void *data, size_t len);

#endif							/* WIRE_CRC32C_H */
