/* svg_measure.h: how much room words take on a page whose fonts we do not know. */
#ifndef HRR_REPORT_SVG_MEASURE_H
#define HRR_REPORT_SVG_MEASURE_H

#include <stddef.h>

/* Width at `size` pixels in DejaVu Sans, among the widest fonts a system's user interface has: in
 * any other the words take less. */
double hrr_text_width(const char *words, double size);

/* The words, shortened with an ellipsis to fit `width` at `size`; out has room for `room` bytes. */
void hrr_text_fit(char *out, size_t room, const char *words, double size, double width);

#endif
