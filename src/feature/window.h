/* window.h: randomisers that favour a window of cells around the truth: Piecewise, PM-SUB, and,
 * with a window of one cell, randomised response over classes.
 *
 * M cells, a window of w of them that may begin at j = 0..M-w. Cells inside it have the weight
 * `high`, all others `low`, out of T = w high + (M - w) low.
 *
 * Claim: high <= e^eps low, and T is the same wherever the window stands. So P(u|j) <= e^eps
 * P(u|j') for every cell and every two windows, in integers. Every cell is always possible: there
 * is no answer that only one input gives. */
#ifndef HRR_FEATURE_WINDOW_H
#define HRR_FEATURE_WINDOW_H

#include "random/below.h"

typedef struct hrr_window {
    uint32_t n_cells, width; /* M, w */
    uint64_t high, low;
    uint64_t total; /* T <= 2^60 */
} hrr_window;

/* The certified weights. 1 <= width < n_cells < 2^31, eps_nano in 1..HRR_EPS_MAX. */
void hrr_window_init(hrr_window *window, uint64_t eps_nano, uint32_t n_cells, uint32_t width);

/* ln(high / low), not rounded down. */
long double hrr_window_realised_eps(const hrr_window *window);

/* Weight of cell u when the window begins at j. */
static inline uint64_t hrr_window_weight(const hrr_window *window, uint32_t j, uint32_t u)
{
    return u - j < window->width ? window->high : window->low; /* u < j wraps to a large number */
}

/* A cell. One accepted word; which words are accepted depends on T alone, so neither time nor the
 * number of words tells anything about j beyond the cell that is drawn. */
static inline uint32_t hrr_window_draw(const hrr_window *window, uint32_t j, hrr_stream *stream)
{
    const uint64_t inside = window->width * window->high;
    const uint64_t word = hrr_below(stream, window->total);
    if (word < inside) return j + (uint32_t)(word / window->high);
    /* Number the other cells as if the window were cut out, then step over it. */
    const uint32_t u = (uint32_t)((word - inside) / window->low);
    return u + (u >= j) * window->width;
}

#endif
