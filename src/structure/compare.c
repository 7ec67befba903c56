/* compare.c: every distance at once. */
#include <heterorr/structure.h>

#include "base/memory.h"
#include "base/options.h"
#include "matrix/csr.h"
#include "structure/measures.h"
#include "structure/shape.h"

/* Additions that exact walks may take at worst; a few seconds on one core. */
static const double exact_limit = 4e9;

void hrr_structure_options_init_sized(hrr_structure_options *options, size_t size)
{
    const hrr_structure_options own = {
        .hops = 4, .n_probes = 64, .n_eigenvalues = 10, .n_path_sources = 1024, .seed = 1};
    hrr_options_init(options, size, &own, sizeof own);
}

static bool walk_exactly(const hrr_csr *original, const hrr_csr *released,
                         const hrr_structure_options *options)
{
    if (options->walk != HRR_WALK_AUTO) return options->walk == HRR_WALK_EXACT;
    const double entries =
        (double)hrr_csr_n_entries(original) + (double)hrr_csr_n_entries(released);
    return (double)original->rows * entries * options->hops <= exact_limit;
}

static hrr_status compare_walks(hrr_structure_report *out, const hrr_csr *original,
                                const hrr_csr *released, const hrr_structure_options *options,
                                hrr_progress *progress, hrr_error *err)
{
    if (walk_exactly(original, released, options))
        return hrr_walk_distance_exact(&out->walk, original, released, options->hops,
                                       options->threads, progress, err);
    return hrr_walk_distance_probed(&out->walk, original, released, options->hops,
                                    options->n_probes, options->seed, options->threads, progress,
                                    err);
}

static hrr_status compare_communities(hrr_structure_report *out, const hrr_csr *original,
                                      const hrr_csr *released, const hrr_structure_options *options,
                                      hrr_progress *progress, hrr_error *err)
{
    hrr_status status = HRR_OK;
    uint32_t *found = NULL;
    const uint32_t *community = options->community;
    out->n_communities = options->n_communities;
    if (!community) {
        found = hrr_alloc(original->rows, sizeof *found);
        if (!found) return hrr_no_memory(err);
        status = hrr_communities_find(found, &out->n_communities, original, options->seed, progress,
                                      err);
        community = found;
    }
    if (!status)
        status =
            hrr_modularity(&out->modularity_original, original, community, out->n_communities, err);
    if (!status)
        status =
            hrr_modularity(&out->modularity_released, released, community, out->n_communities, err);
    hrr_free(found);
    return status;
}

static hrr_status compare_spectra(hrr_structure_report *out, const hrr_csr *original,
                                  const hrr_csr *released, const hrr_structure_options *options,
                                  hrr_progress *progress, hrr_error *err)
{
    hrr_status status = hrr_spectrum_of(&out->spectrum_original, original, options->n_eigenvalues,
                                        options->seed, options->threads, progress, err);
    if (!status)
        status = hrr_spectrum_of(&out->spectrum_released, released, options->n_eigenvalues,
                                 options->seed, options->threads, progress, err);
    out->spectral_distance =
        hrr_spectral_distance(&out->spectrum_original, &out->spectrum_released);
    return status;
}

hrr_status hrr_structure_compare(hrr_structure_report *out, const hrr_csr *original,
                                 const hrr_csr *released, const hrr_structure_options *options,
                                 hrr_progress *progress, hrr_error *err)
{
    *out = (hrr_structure_report){0};
    hrr_structure_options own;
    hrr_status status = HRR_ADOPT(hrr_structure_options, &own, options, err);
    if (status) return status;
    options = &own;
    if ((status = hrr_same_nodes(original, released, err))) return status;
    out->n_nodes = original->rows;
    out->edges_original = hrr_csr_n_entries(original) / 2;
    out->edges_released = hrr_csr_n_entries(released) / 2;
    status = hrr_degree_distances(&out->degrees, original, released, err);
    if (!status)
        status = hrr_path_distances(&out->paths, original, released, options->n_path_sources,
                                    options->seed, options->threads, progress, err);
    if (!status)
        status = hrr_edge_overlap_of(&out->overlap, original, released, options->known, err);
    if (!status) status = compare_walks(out, original, released, options, progress, err);
    if (!status)
        status =
            hrr_clustering_of(&out->clustering_original, original, options->threads, progress, err);
    if (!status)
        status =
            hrr_clustering_of(&out->clustering_released, released, options->threads, progress, err);
    if (!status) status = compare_communities(out, original, released, options, progress, err);
    if (!status) status = compare_spectra(out, original, released, options, progress, err);
    return status;
}
