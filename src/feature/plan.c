/* plan.c: what any mechanism decides before it sees private data.
 *
 * A plan is made from public data alone: options that are common to all mechanisms are checked
 * here, the rest by the mechanism itself. apply.c takes private rows through it. */
#include "feature/mechanism.h"
#include "feature/channel.h"
#include "base/memory.h"
#include "base/options.h"

#include <math.h>

void hrr_feature_options_init_sized(hrr_feature_options *options, size_t size)
{
    const hrr_feature_options own = {.mechanism = hrr_feature_featurerr.about.name,
                                     .eps_nano = HRR_EPS_UNIT};
    hrr_options_init(options, size, &own, sizeof own);
}

static hrr_status check_options(const hrr_feature_options *options,
                                const hrr_feature_method *mechanism, uint64_t n_features,
                                hrr_error *err)
{
    if (n_features < 1) return hrr_fail(err, HRR_EINVAL, "there are no features to randomise");
    if (hrr_feature_spends(mechanism) && (options->eps_nano < 1 || options->eps_nano > HRR_EPS_MAX))
        return hrr_fail(err, HRR_EINVAL,
                        "the epsilon of the features (`features.eps_nano`) must lie in (0, 20]");
    if (!(options->delta >= 0 && options->delta < 1))
        return hrr_fail(err, HRR_EINVAL, "`features.delta` must lie in [0, 1)");
    if (options->n_bins != 0 && (options->n_bins < HRR_MIN_BINS || options->n_bins > HRR_MAX_BINS))
        return hrr_fail(err, HRR_EINVAL,
                        "the number of bins (`features.n_bins`) must lie between %d and %d; 0 "
                        "chooses it automatically",
                        HRR_MIN_BINS, HRR_MAX_BINS);
    if ((unsigned)options->decoding > HRR_DECODE_BINS)
        return hrr_fail(err, HRR_EINVAL, "there is no decoding number %d (`features.decoding`)",
                        (int)options->decoding);
    /* What a mechanism would not use is refused: it must not stand in a certificate as if it did.
     */
    if (!mechanism->about.has_bins && options->theta)
        return hrr_fail(err, HRR_EINVAL, "%s does not use scores; leave `features.theta` out",
                        mechanism->about.name);
    if (!mechanism->about.has_bins && options->n_bins)
        return hrr_fail(err, HRR_EINVAL, "%s has no bins; leave `features.n_bins` out",
                        mechanism->about.name);
    if (!mechanism->about.has_bins && options->decoding > HRR_DECODE_PAPER)
        return hrr_fail(err, HRR_EINVAL, "%s has only one decoding; leave `features.decoding` out",
                        mechanism->about.name);
    if (!mechanism->about.samples && options->n_sampled)
        return hrr_fail(err, HRR_EINVAL,
                        "%s does not sample features; leave `features.n_sampled` out",
                        mechanism->about.name);
    if (!mechanism->about.needs_head && options->head)
        return hrr_fail(err, HRR_EINVAL, "%s does not use a head; leave `features.head` out",
                        mechanism->about.name);
    if (options->n_sampled > n_features)
        return hrr_fail(err, HRR_EINVAL, "cannot sample %u of %llu %s (`features.n_sampled`)",
                        options->n_sampled, (unsigned long long)n_features,
                        hrr_plural(n_features, "feature", "features"));
    return HRR_OK;
}

static hrr_status check_theta(const double *theta, uint64_t n_features, hrr_error *err)
{
    double total = 0;
    for (uint64_t i = 0; theta && i < n_features; i++) {
        if (!isfinite(theta[i]) || theta[i] < 0)
            return hrr_fail(
                err, HRR_EINVAL,
                "the weight of feature %llu (`features.theta`) is negative or not a number",
                (unsigned long long)i);
        total += theta[i];
    }
    /* Sums near the ends of the doubles would overflow when they divide a budget. */
    if (theta && !(total > 0x1p-900 && total < 0x1p900))
        return hrr_fail(
            err, HRR_EINVAL,
            "the weights (`features.theta`) are all zero, or their sum is too small or too large; "
            "scale them to a sum of 1");
    return HRR_OK;
}

/* Features are released in single precision, up to 3e38. Estimates go beyond the bounds by the
 * number of features over epsilon: a million over 1e-9 still fits. A release that does not could
 * not be read again, which would show only once it is paid for. */
static const double largest_bound = 1e15;

/* Public bounds to lo, range and scale; range and scale must both be finite and positive. */
static hrr_status set_bounds(hrr_feature_plan *plan, const hrr_feature_options *options,
                             hrr_error *err)
{
    if (!options->lo != !options->hi)
        return hrr_fail(
            err, HRR_EINVAL,
            "lower and upper bounds must be given together (`features.lo`, `features.hi`)");
    for (uint64_t i = 0; i < plan->n_features; i++) {
        double lo = options->lo ? options->lo[i] : 0, hi = options->hi ? options->hi[i] : 1;
        double range = hi - lo, scale = 1 / range;
        if (!(fabs(lo) <= largest_bound && fabs(hi) <= largest_bound) || !(range > 0) ||
            !isfinite(scale))
            return hrr_fail(err, HRR_EINVAL,
                            "the bounds of feature %llu (`features.lo`, `features.hi`) must lie "
                            "between -%g and %g (scale larger features down), and the lower bound "
                            "must be below the upper one; if a feature is publicly known to be "
                            "constant, give bounds on both sides of its value",
                            (unsigned long long)i, largest_bound, largest_bound);
        plan->lo[i] = lo;
        plan->range[i] = range;
        plan->scale[i] = scale;
    }
    return HRR_OK;
}

/* The last gate: no plan leaves that spends more than was asked for, whatever a mechanism did. */
static hrr_status check_claim(const hrr_feature_plan *plan, hrr_error *err)
{
    const double requested = (double)plan->claim.eps_nano / HRR_EPS_UNIT;
    if (!hrr_feature_spends(plan->mechanism) || plan->claim.realised_eps <= requested)
        return HRR_OK;
    return hrr_fail(err, HRR_ECHECK,
                    "%s would spend epsilon %.17g, but %.17g was requested; this is a bug in "
                    "heterorr, please report it",
                    plan->mechanism->about.name, plan->claim.realised_eps, requested);
}

hrr_status hrr_feature_plan_new(hrr_feature_plan **out, uint64_t n_features,
                                const hrr_feature_options *options, hrr_error *err)
{
    *out = NULL;
    const hrr_feature_method *mechanism = NULL;
    hrr_feature_options own;
    hrr_status status = HRR_ADOPT(hrr_feature_options, &own, options, err);
    if (status) return status;
    options = &own;
    status = hrr_feature_method_choose(&mechanism, options->mechanism, err);
    if (!status) status = check_options(options, mechanism, n_features, err);
    if (!status) status = check_theta(options->theta, n_features, err);
    if (status) return status;

    hrr_feature_plan *plan = hrr_alloc_zero(1, sizeof *plan);
    if (!plan) return hrr_no_memory(err);
    plan->mechanism = mechanism;
    plan->n_features = n_features;
    plan->claim =
        (hrr_feature_claim){.eps_nano = hrr_feature_spends(mechanism) ? options->eps_nano : 0,
                            .n_features_out = n_features,
                            .dtype_out = HRR_F32};
    plan->lo = hrr_alloc(n_features, sizeof *plan->lo);
    plan->range = hrr_alloc(n_features, sizeof *plan->range);
    plan->scale = hrr_alloc(n_features, sizeof *plan->scale);
    if (!plan->lo || !plan->range || !plan->scale) {
        status = hrr_no_memory(err);
        goto done;
    }
    if ((status = set_bounds(plan, options, err))) goto done;
    if ((status = mechanism->prepare(plan, options, err))) goto done;
    if ((status = check_claim(plan, err))) goto done;
    plan->claim.statement = plan->statement;
    plan->claim.evidence = plan->evidence;
    *out = plan;
    plan = NULL;
done:
    hrr_feature_plan_free(plan);
    return status;
}

void hrr_feature_plan_free(hrr_feature_plan *plan)
{
    if (!plan) return;
    if (plan->mechanism->release && plan->state) plan->mechanism->release(plan->state);
    hrr_free(plan->statement);
    hrr_free(plan->evidence);
    hrr_free(plan->lo);
    hrr_free(plan->range);
    hrr_free(plan->scale);
    hrr_free(plan);
}

hrr_feature_claim hrr_feature_plan_claim(const hrr_feature_plan *plan)
{
    return plan->claim;
}
