/* generate.h: synthetic attributed graphs with known truth, for demos, tests and benchmarks. */
#ifndef HETERORR_GENERATE_H
#define HETERORR_GENERATE_H

#include <heterorr/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A degree-corrected block model with class-correlated features in [0,1]. */
typedef struct hrr_generate_options {
    size_t size;           /* set by hrr_generate_options_init() */
    uint64_t n_nodes;      /* in all graphs together */
    double average_degree; /* at most 0.9 of the partners a node could have */
    uint32_t n_features;   /* 0: none */
    uint32_t n_classes;
    double private_fraction; /* 0: the graph says that all edges are public */
    double homophily;        /* share of a node's edges that stay in its class, on average */
    bool multilabel;         /* n x C labels; the block is the first of them */
    uint32_t n_graphs;
    double degree_exponent;    /* tail of the degree distribution, > 2 (Pareto weights) */
    double important_fraction; /* share of features that carry the class */
    double sensitive_fraction; /* share of features that the mask changes */
    hrr_dtype feature_dtype;   /* HRR_F32, or HRR_U8 with values 0..255 for 0..1 */
    int threads;
    uint64_t seed;
} hrr_generate_options;

/* Two thousand nodes with ten edges and 16 features each, in four classes; half the edges are
 * private. */
HRR_EXPERIMENTAL void hrr_generate_options_init_sized(hrr_generate_options *options, size_t size);
static inline void hrr_generate_options_init(hrr_generate_options *options)
{
    hrr_generate_options_init_sized(options, sizeof *options);
}

/* Which features were made important and which sensitive: the truth that score estimates are
 * compared with. n_features bytes of 0 and 1 each, hrr_free(). */
typedef struct hrr_generated_truth {
    uint8_t *important;
    uint8_t *sensitive;
} hrr_generated_truth;

HRR_EXPERIMENTAL void hrr_generated_truth_clear(hrr_generated_truth *truth);

/* Cost: O(n F + m) time, about 9 bytes an edge. Same options, same graph, whatever the number of
 * threads. `truth` may be NULL. The graph carries labels, split (60/20/20) and, if it has
 * features, the masked copy. */
HRR_EXPERIMENTAL HRR_STATUS hrr_generate(hrr_graph **out, hrr_generated_truth *truth,
                                         const hrr_generate_options *options,
                                         hrr_progress *progress, hrr_error *err);

#ifdef __cplusplus
}
#endif
#endif
