/* native_bounds.c: see native_bounds.h. */
#include "io/native_bounds.h"
#include "base/memory.h"

static bool read_pair(double *lo, double *hi, const json_t *pair)
{
    const json_t *first = json_array_get(pair, 0), *second = json_array_get(pair, 1);
    if (json_array_size(pair) != 2 || !json_is_number(first) || !json_is_number(second))
        return false;
    *lo = json_number_value(first);
    *hi = json_number_value(second);
    return true;
}

static hrr_status read_pairs(hrr_graph *graph, const json_t *pairs, uint64_t n, hrr_error *err)
{
    double *both = hrr_alloc(n, 2 * sizeof *both);
    if (!both) return hrr_no_memory(err);
    bool right = json_array_size(pairs) == n;
    for (uint64_t i = 0; i < n && right; i++)
        right = read_pair(&both[i], &both[n + i], json_array_get(pairs, i));
    hrr_status status = right ? hrr_graph_set_feature_bounds(graph, both, both + n, err)
                              : hrr_fail(err, HRR_EDATA,
                                         "feature_bounds must be either [LO, HI] or a list of %llu "
                                         "such pairs, one for each feature",
                                         (unsigned long long)n);
    hrr_free(both);
    return status;
}

hrr_status hrr_native_bounds_read(hrr_graph *graph, const json_t *bounds, hrr_error *err)
{
    const hrr_dense *features = hrr_graph_features(graph);
    double lo, hi;
    if (!bounds || json_is_null(bounds)) return HRR_OK;
    if (!features)
        return hrr_fail(err, HRR_EDATA, "has feature_bounds, but there is no features.npy");
    if (read_pair(&lo, &hi, bounds)) return hrr_graph_set_feature_range(graph, lo, hi, err);
    return read_pairs(graph, bounds, features->cols, err);
}

json_t *hrr_native_bounds_json(const hrr_graph *graph)
{
    const double *lo = hrr_graph_feature_lo(graph), *hi = hrr_graph_feature_hi(graph);
    if (!lo) return NULL;
    const uint64_t n = hrr_graph_features(graph)->cols;
    uint64_t same = 1;
    while (same < n && lo[same] == lo[0] && hi[same] == hi[0])
        same++;
    if (same == n) return json_pack("[f, f]", lo[0], hi[0]);
    json_t *pairs = json_array();
    for (uint64_t i = 0; i < n; i++)
        json_array_append_new(pairs, json_pack("[f, f]", lo[i], hi[i]));
    return pairs;
}
