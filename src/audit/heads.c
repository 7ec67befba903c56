/* heads.c: see heads.h. */
#include "audit/heads.h"
#include "feature/mechanism.h"

#include <stdio.h>

static const struct {
    const char *what;
    uint32_t n_answers;
    hrr_output_kind output;
} views[HRR_HEAD_VIEWS] = {
    {"classes", 2, HRR_OUTPUT_SOFTMAX},
    {"classes", HRR_HEAD_MOST_ANSWERS, HRR_OUTPUT_SOFTMAX},
    {"labels", 3, HRR_OUTPUT_SIGMOID},
};

static hrr_dense row_of(double *data, uint64_t n)
{
    return (hrr_dense){.dtype = HRR_F64, .rows = 1, .cols = n, .data = data};
}

/* One feature, which is -1 or 1: the first class or the last, no label or all. */
hrr_status hrr_head_attack_init(hrr_head_attack *out, int view, uint64_t eps_nano,
                                const hrr_random *random, hrr_error *err)
{
    const uint32_t k = views[view].n_answers;
    double weight[HRR_HEAD_MOST_ANSWERS], bias[HRR_HEAD_MOST_ANSWERS] = {0};
    double shares[HRR_HEAD_MOST_ANSWERS];
    for (uint32_t j = 0; j < k; j++) {
        weight[j] = views[view].output == HRR_OUTPUT_SIGMOID ? 1 : j;
        shares[j] = j + 1;
    }
    const hrr_head head = {.weight = row_of(weight, k),
                           .bias = row_of(bias, k),
                           .output = views[view].output,
                           .shares = row_of(shares, k)};
    hrr_feature_options options;
    hrr_feature_options_init(&options);
    options.mechanism = hrr_feature_featurerr_head.about.name;
    options.eps_nano = eps_nano;
    options.head = &head;
    *out = (hrr_head_attack){.random = random};
    hrr_status status = hrr_feature_plan_new(&out->plan, 1, &options, err);
    if (status) return status;
    const uint32_t size = hrr_feature_plan_claim(out->plan).report_size;
    snprintf(out->what, sizeof out->what, "a head of %u %s", k, views[view].what);
    const uint32_t asked = hrr_feature_plan_claim(out->plan).n_sampled;
    if (asked)
        snprintf(out->what, sizeof out->what, "a head with %u %s, asked about %u", k,
                 views[view].what, asked);
    if (size > 1)
        snprintf(out->what, sizeof out->what, "a head with %u %s, %u named", k, views[view].what,
                 size);
    return HRR_OK;
}

void hrr_head_attack_clear(hrr_head_attack *attack)
{
    hrr_feature_plan_free(attack->plan);
    *attack = (hrr_head_attack){0};
}

/* What a row says of each answer, as the digits of a number: no, nothing or yes. */
static float code_of(const float *row, uint64_t k, double middle)
{
    float code = 0;
    for (uint64_t j = 0; j < k; j++)
        code = 3 * code + (float)(row[j] >= (float)middle) + (float)(row[j] > (float)middle);
    return code;
}

hrr_status hrr_head_attack_run(float *out, const void *user, int side, uint64_t first, uint64_t n,
                               hrr_error *err)
{
    static const uint64_t row_of_side = UINT64_C(1) << 40;
    const hrr_head_attack *self = user;
    const hrr_feature_claim claim = hrr_feature_plan_claim(self->plan);
    const uint64_t k = claim.n_features_out;
    hrr_dense in = {0}, released = {0};
    hrr_status status = hrr_dense_init(&in, HRR_F32, n, 1, err);
    if (!status) status = hrr_dense_init(&released, HRR_F32, n, k, err);
    for (uint64_t i = 0; i < n && !status; i++)
        ((float *)in.data)[i] = side ? 1 : -1;
    if (!status)
        status =
            hrr_feature_plan_apply(&released, self->plan, &in, row_of_side * (uint64_t)side + first,
                                   self->random, 1, NULL, err);
    for (uint64_t i = 0; i < n && !status; i++)
        out[i] = code_of((const float *)released.data + i * k, k,
                         claim.report_size ? 1 / (double)k : .5);
    hrr_dense_clear(&in);
    hrr_dense_clear(&released);
    return status;
}
