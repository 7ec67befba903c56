/* featurerr_head.c: a public head reads the private vector, and its answer is reported.
 *
 *     one class a node     answer = the class with the largest score; the report names w of the k
 *                          classes (subset.h), w the number that tells most at this eps and k;
 *     labels               answer j = is score j above 0? The report says yes or no to m of them,
 *                          drawn for each node in proportion to the labels' shares, through binary
 *                          randomised response with eps/m each; m is the number that tells most.
 *                          If that is all of them, each has its share eps_j of the budget.
 *
 * Neighbours:  any two feature vectors of one node (local DP).
 * Claim:       the head is public and its answer a function of the row alone. A class goes through
 *              one channel with the whole of eps; labels through channels whose budgets add up to
 *              at most eps. Which labels are asked about is drawn without looking at the row: given
 *              any choice the report is eps-LDP, hence with the choice, too. Decoding is
 *              post-processing.
 * Released:    k numbers a node: how likely each answer is, given the report, to somebody who
 *              thought all classes equally likely, or yes and no; one half where it was not asked.
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

#include <endian.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct by_head {
    hrr_answerer head;
    uint32_t n_answers; /* k */
    bool one_class;
    hrr_window window;     /* of a class */
    hrr_channels channels; /* of labels: two bins each, no and yes */
    uint32_t n_asked;      /* labels that a node is asked about; 0: all of them */
    uint64_t *share;       /* k: how often each is, out of total_share; NULL if all are */
    uint64_t total_share;
    float *value; /* k x 3: what an answer that is not named is released as, one that is, and one
                     that is silent */
} by_head;

static void release(void *state)
{
    by_head *self = state;
    hrr_answerer_clear(&self->head);
    hrr_channels_clear(&self->channels);
    hrr_free(self->share);
    hrr_free(self->value);
    hrr_free(self);
}

static hrr_status plan_class(by_head *self, hrr_feature_plan *plan, hrr_error *err)
{
    const uint64_t eps_nano = plan->claim.eps_nano;
    const uint32_t k = self->n_answers, width = hrr_subset_best_width(k, eps_nano);
    char eps[HRR_EPS_TEXT_SIZE];
    hrr_window_init(&self->window, eps_nano, k, width);
    hrr_status status = hrr_report_values(self->value, k, width, &eps_nano, err);
    if (status) return status;
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

/* Which labels a node is asked about is drawn in proportion to these: whole numbers whose sum is
 * far below 2^64. A label with a share is never left without. */
static hrr_status plan_choice(by_head *self, const hrr_head *head, hrr_error *err)
{
    const double *shares = head->shares.data;
    double total = 0;
    self->share = hrr_alloc(self->n_answers, sizeof *self->share);
    if (!self->share) return hrr_no_memory(err);
    for (uint32_t j = 0; j < self->n_answers; j++)
        total += shares ? shares[j] : 1;
    for (uint32_t j = 0; j < self->n_answers; j++) {
        const double own = shares ? shares[j] : 1;
        self->share[j] = own > 0 ? (uint64_t)(own / total * 0x1p40) + 1 : 0;
        self->total_share += self->share[j];
    }
    return HRR_OK;
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
    if (!status) status = hrr_report_values(self->value, k, 0, eps_nano, err);
    hrr_free(eps_nano);
    if (status) return status;
    double largest = 0;
    for (uint32_t j = 0; j < k; j++)
        largest = fmax(largest, self->channels.table_eps[hrr_channels_table(&self->channels, j)]);
    hrr_eps_format(eps, plan->claim.eps_nano);
    self->n_asked = plan->claim.n_sampled = hrr_head_asked(head, plan->claim.eps_nano);
    if (self->n_asked) {
        const uint32_t m = self->n_asked;
        if ((status = plan_choice(self, head, err))) return status;
        plan->claim.realised_eps =
            hrr_eps_round_up((long double)m * (long double)largest, plan->claim.eps_nano);
        plan->statement =
            hrr_format_text("featurerr-head: a randomised yes or no to %u of the %u labels of a "
                            "public head, drawn without looking at the node: eps = %s for one "
                            "node's whole feature vector, whatever the vector",
                            m, k, eps);
        plan->evidence = hrr_format_text("%u times the largest log-ratio in the labels' integer "
                                         "tables (each certified against a lower bound of e^eps)",
                                         m);
        return plan->statement && plan->evidence ? HRR_OK : hrr_no_memory(err);
    }
    plan->claim.realised_eps = self->channels.realised_eps;
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
    self->value = hrr_alloc(self->n_answers, 3 * sizeof *self->value);
    if (!self->value) return hrr_no_memory(err);
    plan->claim.n_answers = self->n_answers;
    plan->claim.n_features_out = self->n_answers;
    return self->one_class ? plan_class(self, plan, err)
                           : plan_labels(self, plan, options->head, err);
}

/* ---- private rows --------------------------------------------------------------------------- */

/* Scratch: a row, its scores, the hidden layer; words of a row or the other classes; labels that
 * are asked about; the report. */
static size_t scratch_size(const hrr_feature_plan *plan, uint64_t n_rows)
{
    (void)n_rows;
    const by_head *self = plan->state;
    const size_t k = self->n_answers;
    return (plan->n_features + k + hrr_answerer_scratch(&self->head)) * sizeof(double) +
           k * (sizeof(uint64_t) + sizeof(uint32_t) + 1);
}

static uint8_t answer(const by_head *self, uint32_t j, const double *score, const uint64_t *drawn,
                      size_t word)
{
    const hrr_limits *limits = &self->channels.limits;
    return (uint8_t)hrr_limits_draw(limits, j, score[j] > 0, hrr_limits_word(limits, drawn, word));
}

/* n_asked different labels, each in proportion to the shares of those that are left. Neither row
 * nor scores have a say. */
static void choose_labels(uint32_t *chosen, const by_head *self, const uint64_t *drawn)
{
    uint64_t total = self->total_share;
    for (uint32_t i = 0; i < self->n_asked; i++) {
        uint64_t at = (uint64_t)((unsigned __int128)le64toh(drawn[i]) * total >> 64);
        uint32_t j = 0;
        for (;; j++) {
            bool taken = false;
            for (uint32_t before = 0; before < i; before++)
                taken |= chosen[before] == j;
            if (taken) continue;
            if (at < self->share[j]) break;
            at -= self->share[j];
        }
        chosen[i] = j;
        total -= self->share[j];
    }
}

/* named: k. chosen: k, scratch. drawn: k words, and so many words are enough: m to choose and m to
 * answer with are drawn one after the other. */
static void report_labels(uint8_t *named, const by_head *self, const double *score,
                          uint32_t *chosen, uint64_t *drawn, hrr_stream *stream)
{
    const uint32_t k = self->n_answers, m = self->n_asked;
    const size_t word_size = hrr_limits_word_size(&self->channels.limits);
    if (m) {
        hrr_stream_bytes(stream, drawn, m * sizeof *drawn);
        choose_labels(chosen, self, drawn);
        memset(named, HRR_REPORT_SILENT, k);
    }
    hrr_stream_bytes(stream, drawn, (m ? m : k) * word_size);
    for (uint32_t i = 0; i < m; i++)
        named[chosen[i]] = answer(self, chosen[i], score, drawn, i);
    for (uint32_t j = 0; j < k && !m; j++)
        named[j] = answer(self, j, score, drawn, j);
}

static void randomise(hrr_dense *out, const hrr_feature_plan *plan, const hrr_dense *in,
                      uint64_t begin, uint64_t end, uint64_t first_row, hrr_stream *stream,
                      void *scratch)
{
    const by_head *self = plan->state;
    const uint32_t k = self->n_answers;
    double *x = scratch, *score = x + plan->n_features, *hidden = score + k;
    uint64_t *drawn = (uint64_t *)(hidden + hrr_answerer_scratch(&self->head));
    uint32_t *chosen = (uint32_t *)(drawn + k);
    uint8_t *named = (uint8_t *)(chosen + k);
    for (uint64_t row = begin; row < end; row++) {
        hrr_stream_seek(stream, HRR_PURPOSE_FEATURE_CHANNEL, first_row + row);
        hrr_row_as_f64(x, in, row);
        hrr_answerer_scores(score, &self->head, x, hidden);
        if (self->one_class)
            hrr_subset_draw(named, &self->window, hrr_likeliest_answer(score, k), chosen, stream);
        else
            report_labels(named, self, score, chosen, drawn, stream);
        float *released = (float *)out->data + row * k;
        for (uint32_t j = 0; j < k; j++)
            released[j] = self->value[3 * j + named[j]];
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
