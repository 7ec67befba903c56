/* head_advice.c: whether reports of a public head may be worth a budget, from public data alone.
 *
 * A dress rehearsal without private features: every node gets an answer that is drawn from its
 * public label, right as often as the head is said to be and otherwise like the answer of anybody.
 * The answers are released by featurerr-head, and learnt from as `compare learning` does
 * (training_sweep.c), beside all that is free.
 *
 * A real head is wrong about the same people more often than at random, and about those whose
 * neighbours mislead, too. So the rehearsal is an upper estimate: what does not pay here does not
 * pay. */
#include "experiment/advice.h"
#include "experiment/treatments.h"
#include "feature/mechanism.h"
#include "graph/copy.h"
#include "random/fast.h"
#include "base/memory.h"
#include "base/options.h"

#include <heterorr/release.h>

#include <stdio.h>
#include <string.h>

static hrr_status check(const hrr_graph *known, const hrr_advise_options *o, hrr_error *err)
{
    const uint32_t k = hrr_graph_n_classes(known);
    if (!hrr_graph_classes(known) || k < 2)
        return hrr_fail(err, HRR_EDATA,
                        "a head can be rehearsed only if each node has one of two or more classes");
    if (hrr_graph_n_private_edges(known))
        return hrr_fail(
            err, HRR_EINVAL,
            "advice needs a graph without private edges: pass the public view of the graph");
    if (!(o->head_right * k > 1 && o->head_right <= 1))
        return hrr_fail(err, HRR_EINVAL,
                        "the accuracy of the head (`head_right`) must be above %.3g, the accuracy "
                        "of a guess among %u classes, and at most 1",
                        1. / k, k);
    return HRR_OK;
}

/* n x k of 0 and 1: the drawn answers. Unknown classes have anybody's. */
static hrr_status draw_answers(hrr_dense *out, const hrr_graph *known, double right, uint64_t seed,
                               hrr_error *err)
{
    const uint64_t n = hrr_graph_n_nodes(known);
    const uint32_t k = hrr_graph_n_classes(known);
    const int32_t *class = hrr_graph_classes(known);
    /* right = meant + (1 - meant)/k on average over classes */
    const double meant = (right * k - 1) / (k - 1);
    hrr_fast_random random;
    hrr_fast_init(&random, seed, UINT64_C(0x68656164));
    hrr_status status = hrr_dense_init(out, HRR_U8, n, k, err);
    if (status) return status;
    memset(out->data, 0, n * k);
    for (uint64_t i = 0; i < n; i++) {
        const bool means = hrr_fast_uniform(&random) < meant && class[i] >= 0;
        const uint64_t other = hrr_fast_below(&random, k);
        ((uint8_t *)out->data)[i * k + (means ? (uint64_t) class[i] : other)] = 1;
    }
    return HRR_OK;
}

/* Edges and labels of `known`, and answers in the place of features. */
static hrr_status make_stage(hrr_graph **out, const hrr_graph *known, double right, uint64_t seed,
                             hrr_error *err)
{
    hrr_graph *made = NULL;
    hrr_dense answers = {0};
    hrr_status status = hrr_graph_new(&made, "head rehearsal", hrr_graph_n_nodes(known), err);
    if (!status)
        status = hrr_graph_add_parts(made, known,
                                     HRR_COPY_EDGES | HRR_COPY_LABELS | HRR_COPY_AS_VIEWS, err);
    if (!status) status = draw_answers(&answers, known, right, seed, err);
    if (!status) status = hrr_graph_take_features(made, &answers, err);
    if (!status) status = hrr_graph_set_feature_range(made, 0, 1, err);
    hrr_dense_clear(&answers);
    if (status) hrr_graph_free(made);
    *out = status ? NULL : made;
    return status;
}

/* Reports, and what looks at no answer. */
static bool is_relevant(const hrr_training_mean *row, bool features_are_public)
{
    (void)features_are_public;
    const hrr_feature_half features = hrr_feature_half_of(row->features);
    return !hrr_features_are_kept(features) && features.learner != HRR_LEARNER_ANSWERS;
}

hrr_status hrr_advise_head(hrr_edge_advice *out, const char *results, const hrr_graph *known,
                           const hrr_advise_options *options, hrr_progress *progress,
                           hrr_error *err)
{
    const char *const treatments[] = {hrr_feature_featurerr_head.about.name, NULL};
    hrr_graph *stage = NULL;
    hrr_dense weight = {0}, bias = {0};
    char about[40];
    hrr_advise_options asked;
    hrr_training_sweep_options sweep;
    hrr_training_sweep_options_init(&sweep);
    *out = (hrr_edge_advice){.control = -1, .choice = -1};
    hrr_status status = hrr_advise_adopt(&asked, options, known, err);
    if (!status) status = check(known, &asked, err);
    if (status) return status;
    const uint32_t k = hrr_graph_n_classes(known);
    status = make_stage(&stage, known, asked.head_right, asked.seed, err);
    if (!status) status = hrr_dense_init(&weight, HRR_F64, k, k, err);
    if (!status) status = hrr_dense_init(&bias, HRR_F64, 1, k, err);
    if (status) goto done;
    memset(weight.data, 0, (size_t)k * k * sizeof(double));
    memset(bias.data, 0, k * sizeof(double));
    for (uint32_t c = 0; c < k; c++)
        ((double *)weight.data)[c * k + c] = 1;
    const hrr_head head = {.weight = weight, .bias = bias};
    snprintf(about, sizeof about, "right %.4g", asked.head_right);
    sweep.treatments = treatments;
    sweep.features.head = &head;
    sweep.directions = about;
    sweep.eps_features_nano = asked.eps_features_nano;
    sweep.n_eps_features = asked.n_eps_features;
    sweep.label_rates = &asked.label_rate;
    sweep.n_label_rates = asked.label_rate > 0;
    sweep.train = asked.train;
    sweep.runs = asked.runs;
    sweep.seed = asked.seed;
    sweep.threads = asked.threads;
    if ((status = hrr_training_sweep(results, stage, &sweep, progress, err))) goto done;
    if ((status = hrr_training_means(&out->rows, &out->n_rows, results, stage, asked.metric, err)))
        goto done;
    hrr_advice_keep(out, is_relevant, false);
    hrr_advice_choose(out, true);
done:
    hrr_dense_clear(&weight);
    hrr_dense_clear(&bias);
    hrr_graph_free(stage);
    return status;
}
