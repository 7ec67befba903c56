/* ladder.h: a count of private edges' patterns, drawn with exact differential privacy although one
 * pair may move it far in some graphs and little in others.
 *
 * The ladder (J. Zhang, G. Cormode, C. Procopiuc, D. Srivastava, X. Xiao, "Private release of graph
 * statistics using ladder functions", SIGMOD 2015). Let f be the true count, and let width(t) =
 * min(first + slope t, most). Rung 0 is f itself; rung k >= 1 holds the width(k - 1) integers next
 * to rung k - 1 on either side. An integer of rung k is released with probability proportional to
 * e^(-eps k / 2).
 *
 * Claim. eps-DP, if for neighbours G and G'
 *     |f(G) - f(G')| <= first(G),   first(G) <= first(G') + slope,   first, slope <= most.
 * Why.   Then width_G(t) <= width_G'(t + 1), and by induction every integer's rung in G and in G'
 *        differs by 1 at most: the exponential mechanism with a score of sensitivity 1.
 * Method. Integers only. Draw z from the discrete Laplace law of eps/2 and keep it with probability
 *        size of a side of rung |z| / most, else draw again; then a uniform place on that side. */
#ifndef HRR_EDGE_LADDER_H
#define HRR_EDGE_LADDER_H

#include <heterorr/random.h>

typedef struct hrr_ladder {
    uint64_t first, slope;
    uint64_t most; /* public: what one pair can move the count by in any graph; 1 or more */
} hrr_ladder;

/* num/den is eps/2. Results are clamped to +-2^62. Draws again most / first times on average. */
int64_t hrr_ladder_draw(hrr_stream *stream, int64_t value, const hrr_ladder *ladder, uint64_t num,
                        uint64_t den);

#endif
