/* cmd_attack_reconstruct.c: heterorr attack reconstruct: pictures guessed from their features, as
 * they are and as mechanisms release them, as a table, as JSON, as rows and as strips to look at.
 */
#include "cli/attack.h"
#include "cli/figures.h"
#include "cli/graph_input.h"
#include "cli/json.h"
#include "cli/mechanism_names.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/public_directions.h"
#include "cli/scores_file.h"

#include <heterorr/privacy.h>
#include <heterorr/random.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct reconstruct_args {
    cli_attack_subject subject;
    cli_common common;
    hrr_read_options read;
    hrr_reconstruct_options how;
    const char *pictures;
    cli_attack_pictures others;
    const char *mechanisms, *eps_features, *head, *scores, *output;
    double known;
    bool force;
} reconstruct_args;

static void init(void *args)
{
    reconstruct_args *a = args;
    hrr_chain_options chain;
    hrr_chain_options_init(&chain);
    hrr_read_options_init(&a->read);
    hrr_reconstruct_options_init(&a->how);
    a->known = chain.known_fraction;
    a->eps_features = "0.5,2,8";
}

static const cli_option picture_options[] = {
    {.name = "pictures",
     .kind = CLI_PATH,
     .argument = "DIR|P.npy",
     .required = true,
     .at = offsetof(reconstruct_args, pictures),
     .help = "the directory of pictures that embed made GRAPH from, or an npy array of bytes, n x "
             "side x side or n x side x side x 3"},
    {0},
};

static const cli_option release_options[] = {
    {.name = "mechanisms",
     .kind = CLI_LIST,
     .argument = "A,B,..",
     .choices = cli_feature_mechanisms,
     .at = offsetof(reconstruct_args, mechanisms),
     .field = "mechanisms",
     .help = "the feature mechanisms whose releases are attacked"},
    {.name = "eps-features",
     .kind = CLI_TEXT,
     .argument = "E,..",
     .at = offsetof(reconstruct_args, eps_features),
     .field = "eps_features_nano features.eps_nano",
     .help = "their budgets"},
    {.name = "head",
     .kind = CLI_PATH,
     .argument = "HEAD.npz",
     .at = offsetof(reconstruct_args, head),
     .field = "head features.head",
     .help = "the public head of mechanisms that need one; by default a head is trained on the "
             "public pictures and their labels"},
    {.name = "scores",
     .kind = CLI_PATH,
     .argument = "S.npz",
     .at = offsetof(reconstruct_args, scores),
     .field = "features.theta",
     .help = "public weights of the features, for mechanisms that use weights"},
    {.name = "delta",
     .kind = CLI_REAL,
     .argument = "D",
     .low = 0,
     .high = 1,
     .at = offsetof(reconstruct_args, how.delta),
     .field = "delta features.delta",
     .help = "the delta of mechanisms that need one"},
    {0},
};

static const cli_option decoder_options[] = {
    {.name = "width",
     .kind = CLI_U32,
     .argument = "N",
     .least = 1,
     .most = 256,
     .at = offsetof(reconstruct_args, how.width),
     .field = "width",
     .help =
         "the width of the last hidden layer of the decoder; each earlier layer is twice as wide"},
    {.name = "epochs",
     .kind = CLI_U32,
     .argument = "N",
     .least = 1,
     .at = offsetof(reconstruct_args, how.epochs),
     .field = "epochs",
     .help = "how often the decoder sees each public picture"},
    {.name = "seed",
     .kind = CLI_U64,
     .argument = "S",
     .at = offsetof(reconstruct_args, how.seed),
     .field = "seed",
     .help = "the seed of everything that is drawn"},
    {0},
};

static const cli_option identity_options[] = {
    {.name = "identity",
     .kind = CLI_PATH,
     .argument = "M.onnx",
     .at = offsetof(reconstruct_args, how.identity),
     .field = "identity model",
     .help = "a network for faces, which measures how similar each guess is to its original"},
    {.name = "profile",
     .kind = CLI_LIST,
     .argument = "P.json",
     .choices = hrr_embed_profiles,
     .at = offsetof(reconstruct_args, how.profile),
     .field = "profile",
     .help = "the input that M expects, as in embed"},
    {.name = "runtime",
     .kind = CLI_PATH,
     .argument = "LIBRARY",
     .at = offsetof(reconstruct_args, how.runtime),
     .field = "runtime",
     .help = "libonnxruntime.so, as in embed"},
    {0},
};

static const cli_option output_options[] = {
    {.name = "sheets",
     .kind = CLI_DIRECTORY,
     .argument = "DIR",
     .at = offsetof(reconstruct_args, how.sheets),
     .field = "sheets",
     .help = "write originals and guesses to this directory as PNG, one strip per release or "
             "baseline, for report --images"},
    {.name = "sheet-pictures",
     .kind = CLI_U32,
     .argument = "N",
     .least = 1,
     .most = 256,
     .at = offsetof(reconstruct_args, how.sheet_pictures),
     .field = "sheet_pictures",
     .help = "the number of pictures in a strip"},
    {.name = "output",
     .letter = 'o',
     .kind = CLI_PATH,
     .argument = "RESULTS.csv",
     .at = offsetof(reconstruct_args, output),
     .help = "write one row per release or baseline, for report"},
    {.name = "force",
     .at = offsetof(reconstruct_args, force),
     .help = "replace RESULTS.csv if it exists"},
    {0},
};

static const cli_option_set sets[] = {
    {"Pictures", picture_options, 0},
    {NULL, cli_attack_pictures_options, offsetof(reconstruct_args, others)},
    {NULL, cli_attack_known_options, offsetof(reconstruct_args, known)},
    {"Releases", release_options, 0},
    {"The decoder", decoder_options, 0},
    {"Identity", identity_options, 0},
    {"Results", output_options, 0},
    {"Reading the graphs", cli_graph_options, offsetof(reconstruct_args, read)},
    {"Options", cli_common_options, offsetof(reconstruct_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr attack reconstruct pictures --pictures photos --public others --public-pictures "
     "photos-of-others",
     "Can somebody with pictures of other people reconstruct pictures from their embeddings?"},
    {"heterorr attack reconstruct pictures --pictures photos --mechanisms featurerr,multibit "
     "--eps-features .5,2 --sheets sheets -o pictures.csv",
     "The same for protected embeddings, with strips of pictures and a file for report."},
    {0},
};

/* ---- input ----------------------------------------------------------------------------------- */

/* One side of the attack, and what it owns. */
typedef struct pictured {
    hrr_dense features;
    hrr_thumbnails pictures;
    int32_t *classes;
    hrr_pictured side;
} pictured;

typedef struct inputs {
    hrr_graph *graph, *public_graph;
    hrr_thumbnails pictures, public_pictures; /* of all nodes */
    pictured shown, secret;
    cli_words mechanisms;
    uint64_t eps[cli_most_items];
    cli_scores scores;
    hrr_head head;
} inputs;

static void clear_side(pictured *p)
{
    hrr_dense_clear(&p->features);
    hrr_thumbnails_clear(&p->pictures);
    free(p->classes);
}

static void clear_inputs(inputs *in)
{
    clear_side(&in->shown);
    clear_side(&in->secret);
    hrr_thumbnails_clear(&in->pictures);
    hrr_thumbnails_clear(&in->public_pictures);
    hrr_graph_free(in->graph);
    hrr_graph_free(in->public_graph);
    cli_words_clear(&in->mechanisms);
    cli_scores_clear(&in->scores);
    hrr_head_clear(&in->head);
}

/* The rows of `from` for which mask has `want`. */
static hrr_status copy_rows(hrr_dense *out, const hrr_dense *from, const uint8_t *mask, bool want,
                            hrr_error *err)
{
    const size_t size = hrr_dtype_size(from->dtype) * from->cols;
    uint64_t count = 0;
    for (uint64_t i = 0; i < from->rows; i++)
        count += mask[i] == want;
    hrr_status status = hrr_dense_init(out, from->dtype, count, from->cols, err);
    for (uint64_t i = 0, to = 0; i < from->rows && !status; i++)
        if (mask[i] == want)
            memcpy((char *)out->data + to++ * size, (const char *)from->data + i * size, size);
    return status;
}

static hrr_status take_side(pictured *out, const hrr_graph *graph, const hrr_thumbnails *pictures,
                            const uint8_t *mask, bool want, hrr_error *err)
{
    const int32_t *classes = hrr_graph_classes(graph);
    const uint64_t n = hrr_graph_n_nodes(graph);
    hrr_status status = copy_rows(&out->features, hrr_graph_features(graph), mask, want, err);
    if (!status) status = copy_rows(&out->pictures.pixels, &pictures->pixels, mask, want, err);
    out->pictures.side = pictures->side;
    out->pictures.channels = pictures->channels;
    if (!status && classes) {
        if (!(out->classes = malloc(n * sizeof *classes + 1)))
            return hrr_fail(err, HRR_ENOMEM, "out of memory");
        for (uint64_t i = 0, to = 0; i < n; i++)
            if (mask[i] == want) out->classes[to++] = classes[i];
    }
    out->side = (hrr_pictured){&out->features, &out->pictures, out->classes};
    return status;
}

/* Which nodes' pictures are public: all of one graph and none of the other, or --known of one. */
static hrr_status deal_sides(inputs *in, const reconstruct_args *a, hrr_error *err)
{
    const hrr_graph *theirs = a->others.public_graph ? in->public_graph : in->graph;
    const hrr_thumbnails *shown = a->others.public_graph ? &in->public_pictures : &in->pictures;
    const uint64_t n = hrr_graph_n_nodes(in->graph), n_theirs = hrr_graph_n_nodes(theirs);
    uint8_t *mask = calloc(n + 1, 1), *all = malloc(n_theirs + 1);
    hrr_status status = mask && all ? HRR_OK : hrr_fail(err, HRR_ENOMEM, "out of memory");
    hrr_fast_random random;
    hrr_fast_init(&random, a->how.seed, UINT64_C(0x73686f776e));
    for (uint64_t i = 0; i < n && !status && !a->others.public_graph; i++)
        mask[i] = hrr_fast_uniform(&random) < a->known;
    if (!status) memset(all, 1, n_theirs);
    if (!status)
        status =
            take_side(&in->shown, theirs, shown, a->others.public_graph ? all : mask, true, err);
    if (!status) status = take_side(&in->secret, in->graph, &in->pictures, mask, false, err);
    free(mask);
    free(all);
    return status;
}

static hrr_status read_inputs(inputs *in, hrr_reconstruct_options *o, const reconstruct_args *a,
                              hrr_progress *progress, hrr_error *err)
{
    hrr_status status = cli_words_read(&in->mechanisms, a->mechanisms, "mechanisms", err);
    if (!status)
        status = cli_read_budgets(in->eps, &o->n_eps, a->eps_features, "eps-features", err);
    if (!status)
        status = cli_attack_public_read(&in->public_graph, &in->public_pictures, &a->others,
                                        &a->read, progress, err);
    if (!status) status = cli_read_graph(&in->graph, a->subject.graph, &a->read, progress, err);
    if (!status)
        status = cli_attack_pictures_read(&in->pictures, in->graph, a->subject.graph, a->pictures,
                                          &a->others, a->read.threads, progress, err);
    if (!status) status = deal_sides(in, a, err);
    if (status) return status;
    const uint64_t d = in->secret.features.cols;
    if (a->scores) status = cli_scores_read(&in->scores, a->scores, d, err);
    if (!status && a->head) status = cli_head_read(&in->head, a->head, d, err);
    o->mechanisms = in->mechanisms.items;
    o->eps_features_nano = in->eps;
    o->theta = in->scores.theta;
    o->head = a->head ? &in->head : NULL;
    o->n_classes = hrr_graph_n_classes(in->graph);
    o->threads = a->read.threads;
    return status;
}

/* ---- output ---------------------------------------------------------------------------------- */

static cli_text eps_text(uint64_t eps_nano)
{
    cli_text text = {""};
    if (eps_nano) hrr_eps_format(text.text, eps_nano);
    return text;
}

static json_t *row_json(const hrr_reconstruction *row)
{
    json_t *json = json_pack("{s:s, s:o, s:o}", "mechanism", row->world, "eps_features",
                             cli_json_text(eps_text(row->eps_nano).text), "realised_eps_features",
                             isfinite(row->realised_eps) ? json_real(row->realised_eps)
                                                         : json_string("infinity"));
    for (int f = 0; f < HRR_PICTURE_FIGURES; f++)
        json_object_set_new(
            json, hrr_picture_figure_name((hrr_picture_figure)f),
            json_pack("{s:o, s:o, s:o, s:o, s:o}", "mean", cli_json_real(row->mean[f]), "low",
                      cli_json_real(row->low[f]), "high", cli_json_real(row->high[f]), "excess",
                      cli_json_real(row->excess[f]), "excess_half_width",
                      cli_json_real(row->excess_half_width[f])));
    return json;
}

static json_t *result_json(const hrr_reconstruction *rows, size_t n_rows, const inputs *in,
                           double seconds)
{
    json_t *list = json_array();
    for (size_t r = 0; r < n_rows; r++)
        json_array_append_new(list, row_json(&rows[r]));
    return json_pack("{s:I, s:I, s:I, s:I, s:o, s:f}", "public_pictures",
                     (json_int_t)in->shown.features.rows, "private_pictures",
                     (json_int_t)in->secret.features.rows, "side",
                     (json_int_t)in->secret.pictures.side, "channels",
                     (json_int_t)in->secret.pictures.channels, "rows", list, "seconds", seconds);
}

static const char *title_of(const char *world)
{
    if (strcmp(world, HRR_SEES_FEATURES) == 0) return "unprotected";
    if (strcmp(world, HRR_SEES_NOTHING) == 0) return "baseline: mean picture";
    if (strcmp(world, HRR_SEES_NOISE) == 0) return "baseline: random input";
    if (strcmp(world, HRR_SEES_CLASS) == 0) return "baseline: class only";
    return world;
}

static cli_text with_interval(const hrr_reconstruction *row, hrr_picture_figure f)
{
    cli_text text = {"-"};
    if (!isnan(row->mean[f]))
        snprintf(text.text, sizeof text.text, "%.3f [%.3f, %.3f]", row->mean[f], row->low[f],
                 row->high[f]);
    return text;
}

static void show(const hrr_reconstruction *rows, size_t n_rows, const inputs *in, FILE *to)
{
    const bool has_identity = !isnan(rows[0].mean[HRR_PICTURE_IDENTITY]);
    fprintf(
        to, "%s of %" PRIu32 " x %" PRIu32 " pixels, guessed by a decoder that learned from %s\n",
        cli_count(in->secret.features.rows, "picture", "pictures").text, in->secret.pictures.side,
        in->secret.pictures.side, cli_grouped(in->shown.features.rows).text);
    fprintf(to, "%-20s %5s %7s %22s %17s %22s %22s%s\n", "", "eps", "PSNR", "SSIM",
            "over mean picture", "reidentified", "rank", has_identity ? "   identity" : "");
    for (size_t r = 0; r < n_rows; r++) {
        const hrr_reconstruction *row = &rows[r];
        char excess[48];
        snprintf(excess, sizeof excess, "%+.3f (%.3f)", row->excess[HRR_PICTURE_SSIM],
                 row->excess_half_width[HRR_PICTURE_SSIM]);
        fprintf(to, "%-20s %5s %7.2f %22s %17s %22s %22s", title_of(row->world),
                eps_text(row->eps_nano).text, row->mean[HRR_PICTURE_PSNR],
                with_interval(row, HRR_PICTURE_SSIM).text, excess,
                with_interval(row, HRR_PICTURE_REIDENTIFIED).text,
                with_interval(row, HRR_PICTURE_RANK).text);
        if (has_identity) fprintf(to, "   %s", with_interval(row, HRR_PICTURE_IDENTITY).text);
        fputc('\n', to);
    }
    fprintf(to, "Square brackets contain 95 %% confidence intervals over pictures, round brackets "
                "half-widths. A rank of 0.5 is a guess.\n");
}

static hrr_status write_rows(const hrr_reconstruction *rows, size_t n_rows, const inputs *in,
                             const reconstruct_args *a, hrr_error *err)
{
    FILE *file = fopen(a->output, "w");
    if (!file) return hrr_fail(err, HRR_EIO, "%s: cannot be written", a->output);
    fprintf(file, "version,graph,attack,mechanism,eps_features,run,seed");
    for (int f = 0; f < HRR_PICTURE_FIGURES; f++)
        fprintf(file, ",%s", hrr_picture_figure_name((hrr_picture_figure)f));
    fputc('\n', file);
    for (size_t r = 0; r < n_rows; r++) {
        fprintf(file, "%s,%s,reconstruct,%s,%s,0,%" PRIu64, hrr_version(),
                hrr_graph_name(in->graph), rows[r].world, eps_text(rows[r].eps_nano).text,
                a->how.seed);
        for (int f = 0; f < HRR_PICTURE_FIGURES; f++)
            if (isnan(rows[r].mean[f]))
                fputc(',', file);
            else
                fprintf(file, ",%.9g", rows[r].mean[f]);
        fputc('\n', file);
    }
    const bool failed = ferror(file);
    if (fclose(file) || failed) return hrr_fail(err, HRR_EIO, "%s: cannot be written", a->output);
    return HRR_OK;
}

/* ---- together -------------------------------------------------------------------------------- */

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const reconstruct_args *a = args;
    hrr_reconstruct_options options = a->how;
    hrr_reconstruction *rows = NULL;
    size_t n_rows = 0;
    inputs in = {0};
    hrr_status status = a->output ? cli_refuse_existing(a->output, a->force, err) : HRR_OK;
    if (!status) status = read_inputs(&in, &options, a, task->progress, err);
    if (!status)
        status = hrr_reconstruct(&rows, &n_rows, &in.shown.side, &in.secret.side, &options,
                                 task->progress, err);
    cli_progress_erase();
    if (!status && a->output) status = write_rows(rows, n_rows, &in, a, err);
    if (!status && !task->json) show(rows, n_rows, &in, task->talk);
    if (!status && task->json &&
        !(task->result = result_json(rows, n_rows, &in, cli_clock() - task->began)))
        status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    hrr_free(rows);
    clear_inputs(&in);
    return status;
}

const cli_verb cli_verb_attack_reconstruct = {
    .name = "attack reconstruct",
    .summary = "find pictures, through their embeddings",
    .description =
        "Trains a decoder that reconstructs pictures from features. It learns from public pictures "
        "of other people and then guesses the private pictures: from their original features, and "
        "from the releases of mechanisms. For a release, it learns from public features that went "
        "through the same mechanism. The baselines are the mean of the public pictures, a decoder "
        "that sees only noise, and a decoder that sees only the class of a picture. PSNR and SSIM "
        "measure how close a guess is; reidentified is the share of guesses that are closest to "
        "their own original.",
    .examples = examples,
    .operands = cli_attack_subject_operands,
    .sets = sets,
    .args_size = sizeof(reconstruct_args),
    .init = init,
    .run = run,
};
