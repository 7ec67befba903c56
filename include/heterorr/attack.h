/* attack.h: what an adversary finds out about private edges and features, so that their owner can
 * find it out first. A model is reached through questions to a service; a local model may also be
 * looked into, which is faster and finds the same. For the owner of the data: truth is needed to
 * score an attack, never to run it. */
#ifndef HETERORR_ATTACK_H
#define HETERORR_ATTACK_H

#include <heterorr/base.h>
#include <heterorr/certificate.h>
#include <heterorr/graph.h>
#include <heterorr/learn.h>
#include <heterorr/matrix.h>
#include <heterorr/vision.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a prediction service -------------------------------------------------------------------- */

/* What a service says about a node: C numbers. */
typedef enum hrr_returns {
    HRR_RETURNS_LOGITS = 0,
    HRR_RETURNS_PROBABILITIES,
    HRR_RETURNS_ROUNDED, /* probabilities to so many decimals */
    HRR_RETURNS_LABELS   /* 1 for the label (those, of several, above one half), else 0 */
} hrr_returns;

/* What do you say about the nodes in `asked`, if node `changed` had these features? */
typedef struct hrr_question {
    const uint32_t *asked;
    uint64_t n_asked;
    int64_t changed;        /* -1: none */
    const double *features; /* of that node; NULL: none */
} hrr_question;

/* answer: n_asked x C. HRR_EIO says "not now" (busy, over a limit, a lost connection) and is asked
 * again after a while; any other failure ends the attack. */
typedef hrr_status hrr_query(void *user, double *answer, const hrr_question *question,
                             hrr_error *err);

typedef struct hrr_service {
    hrr_query *query;
    void *user;
    uint64_t n_nodes, n_features;
    uint32_t n_classes;
    uint32_t retries; /* after so many refusals of one question in a row the attack gives up */
    double wait;      /* seconds before the first repetition; twice as long each time after */
} hrr_service;

/* ---- a service behind an address ---------------------------------------------------------------
 */

/* A model in the Open Inference Protocol (KServe and Triton, version 2) that takes `nodes`, and
 * `changed_node` with `changed_features` where an attack changes features, and tells `logits`,
 * `probabilities` or `labels`: hrr_server_start() serves such models. A service that says that it
 * was asked too often (429, 503) is asked again after as long as it says. */
typedef struct hrr_remote hrr_remote;

typedef struct hrr_remote_options {
    size_t size;       /* set by hrr_remote_options_init() */
    const char *url;   /* of the service, without /v2 */
    const char *model; /* its name there */
    const char *token; /* NULL: none */
    const char *ca;    /* a PEM file of whoever vouches for the service; NULL: the system's */
    double seconds;    /* that one answer may take */
    hrr_returns most;  /* what is asked for, or the next that the service tells */
    int reserved;      /* 0 */
    /* A file that keeps answers, so that an attack which was stopped goes on: what it has is not
     * asked again. NULL: none are kept. */
    const char *answers;
} hrr_remote_options;
HRR_EXPERIMENTAL void hrr_remote_options_init_sized(hrr_remote_options *options, size_t size);
static inline void hrr_remote_options_init(hrr_remote_options *options)
{
    hrr_remote_options_init_sized(options, sizeof *options);
}

/* What it took so far. */
typedef struct hrr_remote_count {
    uint64_t questions; /* of an attack */
    uint64_t requests;  /* of HTTP, repetitions included */
    uint64_t refused;   /* "not now" */
    double seconds_waited;
    uint64_t remembered; /* requests that the file of answers made unnecessary */
} hrr_remote_count;

/* graph: the nodes that are asked about, by their names, and their features; it must outlive *out,
 * as must progress.
 * Ownership: *out belongs to the caller, hrr_remote_free(); NULL on failure.
 * Errors:    HRR_EINVAL, HRR_EIO (nobody answers), HRR_EDATA (no such model), HRR_ECHECK (the
 *            service wants another token), HRR_ENOMEM, HRR_ECANCEL. */
HRR_EXPERIMENTAL HRR_STATUS hrr_remote_open(hrr_remote **out, const hrr_graph *graph,
                                            const hrr_remote_options *options,
                                            hrr_progress *progress, hrr_error *err);
HRR_EXPERIMENTAL void hrr_remote_free(hrr_remote *remote);
HRR_EXPERIMENTAL hrr_service hrr_remote_service(hrr_remote *remote);
HRR_EXPERIMENTAL hrr_returns hrr_remote_returns(const hrr_remote *remote);
HRR_EXPERIMENTAL hrr_remote_count hrr_remote_asked(const hrr_remote *remote);

/* ---- which pairs, and how well they are ranked ----------------------------------------------- */

typedef enum hrr_pool { HRR_POOL_ALL = 0, HRR_POOL_LOW, HRR_POOL_HIGH } hrr_pool;

/* Pairs i < j of positions among the nodes, with the answer: private edges are positive, pairs
 * without an edge negative; public edges are known to everybody and left out. */
typedef struct hrr_link_pairs {
    uint64_t n, n_positive;
    uint32_t *i, *j;
    uint8_t *positive;
} hrr_link_pairs;

#define HRR_K_HATS 5
/* The adversary believes in so many times the true density: 1/4, 1/2, 1, 2, 4. */
HRR_EXPERIMENTAL double hrr_k_hat(int k);

typedef struct hrr_link_quality {
    double auc, average_precision;
    double precision[HRR_K_HATS], recall[HRR_K_HATS]; /* of the highest k-hat pairs */
    double n_pairs, n_positive;
} hrr_link_quality;

typedef struct hrr_roc_point {
    double false_positive_rate, true_positive_rate;
} hrr_roc_point;

/* The ROC curve from (0, 0) to (1, 1), straight between its points: exact if `most` (>= 2) points
 * are enough, else as near as they allow.
 *
 * Ownership: *points is hrr memory of the caller. Errors: HRR_EINVAL, HRR_ENOMEM. */
HRR_EXPERIMENTAL HRR_STATUS hrr_link_roc(hrr_roc_point **points, size_t *n_points,
                                         const hrr_link_pairs *pairs, const double *scores,
                                         size_t most, hrr_error *err);

/* Sees the scores that an attack gave the pairs of one sample. eps_nano: of the release that it was
 * up against; 0: of none. */
typedef void hrr_links_seen(void *user, const char *attack, uint64_t eps_nano, uint32_t run,
                            const hrr_link_pairs *pairs, const double *scores);

/* ---- is it a leak? --------------------------------------------------------------------------- */

/* Friends share friends and are alike: public data alone tells about private edges. On the pairs of
 * the attack three guesses are made without any model: "public-walks" (walks of 2 to 4 public
 * edges), "lsa2-attr" (correlation of features) and "public-both" (the sum of the two ranks). */
typedef enum hrr_leak {
    HRR_LEAK_UNDECIDED = 0,
    /* The attack's AUC is above that of every guess, or each guess's AUC rises when the ranks that
     * the attack gives are added to its own. Said without cause with probability .01 at most. */
    HRR_LEAKS,
    /* Neither, and both by HRR_LEAK_MARGIN at most. Said without cause with probability .01 at
     * most. */
    HRR_LEAK_PUBLIC_KNOWLEDGE
} hrr_leak;
#define HRR_LEAK_MARGIN 0.01
HRR_EXPERIMENTAL const char *hrr_leak_name(hrr_leak leak); /* "public-knowledge" */

/* Two AUCs: with the model, and of the guess that comes nearest without it. */
struct hrr_beside_public {
    const char *guess; /* a literal */
    double auc, public_auc;
    double difference, half_width; /* of a 99 % interval for drawn nodes; pairs that share a node
                                 are dependent; asymptotic in the number of nodes */
};

typedef struct hrr_link_verdict {
    hrr_leak verdict;
    struct hrr_beside_public alone;    /* the attack, and the best guess */
    struct hrr_beside_public together; /* a guess with the attack's ranks, and without */
} hrr_link_verdict;

/* ---- LinkTeller ------------------------------------------------------------------------------ */

typedef struct hrr_linkteller_options {
    size_t size;        /* set by hrr_linkteller_options_init() */
    uint64_t n_samples; /* nodes in a sample; a smaller pool is taken whole */
    hrr_pool pool;
    uint32_t low, high; /* degrees of the pools */
    uint32_t runs;      /* samples */
    bool all_edges;
    hrr_returns returns;
    int decimals;     /* of rounded probabilities */
    double delta;     /* 0: 1e-4, or 1 where small changes are rounded away */
    bool differences; /* ask, as published, also where looking into the model gives the same */
    uint64_t seed;
    int threads;
    bool ignore_counts; /* of neighbours (edgerr-node): otherwise the service answers with them, if
                           both model and release have them, as hrr_model_predict() does */
    hrr_links_seen *seen; /* or NULL */
    void *seen_user;
    const hrr_service *service; /* who is asked, who tells what `returns` says; NULL: the model,
                                   which may be NULL otherwise */
} hrr_linkteller_options;
/* 500 nodes of all, three samples, logits; degrees up to 5 are low, from 10 on high. */
HRR_EXPERIMENTAL void hrr_linkteller_options_init_sized(hrr_linkteller_options *options,
                                                        size_t size);
static inline void hrr_linkteller_options_init(hrr_linkteller_options *options)
{
    hrr_linkteller_options_init_sized(options, sizeof *options);
}

typedef struct hrr_linkteller_result {
    hrr_link_quality mean, deviation; /* over samples; the deviation is 0 for one */
    uint64_t n_nodes;                 /* in a sample */
    uint32_t runs;
    bool exact;   /* no differences were taken */
    double delta; /* 0 if exact */
    hrr_link_verdict verdict;
} hrr_linkteller_result;

/* Attack a model that answers on a release; truth, with the same nodes, says what was private.
 * samples: room for options->runs, or NULL.
 *
 * Errors: HRR_EINVAL, HRR_EDATA (nothing private in a sample, graphs of different nodes, a model of
 *         another shape), HRR_ENOMEM, HRR_ECANCEL. */
HRR_EXPERIMENTAL HRR_STATUS hrr_linkteller(hrr_linkteller_result *out, hrr_link_quality *samples,
                                           const hrr_model *model, const hrr_release *served,
                                           const hrr_graph *truth,
                                           const hrr_linkteller_options *options,
                                           hrr_progress *progress, hrr_error *err);

/* ---- other attacks on links ------------------------------------------------------------------ */

typedef enum hrr_link_attack {
    HRR_LINKS_LINKTELLER = 0,
    HRR_LINKS_POSTERIORS, /* LSA2-post: friends have correlated predictions */
    HRR_LINKS_ATTRIBUTES, /* LSA2-attr: and correlated features; sees no model */
    HRR_LINKS_TRAINED,    /* a network trained on public edges, that sees how far predictions and
                             features are apart (He et al., "Stealing links", 2021) */
    HRR_LINKS_WALKS,      /* short walks over public edges; sees no model */
    HRR_LINKS_BOTH,       /* walks and features, by the sum of ranks; sees no model */
    HRR_LINK_ATTACKS
} hrr_link_attack;
HRR_EXPERIMENTAL const char *hrr_link_attack_name(hrr_link_attack attack); /* "lsa2-post" */

/* All of them on the same pairs. mean and deviation: room for HRR_LINK_ATTACKS each. Without public
 * edges (or with options->all_edges) the trained one has nothing to learn from, and walks nothing
 * to go over: they are NAN. The verdict is about LinkTeller: predictions are alike where classes
 * are, which is no secret, so that what the others find is not of private edges alone.
 *
 * Cost:   that of hrr_linkteller(), and O(d) for each pair.
 * Errors: those of hrr_linkteller(). */
HRR_EXPERIMENTAL HRR_STATUS hrr_links(hrr_link_quality *mean, hrr_link_quality *deviation,
                                      hrr_link_verdict *verdict, uint64_t *n_nodes,
                                      const hrr_model *model, const hrr_release *served,
                                      const hrr_graph *truth, const hrr_linkteller_options *options,
                                      hrr_progress *progress, hrr_error *err);

/* ---- membership ------------------------------------------------------------------------------ */

/* Was a node among those that the model learnt from? Members are the training nodes of the
 * release's split, others its test nodes. */
typedef struct hrr_membership_result {
    double auc_label;      /* by the probability of the true label (Yeom et al. 2018) */
    double auc_confidence; /* by the largest probability: the label is not known */
    double advantage; /* of the first: most true less false positives, threshold in hindsight */
    uint64_t n_members, n_others;
} hrr_membership_result;

/* options: how the model is asked; probabilities in any case.
 * Errors: HRR_EDATA (no split, labels or features; a part is empty), HRR_ENOMEM, HRR_ECANCEL. */
HRR_EXPERIMENTAL HRR_STATUS hrr_membership(hrr_membership_result *out, const hrr_model *model,
                                           const hrr_release *served,
                                           const hrr_predict_options *options,
                                           hrr_progress *progress, hrr_error *err);

/* The same of a service, which tells what `returns` says. */
HRR_EXPERIMENTAL HRR_STATUS hrr_membership_ask(hrr_membership_result *out,
                                               const hrr_service *service, hrr_returns returns,
                                               const hrr_release *served, hrr_progress *progress,
                                               hrr_error *err);

/* ---- the release itself ---------------------------------------------------------------------- */

/* An adversary who knows the whole graph but for one pair looks at releases and says whether the
 * pair has an edge. What is looked at: the noisy counts that the pair moves, less what the other
 * edges put into them, and, in a tree that is drawn from private edges, how near the two nodes
 * stand; or whether the pair has an edge, if the mechanism releases no numbers. No test is the best
 * against every mechanism; these are made for ours.
 *
 * Two things are measured. The advantage P(yes | edge) - P(yes | no edge) of one threshold, at most
 * (e^eps - 1) / (e^eps + 1) for any test against an eps-private release. And the epsilon that the
 * ratios of probabilities of many events prove, for both worlds in either role. Thresholds and
 * events are chosen on other draws than those that are counted. */
typedef enum hrr_attack_verdict {
    HRR_ATTACK_HOLDS = 0,
    HRR_ATTACK_BROKEN,           /* eps_lower > realised_eps */
    HRR_ATTACK_PROMISES_NOTHING, /* realised_eps is infinite */
    HRR_ATTACK_SEES_NOTHING      /* the tests find little even at the largest budget, where all can
                                    be found: they say nothing about this mechanism */
} hrr_attack_verdict;

typedef struct hrr_release_attack {
    double advantage;
    double lower, upper; /* of the advantage, Clopper-Pearson */
    double bound;        /* for the realised epsilon; 1 if nothing is promised */
    double realised_eps;
    double eps_lower; /* no smaller epsilon is true: it and the interval are wrong with probability
                         1e-3 at most, together */
    double open_advantage; /* the same tests at the largest budget; NAN: not tried, for nothing is
                              promised */
    hrr_attack_verdict verdict;
    const char *sees; /* what the tests look at: count, count and tree, two counts, pair */
    uint64_t trials;
} hrr_release_attack;

typedef struct hrr_release_attack_options {
    size_t size; /* set by hrr_release_attack_options_init() */
    const char *mechanism, *tree;
    uint64_t eps_nano;
    uint64_t trials; /* draws in each world, and as many again to choose the events by, up to
                        65536 */
    int threads;
    uint64_t seed; /* of the pair and the draws */
} hrr_release_attack_options;
HRR_EXPERIMENTAL void hrr_release_attack_options_init_sized(hrr_release_attack_options *options,
                                                            size_t size);
static inline void hrr_release_attack_options_init(hrr_release_attack_options *options)
{
    hrr_release_attack_options_init_sized(options, sizeof *options);
}

/* The pair is one of the graph's private edges. Errors: HRR_EINVAL, HRR_EDATA (no private edge, a
 * collection of graphs), HRR_ENOMEM, HRR_ECANCEL. A broken promise is no error: see the
 * verdict. */
HRR_EXPERIMENTAL HRR_STATUS hrr_attack_release(hrr_release_attack *out, const hrr_graph *graph,
                                               const hrr_release_attack_options *options,
                                               hrr_progress *progress, hrr_error *err);

/* ---- attributes ------------------------------------------------------------------------------ */

/* How near guessed features are to the true ones. */
typedef struct hrr_attribute_quality {
    double r2; /* 1 - squared error / that of the mean of known features; NAN without any */
    double
        cosine; /* mean over nodes of the angle between guess and truth; nodes of zeros left out */
    double auc; /* mean over features that some nodes have and others lack; NAN unless all
                   features are 0 or 1 */
} hrr_attribute_quality;

typedef struct hrr_attribute_result {
    hrr_attribute_quality mean;        /* the same guess for everybody */
    hrr_attribute_quality propagation; /* neighbours' features, spread over edges */
    hrr_attribute_quality regression;  /* ridge regression on neighbours' features */
    uint64_t n_known, n_targets;
    double ridge; /* chosen on a fifth of the known nodes */
} hrr_attribute_result;

typedef struct hrr_attribute_options {
    size_t size;     /* set by hrr_attribute_options_init() */
    uint32_t steps;  /* of propagation */
    uint32_t widest; /* features beyond so many are projected at random before the regression */
    int threads;
    uint64_t seed;
} hrr_attribute_options;
HRR_EXPERIMENTAL void hrr_attribute_options_init_sized(hrr_attribute_options *options, size_t size);
static inline void hrr_attribute_options_init(hrr_attribute_options *options)
{
    hrr_attribute_options_init_sized(options, sizeof *options);
}

/* An adversary who knows the features of some nodes (known: n bytes of 0 and 1) and believes in
 * some edges guesses those of others (targets: likewise, none of them known; NULL: all others).
 * edges: n x n pattern, both directions; no self-loops.
 *
 * Cost:   O(steps m d + n d r + r^3) time, r the number of projections; three matrices of n x d.
 * Errors: HRR_EINVAL, HRR_EDATA (nobody known, nobody to guess), HRR_ENOMEM, HRR_ECANCEL. */
HRR_EXPERIMENTAL HRR_STATUS hrr_attributes_infer(hrr_attribute_result *out,
                                                 const hrr_dense *features, const hrr_csr *edges,
                                                 const uint8_t *known, const uint8_t *targets,
                                                 const hrr_attribute_options *options,
                                                 hrr_progress *progress, hrr_error *err);

/* ---- pictures -------------------------------------------------------------------------------- */

/* An adversary who has public pictures of others, and the network that made the features, trains a
 * decoder from features to pictures and lets it guess the private ones. Of protected features he
 * knows the mechanism: his decoder learns from public features that went through it. Each world is
 * what he sees of a private picture: */
#define HRR_SEES_FEATURES "none" /* its features as they are */
#define HRR_SEES_NOTHING                                                                           \
    "mean-picture"                       /* nothing: the guess is the mean of the public pictures  \
                                          */
#define HRR_SEES_NOISE "random-features" /* a decoder is trained as any other, on noise */
#define HRR_SEES_CLASS "class"           /* its class, where there are classes */
/* or a name of hrr_feature_mechanisms(): what it releases. */

typedef enum hrr_picture_figure {
    HRR_PICTURE_PSNR = 0,     /* decibels */
    HRR_PICTURE_SSIM,         /* structural similarity, at most 1 */
    HRR_PICTURE_REIDENTIFIED, /* share of guesses that look most like their own original */
    HRR_PICTURE_RANK,         /* share of the other originals that a guess looks less like than like
                                 its own; 1/2: no better than chance */
    HRR_PICTURE_IDENTITY, /* cosine between face embeddings of guess and original, about the mean
                             of the originals'; NAN: no network was given */
    HRR_PICTURE_FIGURES
} hrr_picture_figure;
HRR_EXPERIMENTAL const char *hrr_picture_figure_name(hrr_picture_figure figure); /* "psnr" */

/* One side of the attack: features and pictures of the same nodes, and their classes or NULL. */
typedef struct hrr_pictured {
    const hrr_dense *features;
    const hrr_thumbnails *pictures;
    const int32_t *classes;
} hrr_pictured;

typedef struct hrr_reconstruct_options {
    size_t size;                   /* set by hrr_reconstruct_options_init() */
    const char *const *mechanisms; /* that protect; ends with NULL; NULL: none */
    const uint64_t *eps_features_nano;
    size_t n_eps;
    const double *theta;     /* public weights of features, for mechanisms that take some */
    const hrr_head *head;    /* public; NULL: where one is needed, it is trained on public_side */
    double delta;            /* of mechanisms that need one */
    uint32_t n_directions;   /* principal components of public_side, where directions are needed */
    uint32_t n_classes;      /* of classes, if there are some */
    uint32_t width;          /* of the decoder's last but one layer */
    uint32_t epochs, batch;  /* of its training */
    double learning_rate;    /* at the beginning */
    const char *identity;    /* a network of faces, an ONNX file; NULL: none */
    const char *profile;     /* its profile, as hrr_embed() has it */
    const char *runtime;     /* libonnxruntime.so, likewise */
    const char *sheets;      /* a directory that gets a strip of pictures for each world, as PNG;
                                NULL: none */
    uint32_t sheet_pictures; /* in a strip */
    int threads;             /* 0: all there are. The result does not depend on them */
    uint64_t seed;
} hrr_reconstruct_options;
HRR_EXPERIMENTAL void hrr_reconstruct_options_init_sized(hrr_reconstruct_options *options,
                                                         size_t size);
static inline void hrr_reconstruct_options_init(hrr_reconstruct_options *options)
{
    hrr_reconstruct_options_init_sized(options, sizeof *options);
}

/* Means over private pictures; intervals are of 95 % (Student's, Clopper and Pearson's for the
 * share that was reidentified), for other pictures like these. */
typedef struct hrr_reconstruction {
    const char *world;
    uint64_t eps_nano;   /* 0: nothing is spent */
    double realised_eps; /* INFINITY: the features are as they are */
    double mean[HRR_PICTURE_FIGURES], low[HRR_PICTURE_FIGURES], high[HRR_PICTURE_FIGURES];
    /* the same picture by picture, less that of the mean picture */
    double excess[HRR_PICTURE_FIGURES], excess_half_width[HRR_PICTURE_FIGURES];
} hrr_reconstruction;

/* The worlds above, then every mechanism with every budget. Bounds of features, where mechanisms
 * need some, are the smallest and largest of public_side. For the owner of the pictures: what is
 * drawn is drawn with a seed, and what is guessed is not protected.
 *
 * Cost:      O(epochs pictures pixels width^2) time for each world.
 * Ownership: *rows is hrr memory of the caller; worlds are literals, or those of options.
 * Errors:    HRR_EINVAL, HRR_EDATA (fewer than 20 public pictures or 2 private ones; other sizes on
 *            both sides), HRR_EIO, HRR_ENOMEM, HRR_ECANCEL. */
HRR_EXPERIMENTAL HRR_STATUS hrr_reconstruct(hrr_reconstruction **rows, size_t *n_rows,
                                            const hrr_pictured *public_side,
                                            const hrr_pictured *private_side,
                                            const hrr_reconstruct_options *options,
                                            hrr_progress *progress, hrr_error *err);

/* ---- the chain ------------------------------------------------------------------------------- */

/* The paper's threat model in one go: a model is trained on a release and attacked with LinkTeller;
 * the pairs that look most like edges join the public edges; with them the features of nodes are
 * guessed, and from these their pictures. Each world is a way to release the edges: */
#define HRR_WORLD_OPEN "none"         /* as they are */
#define HRR_WORLD_FLOOR "public-only" /* no private edge at all: what friends of friends tell */
#define HRR_WORLD_TREE "public-tree"  /* nor here: drawn in their place, from public data */
#define HRR_WORLD_GUESS "guess"       /* no model: pairs are picked at random */
/* or no model and a guess from public data ("public-walks", "lsa2-attr", "public-both"), or a name
 * of hrr_edge_mechanisms(). The public tree has as many edges as the graph, drawn with
 * hrr_edge_like_public(): nothing in it is private but their number. */

typedef enum hrr_chain_figure {
    HRR_CHAIN_LINK_AUC = 0,
    HRR_CHAIN_LINK_AVERAGE_PRECISION,
    HRR_CHAIN_LINK_PRECISION, /* at k */
    HRR_CHAIN_ATTRIBUTE_R2,   /* of the regression with public and inferred edges */
    HRR_CHAIN_ATTRIBUTE_COSINE,
    HRR_CHAIN_ATTRIBUTE_AUC,
    HRR_CHAIN_ACCURACY, /* of the model, on test nodes (micro F1 of several labels) */
    /* Of pictures decoded from the inferred features; NAN: there are none. */
    HRR_CHAIN_PICTURE_SSIM,
    HRR_CHAIN_PICTURE_OVER_MEAN, /* less that of the mean public picture */
    HRR_CHAIN_PICTURE_RANK,      /* as HRR_PICTURE_RANK */
    HRR_CHAIN_FIGURES
} hrr_chain_figure;
HRR_EXPERIMENTAL const char *hrr_chain_figure_name(hrr_chain_figure figure); /* "link_auc" */

typedef struct hrr_chain_options {
    size_t size;           /* set by hrr_chain_options_init() */
    const char *world;     /* one of those above */
    uint64_t eps_nano;     /* of a mechanism that spends */
    const char *tree;      /* of edgerr; NULL: its default */
    double known_fraction; /* of nodes whose features the adversary has */
    /* Of each of these the seed and threads are not looked at; nor are the runs of linkteller, and
     * what it shows is run 0 of an attack with the world's name. */
    HRR_ROOM(hrr_linkteller_options, linkteller, 256);
    HRR_ROOM(hrr_train_options, train, 384);
    HRR_ROOM(hrr_attribute_options, attributes, 128);
    int threads;
    uint64_t seed; /* of noise, nodes and weights: worlds with the same seed share all they can */
    /* For the last step, pictures: of every node, and public ones of others that a decoder learns
     * from (their classes are not looked at). NULL: the chain ends with features. */
    const hrr_thumbnails *pictures;
    const hrr_pictured *public_pictures;
    uint32_t picture_epochs, picture_width; /* of the decoder, as in hrr_reconstruct_options */
} hrr_chain_options;
/* An open world, half of the features known. */
HRR_EXPERIMENTAL void hrr_chain_options_init_sized(hrr_chain_options *options, size_t size);
static inline void hrr_chain_options_init(hrr_chain_options *options)
{
    hrr_chain_options_init_sized(options, sizeof *options);
    options->linkteller.size = sizeof options->linkteller;
    options->train.size = sizeof options->train;
    options->attributes.size = sizeof options->attributes;
}

#ifdef __cplusplus
}
#endif
#endif
