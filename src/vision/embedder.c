/* embedder.c: see embedder.h. */
#include "vision/embedder.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct hrr_embedder {
    hrr_network *network;
    hrr_profile profile;
    size_t output;
    uint32_t batch;
    bool batch_is_fixed; /* the network takes no other number: the rest is filled up with zeros */
    uint64_t n_features;
};

/* ---- what goes in ------------------------------------------------------------------------------
 */

static hrr_tensor_shape input_shape(const hrr_profile *profile, int64_t batch)
{
    const int64_t h = profile->height, w = profile->width;
    if (profile->channels_last) return (hrr_tensor_shape){4, {batch, h, w, 3}};
    return (hrr_tensor_shape){4, {batch, 3, h, w}};
}

static hrr_status check_input(hrr_embedder *embedder, const char *model, hrr_error *err)
{
    const size_t n_inputs = hrr_network_n_inputs(embedder->network);
    if (n_inputs != 1)
        return hrr_fail(err, HRR_EDATA, "%s: has %zu inputs, but a network for pictures has one",
                        model, n_inputs);
    const hrr_tensor_port *input = hrr_network_input(embedder->network, 0);
    const hrr_tensor_shape ours = input_shape(&embedder->profile, -1);
    bool fits = input->is_f32 && input->shape.n_dims == 4 && input->shape.dims[0] != 0;
    for (int i = 1; i < 4 && fits; i++)
        fits = input->shape.dims[i] < 0 || input->shape.dims[i] == ours.dims[i];
    if (!fits) {
        char theirs_text[128], ours_text[128];
        hrr_tensor_shape_text(theirs_text, sizeof theirs_text, &input->shape);
        hrr_tensor_shape_text(ours_text, sizeof ours_text, &ours);
        return hrr_fail(err, HRR_EDATA,
                        "%s: the input of the network is %s%s, but the profile produces %s of "
                        "float32. Correct size or layout in the profile (`profile`)",
                        model, theirs_text, input->is_f32 ? "" : " of another type than float32",
                        ours_text);
    }
    if (input->shape.dims[0] > 0) {
        embedder->batch_is_fixed = true;
        if (input->shape.dims[0] > 1024)
            return hrr_fail(
                err, HRR_EDATA,
                "%s: the network needs batches of more than 1024 pictures, which is not supported",
                model);
        embedder->batch = (uint32_t)input->shape.dims[0];
    }
    return HRR_OK;
}

/* ---- what comes out ----------------------------------------------------------------------------
 */

static hrr_status list_outputs(const hrr_embedder *embedder, const char *model, hrr_error *err)
{
    char list[512] = "";
    size_t used = 0;
    for (size_t i = 0; i < hrr_network_n_outputs(embedder->network) && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                                 hrr_network_output(embedder->network, i)->name);
    return hrr_fail(err, HRR_EDATA,
                    "%s: has several outputs (%s); name the one with the features as \"output\" in "
                    "the profile (`profile`)",
                    model, list);
}

/* Rows of features, or feature maps: 0 if the answer is neither. */
static uint64_t width_of(const hrr_embedder *embedder, const hrr_tensor_shape *shape)
{
    if (shape->n_dims == 2) return (uint64_t)shape->dims[1];
    if (shape->n_dims == 4) return (uint64_t)shape->dims[embedder->profile.channels_last ? 3 : 1];
    return 0;
}

/* What the network makes of a picture is only sure once it made it. */
static hrr_status measure_output(hrr_embedder *embedder, const char *model, hrr_error *err)
{
    const uint32_t n = embedder->batch_is_fixed ? embedder->batch : 1;
    const hrr_tensor_shape shape = input_shape(&embedder->profile, n);
    hrr_answer answer = {0};
    float *zeros = hrr_alloc_zero(n, hrr_embedder_input_size(embedder) * sizeof *zeros);
    if (!zeros) return hrr_no_memory(err);
    hrr_status status =
        hrr_network_run(&answer, embedder->network, zeros, &shape, &embedder->output, 1, err);
    const uint64_t width = status ? 0 : width_of(embedder, &answer.shape);
    const char *name = hrr_network_output(embedder->network, embedder->output)->name;
    char text[128];
    hrr_tensor_shape_text(text, sizeof text, &answer.shape);
    if (!status && (width == 0 || answer.shape.dims[0] != n))
        status =
            hrr_fail(err, HRR_EDATA,
                     "%s: the output %s is %s, but features must be pictures x features, or maps "
                     "of features. Name another tensor as \"output\" in the profile (`profile`)",
                     model, name, text);
    else if (!status && embedder->profile.n_features && width != embedder->profile.n_features)
        status =
            hrr_fail(err, HRR_EDATA,
                     "%s: the output %s has %" PRIu64 " features, but the profile states %" PRIu32
                     ". It may be the output of the classifier: name the pooled tensor before the "
                     "last layer as \"output\" in the profile (`profile`)",
                     model, name, width, embedder->profile.n_features);
    embedder->n_features = width;
    hrr_answer_clear(&answer, embedder->network);
    hrr_free(zeros);
    return status;
}

/* ---- together ----------------------------------------------------------------------------------
 */

hrr_status hrr_embedder_read(hrr_embedder **out, const hrr_runtime *runtime, const char *model,
                             const hrr_profile *profile, uint32_t batch, hrr_error *err)
{
    *out = NULL;
    hrr_embedder *embedder = hrr_alloc_zero(1, sizeof *embedder);
    if (!embedder) return hrr_no_memory(err);
    embedder->profile = *profile;
    embedder->batch = batch;
    const char *inner = profile->output[0] ? profile->output : NULL;
    hrr_status status = hrr_network_read(&embedder->network, runtime, model, inner, err);
    if (!status) status = check_input(embedder, model, err);
    if (!status && !inner && hrr_network_n_outputs(embedder->network) != 1)
        status = list_outputs(embedder, model, err);
    if (!status && inner) embedder->output = hrr_network_find_output(embedder->network, inner);
    if (!status) status = measure_output(embedder, model, err);
    if (status) {
        hrr_embedder_free(embedder);
        return status;
    }
    *out = embedder;
    return HRR_OK;
}

void hrr_embedder_free(hrr_embedder *embedder)
{
    if (!embedder) return;
    hrr_network_free(embedder->network);
    hrr_free(embedder);
}

const hrr_profile *hrr_embedder_profile(const hrr_embedder *embedder)
{
    return &embedder->profile;
}

uint64_t hrr_embedder_n_features(const hrr_embedder *embedder)
{
    return embedder->n_features;
}

uint32_t hrr_embedder_batch(const hrr_embedder *embedder)
{
    return embedder->batch;
}

size_t hrr_embedder_input_size(const hrr_embedder *embedder)
{
    return (size_t)embedder->profile.height * embedder->profile.width * 3;
}

/* The mean of each map: features[c] = mean over places of map(c, place). */
static void average_maps(float *features, const float *maps, size_t n_features, size_t places,
                         bool channels_last)
{
    const size_t step = channels_last ? n_features : 1;
    for (size_t c = 0; c < n_features; c++) {
        const float *map = maps + (channels_last ? c : c * places);
        double sum = 0;
        for (size_t place = 0; place < places; place++)
            sum += (double)map[place * step];
        features[c] = (float)(sum / (double)places);
    }
}

hrr_status hrr_embedder_run(float *features, uint32_t *bad, const hrr_embedder *embedder,
                            float *input, uint32_t n, hrr_error *err)
{
    const size_t per_picture = hrr_embedder_input_size(embedder), d = embedder->n_features;
    const uint32_t rows = embedder->batch_is_fixed ? embedder->batch : n;
    const hrr_tensor_shape shape = input_shape(&embedder->profile, rows);
    hrr_answer answer = {0};
    size_t size = 0;
    *bad = n;
    memset(input + n * per_picture, 0, (rows - n) * per_picture * sizeof *input);
    hrr_status status =
        hrr_network_run(&answer, embedder->network, input, &shape, &embedder->output, 1, err);
    if (!status && (width_of(embedder, &answer.shape) != d || answer.shape.dims[0] != rows ||
                    !hrr_tensor_size(&size, &answer.shape) || size == 0))
        status = hrr_fail(err, HRR_EDATA,
                          "the output of the network changes its shape between pictures");
    for (uint32_t i = 0; i < n && !status; i++) {
        const size_t places = size / rows / d;
        average_maps(features + i * d, answer.data + i * (size / rows), d, places,
                     embedder->profile.channels_last);
        for (size_t c = 0; c < d && !status; c++)
            if (!isfinite(features[i * d + c])) {
                *bad = i;
                status =
                    hrr_fail(err, HRR_EDATA,
                             "the network computes a feature that is not finite for this picture");
            }
    }
    hrr_answer_clear(&answer, embedder->network);
    return status;
}
