/* cmd_inspect.c: heterorr inspect: what is in a graph. The figures are those of the private graph
 * itself, exact and unprotected, and the output says so. */
#include "cli/feature_ranges.h"
#include "cli/figures.h"
#include "cli/graph_facts.h"
#include "cli/graph_input.h"
#include "cli/json.h"
#include "cli/progress.h"

#include <heterorr/certificate.h>

#include <math.h>
#include <inttypes.h>

typedef struct inspect_args {
    cli_common common;
    hrr_read_options read;
    const char *graph, *bounds_out, *scratch;
} inspect_args;

static void init(void *args)
{
    hrr_read_options_init(&((inspect_args *)args)->read);
}

static const cli_option operands[] = {
    {.argument = "GRAPH",
     .kind = CLI_PATH,
     .required = true,
     .at = offsetof(inspect_args, graph),
     .help = "a graph file, a graph directory, or the prefix of its files"},
    {0},
};

static const cli_option options[] = {
    {.name = "bounds-out",
     .kind = CLI_PATH,
     .argument = "FILE.csv",
     .at = offsetof(inspect_args, bounds_out),
     .help = "write suggested bounds of the features, one line each; correct them before you pass "
             "them to protect"},
    {0},
};

static const cli_option_set sets[] = {
    {"Inspecting", options, 0},
    {"Reading the graph", cli_graph_options, offsetof(inspect_args, read)},
    {NULL, cli_scratch_options, offsetof(inspect_args, scratch)},
    {"Options", cli_common_options, offsetof(inspect_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr inspect graph", "Sizes, degrees, labels and features of a graph directory."},
    {"heterorr inspect friends.csv --private-column hidden",
     "An edge list in which one column marks private edges."},
    {"heterorr inspect cora.npz --bounds-out bounds.csv",
     "Suggested bounds for protect, which you correct from common knowledge."},
    {"heterorr inspect twitch/ES --json", "The same results for a script."},
    {0},
};

/* What was found out. */
typedef struct inspection {
    cli_graph_facts facts;
    cli_feature_ranges ranges;
    char bounds[4200]; /* the option to declare bounds with; "": there is nothing to declare */
} inspection;

/* The last line: what these figures are about. */
static const char *warning_for(const char *path)
{
    return hrr_path_is_bundle(path)
               ? "This is a release; its CERTIFICATE.txt states the guarantee."
               : "These results describe the private graph itself; do not publish them.";
}

/* ---- for scripts ---------------------------------------------------------------------------- */

static json_t *quantiles_json(const cli_graph_facts *facts)
{
    json_t *quantiles = json_object();
    for (int q = 0; q < CLI_N_QUANTILES; q++)
        json_object_set_new(quantiles, cli_real(cli_quantiles[q]).text,
                            json_integer((json_int_t)facts->degree_quantile[q]));
    return quantiles;
}

static json_t *columns_json(const hrr_graph *graph)
{
    json_t *columns = json_object();
    for (int mark = 0; mark < hrr_graph_n_marks(graph); mark++)
        json_object_set_new(columns, hrr_graph_mark_name(graph, mark),
                            json_integer((json_int_t)hrr_graph_mark_edges_count(graph, mark)));
    return columns;
}

static json_t *labels_json(const hrr_graph *graph, const cli_graph_facts *facts)
{
    json_t *labels = json_array();
    for (uint32_t c = 0; facts->nodes_of_class && c < hrr_graph_n_classes(graph); c++)
        json_array_append_new(labels, json_pack("{s:I, s:o, s:I}", "label", (json_int_t)c, "name",
                                                cli_json_text(hrr_graph_class_name(graph, c)),
                                                "nodes", (json_int_t)facts->nodes_of_class[c]));
    return labels;
}

static json_t *split_json(const hrr_graph *graph, const cli_graph_facts *facts)
{
    if (!hrr_graph_split(graph)) return json_null();
    return json_pack("{s:I, s:I, s:I}", "train", (json_int_t)facts->split_size[HRR_TRAIN], "valid",
                     (json_int_t)facts->split_size[HRR_VALID], "test",
                     (json_int_t)facts->split_size[HRR_TEST]);
}

static json_t *numbers_json(const double *value, uint64_t n)
{
    json_t *list = value ? json_array() : json_null();
    for (uint64_t i = 0; value && i < n; i++)
        json_array_append_new(list, json_real(value[i]));
    return list;
}

/* stated_*: by the format; without them --bounds is needed, and one is suggested. */
static json_t *bounds_json(const hrr_graph *graph, const inspection *found)
{
    const cli_feature_ranges *r = &found->ranges;
    const uint64_t d = hrr_graph_features(graph) ? hrr_graph_features(graph)->cols : 0;
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "stated_lo",
                     numbers_json(hrr_graph_feature_lo(graph), d), "stated_hi",
                     numbers_json(hrr_graph_feature_hi(graph), d), "low", numbers_json(r->low, d),
                     "high", numbers_json(r->high, d), "suggested",
                     *found->bounds ? json_string(found->bounds) : json_null());
}

/* Who said which edges are private. */
static const char *marking_word(const hrr_graph *graph)
{
    static const char *const words[] = {
        [HRR_UNDECIDED] = "undecided", [HRR_MARKED] = "marked", [HRR_ALL_PUBLIC] = "all public"};
    return words[hrr_graph_marking(graph)];
}

static json_t *inspect_json(const hrr_graph *graph, const inspection *found, const char *format,
                            const char *warning)
{
    const cli_graph_facts *facts = &found->facts;
    const hrr_dense *features = hrr_graph_features(graph);
    hrr_removed removed = hrr_graph_removed(graph);
    json_int_t edges = (json_int_t)hrr_graph_n_edges(graph);
    json_int_t private_edges = (json_int_t)hrr_graph_n_private_edges(graph);
    json_int_t undecided = hrr_graph_marking(graph) == HRR_UNDECIDED ? edges : 0;
    json_t *size = json_pack(
        "{s:o, s:s, s:I, s:I, s:I, s:I, s:I, s:s, s:I, s:I, s:b, s:I}", "name",
        cli_json_text(hrr_graph_name(graph)), "format", format, "nodes",
        (json_int_t)hrr_graph_n_nodes(graph), "edges", edges, "private_edges", private_edges,
        "public_edges", edges - private_edges - undecided, "undecided_edges", undecided, "marking",
        marking_word(graph), "features", (json_int_t)(features ? features->cols : 0), "classes",
        (json_int_t)hrr_graph_n_classes(graph), "multilabel", hrr_graph_is_multilabel(graph),
        "graphs", (json_int_t)hrr_graph_n_graphs(graph));
    json_t *cleaning = json_pack(
        "{s:I, s:I, s:I, s:I}", "self_loops_removed", (json_int_t)removed.self_loops,
        "duplicates_removed", (json_int_t)removed.duplicates, "isolated_nodes_removed",
        (json_int_t)removed.isolated_nodes, "isolated_nodes", (json_int_t)facts->isolated_nodes);
    json_t *shape = json_pack("{s:f, s:f, s:I, s:o, s:o}", "density", facts->density, "mean_degree",
                              facts->mean_degree, "max_degree", (json_int_t)facts->max_degree,
                              "degree_quantiles", quantiles_json(facts), "private_columns",
                              columns_json(graph));
    json_t *content = json_pack(
        "{s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:I, s:o, s:s}", "labels",
        labels_json(graph, facts), "unlabelled_nodes", (json_int_t)facts->unlabelled, "homophily",
        cli_json_real(facts->homophily), "split", split_json(graph, facts), "feature_type",
        cli_json_text(features ? hrr_dtype_name(features->dtype) : NULL), "feature_min",
        cli_json_real(facts->feature_low), "feature_max", cli_json_real(facts->feature_high),
        "feature_nonzero_share", cli_json_real(facts->feature_nonzero), "masked_features",
        hrr_graph_masked_features(graph) != NULL, "candidates", (json_int_t)facts->candidates,
        "provenance", cli_json_text(hrr_graph_provenance(graph)), "warning", warning);
    bool whole = json_object_update(size, cleaning) == 0 && json_object_update(size, shape) == 0 &&
                 json_object_update(size, content) == 0 &&
                 json_object_set_new(size, "feature_bounds", bounds_json(graph, found)) == 0;
    json_decref(cleaning);
    json_decref(shape);
    json_decref(content);
    if (whole) return size;
    json_decref(size);
    return NULL;
}

/* ---- for people ----------------------------------------------------------------------------- */

enum { most_labels_shown = 12, most_features_shown = 12, bar_cells = 32 };

static void row(const char *label, cli_text value, const char *remark)
{
    printf("  %-26s %14s%s%s\n", label, value.text, *remark ? "   " : "", remark);
}

static void print_sizes(const hrr_graph *graph, const cli_graph_facts *facts)
{
    uint64_t edges = hrr_graph_n_edges(graph), private_edges = hrr_graph_n_private_edges(graph);
    row("Nodes", cli_grouped(hrr_graph_n_nodes(graph)), "");
    if (hrr_graph_n_graphs(graph) > 1)
        row("  in graphs", cli_grouped(hrr_graph_n_graphs(graph)), "");
    if (facts->isolated_nodes) row("  without edges", cli_grouped(facts->isolated_nodes), "");
    if (hrr_graph_candidates(graph))
        row("  candidates", cli_grouped(facts->candidates), "that private edges may join");
    row("Edges", cli_grouped(edges), "");
    if (hrr_graph_marking(graph) == HRR_UNDECIDED) {
        row("  undecided", cli_grouped(edges), "nothing says which edges are private");
    } else {
        row("  private", cli_grouped(private_edges), "");
        row("  public", cli_grouped(edges - private_edges), "");
    }
    for (int mark = 0; hrr_graph_n_marks(graph) > 1 && mark < hrr_graph_n_marks(graph); mark++) {
        char label[64];
        snprintf(label, sizeof label, "  marked by %.40s", hrr_graph_mark_name(graph, mark));
        row(label, cli_grouped(hrr_graph_mark_edges_count(graph, mark)), "");
    }
    row("Density", cli_real(facts->density), "edges over pairs of nodes");

    hrr_removed removed = hrr_graph_removed(graph);
    printf("\n");
    row("Self-loops removed", cli_grouped(removed.self_loops), "");
    row("Repeated edges removed", cli_grouped(removed.duplicates), "");
    if (removed.isolated_nodes)
        row("Isolated nodes removed", cli_grouped(removed.isolated_nodes),
            "which occurred only in self-loops");
}

/* Bins 0, 1, 2, 3-4, 5-8, ...: degrees spread over orders of magnitude. */
static void print_degrees(const cli_graph_facts *facts)
{
    uint64_t bins[66] = {0}, largest = 1;
    size_t n_bins = 0;
    for (uint64_t d = 0; d <= facts->max_degree; d++) {
        size_t bin = d <= 2 ? d : 65 - (size_t)__builtin_clzll(d - 1);
        bins[bin] += facts->nodes_of_degree[d];
        if (bins[bin] > largest) largest = bins[bin];
        n_bins = bin + 1;
    }
    printf("\n  %-26s %14s\n", "Degree", "nodes");
    for (size_t bin = facts->isolated_nodes ? 0 : 1; bin < n_bins; bin++) {
        uint64_t high = bin <= 2 ? bin : (uint64_t)1 << (bin - 1);
        uint64_t low = bin <= 2 ? bin : high / 2 + 1;
        char label[128];
        if (low == high)
            snprintf(label, sizeof label, "  %s", cli_grouped(low).text);
        else
            snprintf(label, sizeof label, "  %s to %s", cli_grouped(low).text,
                     cli_grouped(high).text);
        printf("  %-26s %14s   ", label, cli_grouped(bins[bin]).text);
        cli_print_bar(stdout, (double)bins[bin] / (double)largest, bar_cells);
        printf("\n");
    }
    printf("    mean %s, median %s, 90 %% up to %s, 99 %% up to %s, largest %s\n",
           cli_real(facts->mean_degree).text, cli_grouped(facts->degree_quantile[1]).text,
           cli_grouped(facts->degree_quantile[3]).text, cli_grouped(facts->degree_quantile[4]).text,
           cli_grouped(facts->max_degree).text);
}

static void print_labels(const hrr_graph *graph, const cli_graph_facts *facts)
{
    if (!facts->nodes_of_class) return;
    uint32_t n_classes = hrr_graph_n_classes(graph);
    double n = (double)hrr_graph_n_nodes(graph);
    printf("\n  %-26s %14s%s\n", hrr_graph_is_multilabel(graph) ? "Label" : "Class", "nodes",
           hrr_graph_is_multilabel(graph) ? "   (a node may have several)" : "");
    for (uint32_t c = 0; c < n_classes && c < most_labels_shown; c++) {
        const char *name = hrr_graph_class_name(graph, c);
        char label[64];
        snprintf(label, sizeof label, "  %" PRIu32 "%s%.40s", c, name ? " " : "", name ? name : "");
        char share[64];
        snprintf(share, sizeof share, "%7s",
                 cli_percent((double)facts->nodes_of_class[c] / n).text);
        row(label, cli_grouped(facts->nodes_of_class[c]), share);
    }
    if (n_classes > most_labels_shown)
        printf("    and %" PRIu32 " more; --json lists them all\n", n_classes - most_labels_shown);
    if (facts->unlabelled) row("  unknown", cli_grouped(facts->unlabelled), "");
    if (!isnan(facts->homophily))
        row("  homophily", cli_percent(facts->homophily), "of edges join nodes of one class");
}

static cli_text between(double low, double high)
{
    cli_text text;
    snprintf(text.text, sizeof text.text, "%.20s to %.20s", cli_real(low).text,
             cli_real(high).text);
    return text;
}

/* What protect will ask for, said to the one who knows. */
static void print_bounds(const hrr_graph *graph, const inspection *found)
{
    const cli_feature_ranges *r = &found->ranges;
    const double *lo = hrr_graph_feature_lo(graph), *hi = hrr_graph_feature_hi(graph);
    if (!lo && !*found->bounds) return;
    if (lo) {
        bool alike = true;
        for (uint64_t i = 1; i < hrr_graph_features(graph)->cols; i++)
            alike = alike && lo[i] == lo[0] && hi[i] == hi[0];
        row("  bounds stated", alike ? between(lo[0], hi[0]) : (cli_text){"for each"},
            "by the format; protect uses them");
        return;
    }
    for (uint64_t i = 0; !r->alike && i < r->n_features && i < most_features_shown; i++) {
        char label[64], remark[96];
        snprintf(label, sizeof label, "  feature %" PRIu64, i);
        snprintf(remark, sizeof remark, "rounded: %s", between(r->at_least[i], r->at_most[i]).text);
        row(label, between(r->low[i], r->high[i]), remark);
    }
    if (!r->alike && r->n_features > most_features_shown)
        printf("    and %s more; --json lists them all\n",
               cli_grouped(r->n_features - most_features_shown).text);
    printf("\n  protect needs bounds of the features. A possible declaration: %s%s\n  It was "
           "rounded from private values, and bounds are published: give commonly known bounds\n  "
           "instead, such as 0,120 for ages.\n",
           found->bounds, r->alike ? "" : " (inspect --bounds-out writes that file)");
}

static void print_features(const hrr_graph *graph, const inspection *found)
{
    const cli_graph_facts *facts = &found->facts;
    const hrr_dense *features = hrr_graph_features(graph);
    printf("\n");
    row("Features", cli_grouped(features ? features->cols : 0), "");
    if (features && features->cols) {
        char range[128];
        snprintf(range, sizeof range, "from %s to %s", cli_real(facts->feature_low).text,
                 cli_real(facts->feature_high).text);
        cli_text type = {0};
        snprintf(type.text, sizeof type.text, "%s", hrr_dtype_name(features->dtype));
        row("  type", type, range);
        row("  not zero", cli_percent(facts->feature_nonzero), "");
        if (hrr_graph_masked_features(graph)) row("  masked copy", (cli_text){"yes"}, "");
        print_bounds(graph, found);
    }
    if (hrr_graph_split(graph)) {
        printf("\n  Split: %s train, %s valid, %s test\n",
               cli_grouped(facts->split_size[HRR_TRAIN]).text,
               cli_grouped(facts->split_size[HRR_VALID]).text,
               cli_grouped(facts->split_size[HRR_TEST]).text);
    }
    const char *provenance = hrr_graph_provenance(graph);
    if (provenance && *provenance) printf("\n  From: %s\n", provenance);
}

/* Where the format states bounds there is nothing to suggest, nor of a release, which is clipped.
 */
static hrr_status look_at_bounds(inspection *found, const hrr_graph *graph, const inspect_args *a,
                                 cli_task *task, hrr_error *err)
{
    const bool stated = hrr_graph_feature_lo(graph) || hrr_path_is_bundle(a->graph);
    if (a->bounds_out && (stated || !hrr_graph_features(graph)))
        return hrr_fail(err, HRR_EINVAL, "%s; leave --bounds-out out",
                        stated ? "the input already states the bounds of its features"
                               : "the graph has no features");
    if (stated || !hrr_graph_features(graph)) return HRR_OK;
    hrr_status status = cli_feature_ranges_init(&found->ranges, graph, task->progress, err);
    if (status) return status;
    cli_feature_ranges_option(found->bounds, sizeof found->bounds, &found->ranges,
                              a->bounds_out ? a->bounds_out : "bounds.csv");
    return a->bounds_out ? cli_feature_ranges_write(&found->ranges, a->bounds_out, err) : HRR_OK;
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const inspect_args *a = args;
    hrr_graph *graph = NULL;
    inspection found = {0};
    hrr_status status = hrr_set_scratch(a->scratch, err);
    if (!status) status = cli_read_graph(&graph, a->graph, &a->read, task->progress, err);
    if (status) goto done;
    if ((status = cli_graph_facts_init(&found.facts, graph, task->progress, err))) goto done;
    if ((status = look_at_bounds(&found, graph, a, task, err))) goto done;
    cli_progress_erase();
    const char *format = cli_graph_format(a->graph, &a->read);
    if (task->json) {
        task->result = inspect_json(graph, &found, format, warning_for(a->graph));
        if (!task->result) status = hrr_fail(err, HRR_ENOMEM, "out of memory");
        goto done;
    }
    printf("%s   (%s, format %s)\n\n", hrr_graph_name(graph), a->graph, format);
    print_sizes(graph, &found.facts);
    print_degrees(&found.facts);
    print_labels(graph, &found.facts);
    print_features(graph, &found);
    printf("\n%s\n", warning_for(a->graph));
done:
    cli_graph_facts_clear(&found.facts);
    cli_feature_ranges_clear(&found.ranges);
    hrr_graph_free(graph);
    return status;
}

const cli_verb cli_verb_inspect = {
    .name = "inspect",
    .summary = "show the contents of a graph",
    .description =
        "Reads a graph in any known format, checks it, and shows its sizes, private and public "
        "edges, degrees, labels and features. Self-loops and repeated edges are removed and "
        "counted. The results describe the private graph itself and are for its owner.",
    .examples = examples,
    .operands = operands,
    .sets = sets,
    .args_size = sizeof(inspect_args),
    .init = init,
    .run = run,
};
