/* kept_answers.h: answers of a service, kept in a file, so that an attack that was stopped goes on
 * where it was: a question that was answered is not asked again. An attack asks the same questions
 * whenever it is given the same seed. */
#ifndef HRR_ATTACK_KEPT_ANSWERS_H
#define HRR_ATTACK_KEPT_ANSWERS_H

#include "io/hash.h"

typedef struct hrr_kept_answers hrr_kept_answers;

/* The file, which is made if it is not there. What a stop in the middle of writing has left at its
 * end is dropped.
 * Ownership: *out belongs to the caller, hrr_kept_answers_close().
 * Errors: HRR_EIO, HRR_EDATA for another file or one that another process writes, HRR_ENOMEM. */
HRR_STATUS hrr_kept_answers_open(hrr_kept_answers **out, const char *path, hrr_error *err);
void hrr_kept_answers_close(hrr_kept_answers *kept); /* NULL is allowed */

/* The answer to the question of that hash, n numbers. False: it is not there. */
bool hrr_kept_answers_find(hrr_kept_answers *kept, const uint8_t question[hrr_sha256_size],
                           double *answer, uint64_t n);
/* Errors: HRR_EIO (a full disk; the file is as it was), HRR_ENOMEM. */
HRR_STATUS hrr_kept_answers_add(hrr_kept_answers *kept, const uint8_t question[hrr_sha256_size],
                                const double *answer, uint64_t n, hrr_error *err);

#endif
