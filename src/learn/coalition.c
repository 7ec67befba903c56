/* coalition.c: rows mixed from x and the background, through the head, averaged.
 *
 * Blocks of coalitions share one background row, so that the head sees a few hundred mixed rows in
 * one product and the mixed rows stay in cache. */
#include "learn/coalition.h"

#include "base/memory.h"

#include <string.h>

enum { block = 128 };

struct hrr_coalition_scratch {
    double *mixed;  /* block x d */
    double *hidden; /* block x h */
    double *output; /* block x C */
};

hrr_status hrr_coalition_scratch_new(hrr_coalition_scratch **out, const hrr_explain_task *task,
                                     hrr_error *err)
{
    *out = NULL;
    hrr_coalition_scratch *scratch = hrr_alloc_zero(1, sizeof *scratch);
    if (!scratch) return hrr_no_memory(err);
    scratch->mixed = hrr_alloc(block * sizeof(double), task->n_features);
    scratch->hidden = hrr_alloc(block * sizeof(double), hrr_head_n_hidden(task->head));
    scratch->output = hrr_alloc(block * sizeof(double), task->n_outputs);
    if (!scratch->mixed || !scratch->hidden || !scratch->output) {
        hrr_coalition_scratch_free(scratch);
        return hrr_no_memory(err);
    }
    *out = scratch;
    return HRR_OK;
}

void hrr_coalition_scratch_free(hrr_coalition_scratch *scratch)
{
    if (!scratch) return;
    hrr_free(scratch->mixed);
    hrr_free(scratch->hidden);
    hrr_free(scratch->output);
    hrr_free(scratch);
}

static void mix(double *mixed, const double *x, const double *b, const uint8_t *member, uint64_t n,
                uint64_t d)
{
    for (uint64_t j = 0; j < n; j++)
        for (uint64_t i = 0; i < d; i++)
            mixed[j * d + i] = member[j * d + i] ? x[i] : b[i];
}

void hrr_coalition_worth(double *worth, const hrr_explain_task *task, const double *x,
                         const uint8_t *member, uint64_t n, hrr_coalition_scratch *scratch)
{
    const uint64_t d = task->n_features, n_outputs = task->n_outputs;
    memset(worth, 0, n * n_outputs * sizeof *worth);
    for (uint64_t first = 0; first < n; first += block) {
        const uint64_t count = n - first < block ? n - first : block;
        double *sum = worth + first * n_outputs;
        for (uint64_t b = 0; b < task->n_background; b++) {
            mix(scratch->mixed, x, task->background + b * d, member + first * d, count, d);
            hrr_head_logits(scratch->output, scratch->hidden, task->head, scratch->mixed, count);
            if (task->options->probabilities)
                hrr_output_apply(scratch->output, task->head->output, count, n_outputs);
            for (uint64_t i = 0; i < count * n_outputs; i++)
                sum[i] += scratch->output[i];
        }
        for (uint64_t i = 0; i < count * n_outputs; i++)
            sum[i] /= (double)task->n_background;
    }
}
