/* question.h: what a request asks about a model, and the answer in numbers. */
#ifndef HRR_SERVE_QUESTION_H
#define HRR_SERVE_QUESTION_H

#include "serve/served.h"
#include "serve/tensor.h"

/* The names of tensors, in requests and in what a model says of itself. */
#define HRR_INPUT_NODES "nodes"
#define HRR_INPUT_CHANGED_NODE "changed_node"
#define HRR_INPUT_CHANGED_FEATURES "changed_features"
#define HRR_INPUT_FEATURES "features"
#define HRR_INPUT_EDGES "edges"

typedef enum hrr_served_output {
    HRR_SERVED_LABELS = 0,
    HRR_SERVED_PROBABILITIES,
    HRR_SERVED_LOGITS,
    HRR_SERVED_OUTPUTS
} hrr_served_output;
const char *hrr_served_output_name(hrr_served_output output); /* "labels" */
/* Whether the model tells it. */
bool hrr_served_tells(const hrr_served *served, hrr_served_output output);

typedef struct hrr_asking {
    /* About nodes of the release... */
    uint32_t *nodes;
    uint64_t n_asked; /* nodes, or unseen ones */
    int64_t changed;  /* one of them has other features; -1: none */
    /* ... or about unseen ones: their features are those of the request. */
    bool unseen;
    const double *features; /* of the changed node, or n_asked x d */
    uint64_t n_edges;       /* each from an unseen node, 0 .. n_asked - 1, to a node */
    uint32_t *from, *to;
    bool wanted[HRR_SERVED_OUTPUTS], binary[HRR_SERVED_OUTPUTS];
    bool computed; /* takes a forward pass: not a line of the table */
} hrr_asking;

/* Pure: looks up names and checks shapes. The request must outlive *out.
 * Errors: HRR_EINVAL saying what is wrong, HRR_EDATA for a node that is unknown, HRR_ENOMEM. */
HRR_STATUS hrr_asking_read(hrr_asking *out, const hrr_served *served,
                           const hrr_infer_request *request, hrr_error *err);
void hrr_asking_clear(hrr_asking *asking);

/* Does the answer take rows of its own? Otherwise it is read from the table and the labels. */
bool hrr_asking_needs_rows(const hrr_asking *asking, const hrr_served *served);
/* logits: n_asked x C. If asking->computed, by one thread at a time.
 * Errors: HRR_EINVAL for features so large that the answer is no number, HRR_ENOMEM. */
HRR_STATUS hrr_asking_answer(double *logits, const hrr_asking *asking, const hrr_served *served,
                             hrr_error *err);

/* Those of unseen nodes. */
HRR_STATUS hrr_unseen_answer(double *logits, const hrr_asking *asking, const hrr_served *served,
                             hrr_error *err);

#endif
