/* chain_pictures.c: see chain_pictures.h. The adversary's decoder learns from features as they are:
 * the chain's worlds protect edges. Features that were guessed near the mean end near the mean
 * picture. */
#include "attack/chain_pictures.h"
#include "attack/picture_quality.h"
#include "base/memory.h"
#include "matrix/dense.h"

#include <inttypes.h>
#include <string.h>

hrr_status hrr_chain_pictures_check(const hrr_graph *graph, const hrr_chain_options *o,
                                    hrr_error *err)
{
    const hrr_thumbnails *ours = o->pictures;
    const hrr_pictured *theirs = o->public_pictures;
    if (!ours && !theirs) return HRR_OK;
    if (!ours || !theirs)
        return hrr_fail(err, HRR_EINVAL,
                        "an attack on pictures learns from public pictures; give both (`pictures`, "
                        "`public_pictures`)");
    if (ours->pixels.rows != hrr_graph_n_nodes(graph))
        return hrr_fail(err, HRR_EDATA,
                        "there are %" PRIu64 " pictures (`pictures`), but the graph has %" PRIu64
                        " nodes",
                        ours->pixels.rows, hrr_graph_n_nodes(graph));
    if (theirs->features->rows != theirs->pictures->pixels.rows || theirs->features->rows < 20)
        return hrr_fail(err, HRR_EDATA,
                        "there are %" PRIu64
                        " public pictures (`public_pictures`), but features for %" PRIu64
                        "; each picture needs features, and at least 20 pictures are needed",
                        theirs->pictures->pixels.rows, theirs->features->rows);
    if (theirs->features->cols != hrr_graph_features(graph)->cols)
        return hrr_fail(err, HRR_EDATA,
                        "the public pictures have %" PRIu64
                        " features, but the nodes of the graph have %" PRIu64,
                        theirs->features->cols, hrr_graph_features(graph)->cols);
    if (ours->side != theirs->pictures->side || ours->channels != theirs->pictures->channels)
        return hrr_fail(err, HRR_EDATA,
                        "the public pictures have %" PRIu32 " pixels per side and %" PRIu32
                        " channels, but those of the graph have %" PRIu32 " and %" PRIu32,
                        theirs->pictures->side, theirs->pictures->channels, ours->side,
                        ours->channels);
    if (!hrr_decoder_side(ours->side))
        return hrr_fail(err, HRR_EINVAL,
                        "pictures of %" PRIu32
                        " pixels per side cannot be reconstructed; use 8, 16, 32, 64 or 128",
                        ours->side);
    if (o->picture_epochs < 1 || o->picture_width < 1 || o->picture_width > 256)
        return hrr_fail(
            err, HRR_EINVAL,
            "`picture_epochs` must be at least 1, and `picture_width` must lie between 1 and 256");
    return HRR_OK;
}

/* An hrr_draw_inputs: the same features every time. */
static hrr_status features_as_they_are(void *user, hrr_dense *x, uint32_t number, hrr_error *err)
{
    const hrr_dense *features = user;
    (void)number, (void)err;
    memcpy(x->data, features->data, x->rows * x->cols * sizeof(float));
    return HRR_OK;
}

hrr_status hrr_chain_pictures_init(hrr_chain_pictures *out, const hrr_chain_options *o,
                                   uint64_t seed, int threads, hrr_progress *progress,
                                   hrr_error *err)
{
    hrr_dense features = {0};
    hrr_reconstruct_options usual;
    *out = (hrr_chain_pictures){0};
    if (!o->pictures) return HRR_OK;
    hrr_reconstruct_options_init(&usual);
    const hrr_decoder_options how = {.side = o->pictures->side,
                                     .channels = o->pictures->channels,
                                     .width = o->picture_width,
                                     .epochs = o->picture_epochs,
                                     .batch = usual.batch,
                                     .learning_rate = usual.learning_rate,
                                     .seed = seed,
                                     .threads = threads};
    out->truth = o->pictures;
    hrr_status status = hrr_dense_convert(&features, o->public_pictures->features, HRR_F32, err);
    if (!status)
        status =
            hrr_decoder_train(&out->decoder, &o->public_pictures->pictures->pixels, features.cols,
                              features_as_they_are, &features, &how, progress, err);
    hrr_dense_clear(&features);
    return status;
}

void hrr_chain_pictures_clear(hrr_chain_pictures *pictures)
{
    hrr_trained_decoder_clear(&pictures->decoder);
}

hrr_status hrr_chain_pictures_judge(double figure[], const hrr_chain_pictures *pictures,
                                    const hrr_dense *features, const uint32_t *nodes,
                                    hrr_error *err)
{
    const hrr_thumbnails *all = pictures->truth;
    const uint64_t n = features->rows, pixels = all->pixels.cols;
    const float *mean = pictures->decoder.mean;
    double ssim = 0, of_mean = 0, below = 0;
    hrr_dense guess = {0}, truth = {0};
    double *rank = hrr_alloc(n, sizeof *rank);
    hrr_status status = rank ? HRR_OK : hrr_no_memory(err);
    if (!status) status = hrr_dense_init(&truth, HRR_F32, n, pixels, err);
    if (!status) status = hrr_decode(&guess, &pictures->decoder, features, 1, err);
    for (uint64_t i = 0; i < n && !status; i++) {
        float *row = (float *)truth.data + i * pixels;
        for (uint64_t k = 0; k < pixels; k++)
            row[k] = (float)((const uint8_t *)all->pixels.data)[nodes[i] * pixels + k] / 255;
        ssim += hrr_ssim((const float *)guess.data + i * pixels, row, all->side, all->channels);
        of_mean += hrr_ssim(mean, row, all->side, all->channels);
    }
    if (!status) status = hrr_reidentify(rank, &guess, &truth, mean, err);
    if (!status) {
        for (uint64_t i = 0; i < n; i++)
            below += rank[i] / (double)n;
        figure[HRR_CHAIN_PICTURE_SSIM] = ssim / (double)n;
        figure[HRR_CHAIN_PICTURE_OVER_MEAN] = (ssim - of_mean) / (double)n;
        if (n > 1) figure[HRR_CHAIN_PICTURE_RANK] = 1 - below / (double)(n - 1);
    }
    hrr_dense_clear(&guess);
    hrr_dense_clear(&truth);
    hrr_free(rank);
    return status;
}
