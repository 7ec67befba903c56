/* start_match.c: see start_match.h.
 *
 * Two clusters belong together if edges between them are dense and if both see the same
 * neighbours: the likelihood of the tree above them then loses nothing by treating them as one. So
 *
 *     score(a, b) = density x similarity,      density = edges between a and b / (|a| |b|),
 *     similarity = common / (all - common),    the Jaccard index of what a node of a and a node of
 *                                              b see on average, x -> edges(a, x) / |a|.
 *
 * Among single nodes this is the Jaccard index of their neighbourhoods. Clusters choose in the
 * order of their best score. Who finds all good partners taken waits at the best of them; two that
 * wait at the same place see the same neighbour and are joined with each other (as in METIS). The
 * leaves of a star do so before all others: their likelihood is 1 if the centre comes last.
 * With p pairs at most 4 p clusters that have an edge stay alone, hence the sixth: one that sits
 * out for each pair of pendants, and those that wait, no two at the same place, each at one that is
 * joined or sits out.
 *
 * Measured against METIS 5.1 (recursive bisection to the end) on polblogs, CA-HepPh, ppi, Cora and
 * Facebook, with all and with 70% of the edges: a higher likelihood on every one, in a quarter of
 * the time or less (docs/mechanisms/edgerr-trees.md). */
#include "edge/start_match.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A partner is good if its score is at least this share of the best one. */
static const float good_enough = 0.5F;
enum {
    /* Of a long row so many entries, evenly spaced, stand for all: hubs would cost the square of
     * their degree. */
    MOST_COMPARED = 64,
    /* So many neighbours, the densest, may become partners. */
    MOST_SCORED = 32,
    /* Of the neighbours of a row so many are asked for before it is looked at, and from then on
     * each so many before its turn. */
    FETCHED_AHEAD = 16
};

typedef struct proposal {
    uint64_t key; /* score, then chance */
    uint32_t cluster;
} proposal;

/* The entries that stand for the others in rows longer than MOST_COMPARED, side by side: spread
 * over the rows, each would be a cache line of its own, and every neighbour of a cluster looks at
 * them. */
typedef struct samples {
    uint32_t *number; /* n: which sample is a cluster's, if it has one; NULL: no row is so long */
    uint32_t *col;    /* MOST_COMPARED for each */
    float *weight;
} samples;

typedef struct matching {
    const hrr_coarse *graph;
    samples samples;
    float *score;      /* one for each entry of the graph */
    uint32_t *best;    /* n: the neighbour of the best score */
    proposal *in_turn; /* those that have a neighbour */
    uint32_t *waiting; /* n: who waits at a cluster */
    uint32_t next;     /* row that no worker has taken yet */
    uint64_t seed;
    hrr_progress *progress;
} matching;

/* A bijection that scatters its argument (the finaliser of SplitMix64): ties are broken by chance,
 * not by the order of the file. */
static uint64_t scatter(uint64_t x)
{
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    return x ^ x >> 31;
}

/* What the nodes of one cluster see on average, by cluster seen; 0 where nothing is. A hash table
 * that is small while rows are short: an array over all clusters would miss the cache at nearly
 * every look, and nearly every look finds nothing. */
typedef struct sight {
    uint32_t *key; /* HRR_NO_CLUSTER: free */
    float *value;
    uint32_t mask; /* slots - 1, a power of two */
    int shift;     /* 32 - bits of a slot's number */
} sight;

enum { LEAST_SLOTS = 512, SHORT_ROW = 256 };

/* Slots for a row of so many entries: nearly all are free in the short rows, which are many; in the
 * long ones three of four, so that a hub's table is no larger than it has to be. */
static uint32_t slots_for(uint32_t length)
{
    uint64_t slots = LEAST_SLOTS;
    while (slots < (uint64_t)length * (length <= SHORT_ROW ? 16 : 4))
        slots *= 2;
    return slots > UINT32_C(1) << 31 ? UINT32_C(1) << 31 : (uint32_t)slots;
}

static bool sight_alloc(sight *out, uint32_t longest)
{
    uint32_t slots = slots_for(longest);
    if (longest > SHORT_ROW && slots < slots_for(SHORT_ROW)) slots = slots_for(SHORT_ROW);
    *out = (sight){.key = hrr_alloc(slots, sizeof *out->key),
                   .value = hrr_alloc(slots, sizeof *out->value)};
    if (!out->key || !out->value) return false;
    memset(out->key, 0xff, slots * sizeof *out->key);
    return true;
}

static void sight_free(sight *s)
{
    hrr_free(s->key);
    hrr_free(s->value);
}

#define SCATTERED UINT32_C(0x9e3779b1) /* 2^32 over the golden ratio */

static inline uint32_t slot_of(const sight *s, uint32_t cluster)
{
    return (uint32_t)(cluster * SCATTERED) >> s->shift;
}

/* For a row of so many entries; the table is empty. */
static void sight_size(sight *s, uint32_t length)
{
    const uint32_t slots = slots_for(length);
    s->mask = slots - 1;
    s->shift = __builtin_clz(slots) + 1;
}

static void sight_put(sight *s, uint32_t cluster, float value)
{
    uint32_t slot = slot_of(s, cluster);
    while (s->key[slot] != HRR_NO_CLUSTER)
        slot = (slot + 1) & s->mask;
    s->key[slot] = cluster;
    s->value[slot] = value;
}

static inline float sight_of(const sight *s, uint32_t cluster)
{
    uint32_t slot = slot_of(s, cluster);
    for (; s->key[slot] != HRR_NO_CLUSTER; slot = (slot + 1) & s->mask)
        if (s->key[slot] == cluster) return s->value[slot];
    return 0;
}

/* Free every slot that the clusters of a row took: each lies in an unbroken run behind its own
 * slot, and nobody looks anything up before all are free. */
static void sight_clear(sight *s, const uint32_t *col, uint32_t length)
{
    for (uint32_t e = 0; e < length; e++)
        for (uint32_t slot = slot_of(s, col[e]); s->key[slot] != HRR_NO_CLUSTER;
             slot = (slot + 1) & s->mask)
            s->key[slot] = HRR_NO_CLUSTER;
}

/* Of a row of so many entries every step-th is compared. */
static uint32_t step_of(uint32_t length)
{
    return (length + MOST_COMPARED - 1) / MOST_COMPARED;
}

static void samples_clear(samples *s)
{
    hrr_free(s->number);
    hrr_free(s->col);
    hrr_free(s->weight);
    *s = (samples){0};
}

static hrr_status samples_init(samples *out, const hrr_coarse *g, hrr_error *err)
{
    uint32_t n_long = 0;
    *out = (samples){0};
    for (uint32_t a = 0; a < g->n_clusters; a++)
        n_long += g->row[a].length > MOST_COMPARED;
    if (n_long == 0) return HRR_OK;
    out->number = hrr_alloc(g->n_clusters, sizeof *out->number);
    out->col = hrr_alloc(n_long, MOST_COMPARED * sizeof *out->col);
    out->weight = hrr_alloc(n_long, MOST_COMPARED * sizeof *out->weight);
    if (!out->number || !out->col || !out->weight) {
        samples_clear(out);
        return hrr_no_memory(err);
    }
    uint32_t number = 0;
    for (uint32_t a = 0; a < g->n_clusters; a++) {
        const uint32_t length = g->row[a].length, step = step_of(length);
        if (length <= MOST_COMPARED) continue;
        size_t at = (size_t)number * MOST_COMPARED;
        for (uint64_t e = g->row[a].begin; e < g->row[a].begin + length; e += step, at++) {
            out->col[at] = g->col[e];
            out->weight[at] = g->weight[e];
        }
        out->number[a] = number++;
    }
    return HRR_OK;
}

/* The entries of row b that are compared, one after the other. */
typedef struct entries {
    const uint32_t *col;
    const float *weight;
    uint32_t n;
} entries;

static inline entries compared(const matching *m, uint32_t b)
{
    const hrr_coarse *g = m->graph;
    const uint32_t length = g->row[b].length, step = step_of(length);
    if (length <= MOST_COMPARED)
        return (entries){g->col + g->row[b].begin, g->weight + g->row[b].begin, length};
    const size_t at = (size_t)m->samples.number[b] * MOST_COMPARED;
    return (entries){m->samples.col + at, m->samples.weight + at, (length + step - 1) / step};
}

/* Ask for them. They may begin in the middle of a cache line. */
static inline void fetch_compared(const matching *m, uint32_t b)
{
    enum { per_line = 64 / sizeof(uint32_t) };
    const entries theirs = compared(m, b);
    for (uint32_t i = 0; i < theirs.n; i += per_line)
        __builtin_prefetch(theirs.col + i);
    __builtin_prefetch(theirs.col + theirs.n - 1);
}

/* Which of n clusters may be in the table: those whose own slot is taken. Few are, and nobody can
 * foretell which, so there is no branch. Not inlined: this loop is where the time goes, and it
 * needs the registers. */
static __attribute__((noinline)) uint32_t find_taken(uint8_t *taken, const sight *s,
                                                     const uint32_t *cluster, uint32_t n)
{
    const uint32_t *const key = s->key;
    const int shift = s->shift;
    uint32_t n_taken = 0;
    for (uint32_t i = 0; i < n; i++) {
        taken[n_taken] = (uint8_t)i;
        n_taken += key[(uint32_t)(cluster[i] * SCATTERED) >> shift] != HRR_NO_CLUSTER;
    }
    return n_taken;
}

/* What the nodes of a see on average stands in seen. */
static float common_neighbours(const matching *m, uint32_t b, const sight *seen)
{
    const hrr_coarse_row *row = &m->graph->row[b];
    const float share = 1 / (float)row->size;
    const entries their = compared(m, b);
    uint8_t taken[MOST_COMPARED];
    const uint32_t n_taken = find_taken(taken, seen, their.col, their.n);
    float common = 0;
    for (uint32_t i = 0; i < n_taken; i++) {
        const float mine = sight_of(seen, their.col[taken[i]]);
        if (mine == 0) continue;
        const float theirs = their.weight[taken[i]] * share;
        common += mine < theirs ? mine : theirs;
    }
    return common * (float)row->length / (float)their.n;
}

/* Of a row the entries that may score high: the densest, at most MOST_SCORED. Densities go to
 * score. Returns how many. */
static uint32_t densest(uint32_t *chosen, float *score, const hrr_coarse *g, uint32_t a)
{
    const uint32_t *col = g->col + g->row[a].begin;
    const float *weight = g->weight + g->row[a].begin;
    const uint32_t length = g->row[a].length;
    uint32_t n = 0;
    for (uint32_t e = 0; e < length; e++) {
        if (e + FETCHED_AHEAD < length) __builtin_prefetch(&g->row[col[e + FETCHED_AHEAD]]);
        score[e] = weight[e] / ((float)g->row[a].size * (float)g->row[col[e]].size);
        if (n == MOST_SCORED && score[e] <= score[chosen[n - 1]]) continue;
        uint32_t at = n < MOST_SCORED ? n++ : n - 1;
        for (; at > 0 && score[chosen[at - 1]] < score[e]; at--)
            chosen[at] = chosen[at - 1];
        chosen[at] = e;
    }
    return n;
}

/* Fill the scores of row a; its best neighbour or HRR_NO_CLUSTER. seen is empty before and after. A
 * score that is not looked at, or cannot reach good_enough of the best, is 0. */
static uint32_t score_row(float *best_score, const matching *m, uint32_t a, sight *seen)
{
    const hrr_coarse *g = m->graph;
    const uint32_t *col = g->col + g->row[a].begin;
    const float *weight = g->weight + g->row[a].begin;
    float *score = m->score + g->row[a].begin;
    const float size = (float)g->row[a].size, degree = (float)g->row[a].degree / size;
    uint32_t chosen[MOST_SCORED], best = HRR_NO_CLUSTER;
    float density[MOST_SCORED];
    const uint32_t n_chosen = densest(chosen, score, g, a);
    for (uint32_t i = 0; i < n_chosen; i++)
        density[i] = score[chosen[i]];
    sight_size(seen, g->row[a].length);
    for (uint32_t e = 0; e < g->row[a].length; e++) {
        sight_put(seen, col[e], weight[e] / size);
        score[e] = 0;
    }
    for (uint32_t i = 0; n_chosen < g->row[a].length && i < n_chosen; i++)
        fetch_compared(m, col[chosen[i]]);
    *best_score = 0;
    for (uint32_t i = 0; i < n_chosen; i++) {
        const uint32_t e = chosen[i], b = col[e];
        const float other_size = (float)g->row[b].size,
                    other = (float)g->row[b].degree / other_size;
        /* The two see each other; counted so, two nodes that see only each other score 1. */
        const float mutual = 2 * weight[e] / (size + other_size);
        const float most = degree < other ? degree : other, all = degree + other + 1;
        if (density[i] * (most + mutual) < good_enough * *best_score * (all - most - mutual))
            continue;
        float common = common_neighbours(m, b, seen);
        common = (common < most ? common : most) + mutual;
        score[e] = density[i] * common / (all - common);
        if (best == HRR_NO_CLUSTER || score[e] > *best_score ||
            (score[e] == *best_score && g->row[b].degree < g->row[best].degree))
            *best_score = score[e], best = b;
    }
    sight_clear(seen, col, g->row[a].length);
    return best;
}

/* Neighbours lie anywhere: ask for them two rows before they are looked at, */
static void fetch_neighbours(const hrr_coarse *g, uint32_t a)
{
    const uint32_t *col = g->col + g->row[a].begin;
    for (uint32_t e = 0; e < FETCHED_AHEAD && e < g->row[a].length; e++)
        __builtin_prefetch(&g->row[col[e]]);
}

/* and for what they see one row before, unless it is still open which of them are scored. */
static void fetch_rows(const matching *m, uint32_t a)
{
    const hrr_coarse_row *row = &m->graph->row[a];
    for (uint32_t e = 0; row->length <= MOST_SCORED && e < row->length; e++)
        fetch_compared(m, m->graph->col[row->begin + e]);
}

/* One worker: takes portions of rows until none is left. */
static void score_rows(matching *m, float *scores, sight *seen)
{
    const uint32_t n = m->graph->n_clusters;
    while (!hrr_progress_cancelled(m->progress)) {
        uint32_t first;
#pragma omp atomic capture
        {
            first = m->next;
            m->next += HRR_COARSE_PORTION;
        }
        if (first >= n) return;
        const uint32_t end = n - first > HRR_COARSE_PORTION ? first + HRR_COARSE_PORTION : n;
        for (uint32_t a = first; a < end; a++) {
            if (a + 2 < end) fetch_neighbours(m->graph, a + 2);
            if (a + 1 < end) fetch_rows(m, a + 1);
            m->best[a] = score_row(&scores[a], m, a, seen);
        }
    }
}

static int best_first(const void *a, const void *b)
{
    const proposal *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? 1 : -1;
    return (x->cluster > y->cluster) - (x->cluster < y->cluster);
}

/* Positive floats ascend like their bits. */
static uint32_t list_in_turn(const matching *m, const float *scores)
{
    uint32_t n = 0;
    for (uint32_t a = 0; a < m->graph->n_clusters; a++) {
        if (m->best[a] == HRR_NO_CLUSTER) continue;
        uint32_t bits;
        memcpy(&bits, &scores[a], sizeof bits);
        m->in_turn[n++] = (proposal){
            .key = (uint64_t)bits << 32 | scatter(m->seed ^ scatter(a)) >> 32, .cluster = a};
    }
    qsort(m->in_turn, n, sizeof *m->in_turn, best_first);
    return n;
}

/* The best neighbour that is good enough and free. */
static uint32_t free_neighbour(const matching *m, const uint32_t *mate, uint32_t a, float best)
{
    const hrr_coarse *g = m->graph;
    if (mate[m->best[a]] == HRR_NO_CLUSTER) return m->best[a];
    float least = good_enough * best;
    uint32_t found = HRR_NO_CLUSTER;
    for (uint64_t e = g->row[a].begin; e < g->row[a].begin + g->row[a].length; e++)
        if (m->score[e] >= least && mate[g->col[e]] == HRR_NO_CLUSTER &&
            (found == HRR_NO_CLUSTER || m->score[e] > least))
            least = m->score[e], found = g->col[e];
    return found;
}

static void join(uint32_t *mate, uint32_t a, uint32_t b)
{
    mate[a] = b;
    mate[b] = a;
}

/* Clusters that hang on the same cluster and on nothing else are alike: they are joined with each
 * other before any of them with it. Of an odd number one sits out: it is its own mate until the
 * round is over. */
static void join_pendants(uint32_t *mate, const matching *m)
{
    enum { JOIN, SIT_OUT, LEAVE, N_PASSES };
    const hrr_coarse *g = m->graph;
    for (int pass = JOIN; pass < N_PASSES; pass++)
        for (uint32_t a = 0; a < g->n_clusters; a++) {
            if (g->row[a].length != 1) continue;
            uint32_t *waiting = &m->waiting[g->col[g->row[a].begin]];
            if (*waiting == HRR_NO_CLUSTER) {
                if (pass == JOIN && mate[a] == HRR_NO_CLUSTER) *waiting = a;
            } else if (pass == JOIN) {
                join(mate, a, *waiting);
                *waiting = HRR_NO_CLUSTER;
            } else if (pass == LEAVE || mate[a] != HRR_NO_CLUSTER) {
                if (pass == SIT_OUT) mate[*waiting] = *waiting;
                *waiting = HRR_NO_CLUSTER;
            }
        }
}

static void choose_in_turn(uint32_t *mate, const matching *m, uint32_t n_in_turn,
                           const float *scores)
{
    for (uint32_t i = 0; i < n_in_turn; i++) {
        const uint32_t a = m->in_turn[i].cluster;
        if (mate[a] != HRR_NO_CLUSTER) continue;
        const uint32_t partner = free_neighbour(m, mate, a, scores[a]);
        uint32_t *waiting = &m->waiting[m->best[a]];
        if (partner != HRR_NO_CLUSTER)
            join(mate, a, partner);
        else if (*waiting != HRR_NO_CLUSTER && mate[*waiting] == HRR_NO_CLUSTER)
            join(mate, a, *waiting);
        else
            *waiting = a;
    }
    for (uint32_t a = 0; a < m->graph->n_clusters; a++)
        if (mate[a] == a) mate[a] = HRR_NO_CLUSTER; /* sat out */
}

hrr_status hrr_coarse_match(uint32_t *mate, const hrr_coarse *graph, uint64_t seed, int threads,
                            hrr_progress *progress, hrr_error *err)
{
    const uint32_t n = graph->n_clusters;
    const uint64_t room = n ? graph->row[n - 1].begin + graph->row[n - 1].length : 0;
    uint32_t longest = 0;
    for (uint32_t a = 0; a < n; a++)
        if (graph->row[a].length > longest) longest = graph->row[a].length;
    matching m = {.graph = graph,
                  .score = hrr_alloc(room, sizeof *m.score),
                  .best = hrr_alloc(n, sizeof *m.best),
                  .in_turn = hrr_alloc(n, sizeof *m.in_turn),
                  .waiting = hrr_alloc(n, sizeof *m.waiting),
                  .seed = seed,
                  .progress = progress};
    float *scores = hrr_alloc(n, sizeof *scores);
    sight *seen = hrr_alloc_zero((size_t)threads, sizeof *seen);
    hrr_status status = samples_init(&m.samples, graph, err);
    bool room_to_see = seen != NULL;
    for (int worker = 0; worker < threads && room_to_see; worker++)
        room_to_see = sight_alloc(&seen[worker], longest);
    if (!m.score || !m.best || !m.in_turn || !m.waiting || !scores || !room_to_see)
        status = hrr_no_memory(err);
    if (status) goto done;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int worker = 0; worker < threads; worker++)
        score_rows(&m, scores, &seen[worker]);
    status = hrr_progress_advance(progress, 0, err);
    if (status) goto done;
    memset(mate, 0xff, n * sizeof *mate);
    memset(m.waiting, 0xff, n * sizeof *m.waiting);
    join_pendants(mate, &m);
    choose_in_turn(mate, &m, list_in_turn(&m, scores), scores);

done:
    samples_clear(&m.samples);
    hrr_free(m.score);
    hrr_free(m.best);
    hrr_free(m.in_turn);
    hrr_free(m.waiting);
    hrr_free(scores);
    for (int worker = 0; seen && worker < threads; worker++)
        sight_free(&seen[worker]);
    hrr_free(seen);
    return status;
}
