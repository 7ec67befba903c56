/* controls.c: see controls.h. Every control claims eps = 1.
 *
 * Trial i of side s draws from stream row 2^40 s + i. */
#include "audit/controls.h"
#include "audit/edge_controls.h"
#include "random/stream.h"

#include <heterorr/feature.h>

#include <math.h>
#include <stdlib.h>

static const uint64_t row_of_side = UINT64_C(1) << 40;

static double uniform(hrr_stream *stream) /* [0, 1) */
{
    return (double)(hrr_stream_u64(stream) >> 11) * 0x1p-53;
}

/* ---- FeatureRR, used wrongly ---------------------------------------------------------------- */

/* Two features at most, the same value in every row. */
static hrr_status run_featurerr(float *out, double eps, uint64_t n_features, double value,
                                double hi, const hrr_random *random, uint64_t first_row, uint64_t n,
                                hrr_error *err)
{
    const double lows[HRR_TRIAL_WIDTH] = {0}, highs[HRR_TRIAL_WIDTH] = {hi, hi};
    hrr_feature_options options;
    hrr_feature_options_init(&options);
    options.eps_nano = (uint64_t)(eps * (double)HRR_EPS_UNIT);
    options.n_bins = 2;
    options.lo = lows;
    options.hi = highs;
    hrr_feature_plan *plan = NULL;
    hrr_dense in = {0};
    hrr_dense released = {.dtype = HRR_F32, .rows = n, .cols = n_features, .data = out};
    hrr_status status = hrr_feature_plan_new(&plan, n_features, &options, err);
    if (status) goto done;
    if ((status = hrr_dense_init(&in, HRR_F32, n, n_features, err))) goto done;
    for (uint64_t i = 0; i < n * n_features; i++)
        ((float *)in.data)[i] = (float)value;
    status = hrr_feature_plan_apply(&released, plan, &in, first_row, random, 1, NULL, err);
done:
    hrr_dense_clear(&in);
    hrr_feature_plan_free(plan);
    return status;
}

/* Node A has 1 or .1, node B has .1. What is shown is B's release: A is the largest value, so it
 * decides B's bounds. True epsilon: infinity. */
static hrr_status bounds_from_data(float *out, const void *random, int side, uint64_t first,
                                   uint64_t n, hrr_error *err)
{
    return run_featurerr(out, HRR_CONTROL_EPS, 1, .1, side ? .1 : 1, random,
                         row_of_side * (uint64_t)side + first, n, err);
}

/* Two features with weights .65 each. True epsilon: 1.3. */
static hrr_status weights_not_normalised(float *out, const void *random, int side, uint64_t first,
                                         uint64_t n, hrr_error *err)
{
    return run_featurerr(out, 1.3 * HRR_CONTROL_EPS, 2, side, 1, random,
                         row_of_side * (uint64_t)side + first, n, err);
}

/* ---- laws that draw for themselves ---------------------------------------------------------- */

hrr_status hrr_control_draws(float *out, hrr_control_draw *draw, const hrr_random *random, int side,
                             uint64_t first, uint64_t n, hrr_error *err)
{
    hrr_stream *stream;
    hrr_status status = hrr_stream_new(&stream, random, err);
    if (status) return status;
    for (uint64_t i = 0; i < n; i++) {
        hrr_stream_seek(stream, HRR_PURPOSE_TEST, row_of_side * (uint64_t)side + first + i);
        out[i] = draw(side, stream);
    }
    hrr_stream_free(stream);
    return HRR_OK;
}

/* PM-SUB (feature/pm_sub.c) for x = -1 and 1 whose last branch answers with the end of the window
 * instead of a point beyond it. That point tells x. True epsilon: infinity. */
static float draw_pm_sub(int side, hrr_stream *stream)
{
    const double e = exp(HRR_CONTROL_EPS), t = exp(HRR_CONTROL_EPS / 3);
    const double k = (e + t) / (t * (e - 1)), c = k * (t + 1), x = side ? 1 : -1;
    const double left = k * (x * t - 1), right = k * (x * t + 1);
    const double branch = uniform(stream), place = uniform(stream);
    const double p_left = (x + 1) * t / (2 * t + 2 * e), p_window = e / (e + t);
    if (branch < p_left) return (float)(-c + (left + c) * place);
    if (branch < p_left + p_window) return (float)(left + (right - left) * place);
    return (float)right;
}

static hrr_status pm_sub_with_atom(float *out, const void *random, int side, uint64_t first,
                                   uint64_t n, hrr_error *err)
{
    return hrr_control_draws(out, draw_pm_sub, random, side, first, n, err);
}

/* Five classes, but P(keep) = e/(e + 1) as for two. True epsilon: ln(4 e) = 2.39. */
static float draw_label(int side, hrr_stream *stream)
{
    const double e = exp(HRR_CONTROL_EPS);
    if (uniform(stream) < e / (e + 1)) return (float)side;
    uint64_t other = hrr_sample_below(stream, 4);
    return (float)(other + (other >= (uint64_t)side));
}

static hrr_status label_keep_of_two(float *out, const void *random, int side, uint64_t first,
                                    uint64_t n, hrr_error *err)
{
    return hrr_control_draws(out, draw_label, random, side, first, n, err);
}

/* Five classes of which a report names two, but the true one as often as a coin of two sides would
 * say. True epsilon: ln(3 e / 2) = 1.41. Shown: the two names, in order. */
static float draw_subset(int side, hrr_stream *stream)
{
    const double e = exp(HRR_CONTROL_EPS);
    const uint64_t truth = (uint64_t)side;
    uint64_t one = hrr_sample_below(stream, 4), two = hrr_sample_below(stream, 3);
    two += two >= one;
    one += one >= truth;
    two += two >= truth;
    if (uniform(stream) < e / (e + 1)) two = truth;
    return (float)(one < two ? 5 * one + two : 5 * two + one);
}

static hrr_status subset_of_coin(float *out, const void *random, int side, uint64_t first,
                                 uint64_t n, hrr_error *err)
{
    return hrr_control_draws(out, draw_subset, random, side, first, n, err);
}

/* Two labels of a head, each through a coin of the whole budget. True epsilon: 2. */
static float draw_two_labels(int side, hrr_stream *stream)
{
    const double e = exp(HRR_CONTROL_EPS);
    const int first = uniform(stream) < e / (e + 1) ? side : !side;
    const int second = uniform(stream) < e / (e + 1) ? side : !side;
    return (float)(2 * first + second);
}

static hrr_status labels_counted_once(float *out, const void *random, int side, uint64_t first,
                                      uint64_t n, hrr_error *err)
{
    return hrr_control_draws(out, draw_two_labels, random, side, first, n, err);
}

/* Of two labels, one of which the node has, the one that it has is asked about. The answer is
 * noisy, the question is not. True epsilon: infinity. */
static float draw_label_asked(int side, hrr_stream *stream)
{
    const double e = exp(HRR_CONTROL_EPS);
    const int yes = uniform(stream) < e / (e + 1);
    return (float)(2 * side + yes);
}

static hrr_status label_asked_by_answer(float *out, const void *random, int side, uint64_t first,
                                        uint64_t n, hrr_error *err)
{
    return hrr_control_draws(out, draw_label_asked, random, side, first, n, err);
}

/* A head's answer through a coin that is the truer the surer the head is, with a score that should
 * end at eps and is 3 for one of the two people. True epsilon: 2.7. */
static float draw_score_out_of_bound(int side, hrr_stream *stream)
{
    const double e = exp(side ? 3 : HRR_CONTROL_EPS);
    return (float)(uniform(stream) < e / (e + 1) ? side : !side);
}

static hrr_status score_out_of_bound(float *out, const void *random, int side, uint64_t first,
                                     uint64_t n, hrr_error *err)
{
    return hrr_control_draws(out, draw_score_out_of_bound, random, side, first, n, err);
}

/* x + Laplace noise of scale 1/eps as most programs draw it, in single precision: not every number
 * near x can come out, and which ones can depends on x (Mironov, CCS 2012). Shown is whether the
 * answer is one that x = 0 can give. True epsilon: infinity. */
static const double grid = 0x1p24; /* the uniform numbers that the noise is made from */

static float noise_of(uint64_t j)
{
    return -logf((float)((double)(j + 1) / grid)) / (float)HRR_CONTROL_EPS;
}

static float draw_float_laplace(int side, hrr_stream *stream)
{
    const uint64_t word = hrr_stream_u64(stream);
    const float noise = noise_of(word >> 40);
    const float answer = (float)side + (word & 1 ? noise : -noise);
    const double guess = exp(-fabs((double)answer) * HRR_CONTROL_EPS) * grid - 1;
    for (int64_t j = (int64_t)guess - 2; j <= (int64_t)guess + 3; j++)
        if (j >= 0 && j < (int64_t)grid && noise_of((uint64_t)j) == fabsf(answer)) return 1;
    return 0;
}

static hrr_status laplace_in_floats(float *out, const void *random, int side, uint64_t first,
                                    uint64_t n, hrr_error *err)
{
    return hrr_control_draws(out, draw_float_laplace, random, side, first, n, err);
}

const hrr_control hrr_controls[] = {
    {"bounds from data", "bounds are the smallest and largest private values", 1, false,
     bounds_from_data},
    {"theta not normalised", "weights of the features add up to 1.3", 2, false,
     weights_not_normalised},
    {"pm-sub with an atom", "one branch returns the end of the window", 1, false, pm_sub_with_atom},
    {"labels, wrong coin", "five classes are kept as often as two classes would be", 1, false,
     label_keep_of_two},
    {"subset, wrong coin", "names two of five, and the true one as often as one of two", 1, false,
     subset_of_coin},
    {"labels counted once", "each of a head's two labels gets the whole budget", 1, false,
     labels_counted_once},
    {"label asked by answer", "a node is asked about the label that it has", 1, false,
     label_asked_by_answer},
    {"score out of its bound", "a head's coin follows a score of 3, although 1 is the limit", 1,
     false, score_out_of_bound},
    {"laplace in floats", "noise is added in single precision", 1, false, laplace_in_floats},
    {"edges counted twice", "u-v and v-u are both counted", 1, false, hrr_control_counted_twice},
    {"noise again at children", "Algorithm 3 line 8: fresh noise for the same edges", 1, false,
     hrr_control_noise_again},
    {"one Metropolis step", "from a known tree, with the right coefficient", 1, false,
     hrr_control_metropolis_step},
    {"truth or coin", "tells the truth two times in five, and otherwise tosses a coin", 1, false,
     hrr_control_truth_or_coin},
    {"barker, twice", "EdgeRR with a drawn tree spends twice its claim", 2, true,
     hrr_control_barker_twice},
    {"tree, 50 times", "tree select spends 5 but claims 0.1", 2, true, hrr_control_select_tree},
    {"node counts not halved", "noise of eps at both ends of a pair", 2, true,
     hrr_control_not_halved},
    {"one noise for two counts", "so the difference of a node's counts has no noise", 1, false,
     hrr_control_shared_noise},
    {"one coin for two links", "one answer reveals whether the other is true", 1, false,
     hrr_control_shared_coin},
    {"links listed by edges", "the shortlist contains exactly the pairs with a private edge", 1,
     false, hrr_control_private_list},
    {"links asked twice", "u-v and v-u are both on the shortlist", 1, false,
     hrr_control_asked_twice},
    {"rivals counted apart", "a neighbour changes the counts of two rivals", 1, false,
     hrr_control_rivals_apart},
    {"need of private degrees", "a pair is counted at the end with fewer private edges", 2, true,
     hrr_control_private_need},
    {"one degree a pair", "noise of eps on degrees, although a pair changes two", 2, true,
     hrr_control_one_degree},
    {"groups with twice their share", "a budget that was already spent also pays for counts", 1,
     true, hrr_control_groups_twice},
    {"ladder that does not widen", "noise is scaled to what one pair changes in this graph only", 1,
     false, hrr_control_local_noise},
    {"V_pri as candidates", "exactly the nodes that have a private edge", 1, true,
     hrr_control_private_nodes},
};
const int hrr_n_controls = sizeof hrr_controls / sizeof *hrr_controls;
