/* chain_settings.h: what the runs of a chain sweep are, and how they are called in results. */
#ifndef HRR_EXPERIMENT_CHAIN_SETTINGS_H
#define HRR_EXPERIMENT_CHAIN_SETTINGS_H

#include "experiment/results.h"

#include <heterorr/experiment.h>

typedef struct hrr_chain_world {
    const char *name;
    uint64_t eps_nano; /* 0: nothing is spent */
} hrr_chain_world;

/* Where the references stand among the worlds. */
enum { HRR_WORLD_FLOOR_AT = 1, HRR_WORLD_TREE_AT = 2 };

/* Run r of world w is number r * n_worlds + w. */
typedef struct hrr_chain_settings {
    const hrr_graph *graph;
    const hrr_chain_sweep_options *options;
    hrr_chain_world *worlds; /* hrr_chain_settings_clear() */
    size_t n_worlds;
    char graph_name[64];
} hrr_chain_settings;

/* The options as a public function takes them (base/options.h). Errors: HRR_EINVAL. */
hrr_status hrr_chain_sweep_adopt(hrr_chain_sweep_options *own, const hrr_chain_sweep_options *given,
                                 hrr_error *err) HRR_CHECKED;

/* Errors: HRR_EINVAL for names and budgets that make no sense, those of hrr_chain_check(),
 * HRR_ENOMEM. */
hrr_status hrr_chain_settings_list(hrr_chain_settings *out, const hrr_graph *graph,
                                   const hrr_chain_sweep_options *options,
                                   hrr_error *err) HRR_CHECKED;
void hrr_chain_settings_clear(hrr_chain_settings *settings);

/* A run as it stands in the columns that are settings; hrr_free(), NULL if there is no memory. */
char *hrr_chain_setting_text(const hrr_chain_settings *settings, size_t number);

/* The results file, and the file of curves; they begin with the same columns.
 * Errors: those of hrr_shard_open(). */
hrr_status hrr_chain_results_open(hrr_results **out, const char *path, hrr_shard shard,
                                  hrr_error *err) HRR_CHECKED;
hrr_status hrr_chain_curves_open(hrr_results **out, const char *path, hrr_shard shard,
                                 hrr_error *err) HRR_CHECKED;

#endif
