/* graph_copy.c: see graph_copy.h. Asking the copy itself what it holds, and not a table of what
 * each format can hold, is a check of the writer and the reader at the same time. */
#include "cli/graph_copy.h"

#include <stdlib.h>
#include <string.h>

static hrr_status match_nodes(uint32_t *place, const hrr_graph *original, const hrr_graph *copy,
                              hrr_error *err)
{
    const hrr_status status = hrr_graph_match_nodes(place, original, copy, err);
    return status == HRR_EDATA
               ? hrr_fail(err, HRR_ECHECK, "the copy has a node that the graph does not have")
               : status;
}

/* ---- edges ----------------------------------------------------------------------------------- */

/* The number of edge u-v in canonical order, or the number of edges if there is none. `guess` is
 * looked at first: a copy that keeps the numbering has the same edges in the same places. */
static uint64_t find_edge(const hrr_graph *graph, uint32_t u, uint32_t v, uint64_t guess)
{
    const uint32_t *source = hrr_graph_sources(graph), *target = hrr_graph_targets(graph);
    uint32_t low_end = u < v ? u : v, high_end = u < v ? v : u;
    uint64_t low = 0, high = hrr_graph_n_edges(graph), m = high;
    if (source[guess] == low_end && target[guess] == high_end) return guess;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (source[middle] < low_end || (source[middle] == low_end && target[middle] < high_end))
            low = middle + 1;
        else
            high = middle;
    }
    return low < m && source[low] == low_end && target[low] == high_end ? low : m;
}

static hrr_status compare_edges(bool *same_marks, const hrr_graph *original, const hrr_graph *copy,
                                const uint32_t *place, hrr_progress *progress, hrr_error *err)
{
    enum { edges_per_report = 1 << 16 };
    uint64_t m = hrr_graph_n_edges(original);
    const uint32_t *source = hrr_graph_sources(copy), *target = hrr_graph_targets(copy);
    const uint8_t *is_private = hrr_graph_is_private(original);
    const uint8_t *copy_private = hrr_graph_is_private(copy);
    *same_marks = true;
    if (hrr_graph_n_edges(copy) != m)
        return hrr_fail(err, HRR_ECHECK, "the copy has other edges than the graph");
    hrr_progress_begin(progress, "comparing edges", m);
    for (uint64_t e = 0; e < m; e++) {
        if (e % edges_per_report == 0) {
            hrr_status status = hrr_progress_advance(progress, e ? edges_per_report : 0, err);
            if (status) return status;
        }
        uint64_t there = find_edge(original, place[source[e]], place[target[e]], e);
        if (there == m) return hrr_fail(err, HRR_ECHECK, "the copy has other edges than the graph");
        if ((is_private && is_private[there]) != (copy_private && copy_private[e]))
            *same_marks = false;
    }
    return HRR_OK;
}

/* ---- the parts ------------------------------------------------------------------------------- */

typedef enum part_state { PART_ABSENT, PART_KEPT, PART_DROPPED, PART_DIFFERENT } part_state;

static part_state state_of(bool present, bool in_copy, bool same)
{
    if (!present) return PART_ABSENT;
    return !in_copy ? PART_DROPPED : same ? PART_KEPT : PART_DIFFERENT;
}

/* Whatever state comes of a cancelled comparison is not used. */
static part_state dense_state(const hrr_dense *a, const hrr_dense *b, const uint32_t *place,
                              const hrr_progress *progress)
{
    bool same = a && b && a->cols == b->cols;
    for (uint64_t row = 0; same && row < b->rows && !hrr_progress_cancelled(progress); row++)
        for (uint64_t col = 0; same && col < a->cols; col++)
            same = hrr_dense_get(a, place[row], col) == hrr_dense_get(b, row, col);
    return state_of(a, b, same);
}

static part_state labels_state(const hrr_graph *a, const hrr_graph *b, const uint32_t *place,
                               const hrr_progress *progress)
{
    if (hrr_graph_label_matrix(a))
        return dense_state(hrr_graph_label_matrix(a), hrr_graph_label_matrix(b), place, progress);
    const int32_t *classes = hrr_graph_classes(a), *copied = hrr_graph_classes(b);
    bool same = hrr_graph_n_classes(a) == hrr_graph_n_classes(b);
    for (uint64_t j = 0; classes && copied && same && j < hrr_graph_n_nodes(b); j++)
        same = classes[place[j]] == copied[j];
    return state_of(classes, copied, same);
}

static part_state bytes_state(const uint8_t *a, const uint8_t *b, uint64_t n_copy,
                              const uint32_t *place)
{
    bool same = true;
    for (uint64_t j = 0; a && b && same && j < n_copy; j++)
        same = a[place[j]] == b[j];
    return state_of(a, b, same);
}

static part_state graph_ids_state(const hrr_graph *a, const hrr_graph *b, const uint32_t *place)
{
    const uint32_t *ids = hrr_graph_graph_ids(a), *copied = hrr_graph_graph_ids(b);
    bool same = true;
    for (uint64_t j = 0; ids && copied && same && j < hrr_graph_n_nodes(b); j++)
        same = ids[place[j]] == copied[j];
    return state_of(ids, copied, same);
}

static part_state class_names_state(const hrr_graph *a, const hrr_graph *b)
{
    if (hrr_graph_n_classes(a) == 0 || !hrr_graph_class_name(a, 0)) return PART_ABSENT;
    if (hrr_graph_n_classes(b) == 0 || !hrr_graph_class_name(b, 0)) return PART_DROPPED;
    for (uint32_t c = 0; c < hrr_graph_n_classes(a) && c < hrr_graph_n_classes(b); c++)
        if (strcmp(hrr_graph_class_name(a, c), hrr_graph_class_name(b, c)) != 0)
            return PART_DIFFERENT;
    return PART_KEPT;
}

/* A copy without any mark has dropped them; one with other marks is wrong. */
static part_state marks_state(const hrr_graph *a, const hrr_graph *b, bool same_marks)
{
    if (!same_marks && hrr_graph_n_private_edges(b)) return PART_DIFFERENT;
    return state_of(hrr_graph_n_private_edges(a), same_marks, true);
}

static part_state columns_state(const hrr_graph *a, const hrr_graph *b)
{
    if (hrr_graph_n_marks(a) < 2) return PART_ABSENT;
    if (hrr_graph_n_marks(b) < hrr_graph_n_marks(a)) return PART_DROPPED;
    for (int mark = 0; mark < hrr_graph_n_marks(a); mark++)
        if (strcmp(hrr_graph_mark_name(a, mark), hrr_graph_mark_name(b, mark)) != 0 ||
            hrr_graph_mark_edges_count(a, mark) != hrr_graph_mark_edges_count(b, mark))
            return PART_DIFFERENT;
    return PART_KEPT;
}

/* A reader notes a file of its own accord, so another text means that ours was not kept. */
static part_state provenance_state(const hrr_graph *a, const hrr_graph *b)
{
    const char *text = hrr_graph_provenance(a), *copied = hrr_graph_provenance(b);
    return state_of(text, copied && text && strcmp(text, copied) == 0, true);
}

static hrr_status note_part(json_t *kept, json_t *dropped, const char *name, part_state state,
                            hrr_error *err)
{
    if (state == PART_DIFFERENT)
        return hrr_fail(err, HRR_ECHECK, "the copy differs from the graph in its %s", name);
    json_t *list = state == PART_KEPT ? kept : dropped;
    if (state != PART_ABSENT && json_array_append_new(list, json_string(name)) != 0)
        return hrr_fail(err, HRR_ENOMEM, "out of memory");
    return HRR_OK;
}

static hrr_status note_parts(json_t *kept, json_t *dropped, const hrr_graph *a, const hrr_graph *b,
                             const uint32_t *place, bool same_marks, hrr_progress *progress,
                             hrr_error *err)
{
    uint64_t n_copy = hrr_graph_n_nodes(b);
    const struct {
        const char *name;
        part_state state;
    } parts[] = {
        {"edges", PART_KEPT},
        {"nodes without edges", n_copy < hrr_graph_n_nodes(a) ? PART_DROPPED : PART_ABSENT},
        {"private marks", marks_state(a, b, same_marks)},
        {"private columns", columns_state(a, b)},
        {"node names", state_of(hrr_graph_node_ids(a), hrr_graph_node_ids(b), true)},
        {"features", dense_state(hrr_graph_features(a), hrr_graph_features(b), place, progress)},
        {"masked features",
         dense_state(hrr_graph_masked_features(a), hrr_graph_masked_features(b), place, progress)},
        {"labels", labels_state(a, b, place, progress)},
        {"class names", class_names_state(a, b)},
        {"split", bytes_state(hrr_graph_split(a), hrr_graph_split(b), n_copy, place)},
        {"graph membership", graph_ids_state(a, b, place)},
        {"candidates",
         bytes_state(hrr_graph_candidates(a), hrr_graph_candidates(b), n_copy, place)},
        {"provenance", provenance_state(a, b)},
    };
    hrr_status status = hrr_progress_advance(progress, 0, err);
    if (status) return status;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        status = note_part(kept, dropped, parts[i].name, parts[i].state, err);
        if (status) return status;
    }
    return HRR_OK;
}

hrr_status cli_compare_copy(json_t **kept, json_t **dropped, const hrr_graph *original,
                            const hrr_graph *copy, hrr_progress *progress, hrr_error *err)
{
    bool same_marks;
    *kept = json_array();
    *dropped = json_array();
    uint32_t *place = malloc(hrr_graph_n_nodes(copy) * sizeof *place);
    if (!place) return hrr_fail(err, HRR_ENOMEM, "out of memory while comparing");
    hrr_status status = match_nodes(place, original, copy, err);
    if (!status) status = compare_edges(&same_marks, original, copy, place, progress, err);
    if (!status)
        status = note_parts(*kept, *dropped, original, copy, place, same_marks, progress, err);
    free(place);
    return status;
}
