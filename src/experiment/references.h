/* references.h: what results are measured against: treatments, worlds of attacks and guesses that
 * spend nothing, by the names that results files have for them, and in words. */
#ifndef HRR_EXPERIMENT_REFERENCES_H
#define HRR_EXPERIMENT_REFERENCES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct hrr_reference {
    const char *name;    /* as in results files */
    const char *label;   /* of a chart */
    const char *meaning; /* at the end of a sentence about a level: "without edges"; NULL: none is
                            made about it */
    bool unprotected;    /* it uses everything that is private */
} hrr_reference;

/* Those that code has to name; they come first in the table. */
enum { HRR_REFERENCE_NON_PRIVATE = 0, HRR_REFERENCE_PUBLIC_EDGES };

extern const hrr_reference hrr_references[];
extern const size_t hrr_n_references;

/* The row whose name is the first `length` characters; NULL if there is none. */
const hrr_reference *hrr_reference_find(const char *name, size_t length);
/* Whether a series, whose settings may stand behind a comma, has no protection at all. */
bool hrr_is_unprotected(const char *series);

#endif
