/* svg_labels.h: places for labels where none covers another. */
#ifndef HRR_REPORT_SVG_LABELS_H
#define HRR_REPORT_SVG_LABELS_H

#include <stdbool.h>
#include <stddef.h>

/* Labels that would stand at `place` move apart until neighbours are `gap` from each other, all
 * within [low, high], with the least sum of squared moves. Order is kept; equal places keep theirs.
 *
 * Cost:   O(n log n).
 * Errors: false, and nothing moved, if so many do not fit or memory is out. */
bool hrr_labels_spread(double *place, size_t n, double gap, double low, double high);

/* A legend: items of these widths in rows at most `width` wide, `between` apart. row[i] and x[i]
 * say where each goes; returns how many rows there are. */
size_t hrr_labels_wrap(size_t *row, double *x, const double *item_width, size_t n, double between,
                       double width);

#endif
