/* targets.h: what nodes should be predicted as, and which of them count. */
#ifndef HRR_LEARN_TARGETS_H
#define HRR_LEARN_TARGETS_H

#include <heterorr/learn.h>

typedef struct hrr_targets {
    uint64_t n;
    uint32_t n_classes;
    const int32_t *classes; /* n, -1: unknown; or NULL */
    const uint8_t *labels;  /* n x n_classes of 0 and 1; or NULL */
    const uint8_t *split;   /* NULL: every node is in every part */
} hrr_targets;

/* Labels and split of a graph, which must outlive them. */
static inline hrr_targets hrr_targets_of(const hrr_graph *graph)
{
    const hrr_dense *matrix = hrr_graph_label_matrix(graph);
    return (hrr_targets){.n = hrr_graph_n_nodes(graph),
                         .n_classes = hrr_graph_n_classes(graph),
                         .classes = hrr_graph_classes(graph),
                         .labels = matrix ? matrix->data : NULL,
                         .split = hrr_graph_split(graph)};
}

static inline bool hrr_target_counts(const hrr_targets *targets, uint64_t i, hrr_split part)
{
    return (!targets->split || targets->split[i] == part) &&
           (!targets->classes || targets->classes[i] >= 0);
}

static inline uint64_t hrr_count_targets(const hrr_targets *targets, hrr_split part)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < targets->n; i++)
        count += hrr_target_counts(targets, i, part);
    return count;
}

/* Whether node i, which counts, has label c. */
static inline bool hrr_target_has(const hrr_targets *targets, uint64_t i, uint32_t c)
{
    return targets->classes ? targets->classes[i] == (int32_t)c
                            : targets->labels[i * targets->n_classes + c] != 0;
}

#endif
