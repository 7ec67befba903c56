/* unfinished.h: rows that were computed, kept on disk until there are all of them: what makes an
 * interrupted run go on where it stopped, and memory flat.
 *
 * DIRECTORY.unfinished holds plan (a hash of all that the rows depend on), z.npy and zhat.npy with
 * rows of which some are not there yet, and journal: a line for each row that is. A line is
 * appended after its rows were written and synced, so a row that the journal names is whole; half a
 * line at the end is a run that was killed, and is passed over. */
#ifndef HRR_VISION_UNFINISHED_H
#define HRR_VISION_UNFINISHED_H

#include "vision/boxes.h"
#include "io/hash.h"

typedef struct hrr_unfinished hrr_unfinished;

/* Begin at DIRECTORY.unfinished, or go on there. Files are locked: two runs cannot work on one.
 * Errors: HRR_EINVAL if what is there was begun with another plan and `replace` is false, or if
 *         another run is at it; HRR_EIO, HRR_ENOMEM. */
HRR_STATUS hrr_unfinished_open(hrr_unfinished **out, const char *directory,
                               const uint8_t plan[hrr_sha256_size], uint64_t n_rows,
                               uint64_t n_features, bool masked, bool replace, hrr_error *err);
/* Close; what was kept stays. NULL is allowed. */
void hrr_unfinished_free(hrr_unfinished *unfinished);

const char *hrr_unfinished_path(const hrr_unfinished *unfinished);
bool hrr_unfinished_has(const hrr_unfinished *unfinished, uint64_t row);
uint64_t hrr_unfinished_count(const hrr_unfinished *unfinished);
/* Of a row that is there. */
const hrr_boxes *hrr_unfinished_boxes(const hrr_unfinished *unfinished, uint64_t row);

/* Keep n rows: row rows[i] is z + i * d, masked zhat + i * d (NULL: not masked) with boxes[i],
 * which move. One thread at a time. Errors: HRR_EIO. */
HRR_STATUS hrr_unfinished_keep(hrr_unfinished *unfinished, const uint64_t *rows, uint32_t n,
                               const float *z, const float *zhat, hrr_boxes *boxes, hrr_error *err);

/* "DIRECTORY.unfinished/z.npy" or zhat.npy, as a .npy file; hrr memory, NULL: out of it. */
char *hrr_unfinished_array(const hrr_unfinished *unfinished, bool masked);

/* Close and remove it. */
void hrr_unfinished_remove(hrr_unfinished *unfinished);

#endif
