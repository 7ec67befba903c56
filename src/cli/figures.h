/* figures.h: numbers and bars as people like to read them. */
#ifndef CLI_FIGURES_H
#define CLI_FIGURES_H

#include <stdint.h>
#include <stdio.h>

/* A short text by value: good until the end of the expression that asked for it. */
typedef struct cli_text {
    char text[48];
} cli_text;

cli_text cli_grouped(uint64_t number); /* 1,234,567 */
/* "1 edge", "1,234 edges"; nouns of up to 20 letters */
cli_text cli_count(uint64_t number, const char *one, const char *many);
cli_text cli_real(double number);      /* four significant digits; "-" for NaN */
cli_text cli_percent(double share);    /* 12.3 % */
cli_text cli_duration(double seconds); /* 350 ms, 1.5 s, 12 min, 3.2 h */
cli_text cli_bytes(uint64_t size);     /* 1.5 MiB */

/* A bar of share (0..1) of `cells` cells, in eighths of a cell where the locale can show them. */
void cli_print_bar(FILE *to, double share, int cells);

/* The most memory this process has held, in bytes. */
uint64_t cli_peak_memory(void);

#endif
