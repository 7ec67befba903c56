/* mixing.h: how many edges join nodes of small and of large degree, from counts between classes of
 * nodes that were made from noisy degrees.
 *
 * A class holds the nodes whose estimated degree lies between two steps of a factor e^(1/2). Nodes
 * stand in the order of their noisy degrees, so that many are in a wrong class, and the more so the
 * smaller their degree. The law of the noise is public, so it can be undone: B[c][k], the
 * probability that an edge's end in class c is taken for one of class k, follows from the estimated
 * degrees, and counts O = B' X B are solved for X by expectation maximisation. All of this is
 * post-processing. */
#ifndef HRR_EDGE_MIXING_H
#define HRR_EDGE_MIXING_H

#include <heterorr/base.h>

enum { HRR_MOST_MIXING_CLASSES = 48 };

typedef double hrr_mixing_matrix[HRR_MOST_MIXING_CLASSES][HRR_MOST_MIXING_CLASSES];

typedef struct hrr_mixing {
    int n_classes;
    hrr_mixing_matrix ends; /* ends of edges: symmetric, twice the edges on the diagonal */
    double assortativity;   /* of degrees over edges that this amounts to. Where it would be no more
                               than noise: 0, and ends are those of chance */
} hrr_mixing;

/* The class of a degree. */
int hrr_mixing_class(uint32_t degree);

/* degree: n estimated degrees, descending; noisy: those of the n nodes in that order, descending;
 * eps: of their noise; count: n_classes x n_classes noisy counts of edges, upper triangle;
 * count_eps: of the noise of these. */
void hrr_mixing_fit(hrr_mixing *out, const uint32_t *degree, const double *noisy, uint64_t n,
                    double eps, const int64_t *count, double count_eps, int n_classes);

#endif
