/* verify_features.c: the mechanism of the features, planned anew from the recorded parameters. A
 * plan is made from public data and integers, so the same parameters give the same tables, and the
 * same realised epsilon to the last digit.
 *
 * Not recorded, and so not planned anew: weights that are not public. Directions
 * (featurerr-projected) are not recorded either, but with equal weights the promise depends only on
 * how many there are, and as many axes take their place. Of a head (featurerr-head) the promise
 * depends on its answers and their shares alone, and a head of zeros takes its place. */
#include "certificate/stand_ins.h"
#include "certificate/verify.h"
#include "feature/channels.h"
#include "feature/traits.h"
#include "base/memory.h"
#include "feature/reports.h"

#include <string.h>

/* A certificate is not a reason to allocate without end. */
enum { most_features = 1 << 26 };

static json_int_t number_of(const json_t *features, const char *name)
{
    return json_integer_value(json_object_get(features, name));
}

static bool read_decoding(hrr_decoding *out, const char *name)
{
    for (int i = HRR_DECODE_MIDPOINT; i <= HRR_DECODE_BINS; i++)
        if (strcmp(hrr_decoding_name((hrr_decoding)i), name) == 0) {
            *out = (hrr_decoding)i;
            return true;
        }
    return false;
}

/* `room`: 3 n doubles for theta, lo and hi. False: the parameters are not ones. */
static bool read_options(hrr_feature_options *out, double *room, uint64_t n, const json_t *features)
{
    const json_t *theta = json_object_get(features, "theta");
    const json_t *bounds = json_object_get(features, "bounds");
    const json_int_t bins = number_of(features, "bins");
    const json_int_t sampled = number_of(features, "features_per_node");
    hrr_feature_options_init(out);
    out->mechanism = hrr_json_word(features, "mechanism");
    out->delta = json_number_value(json_object_get(features, "delta"));
    if (bins < 0 || bins > UINT32_MAX || sampled < 0 || sampled > UINT32_MAX) return false;
    out->n_bins = (uint32_t)bins;
    if (hrr_feature_traits(out->mechanism)->samples) out->n_sampled = (uint32_t)sampled;
    if (json_object_get(features, "decoding") &&
        !read_decoding(&out->decoding, hrr_json_word(features, "decoding")))
        return false;
    if (!hrr_eps_of_text(&out->eps_nano, hrr_json_word(features, "requested_eps"))) return false;
    if (json_is_string(theta) && strcmp(json_string_value(theta), "equal") != 0) return false;
    if (json_is_string(bounds) && !strstr(json_string_value(bounds), "from private data"))
        return false;
    if (!json_is_string(theta)) {
        if (!hrr_json_reals(room, n, theta)) return false;
        out->theta = room;
    }
    if (!json_is_string(bounds)) {
        if (!hrr_json_reals(room + n, n, json_object_get(bounds, "lo")) ||
            !hrr_json_reals(room + 2 * n, n, json_object_get(bounds, "hi")))
            return false;
        out->lo = room + n;
        out->hi = room + 2 * n;
    }
    return true;
}

static void compare_claim(hrr_findings *findings, const hrr_feature_claim *claim,
                          const json_t *features)
{
    char realised[HRR_EPS_TEXT_SIZE], requested[HRR_EPS_TEXT_SIZE];
    hrr_eps_format(requested, claim->eps_nano);
    if (strcmp(requested, hrr_json_word(features, "requested_eps")) != 0 ||
        json_number_value(json_object_get(features, "delta")) != claim->delta)
        hrr_find(findings,
                 "features: the certificate is wrong about the budget: the mechanism spends %s, "
                 "delta %.17g",
                 requested, claim->delta);
    hrr_realised_text(realised, claim->realised_eps, claim->eps_nano);
    if (strcmp(realised, hrr_json_word(features, "realised_eps")) != 0)
        hrr_find(findings, "features: these parameters realise epsilon %s, not %.40s", realised,
                 hrr_json_word(features, "realised_eps"));
    if (strcmp(claim->statement, hrr_json_word(features, "statement")) != 0 ||
        strcmp(claim->evidence, hrr_json_word(features, "evidence")) != 0)
        hrr_find(findings, "features: the recorded sentences differ from those that the mechanism "
                           "gives for these parameters");
    if (number_of(features, "bins") != (json_int_t)claim->n_bins ||
        (json_object_get(features, "decoding") != NULL) != (claim->n_bins != 0))
        hrr_find(findings,
                 "features: the certificate is wrong about the bins: the mechanism has %u bins",
                 claim->n_bins);
    if (number_of(features, "features_per_node") != (json_int_t)claim->n_sampled)
        hrr_find(findings,
                 "features: the certificate is wrong about sampling: one node reports %u features "
                 "(0 means all)",
                 claim->n_sampled);
    if (number_of(features, "answers") != (json_int_t)claim->n_answers ||
        number_of(features, "report_size") != (json_int_t)claim->report_size)
        hrr_find(findings,
                 "features: the certificate is wrong about reports: a report names %u of %u "
                 "answers (0 means a yes or no to each)",
                 claim->report_size, claim->n_answers);
    if (number_of(features, "n_features") != (json_int_t)claim->n_features_out ||
        strcmp(hrr_dtype_name(claim->dtype_out), hrr_json_word(features, "type")) != 0)
        hrr_find(findings,
                 "features: the certificate is wrong about the columns: the mechanism writes %llu "
                 "columns of %s",
                 (unsigned long long)claim->n_features_out, hrr_dtype_name(claim->dtype_out));
}

/* One number for all, or a list of them. */
static bool are_budgets(const json_t *listed, const uint64_t *nano, uint64_t n)
{
    bool same = json_is_integer(listed) || json_array_size(listed) == n;
    for (uint64_t i = 0; same && i < n; i++) {
        const json_t *one = json_is_integer(listed) ? listed : json_array_get(listed, i);
        same = json_integer_value(one) == (json_int_t)nano[i];
    }
    return same;
}

/* The budgets of single features, where they are listed. */
static hrr_status check_budgets(hrr_findings *findings, const hrr_feature_options *options,
                                uint64_t n, const json_t *listed, hrr_error *err)
{
    if (!listed) {
        if (hrr_feature_traits(options->mechanism)->weighs_budget)
            hrr_find(findings, "features: the budgets of the features are missing");
        return HRR_OK;
    }
    uint64_t *nano = hrr_alloc(n, sizeof *nano);
    if (!nano) return hrr_no_memory(err);
    bool same = hrr_channels_split(nano, options->eps_nano, options->theta, n, NULL) == HRR_OK &&
                are_budgets(listed, nano, n);
    if (!same)
        hrr_find(findings, "features: the budgets of the features are not the shares of "
                           "the requested epsilon");
    hrr_free(nano);
    return HRR_OK;
}

/* The budgets of a head's labels; a class has all of it, and no list. */
static hrr_status check_answers(hrr_findings *findings, const hrr_feature_options *options,
                                const json_t *features, hrr_error *err)
{
    const json_t *listed = json_object_get(features, "eps_answer_nano");
    const uint64_t k = options->head->weight.cols;
    const bool wanted = options->head->output == HRR_OUTPUT_SIGMOID;
    if (number_of(features, "head_takes") != (json_int_t)options->head->weight.rows)
        hrr_find(
            findings,
            "features: the number of features that the head takes differs from that of the input");
    uint64_t *nano = hrr_alloc(k, sizeof *nano);
    if (!nano) return hrr_no_memory(err);
    bool same = (listed != NULL) == wanted;
    if (same && wanted)
        same = !hrr_head_budgets(nano, options->head, options->eps_nano, NULL) &&
               are_budgets(listed, nano, k);
    if (!same)
        hrr_find(findings, "features: the budgets of the answers are not the shares of the "
                           "requested epsilon");
    hrr_free(nano);
    return HRR_OK;
}

/* Whether the promise depends on nothing but what is recorded. */
static bool is_recorded(const json_t *features, uint64_t n)
{
    const hrr_feature_mechanism *mechanism =
        hrr_feature_traits(hrr_json_word(features, "mechanism"));
    const bool equal = json_is_string(json_object_get(features, "theta"));
    if (strstr(hrr_json_word(features, "theta"), "not public")) return false;
    if (mechanism->needs_directions && !equal) return false;
    return !(mechanism->needs_directions || mechanism->needs_head) ||
           !hrr_stand_ins_are_too_large(features, n);
}

static hrr_status plan_anew(hrr_findings *findings, const json_t *features, uint64_t n,
                            hrr_error *err)
{
    hrr_feature_options options;
    hrr_feature_plan *plan = NULL;
    hrr_stand_ins stand_ins;
    hrr_error wrong = {0};
    double *room = hrr_alloc(n, 3 * sizeof *room);
    if (!room) return hrr_no_memory(err);
    hrr_status status = hrr_stand_ins_make(&stand_ins, features, n, err);
    if (status) {
        hrr_free(room);
        return status;
    }
    if (!read_options(&options, room, n, features)) {
        hrr_find(findings, "features: the recorded parameters cannot be read");
    } else {
        if (stand_ins.axes.rows) options.directions = &stand_ins.axes;
        if (stand_ins.head.weight.data) options.head = &stand_ins.head;
        status = hrr_feature_plan_new(&plan, n, &options, &wrong);
        if (status == HRR_EINVAL)
            hrr_find(findings, "features: %.300s", wrong.message);
        else if (status)
            hrr_fail(err, status, "%s", wrong.message);
        if (status == HRR_EINVAL) status = HRR_OK;
        if (plan) {
            const hrr_feature_claim claim = hrr_feature_plan_claim(plan);
            compare_claim(findings, &claim, features);
            status =
                check_budgets(findings, &options, n, json_object_get(features, "eps_i_nano"), err);
            if (!status && options.head) status = check_answers(findings, &options, features, err);
        }
    }
    hrr_feature_plan_free(plan);
    hrr_stand_ins_clear(&stand_ins);
    hrr_free(room);
    return status;
}

/* Features that are not as they were need a scale to learn from, and others none. */
static void check_scale(hrr_findings *findings, const json_t *features)
{
    const bool as_they_are = strcmp(hrr_json_word(features, "realised_eps"), "infinity") == 0;
    if (strcmp(hrr_json_word(features, "scale_for_learning"), as_they_are ? "" : "standard") != 0)
        hrr_find(findings, "features: the scale for learning does not match these features");
}

hrr_status hrr_verify_features(hrr_findings *findings, const json_t *certificate, hrr_error *err)
{
    const json_t *features = json_object_get(certificate, "features");
    const json_int_t n =
        json_integer_value(json_object_get(json_object_get(certificate, "input"), "features"));
    if (json_is_object(features) != (n > 0) || n < 0 || n > most_features) {
        hrr_find(findings,
                 "features: the certificate does not state the number of features of the input");
        return HRR_OK;
    }
    if (n > 0) check_scale(findings, features);
    if (n == 0 || !is_recorded(features, (uint64_t)n)) return HRR_OK;
    return plan_anew(findings, features, (uint64_t)n, err);
}
