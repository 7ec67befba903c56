/* served.c: see served.h. What a model says about the nodes of its release is computed once: an
 * answer about them is a line of a table. */
#include "serve/served.h"
#include "attack/service.h"
#include "base/memory.h"
#include "learn/count_model.h"
#include "learn/head.h"
#include "learn/model.h"
#include "matrix/dense.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

uint32_t hrr_served_n_classes(const hrr_served *served)
{
    return (uint32_t)served->table.cols;
}

bool hrr_served_is_multilabel(const hrr_served *served)
{
    return hrr_model_get_shape(served->model)->output == HRR_OUTPUT_SIGMOID;
}

void hrr_served_free(hrr_served *served)
{
    if (!served) return;
    hrr_local_service_free(served->local);
    hrr_name_index_clear(&served->names);
    hrr_csr_clear(&served->neighbours);
    hrr_dense_clear(&served->table);
    hrr_free(served->labels);
    hrr_release_free(served->release);
    hrr_graph_free(served->own_graph);
    hrr_model_free(served->model);
    hrr_free(served->name);
    hrr_free(served);
}

/* ---- may it be served? ----------------------------------------------------------------------- */

static hrr_status read_release(hrr_served *made, const hrr_served_model *what, bool non_private,
                               hrr_progress *progress, hrr_error *err)
{
    hrr_read_options read;
    hrr_read_options_init(&read);
    if (hrr_path_is_bundle(what->release))
        return hrr_release_open(&made->release, what->release, &read, progress, err);
    if (!non_private)
        return hrr_fail(
            err, HRR_ECHECK,
            "%s is a graph, not a release, so answers would reveal its private edges: protect it, "
            "train on the release and serve that model, or allow it explicitly (`non_private`)",
            what->release);
    hrr_status status = hrr_graph_read(&made->own_graph, what->release, &read, progress, err);
    if (!status) status = hrr_release_non_private(&made->release, made->own_graph, err);
    return status;
}

/* The promise of answers is that of the release, if the model, too, comes from it alone. */
static hrr_status check_promise(hrr_served *made, const hrr_served_model *what, bool non_private,
                                hrr_error *err)
{
    const hrr_provenance model = hrr_model_provenance(made->model);
    const char *statement = hrr_release_statement(made->release);
    const hrr_training_match match = hrr_model_match(made->model, made->release);
    made->is_private = model.is_private && hrr_release_is_private(made->release);
    made->is_matched = match == HRR_TRAINED_HERE;
    if (made->is_private && strcmp(model.statement ? model.statement : "", statement) != 0)
        return hrr_fail(err, HRR_ECHECK,
                        "%s was trained on another release than %s: their guarantees differ",
                        what->model, what->release);
    if (made->is_private && match == HRR_TRAINED_ELSEWHERE)
        return hrr_fail(err, HRR_ECHECK,
                        "%s was trained on another release than %s, with the same guarantee: the "
                        "budgets of the two add up",
                        what->model, what->release);
    if (made->is_private || non_private) return HRR_OK;
    return hrr_fail(err, HRR_ECHECK,
                    "answers of %s on %s would not be private: %s; train on a private release and "
                    "serve that model, or allow it explicitly (`non_private`)",
                    what->model, what->release,
                    !model.is_private ? "the model was not trained on a private release"
                                      : "the release is NOT PRIVATE");
}

/* ---- what it says ---------------------------------------------------------------------------- */

static bool uses_reports(const hrr_served *made)
{
    return made->model->reports.confusion.data && hrr_release_reports(made->release);
}

/* As hrr_model_predict() says it. */
static hrr_status predict(hrr_served *made, int threads, hrr_progress *progress, hrr_error *err)
{
    hrr_predict_options how;
    hrr_dense logits;
    hrr_predict_options_init(&how);
    how.logits = true;
    how.threads = threads;
    hrr_status status = hrr_model_predict(&logits, made->model, made->release, &how, progress, err);
    if (!status) status = hrr_dense_convert(&made->table, &logits, HRR_F64, err);
    hrr_dense_clear(&logits);
    return status;
}

/* Answers about changed features are differences from those about unchanged ones: both are made in
 * the same way, in doubles. */
static hrr_status predict_locally(hrr_served *made, int threads, hrr_progress *progress,
                                  hrr_error *err)
{
    const uint64_t n = hrr_graph_n_nodes(made->graph);
    hrr_serve_options how;
    uint32_t *everybody = NULL;
    hrr_serve_options_init(&how);
    how.threads = threads;
    hrr_status status =
        hrr_local_service_new(&made->local, made->model, made->release, &how, progress, err);
    if (status) return status;
    const hrr_service service = hrr_local_service_view(made->local);
    if ((status = hrr_dense_init(&made->table, HRR_F64, n, service.n_classes, err))) return status;
    if (!(everybody = hrr_alloc(n, sizeof *everybody))) return hrr_no_memory(err);
    for (uint64_t v = 0; v < n; v++)
        everybody[v] = (uint32_t)v;
    const hrr_question question = {.asked = everybody, .n_asked = n, .changed = -1};
    status = hrr_service_ask(made->table.data, &service, &question, progress, err);
    hrr_free(everybody);
    /* The caller's progress ends with this call; the service goes on. */
    hrr_local_service_forget_progress(made->local);
    return status;
}

static hrr_status compute(hrr_served *made, const hrr_server_options *o, hrr_progress *progress,
                          hrr_error *err)
{
    const hrr_model_shape *shape = hrr_model_get_shape(made->model);
    const bool by_features =
        !shape->node_rows && !uses_reports(made) && shape->arch != HRR_ARCH_SIGN;
    hrr_status status = o->what_if && by_features ? predict_locally(made, o->threads, progress, err)
                                                  : predict(made, o->threads, progress, err);
    if (status) return status;
    made->unseen = made->local && !hrr_counts_in_use(made->model, made->release, false) &&
                   hrr_graph_n_graphs(made->graph) == 1;
    for (uint64_t i = 0; i < made->table.rows * made->table.cols; i++)
        if (!isfinite(((const double *)made->table.data)[i]))
            return hrr_fail(err, HRR_EDATA,
                            "the model's answer about node %" PRIu64 " is not a finite number",
                            i / made->table.cols);
    return HRR_OK;
}

void hrr_served_to_probabilities(double *rows, const hrr_served *served, uint64_t n)
{
    const uint32_t n_classes = hrr_served_n_classes(served);
    const double unit = pow(10, served->decimals);
    hrr_output_apply(rows, hrr_model_get_shape(served->model)->output, n, n_classes);
    for (uint64_t i = 0; i < n * n_classes && served->returns == HRR_RETURNS_ROUNDED; i++)
        rows[i] = round(rows[i] * unit) / unit;
}

uint32_t hrr_largest(const double *row, uint64_t n_classes)
{
    uint32_t best = 0;
    for (uint32_t c = 1; c < n_classes; c++)
        if (row[c] > row[best]) best = c;
    return best;
}

/* What most answers say is found once, not for each of them. Several labels of a node are found in
 * its logits. */
static hrr_status make_answers(hrr_served *made, hrr_error *err)
{
    const uint64_t n = made->table.rows;
    if (hrr_served_is_multilabel(made)) return HRR_OK;
    if (!(made->labels = hrr_alloc(n, sizeof *made->labels))) return hrr_no_memory(err);
    for (uint64_t v = 0; v < n; v++)
        made->labels[v] =
            hrr_largest((const double *)made->table.data + v * made->table.cols, made->table.cols);
    made->has_probabilities =
        made->returns == HRR_RETURNS_PROBABILITIES || made->returns == HRR_RETURNS_ROUNDED;
    if (made->has_probabilities) hrr_served_to_probabilities(made->table.data, made, n);
    return HRR_OK;
}

static hrr_status index_nodes(hrr_served *made, hrr_error *err)
{
    const hrr_node_ids *ids = hrr_graph_node_ids(made->graph);
    made->has_names = ids && (ids->integer || ids->text);
    made->texts = made->has_names && ids->text;
    hrr_status status =
        made->has_names ? hrr_name_index_of_graph(&made->names, made->graph, err) : HRR_OK;
    if (!status && made->is_private)
        status = hrr_graph_adjacency(&made->neighbours, made->graph, NULL, err);
    return status;
}

hrr_status hrr_served_open(hrr_served **out, const hrr_served_model *what,
                           const hrr_server_options *o, hrr_progress *progress, hrr_error *err)
{
    *out = NULL;
    hrr_served *made = hrr_alloc_zero(1, sizeof *made);
    if (!made) return hrr_no_memory(err);
    made->returns = o->returns;
    made->decimals = o->decimals;
    made->most_nodes = o->most_nodes;
    hrr_status status = HRR_OK;
    if (!(made->name = hrr_copy_text(what->name))) status = hrr_no_memory(err);
    if (!status) status = hrr_model_read(&made->model, what->model, err);
    if (!status) status = read_release(made, what, o->non_private, progress, err);
    if (!status) status = check_promise(made, what, o->non_private, err);
    if (!status) {
        made->graph = hrr_release_graph(made->release);
        status = compute(made, o, progress, err);
    }
    if (!status) status = make_answers(made, err);
    if (!status) status = index_nodes(made, err);
    if (status) {
        hrr_served_free(made);
        return status;
    }
    *out = made;
    return HRR_OK;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

bool hrr_served_find(const hrr_served *served, int64_t name, uint32_t *node)
{
    char decimal[hrr_decimal_size];
    if (!served->has_names) {
        *node = (uint32_t)name;
        return name >= 0 && (uint64_t)name < hrr_graph_n_nodes(served->graph);
    }
    hrr_decimal(decimal, name);
    return hrr_name_index_find(&served->names, decimal, node);
}

bool hrr_served_find_text(const hrr_served *served, const char *name, uint32_t *node)
{
    char again[hrr_decimal_size];
    if (served->has_names) return hrr_name_index_find(&served->names, name, node);
    char *end;
    const long long number = strtoll(name, &end, 10);
    hrr_decimal(again, number);
    return strcmp(again, name) == 0 && hrr_served_find(served, number, node);
}
