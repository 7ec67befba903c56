/* advice.c: see advice.h.
 *
 * Whether public edges say anything about private ones cannot be seen without private ones. What
 * can be seen is whether they say anything about each other: if a tree built from most public edges
 * does not help to find the rest, there is little hope that it finds private ones. If it does, that
 * is no proof; estimate.c then finds out from the noisy counts how far to believe it.
 *
 * The tree's rate is mixed half and half with the overall rate, so that one surprise cannot cost
 * more than ln 2. If edges fall anywhere, the ratio of rates is 1 on average, so its mean logarithm
 * is at most 0: a mean of more than two deviations above 0 is a signal. */
#include "edge/advice.h"
#include "edge/queries.h"
#include "edge/trees.h"
#include "base/memory.h"
#include "random/fast.h"

#include <math.h>

enum { one_held_in = 5 };

/* Fewer tell nothing; more would take as long as the tree itself, some ten seconds and up. */
static const uint64_t fewest_edges = 100, most_edges = 2000000;

static const char no_edges[] = "there are too few public edges between candidates to shape a tree, "
                               "so synthetic edges will seldom be where private edges are";
static const char no_signal[] = "a tree of public edges does not predict other public edges, so it "
                                "will hardly predict private ones";

static bool joins_candidates(const hrr_edge_public *known, uint64_t e)
{
    return !known->candidates ||
           (known->candidates[known->source[e]] && known->candidates[known->target[e]]);
}

static uint64_t count_joining(const hrr_edge_public *known)
{
    uint64_t n = 0;
    for (uint64_t e = 0; e < known->n_edges; e++)
        n += joins_candidates(known, e);
    return n;
}

/* Public edges in two lists, both still canonical. */
typedef struct held_out {
    uint64_t n_kept, n_held;
    uint32_t *kept[2], *held[2];
} held_out;

static hrr_status hold_out(held_out *out, const hrr_edge_public *known, uint64_t seed,
                           hrr_error *err)
{
    for (int i = 0; i < 2; i++) {
        out->kept[i] = hrr_alloc(known->n_edges, sizeof(uint32_t));
        out->held[i] = hrr_alloc(known->n_edges, sizeof(uint32_t));
        if (!out->kept[i] || !out->held[i]) return hrr_no_memory(err);
    }
    hrr_fast_random random;
    hrr_fast_init(&random, seed, 0);
    for (uint64_t e = 0; e < known->n_edges; e++) {
        const bool hold = joins_candidates(known, e) && hrr_fast_below(&random, one_held_in) == 0;
        uint32_t **to = hold ? out->held : out->kept;
        const uint64_t at = hold ? out->n_held++ : out->n_kept++;
        to[0][at] = known->source[e];
        to[1][at] = known->target[e];
    }
    return HRR_OK;
}

static void held_out_clear(held_out *lists)
{
    for (int i = 0; i < 2; i++) {
        hrr_free(lists->kept[i]);
        hrr_free(lists->held[i]);
    }
}

static void find_gain(hrr_public_signal *out, const hrr_queries *nodes, const uint64_t *held)
{
    double all_weight = 0, all_pairs = 0, n = 0, sum = 0, squares = 0;
    for (uint32_t r = 0; r < nodes->n_internal; r++) {
        all_weight += nodes->weight[r];
        all_pairs += (double)nodes->node_pairs[r];
    }
    for (uint32_t r = 0; r < nodes->n_internal; r++) {
        if (held[r] == 0) continue;
        const double ratio =
            nodes->weight[r] / all_weight / ((double)nodes->node_pairs[r] / all_pairs);
        const double gain = log((1 + ratio) / 2), count = (double)held[r];
        n += count;
        sum += count * gain;
        squares += count * gain * gain;
    }
    out->n_held = (uint64_t)n;
    out->gain = n > 0 ? sum / n : 0;
    out->deviation = n > 0 ? sqrt(fmax(squares / n - out->gain * out->gain, 0) / n) : 0;
}

hrr_status hrr_public_signal_measure(hrr_public_signal *out, const hrr_edge_public *known,
                                     uint64_t seed, int threads, hrr_progress *progress,
                                     hrr_error *err)
{
    held_out lists = {0};
    hrr_dendrogram tree = {0};
    hrr_queries nodes = {0};
    uint64_t *counts = NULL;
    *out = (hrr_public_signal){0};
    if (count_joining(known) < fewest_edges || known->n_edges > most_edges) return HRR_OK;
    hrr_status status = hold_out(&lists, known, seed, err);
    if (status) goto done;
    const hrr_edge_public kept = {.n_nodes = known->n_nodes,
                                  .n_edges = lists.n_kept,
                                  .source = lists.kept[0],
                                  .target = lists.kept[1],
                                  .candidates = known->candidates};
    if ((status = hrr_start_public(&tree, &kept, seed, threads, progress, err))) goto done;
    if ((status = hrr_queries_init(&nodes, &tree, &kept, HRR_QUERIES_EACH, HRR_EPS_UNIT, err)))
        goto done;
    counts = hrr_alloc(nodes.n_internal, sizeof *counts);
    if (!counts) {
        status = hrr_no_memory(err);
        goto done;
    }
    if ((status =
             hrr_dendrogram_count(counts, &tree, lists.n_held, lists.held[0], lists.held[1], err)))
        goto done;
    if (nodes.weight) find_gain(out, &nodes, counts);
done:
    held_out_clear(&lists);
    if (tree.leaf) hrr_dendrogram_clear(&tree);
    hrr_queries_clear(&nodes);
    hrr_free(counts);
    return status;
}

hrr_status hrr_edge_advise(const char **out, const hrr_edge_public *known, uint64_t seed,
                           int threads, hrr_progress *progress, hrr_error *err)
{
    hrr_public_signal signal;
    *out = NULL;
    hrr_status status = hrr_public_signal_measure(&signal, known, seed, threads, progress, err);
    if (status) return status;
    if (signal.n_held == 0 && known->n_edges <= most_edges)
        *out = no_edges;
    else if (signal.n_held > 0 && signal.gain <= 2 * signal.deviation)
        *out = no_signal;
    return HRR_OK;
}
