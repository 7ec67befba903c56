/* experiment.h: sweeps over many settings and runs, with one results file. Experiments measure
 * mechanisms on private graphs, so their results are for the owner of the data. */
#ifndef HETERORR_EXPERIMENT_H
#define HETERORR_EXPERIMENT_H

#include <heterorr/attack.h>
#include <heterorr/feature.h>
#include <heterorr/graph.h>
#include <heterorr/learn.h>
#include <heterorr/privacy.h>
#include <heterorr/release.h>
#include <heterorr/structure.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A name as it is written in a row of results: shortened to fit, and without characters that CSV
 * must quote. */
HRR_EXPERIMENTAL void hrr_results_name(char *text, size_t size, const char *name);

/* ---- many processes -------------------------------------------------------------------------- */

/* A sweep that many processes share. Shard i of n makes runs i, i + n, i + 2n... of those that the
 * sweep lists, into a file of its own beside the results file; runs that are already in the results
 * file are not repeated. When all shards are finished, number 0 merges the rows of the n shards
 * into the results file, in the order of a single process, and removes the files of the shards. */
typedef struct hrr_shard {
    uint32_t number; /* from 1; 0: merge the shards */
    uint32_t count;  /* 0: no shards; one process runs the whole sweep */
} hrr_shard;

/* The file of a shard: "RESULTS.shard-2-of-8". hrr_free(); NULL: out of memory. */
HRR_EXPERIMENTAL char *hrr_shard_path(const char *results, hrr_shard shard);

/* ---- structure -------------------------------------------------------------- */

/* Every mechanism with every budget on every share of private edges, `runs` times each. Mechanisms
 * that spend nothing run once for all budgets. Run i of every setting marks the same edges and
 * draws from the same seed, so that mechanisms are paired. */
typedef struct hrr_structure_sweep_options {
    size_t size;                   /* set by hrr_structure_sweep_options_init() */
    const char *const *mechanisms; /* names of hrr_edge_mechanisms(); NULL-terminated */
    const char *tree;              /* of edgerr; NULL: its default */
    const uint64_t *eps_edges_nano;
    size_t n_eps;
    const double *private_fractions; /* edges are marked at random; none: as the graph has them */
    size_t n_fractions;
    uint32_t runs;
    int hops;
    int threads; /* runs at the same time */
    uint64_t seed;
    hrr_shard shard;
} hrr_structure_sweep_options;

HRR_EXPERIMENTAL void hrr_structure_sweep_options_init_sized(hrr_structure_sweep_options *options,
                                                             size_t size);
static inline void hrr_structure_sweep_options_init(hrr_structure_sweep_options *options)
{
    hrr_structure_sweep_options_init_sized(options, sizeof *options);
}

/* Measure how far released graphs are from the original. One row per run is appended to the CSV
 * file; runs of an earlier call that are in the file are not repeated. docs/structure.md has the
 * columns.
 *
 * Errors: HRR_EINVAL, HRR_EDATA (another file), HRR_EIO, HRR_ENOMEM, HRR_ECANCEL: the rows that
 *         were finished stay. */
HRR_EXPERIMENTAL HRR_STATUS hrr_structure_sweep(const char *results, const hrr_graph *graph,
                                                const hrr_structure_sweep_options *options,
                                                hrr_progress *progress, hrr_error *err);

/* Every mechanism with every budget, judged by PGB's queries (<heterorr/structure.h>), `runs` times
 * each. Mechanisms that spend nothing run once for all budgets. */
typedef struct hrr_pgb_sweep_options {
    size_t size;                   /* set by hrr_pgb_sweep_options_init() */
    const char *const *mechanisms; /* names of hrr_edge_mechanisms(); NULL-terminated */
    const char *tree;              /* of edgerr, which is then "edgerr:TREE" in rows; NULL: its
                                      default, and plain "edgerr" */
    const uint64_t *eps_edges_nano;
    size_t n_eps;
    uint32_t runs;
    int threads;   /* runs at the same time */
    uint64_t seed; /* of the first run; the next has seed + 1 */
    hrr_shard shard;
} hrr_pgb_sweep_options;

/* Five runs. */
HRR_EXPERIMENTAL void hrr_pgb_sweep_options_init_sized(hrr_pgb_sweep_options *options, size_t size);
static inline void hrr_pgb_sweep_options_init(hrr_pgb_sweep_options *options)
{
    hrr_pgb_sweep_options_init_sized(options, sizeof *options);
}

/* One row for each query of each run into the CSV file: graph, query, mechanism, eps, run (its
 * seed), value. The file may hold rows of an earlier call: those runs are not made again. Rows do
 * not depend on the number of threads.
 *
 * graph: every edge is private.
 * Errors: HRR_EINVAL, HRR_EDATA (another file), HRR_EIO, HRR_ENOMEM, HRR_ECANCEL: the rows that
 *         were finished stay. */
HRR_EXPERIMENTAL HRR_STATUS hrr_pgb_sweep(const char *results, const hrr_graph *graph,
                                          const hrr_pgb_sweep_options *options,
                                          hrr_progress *progress, hrr_error *err);

/* ---- how well networks learn ----------------------------------------------------------------- */

/* A baseline or another treatment that is not a mechanism. */
typedef struct hrr_experiment_treatment {
    const char *name;
    const char *what; /* it is, in one clause */
    bool whole;       /* a complete treatment; otherwise half of one */
    bool of_features; /* the half for features; otherwise the half for edges */
} hrr_experiment_treatment;

/* The rows, NULL-terminated. */
HRR_EXPERIMENTAL const hrr_experiment_treatment *const *hrr_experiment_treatments(void);

/* A treatment states what is done with features and with edges, "FEATURES+EDGES". Features: a name
 * of hrr_feature_mechanisms(). Edges: a name of hrr_edge_mechanisms(), where edgerr-node combines
 * its counts with the predictions of the network. Either may be one of hrr_experiment_treatments():
 * featfree-rows and label-propagation use no features, volunteers uses the features of volunteers;
 * edgerr-node-edges and mlp are for edges. "none" leaves features or edges as they are, and so does
 * omitting one half: featurerr, edgerr. "non-private" is none+none.
 *
 * Every feature mechanism also runs with HRR_EPS_NOTHING: its result then comes from the shape of
 * its noise and not from information.
 *
 * Baselines are always added: majority (hrr_measure_majority(), no network), non-private, mlp and
 * public-only; featfree, featfree-rows and label-propagation, on public edges only if a treatment
 * spends on edges; and, if a treatment F+E spends on both, F+public-only, F+mlp and featfree+E.
 * docs/experiments.md says why. */
typedef struct hrr_training_sweep_options {
    size_t size;                   /* set by hrr_training_sweep_options_init() */
    const char *const *treatments; /* NULL-terminated */
    const char *tree;              /* of edgerr; NULL: its default */
    const uint64_t *eps_features_nano;
    size_t n_eps_features;
    const uint64_t *eps_edges_nano;
    size_t n_eps_edges;
    const double *private_fractions; /* edges are marked at random; none: as the graph has them */
    size_t n_fractions;
    const uint32_t
        *propagate; /* how often protected features are averaged over released edges; none:
                       HRR_USUAL_PROPAGATE times. Random features always include that number */
    size_t n_propagate;
    bool leave_scale;                             /* do not standardise protected features */
    HRR_ROOM(hrr_feature_options, features, 256); /* mechanism and budget are ignored */
    const char *directions; /* what features.projection or features.head is, for the rows; may be
                               NULL */
    HRR_ROOM(hrr_train_options, train, 384); /* arch, propagate, seed and threads are ignored */
    bool own_split; /* use the split of the graph; otherwise a split is drawn in each run */
    double train_share, valid_share;
    uint32_t runs;
    int threads; /* runs at the same time */
    uint64_t seed;
    const double *label_rates; /* shares of training nodes, instead of train_share; all treatments
                                  run with each of them. The share of validation nodes is the same,
                                  but at most HRR_MOST_VALID_SHARE. none: the split above */
    size_t n_label_rates;
    double volunteer_share; /* as a share of all nodes: this many training nodes publish their
                               features. A separate baseline propagates these features over the
                               edges, and so does public-best; a head for featurerr-head is trained
                               on these nodes in each run. 0: no volunteers */
    hrr_shard shard;
} hrr_training_sweep_options;

/* Of all nodes, for validation where label rates are given. */
#define HRR_MOST_VALID_SHARE 0.25

enum { HRR_USUAL_PROPAGATE = 4 };

/* Five runs of networks with 64 hidden units, split 50/25/25; the rest as hrr_train_options_init().
 */
HRR_EXPERIMENTAL void hrr_training_sweep_options_init_sized(hrr_training_sweep_options *options,
                                                            size_t size);
static inline void hrr_training_sweep_options_init(hrr_training_sweep_options *options)
{
    hrr_training_sweep_options_init_sized(options, sizeof *options);
    options->features.size = sizeof options->features;
    options->train.size = sizeof options->train;
}

/* Train on releases. One row per run is appended to the CSV file; runs of an earlier call that are
 * in the file are not repeated. Run i of every treatment has the same private edges, split, initial
 * weights and seed of the noise. Rows do not depend on the number of threads. A run whose training
 * diverges is recorded as such. docs/experiments.md has the columns.
 *
 * Errors: HRR_EINVAL, HRR_EDATA (no labels or features; another file, or one of another version),
 *         HRR_EIO, HRR_ENOMEM, HRR_ECANCEL: the rows that were finished stay. */
HRR_EXPERIMENTAL HRR_STATUS hrr_training_sweep(const char *results, const hrr_graph *graph,
                                               const hrr_training_sweep_options *options,
                                               hrr_progress *progress, hrr_error *err);

/* ---- attacks ------------------------------------------------------------------ */

/* The chain of <heterorr/attack.h> in many worlds: open, floor, public tree, every mechanism with
 * every budget, guesses from public data, a guess at random; `runs` times each. Run i of every
 * world has the same nodes, known features and seed. */
typedef struct hrr_chain_sweep_options {
    size_t size;                   /* set by hrr_chain_sweep_options_init() */
    const char *const *mechanisms; /* names of hrr_edge_mechanisms(); NULL-terminated. Those that
                                      spend nothing are there anyway */
    const uint64_t *eps_edges_nano;
    size_t n_eps;
    /* Its world, eps_nano, seed, threads and linkteller.seen are ignored. */
    HRR_ROOM(hrr_chain_options, chain, 1536);
    const char *split;  /* where the graph's split comes from, for the rows; NULL: its own */
    const char *curves; /* a file of points of ROC curves; NULL: none */
    uint32_t runs;
    int threads; /* worlds at the same time */
    uint64_t seed;
    hrr_shard shard;
} hrr_chain_sweep_options;

/* Five runs. */
HRR_EXPERIMENTAL void hrr_chain_sweep_options_init_sized(hrr_chain_sweep_options *options,
                                                         size_t size);
static inline void hrr_chain_sweep_options_init(hrr_chain_sweep_options *options)
{
    hrr_chain_sweep_options_init_sized(options, sizeof *options);
    options->chain.size = sizeof options->chain;
    options->chain.linkteller.size = sizeof options->chain.linkteller;
    options->chain.train.size = sizeof options->chain.train;
    options->chain.attributes.size = sizeof options->chain.attributes;
}

/* One row for each run of each world into the CSV file, and a curve into the file of curves if
 * there is one. Either may hold what an earlier call has found: that is not done again. Rows do not
 * depend on the number of threads. docs/attacks.md has the columns.
 *
 * Errors: HRR_EINVAL, HRR_EDATA (as hrr_chain(); another file, or one of another version), HRR_EIO,
 *         HRR_ENOMEM, HRR_ECANCEL: the rows that were finished stay. */
HRR_EXPERIMENTAL HRR_STATUS hrr_chain_sweep(const char *results, const hrr_graph *graph,
                                            const hrr_chain_sweep_options *options,
                                            hrr_progress *progress, hrr_error *err);

/* Means over the rows of a sweep for one world. */
typedef struct hrr_chain_mean {
    const char *world; /* a literal, or one of the options' mechanisms */
    uint64_t eps_nano; /* 0: nothing is spent */
    double realised_eps;
    /* Over runs, with the half-width of 95 % intervals (NAN for one run); and the differences to
     * the floor's of the same run, and to the public tree's. */
    double mean[HRR_CHAIN_FIGURES], half_width[HRR_CHAIN_FIGURES];
    double excess[HRR_CHAIN_FIGURES], excess_half_width[HRR_CHAIN_FIGURES];
    double tree_excess[HRR_CHAIN_FIGURES], tree_excess_half_width[HRR_CHAIN_FIGURES];
} hrr_chain_mean;

/* Worlds in the order above, over the runs that a sweep with these options makes: what else the
 * file holds is left out. rows: hrr_free().
 * Errors: HRR_EINVAL, HRR_EDATA (another file, or runs are missing), HRR_EIO, HRR_ENOMEM. */
HRR_EXPERIMENTAL HRR_STATUS hrr_chain_means(hrr_chain_mean **rows, size_t *n_rows,
                                            const char *results, const hrr_graph *graph,
                                            const hrr_chain_sweep_options *options, hrr_error *err);

/* ---- means and verdicts ------------------------------------------------------------------------
 */

typedef enum hrr_worth {
    HRR_WORTH_UNTESTED =
        0,          /* nothing is spent, there is no baseline, or there are fewer than two runs */
    HRR_WORTH_MORE, /* better than the control, adjusted p below .05, no run diverged */
    HRR_WORTH_NO_MORE, /* neither: no significant gain */
    HRR_WORTH_LESS     /* worse than the control, adjusted p below .05 */
} hrr_worth;

/* "untested", "better", "no better", "worse". */
HRR_EXPERIMENTAL const char *hrr_worth_word(hrr_worth worth);

/* A paired two-tailed t-test of one setting against another, over the runs that both have. */
typedef struct hrr_worth_test {
    int64_t control;   /* the row of the baseline; -1: none, and the other members are undefined */
    uint32_t controls; /* the number of baselines, of which it is the best */
    uint32_t pairs;
    /* p_adjusted is adjusted for all tests of the table (Holm). If the setting is below the
     * baseline, p_adjusted is also adjusted for the choice of the best baseline. */
    double difference, p, p_adjusted;
    double half_width; /* difference -+ half_width: 95 % confidence, not adjusted */
    hrr_worth worth;
} hrr_worth_test;

/* Means of a results file for one setting. */
typedef struct hrr_training_mean {
    char graph[64], treatment[72], tree[16],
        network[256]; /* network: all its settings and the split */
    uint64_t n_nodes, n_edges;
    char features[32], edges[32], eps_features[HRR_EPS_TEXT_SIZE], eps_edges[HRR_EPS_TEXT_SIZE];
    char private_fraction[24], label_rate[24], propagate[12], directions[64];
    char metric[24];                   /* what was measured */
    uint32_t runs, diverged, measured; /* mean and interval are those of the runs with a value */
    double mean, half_width; /* mean -+ half_width: 95 % confidence; NAN with fewer than two runs */
    bool spends;
    hrr_worth_test test; /* against the best control that spends nothing */
    /* Of a setting that spends on both: against the best with the same features and nothing spent
     * on edges, and against the best with the same edges and random features. */
    hrr_worth_test edge_test, feature_test;
} hrr_training_mean;

/* Statistics of structure. Each is a distance from the original, 0 for the original itself. No
 * statistic implies the others: a graph without edges may be near in one and far in all others. */
typedef enum hrr_statistic {
    HRR_STATISTIC_DEGREES,     /* Kolmogorov-Smirnov, of degrees */
    HRR_STATISTIC_CLUSTERING,  /* difference of transitivity */
    HRR_STATISTIC_PATHS,       /* Kolmogorov-Smirnov, of path lengths */
    HRR_STATISTIC_COMMUNITIES, /* difference of modularity, of the original's communities */
    HRR_STATISTIC_WALKS,       /* root mean square over hops 1.. of the RMS distances */
    HRR_N_STATISTICS
} hrr_statistic;

/* "degrees", ... */
HRR_EXPERIMENTAL const char *hrr_statistic_name(hrr_statistic statistic);

/* Means of a results file for one mechanism, budget and share of private edges. */
typedef struct hrr_structure_mean {
    char graph[64], mechanism[32], tree[16], eps_edges[HRR_EPS_TEXT_SIZE], private_fraction[24];
    uint32_t runs;
    bool spends;
    int hops;
    double rms[HRR_MAX_HOPS + 1]; /* means over the runs */
    double edges_released, private_recall;
    struct {
        double mean, half_width; /* NAN if the file does not have it */
        hrr_worth_test test;     /* against public-only; better is nearer */
    } statistic[HRR_N_STATISTICS];
} hrr_structure_mean;

/* The verdict of a statistic: "untested", "nearer", "no nearer", "farther". */
HRR_EXPERIMENTAL const char *hrr_nearness_word(hrr_worth worth);

/* Whether this is public-only where every edge is private: the graph without edges. */
HRR_EXPERIMENTAL bool hrr_is_empty_control(const hrr_structure_mean *mean);

/* Means over the runs, by graph, share of private edges, mechanism and budget, with baselines
 * first. Statistics disagree, so the rows are not ranked. Each seed counts once. rows: hrr_free().
 * Errors: HRR_EDATA naming the line, HRR_EIO, HRR_ENOMEM. */
HRR_EXPERIMENTAL HRR_STATUS hrr_structure_means(hrr_structure_mean **rows, size_t *n_rows,
                                                const char *results, hrr_error *err);

/* A mechanism's value of one of PGB's queries, on one graph at one budget: a cell of the
 * benchmark's table. */
typedef struct hrr_pgb_mean {
    char graph[64], mechanism[64], eps[HRR_EPS_TEXT_SIZE];
    hrr_pgb_query query;
    bool published;          /* a value of a file of published ones; otherwise a mean over runs */
    uint32_t runs;           /* 0 if published */
    double mean, half_width; /* mean -+ half_width: 95 % confidence, NAN for fewer than two runs.
                                NAN if a run has no finite value, because the mean of the other runs
                                would be too good */
    /* Where the cell has published values of its graph, query and budget: */
    bool compared;
    bool best;  /* no mechanism is nearer to the original; several are if they are equally near */
    bool beats; /* nearer than every published value; not for a published one */
} hrr_pgb_mean;

/* How often a mechanism is best at one budget, over all graphs and scored queries (hrr_pgb_row)
 * that have published values. */
typedef struct hrr_pgb_tally {
    char mechanism[64], eps[HRR_EPS_TEXT_SIZE];
    bool published;
    uint32_t cells;  /* cells with published values in which it has a value */
    uint32_t wins;   /* it alone is nearest to the original */
    uint32_t shared; /* as near as another mechanism, and none is nearer */
    uint32_t beats;  /* nearer than every published value */
} hrr_pgb_tally;

typedef struct hrr_pgb_table {
    hrr_pgb_mean *means; /* by graph, budget, query; ours before published ones, then by name */
    size_t n_means;
    hrr_pgb_tally *tallies; /* by budget, then most wins first; none without published values */
    size_t n_tallies;
} hrr_pgb_table;

HRR_EXPERIMENTAL void hrr_pgb_table_clear(hrr_pgb_table *table);

/* What the rows of hrr_pgb_sweep() say, beside published values: a CSV file with the columns graph,
 * query, mechanism, eps and value, in which each combination of the first four occurs at most once;
 * NULL: none. docs/structure.md says how graphs are matched by name. Ownership:
 * hrr_pgb_table_clear(). Errors: HRR_EDATA saying what and where, HRR_EIO, HRR_ENOMEM. */
HRR_EXPERIMENTAL HRR_STATUS hrr_pgb_means(hrr_pgb_table *out, const char *results,
                                          const char *published, hrr_error *err);

/* Check whether the published values can be used for results on the graph, before a sweep runs for
 * hours. Errors: as hrr_pgb_means(); HRR_EDATA also if the file has no values of the graph. */
HRR_EXPERIMENTAL HRR_STATUS hrr_pgb_published_check(const char *published, const hrr_graph *graph,
                                                    hrr_error *err);

/* Means of a metric ("accuracy", "f1_micro", "f1_macro", "auc", "average_precision"; NULL:
 * accuracy, or f1_micro on graphs where nodes have several labels) on test nodes, grouped by graph,
 * network and share of private edges, the best first. A seed counts once in a setting. of: only
 * rows of a graph with this name and as many nodes and edges; NULL: all. rows: hrr_free(). Errors:
 * HRR_EDATA naming the line, HRR_EINVAL, HRR_EIO, HRR_ENOMEM. */
HRR_EXPERIMENTAL HRR_STATUS hrr_training_means(hrr_training_mean **rows, size_t *n_rows,
                                               const char *results, const hrr_graph *of,
                                               const char *metric, hrr_error *err);
/* The metrics there are: NULL-terminated. */
HRR_EXPERIMENTAL const char *const *hrr_training_metrics(void);

/* ---- advice ---------------------------------------------------------------------------------- */

/* Estimate what may be worth a budget from public data alone: no private data is read and nothing
 * is spent.
 *
 * Edges: some public edges are hidden at random, as if they were private; mechanisms release them,
 * and networks learn from the result. If private edges are of the same kind as public edges, the
 * real release will be about as good. */
typedef struct hrr_advise_options {
    size_t size;                    /* set by hrr_advise_options_init() */
    const uint64_t *eps_edges_nano; /* budgets to try */
    size_t n_eps_edges;
    double private_share;     /* of all edges, as far as it is publicly known */
    bool features_are_public; /* otherwise networks get random ones */
    HRR_ROOM(hrr_train_options, train, 384);
    uint32_t runs;
    int threads;
    uint64_t seed;
    /* Of hrr_advise_head(). */
    const uint64_t *eps_features_nano;
    size_t n_eps_features;
    double head_right;  /* how often a head is right elsewhere, as a mean over classes */
    double label_rate;  /* as in hrr_training_sweep_options; 0: half of the nodes are trained on */
    const char *metric; /* as in hrr_training_means(); NULL: accuracy */
} hrr_advise_options;

/* Budgets 1, 2 and 4 are the caller's; .3 private, five runs, the networks of a training sweep. */
HRR_EXPERIMENTAL void hrr_advise_options_init_sized(hrr_advise_options *options, size_t size);
static inline void hrr_advise_options_init(hrr_advise_options *options)
{
    hrr_advise_options_init_sized(options, sizeof *options);
    options->train.size = sizeof options->train;
}

typedef struct hrr_edge_advice {
    hrr_training_mean *rows; /* what was tried, the best first; hrr_edge_advice_clear() */
    size_t n_rows;
    int64_t control; /* the best that spends nothing; -1: none */
    int64_t choice;  /* the cheapest that is better than it; -1: leave private edges out */
} hrr_edge_advice;

HRR_EXPERIMENTAL void hrr_edge_advice_clear(hrr_edge_advice *advice);

/* Whether there are too few public edges to rehearse with: the result of hrr_advise_edges() would
 * then be meaningless. known: as below. */
HRR_EXPERIMENTAL bool hrr_advice_is_blind(const hrr_graph *known);

/* The edge mechanisms that are rehearsed, NULL-terminated; those with counts only where a node has
 * one class. */
HRR_EXPERIMENTAL const hrr_edge_mechanism *const *hrr_advised_mechanisms(void);

/* known: a graph without private edges, such as hrr_public_view() makes; labels are needed. Every
 * run is a row of the file `results`.
 * Errors: HRR_EINVAL, HRR_EDATA, HRR_EIO, HRR_ENOMEM, HRR_ECANCEL. */
HRR_EXPERIMENTAL HRR_STATUS hrr_advise_edges(hrr_edge_advice *out, const char *results,
                                             const hrr_graph *known,
                                             const hrr_advise_options *options,
                                             hrr_progress *progress, hrr_error *err);

/* The same for a graph without labels: how near to the original each statistic stays. */
typedef struct hrr_structure_advice {
    hrr_structure_mean *rows; /* what was tried; hrr_structure_advice_clear() */
    size_t n_rows;
    int64_t control;                  /* public-only; -1: none */
    int64_t choice[HRR_N_STATISTICS]; /* the cheapest that is nearer than it; -1: none is */
} hrr_structure_advice;

HRR_EXPERIMENTAL void hrr_structure_advice_clear(hrr_structure_advice *advice);

/* edgerr, edgerr-node and edgerr-links beside public-only. known: a graph without private edges,
 * not blind. Every run is a row of the file `results`. The options for features and training are
 * ignored. Errors: HRR_EINVAL, HRR_EDATA, HRR_EIO, HRR_ENOMEM, HRR_ECANCEL. */
HRR_EXPERIMENTAL HRR_STATUS hrr_advise_structure(hrr_structure_advice *out, const char *results,
                                                 const hrr_graph *known,
                                                 const hrr_advise_options *options,
                                                 hrr_progress *progress, hrr_error *err);

/* For graphs without public data to rehearse with: measurements on other graphs with all edges
 * private and epsilon 1. */
typedef struct hrr_structure_guide {
    hrr_statistic purpose;
    const hrr_edge_mechanism *mechanism; /* the nearest to the original of those that were tried */
    double distance;                     /* of its release; the mean over the graphs */
    double without;                      /* of the graph without edges, which costs nothing */
} hrr_structure_guide;

/* A row for each statistic. */
HRR_EXPERIMENTAL const hrr_structure_guide *hrr_structure_guides(size_t *n);
/* Whether the mechanism is worth recommending: its distance is at most half of that of the graph
 * without edges. */
HRR_EXPERIMENTAL bool hrr_guide_suits(const hrr_structure_guide *row);

/* A rehearsal of featurerr-head: answers are drawn from the labels of `known`, right as often as
 * head_right says, and released at each budget. Features are not read. The result is an upper
 * estimate, because a real head also errs where other models err. choice -1: even then no budget is
 * worth it. The rows name the graph "head rehearsal". Errors: as hrr_advise_edges(). */
HRR_EXPERIMENTAL HRR_STATUS hrr_advise_head(hrr_edge_advice *out, const char *results,
                                            const hrr_graph *known,
                                            const hrr_advise_options *options,
                                            hrr_progress *progress, hrr_error *err);

/* How much a report about a node can add to labels and public edges: means over the nodes whose
 * label was hidden, in which every class has the same weight. */
typedef struct hrr_report_advice {
    double eps;
    double
        free_right; /* share of nodes that labels and public edges predict correctly, at no cost */
    double settled; /* share of nodes for which no report can change the prediction from labels and
                       edges */
    double most_right; /* upper bound for any eps-LDP report, even if features determine the class
                          without error and the report depends on what labels and edges say about
                          the node */
} hrr_report_advice;

/* Whether the report can add four points. With less, reports have not been shown to pay on any
 * graph (docs/experiments.md, "The most that a report can add"). */
HRR_EXPERIMENTAL bool hrr_report_can_pay(const hrr_report_advice *row);

/* out: n_eps_features of them. Nodes of `known` have one class each; the options label_rate,
 * eps_features_nano, runs, seed and threads are used; features are not read. Reports of neighbours
 * are not included. Errors: as hrr_advise_edges(). */
HRR_EXPERIMENTAL HRR_STATUS hrr_advise_reports(hrr_report_advice *out, const hrr_graph *known,
                                               const hrr_advise_options *options,
                                               hrr_progress *progress, hrr_error *err);

/* Upper limits of what a budget can buy for features. They hold for any features. */
typedef struct hrr_feature_advice {
    double eps;
    double information; /* upper bound of the information about a node's label in its own released
                           features, for any mechanism that is eps-DP without a delta; as a share of
                           the entropy of the known classes, at most 1. If nodes have several
                           labels, these are assumed to be balanced and independent, and the number
                           is an estimate and not a bound. NAN: there are no labels */
    double noise;       /* standard deviation of one released feature (multibit, unbiased), on the
                           scale of its bounds */
    double noise_averaged; /* the same for the mean over a node and its neighbours */
} hrr_feature_advice;

/* known: its labels, if there are any, and its public edges are used. */
HRR_EXPERIMENTAL void hrr_advise_features(hrr_feature_advice *out, double eps, uint64_t n_features,
                                          const hrr_graph *known);

#ifdef __cplusplus
}
#endif
#endif
