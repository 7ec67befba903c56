/* columns.c: see columns.h. A column that gets another name gets a word in this table, and nothing
 * else changes. */
#include "experiment/columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct known_column {
    const char *names; /* in files, the usual one first */
    const char *title;
} known_column;

static const known_column known[HRR_COL_RMS_0] = {
    [HRR_COL_GRAPH] = {"graph|dataset", "graph"},
    [HRR_COL_MECHANISM] = {"mechanism|treatment|method", "mechanism"},
    [HRR_COL_FEATURE_MECHANISM] = {"feature_mechanism", "feature mechanism"},
    [HRR_COL_EDGE_MECHANISM] = {"edge_mechanism", "edge mechanism"},
    [HRR_COL_CONTROL] = {"control", "control"},
    [HRR_COL_FRACTION] = {"private_fraction", "private fraction"},
    [HRR_COL_LABEL_RATE] = {"label_rate", "label rate"},
    [HRR_COL_ATTACK] = {"attack", "attack"},
    [HRR_COL_SETTING] = {"setting|pool", "setting"},
    [HRR_COL_RUN] = {"run|repeat", "run"},
    [HRR_COL_SEED] = {"seed", "seed"},
    [HRR_COL_STATUS] = {"status", "status"},
    [HRR_COL_FEATURES] = {"features|n_features", "features"},
    [HRR_COL_QUERY] = {"query", "query"},
    [HRR_COL_VERSION] = {"version", "version"},
    [HRR_COL_NODES] = {"nodes", "nodes"},
    [HRR_COL_EDGES] = {"edges", "edges"},
    [HRR_COL_TREE] = {"tree", "tree"},
    [HRR_COL_PROPAGATE] = {"propagate", "propagated"},
    [HRR_COL_SCALE] = {"scale", "scale"},
    [HRR_COL_SCORES] = {"scores", "scores"},
    [HRR_COL_DIRECTIONS] = {"directions", "directions"},
    [HRR_COL_BINS] = {"bins", "bins"},
    [HRR_COL_DECODE] = {"decode|decoding", "decode"},
    [HRR_COL_BOUNDS] = {"bounds", "bounds"},
    [HRR_COL_DELTA] = {"delta", "delta"},
    [HRR_COL_PRIVATE_EDGES] = {"private_edges", "private edges"},
    [HRR_COL_TARGETS] = {"targets", "targets"},
    [HRR_COL_DRAWN] = {"drawn", "drawn"},
    [HRR_COL_RETURNS] = {"returns", "returns"},
    [HRR_COL_ASKED] = {"asked", "asked"},
    [HRR_COL_KNOWN] = {"known", "known"},
    [HRR_COL_INFERENCE] = {"inference", "inference"},
    [HRR_COL_ARCH] = {"arch|architecture|model", "model"},
    [HRR_COL_HIDDEN] = {"hidden", "hidden"},
    [HRR_COL_LAYERS] = {"layers", "layers"},
    [HRR_COL_AGGREGATION] = {"aggregation", "aggregation"},
    [HRR_COL_BIAS] = {"bias", "bias"},
    [HRR_COL_OPTIMISER] = {"optimiser|optimizer", "optimiser"},
    [HRR_COL_LEARNING_RATE] = {"lr|learning_rate", "lr"},
    [HRR_COL_MOMENTUM] = {"momentum", "momentum"},
    [HRR_COL_WEIGHT_DECAY] = {"weight_decay", "weight decay"},
    [HRR_COL_DROPOUT] = {"dropout", "dropout"},
    [HRR_COL_EPOCHS] = {"epochs", "epochs"},
    [HRR_COL_PATIENCE] = {"patience", "patience"},
    [HRR_COL_SPLIT] = {"split", "split"},
    [HRR_COL_EPS_FEATURES] = {"eps_features|eps_f", "epsilon of features"},
    [HRR_COL_EPS_EDGES] = {"eps_edges|eps_e", "epsilon of edges"},
    [HRR_COL_EPS] = {"eps|epsilon", "epsilon"},
    [HRR_COL_ACCURACY] = {"test_accuracy|accuracy", "test accuracy"},
    [HRR_COL_AUC] = {"auc|test_auc|roc_auc", "ROC-AUC"},
    [HRR_COL_F1_MICRO] = {"f1_micro|test_f1_micro", "micro F1"},
    [HRR_COL_F1_MACRO] = {"f1_macro|test_f1_macro", "macro F1"},
    [HRR_COL_PRECISION] = {"average_precision|test_average_precision", "average precision"},
    [HRR_COL_LINK_AUC] = {"link_auc", "ROC-AUC of links"},
    [HRR_COL_LINK_PRECISION] = {"link_average_precision", "average precision of links"},
    [HRR_COL_ATTRIBUTE_AUC] = {"attribute_auc", "ROC-AUC of attributes"},
    [HRR_COL_ATTRIBUTE_R2] = {"attribute_r2", "R\u00b2 of attributes"},
    [HRR_COL_PSNR] = {"psnr", "PSNR of pictures"},
    [HRR_COL_SSIM] = {"ssim", "SSIM of pictures"},
    [HRR_COL_REIDENTIFIED] = {"reidentified", "pictures reidentified"},
    [HRR_COL_IDENTITY] = {"identity", "likeness of faces"},
    [HRR_COL_EXPECTED_ERROR] = {"expected_error", "largest expected error"},
    [HRR_COL_MEAN_ERROR] = {"mean_expected_error", "mean expected error"},
    [HRR_COL_FALSE_POSITIVES] = {"false_positive_rate|fpr", "false positive rate"},
    [HRR_COL_TRUE_POSITIVES] = {"true_positive_rate|tpr", "true positive rate"},
    [HRR_COL_EDGES_RELEASED] = {"edges_released", "released edges"},
    [HRR_COL_DEGREE_KS] = {"degree_ks", "distance of degrees"},
    [HRR_COL_TRANSITIVITY_ORIGINAL] = {"transitivity_original", "transitivity of the original"},
    [HRR_COL_TRANSITIVITY_RELEASED] = {"transitivity_released", "transitivity"},
    [HRR_COL_PATH_KS] = {"path_ks", "distance of path lengths"},
    [HRR_COL_MODULARITY_ORIGINAL] = {"modularity_original", "modularity of the original"},
    [HRR_COL_MODULARITY_RELEASED] = {"modularity_released", "modularity"},
    [HRR_COL_PRIVATE_RECALL] = {"private_recall", "recall of private edges"},
    [HRR_COL_VALUE] = {"value", "value"},
};

/* Whether `name` is one of the words between bars. */
static bool is_one_of(const char *words, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = words;; at += strcspn(at, "|") + 1) {
        const size_t here = strcspn(at, "|");
        if (here == length && memcmp(at, name, length) == 0) return true;
        if (at[here] == '\0') return false;
    }
}

hrr_column hrr_results_column(const char *name)
{
    for (int i = 0; i < HRR_COL_RMS_0; i++)
        if (is_one_of(known[i].names, name)) return (hrr_column)i;
    if (strncmp(name, "rms_", 4) == 0 && strspn(name + 4, "0123456789") == strlen(name + 4)) {
        const long hop = strlen(name) < 8 ? strtol(name + 4, NULL, 10) : HRR_MAX_HOPS + 1;
        if (name[4] && hop <= HRR_MAX_HOPS) return (hrr_column)(HRR_COL_RMS_0 + hop);
    }
    return HRR_N_COLUMNS;
}

void hrr_column_names(char *text, size_t size, hrr_column column)
{
    if (column >= HRR_COL_RMS_0) {
        snprintf(text, size, "rms_%d", (int)column - HRR_COL_RMS_0);
        return;
    }
    size_t used = 0;
    text[0] = '\0';
    for (const char *at = known[column].names; *at && used + 8 < size;) {
        const size_t length = strcspn(at, "|");
        used += (size_t)snprintf(text + used, size - used, "%s%.*s", used ? " or " : "",
                                 (int)length, at);
        at += length + (at[length] == '|');
    }
}

const char *hrr_column_title(hrr_column column)
{
    return known[column].title;
}

/* ---- kinds ----------------------------------------------------------------------------------- */

enum { most_needed = 5 };

/* A kind is known by `sign`; then everything of `needed` must be there: each entry is a list of
 * columns of which one is enough, ended by HRR_N_COLUMNS. */
typedef struct rows_kind {
    const char *name;
    hrr_column sign[6];
    hrr_column needed[most_needed][6];
} rows_kind;

#define END HRR_N_COLUMNS
#define ANY_MECHANISM                                                                              \
    HRR_COL_MECHANISM, HRR_COL_FEATURE_MECHANISM, HRR_COL_EDGE_MECHANISM, HRR_COL_CONTROL, END
#define ANY_EPS HRR_COL_EPS_EDGES, HRR_COL_EPS_FEATURES, HRR_COL_EPS, END

static const rows_kind kinds[HRR_N_ROWS_KINDS] = {
    [HRR_ROWS_ROC] = {"points of ROC curves",
                      {HRR_COL_FALSE_POSITIVES, HRR_COL_TRUE_POSITIVES, END},
                      {{HRR_COL_FALSE_POSITIVES, END}, {HRR_COL_TRUE_POSITIVES, END}, {END}}},
    [HRR_ROWS_PGB] = {"results on PGB's queries",
                      {HRR_COL_QUERY, END},
                      {{HRR_COL_GRAPH, END},
                       {HRR_COL_MECHANISM, END},
                       {HRR_COL_EPS, END},
                       {HRR_COL_VALUE, END},
                       {END}}},
    [HRR_ROWS_STRUCTURE] = {"results on structure",
                            {HRR_COL_RMS_0, END},
                            {{ANY_MECHANISM}, {ANY_EPS}, {HRR_COL_RMS_0, END}, {END}}},
    [HRR_ROWS_ERRORS] = {"results on expected errors",
                         {HRR_COL_EXPECTED_ERROR, HRR_COL_MEAN_ERROR, END},
                         {{ANY_MECHANISM},
                          {HRR_COL_EPS, END},
                          {HRR_COL_MEAN_ERROR, END},
                          {HRR_COL_FEATURES, END},
                          {END}}},
    [HRR_ROWS_ATTACKS] =
        {"results of attacks",
         {HRR_COL_ATTACK, HRR_COL_LINK_AUC, HRR_COL_SSIM, END},
         {{ANY_MECHANISM}, {ANY_EPS}, {HRR_COL_AUC, HRR_COL_LINK_AUC, HRR_COL_SSIM, END}, {END}}},
    [HRR_ROWS_UTILITY] = {"results on learning",
                          {HRR_COL_ACCURACY, HRR_COL_AUC, HRR_COL_F1_MICRO, HRR_COL_F1_MACRO, END},
                          {{ANY_MECHANISM},
                           {ANY_EPS},
                           {HRR_COL_ACCURACY, HRR_COL_AUC, HRR_COL_F1_MICRO, HRR_COL_F1_MACRO, END},
                           {END}}},
};

const char *hrr_rows_kind_name(hrr_rows_kind kind)
{
    return kinds[kind].name;
}

static bool has_any(const bool *present, const hrr_column *columns)
{
    for (int i = 0; columns[i] != END; i++)
        if (present[columns[i]]) return true;
    return false;
}

hrr_rows_kind hrr_rows_recognise(char *text, size_t size, const bool *present)
{
    for (int k = 0; k < HRR_N_ROWS_KINDS; k++) {
        if (!has_any(present, kinds[k].sign)) continue;
        for (int i = 0; i < most_needed && kinds[k].needed[i][0] != END; i++) {
            if (has_any(present, kinds[k].needed[i])) continue;
            char names[128];
            hrr_column_names(names, sizeof names, kinds[k].needed[i][0]);
            snprintf(text, size,
                     "looks like %s, but the column %s is missing; was it made by another version "
                     "of heterorr?",
                     kinds[k].name, names);
            return HRR_N_ROWS_KINDS;
        }
        return (hrr_rows_kind)k;
    }
    snprintf(text, size,
             "the columns do not show what kind of results these are: a results file has "
             "test_accuracy, auc, f1_micro or f1_macro (learning), rms_0 (structure), query (PGB), "
             "mean_expected_error (expected errors), attack, link_auc or ssim (attacks), or "
             "false_positive_rate (ROC curves)");
    return HRR_N_ROWS_KINDS;
}
