/* measures.h: the measures that hrr_structure_compare() takes together, one by one. */
#ifndef HRR_STRUCTURE_MEASURES_H
#define HRR_STRUCTURE_MEASURES_H

#include <heterorr/structure.h>

/* ---- random walks -------------------------------------------------------------------------------
 */

/* Walks from every node, in both graphs at once. O(n (m + m')) time a hop at worst, on sparse
 * graphs as much as the walks reach; 330 bytes a node and thread. Errors: HRR_EINVAL (hops, sizes
 * that differ, n over 2^29), HRR_ENOMEM, HRR_ECANCEL. */
HRR_STATUS hrr_walk_distance_exact(hrr_walk_distance *out, const hrr_csr *original,
                                   const hrr_csr *released, int hops, int threads,
                                   hrr_progress *progress, hrr_error *err);

/* By random sign vectors z: E ||(P^h - Q^h) z||^2 = ||P^h - Q^h||_F^2. The square is unbiased; the
 * root is taken of the mean. n_probes >= 2 is rounded up to a multiple of 8.
 * O(n_probes (n + m + m')) time a hop, 256 bytes a node. Errors as above. */
HRR_STATUS hrr_walk_distance_probed(hrr_walk_distance *out, const hrr_csr *original,
                                    const hrr_csr *released, int hops, uint32_t n_probes,
                                    uint64_t seed, int threads, hrr_progress *progress,
                                    hrr_error *err);

/* ---- degrees ------------------------------------------------------------------------------------
 */

/* Of the degree distributions; which node has which degree does not matter. O(n). */
HRR_STATUS hrr_degree_distances(hrr_degree_distance *out, const hrr_csr *original,
                                const hrr_csr *released, hrr_error *err);

/* Mean, variance (n - 1 below) and assortativity: the correlation of the degrees at both ends of an
 * edge. NAN where there is nothing to divide by: no node, fewer than two, all ends alike. O(n + m).
 */
typedef struct hrr_degree_moments {
    double mean, variance, assortativity;
} hrr_degree_moments;
hrr_status hrr_degree_moments_of(hrr_degree_moments *out, const hrr_csr *graph, hrr_error *err);

/* Kullback-Leibler divergence of histograms, sum of p log((p + e) / (q + e)) over shares p and q,
 * e = 2^-52: a value that q never has counts for about 36 p. NAN if one is empty. */
double hrr_divergence(const uint64_t *p, uint64_t n_p, const uint64_t *q, uint64_t n_q);

/* ---- paths --------------------------------------------------------------------------------------
 */

/* n_sources: so many nodes are drawn to start from, the same in both graphs; 0: all nodes. Which
 * pairs are near each other does not matter, only how many. O(n_sources (m + m') / 512) time a
 * step, 200 bytes a node and thread. Errors: HRR_EINVAL (sizes that differ), HRR_ENOMEM,
 * HRR_ECANCEL. */
HRR_STATUS hrr_path_distances(hrr_path_distance *out, const hrr_csr *original,
                              const hrr_csr *released, uint64_t n_sources, uint64_t seed,
                              int threads, hrr_progress *progress, hrr_error *err);

/* ---- triangles ----------------------------------------------------------------------------------
 */

/* O(m^1.5) time, O(n threads + m) memory. Errors: HRR_ENOMEM, HRR_ECANCEL.
 * triangles: room for n, how many each node is in. */
HRR_STATUS hrr_triangles_at(uint64_t *triangles, const hrr_csr *graph, int threads,
                            hrr_progress *progress, hrr_error *err);
HRR_STATUS hrr_clustering_of(hrr_clustering *out, const hrr_csr *graph, int threads,
                             hrr_progress *progress, hrr_error *err);

/* ---- communities --------------------------------------------------------------------------------
 */

/* Louvain's method; community[i] in 0..*n_communities-1, numbered by their first nodes. Decides
 * with integers, so that a seed gives the same communities everywhere. community: room for n. */
HRR_STATUS hrr_communities_find(uint32_t *community, uint32_t *n_communities, const hrr_csr *graph,
                                uint64_t seed, hrr_progress *progress, hrr_error *err);

/* Newman and Girvan's modularity; 0 for a graph without edges. HRR_EINVAL if a community is not
 * below n_communities. */
HRR_STATUS hrr_modularity(double *out, const hrr_csr *graph, const uint32_t *community,
                          uint32_t n_communities, hrr_error *err);

/* Normalised mutual information of two divisions of n nodes, in 0 .. 1; NAN for n = 0. O(n).
 * Errors: HRR_ENOMEM. */
HRR_STATUS hrr_mutual_information(double *out, const uint32_t *a, uint32_t n_a, const uint32_t *b,
                                  uint32_t n_b, uint64_t n, hrr_error *err);

/* ---- edges --------------------------------------------------------------------------------------
 */

/* O(n + m + m'). known may be NULL. Errors: HRR_EINVAL (sizes that differ). */
HRR_STATUS hrr_edge_overlap_of(hrr_edge_overlap *out, const hrr_csr *original,
                               const hrr_csr *released, const hrr_csr *known, hrr_error *err);

/* ---- spectrum -----------------------------------------------------------------------------------
 */

/* Chebyshev subspace iteration. O(n_values (n n_values + m)) time a round, O(n n_values) memory.
 * Errors: HRR_EINVAL, HRR_ENOMEM, HRR_ECANCEL. */
HRR_STATUS hrr_spectrum_of(hrr_spectrum *out, const hrr_csr *graph, uint32_t n_values,
                           uint64_t seed, int threads, hrr_progress *progress, hrr_error *err);

/* Root mean square difference of the values, largest with largest, of as many as both have; 0 if
 * one has none. */
double hrr_spectral_distance(const hrr_spectrum *original, const hrr_spectrum *released);

#endif
