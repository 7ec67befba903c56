/* stored.h: a release that was made before, given out again at no cost. */
#ifndef HRR_RELEASE_STORED_H
#define HRR_RELEASE_STORED_H

#include <heterorr/release.h>

/* What the request says for the certificate, the stored certificate says, too: it is given out as
 * it is, and whoever asks for other words would believe that they stand there. Words that the
 * request leaves out may be any. A release that nobody signed may be signed now.
 * Errors: HRR_EINVAL if it does not, HRR_EDATA, HRR_ENOMEM. */
hrr_status hrr_stored_check_words(const char *stored, const hrr_protect_options *options,
                                  hrr_error *err);

/* Make `to` a copy of the bundle `stored`, which is verified first; nothing to do if they are the
 * same place. *edges_out: how many edges it has.
 * Errors: HRR_EDATA if the stored bundle is damaged, HRR_EINVAL if `to` is taken and not to be
 *         replaced, HRR_EIO, HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_stored_copy(uint64_t *edges_out, const char *to, const char *stored, bool replace,
                           hrr_progress *progress, hrr_error *err);
/* The failures of it that can be foreseen; nothing is written. */
hrr_status hrr_stored_check(const char *to, const char *stored, bool replace,
                            hrr_progress *progress, hrr_error *err);

#endif
