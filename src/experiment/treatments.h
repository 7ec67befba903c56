/* treatments.h: what an experiment does to features, and what to edges: the halves of a treatment.
 *
 * Most halves are mechanisms. The others are what experiments alone have
 * (hrr_experiment_treatments()): networks without edges or features, a guess without a network,
 * edges sampled from counts. Names come from options, from tables and from results files, which may
 * be anybody's: a half is described by its name, whatever it is, and nobody else compares names. */
#ifndef HRR_EXPERIMENT_TREATMENTS_H
#define HRR_EXPERIMENT_TREATMENTS_H

#include <heterorr/experiment.h>

/* What a network learns from beside features. */
typedef enum hrr_learns_from {
    HRR_LEARNS_FROM_EDGES = 0,     /* those that are released */
    HRR_LEARNS_FROM_COUNTS,        /* public edges; the counts then join its opinion */
    HRR_LEARNS_FROM_COUNTED_EDGES, /* edges that are sampled from the counts */
    HRR_LEARNS_FROM_NO_EDGES,
    HRR_LEARNS_FROM_PREDICTED_LINKS, /* public edges, and as many that these suggest */
    HRR_LEARNS_FROM_WHAT_IS_FREE,    /* public edges, no edges, and labels (learn/public_base.h) */
    HRR_LEARNS_FROM_NOTHING          /* no network: the most frequent class */
} hrr_learns_from;

typedef struct hrr_edge_half {
    const char *name;                    /* as in results files; the table's if it is there */
    const hrr_edge_mechanism *mechanism; /* what releases edges, hrr_edge_traits(); NULL: nothing
                                            does, and no edge is used */
    hrr_learns_from learns_from;
} hrr_edge_half;

/* What learns, and so what takes the place of features. */
typedef enum hrr_learner {
    HRR_LEARNER_NETWORK = 0, /* a network on features */
    HRR_LEARNER_NODE_ROWS,   /* a network on which node it is */
    HRR_LEARNER_LABELS,      /* no network: labels are spread over edges */
    HRR_LEARNER_SHOWN,       /* a network on what volunteers show (volunteers.h), spread likewise */
    HRR_LEARNER_FREE,        /* all that is free together (learn/free_model.h) */
    HRR_LEARNER_REPORTS,     /* the same, and reports of a head's answers (learn/report_model.h) */
    HRR_LEARNER_ANSWERS      /* the same with answers as they are, which is NOT PRIVATE */
} hrr_learner;

typedef struct hrr_feature_half {
    const char *name;
    const hrr_feature_mechanism *mechanism; /* hrr_feature_traits(); NULL: no feature is used */
    hrr_learner learner;
} hrr_feature_half;

/* `name` must outlive the half if it is in no table. */
hrr_edge_half hrr_edge_half_of(const char *name);
hrr_feature_half hrr_feature_half_of(const char *name);

/* Whether they need a budget; what nobody knows does. */
static inline bool hrr_edges_spend(hrr_edge_half half)
{
    return half.mechanism && half.mechanism->effect == HRR_EFFECT_PROTECT;
}
static inline bool hrr_features_spend(hrr_feature_half half)
{
    return half.mechanism && half.mechanism->effect == HRR_EFFECT_PROTECT;
}

/* Whether they are left as they are. */
static inline bool hrr_edges_are_kept(hrr_edge_half half)
{
    return half.mechanism && half.mechanism->effect == HRR_EFFECT_KEEP;
}
static inline bool hrr_features_are_kept(hrr_feature_half half)
{
    return half.mechanism && half.mechanism->effect == HRR_EFFECT_KEEP &&
           half.learner == HRR_LEARNER_NETWORK;
}

/* Whether nothing of what is private is used. */
static inline bool hrr_edges_are_left_out(hrr_edge_half half)
{
    return !half.mechanism || half.mechanism->effect == HRR_EFFECT_LEAVE_OUT;
}
static inline bool hrr_features_are_left_out(hrr_feature_half half)
{
    return !half.mechanism || half.mechanism->effect == HRR_EFFECT_LEAVE_OUT;
}

/* The halves of "FEATURES+EDGES", of one of them alone, or of a whole treatment. Errors:
 * HRR_EINVAL.
 */
hrr_status hrr_treatment_read(hrr_feature_half *features, hrr_edge_half *edges, const char *text,
                              hrr_error *err);

/* "featurerr+edgerr", or the shorter name of it. */
#define HRR_TREATMENT_SIZE 72
void hrr_treatment_name(char text[HRR_TREATMENT_SIZE], const char *features, const char *edges);

/* Whether what is learnt from are a head's answers, reported or as they are. */
static inline bool hrr_features_are_answers(hrr_feature_half half)
{
    return half.learner == HRR_LEARNER_REPORTS || half.learner == HRR_LEARNER_ANSWERS;
}

/* Whether what volunteers show is learnt from, too, where there are any. */
static inline bool hrr_learns_from_shown(hrr_feature_half half)
{
    return half.learner == HRR_LEARNER_SHOWN || half.learner == HRR_LEARNER_FREE ||
           hrr_features_are_answers(half);
}

/* Names of rows that code has to say. */
extern const char hrr_majority_name[], hrr_mlp_name[], hrr_public_best_name[],
    hrr_predicted_links_name[], hrr_node_rows_name[], hrr_labels_name[], hrr_free_name[],
    hrr_answers_name[], hrr_volunteers_name[];

#endif
