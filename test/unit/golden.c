/*
 * golden.c: reading the files in golden/.
 */
#include "golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char **
golden_lines(const char *file, int *n)
{
	FILE	   *in = fopen(file, "r");
	char	  **lines = NULL;
	char	   *line = NULL;
	size_t		size = 0;
	ssize_t		len;

	if (in == NULL)
	{
		perror(file);
		exit(1);
	}
	*n = 0;
	while ((len = getline(&line, &size, in)) > 0)
	{
		if (line[len - 1] == '\n')
			line[len - 1] = '\0';
		lines = realloc(lines, sizeof(char *) * (size_t) (*n + 1));
		lines[(*n)++] = strdup(line);
	}
	free(line);
	fclose(in);
	return lines;
}

void
golden_free_lines(char **lines, int n)
{
	for (int i = 0; i < n; i++)
		free(lines[i]);
	free(lines);
}

static int
digit(char c)
{
	const char *digits = "0123456789abcdef";
	const char *p = c != '\0' ? strchr(digits, c) : NULL;

	return p != NULL ? (int) (p - digits) : -1;
}

char *
golden_hex(const char *digits, size_t *len)
{
	size_t		n = 0;
	char	   *bytes;

	while (digit(digits[n]) >= 0)
		n++;
	*len = n / 2;
	bytes = malloc(*len > 0 ? *len : 1);
	for (size_t i = 0; i < *len; i++)
		bytes[i] = (char) (digit(digits[2 * i]) * 16 + digit(digits[2 * i + 1]));
	return bytes;
}

char *
golden_batch(const char *file, const char *name, size_t *len)
{
	int			n;
	char	  **lines = golden_lines(file, &n);
	char	   *bytes = NULL;

	for (int i = 0; i < n && bytes == NULL; i++)
	{
		size_t		name_len = strlen(name);

		if (strncmp(lines[i], name, name_len) == 0 && lines[i][name_len] == ' ')
			bytes = golden_hex(lines[i] + name_len + 1, len);
	}
	golden_free_lines(lines, n);
	if (bytes == NULL)
	{
		fprintf(stderr, "%s has no \"%s\"\n", file, name);
		exit(1);
	}
	return bytes;
}
