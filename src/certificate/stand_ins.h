/* stand_ins.h: what takes the place of public inputs that a certificate does not record, where the
 * promise depends on their shape alone: as many axes as there were directions, a head of zeros with
 * as many answers. */
#ifndef HRR_CERTIFICATE_STAND_INS_H
#define HRR_CERTIFICATE_STAND_INS_H

#include <heterorr/feature.h>

#include <jansson.h>

typedef struct hrr_stand_ins {
    hrr_dense axes; /* empty: it has no directions, or no number of them that could be */
    hrr_head head;  /* weight empty: it has no head */
    double *shares; /* what head.shares looks at */
} hrr_stand_ins;

/* For the recorded features, of n columns. Errors: HRR_ENOMEM. */
hrr_status hrr_stand_ins_make(hrr_stand_ins *out, const json_t *features, uint64_t n,
                              hrr_error *err);
void hrr_stand_ins_clear(hrr_stand_ins *stand_ins);

/* Whether they would be too large to make. */
bool hrr_stand_ins_are_too_large(const json_t *features, uint64_t n);

/* n reals from a number (for all) or a list of n; false: neither. */
bool hrr_json_reals(double *out, uint64_t n, const json_t *json);

#endif
