/* release.c: see release.h. */
#include "certificate/release.h"
#include "certificate/file.h"
#include "certificate/terms.h"
#include "certificate/fields.h"
#include "io/file_names.h"
#include "base/memory.h"
#include "feature/reports.h"
#include "base/paths.h"

#include <string.h>

void hrr_release_free(hrr_release *release)
{
    if (!release) return;
    hrr_graph_free(release->own_graph);
    hrr_terms_free(release->terms);
    hrr_count_parts_clear(&release->parts);
    hrr_reports_clear(&release->reports);
    json_decref(release->record);
    hrr_edge_release_clear(&release->beside);
    hrr_free(release);
}

void hrr_count_parts_clear(hrr_count_parts *parts)
{
    hrr_array_clear(&parts->count);
    hrr_array_clear(&parts->counted);
    hrr_array_clear(&parts->need);
    hrr_array_clear(&parts->block);
    hrr_array_clear(&parts->rivals);
    *parts = (hrr_count_parts){0};
}

/* n_items: how many there should be. */
static bool are_blocks(const hrr_array *block, uint64_t n_items, uint64_t n_blocks)
{
    bool are = block->data && block->type == HRR_ARRAY_U32 && block->n_items == n_items;
    for (uint64_t i = 0; are && i < n_items; i++)
        are = ((const uint32_t *)block->data)[i] < n_blocks;
    return are;
}

static hrr_status check_counts(const hrr_graph *graph, const hrr_terms *terms,
                               const hrr_count_parts *parts, hrr_error *err)
{
    const hrr_array *count = &parts->count, *counted = &parts->counted, *need = &parts->need;
    const uint64_t n = hrr_graph_n_nodes(graph);
    if (count->type != HRR_ARRAY_I64 || count->n_dims != 2 || count->shape[0] != n ||
        !count->shape[1] || count->shape[1] > UINT32_MAX)
        return hrr_fail(err, HRR_EDATA,
                        "the counts of neighbours are not a table of integers with one row per "
                        "node; the bundle is damaged");
    if (!(hrr_terms_eps_of_count(terms) > 0))
        return hrr_fail(err, HRR_EDATA,
                        "the certificate does not state the noise of the counts of neighbours; the "
                        "bundle is damaged");
    if (counted->data && (counted->type != HRR_ARRAY_U8 || counted->n_items != n))
        return hrr_fail(err, HRR_EDATA,
                        "the list of counted nodes does not contain 0 or 1 for each node; the "
                        "bundle is damaged");
    if (need->data && (need->type != HRR_ARRAY_U32 || need->n_dims != 1 || need->n_items != n ||
                       !are_blocks(&parts->block, n, count->shape[1])))
        return hrr_fail(err, HRR_EDATA,
                        "the need of the nodes does not consist of one number and one block per "
                        "node; the bundle is damaged");
    if (parts->rivals.data && (!need->data || count->shape[1] > HRR_MOST_RIVAL_BLOCKS ||
                               !are_blocks(&parts->rivals, 2 * n, count->shape[1])))
        return hrr_fail(err, HRR_EDATA,
                        "the list of blocks that share a count does not contain two blocks per "
                        "node; the bundle is damaged");
    return HRR_OK;
}

hrr_status hrr_release_assemble(hrr_release **out, hrr_graph **graph, hrr_terms **terms,
                                hrr_count_parts *parts, hrr_error *err)
{
    const hrr_array *count = &parts->count;
    *out = NULL;
    if (count->data) {
        hrr_status status = check_counts(*graph, *terms, parts, err);
        if (status) return status;
    }
    hrr_release *release = hrr_alloc_zero(1, sizeof *release);
    if (!release) return hrr_no_memory(err);
    *release =
        (hrr_release){.graph = *graph, .own_graph = *graph, .terms = *terms, .parts = *parts};
    if (count->data)
        release->counts = (hrr_block_counts){.n_nodes = count->shape[0],
                                             .n_blocks = (uint32_t)count->shape[1],
                                             .count = count->data,
                                             .counted = parts->counted.data,
                                             .eps = hrr_terms_eps_of_count(*terms),
                                             .need = parts->need.data,
                                             .block = parts->block.data,
                                             .rivals = parts->rivals.data};
    *graph = NULL;
    *terms = NULL;
    *parts = (hrr_count_parts){0};
    *out = release;
    return HRR_OK;
}

hrr_status hrr_release_find_reports(hrr_release *release, hrr_error *err)
{
    const json_t *record = hrr_terms_record(release->terms, HRR_PART_FEATURES);
    const hrr_dense *features = hrr_graph_features(release->graph);
    const uint64_t k = hrr_json_count(record, "answers");
    const unsigned long long size = hrr_json_count(record, "report_size");
    if (!k || hrr_json_count(record, "propagated_steps")) return HRR_OK;
    if (!features || features->cols != k || size > k)
        return hrr_fail(err, HRR_EDATA,
                        "the features are not the reports of %llu answers that the certificate "
                        "describes; the bundle is damaged",
                        (unsigned long long)k);
    uint64_t *eps_nano = hrr_alloc(k, sizeof *eps_nano);
    if (!eps_nano) return hrr_no_memory(err);
    hrr_status status =
        hrr_answer_budgets(eps_nano, record, k, release->terms->part[HRR_PART_FEATURES].eps_nano)
            ? hrr_reports_read(&release->reports, features, (uint32_t)size, eps_nano, err)
            : hrr_fail(err, HRR_EDATA,
                       "the certificate does not list a budget for each of %llu answers; the "
                       "bundle is damaged",
                       (unsigned long long)k);
    hrr_free(eps_nano);
    return status;
}

/* A view of one of the parts; without data if there is no such part. */
static hrr_array part_named(const hrr_edge_release *beside, const char *name)
{
    hrr_array view = {0};
    for (int i = 0; i < beside->n_parts; i++)
        if (strcmp(beside->parts[i].name, name) == 0) view = beside->parts[i].array;
    view.storage = (hrr_region){0};
    return view;
}

hrr_status hrr_release_assemble_made(hrr_release **out, hrr_graph **graph, json_t **record,
                                     hrr_edge_release *beside, hrr_error *err)
{
    hrr_count_parts parts = {.count = part_named(beside, "block_counts.npy"),
                             .counted = part_named(beside, "counted.npy"),
                             .need = part_named(beside, "need.npy"),
                             .block = part_named(beside, "blocks.npy"),
                             .rivals = part_named(beside, "rivals.npy")};
    hrr_terms *terms = NULL;
    *out = NULL;
    hrr_status status = hrr_terms_of_certificate(&terms, *record, err);
    if (!status) status = hrr_release_assemble(out, graph, &terms, &parts, err);
    hrr_terms_free(terms);
    if (status) return status;
    if ((status = hrr_release_find_reports(*out, err))) {
        *graph = (*out)->own_graph; /* as if it had not been taken over */
        (*out)->own_graph = NULL;
        hrr_release_free(*out);
        *out = NULL;
        return status;
    }
    (*out)->record = *record;
    (*out)->beside = *beside;
    *record = NULL;
    *beside = (hrr_edge_release){0};
    return HRR_OK;
}

hrr_status hrr_release_non_private(hrr_release **out, const hrr_graph *graph, hrr_error *err)
{
    *out = hrr_alloc_zero(1, sizeof **out);
    if (!*out) return hrr_no_memory(err);
    (*out)->graph = graph;
    return HRR_OK;
}

hrr_status hrr_release_take_non_private(hrr_release **out, hrr_graph **graph, hrr_error *err)
{
    hrr_status status = hrr_release_non_private(out, *graph, err);
    if (status) return status;
    (*out)->own_graph = *graph;
    *graph = NULL;
    return HRR_OK;
}

/* ---- getters --------------------------------------------------------------------------------- */

const hrr_graph *hrr_release_graph(const hrr_release *release)
{
    return release->graph;
}

bool hrr_release_is_private(const hrr_release *release)
{
    return release->terms && !release->mixed && hrr_terms_are_private(release->terms);
}

bool hrr_release_is_reference(const hrr_release *release)
{
    return !release->terms;
}

bool hrr_release_is_mixed(const hrr_release *release)
{
    return release->mixed;
}

const char *hrr_release_statement(const hrr_release *release)
{
    if (release->mixed)
        return "Nothing is promised: the release was read together with other data, which its "
               "certificate does not cover.";
    if (release->terms) return hrr_terms_statement(release->terms);
    return hrr_graph_is_private(release->graph)
               ? "NOT PRIVATE: the graph as it is, private edges included; epsilon is infinite."
               : "The graph is not a release and marks no edge as private; nothing is promised "
                 "about it.";
}

const hrr_terms *hrr_release_terms(const hrr_release *release)
{
    return release->terms;
}

double hrr_release_label_eps(const hrr_release *release)
{
    if (!release->terms || release->mixed_labels) return 0;
    return (double)hrr_terms_of(release->terms, HRR_PART_LABELS).eps_nano / (double)HRR_EPS_UNIT;
}

const hrr_block_counts *hrr_release_counts(const hrr_release *release)
{
    return release->counts.n_blocks ? &release->counts : NULL;
}

const hrr_reports *hrr_release_reports(const hrr_release *release)
{
    return release->reports.n_answers ? &release->reports : NULL;
}

hrr_status hrr_release_take_split(hrr_release *release, uint8_t **split, hrr_error *err)
{
    if (!release->own_graph)
        return hrr_fail(
            err, HRR_EINVAL,
            "the non-private baseline borrows its graph; set the split of that graph instead");
    release->own_split = true;
    return hrr_graph_take_split(release->own_graph, split, err);
}

bool hrr_path_is_bundle(const char *path)
{
    char *certificate = hrr_path_join(path, hrr_certificate_name);
    const bool is = certificate && hrr_path_is_file(certificate);
    hrr_free(certificate);
    return is;
}
