/* fusion.h: several opinions about the labels of nodes, put together late: the score of a label is
 * a weighted sum of what each opinion (a term) says about it.
 *
 * A term is an n x C matrix of F32. One class a node: logarithms of likelihoods, up to what the
 * classes of a row share. Several labels a node: logarithms of the odds that a node has a label,
 * or of ratios of likelihoods (has it / has it not). Term 0 is the free model's, the network's
 * logits; the others are evidence. A term that has nothing to say about a node has zeros there. */
#ifndef HRR_LEARN_FUSION_H
#define HRR_LEARN_FUSION_H

#include "learn/targets.h"

enum { HRR_MOST_TERMS = 8 };

typedef struct hrr_fusion {
    uint32_t n_terms;              /* that of the network, and those of evidence */
    double weight[HRR_MOST_TERMS]; /* from 0 up */
    /* By how much evidence makes the labels of the nodes that it was fitted to likelier, on nodes
     * that were left out in turn: the mean logarithm a node. 0 or less: all weights of evidence
     * are 0, unless there is no guard. NAN: there was no node to tell. */
    double gain;
} hrr_fusion;

typedef struct hrr_fusion_options {
    double prior[HRR_MOST_TERMS]; /* weights without any node to learn them from */
    double pull; /* of the prior, above 0: what is made largest is the log-likelihood of the labels,
                    less pull/2 times the squared distance of the weights from the prior */
    bool unguarded;        /* evidence is known to be worth something: no guard */
    const uint8_t *chosen; /* n of 0 and 1: nodes to learn from, of those in the validation part;
                              NULL: all of these */
    double label_eps;  /* labels went through randomised response with this budget: for a class, or
                          for each of a node's labels; 0: they did not */
    bool hold_network; /* its weight is the prior's, whatever the nodes say */
    int threads;
} hrr_fusion_options;
/* Network and first term of evidence weigh 1, the others 0; a pull of 1, and the guard. */
void hrr_fusion_options_init(hrr_fusion_options *options);

/* Find the weights, from 0 up, that make the labels of validation nodes likeliest, pulled to the
 * prior. The network's scores should not come from training on these nodes, and a term should say
 * as much about them as about the nodes to be predicted.
 *
 * The guard: unless the terms together predict nodes that were left out (five parts in turn, chosen
 * by the node's number) better than the network does alone, with a weight of its own or as it is,
 * evidence weighs 0 and the network 1. So on these nodes labels are never less likely than under
 * the network alone. Without such nodes the weights are the prior.
 *
 * evidence: n_evidence matrices, below HRR_MOST_TERMS. A function of its input for any number of
 * threads. Cost: about 100 times n_terms^2 C a node. Memory: 16 bytes a node.
 * Errors: HRR_EINVAL for shapes that do not fit, HRR_EDATA for a value that is not finite,
 *         HRR_ENOMEM. */
hrr_status hrr_fusion_fit(hrr_fusion *out, const hrr_dense *logits, const hrr_dense *evidence,
                          uint32_t n_evidence, const hrr_targets *targets,
                          const hrr_fusion_options *options, hrr_error *err) HRR_CHECKED;

/* logits (n x C) become the fused scores. For one class a node, evidence is taken relative to that
 * for the first class, which changes no probability. */
void hrr_fusion_apply(hrr_dense *logits, const hrr_fusion *fusion, const hrr_dense *evidence,
                      hrr_output_kind output, int threads);

#endif
