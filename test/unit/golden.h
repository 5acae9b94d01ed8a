/*
 * golden.h: reading the files in golden/.
 */
#ifndef GOLDEN_H
#define GOLDEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The lines of a file, without their ends; the program stops if it can't be read. */
extern char **golden_lines(const char *file, int *n);
extern void golden_free_lines(char **lines, int n);

/* Bytes from hexadecimal digits up to another character; exactly so large that ASan sees an overrun.*/
extern char *golden_hex(const char *digits, size_t *len);

/* The bytes after "name " in a file of such lines; stops the program if there is none. */
extern char *golden_batch(const char *file, const char *name, size_t *len);

#endif							/* GOLDEN_H */
