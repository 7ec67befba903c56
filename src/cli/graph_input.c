/* graph_input.c: see graph_input.h. */
#include "cli/graph_input.h"
#include "cli/message.h"
#include "cli/progress.h"

#include <sys/stat.h>

static const char *const *header_words(void)
{
    static const char *const words[] = {"yes", "no", NULL};
    return words;
}

const cli_option cli_graph_options[] = {
    {.name = "format",
     .kind = CLI_CHOICE,
     .argument = "NAME",
     .choices = hrr_graph_formats,
     .at = offsetof(hrr_read_options, format),
     .field = "format",
     .help = "the format of GRAPH, if it cannot be recognised"},
    {.name = "header",
     .kind = CLI_CHOICE,
     .argument = "WORD",
     .choices = header_words,
     .at = offsetof(hrr_read_options, header),
     .field = "header",
     .help = "whether the first row of each text file names its columns, yes or no; by default the "
             "program decides by comparing it with the other rows"},
    {.name = "private-column",
     .kind = CLI_TEXT,
     .argument = "NAME",
     .at = offsetof(hrr_read_options, private_column),
     .field = "private_column",
     .help = "the column, or the edge attribute, that marks private edges"},
    {.name = "private-edges",
     .kind = CLI_PATH,
     .argument = "FILE",
     .at = offsetof(hrr_read_options, private_edges),
     .field = "private_edges",
     .help = "an edge list of private edges, with the graph's own node ids"},
    {.name = "all-private",
     .at = offsetof(hrr_read_options, all_private),
     .field = "all_private",
     .help = "every edge is private"},
    {.name = "private-fraction",
     .kind = CLI_REAL,
     .argument = "R",
     .low = 0,
     .high = 1,
     .at = offsetof(hrr_read_options, private_fraction),
     .field = "private_fraction",
     .help = "for experiments: mark this share of the edges as private, at random"},
    {.name = "mark-seed",
     .kind = CLI_U64,
     .argument = "N",
     .at = offsetof(hrr_read_options, mark_seed),
     .field = "mark_seed",
     .help = "the seed for --private-fraction"},
    {.name = "candidates",
     .kind = CLI_PATH,
     .argument = "FILE",
     .at = offsetof(hrr_read_options, candidates),
     .field = "candidates",
     .help =
         "a file of the nodes that private edges may join, one id per line; by default all nodes"},
    {.name = "node-features",
     .kind = CLI_PATH,
     .argument = "FILE",
     .at = offsetof(hrr_read_options, features),
     .field = "features",
     .help = "features for a graph that has none: an npy or csv file with one row per node; row i "
             "belongs to node i, unless the first column is named id"},
    {.name = "node-labels",
     .kind = CLI_PATH,
     .argument = "FILE",
     .at = offsetof(hrr_read_options, labels),
     .field = "labels",
     .help = "labels in the same layout, also to replace the labels of GRAPH: classes 0, 1, 2, "
             "..., or -1 where unknown; or several columns of 0 and 1"},
    {.name = "label-column",
     .kind = CLI_TEXT,
     .argument = "NAME",
     .at = offsetof(hrr_read_options, label_column),
     .field = "label_column",
     .help = "the column with the labels, in a MUSAE target table or in --node-labels; or the node "
             "attribute"},
    {.name = "n-features",
     .kind = CLI_U64,
     .argument = "N",
     .most = 1 << 20,
     .at = offsetof(hrr_read_options, n_features),
     .field = "n_features",
     .help = "the publicly known number of features, for a format that does not state it (MUSAE); "
             "by default the largest feature id decides"},
    {.name = "threads",
     .kind = CLI_INT,
     .argument = "T",
     .most = 4096,
     .at = offsetof(hrr_read_options, threads),
     .field = "threads",
     .help = "the number of threads; 0 uses all processors"},
    {0},
};

const cli_option cli_scratch_options[] = {
    {.name = "scratch",
     .kind = CLI_DIRECTORY,
     .argument = "DIR",
     .field = "scratch",
     .help = "for a graph larger than memory: keep large arrays in nameless files on the disk of "
             "DIR; private data may be written there, so the disk must be trusted"},
    {0},
};

void cli_read_begin(cli_read_talk *out, const hrr_read_options *options)
{
    *out = (cli_read_talk){.options = *options};
    out->options.report = &out->report;
}

void cli_read_end(cli_read_talk *talk, const char *path, const hrr_graph *graph)
{
    const hrr_read_options *o = &talk->options;
    if (talk->report.n_notes) cli_progress_erase();
    for (size_t i = 0; i < talk->report.n_notes; i++)
        cli_note("%s", talk->report.notes[i]);
    hrr_read_report_clear(&talk->report);
    const bool chosen = o->private_column || o->private_fraction >= 0 || o->all_private;
    if (graph && hrr_graph_n_marks(graph) > 1 && !chosen) {
        cli_progress_erase();
        cli_note("%s has %d columns that mark private edges; an edge is private if any of them "
                 "marks it. Choose one with --private-column.",
                 path, hrr_graph_n_marks(graph));
    }
}

hrr_status cli_read_graph(hrr_graph **out, const char *path, const hrr_read_options *options,
                          hrr_progress *progress, hrr_error *err)
{
    cli_read_talk talk;
    *out = NULL;
    cli_read_begin(&talk, options);
    hrr_status status = hrr_graph_read(out, path, &talk.options, progress, err);
    cli_read_end(&talk, path, status ? NULL : *out);
    return status;
}

const char *cli_graph_format(const char *path, const hrr_read_options *options)
{
    const char *format = options->format ? options->format : hrr_graph_recognise(path, NULL);
    return format ? format : "unknown";
}

hrr_status cli_refuse_own_place(const char *graph, const char *output, hrr_error *err)
{
    struct stat from, to;
    bool same = stat(graph, &from) == 0 && stat(output, &to) == 0 && from.st_dev == to.st_dev &&
                from.st_ino == to.st_ino;
    if (!same) return HRR_OK;
    return hrr_fail(err, HRR_EINVAL, "%s is the graph itself; choose another path", output);
}

hrr_status cli_refuse_existing(const char *output, bool force, hrr_error *err)
{
    struct stat there;
    if (force || stat(output, &there) != 0) return HRR_OK;
    return hrr_fail(err, HRR_EINVAL,
                    "%s: exists already; remove it, choose another path, or pass --force", output);
}
