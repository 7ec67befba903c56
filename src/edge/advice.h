/* advice.h: does a tree of public edges tell where other edges are? Public data only. */
#ifndef HRR_EDGE_ADVICE_H
#define HRR_EDGE_ADVICE_H

#include <heterorr/edge.h>

/* What public edges that a tree has not seen gain from it. */
typedef struct hrr_public_signal {
    uint64_t n_held;  /* edges held out; 0: too few edges between candidates, or too many to try */
    double gain;      /* mean logarithm of (rate given by the tree) / (overall rate) */
    double deviation; /* of that mean */
} hrr_public_signal;

/* Hold out a fifth of the public edges between candidates, build a tree from the rest, look up the
 * others in it. Errors: HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_public_signal_measure(hrr_public_signal *out, const hrr_edge_public *known,
                                     uint64_t seed, int threads, hrr_progress *progress,
                                     hrr_error *err);

/* *out: a sentence that warns of a tree made of public edges (a literal), or NULL if nothing speaks
 * against it. */
hrr_status hrr_edge_advise(const char **out, const hrr_edge_public *known, uint64_t seed,
                           int threads, hrr_progress *progress, hrr_error *err);

#endif
