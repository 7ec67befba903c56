/* labels.h: randomised response on labels, decided and promised before there is a label. */
#ifndef HRR_FEATURE_LABELS_H
#define HRR_FEATURE_LABELS_H

#include <heterorr/feature.h>

/* What hrr_label_randomise() realises. Errors: HRR_EINVAL as there. */
hrr_status hrr_label_realised_eps(double *realised_eps, uint32_t n_classes, uint64_t eps_nano,
                                  hrr_error *err);

/* C labels a node: binary randomised response on each of the C bits with floor(eps/C), which is
 * FeatureRR with two bins on features that are 0 or 1; C independent channels add up to at most
 * eps for the whole label vector.
 * Ownership: hrr_feature_plan_free().
 * Errors:    HRR_EINVAL if the budget does not suffice for so many bits, HRR_ENOMEM. */
hrr_status hrr_label_bits_plan(hrr_feature_plan **out, uint32_t n_classes, uint64_t eps_nano,
                               hrr_error *err);

#endif
