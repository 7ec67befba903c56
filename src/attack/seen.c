/* seen.c: see seen.h. Public and private pictures go through the same plan, with noise of their
 * own. */
#include "attack/seen.h"

#include "base/memory.h"
#include "matrix/dense.h"
#include "random/fast.h"

#include <heterorr/random.h>

#include <math.h>
#include <string.h>

/* ---- what public data decides ---------------------------------------------------------------- */

static hrr_status learn_bounds(hrr_seen_public *out, const hrr_dense *features, hrr_error *err)
{
    const uint64_t d = features->cols;
    if (!(out->lo = hrr_alloc(2 * d, sizeof *out->lo))) return hrr_no_memory(err);
    out->hi = out->lo + d;
    for (uint64_t k = 0; k < d; k++) {
        out->lo[k] = out->hi[k] = hrr_dense_get(features, 0, k);
        for (uint64_t i = 1; i < features->rows; i++) {
            const double value = hrr_dense_get(features, i, k);
            out->lo[k] = fmin(out->lo[k], value);
            out->hi[k] = fmax(out->hi[k], value);
        }
        if (!(out->hi[k] > out->lo[k])) out->hi[k] = out->lo[k] + 1;
    }
    return HRR_OK;
}

static hrr_status learn_head(hrr_seen_public *out, const hrr_pictured *public_side,
                             const hrr_reconstruct_options *o, const char *mechanism,
                             hrr_progress *progress, hrr_error *err)
{
    hrr_head_train_options how;
    hrr_head_train_options_init(&how);
    how.seed = o->seed;
    if (!public_side->classes)
        return hrr_fail(
            err, HRR_EINVAL,
            "%s needs a head (`head`), and there are no public classes to train one; give a head",
            mechanism);
    hrr_status status = hrr_head_train(&out->own_head, public_side->features, public_side->classes,
                                       NULL, o->n_classes, &how, progress, err);
    if (!status) out->head = &out->own_head;
    return status;
}

hrr_status hrr_seen_public_init(hrr_seen_public *out, const hrr_pictured *public_side,
                                const hrr_reconstruct_options *o, hrr_progress *progress,
                                hrr_error *err)
{
    const uint64_t d = public_side->features->cols;
    *out = (hrr_seen_public){.head = o->head};
    hrr_status status = learn_bounds(out, public_side->features, err);
    for (size_t m = 0; o->mechanisms && o->mechanisms[m] && !status; m++) {
        const hrr_feature_mechanism *row = hrr_feature_mechanism_find(o->mechanisms[m]);
        if (!row)
            return hrr_fail(err, HRR_EINVAL, "there is no feature mechanism '%.40s' (`mechanisms`)",
                            o->mechanisms[m]);
        if (row->effect != HRR_EFFECT_PROTECT)
            return hrr_fail(err, HRR_EINVAL,
                            "%s protects nothing, so it cannot be attacked here (`mechanisms`)",
                            row->name);
        if (!o->n_eps)
            return hrr_fail(err, HRR_EINVAL,
                            "%s needs a budget: name at least one (`eps_features_nano`)",
                            row->name);
        if (row->needs_directions && !out->projection.directions.data)
            status = hrr_projection_from_sample(
                &out->projection, public_side->features, out->lo, out->hi,
                o->n_directions < d ? o->n_directions : (uint32_t)d, err);
        if (row->needs_head && !out->head)
            status = learn_head(out, public_side, o, row->name, progress, err);
    }
    return status;
}

void hrr_seen_public_clear(hrr_seen_public *known)
{
    hrr_free(known->lo);
    hrr_projection_clear(&known->projection);
    hrr_head_clear(&known->own_head);
    *known = (hrr_seen_public){0};
}

/* ---- one world ------------------------------------------------------------------------------- */

static hrr_status plan_release(hrr_seen *seen, const char *mechanism, uint64_t eps_nano,
                               const hrr_seen_public *known, const hrr_reconstruct_options *o,
                               hrr_error *err)
{
    const hrr_feature_mechanism *row = hrr_feature_mechanism_find(mechanism);
    hrr_feature_options how;
    hrr_feature_options_init(&how);
    how.mechanism = mechanism;
    how.eps_nano = eps_nano;
    how.lo = known->lo;
    how.hi = known->hi;
    if (row->needs_delta) how.delta = o->delta;
    if (row->has_bins) how.theta = o->theta;
    if (row->needs_directions) how.projection = &known->projection;
    if (row->needs_head) how.head = known->head;
    hrr_status status =
        hrr_feature_plan_new(&seen->plan, seen->public_side->features->cols, &how, err);
    if (!status)
        status = hrr_random_new_insecure(&seen->public_random, o->seed ^ UINT64_C(0x7075626c), err);
    if (!status) status = hrr_random_new_insecure(&seen->private_random, o->seed, err);
    if (status) return status;
    const hrr_feature_claim claim = hrr_feature_plan_claim(seen->plan);
    seen->n_in = claim.n_features_out;
    seen->realised_eps = claim.realised_eps;
    return HRR_OK;
}

hrr_status hrr_seen_init(hrr_seen *out, hrr_seeing how, const char *mechanism, uint64_t eps_nano,
                         const hrr_seen_public *known, const hrr_pictured *public_side,
                         const hrr_pictured *private_side, const hrr_reconstruct_options *o,
                         hrr_error *err)
{
    *out = (hrr_seen){.how = how,
                      .public_side = public_side,
                      .private_side = private_side,
                      .n_classes = o->n_classes,
                      .seed = o->seed,
                      .n_in = how == HRR_SEE_CLASS ? o->n_classes : public_side->features->cols,
                      .realised_eps = how == HRR_SEE_ALL ? INFINITY : 0,
                      .threads = o->threads};
    if (how != HRR_SEE_RELEASE) return HRR_OK;
    hrr_status status = plan_release(out, mechanism, eps_nano, known, o, err);
    if (status) hrr_seen_clear(out);
    return status;
}

void hrr_seen_clear(hrr_seen *seen)
{
    hrr_feature_plan_free(seen->plan);
    hrr_random_free(seen->public_random);
    hrr_random_free(seen->private_random);
    *seen = (hrr_seen){0};
}

/* ---- what is seen ---------------------------------------------------------------------------- */

static hrr_status copy_release(hrr_dense *x, const hrr_seen *seen, const hrr_dense *features,
                               uint64_t first_row, const hrr_random *random, hrr_error *err)
{
    hrr_dense drawn = {0}, floats = {0};
    const hrr_feature_claim claim = hrr_feature_plan_claim(seen->plan);
    hrr_status status = hrr_dense_init(&drawn, claim.dtype_out, x->rows, x->cols, err);
    if (!status)
        status = hrr_feature_plan_apply(&drawn, seen->plan, features, first_row, random,
                                        seen->threads, NULL, err);
    if (!status) status = hrr_dense_convert(&floats, &drawn, HRR_F32, err);
    if (!status) memcpy(x->data, floats.data, x->rows * x->cols * sizeof(float));
    hrr_dense_clear(&drawn);
    hrr_dense_clear(&floats);
    return status;
}

/* x (F32, rows of one side) = what is seen of it; draw: which one, of several. */
static hrr_status look(hrr_dense *x, const hrr_seen *seen, bool is_public, uint64_t draw,
                       hrr_error *err)
{
    const hrr_pictured *side = is_public ? seen->public_side : seen->private_side;
    float *to = x->data;
    hrr_fast_random random;
    switch (seen->how) {
    case HRR_SEE_ALL:
        for (uint64_t i = 0; i < x->rows; i++)
            for (uint64_t k = 0; k < x->cols; k++)
                to[i * x->cols + k] = (float)hrr_dense_get(side->features, i, k);
        return HRR_OK;
    case HRR_SEE_NOISE:
        hrr_fast_init(&random, seen->seed, UINT64_C(0x6e6f697365) + 2 * draw + is_public);
        for (uint64_t i = 0; i < x->rows * x->cols; i++)
            to[i] = (float)hrr_fast_normal(&random);
        return HRR_OK;
    case HRR_SEE_CLASS:
        memset(to, 0, x->rows * x->cols * sizeof *to);
        for (uint64_t i = 0; i < x->rows; i++)
            if (side->classes[i] >= 0) to[i * x->cols + (uint64_t)side->classes[i]] = 1;
        return HRR_OK;
    case HRR_SEE_RELEASE:
        break;
    }
    return copy_release(x, seen, side->features, draw * x->rows,
                        is_public ? seen->public_random : seen->private_random, err);
}

hrr_status hrr_seen_of_public(void *seen, hrr_dense *x, uint32_t number, hrr_error *err)
{
    return look(x, seen, true, number, err);
}

hrr_status hrr_seen_of_private(hrr_dense *out, hrr_seen *seen, hrr_error *err)
{
    hrr_status status =
        hrr_dense_init(out, HRR_F32, seen->private_side->features->rows, seen->n_in, err);
    if (!status) status = look(out, seen, false, 0, err);
    return status;
}
