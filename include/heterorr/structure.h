/* structure.h: measures the distance between the structures of two graphs on the same nodes.
 *
 * These functions do not protect anything: a comparison with the original graph reads its private
 * edges, so the result is for the owner of the graph.
 *
 * A graph is its adjacency matrix: n x n, symmetric, without values and without a diagonal, as
 * hrr_graph_adjacency() makes it. docs/structure.md has the definitions and where they come from.
 *
 * Every function gives the same numbers for any number of threads. */
#ifndef HETERORR_STRUCTURE_H
#define HETERORR_STRUCTURE_H

#include <heterorr/base.h>
#include <heterorr/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- random walks --------------------------------------------------------------------------- */

#define HRR_MAX_HOPS 16

/* rms[h] = ||P^h - Q^h||_F / n, the root mean square over all n^2 entries, where P = D^-1 A. A node
 * without edges has a row of zeros: its walk ends. P^0 is the identity, so rms[0] is 0. */
typedef struct hrr_walk_distance {
    int hops; /* rms[0..hops] */
    bool exact;
    uint32_t n_probes; /* 0 if exact */
    double rms[HRR_MAX_HOPS + 1];
    double standard_error[HRR_MAX_HOPS + 1]; /* of rms; 0 if exact */
} hrr_walk_distance;

/* ---- degrees -------------------------------------------------------------------------------- */

typedef struct hrr_degree_distance {
    double kolmogorov_smirnov; /* largest |F(d) - F'(d)| */
    double earth_mover;        /* sum over d of |F(d) - F'(d)|, in degrees */
} hrr_degree_distance;

/* ---- paths ---------------------------------------------------------------------------------- */

#define HRR_MAX_PATH 64

/* Compares the distributions of the number of steps between a source and another node. More than
 * HRR_MAX_PATH steps, or no path at all, is one value. */
typedef struct hrr_path_distance {
    double kolmogorov_smirnov;               /* largest |F(d) - F'(d)| */
    double joined_original, joined_released; /* share of pairs at most HRR_MAX_PATH steps apart */
    double mean_original, mean_released;     /* steps between those; NAN if there are none */
    uint64_t n_sources;
} hrr_path_distance;

/* ---- triangles ------------------------------------------------------------------------------ */

typedef struct hrr_clustering {
    uint64_t triangles;
    double transitivity; /* 3 triangles / pairs of edges that meet; 0 if none do */
    double mean_local;   /* mean over all nodes of the share of joined pairs of neighbours; a node
                            with fewer than two neighbours counts as 0 */
} hrr_clustering;

/* ---- edges ---------------------------------------------------------------------------------- */

/* Edges of `known` are left out of both graphs: if these are the public edges, only private edges
 * are compared. NaN if a denominator is 0. */
typedef struct hrr_edge_overlap {
    uint64_t original, released, common;
    double precision, recall;
    double count_error; /* |released - original| / original */
} hrr_edge_overlap;

/* ---- spectrum ------------------------------------------------------------------------------- */

#define HRR_MAX_EIGENVALUES 64

/* Of N = D^-1/2 A D^-1/2. Each component that has edges gives one eigenvalue 1; these are counted,
 * and `value` holds the largest of the others, descending. */
typedef struct hrr_spectrum {
    uint64_t components; /* with edges */
    uint32_t n_values;   /* fewer than asked for if the graph has no more */
    double value[HRR_MAX_EIGENVALUES];
    double residual; /* the largest ||N v - value v||: no value is farther from an eigenvalue */
} hrr_spectrum;

/* ---- everything ----------------------------------------------------------------------------- */

typedef enum hrr_walk_method {
    HRR_WALK_AUTO = 0, /* exact if n (m + m') hops is small */
    HRR_WALK_EXACT,
    HRR_WALK_PROBED
} hrr_walk_method;

typedef struct hrr_structure_options {
    size_t size; /* set by hrr_structure_options_init() */
    int hops;
    hrr_walk_method walk;
    uint32_t n_probes;
    uint32_t n_eigenvalues;
    uint64_t n_path_sources;   /* nodes that paths are measured from; 0: all */
    const uint32_t *community; /* n of them; NULL: those of the original graph */
    uint32_t n_communities;
    int threads;
    const hrr_csr *known; /* edges that hrr_edge_overlap leaves out; may be NULL */
    uint64_t seed;        /* of probes, sources, communities and the start of the spectrum */
} hrr_structure_options;

HRR_EXPERIMENTAL void hrr_structure_options_init_sized(hrr_structure_options *options, size_t size);
static inline void hrr_structure_options_init(hrr_structure_options *options)
{
    hrr_structure_options_init_sized(options, sizeof *options);
}

typedef struct hrr_structure_report {
    uint64_t n_nodes, edges_original, edges_released;
    hrr_walk_distance walk;
    hrr_degree_distance degrees;
    hrr_path_distance paths;
    hrr_clustering clustering_original, clustering_released;
    uint32_t n_communities;
    double modularity_original, modularity_released; /* of the same communities */
    hrr_edge_overlap overlap;
    hrr_spectrum spectrum_original, spectrum_released;
    double spectral_distance;
} hrr_structure_report;

/* Errors: HRR_EINVAL (sizes that differ, options), HRR_ENOMEM, HRR_ECANCEL. */
HRR_EXPERIMENTAL HRR_STATUS hrr_structure_compare(hrr_structure_report *out,
                                                  const hrr_csr *original, const hrr_csr *released,
                                                  const hrr_structure_options *options,
                                                  hrr_progress *progress, hrr_error *err);

/* ---- the queries of PGB ---------------------------------------------------------------------- */

/* The fifteen queries of PGB, the benchmark of private synthetic graphs, in its order. */
typedef enum hrr_pgb_query {
    HRR_PGB_NODES,
    HRR_PGB_EDGES,
    HRR_PGB_TRIANGLES,
    HRR_PGB_MEAN_DEGREE,
    HRR_PGB_DEGREE_VARIANCE, /* n - 1 below */
    HRR_PGB_DEGREES,         /* their distribution */
    HRR_PGB_DIAMETER,        /* of the component where it is largest */
    HRR_PGB_MEAN_PATH,       /* over joined pairs */
    HRR_PGB_DISTANCES,       /* the distribution of steps between joined pairs; a node and itself
                                are a pair */
    HRR_PGB_TRANSITIVITY,
    HRR_PGB_LOCAL_CLUSTERING, /* mean */
    HRR_PGB_COMMUNITIES,      /* Louvain's */
    HRR_PGB_MODULARITY,       /* of them */
    HRR_PGB_ASSORTATIVITY,    /* of degrees */
    HRR_PGB_CENTRALITY,       /* eigenvector centrality of the first 1 % of the nodes by it */
    HRR_N_PGB_QUERIES
} hrr_pgb_query;

/* How a query's answers on two graphs are compared. */
typedef enum hrr_pgb_measure {
    HRR_PGB_RELATIVE_ERROR,     /* |a - b| / |a| */
    HRR_PGB_DIVERGENCE,         /* Kullback-Leibler, 2^-52 added to both shares in the logarithm */
    HRR_PGB_MUTUAL_INFORMATION, /* normalised, 1 at best; all others are 0 at best */
    HRR_PGB_MEAN_DIFFERENCE     /* of sorted values */
} hrr_pgb_measure;

typedef struct hrr_pgb_row {
    const char *name;  /* in files: "triangles" */
    const char *title; /* for people */
    hrr_pgb_measure measure;
    bool scored; /* whether the query counts for wins. The number of nodes does not count, because
                    no mechanism changes it, and neither do the number of edges and the mean degree,
                    which one noisy count determines */
} hrr_pgb_row;

/* HRR_N_PGB_QUERIES rows. */
HRR_EXPERIMENTAL const hrr_pgb_row *hrr_pgb_rows(void);
/* "relative error", ... */
HRR_EXPERIMENTAL const char *hrr_pgb_measure_name(hrr_pgb_measure measure);

typedef struct hrr_pgb_options {
    size_t size;             /* set by hrr_pgb_options_init() */
    uint32_t n_path_sources; /* nodes that paths are measured from; 0: all where that takes seconds,
                                1,024 of a larger graph; at least n: all */
    int threads;
    uint64_t seed;    /* of communities and sources */
    uint64_t queries; /* the sum of 1 << query over those to answer; 0: all. Other queries may also
                         be answered if they cost nothing more */
} hrr_pgb_options;

HRR_EXPERIMENTAL void hrr_pgb_options_init_sized(hrr_pgb_options *options, size_t size);
static inline void hrr_pgb_options_init(hrr_pgb_options *options)
{
    hrr_pgb_options_init_sized(options, sizeof *options);
}

/* The answers of one graph. */
typedef struct hrr_pgb_answers {
    double value[HRR_N_PGB_QUERIES]; /* NAN if the answer is undefined */
    uint64_t n_path_sources;         /* all nodes: paths are exact */
    double mean_path_error;          /* its standard error; 0 if exact */
    uint64_t diameter_most;          /* above value[HRR_PGB_DIAMETER] if only bounds are known */
    double centrality_residual;      /* of the eigenvector; 1e-10 or less if it was found */
    uint64_t *degree_count, n_degrees;
    uint64_t *distance_count, n_distances;
    uint32_t *community, n_communities;
    double *centrality; /* the largest n_central, descending; the whole vector has length 1 */
    uint64_t n_central; /* n / 100, at least 1 */
} hrr_pgb_answers;

/* Cost:   as the parts of hrr_structure_compare(); paths from all nodes O(n (n + m) / 512) a step,
 *         100 ms for 12,000 nodes and 118,000 edges; 250 bytes a node and thread.
 * Errors: HRR_EINVAL (not square), HRR_ENOMEM, HRR_ECANCEL. Ownership: hrr_pgb_answers_clear(). */
HRR_EXPERIMENTAL HRR_STATUS hrr_pgb_answer(hrr_pgb_answers *out, const hrr_csr *graph,
                                           const hrr_pgb_options *options, hrr_progress *progress,
                                           hrr_error *err);
HRR_EXPERIMENTAL void hrr_pgb_answers_clear(hrr_pgb_answers *answers);

/* distance[query], by the measure of each. Infinite if a is 0 and b is not; NAN if an answer is, or
 * is missing.
 * Errors: HRR_EINVAL (numbers of nodes that differ), HRR_ENOMEM. */
HRR_EXPERIMENTAL HRR_STATUS hrr_pgb_compare(double distance[HRR_N_PGB_QUERIES],
                                            const hrr_pgb_answers *original,
                                            const hrr_pgb_answers *released, hrr_error *err);

#ifdef __cplusplus
}
#endif
#endif
