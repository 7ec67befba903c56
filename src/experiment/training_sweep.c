/* training_sweep.c: networks trained on releases, one row a run (the paper's feature-level,
 * edge-level and combined figures are means of its rows).
 *
 * Everything that can be known to be wrong is found before the file is touched: names, budgets,
 * plans of the features, labels, the split. */
#include "experiment/results.h"
#include "experiment/shards.h"
#include "experiment/training_run.h"
#include "base/memory.h"
#include "feature/traits.h"
#include "base/options.h"

#include <heterorr/release.h>

#include <inttypes.h>
#include <stdio.h>

void hrr_training_sweep_options_init_sized(hrr_training_sweep_options *options, size_t size)
{
    hrr_training_sweep_options own = {
        .train_share = HRR_TRAIN_SHARE, .valid_share = HRR_VALID_SHARE, .runs = 5, .seed = 1};
    hrr_feature_options_init(&own.features);
    hrr_train_options_init(&own.train);
    own.train.n_hidden = 64;
    hrr_options_init(options, size, &own, sizeof own);
}

static hrr_status adopt(hrr_training_sweep_options *own, const hrr_training_sweep_options *given,
                        hrr_error *err)
{
    hrr_training_sweep_options usual;
    hrr_training_sweep_options_init(&usual);
    hrr_status status = HRR_ADOPT(hrr_training_sweep_options, own, given, err);
    if (!status)
        status = HRR_ADOPT_INNER(hrr_feature_options, &own->features, &usual.features, err);
    if (!status) status = HRR_ADOPT_INNER(hrr_train_options, &own->train, &usual.train, err);
    return status;
}

typedef struct sweep {
    const hrr_graph *graph;
    const hrr_training_sweep_options *options;
    hrr_results *results;
    hrr_training_settings settings;
    hrr_kept *kept;
    char graph_name[64];
} sweep;

/* ---- what can be wrong ----------------------------------------------------------------------- */

static hrr_status check_graph(const hrr_graph *graph, const hrr_training_sweep_options *o,
                              hrr_error *err)
{
    const hrr_dense *features = hrr_graph_features(graph);
    if (!features || !features->cols)
        return hrr_fail(err, HRR_EDATA, "the graph has no features to learn from");
    if (!hrr_graph_classes(graph) && !hrr_graph_label_matrix(graph))
        return hrr_fail(err, HRR_EDATA, "the graph has no labels to learn from");
    if (o->own_split && !hrr_graph_split(graph))
        return hrr_fail(err, HRR_EINVAL,
                        "the graph has no split of its own; give the shares of a new one, such as "
                        "0.5,0.25 (`train_share`, `valid_share`)");
    return HRR_OK;
}

static hrr_status check_options(const hrr_training_sweep_options *o, hrr_error *err)
{
    if (o->runs == 0)
        return hrr_fail(err, HRR_EINVAL, "an experiment needs at least one run (`runs`)");
    if (!o->treatments || !o->treatments[0])
        return hrr_fail(err, HRR_EINVAL, "name at least one mechanism to compare (`treatments`)");
    if (!o->own_split &&
        !(o->train_share > 0 && o->valid_share >= 0 && o->train_share + o->valid_share < 1))
        return hrr_fail(
            err, HRR_EINVAL,
            "the training share of a split must be above 0, the validation share at least 0, and "
            "some nodes must remain for testing (`train_share`, `valid_share`)");
    for (size_t i = 0; i < o->n_label_rates; i++)
        if (!(o->label_rates[i] > 0 && o->label_rates[i] < 1 - HRR_MOST_VALID_SHARE))
            return hrr_fail(err, HRR_EINVAL,
                            "a label rate (`label_rates`) must be above 0 and below %g, so that "
                            "nodes remain for validation and testing",
                            1 - HRR_MOST_VALID_SHARE);
    if (!(o->volunteer_share >= 0 && o->volunteer_share <= 1))
        return hrr_fail(err, HRR_EINVAL,
                        "the share of volunteers (`volunteer_share`) must lie between 0 and 1");
    if (o->volunteer_share > 0 && o->features.head)
        return hrr_fail(err, HRR_EINVAL,
                        "use either a given head (`features.head`) or one learned from volunteers "
                        "in each run (`volunteer_share`); leave one of them out");
    if (o->own_split && o->n_label_rates)
        return hrr_fail(err, HRR_EINVAL,
                        "label rates (`label_rates`) need a split that is drawn in each run, but "
                        "the graph's own split is used");
    return HRR_OK;
}

/* A mechanism that refuses its budget or its options does so now. */
static hrr_status check_plans(const sweep *self, hrr_error *err)
{
    const uint64_t n_features = hrr_graph_features(self->graph)->cols;
    for (size_t i = 0; i < self->settings.n && self->settings.items[i].run == 0; i++) {
        hrr_feature_plan *plan = NULL;
        hrr_feature_options how =
            hrr_training_feature_options(&self->settings.items[i], self->options);
        if (hrr_feature_traits(how.mechanism)->needs_head && !how.head) continue; /* by run */
        hrr_status status = hrr_bounds_settle(&how, self->graph, err);
        if (!status) status = hrr_feature_plan_new(&plan, n_features, &how, err);
        hrr_feature_plan_free(plan);
        if (status) return status;
    }
    return HRR_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

enum { most_columns = 64 };

static int list_columns(const char *columns[most_columns])
{
    static const char *const after[] = {"status",
                                        "realised_eps_features",
                                        "realised_eps_edges",
                                        "test_nodes",
                                        "test_accuracy",
                                        "test_f1_micro",
                                        "test_f1_macro",
                                        "test_auc",
                                        "test_average_precision",
                                        "valid_accuracy",
                                        "valid_f1_micro",
                                        "ran_epochs",
                                        "best_epoch",
                                        "edges_released",
                                        "seconds",
                                        NULL};
    int n = 0, n_settings;
    for (int i = 0; hrr_training_setting_columns[i]; i++)
        columns[n++] = hrr_training_setting_columns[i];
    n_settings = n;
    for (int i = 0; after[i]; i++)
        columns[n++] = after[i];
    columns[n] = NULL;
    return n_settings;
}

static hrr_status write_row(const sweep *self, const char *settings, const hrr_training_outcome *f,
                            double seconds, hrr_error *err)
{
    char *row;
    if (f->diverged)
        row = hrr_format_text(
            "%s,diverged,%.12g,%.12g,0,nan,nan,nan,nan,nan,nan,nan,0,0,%" PRIu64 ",%.3f", settings,
            f->realised_eps_features, f->realised_eps_edges, f->edges_released, seconds);
    else
        row = hrr_format_text("%s,ok,%.12g,%.12g,%" PRIu64
                              ",%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%" PRIu32 ",%" PRIu32 ",%" PRIu64
                              ",%.3f",
                              settings, f->realised_eps_features, f->realised_eps_edges, f->test.n,
                              f->test.accuracy, f->test.f1_micro, f->test.f1_macro, f->test.auc,
                              f->test.average_precision, f->valid.accuracy, f->valid.f1_micro,
                              f->epochs, f->best_epoch, f->edges_released, seconds);
    if (!row) return hrr_no_memory(err);
    hrr_status status = hrr_results_add(self->results, row, err);
    hrr_free(row);
    return status;
}

static char *settings_text(const void *user, size_t i)
{
    const sweep *self = user;
    return hrr_training_setting_text(&self->settings.items[i], self->graph_name, self->graph,
                                     self->options);
}

static hrr_status run_setting(const void *user, size_t i, const char *settings,
                              hrr_progress *progress, hrr_error *err)
{
    const double began = hrr_run_clock();
    const sweep *self = user;
    hrr_training_outcome found;
    hrr_status status = hrr_training_run(&found, self->graph, &self->settings.items[i],
                                         self->options, self->kept, progress, err);
    return status ? status : write_row(self, settings, &found, hrr_run_clock() - began, err);
}

hrr_status hrr_training_sweep(const char *results, const hrr_graph *graph,
                              const hrr_training_sweep_options *options, hrr_progress *progress,
                              hrr_error *err)
{
    const char *columns[most_columns];
    const int n_settings = list_columns(columns);
    hrr_training_sweep_options bounded;
    hrr_status status = adopt(&bounded, options, err);
    if (status) return status;
    options = &bounded;
    if (!bounded.features.lo) { /* rows say which they are */
        bounded.features.lo = hrr_graph_feature_lo(graph);
        bounded.features.hi = hrr_graph_feature_hi(graph);
    }
    hrr_kept kept = {0};
    sweep self = {.graph = graph, .options = options, .kept = &kept};
    status = check_graph(graph, options, err);
    if (!status) status = check_options(options, err);
    if (!status) status = hrr_training_settings_list(&self.settings, graph, options, err);
    if (!status) status = check_plans(&self, err);
    if (status) goto done;
    hrr_results_name(self.graph_name, sizeof self.graph_name, hrr_graph_name(graph));
    status = hrr_shard_open(&self.results, results, options->shard, columns, n_settings,
                            hrr_version(), err);
    const hrr_runs runs = {.user = &self,
                           .what = "comparing",
                           .n = self.settings.n,
                           .settings = settings_text,
                           .run = run_setting};
    if (!status)
        status =
            hrr_shard_run(&runs, self.results, options->shard, options->threads, progress, err);
done:
    hrr_results_close(self.results);
    hrr_kept_clear(&kept);
    hrr_training_settings_clear(&self.settings);
    return status;
}
