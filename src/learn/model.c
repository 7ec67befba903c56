/* model.c: see model.h. One array of parameters, so that an optimiser is one loop, a copy of the
 * best weights one memcpy, and a gradient has the same layout. */
#include "learn/model.h"
#include "certificate/release.h"
#include "base/memory.h"
#include "base/size.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static hrr_status check_shape(const hrr_model_shape *shape, hrr_error *err)
{
    if (shape->n_layers < 1 || shape->n_layers > HRR_MOST_LAYERS)
        return hrr_fail(err, HRR_EINVAL,
                        "a network must have 1 to %d layers (`n_layers`); 2 is usual",
                        HRR_MOST_LAYERS);
    if (shape->n_layers > 1 && (shape->n_hidden < 1 || shape->n_hidden > HRR_MOST_HIDDEN))
        return hrr_fail(
            err, HRR_EINVAL,
            "the width of a hidden layer (`n_hidden`) must lie between 1 and %d; 128 is usual",
            HRR_MOST_HIDDEN);
    if (shape->n_propagate > HRR_MOST_PROPAGATE)
        return hrr_fail(
            err, HRR_EINVAL,
            "features can be averaged over edges at most %d times (`n_propagate`); 4 is usual",
            HRR_MOST_PROPAGATE);
    if (shape->arch == HRR_ARCH_SIGN && (shape->n_propagate < 1 || shape->node_rows))
        return hrr_fail(err, HRR_EINVAL,
                        "a sign network needs features that are propagated over at least one hop "
                        "(`n_propagate`); %d is usual",
                        HRR_USUAL_HOPS);
    if (shape->n_features < 1) return hrr_fail(err, HRR_EINVAL, "there are no features");
    if (shape->n_classes < (shape->output == HRR_OUTPUT_SOFTMAX ? 2 : 1))
        return hrr_fail(err, HRR_EINVAL, "there is only one class, so nothing can be learned");
    return HRR_OK;
}

/* False: there are more parameters than memory has addresses. */
static bool lay_out(hrr_model *model)
{
    const hrr_model_shape *shape = &model->shape;
    size_t at = 0;
    for (uint32_t i = 0; i < shape->n_layers; i++) {
        hrr_layer *layer = &model->layers[i];
        size_t n_weights;
        layer->n_in = i ? shape->n_hidden : shape->n_features;
        if (i == 0 && shape->arch == HRR_ARCH_SIGN) layer->n_in *= shape->n_propagate + 1;
        layer->n_out = i + 1 < shape->n_layers ? shape->n_hidden : shape->n_classes;
        layer->weight_at = at;
        if (!hrr_mul_fits(layer->n_in, layer->n_out, &n_weights) ||
            !hrr_add_fits(at, n_weights, &at))
            return false;
        layer->bias_at = at;
        if (shape->bias && !hrr_add_fits(at, layer->n_out, &at)) return false;
    }
    model->n_parameters = at;
    return true;
}

hrr_status hrr_model_new(hrr_model **out, const hrr_model_shape *shape, hrr_error *err)
{
    *out = NULL;
    hrr_status status = check_shape(shape, err);
    if (status) return status;
    hrr_model *model = hrr_alloc_zero(1, sizeof *model);
    if (!model) return hrr_no_memory(err);
    model->shape = *shape;
    if (lay_out(model))
        model->parameters = hrr_alloc_zero(model->n_parameters, sizeof *model->parameters);
    if (!model->parameters) {
        hrr_model_free(model);
        return hrr_no_memory(err);
    }
    *out = model;
    return HRR_OK;
}

void hrr_model_free(hrr_model *model)
{
    if (!model) return;
    hrr_count_model_clear(&model->counts);
    hrr_report_model_clear(&model->reports);
    hrr_public_base_clear(&model->base);
    hrr_free(model->statement);
    hrr_free(model->standards);
    hrr_free(model->parameters);
    hrr_free(model);
}

void hrr_model_draw(hrr_model *model, uint64_t seed)
{
    hrr_fast_random random;
    hrr_fast_init(&random, seed, 0);
    for (uint32_t i = 0; i < model->shape.n_layers; i++) {
        const hrr_layer *layer = &model->layers[i];
        const double limit = sqrt(6 / (double)(layer->n_in + layer->n_out));
        for (size_t k = 0; k < layer->n_in * layer->n_out; k++)
            model->parameters[layer->weight_at + k] =
                (float)(limit * (2 * hrr_fast_uniform(&random) - 1));
    }
}

const hrr_model_shape *hrr_model_get_shape(const hrr_model *model)
{
    return &model->shape;
}

hrr_training_match hrr_model_match(const hrr_model *model, const hrr_release *release)
{
    if (!model->released || hrr_release_is_mixed(release)) return HRR_TRAINED_ELSEWHERE;
    if (!model->release_id[0] || !release->id[0]) return HRR_TRAINED_UNKNOWN;
    return strcmp(model->release_id, release->id) == 0 ? HRR_TRAINED_HERE : HRR_TRAINED_ELSEWHERE;
}

hrr_provenance hrr_model_provenance(const hrr_model *model)
{
    return (hrr_provenance){.released = model->released,
                            .is_private = model->is_private,
                            .statement = model->statement};
}

hrr_dense hrr_model_weight(const hrr_model *model, uint32_t layer)
{
    const hrr_layer *l = &model->layers[layer];
    return hrr_f32_view(model->parameters + l->weight_at, l->n_in, l->n_out);
}

hrr_dense hrr_model_bias(const hrr_model *model, uint32_t layer)
{
    const hrr_layer *l = &model->layers[layer];
    if (!model->shape.bias) return (hrr_dense){0};
    return hrr_f32_view(model->parameters + l->bias_at, 1, l->n_out);
}

const hrr_count_model *hrr_model_counts(const hrr_model *model)
{
    return model->counts.rate.rows ? &model->counts : NULL;
}
