/* svg_scale.h: from values to places on a page, and round numbers to write beside them. */
#ifndef HRR_REPORT_SVG_SCALE_H
#define HRR_REPORT_SVG_SCALE_H

#include <stdbool.h>
#include <stddef.h>

enum { hrr_most_ticks = 24, hrr_tick_size = 24 };

typedef struct hrr_tick {
    double value;
    char label[hrr_tick_size];
} hrr_tick;

typedef struct hrr_ticks {
    int n;
    hrr_tick at[hrr_most_ticks];
} hrr_ticks;

/* `from` and `to` are places; low < high, both positive on a logarithmic scale. */
typedef struct hrr_scale {
    double low, high, from, to;
    bool log;
} hrr_scale;

/* A scale for values in [low, high], widened where they are one point or none: never empty, never
 * infinite. A logarithmic scale that is asked for values that are not positive is linear. */
hrr_scale hrr_scale_for(double low, double high, bool log);
/* Widened to round numbers. */
hrr_scale hrr_scale_round(hrr_scale scale, int about);
double hrr_scale_place(const hrr_scale *scale, double value);

/* About so many round numbers inside the scale: steps of 1, 2 or 5 times a power of ten; powers of
 * ten, or 1-2-5 in between, on a logarithmic scale. */
hrr_ticks hrr_scale_ticks(const hrr_scale *scale, int about);
/* Ticks at the values themselves (n of them, rising), as long as they are few. */
hrr_ticks hrr_ticks_at(const double *values, size_t n);

/* A number as a label: plain digits where they are short, a proper minus sign. */
void hrr_tick_label(char label[hrr_tick_size], double value);

#endif
