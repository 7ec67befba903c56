/* likelihood.h: what one internal node adds to the log-likelihood of a dendrogram.
 *
 * term(e, N) = e ln(e/N) + (N - e) ln(1 - e/N) = phi(e) + phi(N - e) - phi(N), phi(x) = x ln x:
 * the likelihood of e edges among N pairs at the best probability e/N.
 *
 * Workload: two terms for each look of a chain. Most nodes are near the leaves, so small arguments
 * come from a table of phi that stays in the first-level cache; e = 0 and e = N cost nothing. For
 * large N the three phi would cancel (phi(10^11) has an error of 10^-3), so the term is taken apart
 * instead: e (ln e - ln N), and ln(1 - q) as a series while q = e/N is small. */
#ifndef HRR_EDGE_LIKELIHOOD_H
#define HRR_EDGE_LIKELIHOOD_H

#include <math.h>
#include <stdint.h>

enum { HRR_PHI_TABLE = 2048 };

typedef struct hrr_phi {
    double table[HRR_PHI_TABLE]; /* phi(x) */
} hrr_phi;

void hrr_phi_init(hrr_phi *out);

/* The term for N outside the table, 0 < e < N. */
static inline double hrr_large_term(uint64_t e, uint64_t n)
{
    const double edges = (double)e, pairs = (double)n, q = edges / pairs;
    double rest; /* ln(1 - q) */
    if (q < 0.01)
        rest = -q * (1 + q * (1.0 / 2 + q * (1.0 / 3 + q * (1.0 / 4 + q * (1.0 / 5 + q / 6)))));
    else
        rest = log1p(-q);
    return edges * log(q) + (pairs - edges) * rest;
}

static inline double hrr_term(const hrr_phi *phi, uint64_t e, uint64_t n)
{
    if (e == 0 || e == n) return 0;
    if (n < HRR_PHI_TABLE) return phi->table[e] + phi->table[n - e] - phi->table[n];
    return hrr_large_term(e, n);
}

#endif
