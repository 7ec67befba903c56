/* verify_counts.c: see verify.h. What has no count has no noise either: anything there but 0 would
 * have been paid for by nobody. */
#include "certificate/verify.h"
#include "edge/traits.h"
#include "base/memory.h"
#include "base/paths.h"

#include <heterorr/io.h>

typedef struct parts {
    hrr_array blocks, counts, counted, need, rivals;
} parts;

/* An array that the certificate lists; without data if it cannot be read. */
static hrr_status read_part(hrr_array *out, const json_t *certificate, const char *bundle,
                            const char *name, hrr_error *err)
{
    hrr_error wrong = {0};
    if (!json_object_get(json_object_get(certificate, "files"), name)) return HRR_OK;
    char *path = hrr_path_join(bundle, name);
    const hrr_status status = path ? hrr_array_read(out, path, &wrong) : hrr_no_memory(&wrong);
    hrr_free(path);
    return status == HRR_ENOMEM ? hrr_fail(err, status, "%s", wrong.message) : HRR_OK;
}

static bool is_a_node(const hrr_array *array, hrr_array_type type, uint64_t n_nodes)
{
    return array->data && array->type == type && array->n_dims == 1 && array->shape[0] == n_nodes;
}

static bool are_blocks(const hrr_array *array, uint64_t n_blocks)
{
    bool are = true;
    for (uint64_t i = 0; are && i < array->n_items; i++)
        are = ((const uint32_t *)array->data)[i] < n_blocks;
    return are;
}

/* The second of two rivals has no count of its own. */
static bool are_rivals(const parts *p, uint64_t n_nodes, uint64_t n_blocks)
{
    const hrr_array *rivals = &p->rivals;
    if (!rivals->data || rivals->type != HRR_ARRAY_U32 || rivals->n_dims != 2 ||
        rivals->shape[0] != n_nodes || rivals->shape[1] != 2 || !are_blocks(rivals, n_blocks))
        return false;
    bool share = true;
    for (uint64_t i = 0; share && i < n_nodes; i++) {
        const uint32_t *pair = (const uint32_t *)rivals->data + 2 * i;
        share =
            pair[0] == pair[1] || ((const int64_t *)p->counts.data)[i * n_blocks + pair[1]] == 0;
    }
    return share;
}

/* Nodes that are no candidates have no counts. */
static bool are_counted(const parts *p, uint64_t n_nodes, uint64_t n_blocks)
{
    const uint8_t *counted = p->counted.data;
    const int64_t *count = p->counts.data;
    bool are = is_a_node(&p->counted, HRR_ARRAY_U8, n_nodes);
    for (uint64_t i = 0; are && i < n_nodes; i++) {
        are = counted[i] <= 1;
        for (uint64_t b = 0; are && !counted[i] && b < n_blocks; b++)
            are = count[i * n_blocks + b] == 0;
    }
    return are;
}

static void check(hrr_findings *findings, const parts *p, const json_t *certificate,
                  uint64_t n_nodes, uint64_t n_blocks)
{
    const json_t *edges = json_object_get(certificate, "edges");
    const json_t *files = json_object_get(certificate, "files");
    const bool fits = is_a_node(&p->blocks, HRR_ARRAY_U32, n_nodes) &&
                      are_blocks(&p->blocks, n_blocks) && p->counts.data &&
                      p->counts.type == HRR_ARRAY_I64 && p->counts.n_dims == 2 &&
                      p->counts.shape[0] == n_nodes && p->counts.shape[1] == n_blocks;
    if (!fits)
        hrr_find(findings,
                 "blocks.npy and block_counts.npy do not describe %llu nodes in %llu blocks",
                 (unsigned long long)n_nodes, (unsigned long long)n_blocks);
    if (json_object_get(edges, "need_is") && !is_a_node(&p->need, HRR_ARRAY_U32, n_nodes))
        hrr_find(findings, "need.npy does not contain one number for each of %llu nodes",
                 (unsigned long long)n_nodes);
    if (fits && json_object_get(files, "counted.npy") && !are_counted(p, n_nodes, n_blocks))
        hrr_find(findings,
                 "counted.npy does not contain 0 or 1 for each of %llu nodes, or there are counts "
                 "of nodes that were not counted",
                 (unsigned long long)n_nodes);
    if (fits && json_object_get(files, "rivals.npy") && !are_rivals(p, n_nodes, n_blocks))
        hrr_find(
            findings,
            "rivals.npy does not contain two blocks for each of %llu nodes that share one count",
            (unsigned long long)n_nodes);
    if (json_object_get(files, "rivals.npy") && n_blocks > HRR_MOST_RIVAL_BLOCKS)
        hrr_find(findings, "rivals.npy exists for %llu blocks, but at most %d are possible",
                 (unsigned long long)n_blocks, HRR_MOST_RIVAL_BLOCKS);
}

hrr_status hrr_verify_counts(hrr_findings *findings, const json_t *certificate, const char *bundle,
                             hrr_error *err)
{
    const json_t *edges = json_object_get(certificate, "edges");
    const json_t *input = json_object_get(certificate, "input");
    if (!hrr_edge_traits(hrr_json_word(edges, "mechanism"))->has_counts) return HRR_OK;
    parts p = {0};
    hrr_status status = read_part(&p.blocks, certificate, bundle, "blocks.npy", err);
    if (!status) status = read_part(&p.counts, certificate, bundle, "block_counts.npy", err);
    if (!status) status = read_part(&p.counted, certificate, bundle, "counted.npy", err);
    if (!status) status = read_part(&p.need, certificate, bundle, "need.npy", err);
    if (!status) status = read_part(&p.rivals, certificate, bundle, "rivals.npy", err);
    if (!status)
        check(findings, &p, certificate, hrr_json_count(input, "nodes"),
              hrr_json_count(edges, "blocks"));
    hrr_array_clear(&p.blocks);
    hrr_array_clear(&p.counts);
    hrr_array_clear(&p.counted);
    hrr_array_clear(&p.need);
    hrr_array_clear(&p.rivals);
    return status;
}
