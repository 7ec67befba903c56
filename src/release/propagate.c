/* propagate.c: see propagate.h.
 *
 * Noise is independent from node to node, features of neighbours are alike: an average over
 * neighbours keeps the one and loses the other. This is KProp of LPGNN (Sajadmanesh and
 * Gatica-Perez, CCS 2021), symmetric normalisation without self-loops. */
#include "release/propagate.h"
#include "base/memory.h"
#include "base/paths.h"

#include <heterorr/io.h>

#include <string.h>

static void keep_lonely_rows(hrr_dense *to, const hrr_dense *from, const hrr_csr *edges)
{
    const size_t size = to->cols * sizeof(float);
    for (uint64_t i = 0; i < edges->rows; i++)
        if (edges->row_start[i] == edges->row_start[i + 1])
            memcpy((char *)to->data + i * size, (const char *)from->data + i * size, size);
}

hrr_status hrr_propagate_features(const char *directory, const hrr_graph *released, uint32_t steps,
                                  int threads, hrr_progress *progress, hrr_error *err)
{
    const hrr_adjacency_options how = {.edges = HRR_EDGES_ALL,
                                       .normalisation = HRR_NORMALISE_SYMMETRIC};
    hrr_array stored = {0};
    hrr_dense now = {0}, next = {0};
    hrr_csr edges = {0};
    char *path = hrr_path_join(directory, "features.npy");
    hrr_status status = path ? HRR_OK : hrr_no_memory(err);
    if (!status) status = hrr_array_read(&stored, path, err);
    if (!status) status = hrr_array_into_dense(&now, &stored, "the released features", err);
    if (!status) status = hrr_graph_adjacency(&edges, released, &how, err);
    hrr_progress_begin(progress, "propagating features", steps);
    for (uint32_t step = 0; step < steps && !status; step++) {
        if ((status = hrr_dense_init(&next, HRR_F32, now.rows, now.cols, err))) break;
        hrr_csr_mul_dense(&next, &edges, &now, threads);
        keep_lonely_rows(&next, &now, &edges);
        hrr_dense_clear(&now);
        now = next;
        next = (hrr_dense){0};
        status = hrr_progress_advance(progress, 1, err);
    }
    if (!status) status = hrr_dense_write(&now, path, err);
    hrr_array_clear(&stored);
    hrr_dense_clear(&now);
    hrr_csr_clear(&edges);
    hrr_free(path);
    return status;
}
