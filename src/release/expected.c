/* expected.c: see expected.h.
 *
 * A forecast that is right within a factor of two on an idle machine is what a user needs to choose
 * between waiting and going home. Private edges are not counted for it: what is printed before a
 * charge must not tell how many there are. */
#include "release/expected.h"
#include "release/clock.h"
#include "base/memory.h"

/* Rough guesses for one core of an ordinary machine, on the slow side. */
static const double seconds_per_edge = 1e-6;   /* drawn, united with public ones, laid out */
static const double seconds_per_node = 1e-6;   /* counted and noised */
static const double seconds_per_step = 1e-6;   /* of a chain on private edges */
static const double bytes_per_second = 400e6;  /* hashed, written and synced */
static const double looks_per_second = 1000e6; /* bytes of the input hashed for its fingerprint */

/* Randomise some rows of zeros with a seed that protects nothing, and see how long it takes. */
static hrr_status time_features(double *seconds, const hrr_feature_plan *plan, uint64_t n_nodes,
                                uint64_t n_features, int threads, hrr_error *err)
{
    const hrr_feature_claim claim = hrr_feature_plan_claim(plan);
    const uint64_t sample_size = 1 << 18;
    uint64_t rows = sample_size / (n_features + claim.n_features_out) + 1;
    if (rows > n_nodes) rows = n_nodes;
    *seconds = 0;
    if (!rows) return HRR_OK;
    hrr_random *random = NULL;
    hrr_dense in = {0}, out = {0};
    hrr_status status = hrr_random_new_insecure(&random, 0, err);
    if (!status) status = hrr_dense_init(&in, HRR_F32, rows, n_features, err);
    if (!status) status = hrr_dense_init(&out, claim.dtype_out, rows, claim.n_features_out, err);
    for (uint64_t i = 0; i < rows * n_features && !status; i++)
        ((float *)in.data)[i] = 0;
    const double began = hrr_clock();
    if (!status) status = hrr_feature_plan_apply(&out, plan, &in, 0, random, threads, NULL, err);
    *seconds = (hrr_clock() - began) * (double)n_nodes / (double)rows;
    hrr_dense_clear(&in);
    hrr_dense_clear(&out);
    hrr_random_free(random);
    return status;
}

static double label_bytes(const hrr_graph *graph)
{
    if (hrr_graph_label_matrix(graph)) return hrr_graph_n_classes(graph);
    return hrr_graph_classes(graph) ? sizeof(int32_t) : 0;
}

hrr_status hrr_expect(hrr_expected *out, const hrr_graph *graph, const hrr_feature_plan *plan,
                      int n_kept, uint64_t edges_out, uint64_t private_steps, int threads,
                      hrr_error *err)
{
    const double n = (double)hrr_graph_n_nodes(graph), m = (double)edges_out;
    const hrr_dense *features = hrr_graph_features(graph);
    double feature_seconds = 0, row_in = label_bytes(graph), row_out = 0;
    hrr_status status = HRR_OK;
    if (plan) {
        const hrr_feature_claim claim = hrr_feature_plan_claim(plan);
        status =
            time_features(&feature_seconds, plan, features->rows, features->cols, threads, err);
        row_in += (double)(features->cols * hrr_dtype_size(features->dtype));
        row_out = (double)(claim.n_features_out * hrr_dtype_size(claim.dtype_out));
    }
    /* Labels are written twice, for us and for loaders, with node numbers and masks. */
    const double written = n * (row_out + 3 * label_bytes(graph) + 12) + 24 * m;
    const double looked_at = 2 * (n * row_in + 8 * m); /* before the charge and after the draw */
    out->seconds = feature_seconds + seconds_per_edge * m + seconds_per_node * n +
                   seconds_per_step * (double)private_steps + written / bytes_per_second +
                   looked_at / looks_per_second;
    /* Three lists of edges at a time, counts, and a block of features on its way. */
    const double block = 16 << 20;
    out->bytes = (uint64_t)(24 * m + n * (16 + label_bytes(graph) + n_kept * row_out) + block);
    return status;
}
