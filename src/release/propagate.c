/* propagate.c: see propagate.h.
 *
 * Noise is independent from node to node, features of neighbours are alike: an average over
 * neighbours keeps the one and loses the other. This is KProp of LPGNN (Sajadmanesh and
 * Gatica-Perez, CCS 2021), symmetric normalisation without self-loops. */
#include "release/propagate.h"
#include "graph/aggregator.h"
#include "base/memory.h"
#include "base/paths.h"

#include <heterorr/io.h>

hrr_status hrr_propagate_features(const char *directory, const hrr_graph *released, uint32_t steps,
                                  int threads, hrr_progress *progress, hrr_error *err)
{
    hrr_array stored = {0};
    hrr_dense noisy = {0}, smooth = {0};
    char *path = hrr_path_join(directory, "features.npy");
    hrr_status status = path ? HRR_OK : hrr_no_memory(err);
    if (!status) status = hrr_array_read(&stored, path, err);
    if (!status) status = hrr_array_into_dense(&noisy, &stored, "the released features", err);
    if (!status)
        status = hrr_graph_propagate(&smooth, released, &noisy, steps, threads, progress, err);
    if (!status) status = hrr_dense_write(&smooth, path, err);
    hrr_array_clear(&stored);
    hrr_dense_clear(&noisy);
    hrr_dense_clear(&smooth);
    hrr_free(path);
    return status;
}
