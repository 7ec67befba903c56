/* wiring.c: the edges of a degree-corrected block model (Karrer and Newman, 2011).
 *
 * Nodes u and v of one graph are joined at a rate proportional to p(u) p(v), the shares that the
 * degree law gives them in their classes; one factor for pairs inside a class and one for pairs
 * across make the share of edges inside equal to the homophily.
 *
 * An edge is drawn by its smaller end, so that rows come out in canonical order and no pair is
 * drawn from both sides:
 *   plan  u's number of larger partners is its expected number, rounded so that the running total
 *         is right to one edge. Rows then have known places, and threads write to them directly.
 *   draw  partners by the degree law, one at a time, dropping those below u and repeated ones. On
 *         average that takes two draws an edge.
 * The number of edges is therefore exact. We depart from independent Poisson counts in that the
 * smaller end's part of a degree is not random given its weight, and in the last 1/64 of the ids,
 * which own 1/4096 of the edges: when the law keeps naming smaller ids there, a larger one is
 * taken uniformly. */
#include "generate/wiring.h"
#include "generate/degree_law.h"
#include "generate/parallel.h"
#include "base/memory.h"
#include "random/fast.h"

#include <math.h>
#include <stdlib.h>

enum {
    STEP = 1 << 16,  /* nodes between two looks at the progress */
    TRIES = 64,      /* draws for each wanted partner before taking one uniformly */
    SHORT_ROW = 32,  /* insertion sort is quicker up to here */
    CLASS_SIZES = 3, /* graphs and classes are as equal as can be: three sizes at most */
};

/* No more than this share of a node's possible partners, on average and for the largest hub. */
static const double fullest = 0.9;

typedef struct wiring {
    const hrr_blocks *blocks;
    double inside, across; /* expected edges */
    uint64_t smallest_class;
    hrr_degree_law laws[CLASS_SIZES]; /* by class size, from the smallest */
    uint64_t *row_start;              /* n + 1: where the edges of each smaller end go */
    uint32_t *row_inside;             /* how many of them stay inside the class */
    uint32_t *source, *target;
} wiring;

static double homophily_of(const hrr_generate_options *options)
{
    return options->n_classes == 1 ? 1 : options->homophily;
}

hrr_status hrr_wiring_check(const hrr_generate_options *options, hrr_error *err)
{
    double homophily = homophily_of(options);
    uint64_t graph_size = options->n_nodes / options->n_graphs;
    uint64_t class_size = graph_size / options->n_classes;
    double most = INFINITY;
    if (homophily > 0) most = fullest * (double)(class_size - 1) / homophily;
    if (homophily < 1)
        most = fmin(most, fullest * (double)(graph_size - class_size - 1) / (1 - homophily));
    if (options->average_degree <= most) return HRR_OK;
    return hrr_fail(err, HRR_EINVAL,
                    "`average_degree` must be at most %.4g with these `n_nodes`, `n_graphs`, "
                    "`n_classes` and `homophily`; request more nodes or fewer classes",
                    most);
}

static void set_laws(wiring *w, const hrr_generate_options *options)
{
    double homophily = homophily_of(options);
    double degree_inside = options->average_degree * homophily;
    double degree_across = options->average_degree * (1 - homophily);
    uint64_t graph_size = options->n_nodes / options->n_graphs;
    uint64_t largest_graph = graph_size + (options->n_nodes % options->n_graphs > 0);
    uint64_t largest_class = (largest_graph + options->n_classes - 1) / options->n_classes;
    w->smallest_class = graph_size / options->n_classes;
    for (uint64_t i = 0; w->smallest_class + i <= largest_class; i++) {
        double size = (double)(w->smallest_class + i), others = (double)graph_size - size;
        double top = INFINITY;
        if (degree_inside > 0) top = fullest * (size - 1) / (size * degree_inside);
        if (degree_across > 0) top = fmin(top, fullest * others / (size * degree_across));
        hrr_degree_law_init(&w->laws[i], options->degree_exponent, w->smallest_class + i, top);
    }
}

/* ---- plan -------------------------------------------------------------------------------- */

/* What is still to come while walking through a graph's nodes. */
typedef struct rest {
    double share;
    uint64_t count;
} rest;

static void pass(rest *left, double share)
{
    left->share = fmax(left->share - share, 0); /* sums of shares round */
    left->count--;
}

/* Edges that are due but not given out, fractions mostly. */
typedef struct due_edges {
    double inside, across;
} due_edges;

/* The whole part of what is due, at most `available`; the remainder stays due. */
static uint32_t take_whole(double *edges, uint64_t available)
{
    double whole = fmin(floor(*edges), (double)available);
    *edges -= whole;
    return (uint32_t)whole;
}

/* Row sizes of one graph. The sum of p(u) p(v) is (1 - sum of squares) / 2 over the pairs of a
 * class and (C^2 - C) / 2 over the pairs across. `rests` is scratch for the classes. */
static hrr_status plan_graph(wiring *w, uint32_t graph, rest *rests, due_edges *due,
                             hrr_progress *progress, hrr_error *err)
{
    const hrr_blocks *blocks = w->blocks;
    uint64_t begin = hrr_blocks_graph_begin(blocks, graph);
    uint64_t end = hrr_blocks_graph_begin(blocks, graph + 1);
    double n_nodes = (double)blocks->n_nodes, n_classes = blocks->n_classes;
    double rate_across =
        w->across * (double)(end - begin) / n_nodes * 2 / (n_classes - 1) / n_classes;
    rest all = {.share = n_classes, .count = end - begin};
    for (uint32_t label = 0; label < blocks->n_classes; label++)
        rests[label] = (rest){1, hrr_blocks_class_size(blocks, end - begin, label)};

    for (uint64_t node = begin; node < end; node++) {
        uint32_t place = blocks->place[node], label = place % blocks->n_classes;
        uint64_t size = hrr_blocks_class_size(blocks, end - begin, label);
        const hrr_degree_law *law = &w->laws[size - w->smallest_class];
        double share = hrr_degree_law_share(law, place / blocks->n_classes);
        rest *own = &rests[label];
        pass(own, share);
        pass(&all, share);
        uint64_t others = all.count - own->count;
        if (own->count > 0)
            due->inside += w->inside * (double)size / n_nodes * 2 / (1 - law->sum_squares) * share *
                           own->share;
        if (others > 0) due->across += rate_across * share * fmax(all.share - own->share, 0);
        w->row_inside[node] = take_whole(&due->inside, own->count);
        w->row_start[node + 1] =
            w->row_start[node] + w->row_inside[node] + take_whole(&due->across, others);
        if (node % STEP == 0) {
            hrr_status status = hrr_progress_advance(progress, STEP, err);
            if (status) return status;
        }
    }
    return HRR_OK;
}

static hrr_status plan(wiring *w, hrr_progress *progress, hrr_error *err)
{
    const hrr_blocks *blocks = w->blocks;
    rest *rests = hrr_alloc(blocks->n_classes, sizeof *rests);
    if (!rests) return hrr_no_memory(err);
    hrr_status status = HRR_OK;
    due_edges due = {.inside = 0.5, .across = 0.5}; /* so that the totals round to the nearest */
    w->row_start[0] = 0;
    hrr_progress_begin(progress, "planning edges", blocks->n_nodes);
    for (uint32_t graph = 0; !status && graph < blocks->n_graphs; graph++)
        status = plan_graph(w, graph, rests, &due, progress, err);
    hrr_free(rests);
    return status;
}

/* ---- draw -------------------------------------------------------------------------------- */

static int compare_nodes(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void sort_nodes(uint32_t *nodes, uint64_t n)
{
    if (n > SHORT_ROW) {
        qsort(nodes, n, sizeof *nodes, compare_nodes);
        return;
    }
    for (uint64_t i = 1; i < n; i++) {
        uint32_t node = nodes[i];
        uint64_t k = i;
        for (; k > 0 && nodes[k - 1] > node; k--)
            nodes[k] = nodes[k - 1];
        nodes[k] = node;
    }
}

static uint64_t drop_repeated(uint32_t *sorted, uint64_t n)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < n; i++)
        if (kept == 0 || sorted[kept - 1] != sorted[i]) sorted[kept++] = sorted[i];
    return kept;
}

/* One smaller end and the graph it lives in. */
typedef struct smaller_end {
    uint32_t node, label;
    uint64_t graph_begin, graph_end;
} smaller_end;

static uint32_t draw_partner(const wiring *w, const smaller_end *end, bool inside,
                             hrr_fast_random *random)
{
    const hrr_blocks *blocks = w->blocks;
    uint32_t label = end->label;
    if (!inside) {
        label = (uint32_t)hrr_fast_below(random, blocks->n_classes - 1);
        label += label >= end->label;
    }
    uint64_t size = hrr_blocks_class_size(blocks, end->graph_end - end->graph_begin, label);
    uint64_t rank = hrr_degree_law_draw(&w->laws[size - w->smallest_class], random);
    return blocks->order[end->graph_begin + rank * blocks->n_classes + label];
}

/* Fill nodes[have..wanted) with larger nodes that are not among the first `have`, which are
 * sorted: those that follow a random one. There are enough: the plan saw to it. */
static void take_following(uint32_t *nodes, uint64_t have, uint64_t wanted, const wiring *w,
                           const smaller_end *end, bool inside, hrr_fast_random *random)
{
    uint64_t larger = end->graph_end - end->node - 1, sorted = have;
    uint64_t start = hrr_fast_below(random, larger);
    for (uint64_t i = 0; have < wanted; i++) {
        uint32_t node = (uint32_t)(end->node + 1 + (start + i) % larger);
        if ((hrr_blocks_class(w->blocks, node) == end->label) != inside) continue;
        if (bsearch(&node, nodes, sorted, sizeof node, compare_nodes)) continue;
        nodes[have++] = node;
    }
}

/* `wanted` different partners larger than the node itself. */
static void draw_partners(uint32_t *nodes, uint64_t wanted, const wiring *w, const smaller_end *end,
                          bool inside, hrr_fast_random *random)
{
    uint64_t tries = TRIES * wanted;
    for (uint64_t have = 0; have < wanted;) {
        for (; have < wanted && tries > 0; tries--) {
            uint32_t node = draw_partner(w, end, inside, random);
            if (node > end->node) nodes[have++] = node;
        }
        sort_nodes(nodes, have);
        have = drop_repeated(nodes, have);
        if (tries == 0) {
            take_following(nodes, have, wanted, w, end, inside, random);
            return;
        }
    }
}

static void draw_rows(void *user, uint64_t begin, uint64_t stop, hrr_fast_random *random)
{
    const wiring *w = user;
    for (uint64_t node = begin; node < stop; node++) {
        uint64_t start = w->row_start[node], size = w->row_start[node + 1] - start;
        if (size == 0) continue;
        uint32_t graph = hrr_blocks_graph_of(w->blocks, node);
        smaller_end end = {
            .node = (uint32_t)node,
            .label = hrr_blocks_class(w->blocks, node),
            .graph_begin = hrr_blocks_graph_begin(w->blocks, graph),
            .graph_end = hrr_blocks_graph_begin(w->blocks, graph + 1),
        };
        uint32_t *row = w->target + start, inside = w->row_inside[node];
        draw_partners(row, inside, w, &end, true, random);
        draw_partners(row + inside, size - inside, w, &end, false, random);
        sort_nodes(row, size);
        for (uint64_t e = start; e < start + size; e++)
            w->source[e] = (uint32_t)node;
    }
}

hrr_status hrr_wiring_draw(hrr_edge_list *out, const hrr_blocks *blocks,
                           const hrr_generate_options *options, hrr_progress *progress,
                           hrr_error *err)
{
    hrr_status status;
    hrr_edge_list edges = {0};
    double n_edges = (double)options->n_nodes * options->average_degree / 2;
    wiring w = {
        .blocks = blocks,
        .inside = n_edges * homophily_of(options),
        .across = n_edges * (1 - homophily_of(options)),
        .row_start = hrr_alloc(blocks->n_nodes + 1, sizeof *w.row_start),
        .row_inside = hrr_alloc(blocks->n_nodes, sizeof *w.row_inside),
    };
    *out = edges;
    if (!w.row_start || !w.row_inside) {
        status = hrr_no_memory(err);
        goto done;
    }
    set_laws(&w, options);
    if ((status = plan(&w, progress, err))) goto done;
    if ((status = hrr_edge_list_init(&edges, w.row_start[blocks->n_nodes], false, err))) goto done;
    w.source = edges.source;
    w.target = edges.target;
    hrr_progress_begin(progress, "drawing edges", blocks->n_nodes);
    if ((status = hrr_each_block(blocks->n_nodes, options->threads, options->seed, HRR_DRAW_EDGES,
                                 draw_rows, &w, progress, err)))
        goto done;
    *out = edges;
    edges = (hrr_edge_list){0};
done:
    hrr_edge_list_clear(&edges);
    hrr_free(w.row_inside);
    hrr_free(w.row_start);
    return status;
}
