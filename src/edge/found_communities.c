/* found_communities.c: see found_communities.h.
 *
 * Counts that noise may have made are left out, and Louvain's method groups the groups by the rest.
 * Louvain's method finds communities in noise as well. So it is also given counts of graphs in
 * which edges fall by degrees alone, with noise of the same law: communities are believed only if
 * their modularity, by all counts, exceeds that of each such graph by a margin. */
#include "edge/found_communities.h"
#include "base/memory.h"
#include "random/fast.h"
#include "structure/communities.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In communities of fewer members there is no room for the groups that triangles ask for. */
enum {
    n_rehearsals = 3,
    fewest_members = 32,
    rate_rounds = 10,
    n_distances = 10, /* of at most 1,024 groups (group_counts.c) */
    balance_rounds = 300
};
static const double above_noise = 2; /* mean absolute noises */
static const double margin = .03;    /* of modularity */
static const double errors_apart = 2;

typedef struct finder {
    const hrr_group_table *table;
    double *ends; /* n_groups: of the edges of a group */
    double total; /* of ends */
    int64_t *rehearsed;
    uint64_t *start, *weight, *loops; /* the links that are left */
    uint32_t *to;
    uint32_t *of; /* n_groups: the community of each */
    uint32_t n;
    double modularity;
} finder;

static hrr_status open_finder(finder *f, const hrr_group_table *table, hrr_error *err)
{
    const size_t n = table->n_groups;
    f->table = table;
    f->ends = hrr_alloc_zero(n, sizeof *f->ends);
    f->rehearsed = hrr_alloc(n * n, sizeof *f->rehearsed);
    f->start = hrr_alloc(n + 1, sizeof *f->start);
    f->weight = hrr_alloc(n * n, sizeof *f->weight);
    f->loops = hrr_alloc(n, sizeof *f->loops);
    f->to = hrr_alloc(n * n, sizeof *f->to);
    f->of = hrr_alloc(n, sizeof *f->of);
    if (!f->ends || !f->rehearsed || !f->start || !f->weight || !f->loops || !f->to || !f->of)
        return hrr_no_memory(err);
    for (uint64_t v = 0; v < table->n_nodes; v++) {
        f->ends[table->group[v]] += table->degree[v];
        f->total += table->degree[v];
    }
    return HRR_OK;
}

static void close_finder(finder *f)
{
    hrr_free(f->ends);
    hrr_free(f->rehearsed);
    hrr_free(f->start);
    hrr_free(f->weight);
    hrr_free(f->loops);
    hrr_free(f->to);
    hrr_free(f->of);
}

static int64_t at(const int64_t *count, uint32_t n, uint32_t i, uint32_t j)
{
    return i < j ? count[(uint64_t)i * n + j] : count[(uint64_t)j * n + i];
}

/* Of the communities found, by all counts. */
static double modularity_of(const finder *f, const int64_t *count)
{
    const uint32_t n = f->table->n_groups;
    double within = 0, chance = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i; j < n; j++) {
            if (f->of[i] != f->of[j]) continue;
            within += 2 * (double)at(count, n, i, j);
            chance += (i == j ? 1 : 2) * f->ends[i] * f->ends[j] / f->total;
        }
    return (within - chance) / f->total;
}

static hrr_status find(finder *f, const int64_t *count, uint64_t seed, hrr_error *err)
{
    const uint32_t n = f->table->n_groups;
    const double least = above_noise / f->table->eps;
    uint64_t n_links = 0;
    for (uint32_t i = 0; i < n; i++) {
        f->start[i] = n_links;
        for (uint32_t j = 0; j < n; j++) {
            const int64_t c = at(count, n, i, j);
            const uint64_t weight = c > 0 && (double)c > least ? (uint64_t)c : 0;
            if (i == j) f->loops[i] = weight;
            if (i == j || !weight) continue;
            f->to[n_links] = j;
            f->weight[n_links++] = weight;
        }
    }
    f->start[n] = n_links;
    const hrr_weighted_links links = {n, f->start, f->to, f->weight, f->loops};
    hrr_status status = hrr_communities_of_links(f->of, &f->n, &links, seed, NULL, err);
    if (!status) f->modularity = modularity_of(f, count);
    return status;
}

static int64_t poisson(hrr_fast_random *random, double mean)
{
    if (mean > 50) return (int64_t)llround(fmax(0, mean + sqrt(mean) * hrr_fast_normal(random)));
    int64_t k = -1;
    for (double product = exp(mean); product >= 1; k++)
        product *= hrr_fast_uniform(random);
    return k;
}

/* Counts of a graph without communities that has the degrees, with their noise. */
static void rehearse(finder *f, hrr_fast_random *random)
{
    const uint32_t n = f->table->n_groups;
    const double p = 1 - exp(-f->table->eps);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i; j < n; j++) {
            const double mean = f->ends[i] * f->ends[j] / f->total / (i == j ? 2 : 1);
            f->rehearsed[(uint64_t)i * n + j] = poisson(random, mean) +
                                                (int64_t)hrr_fast_geometric(random, p) -
                                                (int64_t)hrr_fast_geometric(random, p);
        }
}

/* ---- the communities ------------------------------------------------------------------------- */

typedef struct sized {
    double ends;
    uint32_t community;
} sized;

static int largest_first(const void *a, const void *b)
{
    const sized *x = a, *y = b;
    if (x->ends != y->ends) return x->ends < y->ends ? 1 : -1;
    return (x->community > y->community) - (x->community < y->community);
}

/* The largest keep to themselves, the rest are one. */
static hrr_status limit_number(finder *f, uint32_t most, hrr_error *err)
{
    if (f->n <= most) return HRR_OK;
    sized *size = hrr_alloc_zero(f->n, sizeof *size);
    uint32_t *number = hrr_alloc(f->n, sizeof *number);
    hrr_status status = size && number ? HRR_OK : hrr_no_memory(err);
    if (status) goto done;
    for (uint32_t c = 0; c < f->n; c++)
        size[c].community = c;
    for (uint32_t g = 0; g < f->table->n_groups; g++)
        size[f->of[g]].ends += f->ends[g];
    qsort(size, f->n, sizeof *size, largest_first);
    for (uint32_t k = 0; k < f->n; k++)
        number[size[k].community] = k < most ? k : most - 1;
    for (uint32_t g = 0; g < f->table->n_groups; g++)
        f->of[g] = number[f->of[g]];
    f->n = most;
done:
    hrr_free(size);
    hrr_free(number);
    return status;
}

/* ---- edges between communities ----------------------------------------------------------------
 */

/* Edges between most pairs of communities are too few to be told from noise one by one, but not all
 * together. So pairs of groups that are equally far apart in the order share a rate, as a multiple
 * of what degrees alone would give; only pairs of communities that differ from these by more than
 * their errors keep their own number. */
typedef struct between {
    double rate[n_distances]; /* of groups 2^k to 2^(k + 1) - 1 apart */
    hrr_mixing_matrix usual;  /* edges, by the rates */
    double n_groups[HRR_MOST_MIXING_CLASSES], ends[HRR_MOST_MIXING_CLASSES];
} between;

static int distance_of(uint32_t i, uint32_t j)
{
    int k = 0;
    for (uint32_t d = i < j ? j - i : i - j; d > 1; d >>= 1)
        k++;
    return k;
}

static bool is_usual(const between *b, const hrr_wire_communities *of, const finder *f, uint32_t c,
                     uint32_t e)
{
    const double noise = 2 * b->n_groups[c] * b->n_groups[e] / (f->table->eps * f->table->eps);
    return fabs(of->ends[c][e] - b->usual[c][e]) <= errors_apart * sqrt(noise + b->usual[c][e]);
}

/* A rate that noise alone may have made is 0: a few long edges would make short paths where there
 * are none. */
static void find_rates(between *b, const hrr_wire_communities *of, const finder *f)
{
    const uint32_t n = f->table->n_groups;
    double edges[n_distances] = {0}, chance[n_distances] = {0}, cells[n_distances] = {0};
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++) {
            if (f->of[i] == f->of[j] || !is_usual(b, of, f, f->of[i], f->of[j])) continue;
            const int k = distance_of(i, j);
            edges[k] += (double)at(f->table->count, n, i, j);
            chance[k] += f->ends[i] * f->ends[j] / f->total;
            cells[k]++;
        }
    for (int k = 0; k < n_distances; k++)
        b->rate[k] = chance[k] > 0 && edges[k] > errors_apart * sqrt(2 * cells[k]) / f->table->eps
                         ? edges[k] / chance[k]
                         : 0;
    memset(b->usual, 0, sizeof b->usual);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++) {
            const double usual = b->rate[distance_of(i, j)] * f->ends[i] * f->ends[j] / f->total;
            b->usual[f->of[i]][f->of[j]] += usual;
            b->usual[f->of[j]][f->of[i]] += usual;
        }
}

/* Degrees are known better than counts: ends that are not within communities, by the counts of
 * these, lead to others. What the rates do not explain of them is spread as by chance, unless noise
 * may have made it. */
static void add_rest(between *b, const hrr_wire_communities *of, const finder *f)
{
    double rest = 0, chance = 0, cells = 0;
    for (uint32_t c = 0; c < of->n; c++) {
        rest += (b->ends[c] - of->ends[c][c]) / 2;
        cells += b->n_groups[c] * (b->n_groups[c] + 1) / 2;
        for (uint32_t e = c + 1; e < of->n; e++) {
            const bool usual = is_usual(b, of, f, c, e);
            rest -= usual ? b->usual[c][e] : fmax(of->ends[c][e], 0);
            if (usual) chance += b->ends[c] * b->ends[e] / f->total;
        }
    }
    if (chance <= 0 || rest <= sqrt(2 * cells) / f->table->eps) return;
    for (uint32_t c = 0; c < of->n; c++)
        for (uint32_t e = 0; e < of->n; e++)
            if (c != e) b->usual[c][e] += rest / chance * b->ends[c] * b->ends[e] / f->total;
}

static hrr_status smooth(hrr_wire_communities *out, const finder *f, hrr_error *err)
{
    between *b = hrr_alloc_zero(1, sizeof *b);
    if (!b) return hrr_no_memory(err);
    for (uint32_t g = 0; g < f->table->n_groups; g++) {
        b->n_groups[f->of[g]]++;
        b->ends[f->of[g]] += f->ends[g];
    }
    for (int round = 0; round < rate_rounds; round++)
        find_rates(b, out, f);
    add_rest(b, out, f);
    for (uint32_t c = 0; c < out->n; c++)
        for (uint32_t e = 0; e < out->n; e++)
            if (c != e)
                out->ends[c][e] =
                    is_usual(b, out, f, c, e) ? b->usual[c][e] : fmax(out->ends[c][e], 0);
    hrr_free(b);
    return HRR_OK;
}

static hrr_status make(hrr_wire_communities *out, const finder *f, hrr_error *err)
{
    const hrr_group_table *table = f->table;
    const uint32_t n = table->n_groups;
    out->of = hrr_alloc(table->n_nodes, sizeof *out->of);
    out->of_group = hrr_alloc(n, sizeof *out->of_group);
    if (!out->of || !out->of_group) return hrr_no_memory(err);
    memcpy(out->of_group, f->of, n * sizeof *out->of_group);
    out->n_groups = n;
    out->n = f->n;
    for (uint64_t v = 0; v < table->n_nodes; v++)
        out->of[v] = f->of[table->group[v]];
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i; j < n; j++) {
            const double edges = (double)at(table->count, n, i, j);
            out->ends[f->of[i]][f->of[j]] += edges;
            out->ends[f->of[j]][f->of[i]] += edges;
        }
    return smooth(out, f, err);
}

hrr_status hrr_communities_in_counts(hrr_wire_communities *out, const hrr_group_table *table,
                                     uint64_t seed, hrr_error *err)
{
    finder f = {0};
    hrr_fast_random random;
    double by_chance = -1;
    memset(out, 0, sizeof *out);
    if (table->n_groups == 0) return HRR_OK;
    hrr_fast_init(&random, seed, 1);
    hrr_status status = open_finder(&f, table, err);
    if (!status && f.total <= 0) goto done;
    for (int k = 0; k < n_rehearsals && !status; k++) {
        rehearse(&f, &random);
        status = find(&f, f.rehearsed, seed, err);
        by_chance = fmax(by_chance, f.modularity);
    }
    if (!status) status = find(&f, table->count, seed, err);
    const uint64_t room = table->n_nodes / fewest_members;
    const uint32_t most =
        room < HRR_MOST_MIXING_CLASSES ? (uint32_t)room : (uint32_t)HRR_MOST_MIXING_CLASSES;
    if (status || f.n < 2 || most < 2 || f.modularity < by_chance + margin) goto done;
    status = limit_number(&f, most, err);
    if (!status) status = make(out, &f, err);
done:
    close_finder(&f);
    return status;
}

void hrr_wire_communities_clear(hrr_wire_communities *communities)
{
    hrr_free(communities->of);
    hrr_free(communities->of_group);
    communities->of = communities->of_group = NULL;
}
