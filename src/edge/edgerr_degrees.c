/* edgerr_degrees.c: EdgeRR-degrees, a graph that looks like the graph: seven kinds of numbers about
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
 *     communities  edges between groups of nodes that stand next to each other in a public order
 *                  (1: a pair lies in one cell; how many groups follows from released degrees)
 * Shares are degree_shares.c's, noise is degree_numbers.c's.
 * Claim:      eps, the sum of the shares: sequential composition. Noise is the discrete Laplace or
 *             the ladder's, in integers without rounding.
 * Wiring:     post-processing (likeness.h). Nodes stand in the order of their noisy degrees, and
 *             take the degrees of the staircase in that order.
 *
 * Degrees and classes are about private edges; triangles, clustering and components about the
 * whole graph, since public edges are kept and completed.
 *
 * Triangles that noise alone could have made are not believed: then edges are wired without groups.
 * The limits are public. */
#include "edge/closed_pairs.h"
#include "edge/degree_numbers.h"
#include "edge/found_communities.h"
#include "edge/likeness.h"
#include "edge/mechanism.h"
#include "privacy/eps.h"
#include "base/memory.h"

/* ---- the budget ------------------------------------------------------------------------------ */

enum { least_eps_nano = 1000 };

typedef struct edgerr_degrees {
    hrr_degree_noise noise[HRR_N_DEGREE_PARTS];
    char *shares; /* as the claim has them */
} edgerr_degrees;

/* What follows from epsilon and the division of it alone. */
static hrr_status divide(hrr_degree_division *division, hrr_degree_noise *noises, uint64_t eps_nano,
                         const char *shares, hrr_error *err)
{
    if (eps_nano < least_eps_nano)
        return hrr_fail(err, HRR_EINVAL,
                        "edgerr-degrees divides epsilon among seven quantities, so epsilon "
                        "(`edges.eps_nano`) must be at least 1e-6");
    hrr_status status = hrr_degree_division_read(division, shares, err);
    return status ? status : hrr_degree_divide(noises, division, eps_nano, err);
}

static double realise(const hrr_degree_noise *noises)
{
    double sum = 0;
    for (int p = 0; p < HRR_N_DEGREE_PARTS; p++)
        sum += (double)hrr_degree_shares[p].moves * hrr_degree_noise_eps(&noises[p]);
    return sum;
}

static void release(void *state)
{
    edgerr_degrees *self = state;
    hrr_free(self->shares);
    hrr_free(self);
}

static hrr_status prepare(hrr_edge_plan *plan, hrr_progress *progress, hrr_error *err)
{
    (void)progress;
    if (plan->options.most_edges_out)
        return hrr_fail(
            err, HRR_EINVAL,
            "edgerr-degrees cannot limit the number of edges that it writes "
            "(`edges.most_edges_out`), because the noisy degrees decide it; leave the limit out");
    edgerr_degrees *self = hrr_alloc_zero(1, sizeof *self);
    if (!self) return hrr_no_memory(err);
    plan->state = self;
    hrr_degree_division division;
    hrr_status status =
        divide(&division, self->noise, plan->claim.eps_nano, plan->options.shares, err);
    if (status) return status;
    self->shares = hrr_degree_division_text(&division);
    plan->claim.shares = self->shares;
    return self->shares ? HRR_OK : hrr_no_memory(err);
}

static hrr_status promise(hrr_edge_promise *out, const hrr_edge_method *mechanism,
                          const hrr_edge_claim *terms, hrr_error *err)
{
    (void)mechanism;
    hrr_degree_division division;
    hrr_degree_noise noises[HRR_N_DEGREE_PARTS];
    hrr_status status = divide(&division, noises, terms->eps_nano, terms->shares, err);
    if (status) return status;
    char text[HRR_EPS_TEXT_SIZE], *shares = hrr_degree_division_text(&division);
    if (!shares) return hrr_no_memory(err);
    hrr_eps_format(text, terms->eps_nano);
    out->realised_eps = realise(noises);
    out->statement =
        hrr_format_text("edgerr-degrees: eps = %s for one candidate pair, divided among degrees, "
                        "edges between classes of degrees, triangles, clustering, components and "
                        "communities in the proportion %s",
                        text, shares);
    hrr_free(shares);
    out->evidence = hrr_copy_text(
        "exact: discrete Laplace noise on degrees (L1 sensitivity 2, twice), on edges between "
        "classes and between groups of nodes and on components (1 each), and the ladder's noise "
        "on triangles and clustering, drawn in integers without rounding");
    return HRR_OK;
}

/* ---- the wiring --------------------------------------------------------------------------------
 */

/* Mean number of rungs that the ladder of a part climbs. */
static double rungs_of(const edgerr_degrees *self, hrr_degree_part p)
{
    return 1 / hrr_degree_noise_eps(&self->noise[p]);
}

/* Below these, triangles are what noise makes of none: thirty times the square of the mean number
 * of rungs, and two hundredths of the pairs of edges that meet. The ladder's noise has a long tail
 * (one draw in 500 gets there), so clustering, whose noise is another, has to agree. */
static bool believe(const hrr_closure_goal *drawn, const hrr_degree_numbers *s,
                    const edgerr_degrees *self, double eps)
{
    const double rungs = rungs_of(self, HRR_PART_TRIANGLES);
    const double closed_rungs = rungs_of(self, HRR_PART_CLOSED);
    double meet = 0;
    for (uint64_t k = 0; k < s->n_candidates; k++)
        meet += (double)s->of_ranked[k] * ((double)s->of_ranked[k] - 1) / 2;
    return drawn->triangles > 30 * rungs * rungs && drawn->triangles > .02 / eps * meet &&
           drawn->closed > closed_rungs * closed_rungs;
}

/* What the wiring is to have, from the numbers alone. */
static void set_goals(hrr_likeness *out, hrr_mixing *mixing, const hrr_degree_numbers *s,
                      const edgerr_degrees *self, double eps)
{
    hrr_mixing_fit(mixing, s->of_ranked, s->noisy, s->n_candidates,
                   hrr_degree_noise_eps(&self->noise[HRR_PART_DEGREES]), s->count,
                   hrr_degree_noise_eps(&self->noise[HRR_PART_CLASSES]), s->n_classes);
    *out = (hrr_likeness){
        .degree = s->degree,
        .mixing = mixing,
        .clustering = {(double)s->triangles, (double)s->closed / HRR_CLOSED_UNIT},
        .rungs = {rungs_of(self, HRR_PART_TRIANGLES), rungs_of(self, HRR_PART_CLOSED)},
        .n_components = s->n_components > 1 ? (uint64_t)s->n_components : 1};
    out->groups = believe(&out->clustering, s, self, eps);
}

static hrr_group_table table_of(const edgerr_degrees *self, const hrr_degree_numbers *s,
                                uint64_t n_nodes)
{
    return (hrr_group_table){.n_nodes = n_nodes,
                             .n_groups = s->n_groups,
                             .group = s->group,
                             .place = s->place,
                             .degree = s->degree,
                             .count = s->group_count,
                             .eps = hrr_degree_noise_eps(&self->noise[HRR_PART_COMMUNITIES])};
}

static hrr_status draw(hrr_edge_release *out, const hrr_edge_plan *plan,
                       const hrr_edge_secret *secret, const hrr_random *random,
                       hrr_progress *progress, hrr_error *err)
{
    const edgerr_degrees *self = plan->state;
    const int threads = plan->options.threads;
    hrr_degree_numbers numbers = {0};
    hrr_likeness like;
    uint64_t seed;
    hrr_mixing *mixing = hrr_alloc(1, sizeof *mixing);
    hrr_wire_communities *communities = hrr_alloc_zero(1, sizeof *communities);
    hrr_status status = mixing && communities ? HRR_OK : hrr_no_memory(err);
    if (!status)
        status = hrr_degree_numbers_draw(&numbers, &plan->known, secret, self->noise, random,
                                         threads, progress, err);
    if (!status) status = hrr_edge_postprocess_seed(&seed, random, err);
    const hrr_group_table table = table_of(self, &numbers, plan->known.n_nodes);
    if (!status) status = hrr_communities_in_counts(communities, &table, seed, err);
    if (!status) {
        set_goals(&like, mixing, &numbers, self, (double)plan->claim.eps_nano / HRR_EPS_UNIT);
        if (communities->n) like.communities = communities, like.table = &table;
        status = hrr_likeness_draw(&out->edges, &like, &plan->known, seed, threads, progress, err);
    }
    out->realised_eps = realise(self->noise);
    hrr_degree_numbers_clear(&numbers);
    if (communities) hrr_wire_communities_clear(communities);
    hrr_free(communities);
    hrr_free(mixing);
    return status;
}

static const char bias[] =
    "The statistics of the graph are approximately kept, but its edges are random: a node keeps "
    "only its approximate number of edges and, if the order of nodes reflects communities, its "
    "community. Otherwise communities differ from those of the original, and paths become shorter.";

const hrr_edge_method hrr_edge_edgerr_degrees = {
    .about.name = "edgerr-degrees",
    .about.what = "a graph with noisy degrees, clustering and communities",
    .about.page = "docs/mechanisms/edgerr-degrees.md",
    .about.bias = bias,
    .about.certified = true,
    .about.has_shares = true,
    .prepare = prepare,
    .promise = promise,
    .release = release,
    .draw = draw};
