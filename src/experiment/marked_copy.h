/* marked_copy.h: which edges are private in one run of an experiment. */
#ifndef HRR_EXPERIMENT_MARKED_COPY_H
#define HRR_EXPERIMENT_MARKED_COPY_H

#include <heterorr/graph.h>

/* A fraction below 0: edges are private as the graph marks them. */
#define HRR_AS_MARKED (-1.0)
#define HRR_FRACTION_SIZE 24

/* "0.3", or "as marked": as it stands in a results file. */
void hrr_fraction_format(char text[HRR_FRACTION_SIZE], double fraction);

/* The edges of the graph with the marks of this run, and nothing else of it but which graph of a
 * collection a node is in and, if marks are the graph's own, its candidates. The edges are looked
 * at, not copied: the graph must outlive the copy. */
hrr_status hrr_marked_copy(hrr_graph **out, const hrr_graph *graph, double fraction, uint64_t seed,
                           hrr_error *err);

/* HRR_EINVAL if a fraction is none, or if there is none and the graph has no marks either. */
hrr_status hrr_fractions_check(const hrr_graph *graph, const double *fractions, size_t n,
                               hrr_error *err);

#endif
