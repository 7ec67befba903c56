/* report_ceiling.h: the most that a node's own eps-LDP report can add to what is known for nothing.
 *
 * p: what is known of a node: how much a right guess is worth if the truth is class c, times the
 * probability of c; the largest first. A guess that follows a report, whatever the eps-LDP channel
 * and however well features tell the class, is worth
 *
 *     max over m of  u_m (p_1 + ... + p_m),   u_m = e^eps / (e^eps + m - 1)
 *
 * at most. Proof. Reports that lead to the same guess may be merged, which keeps eps-LDP; so the
 * report is a guess, right with probability a_c for class c, and worth sum_c p_c a_c. Of a node of
 * another class the guess c has probability a_c / e^eps at least, and the guesses about a node of
 * class c sum to 1: a_c + (A - a_c) / e^eps <= 1, A the sum of all a. At a corner of these
 * inequalities and a >= 0, m classes have tight inequalities, so the same a = u with u + (m - 1) u
 * / e^eps = 1, and the others have a = 0; the best set of m has the largest p. It is reached by
 * randomised response inside these m classes, where nodes of other classes name any of them with
 * probability 1/m. m = 1: no report changes the guess. */
#ifndef HRR_LEARN_REPORT_CEILING_H
#define HRR_LEARN_REPORT_CEILING_H

#include <heterorr/base.h>

typedef struct hrr_report_ceiling {
    uint32_t n_named; /* m: a report names one of the first m classes */
    double right;     /* u_m: how often it names the truth if that is one of them */
} hrr_report_ceiling;

/* n > 0. Cost: O(n). */
hrr_report_ceiling hrr_report_best(const double *p, uint32_t n, double eps);

#endif
