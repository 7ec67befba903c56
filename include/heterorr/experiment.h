/* experiment.h: sweeps: many settings, many runs, one results file. Experiments read private graphs
 * and say how well mechanisms do on them: their results are for the owner of the data. */
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

/* A name as it stands in a row of results: without what CSV would have to quote, cut to fit. */
HRR_EXPERIMENTAL void hrr_results_name(char *text, size_t size, const char *name);

/* ---- many processes -------------------------------------------------------------------------- */

/* A sweep that many processes share. Shard i of n makes runs i, i + n, i + 2n... of those that the
 * sweep lists, into a file of its own beside the results file; runs that the results file has are
 * not made again. When all are done, number 0 puts the rows of the n shards into the results file,
 * in the order in which one process makes them, and removes the files of the shards. */
typedef struct hrr_shard {
    uint32_t number; /* from 1; 0: put the shards together */
    uint32_t count;  /* 0: no shards; the sweep is made as a whole */
} hrr_shard;

/* The file of a shard: "RESULTS.shard-2-of-8". hrr_free(); NULL: out of memory. */
HRR_EXPERIMENTAL char *hrr_shard_path(const char *results, hrr_shard shard);

/* ---- how much structure is left -------------------------------------------------------------- */

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

/* How far released graphs are from the original: one row a run into the CSV file, which may hold
 * rows of an earlier call: those are not run again. docs/structure.md has the columns.
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

/* What experiments do beside releasing with a mechanism. */
typedef struct hrr_experiment_treatment {
    const char *name;
    const char *what; /* it is, in one clause */
    bool whole;       /* a treatment by itself; otherwise a half of one */
    bool of_features; /* the half that takes the place of features; otherwise what happens to edges
                       */
} hrr_experiment_treatment;

/* The rows, NULL-terminated. */
HRR_EXPERIMENTAL const hrr_experiment_treatment *const *hrr_experiment_treatments(void);

/* A treatment says what happens to features and what to edges, "FEATURES+EDGES". Features: a name
 * of hrr_feature_mechanisms(). Edges: a name of hrr_edge_mechanisms(), where edgerr-node means that
 * its counts join the network's opinion. Either may be one of hrr_experiment_treatments():
 * featfree-rows and label-propagation look at no features; volunteers at those that are shown;
 * edgerr-node-edges, mlp are of edges. "none" leaves them as they are, and so does leaving the
 * other half out: featurerr, edgerr. "non-private" is none+none.
 *
 * Every mechanism of features also runs with HRR_EPS_NOTHING: what it does then is the shape of its
 * noise, and no information.
 *
 * Controls are added unasked: majority (hrr_measure_majority(), no network at all), non-private,
 * mlp, public-only; featfree, featfree-rows and label-propagation, where a treatment spends on
 * edges over public edges alone; and where a treatment F+E spends on both, F+public-only, F+mlp and
 * featfree+E. docs/experiments.md says why. */
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
        *propagate; /* average protected features over released edges so often; none:
                       HRR_USUAL_PROPAGATE times. Random features always have that, too */
    size_t n_propagate;
    bool leave_scale;                             /* do not standardise protected features */
    HRR_ROOM(hrr_feature_options, features, 256); /* mechanism and budget apart */
    const char *directions; /* what features.projection or features.head is, for the rows; may be
                               NULL */
    HRR_ROOM(hrr_train_options, train, 384); /* arch, propagate, seed and threads apart */
    bool own_split;                          /* the graph's; otherwise dealt anew in each run */
    double train_share, valid_share;
    uint32_t runs;
    int threads; /* runs at the same time */
    uint64_t seed;
    const double *label_rates; /* shares of the nodes to train on, in place of train_share, each for
                                  all treatments. As many are for validation, at most
                                  HRR_MOST_VALID_SHARE; none: the split above */
    size_t n_label_rates;
    double volunteer_share; /* of all nodes: so many of the training nodes show their features to
                               everybody. They are propagated over the edges in a control of their
                               own, and in all that is free; a head for featurerr-head is learnt
                               from these nodes in each run. 0: nobody does */
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

/* Train on releases: one row a run into the CSV file, which may hold rows of an earlier call: those
 * are not run again. Run i of every treatment has the same private edges, split, first weights and
 * seed of the noise. Rows do not depend on the number of threads. Training that diverges is a row
 * that says so. docs/experiments.md has the columns.
 *
 * Errors: HRR_EINVAL, HRR_EDATA (no labels or features; another file, or one of another version),
 *         HRR_EIO, HRR_ENOMEM, HRR_ECANCEL: the rows that were finished stay. */
HRR_EXPERIMENTAL HRR_STATUS hrr_training_sweep(const char *results, const hrr_graph *graph,
                                               const hrr_training_sweep_options *options,
                                               hrr_progress *progress, hrr_error *err);

/* ---- what an adversary gets ------------------------------------------------------------------ */

/* The chain of <heterorr/attack.h> in many worlds: open, floor, public tree, every mechanism with
 * every budget, guesses from public data, a guess at random; `runs` times each. Run i of every
 * world has the same nodes, known features and seed. */
typedef struct hrr_chain_sweep_options {
    size_t size;                   /* set by hrr_chain_sweep_options_init() */
    const char *const *mechanisms; /* names of hrr_edge_mechanisms(); NULL-terminated. Those that
                                      spend nothing are there anyway */
    const uint64_t *eps_edges_nano;
    size_t n_eps;
    /* Its world, eps_nano, seed, threads and linkteller.seen are not looked at. */
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

/* What the rows of a sweep say of one world. */
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

/* ---- what results say ------------------------------------------------------------------------ */

typedef enum hrr_worth {
    HRR_WORTH_UNTESTED = 0, /* nothing is spent, no control is there, or fewer than two runs */
    HRR_WORTH_MORE,         /* better than the control, adjusted p below .05, no run diverged */
    HRR_WORTH_NO_MORE,      /* neither: the budget bought nothing that shows */
    HRR_WORTH_LESS          /* worse than the control, adjusted p below .05 */
} hrr_worth;

/* "untested", "better", "no better", "worse". */
HRR_EXPERIMENTAL const char *hrr_worth_word(hrr_worth worth);

/* A paired two-tailed t-test of one setting against another, over the runs that both have. */
typedef struct hrr_worth_test {
    int64_t control;   /* its row; -1: none, and the rest means nothing */
    uint32_t controls; /* it is the best of so many */
    uint32_t pairs;
    /* Adjusted (Holm) for all tests of the table; below the control also for its choice. */
    double difference, p, p_adjusted;
    double half_width; /* difference -+ half_width: 95 % confidence, not adjusted */
    hrr_worth worth;
} hrr_worth_test;

/* What a results file says of one setting. */
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

/* What structure is judged by; each is a distance from the original, 0 for the original itself.
 * None stands for the others: a graph without edges may be near in one and far in all the rest. */
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

/* What a results file says of one mechanism at one budget and share of private edges. */
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

/* Means over the runs, by graph, share of private edges, mechanism and budget, with what spends
 * nothing first: statistics disagree, so there is no best one. A seed counts once. rows:
 * hrr_free(). Errors: HRR_EDATA naming the line, HRR_EIO, HRR_ENOMEM. */
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
                                NAN if a run has no finite value: the mean of the others would
                                flatter */
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
    uint32_t cells;  /* that it has a value in, out of those that have published values */
    uint32_t wins;   /* nearest to the original, and alone so */
    uint32_t shared; /* as near as another, and none nearer */
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
 * query, mechanism, eps and value, in which no combination of the first four stands twice; NULL:
 * none. docs/structure.md says how graphs are matched by name.
 * Ownership: hrr_pgb_table_clear().
 * Errors: HRR_EDATA saying what and where, HRR_EIO, HRR_ENOMEM. */
HRR_EXPERIMENTAL HRR_STATUS hrr_pgb_means(hrr_pgb_table *out, const char *results,
                                          const char *published, hrr_error *err);

/* Whether the published values can be used for results on the graph: so that a sweep need not run
 * for hours first.
 * Errors: as hrr_pgb_means(); HRR_EDATA also if the file has no values of the graph. */
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

/* What may be worth a budget, from public data alone: nothing here is private, and nothing is
 * spent.
 *
 * Edges: a share of the public edges is hidden at random, as if it were the private one, and what
 * mechanisms release of it is learnt from. Where the private edges are of the same kind as the
 * public ones, the real release will do about as well. */
typedef struct hrr_advise_options {
    size_t size;                    /* set by hrr_advise_options_init() */
    const uint64_t *eps_edges_nano; /* budgets to try */
    size_t n_eps_edges;
    double private_share;     /* of all edges, as far as is publicly known */
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

/* Whether there are too few public edges to rehearse with: what hrr_advise_edges() would find then
 * says nothing about the graph. known: as below. */
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
 * not blind. Every run is a row of the file `results`. Of the options, features and training are
 * not looked at. Errors: HRR_EINVAL, HRR_EDATA, HRR_EIO, HRR_ENOMEM, HRR_ECANCEL. */
HRR_EXPERIMENTAL HRR_STATUS hrr_advise_structure(hrr_structure_advice *out, const char *results,
                                                 const hrr_graph *known,
                                                 const hrr_advise_options *options,
                                                 hrr_progress *progress, hrr_error *err);

/* Where there is nothing public to rehearse with: what was measured on other graphs, all edges
 * private, epsilon 1. */
typedef struct hrr_structure_guide {
    hrr_statistic purpose;
    const hrr_edge_mechanism *mechanism; /* the nearest to the original of those that were tried */
    double distance;                     /* of its release; the mean over the graphs */
    double without;                      /* of the graph without edges, which costs nothing */
} hrr_structure_guide;

/* A row for each statistic. */
HRR_EXPERIMENTAL const hrr_structure_guide *hrr_structure_guides(size_t *n);
/* Whether the mechanism is worth naming: it is at most half as far as the graph without edges. */
HRR_EXPERIMENTAL bool hrr_guide_suits(const hrr_structure_guide *row);

/* A rehearsal of featurerr-head: answers are drawn from the labels of `known`, right as often as
 * head_right says, and released at each budget. No feature is looked at. It is an upper estimate:
 * a real head errs where others err, too. choice -1: not even then is a budget worth it. The rows
 * name the graph "head rehearsal". Errors: as hrr_advise_edges(). */
HRR_EXPERIMENTAL HRR_STATUS hrr_advise_head(hrr_edge_advice *out, const char *results,
                                            const hrr_graph *known,
                                            const hrr_advise_options *options,
                                            hrr_progress *progress, hrr_error *err);

/* What labels and public edges leave to a report about a node alone: means over the nodes whose
 * label was hidden, in which every class has the same weight. */
typedef struct hrr_report_advice {
    double eps;
    double free_right; /* labels and public edges get so many right, for nothing */
    double settled;    /* of so many they are so sure that no report changes the guess */
    double most_right; /* no eps-LDP report gets more right, even if features tell the class without
                          error and the report is made for what labels and edges say of the node */
} hrr_report_advice;

/* Whether the report can add four points: with less left, reports have nowhere been shown to pay
 * (docs/experiments.md, "The most that a report can add"). */
HRR_EXPERIMENTAL bool hrr_report_can_pay(const hrr_report_advice *row);

/* out: n_eps_features of them. Nodes of `known` have one class each; label_rate, eps_features_nano,
 * runs, seed and threads are looked at, features are not. What neighbours report comes on top.
 * Errors: as hrr_advise_edges(). */
HRR_EXPERIMENTAL HRR_STATUS hrr_advise_reports(hrr_report_advice *out, const hrr_graph *known,
                                               const hrr_advise_options *options,
                                               hrr_progress *progress, hrr_error *err);

/* What a budget can buy for features, whatever the features are. */
typedef struct hrr_feature_advice {
    double eps;
    double information; /* at most so much of a node's label can be learnt from its own released
                           features, by any mechanism that is eps-DP without a delta; as a share of
                           the entropy of the known classes, at most 1. Several labels a node are
                           taken for even and independent, and then it is no bound but a guess.
                           NAN: there are no labels to say it of */
    double noise;       /* standard deviation of one released feature (multibit, unbiased), on the
                           scale of its bounds */
    double noise_averaged; /* the same for the mean over a node and its neighbours */
} hrr_feature_advice;

/* known: labels, if there are any, and public edges are looked at. */
HRR_EXPERIMENTAL void hrr_advise_features(hrr_feature_advice *out, double eps, uint64_t n_features,
                                          const hrr_graph *known);

#ifdef __cplusplus
}
#endif
#endif
