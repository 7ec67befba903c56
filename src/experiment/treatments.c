/* treatments.c: see treatments.h. */
#include "experiment/treatments.h"
#include "edge/mechanism.h"
#include "edge/traits.h"
#include "feature/mechanism.h"
#include "feature/traits.h"
#include "base/names.h"

#include <stdio.h>
#include <string.h>

/* ---- what experiments alone have ------------------------------------------------------------- */

typedef struct own_row {
    hrr_experiment_treatment about;
    const hrr_feature_mechanism *features; /* of a whole treatment */
    const hrr_edge_mechanism *edges;
    hrr_learns_from learns_from;
    hrr_learner learner;
} own_row;

const char hrr_majority_name[] = "majority", hrr_mlp_name[] = "mlp",
           hrr_public_best_name[] = "public-best", hrr_predicted_links_name[] = "predicted-links",
           hrr_node_rows_name[] = "featfree-rows", hrr_labels_name[] = "label-propagation",
           hrr_free_name[] = "free", hrr_answers_name[] = "head-noiseless",
           hrr_volunteers_name[] = "volunteers";

static const own_row non_private = {.about.name = "non-private",
                                    .about.what = "features and edges as they are",
                                    .about.whole = true,
                                    .features = &hrr_feature_none.about,
                                    .edges = &hrr_edge_none.about};
static const own_row majority = {.about.name = hrr_majority_name,
                                 .about.what = "no network: a guess of the most frequent class",
                                 .about.whole = true,
                                 .learns_from = HRR_LEARNS_FROM_NOTHING};
static const own_row node_rows = {.about.name = hrr_node_rows_name,
                                  .about.what =
                                      "a network without features: one row of weights per node",
                                  .about.of_features = true,
                                  .learner = HRR_LEARNER_NODE_ROWS};
static const own_row labels = {.about.name = hrr_labels_name,
                               .about.what = "no network: labels propagated over edges",
                               .about.of_features = true,
                               .learner = HRR_LEARNER_LABELS};
static const own_row free_model = {.about.name = hrr_free_name,
                                   .about.what =
                                       "the best model of labels and edges, without features",
                                   .about.of_features = true,
                                   .learner = HRR_LEARNER_FREE};
static const own_row volunteers = {.about.name = hrr_volunteers_name,
                                   .about.what =
                                       "features that volunteers publish, propagated over edges",
                                   .about.of_features = true,
                                   .learner = HRR_LEARNER_SHOWN};
static const own_row answers = {.about.name = hrr_answers_name,
                                .about.what = "a public head's answers without noise; NOT PRIVATE",
                                .about.of_features = true,
                                .features = &hrr_feature_none.about,
                                .learner = HRR_LEARNER_ANSWERS};
static const own_row mlp = {.about.name = hrr_mlp_name,
                            .about.what = "a network without edges",
                            .learns_from = HRR_LEARNS_FROM_NO_EDGES};
static const own_row public_best = {.about.name = hrr_public_best_name,
                                    .about.what =
                                        "the best combination of all that spends no budget",
                                    .edges = &hrr_edge_public_only.about,
                                    .learns_from = HRR_LEARNS_FROM_WHAT_IS_FREE};
static const own_row predicted_links = {.about.name = hrr_predicted_links_name,
                                        .about.what = "public edges and links predicted from them",
                                        .edges = &hrr_edge_public_only.about,
                                        .learns_from = HRR_LEARNS_FROM_PREDICTED_LINKS};
static const own_row counted_edges = {.about.name = "edgerr-node-edges",
                                      .about.what = "edges sampled from the counts of edgerr-node",
                                      .edges = &hrr_edge_edgerr_node.about,
                                      .learns_from = HRR_LEARNS_FROM_COUNTED_EDGES};

static const hrr_experiment_treatment *const rows[] = {
    &non_private.about, &majority.about,        &node_rows.about,     &labels.about,
    &free_model.about,  &volunteers.about,      &answers.about,       &mlp.about,
    &public_best.about, &predicted_links.about, &counted_edges.about, NULL};
_Static_assert(offsetof(own_row, about) == 0, "a row is the beginning of its own");

static const char *name_at(size_t i)
{
    return rows[i] ? rows[i]->name : NULL;
}

const hrr_experiment_treatment *const *hrr_experiment_treatments(void)
{
    return rows;
}

/* NULL: there is none. */
static const own_row *find_own(const char *name)
{
    return (const own_row *)rows[hrr_names_find(name_at, name)];
}

/* ---- halves ---------------------------------------------------------------------------------- */

/* What has both halves is called by the names of those, but for a guess, which has none. */
static hrr_edge_half edges_of_row(const own_row *row)
{
    const bool is_mechanism = row->learns_from == HRR_LEARNS_FROM_EDGES;
    return (hrr_edge_half){is_mechanism ? row->edges->name : row->about.name, row->edges,
                           row->learns_from};
}

static hrr_edge_half edges_of_mechanism(const char *name, const hrr_edge_mechanism *mechanism)
{
    return (hrr_edge_half){name, mechanism,
                           mechanism->has_counts ? HRR_LEARNS_FROM_COUNTS : HRR_LEARNS_FROM_EDGES};
}

hrr_edge_half hrr_edge_half_of(const char *name)
{
    const hrr_edge_mechanism *known = hrr_edge_mechanism_find(name);
    const own_row *row = known ? NULL : find_own(name);
    if (row && row->about.of_features) row = NULL;
    return known ? edges_of_mechanism(known->name, known)
           : row ? edges_of_row(row)
                 : edges_of_mechanism(name, hrr_edge_traits(name));
}

hrr_feature_half hrr_feature_half_of(const char *name)
{
    const hrr_feature_mechanism *known = hrr_feature_mechanism_find(name);
    const own_row *row = known ? NULL : find_own(name);
    if (known)
        return (hrr_feature_half){known->name, known,
                                  known->needs_head ? HRR_LEARNER_REPORTS : HRR_LEARNER_NETWORK};
    if (row && (row->about.whole || row->about.of_features))
        return (hrr_feature_half){row->about.whole && row->features ? row->features->name
                                                                    : row->about.name,
                                  row->features, row->learner};
    return (hrr_feature_half){.name = name, .mechanism = hrr_feature_traits(name)};
}

/* ---- whole treatments ------------------------------------------------------------------------ */

/* The name in a table that is the first `length` characters; NULL: there is none that can stand
 * before a +. */
static const char *find_features(const char *name, size_t length)
{
    char text[HRR_TREATMENT_SIZE];
    if (length >= sizeof text) return NULL;
    memcpy(text, name, length);
    text[length] = '\0';
    const hrr_feature_mechanism *mechanism = hrr_feature_mechanism_find(text);
    const own_row *row = mechanism ? NULL : find_own(text);
    return mechanism ? mechanism->name : row && row->about.of_features ? row->about.name : NULL;
}

static bool is_edge_half(const char *name)
{
    const own_row *row = find_own(name);
    return hrr_edge_mechanism_find(name) || (row && !row->about.whole && !row->about.of_features);
}

hrr_status hrr_treatment_read(hrr_feature_half *features, hrr_edge_half *edges, const char *text,
                              hrr_error *err)
{
    const char *plus = strchr(text, '+');
    const size_t length = plus ? (size_t)(plus - text) : strlen(text);
    const char *behind = plus ? plus + 1 : text;
    const own_row *row = find_own(text);
    if (row && row->about.whole) {
        *features = hrr_feature_half_of(text);
        *edges = hrr_edge_half_of(text);
        return HRR_OK;
    }
    const char *before = find_features(text, length);
    *features = hrr_feature_half_of(before ? before : hrr_feature_none.about.name);
    *edges = hrr_edge_half_of(hrr_edge_none.about.name);
    if (before && !plus) return HRR_OK;
    if (plus && !before)
        return hrr_fail(
            err, HRR_EINVAL,
            "there is no feature mechanism '%.*s' (`treatments`); write a feature mechanism before "
            "+ and an edge mechanism after it, such as featurerr+edgerr",
            length < 40 ? (int)length : 40, text);
    if (!is_edge_half(behind))
        return hrr_fail(err, HRR_EINVAL, "there is no %s '%.40s' (`treatments`)",
                        plus ? "edge mechanism" : "mechanism for features or edges", behind);
    *edges = hrr_edge_half_of(behind);
    return HRR_OK;
}

void hrr_treatment_name(char text[HRR_TREATMENT_SIZE], const char *features, const char *edges)
{
    const hrr_feature_half f = hrr_feature_half_of(features);
    const hrr_edge_half e = hrr_edge_half_of(edges);
    const own_row *row = find_own(features);
    if (hrr_features_are_kept(f) && hrr_edges_are_kept(e))
        snprintf(text, HRR_TREATMENT_SIZE, "%s", non_private.about.name);
    else if (hrr_features_are_kept(f))
        snprintf(text, HRR_TREATMENT_SIZE, "%s", edges);
    else if (hrr_edges_are_kept(e) || (row && row->about.whole))
        snprintf(text, HRR_TREATMENT_SIZE, "%s", features);
    else
        snprintf(text, HRR_TREATMENT_SIZE, "%s+%s", features, edges);
}
