/* local_service.c: a model of our own, answering as a service would: the whole graph for each
 * question. What no question changes, the product of all features with the first weights, is kept
 * between them. */
#include "attack/f64_model.h"
#include "attack/local_service.h"
#include "base/memory.h"
#include "learn/count_model.h"
#include "learn/head.h"

#include <heterorr/attack.h>

#include <math.h>
#include <string.h>

struct hrr_local_service {
    hrr_f64_model f64;
    hrr_receptive_field field;
    hrr_dense first;   /* as things are */
    hrr_dense counted; /* what counts of neighbours say, F32; empty: nothing */
    double weight;     /* of the network beside them */
    uint64_t n_features;
    double *kept; /* a row of `first` while another stands in for it */
    hrr_returns returns;
    int decimals, threads;
    hrr_progress *progress;
};

/* Logits of a node become what the service says. */
static void disguise(double *row, const hrr_local_service *local)
{
    const uint32_t n = local->f64.shape.n_classes;
    const hrr_output_kind output = local->f64.shape.output;
    const double unit = pow(10, local->decimals);
    if (local->returns == HRR_RETURNS_LOGITS) return;
    hrr_output_apply(row, output, 1, n);
    if (local->returns == HRR_RETURNS_PROBABILITIES) return;
    uint32_t best = 0;
    for (uint32_t c = 1; c < n; c++)
        if (row[c] > row[best]) best = c;
    for (uint32_t c = 0; c < n; c++) {
        if (local->returns == HRR_RETURNS_ROUNDED)
            row[c] = round(row[c] * unit) / unit;
        else
            row[c] = output == HRR_OUTPUT_SOFTMAX ? c == best : row[c] > 0.5;
    }
}

static void add_counts(double *row, const hrr_local_service *local, uint32_t node)
{
    const uint64_t n_classes = local->counted.cols;
    const float *says = (const float *)local->counted.data + node * n_classes;
    for (uint64_t c = 0; c < n_classes; c++)
        row[c] = local->weight * row[c] + (double)says[c];
}

static hrr_status answer(void *user, double *out, const hrr_question *question, hrr_error *err)
{
    hrr_local_service *local = user;
    const uint64_t width = local->first.cols, n_classes = local->f64.shape.n_classes;
    double *row = NULL;
    hrr_dense logits = {0};
    if (question->changed >= 0) {
        row = (double *)local->first.data + (uint64_t)question->changed * width;
        memcpy(local->kept, row, width * sizeof *row);
        hrr_f64_model_first(row, &local->f64, question->features);
        for (uint64_t k = 0; k < width; k++)
            row[k] -= local->f64.centre[k];
    }
    hrr_status status = hrr_f64_model_forward(&logits, NULL, &local->f64, &local->field,
                                              &local->first, local->threads, local->progress, err);
    if (row) memcpy(row, local->kept, width * sizeof *row);
    for (uint64_t i = 0; i < question->n_asked && !status; i++) {
        const double *found = (const double *)logits.data + question->asked[i] * n_classes;
        memcpy(out + i * n_classes, found, n_classes * sizeof *out);
        if (local->counted.data) add_counts(out + i * n_classes, local, question->asked[i]);
        disguise(out + i * n_classes, local);
    }
    hrr_dense_clear(&logits);
    return status;
}

void hrr_serve_options_init(hrr_serve_options *options)
{
    *options = (hrr_serve_options){.decimals = 2};
}

/* What counts of neighbours add to the logits. */
static hrr_status look_at_counts(hrr_local_service *local, const hrr_model *model,
                                 const hrr_block_counts *counts, const hrr_graph *graph,
                                 hrr_error *err)
{
    const hrr_count_model *how = hrr_model_counts(model);
    hrr_status status = hrr_dense_init(&local->counted, HRR_F32, local->field.n_nodes[0],
                                       local->f64.shape.n_classes, err);
    if (!status)
        status = hrr_count_model_apply(&local->counted, how, counts, graph, local->threads, err);
    local->weight = how->weight_model;
    return status;
}

hrr_status hrr_local_service_new(hrr_local_service **out, const hrr_model *model,
                                 const hrr_release *served, const hrr_serve_options *options,
                                 hrr_progress *progress, hrr_error *err)
{
    const hrr_graph *graph = hrr_release_graph(served);
    const hrr_dense *features = hrr_graph_features(graph);
    const hrr_block_counts *counts = hrr_counts_in_use(model, served, options->ignore_counts);
    const uint64_t n = hrr_graph_n_nodes(graph);
    uint32_t *everybody = NULL;
    hrr_local_service *local = NULL;
    *out = NULL;
    hrr_status status = hrr_attack_check_shapes(model, graph, features, err);
    if (status) return status;
    local = hrr_alloc_zero(1, sizeof *local);
    everybody = hrr_alloc(n, sizeof *everybody);
    if (!local || !everybody) {
        status = hrr_no_memory(err);
        goto done;
    }
    for (uint64_t v = 0; v < n; v++)
        everybody[v] = (uint32_t)v;
    local->n_features = features->cols;
    local->returns = options->returns;
    local->decimals = options->decimals;
    local->threads = options->threads;
    local->progress = progress;
    if ((status = hrr_f64_model_init(&local->f64, model, err))) goto done;
    if ((status = hrr_receptive_field_init(&local->field, &local->f64.shape, graph, everybody, n,
                                           progress, err)))
        goto done;
    if (!(local->kept = hrr_alloc(hrr_f64_model_width(&local->f64, 0), sizeof *local->kept))) {
        status = hrr_no_memory(err);
        goto done;
    }
    if ((status = hrr_f64_model_first_rows(&local->first, &local->f64, features, everybody, n,
                                           local->threads, progress, err)))
        goto done;
    if (counts && (status = look_at_counts(local, model, counts, graph, err))) goto done;
    *out = local;
    local = NULL;
done:
    hrr_free(everybody);
    hrr_local_service_free(local);
    return status;
}

void hrr_local_service_free(hrr_local_service *local)
{
    if (!local) return;
    hrr_f64_model_clear(&local->f64);
    hrr_receptive_field_clear(&local->field);
    hrr_dense_clear(&local->first);
    hrr_dense_clear(&local->counted);
    hrr_free(local->kept);
    hrr_free(local);
}

hrr_service hrr_local_service_view(hrr_local_service *local)
{
    return (hrr_service){.query = answer,
                         .user = local,
                         .n_nodes = local->field.n_nodes[0],
                         .n_features = local->n_features,
                         .n_classes = local->f64.shape.n_classes};
}

void hrr_local_service_forget_progress(hrr_local_service *local)
{
    local->progress = NULL;
}

const hrr_f64_model *hrr_local_service_model(const hrr_local_service *local)
{
    return &local->f64;
}

const hrr_dense *hrr_local_service_first(const hrr_local_service *local)
{
    return &local->first;
}
