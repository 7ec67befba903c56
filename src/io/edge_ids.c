/* edge_ids.c: see edge_ids.h.
 *
 * Ids that are dense (most files: the largest is not far above the number of rows) index a table
 * directly: one pass marks who appears, a sweep over the table ranks them, one pass replaces.
 * Ids that are spread out (hashes, telephone numbers) are sorted and found by bisection. Either
 * way the order of the result is that of the integers, so nothing depends on threads or on the
 * order of the rows. */
#include "io/edge_ids.h"
#include "base/memory.h"
#include "graph/key_sort.h"

#include <endian.h>
#include <string.h>

enum { parallel_rows = 1 << 19 }; /* fewer are done before threads have come together */
static const uint32_t dropped = UINT32_MAX;

static hrr_status check_n_nodes(uint64_t n_nodes, const char *path, hrr_error *err)
{
    if (n_nodes > HRR_MAX_NODES)
        return hrr_fail(err, HRR_EDATA, "%s: contains more than 2^31 - 1 nodes; split the graph",
                        path);
    return HRR_OK;
}

/* ---- dense ids: a table -------------------------------------------------------------------- */

/* Who names an id: an edge, a self-loop or both. One byte each for ids below `range`. */
typedef struct names {
    uint64_t range;
    uint8_t *by_edge, *by_loop; /* halves of one block */
} names;

static bool names_init(names *out, uint64_t range)
{
    uint64_t room = (range + 63) / 64 * 64; /* to be looked at 64 at a time */
    *out = (names){.range = range, .by_edge = hrr_alloc_zero(room, 2)};
    if (out->by_edge) out->by_loop = out->by_edge + room;
    return out->by_edge;
}

/* Only ones are written, by any thread in any order, so that the result is always the same. */
static void note(uint8_t *by, uint32_t id)
{
    __atomic_store_n(&by[id], 1, __ATOMIC_RELAXED);
}

static void note_names(names *seen, const hrr_edge_rows *rows, int threads)
{
    const uint32_t *source = rows->source, *target = rows->target;
    uint8_t *by_edge = seen->by_edge, *by_loop = seen->by_loop;
    const uint64_t step = 32;
    (void)threads; /* the fuzz targets are built without OpenMP */
#pragma omp parallel for num_threads(threads) schedule(static) if (rows->n_rows >= parallel_rows)
    for (uint64_t begin = 0; begin < rows->n_rows; begin += step) {
        uint64_t end = begin + step < rows->n_rows ? begin + step : rows->n_rows;
        uint32_t n_loops = 0; /* most often none: then nothing is asked of each row */
        for (uint64_t i = begin; i < end; i++)
            n_loops += source[i] == target[i];
        for (uint64_t i = begin; i < end; i++) /* sources tend to repeat, targets to miss */
            __builtin_prefetch(&by_edge[target[i]], 1);
        for (uint64_t i = begin; i < end && n_loops == 0; i++)
            note(by_edge, source[i]), note(by_edge, target[i]);
        for (uint64_t i = begin; i < end && n_loops > 0; i++) {
            uint8_t *by = source[i] == target[i] ? by_loop : by_edge;
            note(by, source[i]), note(by, target[i]);
        }
    }
}

/* 64 flags, from the one of `id` on, as bits. */
static uint64_t flag_bits(const uint8_t *flags, uint64_t id)
{
    uint64_t bits = 0;
    for (int i = 0; i < 64; i += 8) {
        uint64_t eight;
        memcpy(&eight, flags + id + i, sizeof eight);
        /* The product moves the lowest bit of each byte to its place in the highest byte. */
        bits |= le64toh(eight) * 0x0102040810204080 >> 56 << i;
    }
    return bits;
}

/* The rank of each id that is named among those that are kept, or `dropped`. Returns how many are
 * kept. The ids themselves go to kept_ids, which has one place more than ids are named, or is NULL.
 * Ids that nobody names, which may be most, are passed over. */
static uint64_t rank_names(uint32_t *rank, int64_t *kept_ids, const names *seen, bool keep_loops,
                           hrr_removed *removed)
{
    uint64_t n_kept = 0;
    for (uint64_t first = 0; first < seen->range; first += 64) {
        uint64_t by_edge = flag_bits(seen->by_edge, first);
        uint64_t by_loop = flag_bits(seen->by_loop, first);
        uint64_t keep = keep_loops ? by_edge | by_loop : by_edge;
        for (uint64_t named = by_edge | by_loop; named; named &= named - 1) {
            int bit = __builtin_ctzll(named);
            bool kept = keep >> bit & 1;
            rank[first + (uint64_t)bit] = kept ? (uint32_t)n_kept : dropped;
            if (kept_ids) kept_ids[n_kept] = (int64_t)(first + (uint64_t)bit);
            removed->isolated_nodes += !kept;
            n_kept += kept;
        }
    }
    return n_kept;
}

/* Replace ids by ranks in rows begin..end-1, closing up over dropped ones; returns how many stay.
 */
static uint64_t replace_part(hrr_edge_rows *rows, uint64_t begin, uint64_t end,
                             const uint32_t *rank)
{
    uint64_t kept = begin;
    for (uint64_t i = begin; i < end; i++) {
        uint32_t source = rank[rows->source[i]];
        rows->target[kept] = rank[rows->target[i]];
        rows->source[kept] = source;
        if (rows->with_marks) rows->marks[kept] = rows->marks[i];
        kept += source != dropped;
    }
    return kept - begin;
}

static void move_part(hrr_edge_rows *rows, uint64_t to, uint64_t from, uint64_t count)
{
    memmove(rows->source + to, rows->source + from, count * sizeof *rows->source);
    memmove(rows->target + to, rows->target + from, count * sizeof *rows->target);
    if (rows->with_marks) memmove(rows->marks + to, rows->marks + from, count);
}

static void replace_ids(hrr_edge_rows *rows, const uint32_t *rank, int threads,
                        hrr_removed *removed)
{
    enum { max_parts = 64 };
    uint64_t kept[max_parts], total = 0, n = rows->n_rows;
    int n_parts = n < parallel_rows ? 1 : threads < max_parts ? threads : max_parts;
    uint64_t size = n / (uint64_t)n_parts + 1;
#pragma omp parallel for num_threads(n_parts) schedule(static, 1)
    for (int i = 0; i < n_parts; i++) {
        uint64_t begin = size * (uint64_t)i, end = begin + size;
        kept[i] = replace_part(rows, begin < n ? begin : n, end < n ? end : n, rank);
    }
    for (int i = 0; i < n_parts; i++) {
        uint64_t begin = size * (uint64_t)i;
        if (total < begin) move_part(rows, total, begin < n ? begin : n, kept[i]);
        total += kept[i];
    }
    removed->self_loops += n - total;
    rows->n_rows = total;
}

static hrr_status compact_dense(hrr_edge_text *out, hrr_edge_rows *rows, const char *path,
                                int threads, hrr_error *err)
{
    hrr_status status = HRR_OK;
    uint64_t n_seen = 0, smallest = 0;
    uint32_t *rank = NULL;
    names seen;
    if (!names_init(&seen, rows->largest + 1)) return hrr_no_memory(err);
    note_names(&seen, rows, threads);
    while (!seen.by_edge[smallest] && !seen.by_loop[smallest])
        smallest++;
    for (uint64_t id = 0; id < seen.range; id++)
        n_seen += seen.by_edge[id] | seen.by_loop[id];
    bool gapless = smallest <= 1 && n_seen == seen.range - smallest;
    out->n_nodes = n_seen;
    if (!gapless || smallest > 0) {
        rank = hrr_alloc(seen.range, sizeof *rank);
        out->ids.integer = hrr_alloc(n_seen + 1, sizeof *out->ids.integer);
        if (!rank || !out->ids.integer) {
            status = hrr_no_memory(err);
            goto done;
        }
        out->n_nodes = rank_names(rank, out->ids.integer, &seen, gapless, &out->removed);
        replace_ids(rows, rank, threads, &out->removed);
    }
    if ((status = check_n_nodes(out->n_nodes, path, err))) goto done;
    hrr_edge_rows_into_list(&out->edges, rows);
done:
    hrr_free(rank);
    hrr_free(seen.by_edge);
    return status;
}

/* ---- spread ids: sorting ------------------------------------------------------------------- */

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
    uint64_t *sorted = hrr_keys_sort((hrr_keys){.key = keys}, (hrr_keys){.key = spare}, count).key;
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
                                int threads, hrr_error *err)
{
    const uint64_t per_row = 8, always = 1 << 20; /* tables no larger than sorting would need */
    bool dense = !rows->wide && rows->largest <= per_row * rows->n_rows + always;
    if (dense) return compact_dense(out, rows, path, threads, err);
    return compact_spread(out, rows, path, err);
}

/* ---- texts --------------------------------------------------------------------------------- */

/* Move the kept names together; ranks ascend with the old numbers, so nothing is overwritten. */
static void keep_names(hrr_node_ids *texts, const uint32_t *rank, uint64_t n_names)
{
    uint64_t used = 0;
    for (uint64_t i = 0; i < n_names; i++) {
        if (rank[i] == dropped) continue;
        uint64_t start = texts->text_start[i], length = texts->text_start[i + 1] - start;
        memmove(texts->text + used, texts->text + start, length);
        texts->text_start[rank[i]] = used;
        used += length;
        texts->text_start[rank[i] + 1] = used;
    }
}

static hrr_status compact_names(hrr_edge_text *out, hrr_edge_rows *rows, hrr_node_ids *texts,
                                uint64_t n_names, const char *path, hrr_error *err)
{
    hrr_status status = HRR_OK;
    names seen;
    uint32_t *rank = hrr_alloc(n_names, sizeof *rank);
    if (!names_init(&seen, n_names) || !rank) {
        status = hrr_no_memory(err);
        goto done;
    }
    note_names(&seen, rows, 1);
    out->n_nodes = rank_names(rank, NULL, &seen, false, &out->removed);
    if ((status = check_n_nodes(out->n_nodes, path, err))) goto done;
    keep_names(texts, rank, n_names);
    replace_ids(rows, rank, 1, &out->removed);
    hrr_edge_rows_into_list(&out->edges, rows);
    out->ids = *texts;
    *texts = (hrr_node_ids){0};
done:
    hrr_free(rank);
    hrr_free(seen.by_edge);
    return status;
}

hrr_status hrr_edge_names_into_ids(hrr_edge_text *out, hrr_edge_rows *rows, hrr_edge_names *texts,
                                   const char *path, hrr_error *err)
{
    uint32_t *rank;
    hrr_status status = hrr_edge_names_sort(texts, &rank, err);
    if (status) return status;
    for (uint64_t i = 0; i < rows->n_rows; i++) {
        rows->source[i] = rank[rows->source[i]];
        rows->target[i] = rank[rows->target[i]];
    }
    hrr_free(rank);
    return compact_names(out, rows, &texts->ids, texts->n_names, path, err);
}
