/* head.h: a head seen from inside the room: its sizes, and kernels over rows of doubles. */
#ifndef HRR_LEARN_HEAD_H
#define HRR_LEARN_HEAD_H

#include "matrix/dense.h"

#include <heterorr/learn.h>

/* Doubles that somebody else owns, as a matrix for hrr_gemm(). The BLAS interface has no const; an
 * operand that is not the result is only read. */
static inline hrr_dense hrr_f64_view(const double *data, uint64_t rows, uint64_t cols)
{
    return (hrr_dense){
        .dtype = HRR_F64, .rows = rows, .cols = cols, .data = (void *)(uintptr_t)data};
}

static inline bool hrr_head_is_linear(const hrr_head *head)
{
    return head->hidden_weight.data == NULL;
}

/* d */
static inline uint64_t hrr_head_n_features(const hrr_head *head)
{
    return hrr_head_is_linear(head) ? head->weight.rows : head->hidden_weight.rows;
}

/* h; 0 for a linear head. */
static inline uint64_t hrr_head_n_hidden(const hrr_head *head)
{
    return hrr_head_is_linear(head) ? 0 : head->hidden_weight.cols;
}

/* C */
static inline uint64_t hrr_head_n_outputs(const hrr_head *head)
{
    return head->weight.cols;
}

/* Allocate all parts, zero. hidden 0: linear. */
hrr_status hrr_head_init(hrr_head *out, uint64_t n_features, uint64_t hidden, uint64_t n_outputs,
                         hrr_output_kind output, hrr_error *err) HRR_CHECKED;

/* logits (n x C) = relu(x W1 + b1) W + b; x n x d. hidden (n x h) receives relu(x W1 + b1); it is
 * not used by a linear head and may be NULL there. */
void hrr_head_logits(double *logits, double *hidden, const hrr_head *head, const double *x,
                     uint64_t n);

/* out (n x C) = relu(y) W + b; y n x h, pre-activations, become relu(y). For a linear head y n x C
 * are the logits already, and move to out. */
void hrr_head_logits_from_first(double *out, double *y, const hrr_head *head, uint64_t n);

/* y (n x h, or n x C for a linear head) = x W1 + b1: what the first layer makes of x. */
void hrr_head_first(double *y, const hrr_head *head, const double *x, uint64_t n);

/* Logits to probabilities in place, without overflow whatever the logits. */
void hrr_output_apply(double *logits, hrr_output_kind output, uint64_t n, uint64_t n_outputs);

/* Refuse features that the head cannot take: another width (HRR_EINVAL), or a value that is not
 * finite (HRR_EDATA, naming its position). `what` begins the message. */
hrr_status hrr_head_check_features(const hrr_head *head, const hrr_dense *features,
                                   const char *what, hrr_error *err);
/* Refuse a value that is not finite. */
hrr_status hrr_check_finite(const hrr_dense *matrix, const char *what, hrr_error *err);

/* A linear head of labels becomes one of n_questions, below their number: in which half a node is
 * along each of the principal directions of its scores (n x C, F64). Shares are what the scores
 * vary in each. Scores that vary in fewer directions give as many questions as these. The bias is
 * for the caller to set, so that it halves the nodes.
 * Errors: HRR_EINVAL if scores do not vary, HRR_ENOMEM; head is as it was then. */
hrr_status hrr_head_ask_principal(hrr_head *head, const hrr_dense *scores, uint32_t n_questions,
                                  hrr_error *err) HRR_CHECKED;

#endif
