/* barker.h: a chain of local moves that looks at private edges and keeps account of it.
 *
 * The move ((i, j), k) -> ((i, k), j) at y = (i, j) below x is accepted with probability
 *
 *     sigma(z),   z = dL_pub + c dL_pri,   sigma(z) = 1 / (1 + e^-z)          (Barker's rule)
 *
 * ln sigma(z) and ln(1 - sigma(z)) both change by |z - z'| at most, so whether the answer is yes or
 * no it tells two neighbouring secrets apart by a factor of e^(c S) at most, where S bounds the
 * change of dL_pri by the pair in which they differ: S_ij, S_ik or S_jk by the block it lies in
 * (score.h), and 0 if it lies elsewhere. What has been told about a pair so far is kept at the
 * internal node that splits it:
 *
 *     spent(r) = the most that has been told about any pair that r splits
 *     accept:  spent(y') = spent(x) + c S_ik
 *              spent(x') = max(spent(y) + c S_ij, spent(x) + c S_jk)
 *     reject:  spent(y) += c S_ij;  spent(x) += c max(S_ik, S_jk)
 *     a move made without looking: spent(y') = spent(x), spent(x') = max(spent(x), spent(y))
 *
 * The chain looks only if spent stays within the budget whichever way the answer goes: checked
 * before the draw. Which moves are looked at depends on public data and on earlier answers only.
 * docs/mechanisms/edgerr-trees.md has the proof.
 *
 * All of it in integers: spent and budget in units of 2^-31 nats, c as a number of those units for
 * each unit of score. Nothing is rounded, so nothing is lost. */
#ifndef HRR_EDGE_BARKER_H
#define HRR_EDGE_BARKER_H

#include "edge/joint.h"
#include "edge/likelihood.h"

#define HRR_BARKER_NAT ((uint64_t)1 << 31) /* one nat of z, spent and budget */

typedef struct hrr_barker_rule {
    hrr_edge_score score;
    uint64_t budget;
    /* A look costs the worst pair this share of the budget: 1 / looks. c follows from it for each
     * move, so that every look tells as much as it may; c <= 1. */
    uint64_t looks;
} hrr_barker_rule;

/* What a look would cost. */
typedef struct hrr_barker_bill {
    uint64_t weight; /* c; 0: no look, the budget does not allow it or there is nothing to see */
    uint64_t accept_y, accept_x, reject_y, reject_x; /* spent afterwards */
} hrr_barker_bill;

hrr_barker_bill hrr_barker_ask(const hrr_barker_rule *rule, const hrr_edge_score_blocks *pairs,
                               uint64_t spent_y, uint64_t spent_x);

/* ---- the chain ------------------------------------------------------------------------------ */

typedef struct hrr_barker {
    hrr_barker_rule rule;
    hrr_joint joint; /* the tree with public and private edges; score is the rule's */
    uint64_t *spent; /* n - 1 */
    hrr_phi phi;
} hrr_barker;

/* A move, looked at. */
typedef struct hrr_barker_look {
    hrr_tree_move move;
    hrr_barker_bill bill;
    double gain_public; /* dL_pub */
    int64_t z;          /* in units of 2^-31; private unless bill.weight is 0 */
} hrr_barker_look;

/* Nothing spent yet. */
hrr_status hrr_barker_init(hrr_barker *out, const hrr_barker_rule *rule,
                           const hrr_dendrogram *start, const hrr_edge_public *known,
                           const hrr_edge_secret *secret, hrr_error *err);
void hrr_barker_clear(hrr_barker *chain);

void hrr_barker_look_at(hrr_barker_look *out, const hrr_barker *chain, uint32_t y, bool swapped);
/* Do what was answered, and enter it in the account. */
void hrr_barker_settle(hrr_barker *chain, const hrr_barker_look *look, bool accepted);

#endif
