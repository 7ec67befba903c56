/* cmd_convert.c: heterorr convert: a graph in another layout. What was written is read again and
 * compared with the original, so that what is reported as kept was seen to be there. */
#include "cli/figures.h"
#include "cli/graph_copy.h"
#include "cli/graph_input.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/progress.h"

#include <heterorr/certificate.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct convert_args {
    cli_common common;
    hrr_read_options read;
    hrr_write_options write;
    const char *graph;
    const char *output;
    const char *scratch;
} convert_args;

static void init(void *args)
{
    convert_args *a = args;
    hrr_read_options_init(&a->read);
    hrr_write_options_init(&a->write);
}

static const char *const *target_formats(void)
{
    static const char *const names[] = {"native", "edges",   "npz",   "mtx", "graphml",
                                        "gexf",   "parquet", "neo4j", NULL};
    return names;
}

static const char *const *codecs(void)
{
    static const char *const names[] = {"zstd", "none", NULL};
    return names;
}

static const cli_option operands[] = {
    {.argument = "GRAPH",
     .kind = CLI_PATH,
     .required = true,
     .at = offsetof(convert_args, graph),
     .help = "a graph file, a graph directory, or the prefix of its files"},
    {0},
};

static const cli_option write_options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_PATH,
     .argument = "OUT",
     .required = true,
     .at = offsetof(convert_args, output),
     .help = "the output; its ending (.csv .tsv .txt .mtx .graphml .gexf, also with .gz or .zst, "
             ".npz or .parquet) sets the format; a name without an ending is a graph directory"},
    {.name = "to",
     .kind = CLI_CHOICE,
     .argument = "FORMAT",
     .choices = target_formats,
     .at = offsetof(convert_args, write.format),
     .help = "the format of OUT, whatever its ending; neo4j writes a directory, and parquet writes "
             "a directory of nodes and edges unless OUT ends with .parquet"},
    {.name = "compression",
     .kind = CLI_CHOICE,
     .argument = "CODEC",
     .choices = codecs,
     .at = offsetof(convert_args, write.compression),
     .field = "compression",
     .help = "the compression of Parquet: zstd (the default) or none"},
    {.name = "shard-rows",
     .kind = CLI_U64,
     .argument = "N",
     .at = offsetof(convert_args, write.shard_rows),
     .field = "shard_rows",
     .help =
         "cut features into files of N rows, rounded up to a multiple of 4096; 0 writes one file"},
    {.name = "shard-edges",
     .kind = CLI_U64,
     .argument = "N",
     .at = offsetof(convert_args, write.shard_edges),
     .field = "shard_edges",
     .help = "cut edges and their private marks into files of N edges in the same way"},
    {.name = "force",
     .at = offsetof(convert_args, write.replace),
     .field = "replace",
     .help = "replace OUT if it exists"},
    {0},
};

static const cli_option_set sets[] = {
    {"Writing the copy", write_options, 0},
    {"Reading the graph", cli_graph_options, offsetof(convert_args, read)},
    {NULL, cli_scratch_options, offsetof(convert_args, scratch)},
    {"Options", cli_common_options, offsetof(convert_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr convert twitch/ES -o es", "Any known format to a graph directory."},
    {"heterorr convert graph -o edges.csv.gz", "The edges and their private marks as text."},
    {"heterorr convert released --to neo4j -o import",
     "nodes.csv and relationships.csv for neo4j-admin database import."},
    {"heterorr convert released --to parquet -o tables",
     "nodes.parquet and edges.parquet for pandas, polars, DuckDB and Spark."},
    {"heterorr convert friends.csv --scratch /var/tmp -o sorted",
     "An edge list larger than memory, sorted on the disk of /var/tmp."},
    {"heterorr convert friends.csv --private-fraction 0.1 -o graph",
     "Mark a tenth of the edges as private, for an experiment."},
    {0},
};

/* A pipe or a device cannot be read again, nor a layout that is only written. */
static bool can_be_read_again(const char *path, const char *format)
{
    struct stat there;
    bool is_read = !format;
    for (const char *const *name = hrr_graph_formats(); *name && !is_read; name++)
        is_read = strcmp(*name, format) == 0;
    if (!is_read) return false;
    return stat(path, &there) != 0 || S_ISREG(there.st_mode) || S_ISDIR(there.st_mode);
}

/* "a, b and c" */
static void join(char *out, size_t size, const json_t *list)
{
    size_t used = 0, count = json_array_size(list);
    out[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const char *before = i == 0 ? "" : i + 1 == count ? " and " : ", ";
        int length = snprintf(out + used, size - used, "%s%s", before,
                              json_string_value(json_array_get(list, i)));
        if (length > 0 && (size_t)length < size - used) used += (size_t)length;
    }
}

static bool lists(const json_t *list, const char *name)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(json_string_value(json_array_get(list, i)), name) == 0) return true;
    return false;
}

static void print_summary(FILE *to, const hrr_graph *graph, const convert_args *a,
                          const json_t *kept, const json_t *dropped)
{
    char list[512];
    fprintf(to, "%s: %s, %s (%s private)\n", a->output,
            cli_count(hrr_graph_n_nodes(graph), "node", "nodes").text,
            cli_count(hrr_graph_n_edges(graph), "edge", "edges").text,
            cli_grouped(hrr_graph_n_private_edges(graph)).text);
    if (!kept) {
        fprintf(to, "the copy was not checked, because this format cannot be read again\n");
        return;
    }
    join(list, sizeof list, kept);
    fprintf(to, "read again and found equal: %s\n", list);
    if (json_array_size(dropped) == 0) return;
    join(list, sizeof list, dropped);
    fprintf(to, "not in the copy, because its format cannot store it: %s\n", list);
}

static hrr_status check_copy(json_t **kept, json_t **dropped, const hrr_graph *graph,
                             const convert_args *a, hrr_progress *progress, hrr_error *err)
{
    hrr_graph *copy = NULL;
    hrr_read_options options;
    hrr_read_options_init(&options);
    options.format = a->write.format;
    options.threads = a->read.threads;
    hrr_status status = hrr_graph_read(&copy, a->output, &options, progress, err);
    if (!status) status = cli_compare_copy(kept, dropped, graph, copy, progress, err);
    hrr_graph_free(copy);
    return status;
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const convert_args *a = args;
    hrr_graph *graph = NULL;
    json_t *kept = NULL, *dropped = NULL;
    hrr_status status = cli_refuse_own_place(a->graph, a->output, err);
    if (!status) status = hrr_set_scratch(a->scratch, err);
    if (!status) status = hrr_graph_write_check(a->output, &a->write, err);
    if (!status) status = cli_read_graph(&graph, a->graph, &a->read, task->progress, err);
    if (status) goto done;
    if ((status = hrr_graph_write(graph, a->output, &a->write, task->progress, err))) goto done;
    if (can_be_read_again(a->output, a->write.format))
        status = check_copy(&kept, &dropped, graph, a, task->progress, err);
    if (status) goto done;
    cli_progress_erase();
    if (hrr_path_is_bundle(a->graph)) /* whoever gets the copy must be told otherwise */
        cli_note("%s is a release; its certificate, which states the guarantee, is not part of the "
                 "copy.",
                 a->graph);
    if (lists(dropped, "private marks"))
        cli_note("%s does not say which edges are private and contains all of them, so its readers "
                 "cannot distinguish private from public edges.",
                 a->output);
    if (!task->json) {
        print_summary(task->talk, graph, a, kept, dropped);
        goto done;
    }
    uint64_t edges = hrr_graph_n_edges(graph), private_edges = hrr_graph_n_private_edges(graph);
    task->result = json_pack(
        "{s:o, s:b, s:O?, s:O?, s:I, s:I, s:I, s:I, s:f, s:I}", "output", cli_json_text(a->output),
        "checked", kept != NULL, "kept", kept, "dropped", dropped, "nodes",
        (json_int_t)hrr_graph_n_nodes(graph), "edges", (json_int_t)edges, "private_edges",
        (json_int_t)private_edges, "public_edges", (json_int_t)(edges - private_edges), "seconds",
        cli_clock() - task->began, "peak_rss_bytes", (json_int_t)cli_peak_memory());
    if (!task->result) status = hrr_fail(err, HRR_ENOMEM, "out of memory");
done:
    json_decref(kept);
    json_decref(dropped);
    hrr_graph_free(graph);
    return status;
}

const cli_verb cli_verb_convert = {
    .name = "convert",
    .summary = "write a graph in another format",
    .description =
        "Reads a graph in any known format and writes it in another. The copy is read again and "
        "compared with the original, and the program lists what the new format cannot store.",
    .examples = examples,
    .operands = operands,
    .sets = sets,
    .args_size = sizeof(convert_args),
    .init = init,
    .run = run,
};
