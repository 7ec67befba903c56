/* featurerr_head.c: a public head reads the private vector, and its answer is reported.
 *
 *     one class a node     answer = the class with the largest score; the report names w of the k
 *                          classes (subset.h), w the number that tells most at this eps and k;
 *     labels               answer j = is score j above 0? The report says yes or no to each through
 *                          binary randomised response with a share eps_j of the budget.
 *
 * Neighbours:  any two feature vectors of one node (local DP).
 * Claim:       the head is public and its answer a function of the row alone. A class goes through
 *              one channel with the whole of eps; labels through channels whose budgets add up to
 *              at most eps. Decoding is post-processing.
 * Released:    k numbers a node: how likely each answer is, given the report, to somebody who
 *              thought all classes equally likely, or yes and no.
 *
 * Nothing is clipped and there are no bounds: whatever the vector, the answer is one of k. */
#include "feature/mechanism.h"
#include "feature/channels.h"
#include "feature/head_answer.h"
#include "feature/reports.h"
#include "feature/subset.h"
#include "matrix/dense.h"
#include "privacy/exp_bound.h"
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct by_head {
    hrr_answerer head;
    uint32_t n_answers; /* k */
    bool one_class;
    hrr_window window;     /* of a class */
    hrr_channels channels; /* of labels: two bins each, no and yes */
    float *value; /* k x 2: what an answer that is not named is released as, and one that is */
} by_head;

static void release(void *state)
{
    by_head *self = state;
    hrr_answerer_clear(&self->head);
    hrr_channels_clear(&self->channels);
    hrr_free(self->value);
    hrr_free(self);
}

static hrr_status plan_class(by_head *self, hrr_feature_plan *plan, hrr_error *err)
{
    const uint64_t eps_nano = plan->claim.eps_nano;
    const uint32_t k = self->n_answers, width = hrr_subset_best_width(k, eps_nano);
    char eps[HRR_EPS_TEXT_SIZE];
    hrr_window_init(&self->window, eps_nano, k, width);
    for (uint32_t j = 0; j < k; j++) {
        self->value[2 * j] = (float)((double)self->window.low / (double)self->window.total);
        self->value[2 * j + 1] = (float)((double)self->window.high / (double)self->window.total);
    }
    plan->claim.report_size = width;
    plan->claim.realised_eps = hrr_eps_round_up(hrr_window_realised_eps(&self->window), eps_nano);
    hrr_eps_format(eps, eps_nano);
    plan->statement =
        hrr_format_text("featurerr-head: a report that names %u of the %u classes of a "
                        "public head: eps = %s for one node's whole feature vector, "
                        "whatever the vector",
                        width, k, eps);
    plan->evidence =
        hrr_copy_text("the log-ratio of the two integer weights that a report can have, "
                      "certified against a lower bound of e^eps");
    return plan->statement && plan->evidence ? HRR_OK : hrr_no_memory(err);
}

static hrr_status plan_labels(by_head *self, hrr_feature_plan *plan, const hrr_head *head,
                              hrr_error *err)
{
    const uint32_t k = self->n_answers;
    char eps[HRR_EPS_TEXT_SIZE];
    uint64_t *eps_nano = hrr_alloc(k, sizeof *eps_nano);
    if (!eps_nano) return hrr_no_memory(err);
    hrr_status status = hrr_head_budgets(eps_nano, head, plan->claim.eps_nano, err);
    if (!status) status = hrr_channels_init_narrow(&self->channels, eps_nano, k, 2, err);
    hrr_free(eps_nano);
    if (status) return status;
    for (uint32_t j = 0; j < k; j++) {
        const double realised = self->channels.table_eps[hrr_channels_table(&self->channels, j)];
        self->value[2 * j + 1] = (float)(1 / (1 + exp(-realised)));
        self->value[2 * j] = 1 - self->value[2 * j + 1];
    }
    plan->claim.realised_eps = self->channels.realised_eps;
    hrr_eps_format(eps, plan->claim.eps_nano);
    plan->statement = hrr_format_text("featurerr-head: a randomised yes or no to each of the %u "
                                      "labels of a public head: eps = %s for one node's whole "
                                      "feature vector, whatever the vector",
                                      k, eps);
    plan->evidence = hrr_format_text("the sum over %u labels of the largest log-ratio in their "
                                     "integer tables (%u distinct, each certified against a lower "
                                     "bound of e^eps)",
                                     k, self->channels.limits.n_tables);
    return plan->statement && plan->evidence ? HRR_OK : hrr_no_memory(err);
}

static hrr_status prepare(hrr_feature_plan *plan, const hrr_feature_options *options,
                          hrr_error *err)
{
    if (!options->head)
        return hrr_fail(err, HRR_EINVAL, "featurerr-head needs a public head (`features.head`)");
    by_head *self = hrr_alloc_zero(1, sizeof *self);
    if (!self) return hrr_no_memory(err);
    plan->state = self;
    hrr_status status = hrr_answerer_init(&self->head, options->head, plan->n_features, err);
    if (status) return status;
    self->n_answers = (uint32_t)options->head->weight.cols;
    self->one_class = options->head->output == HRR_OUTPUT_SOFTMAX;
    self->value = hrr_alloc(self->n_answers, 2 * sizeof *self->value);
    if (!self->value) return hrr_no_memory(err);
    plan->claim.n_answers = self->n_answers;
    plan->claim.n_features_out = self->n_answers;
    return self->one_class ? plan_class(self, plan, err)
                           : plan_labels(self, plan, options->head, err);
}

/* ---- private rows --------------------------------------------------------------------------- */

/* Scratch: a row, its scores, the hidden layer; words of a row or the other classes; the report. */
static size_t scratch_size(const hrr_feature_plan *plan, uint64_t n_rows)
{
    (void)n_rows;
    const by_head *self = plan->state;
    const size_t k = self->n_answers;
    return (plan->n_features + k + hrr_answerer_scratch(&self->head)) * sizeof(double) +
           k * (sizeof(uint64_t) + 1);
}

/* The first of the largest. A score that is not a number is never larger, so that every row has an
 * answer. */
static uint32_t likeliest(const double *score, uint32_t k)
{
    uint32_t best = 0;
    for (uint32_t j = 1; j < k; j++)
        if (score[j] > score[best]) best = j;
    return best;
}

static void report_labels(uint8_t *named, const by_head *self, const double *score, uint64_t *drawn,
                          hrr_stream *stream)
{
    const hrr_limits *limits = &self->channels.limits;
    hrr_stream_bytes(stream, drawn, self->n_answers * hrr_limits_word_size(limits));
    for (uint32_t j = 0; j < self->n_answers; j++)
        named[j] =
            (uint8_t)hrr_limits_draw(limits, j, score[j] > 0, hrr_limits_word(limits, drawn, j));
}

static void randomise(hrr_dense *out, const hrr_feature_plan *plan, const hrr_dense *in,
                      uint64_t begin, uint64_t end, uint64_t first_row, hrr_stream *stream,
                      void *scratch)
{
    const by_head *self = plan->state;
    const uint32_t k = self->n_answers;
    double *x = scratch, *score = x + plan->n_features, *hidden = score + k;
    uint64_t *drawn = (uint64_t *)(hidden + hrr_answerer_scratch(&self->head));
    uint8_t *named = (uint8_t *)(drawn + k);
    for (uint64_t row = begin; row < end; row++) {
        hrr_stream_seek(stream, HRR_PURPOSE_FEATURE_CHANNEL, first_row + row);
        hrr_row_as_f64(x, in, row);
        hrr_answerer_scores(score, &self->head, x, hidden);
        if (self->one_class)
            hrr_subset_draw(named, &self->window, likeliest(score, k), (uint32_t *)drawn, stream);
        else
            report_labels(named, self, score, drawn, stream);
        float *released = (float *)out->data + row * k;
        for (uint32_t j = 0; j < k; j++)
            released[j] = self->value[2 * j + named[j]];
    }
}

const hrr_feature_method hrr_feature_featurerr_head = {
    .about.name = "featurerr-head",
    .about.what = "the answer of a public head, randomised",
    .about.page = "docs/mechanisms/featurerr-head.md",
    .about.certified = true,
    .about.needs_head = true,
    .prepare = prepare,
    .release = release,
    .scratch_size = scratch_size,
    .randomise = randomise};
