/* labels.c: c-ary randomised response on labels (Warner 1965; Kairouz, Bonawitz, Ramage, ICML
 * 2016).
 *
 *     P(keep) = e / (e + c - 1),   each other class 1 / (e + c - 1),   e = e^eps
 *
 * A window of one cell among c (window.h), so the weights are certified in integers the same way.
 * Claim: eps-DP for the class of one labelled node. Whether a node has a label (-1: none) is
 * public. Workload: one draw a node; streams hold blocks of nodes, since a stream for every draw
 * would cost more than the draw. */
#include "feature/labels.h"
#include "feature/window.h"
#include "privacy/exp_bound.h"
#include "feature/mechanism.h"

static const uint64_t labels_per_stream = 4096; /* fixed for ever: released data depends on it */

/* Everything that is decided without a label. */
static hrr_status plan(hrr_window *window, double *realised_eps, uint32_t n_classes,
                       uint64_t eps_nano, hrr_error *err)
{
    if (n_classes < 2 || n_classes > INT32_MAX)
        return hrr_fail(err, HRR_EINVAL, "labels need at least two classes");
    if (eps_nano < 1 || eps_nano > HRR_EPS_MAX)
        return hrr_fail(err, HRR_EINVAL,
                        "the epsilon of the labels (`eps_labels_nano`) must lie in (0, 20]");
    hrr_window_init(window, eps_nano, n_classes, 1);
    *realised_eps = hrr_eps_round_up(hrr_window_realised_eps(window), eps_nano);
    return HRR_OK;
}

static hrr_status check(const int32_t *in, uint64_t n, uint32_t n_classes, hrr_error *err)
{
    for (uint64_t i = 0; i < n; i++)
        if (in[i] < -1 || in[i] >= (int64_t)n_classes)
            return hrr_fail(err, HRR_EDATA, "the label of node %llu is not between -1 and %u",
                            (unsigned long long)i, n_classes - 1);
    return HRR_OK;
}

hrr_status hrr_label_realised_eps(double *realised_eps, uint32_t n_classes, uint64_t eps_nano,
                                  hrr_error *err)
{
    hrr_window window;
    return plan(&window, realised_eps, n_classes, eps_nano, err);
}

hrr_status hrr_label_randomise(int32_t *out, double *realised_eps, const int32_t *in, uint64_t n,
                               uint32_t n_classes, uint64_t eps_nano, const hrr_random *random,
                               hrr_error *err)
{
    hrr_window window;
    hrr_status status = plan(&window, realised_eps, n_classes, eps_nano, err);
    if (!status) status = check(in, n, n_classes, err);
    if (status) return status;
    hrr_stream *stream;
    if ((status = hrr_stream_new(&stream, random, err))) return status;
    for (uint64_t i = 0; i < n; i++) {
        if (i % labels_per_stream == 0)
            hrr_stream_seek(stream, HRR_PURPOSE_LABELS, i / labels_per_stream);
        out[i] = in[i] < 0 ? -1 : (int32_t)hrr_window_draw(&window, (uint32_t)in[i], stream);
    }
    hrr_stream_free(stream);
    return HRR_OK;
}

hrr_status hrr_label_bits_plan(hrr_feature_plan **out, uint32_t n_classes, uint64_t eps_nano,
                               hrr_error *err)
{
    *out = NULL;
    if (eps_nano < n_classes)
        return hrr_fail(err, HRR_EINVAL,
                        "the epsilon of the labels (`eps_labels_nano`) is too small to be split "
                        "over the %u labels of a node: each label needs at least 1e-9",
                        n_classes);
    hrr_feature_options options;
    hrr_feature_options_init(&options);
    options.mechanism = hrr_feature_featurerr.about.name;
    options.eps_nano = eps_nano;
    options.n_bins = 2;
    options.decoding = HRR_DECODE_BINS;
    return hrr_feature_plan_new(out, n_classes, &options, err);
}
