/* volunteers.c: see volunteers.h. */
#include "experiment/volunteers.h"
#include "base/memory.h"
#include "random/fast.h"

#include <math.h>
#include <string.h>

hrr_status hrr_volunteers_draw(uint8_t **chosen, const uint8_t *split, uint64_t n, double share,
                               uint64_t seed, hrr_error *err)
{
    static const uint64_t apart = UINT64_C(0x766f6c756e746565); /* from splits and noise */
    uint64_t left = 0;
    for (uint64_t i = 0; i < n; i++)
        left += split[i] == HRR_TRAIN;
    if (!left)
        return hrr_fail(err, HRR_EDATA, "there are no training nodes, so nobody can volunteer");
    uint8_t *out = hrr_alloc_zero(n, 1);
    if (!out) return hrr_no_memory(err);
    const double wanted = fmax(1, rint(share * (double)n));
    uint64_t missing = wanted < (double)left ? (uint64_t)wanted : left;
    hrr_fast_random random;
    hrr_fast_init(&random, seed, apart);
    for (uint64_t i = 0; i < n; i++) { /* every set of that size is as likely */
        if (split[i] != HRR_TRAIN) continue;
        out[i] = hrr_fast_below(&random, left--) < missing;
        missing -= out[i];
    }
    *chosen = out;
    return HRR_OK;
}

/* The chosen rows of a matrix, in their order. */
static hrr_status pick_rows(hrr_dense *out, const hrr_dense *in, const uint8_t *chosen,
                            uint64_t n_chosen, hrr_error *err)
{
    hrr_status status = hrr_dense_init(out, in->dtype, n_chosen, in->cols, err);
    const size_t size = status ? 0 : in->cols * hrr_dtype_size(in->dtype);
    char *to = out->data;
    for (uint64_t i = 0; i < in->rows && !status; i++)
        if (chosen[i]) memcpy(to, (const char *)in->data + i * size, size), to += size;
    return status;
}

static hrr_status add_labels(hrr_graph *to, const hrr_graph *graph, const uint8_t *chosen,
                             hrr_error *err)
{
    const uint64_t n = hrr_graph_n_nodes(to);
    const int32_t *classes = hrr_graph_classes(graph);
    hrr_dense matrix = {0};
    if (!classes) {
        hrr_status status = pick_rows(&matrix, hrr_graph_label_matrix(graph), chosen, n, err);
        if (!status) status = hrr_graph_take_label_matrix(to, &matrix, err);
        hrr_dense_clear(&matrix);
        return status;
    }
    int32_t *picked = hrr_alloc(n, sizeof *picked);
    if (!picked) return hrr_no_memory(err);
    for (uint64_t i = 0, at = 0; at < n; i++)
        if (chosen[i]) picked[at++] = classes[i];
    hrr_status status = hrr_graph_take_classes(to, &picked, hrr_graph_n_classes(graph), err);
    hrr_free(picked);
    return status;
}

hrr_status hrr_volunteers_head(hrr_head *out, const hrr_graph *graph, const uint8_t *chosen,
                               hrr_progress *progress, hrr_error *err)
{
    static const double ridge = 1; /* in nodes; they are few, and of one graph with those that the
                                      head answers about */
    uint64_t n = 0;
    hrr_graph *people = NULL;
    hrr_dense features = {0};
    *out = (hrr_head){0};
    for (uint64_t i = 0; i < hrr_graph_n_nodes(graph); i++)
        n += chosen[i];
    hrr_status status = hrr_graph_new(&people, hrr_graph_name(graph), n, err);
    if (!status) status = pick_rows(&features, hrr_graph_features(graph), chosen, n, err);
    if (!status) status = hrr_graph_take_features(people, &features, err);
    if (!status) status = add_labels(people, graph, chosen, err);
    if (!status)
        status = hrr_head_from_graphs(out, (const hrr_graph *const[]){people}, 1, ridge,
                                      HRR_USUAL_QUESTIONS, NULL, progress, err);
    hrr_dense_clear(&features);
    hrr_graph_free(people);
    return status;
}
