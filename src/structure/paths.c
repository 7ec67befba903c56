/* paths.c: how many steps apart nodes are, in one graph and in another.
 *
 * Counting stops after HRR_MAX_PATH steps: what is farther, or not joined at all, is one value of
 * its own, which bounds the work on long chains. */
#include <heterorr/structure.h>

#include "base/memory.h"
#include "structure/distances.h"
#include "structure/measures.h"
#include "structure/shape.h"

#include <math.h>

/* count[d] = pairs (source, node) that are d steps apart, 1 <= d <= HRR_MAX_PATH. */
static hrr_status count_paths(uint64_t count[HRR_MAX_PATH + 1], const hrr_csr *graph,
                              const uint32_t *nodes, uint64_t n_sources, int threads,
                              hrr_progress *progress, hrr_error *err)
{
    hrr_components components;
    hrr_distances found = {0};
    hrr_status status = hrr_components_init(&components, graph, err);
    if (status) return status;
    uint32_t *sources = hrr_alloc(n_sources, sizeof *sources);
    if (!sources) status = hrr_no_memory(err);
    if (!status) {
        hrr_sources_number(sources, nodes, n_sources, &components, 0); /* order is all the same */
        status = hrr_distances_from(&found, &components, sources, n_sources, HRR_MAX_PATH, threads,
                                    progress, err);
    }
    for (uint64_t d = 1; d <= found.longest && !status; d++)
        count[d] = found.count[d];
    hrr_distances_clear(&found);
    hrr_free(sources);
    hrr_components_clear(&components);
    return status;
}

static void summarise(hrr_path_distance *out, const uint64_t *a, const uint64_t *b, uint64_t pairs)
{
    uint64_t near_a = 0, near_b = 0;
    double sum_a = 0, sum_b = 0;
    for (int d = 1; d <= HRR_MAX_PATH; d++) {
        near_a += a[d];
        near_b += b[d];
        sum_a += d * (double)a[d];
        sum_b += d * (double)b[d];
        const double apart = pairs ? fabs((double)near_a - (double)near_b) / (double)pairs : 0;
        out->kolmogorov_smirnov = fmax(out->kolmogorov_smirnov, apart);
    }
    out->mean_original = near_a ? sum_a / (double)near_a : NAN;
    out->mean_released = near_b ? sum_b / (double)near_b : NAN;
    out->joined_original = pairs ? (double)near_a / (double)pairs : NAN;
    out->joined_released = pairs ? (double)near_b / (double)pairs : NAN;
}

hrr_status hrr_path_distances(hrr_path_distance *out, const hrr_csr *original,
                              const hrr_csr *released, uint64_t n_sources, uint64_t seed,
                              int threads, hrr_progress *progress, hrr_error *err)
{
    *out = (hrr_path_distance){0};
    hrr_status status = hrr_same_nodes(original, released, err);
    if (status) return status;
    const uint64_t n = original->rows;
    if (n_sources == 0 || n_sources > n) n_sources = n;
    uint64_t a[HRR_MAX_PATH + 1] = {0}, b[HRR_MAX_PATH + 1] = {0};
    uint32_t *nodes = hrr_alloc(n, sizeof *nodes);
    if (!nodes) return hrr_no_memory(err);
    hrr_sources_draw(nodes, n, n_sources, seed);
    status = count_paths(a, original, nodes, n_sources, threads, progress, err);
    if (!status) status = count_paths(b, released, nodes, n_sources, threads, progress, err);
    if (!status) summarise(out, a, b, n_sources * (n ? n - 1 : 0));
    out->n_sources = n_sources;
    hrr_free(nodes);
    return status;
}
