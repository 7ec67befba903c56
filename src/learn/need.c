/* need.c: see need.h. */
#include "learn/need.h"
#include "base/memory.h"
#include "random/fast.h"

#include <math.h>
#include <stdlib.h>

typedef struct node {
    uint32_t number;
    bool is_known;
    float unsure;
} node;

/* The least need first. */
static int compare(const void *a, const void *b)
{
    const node *x = a, *y = b;
    if (x->is_known != y->is_known) return x->is_known ? -1 : 1;
    if (x->unsure != y->unsure) return x->unsure < y->unsure ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* 1 - the largest probability. */
static float unsureness(const float *logits, uint64_t n_classes)
{
    double top = -INFINITY, sum = 0;
    for (uint64_t c = 0; c < n_classes; c++)
        top = fmax(top, logits[c]);
    for (uint64_t c = 0; c < n_classes; c++)
        sum += exp(logits[c] - top);
    return (float)(1 - 1 / sum);
}

/* A coin for each node, the same for everybody. */
static bool is_held_out(uint64_t number)
{
    static const uint64_t public_seed = 17;
    hrr_fast_random coin;
    hrr_fast_init(&coin, public_seed, number);
    return hrr_fast_u64(&coin) & 1;
}

static bool is_known(const int32_t *classes, const uint8_t *split, uint64_t i)
{
    if (!classes || classes[i] < 0 || split[i] == HRR_TEST) return false;
    return split[i] == HRR_TRAIN || !is_held_out(i);
}

hrr_status hrr_need(uint32_t *need, const hrr_dense *logits, const int32_t *classes,
                    const uint8_t *split, hrr_error *err)
{
    const uint64_t n = logits->rows, n_classes = logits->cols;
    node *nodes = hrr_alloc(n, sizeof *nodes);
    if (!nodes) return hrr_no_memory(err);
    for (uint64_t i = 0; i < n; i++)
        nodes[i] =
            (node){.number = (uint32_t)i,
                   .is_known = is_known(classes, split, i),
                   .unsure = unsureness((const float *)logits->data + i * n_classes, n_classes)};
    qsort(nodes, n, sizeof *nodes, compare);
    for (uint64_t rank = 0; rank < n; rank++)
        need[nodes[rank].number] = (uint32_t)rank;
    hrr_free(nodes);
    return HRR_OK;
}

void hrr_rivals(uint32_t *rivals, const hrr_dense *logits, const int32_t *classes,
                const uint8_t *split)
{
    const uint64_t n_classes = logits->cols;
    for (uint64_t i = 0; i < logits->rows; i++) {
        const float *row = (const float *)logits->data + i * n_classes;
        uint32_t first = 0, second = 0;
        for (uint32_t c = 1; c < n_classes; c++)
            if (row[c] > row[first]) first = c;
        second = first == 0;
        for (uint32_t c = 0; c < n_classes; c++)
            if (c != first && row[c] > row[second]) second = c;
        rivals[2 * i] = first;
        rivals[2 * i + 1] = is_known(classes, split, i) ? first : second;
    }
}

hrr_status hrr_blocks_of_scores(uint32_t *blocks, uint32_t *need, uint32_t *rivals,
                                const hrr_dense *scores, const int32_t *classes,
                                const uint8_t *split, hrr_error *err)
{
    hrr_likely_classes(blocks, scores, classes, split);
    hrr_status status = hrr_need(need, scores, classes, split, err);
    if (!status && rivals && classes) hrr_rivals(rivals, scores, classes, split);
    return status;
}
