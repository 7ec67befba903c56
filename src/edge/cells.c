/* cells.c: see cells.h.
 *
 * Cells are cut into pieces that expect 2^14 to 2^15 picks, a size that depends on the probability
 * alone. Each piece has a stream of its own, so threads do not show. A gap that reaches past the
 * end of its piece is dropped: gaps have no memory, so the next piece begins afresh and the law
 * stays the same. */
#include "edge/cells.h"
#include "edge/cells_avx512.h"
#include "random/coins.h"
#include "random/gap_table.h"
#include "random/geometric.h"
#include "base/memory.h"

#include <assert.h>

/* ---- pairs ----------------------------------------------------------------------------------- */

hrr_status hrr_pairs_reserve(hrr_pairs *pairs, size_t more, hrr_error *err)
{
    if (more <= pairs->capacity - pairs->n) return HRR_OK;
    size_t capacity = pairs->capacity + pairs->capacity / 2;
    if (capacity < pairs->n + more) capacity = pairs->n + more;
    uint32_t *source = hrr_resize(pairs->source, capacity, sizeof *source);
    if (source) pairs->source = source;
    uint32_t *target = source ? hrr_resize(pairs->target, capacity, sizeof *target) : NULL;
    if (!target) return hrr_no_memory(err);
    pairs->target = target;
    pairs->capacity = capacity;
    hrr_ask_for_huge_pages(source, capacity * sizeof *source);
    hrr_ask_for_huge_pages(target, capacity * sizeof *target);
    return HRR_OK;
}

void hrr_pairs_clear(hrr_pairs *pairs)
{
    hrr_free(pairs->source);
    hrr_free(pairs->target);
    *pairs = (hrr_pairs){0};
}

static hrr_region heap_region(uint32_t *start, size_t n)
{
    return (hrr_region){.start = start, .size = n * sizeof *start, .kind = HRR_REGION_HEAP};
}

void hrr_pairs_into_edges(hrr_edge_list *out, hrr_pairs *pairs)
{
    *out = (hrr_edge_list){.n_edges = pairs->n,
                           .source = pairs->source,
                           .target = pairs->target,
                           .source_storage = heap_region(pairs->source, pairs->n),
                           .target_storage = heap_region(pairs->target, pairs->n)};
    *pairs = (hrr_pairs){0};
}

/* ---- cells ----------------------------------------------------------------------------------- */

hrr_status hrr_cells_init(hrr_cells *out, const hrr_edge_public *known, hrr_error *err)
{
    *out = (hrr_cells){.n_ranks = known->n_nodes};
    if (known->candidates) {
        out->node = hrr_alloc(known->n_nodes, sizeof *out->node);
        if (!out->node) return hrr_no_memory(err);
        out->n_ranks = 0;
        for (uint64_t i = 0; i < known->n_nodes; i++)
            if (known->candidates[i]) out->node[out->n_ranks++] = (uint32_t)i;
    }
    out->n_cells = out->n_ranks < 2 ? 0 : out->n_ranks * (out->n_ranks - 1) / 2;
    return HRR_OK;
}

void hrr_cells_clear(hrr_cells *cells)
{
    hrr_free(cells->node);
    *cells = (hrr_cells){0};
}

/* Row r holds the cells (r, r+1), (r, r+2), ...; rows before it hold this many. */
static uint64_t cells_before_row(uint64_t n_ranks, uint64_t row)
{
    return row * (2 * n_ranks - row - 1) / 2;
}

/* Walks over ascending cells and says which pair each is. */
typedef struct cell_walk {
    const hrr_cells *cells;
    uint64_t row, row_begin, row_end;
} cell_walk;

static cell_walk walk_from(const hrr_cells *cells, uint64_t cell)
{
    uint64_t low = 0, high = cells->n_ranks - 1; /* the row is in low..high-1 */
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (cells_before_row(cells->n_ranks, middle) <= cell)
            low = middle;
        else
            high = middle;
    }
    return (cell_walk){.cells = cells,
                       .row = low,
                       .row_begin = cells_before_row(cells->n_ranks, low),
                       .row_end = cells_before_row(cells->n_ranks, low + 1)};
}

static inline void push_cell(hrr_pairs *pairs, cell_walk *walk, uint64_t cell)
{
    while (cell >= walk->row_end) {
        walk->row++;
        walk->row_begin = walk->row_end;
        walk->row_end += walk->cells->n_ranks - 1 - walk->row;
    }
    const uint64_t source = walk->row, target = source + 1 + (cell - walk->row_begin);
    const uint32_t *node = walk->cells->node;
    if (node)
        hrr_pairs_push(pairs, node[source], node[target]);
    else
        hrr_pairs_push(pairs, (uint32_t)source, (uint32_t)target);
}

/* ---- picking --------------------------------------------------------------------------------- */

/* Fixed for ever: released data made with a seed depends on them. */
enum { log2_picks_per_piece = 15 };

/* The way to draw, by how common heads are: each is the fastest in its range. */
typedef enum drawing { BY_GAPS, BY_TABLE, BY_WORDS } drawing;
enum { log2_common = 3, log2_rare = 12 };

typedef struct worker {
    hrr_stream *stream;
    hrr_pairs picked;
    hrr_status status;
} worker;

typedef struct picking_job {
    const hrr_cells *cells;
    hrr_gaps gaps;
    bool avx512;
    drawing how;
    hrr_gap_table table; /* of BY_TABLE */
    uint64_t cells_per_piece, n_pieces;
} picking_job;

static drawing choose_drawing(const hrr_cell_picking *picking)
{
    if (picking->den != 0 || picking->num >> (64 - log2_rare) == 0) return BY_GAPS;
    return picking->num >> (64 - log2_common) == 0 ? BY_TABLE : BY_WORDS;
}

static void plan_job(picking_job *job, const hrr_cells *cells, const hrr_cell_picking *picking)
{
    job->cells = cells;
    job->gaps = hrr_gaps_of(picking->num, picking->den);
    job->avx512 = !cells->node && hrr_cells_have_avx512();
    job->how = choose_drawing(picking);
    if (job->how == BY_TABLE) hrr_gap_table_init(&job->table, picking->num);
    const unsigned shift = log2_picks_per_piece + job->gaps.log2_stride;
    job->cells_per_piece = UINT64_C(1) << (shift < 63 ? shift : 63);
    job->n_pieces = (cells->n_cells + job->cells_per_piece - 1) / job->cells_per_piece;
}

/* Heads of the 64 cells from `cell` on, when they lie in one row, as nearly all do. */
static inline void push_heads_of_row(hrr_pairs *pairs, const picking_job *job,
                                     const cell_walk *walk, uint64_t cell, uint64_t heads)
{
    const uint64_t first = walk->row + 1 + (cell - walk->row_begin);
    if (job->avx512) {
        pairs->n += hrr_row_heads_avx512(pairs->source + pairs->n, pairs->target + pairs->n,
                                         (uint32_t)walk->row, (uint32_t)first, heads);
        return;
    }
    const uint32_t *node = walk->cells->node;
    const uint32_t source = node ? node[walk->row] : (uint32_t)walk->row;
    for (; heads != 0; heads &= heads - 1) {
        const uint64_t target = first + (uint64_t)__builtin_ctzll(heads);
        hrr_pairs_push(pairs, source, node ? node[target] : (uint32_t)target);
    }
}

static void pick_by_words(worker *self, const picking_job *job, cell_walk *walk, uint64_t begin,
                          uint64_t end)
{
    for (uint64_t cell = begin; cell < end;) {
        uint64_t heads[hrr_coin_words];
        if (job->avx512)
            hrr_coins_avx512(heads, self->stream, job->gaps.num);
        else
            hrr_coins(heads, self->stream, job->gaps.num);
        self->status = hrr_pairs_reserve(&self->picked, hrr_coin_lanes + hrr_heads_slack, NULL);
        if (self->status) return;
        for (int w = 0; w < hrr_coin_words && cell < end; w++, cell += 64) {
            if (end - cell < 64) heads[w] &= (UINT64_C(1) << (end - cell)) - 1;
            if (cell >= walk->row_begin && cell + 64 <= walk->row_end)
                push_heads_of_row(&self->picked, job, walk, cell, heads[w]);
            else
                for (uint64_t left = heads[w]; left != 0; left &= left - 1)
                    push_cell(&self->picked, walk, cell + (uint64_t)__builtin_ctzll(left));
        }
    }
}

static void pick_by_gaps(worker *self, const picking_job *job, cell_walk *walk, uint64_t begin,
                         uint64_t end)
{
    for (uint64_t cell = begin;; cell++) {
        cell += hrr_gap(&job->gaps, end - cell, self->stream);
        if (cell >= end) return;
        if ((self->status = hrr_pairs_reserve(&self->picked, 1, NULL))) return;
        push_cell(&self->picked, walk, cell);
    }
}

static void pick_by_table(worker *self, const picking_job *job, cell_walk *walk, uint64_t begin,
                          uint64_t end)
{
    hrr_pairs *picked = &self->picked;
    for (uint64_t cell = begin;; cell++) {
        cell += hrr_gap_by_table(&job->table, self->stream);
        if (cell >= end) return;
        if (picked->n == picked->capacity &&
            (self->status = hrr_pairs_reserve(picked, UINT64_C(1) << log2_picks_per_piece, NULL)))
            return;
        push_cell(picked, walk, cell);
    }
}

static void pick_piece(worker *self, const picking_job *job, uint64_t first_row, uint64_t piece)
{
    const uint64_t begin = piece * job->cells_per_piece;
    const uint64_t left = job->cells->n_cells - begin;
    const uint64_t end = begin + (left < job->cells_per_piece ? left : job->cells_per_piece);
    cell_walk walk = walk_from(job->cells, begin);
    hrr_stream_seek(self->stream, HRR_PURPOSE_EDGE_CHANNEL, first_row + piece);
    switch (job->how) {
    case BY_GAPS:
        pick_by_gaps(self, job, &walk, begin, end);
        break;
    case BY_TABLE:
        pick_by_table(self, job, &walk, begin, end);
        break;
    case BY_WORDS:
        pick_by_words(self, job, &walk, begin, end);
        break;
    }
}

/* Pieces go out in waves, one a thread, and are taken in their order after each wave. */
hrr_status hrr_cells_pick(const hrr_cells *cells, const hrr_cell_picking *picking,
                          hrr_progress *progress, hrr_error *err)
{
    if (cells->n_cells == 0) return HRR_OK;
    picking_job job;
    plan_job(&job, cells, picking);
    int threads = hrr_threads(picking->threads);
    if ((uint64_t)threads > job.n_pieces) threads = (int)job.n_pieces;
    hrr_status status = HRR_OK;
    worker *workers = hrr_alloc_zero((size_t)threads, sizeof *workers);
    if (!workers) return hrr_no_memory(err);
    for (int i = 0; i < threads && !status; i++)
        status = hrr_stream_new(&workers[i].stream, picking->random, err);
    hrr_progress_begin(progress, "drawing edges", job.n_pieces);
    for (uint64_t first = 0; first < job.n_pieces && !status; first += (uint64_t)threads) {
        const uint64_t left = job.n_pieces - first;
        const int wave = left < (uint64_t)threads ? (int)left : threads;
#pragma omp parallel for num_threads(wave) schedule(static, 1)
        for (int i = 0; i < wave; i++) {
            workers[i].picked.n = 0;
            pick_piece(&workers[i], &job, picking->first_row, first + (uint64_t)i);
        }
        for (int i = 0; i < wave && !status; i++)
            status = workers[i].status ? hrr_no_memory(err)
                                       : picking->take(picking->user, &workers[i].picked, err);
        if (!status) status = hrr_progress_advance(progress, (uint64_t)wave, err);
    }
    for (int i = 0; i < threads; i++) {
        hrr_stream_free(workers[i].stream);
        hrr_pairs_clear(&workers[i].picked);
    }
    hrr_free(workers);
    return status;
}
