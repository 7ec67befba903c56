/* cmd_embed.c: heterorr embed: pictures to a graph of their embeddings, with faces masked. */
#include "cli/figures.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/verb.h"

#include <heterorr/vision.h>

#include <inttypes.h>
#include <stdio.h>

typedef struct embed_args {
    cli_common common;
    hrr_embed_options embed;
    cli_list images;
    const char *output;
} embed_args;

static void init(void *args)
{
    embed_args *a = args;
    hrr_embed_options_init(&a->embed);
}

static const cli_option operands[] = {
    {.argument = "IMAGES",
     .kind = CLI_PATH,
     .required = true,
     .many = true,
     .at = offsetof(embed_args, images),
     .help = "pictures, and directories of pictures"},
    {0},
};

static const cli_option network_options[] = {
    {.name = "model",
     .kind = CLI_PATH,
     .argument = "M.onnx",
     .required = true,
     .at = offsetof(hrr_embed_options, model),
     .field = "model",
     .help = "the network that computes features from pictures"},
    {.name = "profile",
     .kind = CLI_LIST, /* a name, or a file */
     .argument = "P.json",
     .choices = hrr_embed_profiles,
     .at = offsetof(hrr_embed_options, profile),
     .field = "profile",
     .help = "the input that M expects, and the output tensor with the features: a JSON file or a "
             "built-in name; by default the file M.json beside M.onnx"},
    {.name = "runtime",
     .kind = CLI_PATH,
     .argument = "LIBRARY",
     .at = offsetof(hrr_embed_options, runtime),
     .field = "runtime",
     .help =
         "libonnxruntime.so, or the directory that contains it; by default HETERORR_ONNXRUNTIME, "
         "the library of the system, or the one that tools/onnxruntime fetched"},
    {.name = "batch",
     .kind = CLI_U32,
     .argument = "N",
     .least = 1,
     .most = 1024,
     .at = offsetof(hrr_embed_options, batch),
     .field = "batch",
     .help = "the number of pictures that the network processes at once"},
    {0},
};

static const cli_option mask_options[] = {
    {.name = "faces",
     .kind = CLI_PATH,
     .argument = "F.onnx",
     .at = offsetof(hrr_embed_options, faces),
     .field = "faces",
     .help = "mask the faces that this RetinaFace network finds"},
    {.name = "regions",
     .kind = CLI_PATH,
     .argument = "R.csv",
     .at = offsetof(hrr_embed_options, regions),
     .field = "regions",
     .help = "mask these boxes instead: columns picture, left, top, right, bottom, in pixels of "
             "the upright picture"},
    {.name = "least-score",
     .kind = CLI_REAL,
     .argument = "S",
     .low = 0,
     .high = 1,
     .at = offsetof(hrr_embed_options, least_score),
     .field = "least_score",
     .help = "the lowest score that counts as a face"},
    {.name = "most-overlap",
     .kind = CLI_REAL,
     .argument = "S",
     .low = 0,
     .high = 1,
     .at = offsetof(hrr_embed_options, most_overlap),
     .field = "most_overlap",
     .help = "if two boxes overlap by more than this share (intersection over union), keep only "
             "the one with the higher score"},
    {.name = "margin",
     .kind = CLI_REAL,
     .argument = "S",
     .low = 0,
     .high = 10,
     .at = offsetof(hrr_embed_options, margin),
     .field = "margin",
     .help = "enlarge each mask by this share of the box on each side"},
    {.name = "masked-pictures",
     .kind = CLI_DIRECTORY,
     .argument = "DIR",
     .at = offsetof(hrr_embed_options, masked_pictures),
     .field = "masked_pictures",
     .help = "write every masked picture to this directory as PNG, for inspection"},
    {0},
};

static const cli_option graph_options[] = {
    {.name = "edges",
     .kind = CLI_PATH,
     .argument = "FILE",
     .at = offsetof(hrr_embed_options, edges),
     .field = "edges",
     .help = "an edge list that uses the names of the pictures, with or without a column private: "
             "shared tags, owners, places"},
    {.name = "labels",
     .kind = CLI_PATH,
     .argument = "FILE",
     .at = offsetof(hrr_embed_options, labels),
     .field = "labels",
     .help = "labels, one row per picture: the first column is id, followed by one class, or by "
             "several columns of 0 and 1"},
    {0},
};

static const cli_option run_options[] = {
    {.name = "most-pixels",
     .kind = CLI_U64,
     .argument = "N",
     .least = 1,
     .at = offsetof(hrr_embed_options, most_pixels),
     .field = "most_pixels",
     .help = "refuse pictures with more pixels than this, before decoding"},
    {.name = "long-side",
     .kind = CLI_U32,
     .argument = "N",
     .least = 16,
     .most = 16384,
     .at = offsetof(hrr_embed_options, long_side),
     .field = "long_side",
     .help = "shrink pictures to this many pixels before detecting faces"},
    {.name = "threads",
     .kind = CLI_INT,
     .argument = "T",
     .most = 4096,
     .at = offsetof(hrr_embed_options, threads),
     .field = "threads",
     .help = "the number of threads; 0 uses all processors"},
    {.name = "force",
     .at = offsetof(hrr_embed_options, replace),
     .field = "replace",
     .help = "replace the directory if it exists, and an unfinished run with other pictures or "
             "settings"},
    {0},
};

static const cli_option output_options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_DIRECTORY,
     .argument = "DIR",
     .required = true,
     .at = offsetof(embed_args, output),
     .help = "the graph directory to write; it is private"},
    {0},
};

static const cli_option_set sets[] = {
    {"Network", network_options, offsetof(embed_args, embed)},
    {"Masking", mask_options, offsetof(embed_args, embed)},
    {"Graph", graph_options, offsetof(embed_args, embed)},
    {"Running", output_options, 0},
    {NULL, run_options, offsetof(embed_args, embed)},
    {"Options", cli_common_options, offsetof(embed_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr embed photos -o pictures --model resnet50.onnx --profile resnet50-torchvision "
     "--faces "
     "retinaface.onnx",
     "Embed every picture in photos, unchanged and with its faces masked."},
    {"heterorr embed photos -o pictures --model m.onnx --regions boxes.csv --edges tags.csv "
     "--labels "
     "classes.csv",
     "Mask boxes from another detector; m.json describes the input of m.onnx; add edges and "
     "labels."},
    {"heterorr scores --embeddings pictures/z.npy --masked pictures/zhat.npy --labels "
     "pictures/labels.npy -o weights.npz",
     "The sensitivity of each feature, from the two embeddings."},
    {0},
};

static void print_summary(FILE *to, const embed_args *a, const hrr_embed_summary *s)
{
    fprintf(to, "%s: %s, %s each", a->output, cli_count(s->pictures, "picture", "pictures").text,
            cli_count(s->features, "feature", "features").text);
    if (a->embed.edges) fprintf(to, ", %s", cli_count(s->edges, "edge", "edges").text);
    fprintf(to, "\n");
    if (a->embed.faces || a->embed.regions)
        fprintf(to, "masked: %s; %s nothing to mask, so zhat equals z there\n",
                cli_count(s->boxes, "box", "boxes").text,
                cli_count(s->without_boxes, "picture has", "pictures have").text);
    if (s->from_before)
        fprintf(to, "%s done before the interruption\n",
                cli_count(s->from_before, "picture was", "pictures were").text);
    fprintf(to, "PRIVATE: pictures can be reconstructed from embeddings; publish only the output "
                "of heterorr protect\n");
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const embed_args *a = args;
    hrr_embed_summary s = {0};
    hrr_status status =
        hrr_embed(&s, a->images.items, a->images.n, a->output, &a->embed, task->progress, err);
    if (status) return status;
    cli_progress_erase();
    if (s.not_pictures)
        cli_note("%s skipped, because the file name does not end like that of a picture",
                 cli_count(s.not_pictures, "file was", "files were").text);
    if (!task->json) {
        print_summary(task->talk, a, &s);
        return HRR_OK;
    }
    const double seconds = cli_clock() - task->began;
    task->result = json_pack(
        "{s:o, s:I, s:I, s:b, s:I, s:I, s:I, s:I, s:I, s:b, s:f, s:f, s:I}", "output",
        cli_json_text(a->output), "pictures", (json_int_t)s.pictures, "features",
        (json_int_t)s.features, "masked", a->embed.faces || a->embed.regions, "boxes",
        (json_int_t)s.boxes, "without_boxes", (json_int_t)s.without_boxes, "edges",
        (json_int_t)s.edges, "from_before", (json_int_t)s.from_before, "not_pictures",
        (json_int_t)s.not_pictures, "private", 0, "seconds", seconds, "pictures_per_second",
        seconds > 0 ? (double)(s.pictures - s.from_before) / seconds : 0, "peak_rss_bytes",
        (json_int_t)cli_peak_memory());
    return task->result ? HRR_OK : hrr_fail(err, HRR_ENOMEM, "out of memory");
}

const cli_verb cli_verb_embed = {
    .name = "embed",
    .summary = "make a graph of pictures from their embeddings, with faces masked",
    .description =
        "Runs a pretrained network (ONNX) on every picture, unchanged (z) and with faces or other "
        "regions masked (zhat), and writes a graph directory with one node per picture: z.npy, "
        "zhat.npy, boxes.csv, ids.csv. heterorr scores, protect and train read this directory. "
        "Embeddings of private pictures are private, because pictures can be reconstructed from "
        "them. If a run is interrupted, the same command continues it. libvips decodes the "
        "pictures and ONNX Runtime runs the networks; both are loaded only when they are needed.",
    .examples = examples,
    .operands = operands,
    .sets = sets,
    .args_size = sizeof(embed_args),
    .init = init,
    .run = run,
};
