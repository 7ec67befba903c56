/* edgerr_degrees.c: EdgeRR-degrees, a graph that looks like the graph: six kinds of numbers about
 * the private edges are bought, and edges are wired that have these numbers. Our own answer for
 * whoever wants a graph and not a classifier.
 *
 * Neighbours: two graphs that differ in one candidate pair.
 * Bought, each with its share of eps (sensitivity in brackets):
 *     staircase    the degrees in order, without names (2: staircase.h)
 *     degrees      that of each node (2: a pair has two ends)
 *     classes      edges between classes of nodes (1: a pair lies in one cell; classes are made
 *                  from the two numbers above, which are released)
 *     triangles    (the ladder: closed_pairs.h)
 *     closed       sum of local clustering (the ladder)
 *     components   with edges (1: a pair joins two, or makes one of two nodes without edges)
 * Claim:      eps, the sum of the shares: sequential composition. Noise is the discrete Laplace or
 *             the ladder's, in integers without rounding.
 * Wiring:     post-processing (likeness.h). Nodes stand in the order of their noisy degrees, and
 *             take the degrees of the staircase in that order.
 *
 * Degrees and classes are about private edges; triangles, clustering and components about the
 * whole graph, since public edges are kept and completed.
 *
 * Triangles that noise alone could have made are not believed: then edges are wired without groups.
 * Both limits are public. */
#include "edge/closed_pairs.h"
#include "edge/degree_shares.h"
#include "edge/likeness.h"
#include "edge/mechanism.h"
#include "edge/rewire.h"
#include "edge/staircase.h"
#include "privacy/eps.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* ---- the budget ------------------------------------------------------------------------------ */

const hrr_degree_share hrr_degree_shares[HRR_N_DEGREE_PARTS] = {
    [HRR_PART_STAIRCASE] = {47, 2}, [HRR_PART_DEGREES] = {15, 2}, [HRR_PART_CLASSES] = {10, 1},
    [HRR_PART_TRIANGLES] = {10, 2}, [HRR_PART_CLOSED] = {15, 2},  [HRR_PART_COMPONENTS] = {3, 1}};

enum { least_eps_nano = 1000 };

typedef struct edgerr_degrees {
    hrr_degree_noise noise[HRR_N_DEGREE_PARTS];
} edgerr_degrees;

static hrr_status check_eps(uint64_t eps_nano, hrr_error *err)
{
    if (eps_nano >= least_eps_nano) return HRR_OK;
    return hrr_fail(err, HRR_EINVAL,
                    "edgerr-degrees divides epsilon among six kinds of numbers: it needs an "
                    "epsilon (`edges.eps_nano`) of 1e-6 or more");
}

hrr_degree_noise hrr_degree_noise_of(hrr_degree_part part, uint64_t eps_nano)
{
    hrr_degree_noise out;
    const uint64_t share = eps_nano * (uint64_t)hrr_degree_shares[part].percent / 100;
    hrr_eps_fraction(&out.num, &out.den, share / (uint64_t)hrr_degree_shares[part].moves);
    return out;
}

static double eps_of(const hrr_degree_noise *n)
{
    return (double)n->num / (double)n->den;
}

static double realise(const hrr_degree_noise *noises)
{
    double sum = 0;
    for (int p = 0; p < HRR_N_DEGREE_PARTS; p++)
        sum += hrr_degree_shares[p].moves * eps_of(&noises[p]);
    return sum;
}

static void release(void *state)
{
    hrr_free(state);
}

static hrr_status prepare(hrr_edge_plan *plan, hrr_progress *progress, hrr_error *err)
{
    (void)progress;
    hrr_status status = check_eps(plan->claim.eps_nano, err);
    if (status) return status;
    edgerr_degrees *self = hrr_alloc_zero(1, sizeof *self);
    if (!self) return hrr_no_memory(err);
    plan->state = self;
    for (int p = 0; p < HRR_N_DEGREE_PARTS; p++)
        self->noise[p] = hrr_degree_noise_of((hrr_degree_part)p, plan->claim.eps_nano);
    return HRR_OK;
}

static hrr_status promise(hrr_edge_promise *out, const hrr_edge_method *mechanism,
                          const hrr_edge_claim *terms, hrr_error *err)
{
    (void)mechanism;
    hrr_degree_noise noises[HRR_N_DEGREE_PARTS];
    hrr_status status = check_eps(terms->eps_nano, err);
    if (status) return status;
    for (int p = 0; p < HRR_N_DEGREE_PARTS; p++)
        noises[p] = hrr_degree_noise_of((hrr_degree_part)p, terms->eps_nano);
    char text[HRR_EPS_TEXT_SIZE];
    hrr_eps_format(text, terms->eps_nano);
    out->realised_eps = realise(noises);
    out->statement =
        hrr_format_text("edgerr-degrees: eps = %s for one candidate pair, divided among degrees, "
                        "edges between classes of degrees, triangles, clustering and components",
                        text);
    out->evidence = hrr_copy_text(
        "exact: discrete Laplace noise on degrees (L1 sensitivity 2, twice), on edges between "
        "classes and on components (1 each), and the ladder's noise on triangles and clustering, "
        "drawn in integers without rounding");
    return HRR_OK;
}

/* ---- what is drawn --------------------------------------------------------------------------- */

/* Streams of HRR_PURPOSE_EDGE_COUNTS: each part has the rows from part << 48. */
enum { numbers_per_stream = 4096 };

static void add_noise(int64_t *number, uint64_t n, const edgerr_degrees *self, hrr_degree_part p,
                      uint64_t first_row, hrr_stream *stream)
{
    int64_t drawn[numbers_per_stream];
    for (uint64_t begin = 0; begin < n; begin += numbers_per_stream) {
        const uint64_t rest = n - begin,
                       size = rest < numbers_per_stream ? rest : numbers_per_stream;
        hrr_stream_seek(stream, HRR_PURPOSE_EDGE_COUNTS,
                        (uint64_t)p << 48 | (first_row + begin / numbers_per_stream));
        hrr_sample_laplace_fill(drawn, size, stream, self->noise[p].num, self->noise[p].den);
        for (uint64_t i = 0; i < size; i++)
            number[begin + i] += drawn[i];
    }
}

static int64_t draw_ladder(uint64_t value, const hrr_ladder *ladder, const edgerr_degrees *self,
                           hrr_degree_part p, hrr_stream *stream)
{
    hrr_stream_seek(stream, HRR_PURPOSE_EDGE_COUNTS, (uint64_t)p << 48);
    return hrr_ladder_draw(stream, (int64_t)value, ladder, self->noise[p].num, self->noise[p].den);
}

/* A candidate node and its noisy degree. */
typedef struct ranked {
    int64_t noisy;
    uint32_t node;
} ranked;

static int largest_first(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->noisy != y->noisy) return x->noisy < y->noisy ? 1 : -1;
    return (x->node > y->node) - (x->node < y->node);
}

/* Numbers in hand, all of them released but for `degree` and `row`, `column` before their noise. */
typedef struct sheet {
    uint64_t n_candidates;
    uint32_t *degree;      /* n */
    uint32_t *of_ranked;   /* n_candidates: estimated degrees, descending */
    uint32_t *scratch;     /* n */
    int64_t *row, *column; /* n_candidates */
    ranked *rank;          /* n_candidates: largest noisy degree first */
    double *noisy;         /* n_candidates: of these, ties broken by order */
    hrr_mixing *mixing;
} sheet;

static hrr_status sheet_init(sheet *s, const hrr_edge_public *known, hrr_error *err)
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
    s->mixing = hrr_alloc(1, sizeof *s->mixing);
    if (s->degree && s->scratch && s->of_ranked && s->row && s->column && s->rank && s->noisy &&
        s->mixing)
        return HRR_OK;
    return hrr_no_memory(err);
}

static void sheet_clear(sheet *s)
{
    hrr_free(s->degree);
    hrr_free(s->scratch);
    hrr_free(s->of_ranked);
    hrr_free(s->row);
    hrr_free(s->column);
    hrr_free(s->rank);
    hrr_free(s->noisy);
    hrr_free(s->mixing);
}

/* Degrees with names (row), ordered; degrees without (row and column), fitted; and each node gets
 * the degree of its rank. Afterwards `degree` is made from released numbers alone. */
static hrr_status draw_degrees(sheet *s, const edgerr_degrees *self, const hrr_edge_public *known,
                               const hrr_edge_secret *secret, hrr_stream *stream, hrr_error *err)
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
    add_noise(s->row, n, self, HRR_PART_DEGREES, 0, stream);
    for (k = 0; k < n; k++)
        s->rank[k].noisy = s->row[k];
    hrr_staircase_count(s->row, s->column, s->scratch, s->of_ranked, n);
    add_noise(s->row, n, self, HRR_PART_STAIRCASE, 0, stream);
    add_noise(s->column, n, self, HRR_PART_STAIRCASE, (uint64_t)1 << 40, stream);
    hrr_status status = hrr_staircase_fit(s->of_ranked, s->row, s->column, n,
                                          eps_of(&self->noise[HRR_PART_STAIRCASE]), err);
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

static void draw_classes(sheet *s, const edgerr_degrees *self, const hrr_edge_secret *secret,
                         hrr_stream *stream)
{
    int64_t count[HRR_MOST_MIXING_CLASSES * HRR_MOST_MIXING_CLASSES] = {0};
    const int n = s->n_candidates ? hrr_mixing_class(s->of_ranked[0]) + 1 : 1;
    for (uint64_t e = 0; e < secret->n_edges; e++) {
        const int i = hrr_mixing_class(s->degree[secret->source[e]]);
        const int j = hrr_mixing_class(s->degree[secret->target[e]]);
        assert(i < n && j < n);
        count[i < j ? i * n + j : j * n + i]++;
    }
    add_noise(count, (uint64_t)n * (uint64_t)n, self, HRR_PART_CLASSES, 0, stream);
    hrr_mixing_fit(s->mixing, s->of_ranked, s->noisy, s->n_candidates,
                   eps_of(&self->noise[HRR_PART_DEGREES]), count, n);
}

/* Triangles that noise takes away or makes up, as multiples of the squared mean number of rungs:
 * it exceeds them in one draw in seven and in fourteen, where no pair has much in common. */
static const double noise_hides = 3, noise_makes = 6;

/* Mean number of rungs that the ladder of a part climbs. */
static double rungs_of(const edgerr_degrees *self, hrr_degree_part p)
{
    return 1 / eps_of(&self->noise[p]);
}

/* Below these, triangles are what noise makes of none: thirty times the square of the mean number
 * of rungs, and two hundredths of the pairs of edges that meet. The ladder's noise has a long tail
 * (one draw in 500 gets there), so clustering, whose noise is another, has to agree. */
static bool believe(const hrr_closure_goal *drawn, const sheet *s, const edgerr_degrees *self,
                    double eps)
{
    const double rungs = rungs_of(self, HRR_PART_TRIANGLES);
    const double closed_rungs = rungs_of(self, HRR_PART_CLOSED);
    double meet = 0;
    for (uint64_t k = 0; k < s->n_candidates; k++)
        meet += (double)s->of_ranked[k] * ((double)s->of_ranked[k] - 1) / 2;
    return drawn->triangles > 30 * rungs * rungs && drawn->triangles > .02 / eps * meet &&
           drawn->closed > closed_rungs * closed_rungs;
}

static hrr_status draw_clustering(hrr_likeness *out, const sheet *s, const hrr_edge_plan *plan,
                                  const hrr_edge_secret *secret, hrr_stream *stream,
                                  hrr_progress *progress, hrr_error *err)
{
    const edgerr_degrees *self = plan->state;
    hrr_csr graph = {0};
    hrr_closed_pairs found;
    hrr_ladder of_triangles, of_closed;
    hrr_status status = hrr_union_adjacency(&graph, &plan->known, secret->n_edges, secret->source,
                                            secret->target, err);
    if (!status)
        status = hrr_closed_pairs_count(&found, &graph, plan->options.threads, progress, err);
    if (!status)
        status = hrr_closed_pairs_ladders(&of_triangles, &of_closed, &graph, progress, err);
    hrr_csr_clear(&graph);
    if (status) return status;
    const int64_t triangles =
        draw_ladder(found.triangles, &of_triangles, self, HRR_PART_TRIANGLES, stream);
    const int64_t closed = draw_ladder(found.closed, &of_closed, self, HRR_PART_CLOSED, stream);
    const double rungs = rungs_of(self, HRR_PART_TRIANGLES);
    out->clustering =
        (hrr_closure_goal){(double)triangles, fmax((double)closed / HRR_CLOSED_UNIT, 0)};
    out->groups = believe(&out->clustering, s, self, (double)plan->claim.eps_nano / HRR_EPS_UNIT);
    out->hidden = noise_hides * rungs * rungs;
    out->made_up = noise_makes * rungs * rungs;
    return HRR_OK;
}

static uint64_t draw_components(sheet *s, const edgerr_degrees *self, const hrr_edge_public *known,
                                const hrr_edge_secret *secret, hrr_stream *stream)
{
    int64_t n = (int64_t)hrr_count_components(s->scratch, known->n_nodes, known, secret->n_edges,
                                              secret->source, secret->target);
    add_noise(&n, 1, self, HRR_PART_COMPONENTS, 0, stream);
    return n > 1 ? (uint64_t)n : 1;
}

static hrr_status draw(hrr_edge_release *out, const hrr_edge_plan *plan,
                       const hrr_edge_secret *secret, const hrr_random *random,
                       hrr_progress *progress, hrr_error *err)
{
    const edgerr_degrees *self = plan->state;
    const hrr_edge_public *known = &plan->known;
    sheet s = {0};
    hrr_stream *stream = NULL;
    hrr_likeness like = {0};
    uint64_t seed;
    hrr_status status = sheet_init(&s, known, err);
    if (!status) status = hrr_stream_new(&stream, random, err);
    if (!status) status = draw_degrees(&s, self, known, secret, stream, err);
    if (!status) draw_classes(&s, self, secret, stream);
    if (!status) status = draw_clustering(&like, &s, plan, secret, stream, progress, err);
    if (!status) status = hrr_edge_postprocess_seed(&seed, random, err);
    if (!status) {
        like.n_components = draw_components(&s, self, known, secret, stream);
        like.degree = s.degree;
        like.mixing = s.mixing;
        status = hrr_likeness_draw(&out->edges, &like, known, seed, plan->options.threads, progress,
                                   err);
    }
    out->realised_eps = realise(self->noise);
    hrr_stream_free(stream);
    sheet_clear(&s);
    return status;
}

static const char bias[] =
    "Numbers are those of the graph, and who knows whom is made up: only how many edges a node has "
    "is its own. Communities are not those of the original, and paths come out shorter.";

const hrr_edge_method hrr_edge_edgerr_degrees = {
    .about.name = "edgerr-degrees",
    .about.what = "a graph wired to noisy degrees, mixing and clustering",
    .about.page = "docs/mechanisms/edgerr-degrees.md",
    .about.bias = bias,
    .about.certified = true,
    .prepare = prepare,
    .promise = promise,
    .release = release,
    .draw = draw};
