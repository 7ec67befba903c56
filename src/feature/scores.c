/* scores.c: which features matter and which are sensitive (paper, equations sensscore, shapscore
 * and overallscore), from public data.
 *
 * The paper scores one input. Over a public sample each row is normalised first and rows are then
 * averaged, so that every row has the same say; rows without any signal have none. */
#include <heterorr/feature.h>

#include "base/memory.h"

#include <math.h>

/* score[i] = mean over rows of |a - b|_i / ||a - b||_1, b = 0 if NULL. */
static hrr_status mean_share(double *score, const hrr_dense *a, const hrr_dense *b,
                             const char *what, hrr_error *err)
{
    if (a->rows < 1 || a->cols < 1)
        return hrr_fail(err, HRR_EINVAL, "there are no %s to score features by", what);
    const uint64_t n = a->cols;
    double *share = hrr_alloc(n, sizeof *share);
    if (!share) return hrr_no_memory(err);
    hrr_status status = HRR_OK;
    uint64_t n_counted = 0;
    for (uint64_t i = 0; i < n; i++)
        score[i] = 0;
    for (uint64_t row = 0; row < a->rows; row++) {
        double total = 0;
        for (uint64_t i = 0; i < n; i++) {
            share[i] = fabs(hrr_dense_get(a, row, i) - (b ? hrr_dense_get(b, row, i) : 0));
            total += share[i];
        }
        if (!isfinite(total)) {
            status = hrr_fail(err, HRR_EDATA, "row %llu of the %s is not finite",
                              (unsigned long long)row, what);
            goto done;
        }
        if (total == 0) continue;
        n_counted++;
        for (uint64_t i = 0; i < n; i++)
            score[i] += share[i] / total;
    }
    for (uint64_t i = 0; i < n; i++)
        score[i] = n_counted > 0 ? score[i] / (double)n_counted : 1 / (double)n;
done:
    hrr_free(share);
    return status;
}

hrr_status hrr_score_sensitivity(double *beta, const hrr_dense *embeddings, const hrr_dense *masked,
                                 hrr_error *err)
{
    if (embeddings->rows != masked->rows || embeddings->cols != masked->cols)
        return hrr_fail(err, HRR_EINVAL,
                        "the embeddings are %llu x %llu but the masked embeddings are %llu x %llu; "
                        "each row needs a masked copy",
                        (unsigned long long)embeddings->rows, (unsigned long long)embeddings->cols,
                        (unsigned long long)masked->rows, (unsigned long long)masked->cols);
    return mean_share(beta, embeddings, masked, "embeddings", err);
}

hrr_status hrr_score_importance(double *alpha, const hrr_dense *shap, hrr_error *err)
{
    return mean_share(alpha, shap, NULL, "SHAP values", err);
}

static hrr_status check_scores(const double *score, size_t n, const char *name, hrr_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(score[i]) || score[i] < 0)
            return hrr_fail(err, HRR_EINVAL, "%s of feature %zu is negative or not a number", name,
                            i);
    return HRR_OK;
}

hrr_status hrr_score_theta(double *theta, const double *alpha, const double *beta, size_t n,
                           double gamma, hrr_error *err)
{
    if (n < 1) return hrr_fail(err, HRR_EINVAL, "there are no features to score");
    if (!(gamma >= 0 && gamma <= 1))
        return hrr_fail(err, HRR_EINVAL, "gamma must lie between 0 and 1");
    hrr_status status = check_scores(alpha, n, "the importance (alpha)", err);
    if (!status) status = check_scores(beta, n, "the sensitivity (beta)", err);
    if (status) return status;

    double least = beta[0], most = beta[0], total = 0;
    for (size_t i = 1; i < n; i++) {
        least = fmin(least, beta[i]);
        most = fmax(most, beta[i]);
    }
    for (size_t i = 0; i < n; i++)
        total += theta[i] = gamma * alpha[i] + (1 - gamma) * (least + (most - beta[i]));
    if (!(total > 0 && isfinite(total)))
        return hrr_fail(err, HRR_EINVAL, "the scores give every feature the weight 0");
    for (size_t i = 0; i < n; i++)
        theta[i] /= total;
    return HRR_OK;
}
