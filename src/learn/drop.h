/* drop.h: learning from labels that went through randomised response. */
#ifndef HRR_LEARN_DROP_H
#define HRR_LEARN_DROP_H

#include "graph/aggregator.h"
#include "learn/targets.h"

typedef struct hrr_drop {
    uint32_t n_classes, steps;
    float stay, stray;    /* P(released as it is), P(released as a given other class) */
    hrr_aggregator edges; /* D^-1/2 A D^-1/2; nodes without edges keep theirs */
    float *smoothed;      /* n x C: the released labels around a node, as a distribution */
    hrr_dense seen, next; /* n x C */
    float *space;
    int threads;
} hrr_drop;

/* targets: released classes; eps: the budget they were released with. Labels of the test part are
 * not looked at. */
hrr_status hrr_drop_init(hrr_drop *out, const hrr_graph *graph, const hrr_targets *targets,
                         double eps, uint32_t steps, int threads, hrr_error *err) HRR_CHECKED;
void hrr_drop_clear(hrr_drop *drop);

/* The loss over the training part, and the logits become its derivatives. */
double hrr_drop_train_loss(hrr_drop *drop, float *logits, const hrr_targets *targets,
                           uint64_t n_part);
/* The loss of the released labels as the model and randomised response would have them. */
double hrr_drop_valid_loss(const hrr_drop *drop, const float *logits, const hrr_targets *targets,
                           hrr_split part, uint64_t n_part);

#endif
