/* advice.c: which budget may be worth it, from public data alone.
 *
 * Edges: a dress rehearsal. The public edges stand for all of them; a share is hidden at random,
 * mechanisms release it, and networks show what it was worth (training_sweep.c).
 *
 * Features: without their values only two things are known. The first is how much any eps-DP
 * mechanism can tell. Let x be drawn from any law, y be its output, M the law of y and t = P(y | x)
 * / M(y). The mutual information is the mean over y of E_x[t ln t]. For one y, t has mean 1 and
 * lies in some [l, l e^eps]; t ln t is convex, so the mean is largest with t at the two ends only,
 * where it is ln l + (1 - l) c with c = eps / (1 - e^-eps); that is largest at l = 1/c. So a node's
 * output tells at most c - 1 - ln c nats about it, and about its label: eps^2/8 for small eps. The
 * second is the noise: multibit has the variance d/(4m) ((e^(eps/m) + 1)/(e^(eps/m) - 1))^2 a
 * feature, m of d told.
 */
#include "experiment/advice.h"
#include "experiment/treatments.h"
#include "edge/mechanism.h"
#include "base/memory.h"
#include "base/options.h"

#include <heterorr/experiment.h>
#include <heterorr/release.h>

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void hrr_advise_options_init_sized(hrr_advise_options *options, size_t size)
{
    hrr_training_sweep_options usual;
    hrr_training_sweep_options_init(&usual);
    const hrr_advise_options own = {
        .private_share = 0.3, .train = usual.train, .runs = usual.runs, .seed = 1};
    hrr_options_init(options, size, &own, sizeof own);
}

hrr_status hrr_advise_adopt(hrr_advise_options *own, const hrr_advise_options *given,
                            const hrr_graph *known, hrr_error *err)
{
    hrr_advise_options usual;
    hrr_advise_options_init(&usual);
    hrr_status status = HRR_ADOPT(hrr_advise_options, own, given, err);
    if (!status) status = HRR_ADOPT_INNER(hrr_train_options, &own->train, &usual.train, err);
    if (status) return status;
    if (hrr_graph_n_private_edges(known))
        return hrr_fail(
            err, HRR_EINVAL,
            "advice needs a graph without private edges: pass the public view of the graph");
    if (!(own->private_share > 0 && own->private_share < 1))
        return hrr_fail(err, HRR_EINVAL,
                        "the share of private edges (`private_share`) must lie between 0 and 1");
    return HRR_OK;
}

void hrr_edge_advice_clear(hrr_edge_advice *advice)
{
    hrr_free(advice->rows);
    *advice = (hrr_edge_advice){.control = -1, .choice = -1};
}

/* ---- edges ----------------------------------------------------------------------------------- */

/* Networks want features. Without public ones they get random ones, drawn anew in each run by
 * featfree; what stands in the graph only says how many. */
static hrr_status lend_features(hrr_graph *graph, hrr_error *err)
{
    enum { n_random = 256 };
    hrr_dense blank = {0};
    hrr_status status = hrr_dense_init(&blank, HRR_U8, hrr_graph_n_nodes(graph), n_random, err);
    if (!status) memset(blank.data, 0, blank.rows * blank.cols);
    if (!status) status = hrr_graph_take_features(graph, &blank, err);
    hrr_dense_clear(&blank);
    return status;
}

static hrr_effect features_used(bool features_are_public)
{
    return features_are_public ? HRR_EFFECT_KEEP : HRR_EFFECT_LEAVE_OUT;
}

/* With the features at hand, and not what sees everything. */
static bool is_relevant(const hrr_training_mean *row, bool features_are_public)
{
    const hrr_feature_half features = hrr_feature_half_of(row->features);
    /* Without a mechanism nobody looks at features: a guess, labels that are spread. */
    return (!features.mechanism ||
            features.mechanism->effect == features_used(features_are_public)) &&
           !hrr_edges_are_kept(hrr_edge_half_of(row->edges));
}

/* Tests name their controls by row, so those numbers move along. */
void hrr_advice_keep(hrr_edge_advice *advice, hrr_row_is_relevant *meant, bool features_are_public)
{
    size_t kept = 0;
    for (size_t i = 0; i < advice->n_rows; i++) {
        int64_t *control = &advice->rows[i].test.control, moved = 0;
        if (!meant(&advice->rows[i], features_are_public)) continue;
        for (int64_t c = 0; c < *control; c++)
            moved += meant(&advice->rows[c], features_are_public);
        if (*control >= 0 && meant(&advice->rows[*control], features_are_public))
            *control = moved;
        else
            advice->rows[i].test = (hrr_worth_test){.control = -1};
    }
    for (size_t i = 0; i < advice->n_rows; i++)
        if (meant(&advice->rows[i], features_are_public)) advice->rows[kept++] = advice->rows[i];
    advice->n_rows = kept;
}

void hrr_advice_choose(hrr_edge_advice *advice, bool by_features)
{
    double cheapest = INFINITY;
    for (size_t i = 0; i < advice->n_rows; i++) {
        const hrr_training_mean *row = &advice->rows[i];
        const double eps = strtod(by_features ? row->eps_features : row->eps_edges, NULL);
        if (!row->spends && advice->control < 0) advice->control = (int64_t)i;
        if (row->test.worth != HRR_WORTH_MORE || eps >= cheapest) continue;
        cheapest = eps;
        advice->choice = (int64_t)i;
    }
}

/* Fewer than a hundred tell nothing. Fewer than one for four nodes leave more than half of the
 * nodes without any, so that what is rehearsed on is not the graph that is to be released. */
bool hrr_advice_is_blind(const hrr_graph *known)
{
    enum { fewest_edges = 100, most_nodes_an_edge = 4 };
    const uint64_t n_edges = hrr_graph_n_edges(known);
    return n_edges < fewest_edges || n_edges < hrr_graph_n_nodes(known) / most_nodes_an_edge;
}

const hrr_edge_mechanism *const *hrr_advised_mechanisms(void)
{
    static const hrr_edge_mechanism *const rows[] = {&hrr_edge_edgerr.about,
                                                     &hrr_edge_edgerr_node.about, NULL};
    return rows;
}

enum { most_treatments = 8 };
typedef struct rehearsal {
    char name[most_treatments][HRR_TREATMENT_SIZE];
    const char *listed[most_treatments + 1];
    size_t n;
} rehearsal;

static void add_treatment(rehearsal *all, const char *features, const char *edges)
{
    assert(all->n < most_treatments);
    hrr_treatment_name(all->name[all->n], features, edges);
    all->listed[all->n] = all->name[all->n];
    all->listed[++all->n] = NULL;
}

/* Random features have the public edges as a control of their own. */
static void list_treatments(rehearsal *out, bool several_labels, bool features_are_public)
{
    const char *features = hrr_feature_mechanism_with(features_used(features_are_public))->name;
    *out = (rehearsal){0};
    if (!features_are_public) add_treatment(out, features, hrr_edge_public_only.about.name);
    for (const hrr_edge_mechanism *const *row = hrr_advised_mechanisms(); *row; row++)
        if (!((*row)->has_counts && several_labels)) add_treatment(out, features, (*row)->name);
}

hrr_status hrr_advise_edges(hrr_edge_advice *out, const char *results, const hrr_graph *known,
                            const hrr_advise_options *options, hrr_progress *progress,
                            hrr_error *err)
{
    rehearsal treatments;
    hrr_graph *lent = NULL;
    hrr_training_sweep_options sweep;
    hrr_training_sweep_options_init(&sweep);
    *out = (hrr_edge_advice){.control = -1, .choice = -1};
    hrr_advise_options asked;
    hrr_status status = hrr_advise_adopt(&asked, options, known, err);
    if (status) return status;
    options = &asked;
    const bool own = options->features_are_public;
    if (!own) {
        status = hrr_public_view(&lent, known, false, true, err);
        if (!status) status = lend_features(lent, err);
    }
    if (status) goto done;
    list_treatments(&treatments, hrr_graph_is_multilabel(known), own);
    sweep.treatments = treatments.listed;
    sweep.eps_edges_nano = options->eps_edges_nano;
    sweep.n_eps_edges = options->n_eps_edges;
    sweep.private_fractions = &options->private_share;
    sweep.n_fractions = 1;
    sweep.own_split = hrr_graph_n_graphs(known) > 1 && hrr_graph_split(known);
    sweep.train = options->train;
    sweep.runs = options->runs;
    sweep.seed = options->seed;
    sweep.threads = options->threads;
    if ((status = hrr_training_sweep(results, own ? known : lent, &sweep, progress, err)))
        goto done;
    /* Rows of the whole graph, private edges and all, may stand in the same file. */
    if ((status =
             hrr_training_means(&out->rows, &out->n_rows, results, known,
                                hrr_graph_is_multilabel(known) ? "f1_micro" : "accuracy", err)))
        goto done;
    hrr_advice_keep(out, is_relevant, own);
    hrr_advice_choose(out, false);
done:
    hrr_graph_free(lent);
    return status;
}

/* ---- features -------------------------------------------------------------------------------- */

/* What the labels of the graph hold, in nats: the entropy of its classes. Several labels a node are
 * taken for as many fair coins. 0: they hold nothing, or no memory to see what. */
static double label_nats(const hrr_graph *known)
{
    const uint32_t n_labels = hrr_graph_n_classes(known);
    const int32_t *class = hrr_graph_classes(known);
    if (hrr_graph_is_multilabel(known)) return n_labels * log(2);
    uint64_t n = 0, *count = class ? hrr_alloc_zero(n_labels, sizeof *count) : NULL;
    for (uint64_t i = 0; count && i < hrr_graph_n_nodes(known); i++)
        if (class[i] >= 0) n++, count[class[i]]++;
    double nats = 0;
    for (uint32_t c = 0; count && c < n_labels; c++)
        if (count[c]) nats += (double)count[c] / (double)n * log((double)n / (double)count[c]);
    hrr_free(count);
    return nats;
}

void hrr_advise_features(hrr_feature_advice *out, double eps, uint64_t n_features,
                         const hrr_graph *known)
{
    const double n_nodes = (double)hrr_graph_n_nodes(known);
    const double neighbours = 2 * (double)hrr_graph_n_edges(known) / fmax(n_nodes, 1);
    const double nats = label_nats(known);
    const double d = (double)n_features;
    const double told = fmax(1, fmin(d, floor(eps / 2.18))); /* m of LPGNN */
    const double width = 1 / tanh(eps / told / 2);           /* (e^x + 1)/(e^x - 1) */
    const double c = -eps / expm1(-eps);
    *out = (hrr_feature_advice){.eps = eps};
    out->information = !hrr_graph_n_classes(known) ? NAN
                       : nats > 0                  ? fmin(1, (c - 1 - log(c)) / nats)
                                                   : 1;
    out->noise = sqrt(d / (4 * told)) * width;
    out->noise_averaged = out->noise / sqrt(1 + neighbours);
}
