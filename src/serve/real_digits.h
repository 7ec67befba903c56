/* real_digits.h: reals as printf("%.17g") writes them, in a small part of the time for numbers that
 * predictions are. Pure. */
#ifndef HRR_SERVE_REAL_DIGITS_H
#define HRR_SERVE_REAL_DIGITS_H

#include <stddef.h>

enum { HRR_REAL_DIGITS = 40 }; /* digits are copied 17 at a time */

/* n_digits: 1 to 17; 17 are read as the same number again. value is finite. The number of
 * characters; there is no NUL. */
size_t hrr_real_digits(char text[HRR_REAL_DIGITS], double value, int n_digits);

#endif
