/* kernel_coalitions.h: the coalitions that Kernel SHAP looks at, and how much each counts. */
#ifndef HRR_LEARN_KERNEL_COALITIONS_H
#define HRR_LEARN_KERNEL_COALITIONS_H

#include <heterorr/base.h>

/* Proper coalitions of d features: neither none nor all of them. */
typedef struct hrr_coalition_set {
    uint64_t n;
    uint8_t *member; /* n x d, 0 or 1 */
    double *weight;  /* n; they sum to 1 (less what a budget of 2 d cannot see) */
} hrr_coalition_set;

/* At most n_wanted >= 2 d coalitions of d >= 2 features; all 2^d - 2 of them if that is allowed.
 * The same for the same arguments. */
hrr_status hrr_kernel_coalitions(hrr_coalition_set *out, uint64_t n_features, uint64_t n_wanted,
                                 uint64_t seed, hrr_error *err) HRR_CHECKED;
void hrr_coalition_set_clear(hrr_coalition_set *set);

#endif
