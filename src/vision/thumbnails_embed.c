/* thumbnails_embed.c: what a network makes of small pictures that are in memory. */
#include "vision/embedder.h"
#include "vision/picture.h"
#include "vision/thumbnails.h"

#include "base/memory.h"

/* Row i as a picture of its own; hrr_picture_clear(). */
static hrr_status as_picture(hrr_picture *out, const hrr_dense *pictures, uint64_t i, uint32_t side,
                             uint32_t channels, hrr_error *err)
{
    const float *row = (const float *)pictures->data + i * pictures->cols;
    *out = (hrr_picture){side, side, hrr_alloc((size_t)side * side, 3), side, side};
    if (!out->rgb) return hrr_no_memory(err);
    for (size_t p = 0; p < (size_t)side * side * 3; p++)
        out->rgb[p] = hrr_pixel_byte(row[channels == 3 ? p : p / 3]);
    return HRR_OK;
}

static hrr_status embed_batches(hrr_dense *out, const hrr_dense *pictures, uint32_t side,
                                uint32_t channels, const hrr_embedder *embedder,
                                const hrr_vips *vips, hrr_progress *progress, hrr_error *err)
{
    const uint32_t batch = hrr_embedder_batch(embedder);
    const size_t size = hrr_embedder_input_size(embedder);
    float *input = hrr_alloc(batch, size * sizeof *input);
    hrr_status status = input ? HRR_OK : hrr_no_memory(err);
    for (uint64_t first = 0; first < pictures->rows && !status; first += batch) {
        const uint64_t left = pictures->rows - first;
        const uint32_t count = left < batch ? (uint32_t)left : batch;
        uint32_t bad;
        for (uint32_t i = 0; i < count && !status; i++) {
            hrr_picture picture = {0};
            status = as_picture(&picture, pictures, first + i, side, channels, err);
            if (!status)
                status = hrr_profile_apply(input + i * size, hrr_embedder_profile(embedder), vips,
                                           &picture, err);
            hrr_picture_clear(&picture);
        }
        if (!status)
            status = hrr_embedder_run((float *)out->data + first * out->cols, &bad, embedder, input,
                                      count, err);
        if (!status) status = hrr_progress_advance(progress, count, err);
    }
    hrr_free(input);
    return status;
}

hrr_status hrr_thumbnails_embed(hrr_dense *out, const hrr_dense *pictures, uint32_t side,
                                uint32_t channels, const char *model, const char *profile,
                                const char *runtime, hrr_progress *progress, hrr_error *err)
{
    enum { at_once = 8 };
    hrr_profile chosen;
    hrr_vips *vips = NULL;
    hrr_runtime *opened = NULL;
    hrr_embedder *embedder = NULL;
    hrr_dense made = {0};
    *out = made;
    hrr_status status = hrr_profile_choose(&chosen, profile, model, err);
    if (!status) status = hrr_vips_open(&vips, err);
    if (!status) status = hrr_runtime_open(&opened, runtime, err);
    if (!status) status = hrr_embedder_read(&embedder, opened, model, &chosen, at_once, err);
    if (!status)
        status =
            hrr_dense_init(&made, HRR_F32, pictures->rows, hrr_embedder_n_features(embedder), err);
    hrr_progress_begin(progress, "comparing faces", pictures->rows);
    if (!status)
        status = embed_batches(&made, pictures, side, channels, embedder, vips, progress, err);
    if (!status) {
        *out = made;
        made = (hrr_dense){0};
    }
    hrr_dense_clear(&made);
    hrr_embedder_free(embedder);
    hrr_runtime_close(opened);
    hrr_vips_close(vips);
    return status;
}
