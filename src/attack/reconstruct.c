/* reconstruct.c: pictures guessed from what is seen of them, and how near the guesses are; see
 * <heterorr/attack.h>. Every world has the same pictures, seed and first weights: differences are
 * those of what is seen. */
#include "attack/picture_quality.h"
#include "attack/seen.h"
#include "base/memory.h"
#include "base/options.h"
#include "learn/decoder_train.h"
#include "learn/statistics.h"
#include "privacy/eps_lower_bound.h"
#include "vision/thumbnails.h"

#include <heterorr/attack.h>
#include <heterorr/privacy.h>

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

void hrr_reconstruct_options_init_sized(hrr_reconstruct_options *options, size_t size)
{
    const hrr_reconstruct_options own = {.delta = 1e-5,
                                         .n_directions = 16,
                                         .width = 16,
                                         .epochs = 60,
                                         .batch = 32,
                                         .learning_rate = 0.002,
                                         .sheet_pictures = 10,
                                         .seed = 1};
    hrr_options_init(options, size, &own, sizeof own);
}

const char *hrr_picture_figure_name(hrr_picture_figure figure)
{
    static const char *const names[HRR_PICTURE_FIGURES] = {"psnr", "ssim", "reidentified", "rank",
                                                           "identity"};
    return names[figure];
}

/* ---- what can be wrong ----------------------------------------------------------------------- */

static hrr_status check_side(const hrr_pictured *side, const char *what, uint64_t least,
                             hrr_error *err)
{
    if (side->features->rows != side->pictures->pixels.rows)
        return hrr_fail(err, HRR_EDATA,
                        "there are %" PRIu64 " %s pictures, but features for %" PRIu64,
                        side->pictures->pixels.rows, what, side->features->rows);
    if (side->features->rows < least)
        return hrr_fail(err, HRR_EDATA,
                        "there are %" PRIu64 " %s pictures, but the attack needs at least %" PRIu64,
                        side->features->rows, what, least);
    if (side->features->cols == 0)
        return hrr_fail(err, HRR_EDATA, "the %s pictures have no features", what);
    return HRR_OK;
}

static hrr_status check(const hrr_pictured *public_side, const hrr_pictured *private_side,
                        const hrr_reconstruct_options *o, hrr_error *err)
{
    const hrr_thumbnails *theirs = public_side->pictures, *ours = private_side->pictures;
    hrr_status status = check_side(public_side, "public", 20, err);
    if (!status) status = check_side(private_side, "private", 2, err);
    if (status) return status;
    if (theirs->side != ours->side || theirs->channels != ours->channels)
        return hrr_fail(err, HRR_EDATA,
                        "public pictures have %" PRIu32 " x %" PRIu32 " pixels and %" PRIu32
                        " channels, but private ones have %" PRIu32 " x %" PRIu32
                        " pixels and %" PRIu32 " channels",
                        theirs->side, theirs->side, theirs->channels, ours->side, ours->side,
                        ours->channels);
    if (public_side->features->cols != private_side->features->cols)
        return hrr_fail(err, HRR_EDATA,
                        "public pictures have %" PRIu64 " features, but private ones have %" PRIu64,
                        public_side->features->cols, private_side->features->cols);
    if (!hrr_decoder_side(ours->side))
        return hrr_fail(err, HRR_EINVAL,
                        "pictures of %" PRIu32
                        " pixels per side cannot be reconstructed; use 8, 16, 32, 64 or 128",
                        ours->side);
    if (o->width < 1 || o->width > 256)
        return hrr_fail(err, HRR_EINVAL, "`width` must lie between 1 and 256");
    if (o->epochs < 1 || o->batch < 1 || o->batch > 4096)
        return hrr_fail(err, HRR_EINVAL,
                        "`epochs` must be at least 1, and `batch` must lie between 1 and 4096");
    if (!(o->learning_rate > 0 && isfinite(o->learning_rate)))
        return hrr_fail(err, HRR_EINVAL, "`learning_rate` must be above 0; 0.002 is usual");
    if (o->n_directions < 1 || o->sheet_pictures < 1 || o->sheet_pictures > 256)
        return hrr_fail(
            err, HRR_EINVAL,
            "`n_directions` must be at least 1, and `sheet_pictures` must lie between 1 and 256");
    return HRR_OK;
}

/* ---- judging --------------------------------------------------------------------------------- */

typedef struct attack {
    const hrr_pictured *public_side, *private_side;
    const hrr_reconstruct_options *options;
    hrr_seen_public known;
    hrr_dense truth;         /* private pictures, F32 from 0 to 1 */
    hrr_dense mean;          /* of the public ones, 1 x pixels */
    hrr_dense faces;         /* embeddings of the private pictures; empty: none */
    double *floor, *figures; /* HRR_PICTURE_FIGURES x n: of the mean picture, and of this world */
    double *difference;      /* n */
    hrr_progress *progress;
} attack;

static void clear(attack *a)
{
    hrr_seen_public_clear(&a->known);
    hrr_dense_clear(&a->truth);
    hrr_dense_clear(&a->mean);
    hrr_dense_clear(&a->faces);
    hrr_free(a->floor);
    hrr_free(a->figures);
    hrr_free(a->difference);
}

static hrr_status embed(hrr_dense *out, const attack *a, const hrr_dense *pictures, hrr_error *err)
{
    const hrr_thumbnails *like = a->private_side->pictures;
    const hrr_reconstruct_options *o = a->options;
    return hrr_thumbnails_embed(out, pictures, like->side, like->channels, o->identity, o->profile,
                                o->runtime, a->progress, err);
}

/* Of x and y about the centre. */
static double cosine(const float *x, const float *y, const double *centre, uint64_t n)
{
    double product = 0, squares_x = 0, squares_y = 0;
    for (uint64_t k = 0; k < n; k++) {
        const double from_x = (double)x[k] - centre[k], from_y = (double)y[k] - centre[k];
        product += from_x * from_y;
        squares_x += from_x * from_x;
        squares_y += from_y * from_y;
    }
    return squares_x > 0 && squares_y > 0 ? product / sqrt(squares_x * squares_y) : 0;
}

/* Embeddings of faces share most of their length: what tells people apart is what is left when the
 * mean of the originals is taken away. */
static hrr_status judge_identity(double *identity, const attack *a, const hrr_dense *guess,
                                 hrr_error *err)
{
    const uint64_t n = guess->rows, d = a->faces.cols;
    const float *truth = a->faces.data;
    hrr_dense faces = {0};
    for (uint64_t i = 0; i < n; i++)
        identity[i] = NAN;
    if (!truth) return HRR_OK;
    double *centre = hrr_alloc_zero(d, sizeof *centre);
    hrr_status status = centre ? embed(&faces, a, guess, err) : hrr_no_memory(err);
    for (uint64_t i = 0; i < n * d && !status; i++)
        centre[i % d] += (double)truth[i] / (double)n;
    for (uint64_t i = 0; i < n && !status; i++)
        identity[i] = cosine((const float *)faces.data + i * d, truth + i * d, centre, d);
    hrr_dense_clear(&faces);
    hrr_free(centre);
    return status;
}

/* figures: HRR_PICTURE_FIGURES x n */
static hrr_status judge(double *figures, const attack *a, const hrr_dense *guess, hrr_error *err)
{
    const uint64_t n = guess->rows, pixels = guess->cols;
    const uint32_t side = a->private_side->pictures->side;
    const uint32_t channels = a->private_side->pictures->channels;
    double *rank = figures + HRR_PICTURE_RANK * n;
#pragma omp parallel for schedule(static) num_threads(hrr_threads(a->options->threads))
    for (uint64_t i = 0; i < n; i++) {
        const float *mine = (const float *)guess->data + i * pixels;
        const float *true_one = (const float *)a->truth.data + i * pixels;
        figures[HRR_PICTURE_PSNR * n + i] = hrr_psnr(mine, true_one, pixels);
        figures[HRR_PICTURE_SSIM * n + i] = hrr_ssim(mine, true_one, side, channels);
    }
    hrr_status status = hrr_reidentify(rank, guess, &a->truth, a->mean.data, err);
    for (uint64_t i = 0; i < n; i++) {
        figures[HRR_PICTURE_REIDENTIFIED * n + i] = rank[i] == 0;
        rank[i] = 1 - rank[i] / (double)(n - 1);
    }
    if (!status) status = judge_identity(figures + HRR_PICTURE_IDENTITY * n, a, guess, err);
    return status;
}

static hrr_status summarise(hrr_reconstruction *out, const attack *a, hrr_error *err)
{
    const uint64_t n = a->truth.rows;
    hrr_status status = HRR_OK;
    for (int f = 0; f < HRR_PICTURE_FIGURES && !status; f++) {
        const double *mine = a->figures + (size_t)f * n, *floor = a->floor + (size_t)f * n;
        double half_width = NAN;
        for (uint64_t i = 0; i < n; i++)
            a->difference[i] = mine[i] - floor[i];
        status = hrr_mean_interval(&out->mean[f], &half_width, mine, n, 0.95, err);
        out->low[f] = out->mean[f] - half_width;
        out->high[f] = out->mean[f] + half_width;
        if (!status)
            status = hrr_mean_interval(&out->excess[f], &out->excess_half_width[f], a->difference,
                                       n, 0.95, err);
    }
    const uint64_t hits = (uint64_t)lrint(out->mean[HRR_PICTURE_REIDENTIFIED] * (double)n);
    out->low[HRR_PICTURE_REIDENTIFIED] = hrr_clopper_pearson_lower(hits, n, 0.025);
    out->high[HRR_PICTURE_REIDENTIFIED] = hrr_clopper_pearson_upper(hits, n, 0.025);
    return status;
}

/* ---- sheets ---------------------------------------------------------------------------------- */

static hrr_status write_strip(const attack *a, const hrr_dense *pictures, size_t number,
                              const char *world, uint64_t eps_nano, hrr_error *err)
{
    const hrr_thumbnails *like = a->private_side->pictures;
    char eps[HRR_EPS_TEXT_SIZE] = "";
    if (!a->options->sheets) return HRR_OK;
    if (eps_nano) hrr_eps_format(eps, eps_nano);
    char *path = hrr_format_text("%s/%02zu-%s%s%s.png", a->options->sheets, number, world,
                                 eps_nano ? "-eps-" : "", eps);
    if (!path) return hrr_no_memory(err);
    hrr_status status = hrr_strip_write(pictures, like->side, like->channels,
                                        a->options->sheet_pictures, path, err);
    hrr_free(path);
    return status;
}

static hrr_status begin_sheets(const attack *a, hrr_error *err)
{
    const char *directory = a->options->sheets;
    if (!directory) return HRR_OK;
    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
        return hrr_fail(err, HRR_EIO, "%s: cannot be created: %s", directory, strerror(errno));
    return write_strip(a, &a->truth, 0, "originals", 0, err);
}

/* ---- worlds ---------------------------------------------------------------------------------- */

static hrr_status guess_from(hrr_dense *guess, hrr_seen *seen, const attack *a, hrr_error *err)
{
    const hrr_reconstruct_options *o = a->options;
    const hrr_thumbnails *pictures = a->public_side->pictures;
    const hrr_decoder_options how = {.side = pictures->side,
                                     .channels = pictures->channels,
                                     .width = o->width,
                                     .epochs = o->epochs,
                                     .batch = o->batch,
                                     .learning_rate = o->learning_rate,
                                     .seed = o->seed,
                                     .threads = o->threads};
    hrr_trained_decoder decoder = {0};
    hrr_dense x = {0};
    hrr_status status = hrr_decoder_train(&decoder, &pictures->pixels, seen->n_in,
                                          hrr_seen_of_public, seen, &how, a->progress, err);
    if (!status) status = hrr_seen_of_private(&x, seen, err);
    if (!status) status = hrr_decode(guess, &decoder, &x, o->threads, err);
    hrr_trained_decoder_clear(&decoder);
    hrr_dense_clear(&x);
    return status;
}

static hrr_status run_world(hrr_reconstruction *out, attack *a, size_t number, hrr_seeing how,
                            const char *world, uint64_t eps_nano, hrr_error *err)
{
    hrr_seen seen = {0};
    hrr_dense guess = {0};
    hrr_status status = hrr_seen_init(&seen, how, world, eps_nano, &a->known, a->public_side,
                                      a->private_side, a->options, err);
    *out = (hrr_reconstruction){
        .world = world, .eps_nano = eps_nano, .realised_eps = seen.realised_eps};
    if (!status) status = guess_from(&guess, &seen, a, err);
    if (!status) status = judge(a->figures, a, &guess, err);
    if (!status) status = summarise(out, a, err);
    if (!status) status = write_strip(a, &guess, number + 1, world, eps_nano, err);
    hrr_dense_clear(&guess);
    hrr_seen_clear(&seen);
    return status;
}

static hrr_status run_floor(hrr_reconstruction *out, attack *a, size_t number, hrr_error *err)
{
    const uint64_t pixels = a->truth.cols, n = a->truth.rows;
    hrr_dense guess = {0};
    *out = (hrr_reconstruction){.world = HRR_SEES_NOTHING};
    hrr_status status = hrr_dense_init(&guess, HRR_F32, n, pixels, err);
    for (uint64_t i = 0; i < n && !status; i++)
        memcpy((float *)guess.data + i * pixels, a->mean.data, pixels * sizeof(float));
    if (!status) status = judge(a->floor, a, &guess, err);
    if (!status) {
        memcpy(a->figures, a->floor, HRR_PICTURE_FIGURES * n * sizeof *a->floor);
        status = summarise(out, a, err);
    }
    if (!status) status = write_strip(a, &guess, number + 1, HRR_SEES_NOTHING, 0, err);
    hrr_dense_clear(&guess);
    return status;
}

static hrr_status prepare(attack *a, hrr_error *err)
{
    const hrr_dense *theirs = &a->public_side->pictures->pixels;
    const uint64_t n = a->private_side->features->rows, pixels = theirs->cols;
    const size_t size = HRR_PICTURE_FIGURES * sizeof *a->floor;
    hrr_status status =
        hrr_seen_public_init(&a->known, a->public_side, a->options, a->progress, err);
    if (!status) status = hrr_thumbnails_floats(&a->truth, a->private_side->pictures, err);
    if (!status) status = hrr_dense_init(&a->mean, HRR_F32, 1, pixels, err);
    if (!status && a->options->identity) status = embed(&a->faces, a, &a->truth, err);
    if (status) return status;
    for (uint64_t k = 0; k < pixels; k++) {
        double sum = 0;
        for (uint64_t i = 0; i < theirs->rows; i++)
            sum += ((const uint8_t *)theirs->data)[i * pixels + k];
        ((float *)a->mean.data)[k] = (float)(sum / (255 * (double)theirs->rows));
    }
    a->floor = hrr_alloc(n, size);
    a->figures = hrr_alloc(n, size);
    a->difference = hrr_alloc(n, sizeof *a->difference);
    if (!a->floor || !a->figures || !a->difference) return hrr_no_memory(err);
    return begin_sheets(a, err);
}

static bool has_classes(const attack *a)
{
    return a->public_side->classes && a->private_side->classes && a->options->n_classes > 1;
}

/* The mean picture is first to be judged, since all others are compared with it, and second in the
 * table. */
static hrr_status run_worlds(hrr_reconstruction *rows, size_t *n_rows, attack *a, hrr_error *err)
{
    const hrr_reconstruct_options *o = a->options;
    size_t n = 2;
    hrr_status status = run_floor(&rows[1], a, 1, err);
    if (!status) status = run_world(&rows[0], a, 0, HRR_SEE_ALL, HRR_SEES_FEATURES, 0, err);
    if (!status) status = run_world(&rows[n], a, n, HRR_SEE_NOISE, HRR_SEES_NOISE, 0, err);
    n++;
    if (!status && has_classes(a)) {
        status = run_world(&rows[n], a, n, HRR_SEE_CLASS, HRR_SEES_CLASS, 0, err);
        n++;
    }
    for (size_t m = 0; o->mechanisms && o->mechanisms[m]; m++)
        for (size_t e = 0; e < o->n_eps && !status; e++, n++)
            status = run_world(&rows[n], a, n, HRR_SEE_RELEASE, o->mechanisms[m],
                               o->eps_features_nano[e], err);
    *n_rows = n;
    return status;
}

hrr_status hrr_reconstruct(hrr_reconstruction **rows, size_t *n_rows,
                           const hrr_pictured *public_side, const hrr_pictured *private_side,
                           const hrr_reconstruct_options *options, hrr_progress *progress,
                           hrr_error *err)
{
    hrr_reconstruct_options own;
    hrr_reconstruction *made = NULL;
    size_t n_mechanisms = 0;
    attack a = {.public_side = public_side,
                .private_side = private_side,
                .options = &own,
                .progress = progress};
    *rows = NULL;
    *n_rows = 0;
    hrr_status status = HRR_ADOPT(hrr_reconstruct_options, &own, options, err);
    if (!status) status = check(public_side, private_side, &own, err);
    if (status) return status;
    while (own.mechanisms && own.mechanisms[n_mechanisms])
        n_mechanisms++;
    if (!(made = hrr_alloc(4 + n_mechanisms * own.n_eps, sizeof *made))) return hrr_no_memory(err);
    status = prepare(&a, err);
    if (!status) status = run_worlds(made, n_rows, &a, err);
    if (!status) {
        *rows = made;
        made = NULL;
    }
    hrr_free(made);
    clear(&a);
    return status;
}
