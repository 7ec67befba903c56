/* public_directions.c: see public_directions.h. The directions come from a file, from a public
 * sample or from a public head; with a sample, so do the centre and the bounds. */
#include "cli/public_directions.h"
#include "cli/number.h"

#include <heterorr/io.h>
#include <heterorr/learn.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const cli_option cli_directions_options[] = {
    {.name = "directions",
     .kind = CLI_PATH,
     .argument = "FILE.npy|pca:R|head[:R]",
     .at = offsetof(cli_directions_words, directions),
     .field = "features.directions features.projection",
     .help = "public directions for featurerr-projected: the rows of a file, the first R principal "
             "components of --public-sample, or the weights of --public-head"},
    {.name = "public-sample",
     .kind = CLI_PATH,
     .argument = "SAMPLE.npy",
     .at = offsetof(cli_directions_words, sample),
     .help = "publicly known rows of the same features; they also set the centre and bounds of "
             "--directions, which reduces the noise"},
    {.name = "public-head",
     .kind = CLI_PATH,
     .argument = "HEAD.npz",
     .at = offsetof(cli_directions_words, head),
     .help = "a public head (see heterorr scores), trained on features of the same kind as those "
             "of the graph"},
    {0},
};

void cli_directions_clear(cli_directions *directions)
{
    hrr_projection_clear(&directions->projection);
    *directions = (cli_directions){0};
}

typedef enum source { FROM_FILE, FROM_SAMPLE, FROM_HEAD } source;

/* "pca:R", "head" or "head:R"; anything else is a file. *n 0: all. False: R is no number. */
static bool read_source(source *from, uint32_t *n, const char *text)
{
    const char *colon = strchr(text, ':');
    const size_t length = colon ? (size_t)(colon - text) : strlen(text);
    *n = 0;
    if (length == 3 && strncmp(text, "pca", 3) == 0)
        *from = FROM_SAMPLE;
    else if (length == 4 && strncmp(text, "head", 4) == 0)
        *from = FROM_HEAD;
    else {
        *from = FROM_FILE;
        return true;
    }
    uint64_t count = 0;
    if (!colon) return *from == FROM_HEAD;
    if (!cli_read_count(colon + 1, &count) || count < 1 || count > UINT32_MAX) return false;
    *n = (uint32_t)count;
    return true;
}

hrr_status cli_directions_check(const cli_directions_words *words, hrr_error *err)
{
    source from = FROM_FILE;
    uint32_t n;
    if (!words->directions)
        return words->sample || words->head
                   ? hrr_fail(err, HRR_EINVAL,
                              "--public-sample and --public-head define --directions; add "
                              "--directions pca:R or --directions head")
                   : HRR_OK;
    if (!read_source(&from, &n, words->directions))
        return hrr_fail(err, HRR_EINVAL,
                        "--directions: '%.40s' does not give a number of directions; write pca:R "
                        "or head:R with a number R, such as pca:8",
                        words->directions);
    if (from == FROM_SAMPLE && !words->sample)
        return hrr_fail(
            err, HRR_EINVAL,
            "--directions pca needs --public-sample: publicly known rows of the same features");
    if (!words->head != (from != FROM_HEAD))
        return hrr_fail(err, HRR_EINVAL,
                        words->head ? "--public-head needs --directions head"
                                    : "--directions head needs --public-head");
    return HRR_OK;
}

static hrr_status read_matrix(hrr_dense *out, const char *path, uint64_t n_features, hrr_error *err)
{
    hrr_array array = {0};
    hrr_status status = hrr_array_read(&array, path, err);
    if (!status) status = hrr_array_into_dense(out, &array, path, err);
    if (!status && (out->cols != n_features || out->rows < 1))
        status = hrr_fail(err, HRR_EDATA,
                          "%s: is %" PRIu64 " x %" PRIu64 "; its rows must have %" PRIu64
                          " %s, one for each feature of the graph",
                          path, out->rows, out->cols, n_features,
                          hrr_plural(n_features, "number", "numbers"));
    hrr_array_clear(&array);
    return status;
}

hrr_status cli_head_read(hrr_head *out, const char *path, uint64_t n_features, hrr_error *err)
{
    hrr_status status = hrr_head_read(out, path, HRR_OUTPUT_SOFTMAX, err);
    if (status) return status;
    if (out->weight.cols == 1) out->output = HRR_OUTPUT_SIGMOID; /* no second class */
    const uint64_t takes = out->hidden_weight.data ? out->hidden_weight.rows : out->weight.rows;
    if (takes == n_features) return HRR_OK;
    hrr_head_clear(out);
    return hrr_fail(err, HRR_EDATA, "%s: the head takes %" PRIu64 " %s, but the graph has %" PRIu64,
                    path, takes, hrr_plural(takes, "feature", "features"), n_features);
}

static hrr_status directions_of_head(hrr_dense *out, const char *path, uint64_t n_features,
                                     uint32_t n, const double *lo, const double *hi, hrr_error *err)
{
    hrr_head head = {0};
    hrr_status status = cli_head_read(&head, path, n_features, err);
    if (!status) status = hrr_head_directions(out, &head, lo, hi, n, err);
    hrr_head_clear(&head);
    return status;
}

hrr_status cli_directions_read(cli_directions *out, const cli_directions_words *words,
                               uint64_t n_features, const double *lo, const double *hi,
                               hrr_error *err)
{
    source from = FROM_FILE;
    uint32_t n = 0;
    hrr_dense sample = {0}, directions = {0};
    *out = (cli_directions){0};
    hrr_status status = cli_directions_check(words, err);
    if (status || !words->directions) return status;
    read_source(&from, &n, words->directions);
    if (words->sample && (status = read_matrix(&sample, words->sample, n_features, err))) goto done;
    if (from == FROM_FILE)
        status = read_matrix(&directions, words->directions, n_features, err);
    else if (from == FROM_HEAD)
        status = directions_of_head(&directions, words->head, n_features, n, lo, hi, err);
    if (status) goto done;
    if (from == FROM_SAMPLE)
        status = hrr_projection_from_sample(&out->projection, &sample, lo, hi, n, err);
    else
        status = hrr_projection_from_directions(&out->projection, &directions,
                                                words->sample ? &sample : NULL, lo, hi, err);
    if (status) goto done;
    static const char *const phrases[] = {"read from a file", "principal components",
                                          "weights of a head"};
    char bounds[96] = "bounds from those of the features";
    if (words->sample)
        snprintf(bounds, sizeof bounds, "bounds from a sample of %" PRIu64 " %s declared public",
                 sample.rows, hrr_plural(sample.rows, "row", "rows"));
    snprintf(out->from, sizeof out->from, "%" PRIu64 ", %s, with %s",
             out->projection.directions.rows, phrases[from], bounds);
done:
    hrr_dense_clear(&sample);
    hrr_dense_clear(&directions);
    return status;
}
