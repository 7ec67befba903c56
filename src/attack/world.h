/* world.h: the graphs that models of a chain are trained on and served from. */
#ifndef HRR_ATTACK_WORLD_H
#define HRR_ATTACK_WORLD_H

#include <heterorr/attack.h>

/* The graph with its edges released by a mechanism of src/edge, in memory. */
hrr_status hrr_world_release(hrr_graph **out, double *realised_eps, const hrr_graph *graph,
                             const char *mechanism, uint64_t eps_nano, const char *tree,
                             uint64_t seed, int threads, hrr_progress *progress,
                             hrr_error *err) HRR_CHECKED;

/* The graph with its public edges, and as many more as it has private ones, drawn from public data
 * (hrr_edge_like_public()). All that is private in it is that number, which the adversary of
 * LinkTeller is taken to know anyway. */
hrr_status hrr_world_public_tree(hrr_graph **out, const hrr_graph *graph, uint64_t seed,
                                 int threads, hrr_progress *progress, hrr_error *err) HRR_CHECKED;

#endif
