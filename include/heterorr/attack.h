/* attack.h: attacks that an owner runs on their own data, to see what an adversary could find out
 * about private edges and features. An attack queries a model through a service. With a local model
 * it can also use the weights, which is faster and gives the same result. The true edges are needed
 * only to score an attack, never to run it. */
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

/* What a service returns for a node: C numbers. */
typedef enum hrr_returns {
    HRR_RETURNS_LOGITS = 0,
    HRR_RETURNS_PROBABILITIES,
    HRR_RETURNS_ROUNDED, /* probabilities, rounded to a number of decimals */
    HRR_RETURNS_LABELS   /* 1 for the predicted label (for each label with a probability above one
                            half, if nodes have several), else 0 */
} hrr_returns;

/* A query: the predictions for the nodes in `asked` if node `changed` had these features. */
typedef struct hrr_question {
    const uint32_t *asked;
    uint64_t n_asked;
    int64_t changed;        /* -1: none */
    const double *features; /* of that node; NULL: none */
} hrr_question;

/* answer: n_asked x C. HRR_EIO means that the service cannot answer now (busy, over a limit,
 * connection lost): the query is repeated after a pause. Any other failure ends the attack. */
typedef hrr_status hrr_query(void *user, double *answer, const hrr_question *question,
                             hrr_error *err);

typedef struct hrr_service {
    hrr_query *query;
    void *user;
    uint64_t n_nodes, n_features;
    uint32_t n_classes;
    uint32_t retries; /* the attack gives up after this many refusals of one query in a row */
    double wait;      /* seconds before the first repetition; doubled for each further one */
} hrr_service;

/* ---- a service behind an address ---------------------------------------------------------------
 */

/* A model in the Open Inference Protocol (KServe and Triton, version 2) with the input `nodes`, the
 * inputs `changed_node` and `changed_features` for attacks that change features, and an output
 * `logits`, `probabilities` or `labels`. hrr_server_start() serves such models. If the service
 * answers that it gets too many requests (429, 503), the request is repeated after the pause that
 * it states. */
typedef struct hrr_remote hrr_remote;

typedef struct hrr_remote_options {
    size_t size;       /* set by hrr_remote_options_init() */
    const char *url;   /* of the service, without /v2 */
    const char *model; /* its name there */
    const char *token; /* NULL: none */
    const char *ca;   /* a PEM file of trusted certificate authorities; NULL: those of the system */
    double seconds;   /* time limit of one answer */
    hrr_returns most; /* the most detailed output to request; if the service does not have it, the
                         next one is used */
    int reserved;     /* 0 */
    /* A file that stores answers, so that an interrupted attack can be continued: stored answers
     * are not requested again. NULL: answers are not stored. */
    const char *answers;
} hrr_remote_options;
HRR_EXPERIMENTAL void hrr_remote_options_init_sized(hrr_remote_options *options, size_t size);
static inline void hrr_remote_options_init(hrr_remote_options *options)
{
    hrr_remote_options_init_sized(options, sizeof *options);
}

/* What has been requested so far. */
typedef struct hrr_remote_count {
    uint64_t questions; /* of an attack */
    uint64_t requests;  /* of HTTP, repetitions included */
    uint64_t refused;   /* requests that the service refused for now */
    double seconds_waited;
    uint64_t remembered; /* requests that the file of answers made unnecessary */
} hrr_remote_count;

/* graph: its node ids name the nodes in queries, and it has their features. graph and progress must
 * outlive *out. Ownership: *out belongs to the caller, hrr_remote_free(); NULL on failure. Errors:
 * HRR_EINVAL, HRR_EIO (the service does not answer), HRR_EDATA (no such model), HRR_ECHECK (the
 * service requires another token), HRR_ENOMEM, HRR_ECANCEL. */
HRR_EXPERIMENTAL HRR_STATUS hrr_remote_open(hrr_remote **out, const hrr_graph *graph,
                                            const hrr_remote_options *options,
                                            hrr_progress *progress, hrr_error *err);
HRR_EXPERIMENTAL void hrr_remote_free(hrr_remote *remote);
HRR_EXPERIMENTAL hrr_service hrr_remote_service(hrr_remote *remote);
HRR_EXPERIMENTAL hrr_returns hrr_remote_returns(const hrr_remote *remote);
HRR_EXPERIMENTAL hrr_remote_count hrr_remote_asked(const hrr_remote *remote);

/* ---- which pairs, and how well they are ranked ----------------------------------------------- */

typedef enum hrr_pool { HRR_POOL_ALL = 0, HRR_POOL_LOW, HRR_POOL_HIGH } hrr_pool;

/* Pairs i < j of positions in the sample of nodes, with the truth: private edges are positive,
 * pairs without an edge are negative. Public edges are left out, because everybody knows them. */
typedef struct hrr_link_pairs {
    uint64_t n, n_positive;
    uint32_t *i, *j;
    uint8_t *positive;
} hrr_link_pairs;

#define HRR_K_HATS 5
/* The adversary's estimate of the density, as a multiple of the true density: 1/4, 1/2, 1, 2, 4. */
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

/* Called with the scores that an attack gives to the pairs of one sample. eps_nano: the epsilon of
 * the attacked release; 0: none. */
typedef void hrr_links_seen(void *user, const char *attack, uint64_t eps_nano, uint32_t run,
                            const hrr_link_pairs *pairs, const double *scores);

/* ---- is it a leak? --------------------------------------------------------------------------- */

/* Public data alone reveals something about private edges, because neighbours share neighbours and
 * have similar features. Three guesses are therefore made without any model, on the pairs of the
 * attack: "public-walks" (walks of 2 to 4 public edges), "lsa2-attr" (correlation of features) and
 * "public-both" (the sum of the two ranks). */
typedef enum hrr_leak {
    HRR_LEAK_UNDECIDED = 0,
    /* The AUC of the attack is above that of every guess, or the AUC of each guess rises when the
       ranks of the attack are added to its own. This verdict is wrong with probability at most
       0.01. */
    HRR_LEAKS,
    /* Neither difference is larger than HRR_LEAK_MARGIN. This verdict is wrong with probability at
       most 0.01. */
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
    uint64_t n_samples; /* nodes in a sample; if the pool is smaller, all its nodes are used */
    hrr_pool pool;
    uint32_t low, high; /* degrees of the pools */
    uint32_t runs;      /* samples */
    bool all_edges;
    hrr_returns returns;
    int decimals;     /* of rounded probabilities */
    double delta;     /* 0: 1e-4, or 1 where small changes are rounded away */
    bool differences; /* query the model for each node, as published, even if derivatives give the
                         same result */
    uint64_t seed;
    int threads;
    bool ignore_counts;   /* do not use the counts of neighbours (edgerr-node). Otherwise the model
                             uses them if model and release have them, as hrr_model_predict() does */
    hrr_links_seen *seen; /* or NULL */
    void *seen_user;
    const hrr_service *service; /* the service to query, which returns what `returns` says; NULL:
                                   query the model. With a service, the model may be NULL */
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

/* Attack a model that makes predictions on a release. truth has the same nodes and marks the
 * private edges. samples: space for options->runs results, or NULL.
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
    HRR_LINKS_POSTERIORS, /* LSA2-post: neighbours have correlated predictions */
    HRR_LINKS_ATTRIBUTES, /* LSA2-attr: neighbours have correlated features; uses no model */
    HRR_LINKS_TRAINED,    /* a network trained on public edges; its inputs are distances between
                             predictions and between features (He et al., "Stealing links", 2021) */
    HRR_LINKS_WALKS,      /* short walks over public edges; uses no model */
    HRR_LINKS_BOTH,       /* walks and features, by the sum of ranks; uses no model */
    HRR_LINK_ATTACKS
} hrr_link_attack;
HRR_EXPERIMENTAL const char *hrr_link_attack_name(hrr_link_attack attack); /* "lsa2-post" */

/* Run all of them on the same pairs. mean and deviation: space for HRR_LINK_ATTACKS results each.
 * Attacks that need public edges (trained, walks) are NAN if there are none, or with
 * options->all_edges. The verdict is about LinkTeller only: nodes of one class have similar
 * predictions, which is no secret, so the other attacks do not find private edges alone.
 *
 * Cost:   that of hrr_linkteller(), and O(d) for each pair.
 * Errors: those of hrr_linkteller(). */
HRR_EXPERIMENTAL HRR_STATUS hrr_links(hrr_link_quality *mean, hrr_link_quality *deviation,
                                      hrr_link_verdict *verdict, uint64_t *n_nodes,
                                      const hrr_model *model, const hrr_release *served,
                                      const hrr_graph *truth, const hrr_linkteller_options *options,
                                      hrr_progress *progress, hrr_error *err);

/* ---- membership ------------------------------------------------------------------------------ */

/* Was a node in the training set of the model? Members are the training nodes of the release's
 * split, the others are its test nodes. */
typedef struct hrr_membership_result {
    double auc_label;      /* by the probability of the true label (Yeom et al. 2018) */
    double auc_confidence; /* by the largest probability, for an adversary who does not know the
                              label */
    double advantage;      /* of auc_label's test: the largest difference of true and false positive
                              rate, with the threshold chosen in hindsight */
    uint64_t n_members, n_others;
} hrr_membership_result;

/* options: how the model predicts; it always returns probabilities.
 * Errors: HRR_EDATA (no split, labels or features; a part is empty), HRR_ENOMEM, HRR_ECANCEL. */
HRR_EXPERIMENTAL HRR_STATUS hrr_membership(hrr_membership_result *out, const hrr_model *model,
                                           const hrr_release *served,
                                           const hrr_predict_options *options,
                                           hrr_progress *progress, hrr_error *err);

/* The same for a service, which returns what `returns` says. */
HRR_EXPERIMENTAL HRR_STATUS hrr_membership_ask(hrr_membership_result *out,
                                               const hrr_service *service, hrr_returns returns,
                                               const hrr_release *served, hrr_progress *progress,
                                               hrr_error *err);

/* ---- the release itself ---------------------------------------------------------------------- */

/* An adversary who knows the whole graph except one pair looks at releases and decides whether the
 * pair has an edge. The tests use the noisy counts that the pair changes, minus the contribution of
 * all other edges, and, in a tree that is drawn from private edges, the distance of the two nodes.
 * If the mechanism releases no numbers, they use whether the pair has a released edge. No test is
 * best against every mechanism; these are made for the mechanisms of this library.
 *
 * Two things are measured. The advantage P(yes | edge) - P(yes | no edge) of one threshold, at most
 * (e^eps - 1) / (e^eps + 1) for any test against an eps-private release. And the epsilon that the
 * ratios of probabilities of many events prove, for both worlds in either role. Thresholds and
 * events are chosen on draws that are not counted. */
typedef enum hrr_attack_verdict {
    HRR_ATTACK_HOLDS = 0,
    HRR_ATTACK_BROKEN,           /* eps_lower > realised_eps */
    HRR_ATTACK_PROMISES_NOTHING, /* realised_eps is infinite */
    HRR_ATTACK_SEES_NOTHING /* the tests find little even at the largest budget, where everything
                               can be found: they neither support nor refute the claim of this
                               mechanism */
} hrr_attack_verdict;

typedef struct hrr_release_attack {
    double advantage;
    double lower, upper; /* of the advantage, Clopper-Pearson */
    double bound;        /* for the realised epsilon; 1 if nothing is promised */
    double realised_eps;
    double eps_lower; /* a lower bound of the true epsilon. The probability that it or the interval
                         is wrong is at most 1e-3 */
    double open_advantage; /* of the same tests at the largest budget; NAN: not tried, because
                              nothing is guaranteed */
    hrr_attack_verdict verdict;
    const char *sees; /* what the tests use: count, count and tree, two counts, pair */
    uint64_t trials;
} hrr_release_attack;

typedef struct hrr_release_attack_options {
    size_t size; /* set by hrr_release_attack_options_init() */
    const char *mechanism, *tree;
    uint64_t eps_nano;
    uint64_t trials; /* draws with the edge, and as many without it; the same number again, up to
                        65536, to choose the events */
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
    double r2; /* 1 - squared error / squared error of the mean of the known features; NAN if that
                  is 0 */
    double
        cosine; /* mean over nodes of the angle between guess and truth; nodes of zeros left out */
    double auc; /* mean over the features that are not the same for all nodes; NAN unless all
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
    uint32_t widest; /* if there are more features than this, they are projected at random before
                        the regression */
    int threads;
    uint64_t seed;
} hrr_attribute_options;
HRR_EXPERIMENTAL void hrr_attribute_options_init_sized(hrr_attribute_options *options, size_t size);
static inline void hrr_attribute_options_init(hrr_attribute_options *options)
{
    hrr_attribute_options_init_sized(options, sizeof *options);
}

/* Guess the features of some nodes (targets: n bytes of 0 and 1, none of them known; NULL: all
 * nodes that are not known) from the features of others (known: likewise) and from edges that the
 * adversary believes in. edges: n x n pattern, both directions; no self-loops.
 *
 * Cost:   O(steps m d + n d r + r^3) time, r the number of projections; three matrices of n x d.
 * Errors: HRR_EINVAL, HRR_EDATA (no known nodes, no targets), HRR_ENOMEM, HRR_ECANCEL. */
HRR_EXPERIMENTAL HRR_STATUS hrr_attributes_infer(hrr_attribute_result *out,
                                                 const hrr_dense *features, const hrr_csr *edges,
                                                 const uint8_t *known, const uint8_t *targets,
                                                 const hrr_attribute_options *options,
                                                 hrr_progress *progress, hrr_error *err);

/* ---- pictures -------------------------------------------------------------------------------- */

/* An adversary has public pictures of other people and the network that computes the features. The
 * adversary trains a decoder from features to pictures and uses it to guess the private pictures.
 * If features are protected, the adversary knows the mechanism, and the decoder learns from public
 * features that went through the same mechanism. A world is what the adversary sees of a private
 * picture: */
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
    HRR_PICTURE_REIDENTIFIED, /* share of guesses that are closest to their own original */
    HRR_PICTURE_RANK,     /* share of the other originals that are farther from a guess than its own
                             original; 1/2: no better than chance */
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
    const double *theta; /* public weights of the features, for mechanisms that use weights */
    const hrr_head
        *head;    /* a public head; NULL: if a mechanism needs one, it is trained on public_side */
    double delta; /* of mechanisms that need one */
    uint32_t n_directions;  /* number of principal components of public_side, for mechanisms that
                               need directions */
    uint32_t n_classes;     /* of classes, if there are some */
    uint32_t width;         /* of the decoder's last but one layer */
    uint32_t epochs, batch; /* of its training */
    double learning_rate;   /* at the beginning */
    const char *identity;   /* a network of faces, an ONNX file; NULL: none */
    const char *profile;    /* its profile, as hrr_embed() has it */
    const char *runtime;    /* libonnxruntime.so, likewise */
    const char *sheets; /* a directory to which a strip of pictures is written for each world, as
                           PNG; NULL: none */
    uint32_t sheet_pictures; /* in a strip */
    int threads;             /* 0: all processors. The result does not depend on this number */
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
    /* differences from the mean picture, averaged over pictures */
    double excess[HRR_PICTURE_FIGURES], excess_half_width[HRR_PICTURE_FIGURES];
} hrr_reconstruction;

/* The worlds above, then every mechanism with every budget. Bounds of features, where mechanisms
 * need some, are the smallest and largest of public_side. The result is for the owner of the
 * pictures: all draws use a seed, and the guesses are not protected.
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

/* The whole threat model of the paper: a model is trained on a release and attacked with
 * LinkTeller; the pairs with the highest scores are added to the public edges; these edges are used
 * to guess the features of nodes, and the features to guess their pictures. A world is a way to
 * release the edges: */
#define HRR_WORLD_OPEN "none"         /* as they are */
#define HRR_WORLD_FLOOR "public-only" /* no private edges: what neighbours of neighbours reveal */
#define HRR_WORLD_TREE                                                                             \
    "public-tree" /* no private edges either: edges drawn from public data replace them */
#define HRR_WORLD_GUESS "guess" /* no model: pairs are picked at random */
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
    /* The seeds and threads in these options are ignored, and so are the runs of linkteller.
     * linkteller.seen is called with run 0 and the name of the world. */
    HRR_ROOM(hrr_linkteller_options, linkteller, 256);
    HRR_ROOM(hrr_train_options, train, 384);
    HRR_ROOM(hrr_attribute_options, attributes, 128);
    int threads;
    uint64_t seed; /* of noise, nodes and weights. Worlds with the same seed share these as far as
                      possible */
    /* For the last step: a picture of every node, and public pictures of other people for training
     * the decoder (their classes are ignored). NULL: the chain ends with features. */
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
