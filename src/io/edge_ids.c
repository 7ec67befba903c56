/* edge_ids.c: see edge_ids.h.
 *
 * Ids that are dense (most files: the largest is not far above the number of rows) index a table
 * directly: one pass marks who appears, a sweep over the table ranks them, one pass replaces.
 * Ids that are spread out (hashes, telephone numbers) are sorted and found by bisection. Either
 * way the order of the result is that of the integers, so nothing depends on threads or on the
 * order of the rows. */
#include "io/edge_ids.h"
#include "base/memory.h"

#include <string.h>

/* What a node is named by; EDGE alone is not needed. */
enum { BY_LOOP = 1, BY_EDGE = 2 };
static const uint32_t dropped = UINT32_MAX;

static hrr_status check_n_nodes(uint64_t n_nodes, const char *path, hrr_error *err)
{
    if (n_nodes == 0)
        return hrr_fail(err, HRR_EDATA,
                        "%s: has no edges, only self-loops; an edge list has a row of two ids for "
                        "each edge",
                        path);
    if (n_nodes > HRR_MAX_NODES)
        return hrr_fail(err, HRR_EDATA, "%s: names more than 2^31 - 1 nodes; split the graph",
                        path);
    return HRR_OK;
}

/* ---- dense ids: a table -------------------------------------------------------------------- */

static void note_names(uint32_t *table, const hrr_edge_rows *rows)
{
    const uint32_t *source = rows->source, *target = rows->target;
    for (uint64_t i = 0; i < rows->n_rows; i++) {
        uint32_t how = source[i] == target[i] ? BY_LOOP : BY_EDGE;
        table[source[i]] |= how;
        table[target[i]] |= how;
    }
}

/* Turn what note_names() left into ranks, or `dropped`. Returns how many nodes are kept. */
static uint64_t rank_names(uint32_t *table, uint64_t range, bool keep_loops, hrr_removed *removed)
{
    uint64_t n_nodes = 0;
    for (uint64_t id = 0; id < range; id++) {
        bool keep = table[id] & BY_EDGE || (keep_loops && table[id]);
        if (table[id] == BY_LOOP && !keep) removed->isolated_nodes++;
        table[id] = keep ? (uint32_t)n_nodes++ : dropped;
    }
    return n_nodes;
}

static void replace_ids(hrr_edge_rows *rows, const uint32_t *table, hrr_removed *removed)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < rows->n_rows; i++) {
        /* Written whether kept or not: a branch here would be taken at random. */
        uint32_t source = table[rows->source[i]];
        rows->target[kept] = table[rows->target[i]];
        rows->source[kept] = source;
        if (rows->with_marks) rows->marks[kept] = rows->marks[i];
        kept += source != dropped;
    }
    removed->self_loops += rows->n_rows - kept;
    rows->n_rows = kept;
}

static hrr_status compact_dense(hrr_edge_text *out, hrr_edge_rows *rows, const char *path,
                                hrr_error *err)
{
    hrr_status status = HRR_OK;
    uint64_t range = rows->largest + 1, n_seen = 0, smallest = 0;
    uint32_t *table = hrr_alloc_zero(range, sizeof *table);
    if (!table) return hrr_no_memory(err);
    note_names(table, rows);
    while (!table[smallest])
        smallest++;
    for (uint64_t id = smallest; id < range; id++)
        n_seen += table[id] != 0;

    bool gapless = smallest <= 1 && n_seen == range - smallest;
    uint64_t n_nodes = rank_names(table, range, gapless, &out->removed);
    if ((status = check_n_nodes(n_nodes, path, err))) goto done;
    if (!gapless || smallest > 0) {
        out->ids.integer = hrr_alloc(n_nodes, sizeof *out->ids.integer);
        if (!out->ids.integer) {
            status = hrr_no_memory(err);
            goto done;
        }
        for (uint64_t id = smallest; id < range; id++)
            if (table[id] != dropped) out->ids.integer[table[id]] = (int64_t)id;
        replace_ids(rows, table, &out->removed);
    }
    out->n_nodes = n_nodes;
    hrr_edge_rows_into_list(&out->edges, rows);
done:
    hrr_free(table);
    return status;
}

/* ---- spread ids: sorting ------------------------------------------------------------------- */

/* Sort keys by their bytes, from the lowest to the highest; `spare` has the same size. The sorted
 * keys are where the result points. Bytes that are equal in all keys cost one look. */
static uint64_t *radix_sort(uint64_t *keys, uint64_t *spare, uint64_t count)
{
    for (int shift = 0; shift < 64; shift += 8) {
        uint64_t start[256] = {0}, total = 0;
        for (uint64_t i = 0; i < count; i++)
            start[keys[i] >> shift & 255]++;
        if (start[keys[0] >> shift & 255] == count) continue;
        for (int byte = 0; byte < 256; byte++) {
            uint64_t here = start[byte];
            start[byte] = total;
            total += here;
        }
        for (uint64_t i = 0; i < count; i++)
            spare[start[keys[i] >> shift & 255]++] = keys[i];
        uint64_t *sorted = spare;
        spare = keys;
        keys = sorted;
    }
    return keys;
}

static uint64_t id_of(const hrr_edge_rows *rows, bool target, uint64_t row)
{
    if (rows->wide) return target ? rows->wide_target[row] : rows->wide_source[row];
    return target ? rows->target[row] : rows->source[row];
}

/* Keys are twice the id, plus one if an edge names it: of equal ids the last tells whether any
 * edge does. Leaves the kept ids, ascending, at the front of keys. */
static uint64_t keep_distinct(uint64_t *keys, uint64_t count, bool keep_loops, hrr_removed *removed)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (i + 1 < count && keys[i + 1] >> 1 == keys[i] >> 1) continue;
        bool keep = keys[i] & 1 || keep_loops;
        if (keep) keys[kept++] = keys[i] >> 1;
        removed->isolated_nodes += !keep;
    }
    return kept;
}

static uint64_t count_distinct(const uint64_t *keys, uint64_t count)
{
    uint64_t n_distinct = 0;
    for (uint64_t i = 0; i < count; i++)
        n_distinct += i == 0 || keys[i - 1] >> 1 != keys[i] >> 1;
    return n_distinct;
}

/* The rank of an id, or `dropped`. */
static uint32_t find(const uint64_t *sorted, uint64_t count, uint64_t id)
{
    uint64_t first = 0;
    while (count > 1) {
        uint64_t half = count / 2;
        first += sorted[first + half] <= id ? half : 0;
        count -= half;
    }
    return sorted[first] == id ? (uint32_t)first : dropped;
}

static hrr_status rewrite_spread(hrr_edge_text *out, const hrr_edge_rows *rows,
                                 const uint64_t *sorted, hrr_error *err)
{
    hrr_edge_rows renamed = {.with_marks = rows->with_marks};
    hrr_status status = hrr_edge_rows_reserve(&renamed, rows->n_rows, err);
    if (status) {
        hrr_edge_rows_clear(&renamed);
        return status;
    }
    uint64_t kept = 0;
    for (uint64_t i = 0; i < rows->n_rows; i++) {
        renamed.source[kept] = find(sorted, out->n_nodes, id_of(rows, false, i));
        renamed.target[kept] = find(sorted, out->n_nodes, id_of(rows, true, i));
        if (rows->with_marks) renamed.marks[kept] = rows->marks[i];
        kept += renamed.source[kept] != dropped;
    }
    out->removed.self_loops += rows->n_rows - kept;
    renamed.n_rows = kept;
    hrr_edge_rows_into_list(&out->edges, &renamed);
    return HRR_OK;
}

static hrr_status compact_spread(hrr_edge_text *out, hrr_edge_rows *rows, const char *path,
                                 hrr_error *err)
{
    hrr_status status = HRR_OK;
    uint64_t n = rows->n_rows, count = 2 * n;
    uint64_t *keys = hrr_alloc(count, sizeof *keys), *spare = hrr_alloc(count, sizeof *spare);
    if (!keys || !spare) {
        status = hrr_no_memory(err);
        goto done;
    }
    for (uint64_t i = 0; i < n; i++) {
        uint64_t source = id_of(rows, false, i), target = id_of(rows, true, i);
        keys[i] = source << 1 | (source != target);
        keys[n + i] = target << 1 | (source != target);
    }
    uint64_t *sorted = radix_sort(keys, spare, count);
    uint64_t smallest = sorted[0] >> 1;
    bool gapless = smallest <= 1 && count_distinct(sorted, count) == rows->largest - smallest + 1;
    out->n_nodes = keep_distinct(sorted, count, gapless, &out->removed);
    if ((status = check_n_nodes(out->n_nodes, path, err))) goto done;
    if ((status = rewrite_spread(out, rows, sorted, err))) goto done;
    out->ids.integer = hrr_alloc(out->n_nodes, sizeof *out->ids.integer);
    if (!out->ids.integer) {
        status = hrr_no_memory(err);
        goto done;
    }
    for (uint64_t i = 0; i < out->n_nodes; i++)
        out->ids.integer[i] = (int64_t)sorted[i];
    hrr_edge_rows_clear(rows);
done:
    hrr_free(keys);
    hrr_free(spare);
    return status;
}

hrr_status hrr_edge_ids_compact(hrr_edge_text *out, hrr_edge_rows *rows, const char *path,
                                hrr_error *err)
{
    const uint64_t per_row = 8, always = 1 << 20; /* a table no larger than sorting would need */
    bool dense = !rows->wide && rows->largest <= per_row * rows->n_rows + always;
    return dense ? compact_dense(out, rows, path, err) : compact_spread(out, rows, path, err);
}

/* ---- texts --------------------------------------------------------------------------------- */

/* Move the kept names together; ranks ascend with the old numbers, so nothing is overwritten. */
static void keep_names(hrr_node_ids *names, const uint32_t *table, uint64_t n_names)
{
    uint64_t used = 0;
    for (uint64_t i = 0; i < n_names; i++) {
        if (table[i] == dropped) continue;
        uint64_t start = names->text_start[i], length = names->text_start[i + 1] - start;
        memmove(names->text + used, names->text + start, length);
        names->text_start[table[i]] = used;
        used += length;
        names->text_start[table[i] + 1] = used;
    }
}

hrr_status hrr_edge_names_compact(hrr_edge_text *out, hrr_edge_rows *rows, hrr_node_ids *names,
                                  uint64_t n_names, const char *path, hrr_error *err)
{
    uint32_t *table = hrr_alloc_zero(n_names, sizeof *table);
    if (!table) return hrr_no_memory(err);
    note_names(table, rows);
    out->n_nodes = rank_names(table, n_names, false, &out->removed);
    hrr_status status = check_n_nodes(out->n_nodes, path, err);
    if (!status) {
        keep_names(names, table, n_names);
        replace_ids(rows, table, &out->removed);
        hrr_edge_rows_into_list(&out->edges, rows);
        out->ids = *names;
        *names = (hrr_node_ids){0};
    }
    hrr_free(table);
    return status;
}
