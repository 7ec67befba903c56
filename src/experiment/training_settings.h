/* training_settings.h: what a training sweep runs: treatments and controls, budgets, shares of
 * private edges, propagation and runs, multiplied out. */
#ifndef HRR_EXPERIMENT_TRAINING_SETTINGS_H
#define HRR_EXPERIMENT_TRAINING_SETTINGS_H

#include "experiment/marked_copy.h"

#include <heterorr/experiment.h>

#define HRR_ANY_FRACTION (-2.0) /* private or not, edges are used alike */

typedef struct hrr_training_setting {
    const char *features, *edges; /* names of tables */
    uint64_t eps_features_nano, eps_edges_nano;
    double fraction;
    uint32_t propagate, run;
    double label_rate; /* share of the nodes that is trained on; 0: as the sweep splits them */
} hrr_training_setting;

typedef struct hrr_training_settings {
    hrr_training_setting *items;
    size_t n, room;
} hrr_training_settings;

/* All of them, each once, run by run. Errors: HRR_EINVAL for names, budgets and shares that make no
 * sense, HRR_ENOMEM. */
hrr_status hrr_training_settings_list(hrr_training_settings *out, const hrr_graph *graph,
                                      const hrr_training_sweep_options *options, hrr_error *err);
void hrr_training_settings_clear(hrr_training_settings *settings);

/* What the setting's feature mechanism is asked for: of the sweep's options those that it looks at,
 * since a plan refuses the others. */
hrr_feature_options hrr_training_feature_options(const hrr_training_setting *setting,
                                                 const hrr_training_sweep_options *options);

/* The shares of nodes that a setting trains on and stops by. */
void hrr_training_shares(double *train, double *valid, const hrr_training_setting *setting,
                         const hrr_training_sweep_options *options);

/* Whether a network sees the setting's features standardised: noise must be, and so must numbers
 * like ages and salaries, protected or not. Decided by the bounds. */
bool hrr_training_standardises(const hrr_training_setting *setting,
                               const hrr_training_sweep_options *options, uint64_t n_features);

/* The columns that are settings, NULL-terminated, and a setting as it stands in them; hrr_free(),
 * NULL if there is no memory. */
extern const char *const hrr_training_setting_columns[];
char *hrr_training_setting_text(const hrr_training_setting *setting, const char *graph_name,
                                const hrr_graph *graph, const hrr_training_sweep_options *options);

#endif
