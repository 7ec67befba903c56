/* predicted_blocks.h: the classes that are predicted from released data, for edgerr-node to
 * count private edges into, and which nodes need their private edges to be counted. */
#ifndef HRR_LEARN_PREDICTED_BLOCKS_H
#define HRR_LEARN_PREDICTED_BLOCKS_H

#include <heterorr/learn.h>

/* Goes up with every change that gives the same release other blocks or another need: of the
 * network, of how it is trained, of its seed, of what need is. Large graphs (large_base.h) have a
 * number of their own, above that of the others: odd and even do not meet. */
enum { HRR_PREDICTED_BLOCKS_VERSION = 4, HRR_LARGE_PREDICTED_BLOCKS_VERSION = 5 };

/* What a release shows before its private edges are counted. */
typedef struct hrr_shown {
    hrr_graph *graph; /* features and labels as released, public edges, the split; nothing else */
    double label_eps; /* the budget that labels were drawn with; negative: they are as they were */
    bool features_are_randomised; /* they are brought to a scale that networks learn from */
} hrr_shown;

/* Whether there are features, and one class a node that is known of some training node, to learn
 * such blocks from when they are released (HRR_BLOCKS_PREDICTED). Asked of public data alone. */
bool hrr_blocks_can_be_predicted(const hrr_graph *graph);
/* HRR_EINVAL if the graph, once released, has nothing to train on, or several labels a node: from
 * public data alone, before anything is charged. */
hrr_status hrr_predicted_blocks_check(const hrr_graph *graph, hrr_error *err);
/* How long it will take, roughly, from public data alone. The check must have passed. */
double hrr_predicted_blocks_seconds(const hrr_graph *graph);
/* Of the two versions, that of such a graph: from the number of nodes and of public edges. */
uint32_t hrr_predicted_blocks_version(const hrr_graph *graph);

/* Fill blocks[0 .. n) with classes, need[0 .. n) with ranks and rivals (n x 2, zeros; NULL: they
 * are not asked for) with pairs of classes (learn/need.h). Where labels are protected, rivals stay
 * 0. A graph without a split is given one. Who predicts follows from the number of nodes and edges:
 * public_base.h, or large_base.h.
 *
 * Guarantee: a function of `shown` alone, for any number of threads.
 * Errors:    those of hrr_model_train(). */
hrr_status hrr_predicted_blocks(uint32_t *blocks, uint32_t *need, uint32_t *rivals,
                                const hrr_shown *shown, int threads, hrr_progress *progress,
                                hrr_error *err);

#endif
