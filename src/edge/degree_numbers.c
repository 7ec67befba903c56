/* degree_numbers.c: see degree_numbers.h. */
#include "edge/degree_numbers.h"
#include "edge/closed_pairs.h"
#include "edge/group_counts.h"
#include "edge/likeness.h"
#include "edge/rewire.h"
#include "edge/staircase.h"
#include "base/memory.h"
#include "privacy/eps.h"

#include <assert.h>
#include <stdlib.h>

/* ---- noise ------------------------------------------------------------------------------------
 */

/* Streams of HRR_PURPOSE_EDGE_COUNTS: each part has the rows from part << 48. */
enum { numbers_per_stream = 4096 };

static void add_noise(int64_t *number, uint64_t n, const hrr_degree_noise *noise, hrr_degree_part p,
                      uint64_t first_row, hrr_stream *stream)
{
    int64_t drawn[numbers_per_stream];
    for (uint64_t begin = 0; begin < n; begin += numbers_per_stream) {
        const uint64_t rest = n - begin,
                       size = rest < numbers_per_stream ? rest : numbers_per_stream;
        hrr_stream_seek(stream, HRR_PURPOSE_EDGE_COUNTS,
                        (uint64_t)p << 48 | (first_row + begin / numbers_per_stream));
        hrr_sample_laplace_fill(drawn, size, stream, noise[p].num, noise[p].den);
        for (uint64_t i = 0; i < size; i++)
            number[begin + i] += drawn[i];
    }
}

static int64_t draw_ladder(uint64_t value, const hrr_ladder *ladder, const hrr_degree_noise *noise,
                           hrr_degree_part p, hrr_stream *stream)
{
    hrr_stream_seek(stream, HRR_PURPOSE_EDGE_COUNTS, (uint64_t)p << 48);
    return hrr_ladder_draw(stream, (int64_t)value, ladder, noise[p].num, noise[p].den);
}

static int largest_first(const void *a, const void *b)
{
    const hrr_ranked_node *x = a, *y = b;
    if (x->noisy != y->noisy) return x->noisy < y->noisy ? 1 : -1;
    return (x->node > y->node) - (x->node < y->node);
}

static hrr_status init(hrr_degree_numbers *s, const hrr_edge_public *known, hrr_error *err)
{
    const uint64_t n = known->n_nodes;
    for (uint64_t i = 0; i < n; i++)
        s->n_candidates += !known->candidates || known->candidates[i];
    s->degree = hrr_alloc_zero(n, sizeof *s->degree);
    s->scratch = hrr_alloc(n, sizeof *s->scratch);
    s->of_ranked = hrr_alloc(s->n_candidates, sizeof *s->of_ranked);
    s->row = hrr_alloc(s->n_candidates, sizeof *s->row);
    s->column = hrr_alloc(s->n_candidates, sizeof *s->column);
    s->rank = hrr_alloc(s->n_candidates, sizeof *s->rank);
    s->noisy = hrr_alloc(s->n_candidates, sizeof *s->noisy);
    s->count = hrr_alloc_zero(HRR_MOST_MIXING_CLASSES * HRR_MOST_MIXING_CLASSES, sizeof *s->count);
    if (s->degree && s->scratch && s->of_ranked && s->row && s->column && s->rank && s->noisy &&
        s->count)
        return HRR_OK;
    return hrr_no_memory(err);
}

void hrr_degree_numbers_clear(hrr_degree_numbers *s)
{
    hrr_free(s->degree);
    hrr_free(s->scratch);
    hrr_free(s->of_ranked);
    hrr_free(s->row);
    hrr_free(s->column);
    hrr_free(s->rank);
    hrr_free(s->noisy);
    hrr_free(s->count);
    hrr_free(s->group);
    hrr_free(s->place);
    hrr_free(s->group_count);
    *s = (hrr_degree_numbers){0};
}

/* Degrees with names (row), ordered; degrees without (row and column), fitted; and each node gets
 * the degree of its rank. Afterwards `degree` is made from released numbers alone. */
static hrr_status draw_degrees(hrr_degree_numbers *s, const hrr_degree_noise *noise,
                               const hrr_edge_public *known, const hrr_edge_secret *secret,
                               hrr_stream *stream, hrr_error *err)
{
    const uint64_t n = s->n_candidates;
    for (uint64_t e = 0; e < secret->n_edges; e++) {
        s->degree[secret->source[e]]++;
        s->degree[secret->target[e]]++;
    }
    uint64_t k = 0;
    for (uint64_t v = 0; v < known->n_nodes; v++) {
        if (known->candidates && !known->candidates[v]) continue;
        s->rank[k].node = (uint32_t)v;
        s->of_ranked[k] = s->degree[v];
        s->row[k++] = (int64_t)s->degree[v];
    }
    add_noise(s->row, n, noise, HRR_PART_DEGREES, 0, stream);
    for (k = 0; k < n; k++)
        s->rank[k].noisy = s->row[k];
    hrr_staircase_count(s->row, s->column, s->scratch, s->of_ranked, n);
    add_noise(s->row, n, noise, HRR_PART_STAIRCASE, 0, stream);
    add_noise(s->column, n, noise, HRR_PART_STAIRCASE, (uint64_t)1 << 40, stream);
    hrr_status status = hrr_staircase_fit(s->of_ranked, s->row, s->column, n,
                                          hrr_degree_noise_eps(&noise[HRR_PART_STAIRCASE]), err);
    if (status) return status;
    qsort(s->rank, n, sizeof *s->rank, largest_first);
    uint64_t sum = 0;
    for (k = 0; k < n; k++) {
        s->noisy[k] = (double)s->rank[k].noisy;
        sum += s->of_ranked[k];
    }
    /* An odd number of ends: one more at the first node, or one less at the last that is equal to
     * it, so that degrees stay in order. */
    if (sum % 2 && s->of_ranked[0] + 1 < n) {
        s->of_ranked[0]++;
    } else if (sum % 2) {
        for (k = 0; k + 1 < n && s->of_ranked[k + 1] == s->of_ranked[0];)
            k++;
        s->of_ranked[k]--;
    }
    for (k = 0; k < n; k++)
        s->degree[s->rank[k].node] = s->of_ranked[k];
    return HRR_OK;
}

static void draw_classes(hrr_degree_numbers *s, const hrr_degree_noise *noise,
                         const hrr_edge_secret *secret, hrr_stream *stream)
{
    const int n = s->n_classes = s->n_candidates ? hrr_mixing_class(s->of_ranked[0]) + 1 : 1;
    for (uint64_t e = 0; e < secret->n_edges; e++) {
        const int i = hrr_mixing_class(s->degree[secret->source[e]]);
        const int j = hrr_mixing_class(s->degree[secret->target[e]]);
        assert(i < n && j < n);
        s->count[i < j ? i * n + j : j * n + i]++;
    }
    add_noise(s->count, (uint64_t)n * (uint64_t)n, noise, HRR_PART_CLASSES, 0, stream);
}

/* How many groups there are follows from released degrees, who is in which from public data. */
static hrr_status draw_communities(hrr_degree_numbers *s, const hrr_degree_noise *noise,
                                   const hrr_edge_public *known, const hrr_edge_secret *secret,
                                   hrr_stream *stream, hrr_progress *progress, hrr_error *err)
{
    uint64_t ends = 0;
    for (uint64_t k = 0; k < s->n_candidates; k++)
        ends += s->of_ranked[k];
    s->n_groups = hrr_group_number(s->n_candidates, ends / 2,
                                   hrr_degree_noise_eps(&noise[HRR_PART_COMMUNITIES]));
    const uint64_t n_cells = (uint64_t)s->n_groups * s->n_groups;
    s->group = hrr_alloc(known->n_nodes, sizeof *s->group);
    s->place = hrr_alloc(known->n_nodes, sizeof *s->place);
    s->group_count = hrr_alloc_zero(n_cells, sizeof *s->group_count);
    if (!s->group || !s->place || !s->group_count) return hrr_no_memory(err);
    if (s->n_groups == 0) return HRR_OK;
    hrr_status status =
        hrr_group_nodes(s->group, s->place, s->n_groups, s->n_candidates, known, progress, err);
    if (status) return status;
    hrr_group_count(s->group_count, s->group, s->n_groups, secret);
    add_noise(s->group_count, n_cells, noise, HRR_PART_COMMUNITIES, 0, stream);
    return HRR_OK;
}

static hrr_status draw_clustering(hrr_degree_numbers *s, const hrr_degree_noise *noise,
                                  const hrr_edge_public *known, const hrr_edge_secret *secret,
                                  hrr_stream *stream, int threads, hrr_progress *progress,
                                  hrr_error *err)
{
    hrr_csr graph = {0};
    hrr_closed_pairs found;
    hrr_ladder of_triangles, of_closed;
    hrr_status status =
        hrr_union_adjacency(&graph, known, secret->n_edges, secret->source, secret->target, err);
    if (!status) status = hrr_closed_pairs_count(&found, &graph, threads, progress, err);
    if (!status)
        status = hrr_closed_pairs_ladders(&of_triangles, &of_closed, &graph, progress, err);
    hrr_csr_clear(&graph);
    if (status) return status;
    s->triangles = draw_ladder(found.triangles, &of_triangles, noise, HRR_PART_TRIANGLES, stream);
    s->closed = draw_ladder(found.closed, &of_closed, noise, HRR_PART_CLOSED, stream);
    return HRR_OK;
}

static void draw_components(hrr_degree_numbers *s, const hrr_degree_noise *noise,
                            const hrr_edge_public *known, const hrr_edge_secret *secret,
                            hrr_stream *stream)
{
    s->n_components = (int64_t)hrr_count_components(
        s->scratch, known->n_nodes, known, secret->n_edges, secret->source, secret->target);
    add_noise(&s->n_components, 1, noise, HRR_PART_COMPONENTS, 0, stream);
}

hrr_status hrr_degree_numbers_draw(hrr_degree_numbers *out, const hrr_edge_public *known,
                                   const hrr_edge_secret *secret, const hrr_degree_noise *noise,
                                   const hrr_random *random, int threads, hrr_progress *progress,
                                   hrr_error *err)
{
    *out = (hrr_degree_numbers){0};
    hrr_stream *stream = NULL;
    hrr_status status = init(out, known, err);
    if (!status) status = hrr_stream_new(&stream, random, err);
    if (!status) status = draw_degrees(out, noise, known, secret, stream, err);
    if (!status) draw_classes(out, noise, secret, stream);
    if (!status)
        status = draw_clustering(out, noise, known, secret, stream, threads, progress, err);
    if (!status) draw_components(out, noise, known, secret, stream);
    if (!status) status = draw_communities(out, noise, known, secret, stream, progress, err);
    hrr_stream_free(stream);
    if (status) hrr_degree_numbers_clear(out);
    return status;
}
