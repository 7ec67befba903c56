/* degree_law.h: how the edges of a class are shared out among its members.
 *
 * A degree distribution with tail k^-gamma is one in which the member of rank r has a weight
 * proportional to (r + 1)^(-1/a), a = gamma - 1: the quantiles of a Pareto law with index a. We
 * give rank r the share
 *
 *     p(r) = (F(r + 1) - F(r)) / (F(size) - F(0)),   F(x) = (x + shift)^q,   q = 1 - 1/a,
 *
 * whose inverse is a power, so that a member is drawn in proportion to its weight by one pow()
 * and no table. shift 0 is the pure law. A larger one flattens its head, for when the first ranks
 * would otherwise want more partners than there are. */
#ifndef HRR_GENERATE_DEGREE_LAW_H
#define HRR_GENERATE_DEGREE_LAW_H

#include <heterorr/random.h>

typedef struct hrr_degree_law {
    uint64_t size;
    double q, shift;
    double low, span;   /* F(0) and F(size) - F(0) */
    double sum_squares; /* sum of p(r)^2 */
} hrr_degree_law;

/* exponent > 2, size >= 1. The first rank's share is kept below top_share as far as flattening
 * can: not below 1 / size. */
void hrr_degree_law_init(hrr_degree_law *law, double exponent, uint64_t size, double top_share);
double hrr_degree_law_share(const hrr_degree_law *law, uint64_t rank);
/* A rank, with probability p(rank). */
uint64_t hrr_degree_law_draw(const hrr_degree_law *law, hrr_fast_random *random);

#endif
