/* number.h: numbers that users type, read strictly: all of the text, or an error. */
#ifndef CLI_NUMBER_H
#define CLI_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* A whole number in decimal digits, also as "1e6" or "2.5e3". False: it is not one, or it does
 * not fit. */
bool cli_read_count(const char *text, uint64_t *out);

/* A finite decimal number; neither hexadecimal nor "inf" nor "nan". */
bool cli_read_real(const char *text, double *out);

#endif
