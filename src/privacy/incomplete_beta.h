/* incomplete_beta.h: the function behind tails of binomial, Student's t and F distributions. */
#ifndef HRR_PRIVACY_INCOMPLETE_BETA_H
#define HRR_PRIVACY_INCOMPLETE_BETA_H

/* I_x(a, b), y = 1 - x given apart so that neither end loses its digits; a, b > 0. */
long double hrr_incomplete_beta(long double a, long double b, long double x, long double y);

#endif
