/* references.h: learning from a test's own graph: the reference without privacy, in one call. */
#ifndef TESTS_SUPPORT_REFERENCES_H
#define TESTS_SUPPORT_REFERENCES_H

#include "support/check.h"

#include <heterorr/learn.h>

static inline hrr_release *reference_of(const hrr_graph *graph)
{
    hrr_release *release;
    assert_ok(hrr_release_non_private(&release, graph, NULL));
    return release;
}

/* The usual training, of a small network and short. */
static inline hrr_train_options short_training(uint32_t n_hidden, uint32_t epochs, int threads)
{
    hrr_train_options options;
    hrr_train_options_init(&options);
    options.n_hidden = n_hidden;
    options.epochs = epochs;
    options.threads = threads;
    return options;
}

static inline hrr_status train_on(hrr_model **out, hrr_train_summary *summary,
                                  const hrr_graph *graph, const hrr_train_options *options,
                                  hrr_progress *progress, hrr_error *err)
{
    hrr_release *release;
    *out = NULL;
    hrr_status status = hrr_release_non_private(&release, graph, err);
    if (!status) status = hrr_model_train(out, summary, release, options, progress, err);
    hrr_release_free(release);
    return status;
}

static inline hrr_status predict_on(hrr_dense *out, const hrr_model *model, const hrr_graph *graph,
                                    const hrr_dense *features, bool logits, hrr_error *err)
{
    const hrr_predict_options options = {
        .size = sizeof(hrr_predict_options), .features = features, .logits = logits, .threads = 1};
    hrr_release *release;
    *out = (hrr_dense){0};
    hrr_status status = hrr_release_non_private(&release, graph, err);
    if (!status) status = hrr_model_predict(out, model, release, &options, NULL, err);
    hrr_release_free(release);
    return status;
}

#endif
