/* names.h: rows of a table by their name.
 *
 * A room's table stays its own: all that is asked of it is the name of row i. So rooms that do not
 * know each other look their rows up the same way, and say the same where there is none. */
#ifndef HRR_BASE_NAMES_H
#define HRR_BASE_NAMES_H

#include <heterorr/base.h>

/* The name of row i; NULL after the last. */
typedef const char *hrr_name_at(size_t i);

/* The row of this name, or the number of rows if there is none: a table that ends with NULL then
 * has that there. name may be NULL. */
size_t hrr_names_find(hrr_name_at *name_at, const char *name);

/* The same for a name that must be there. kind: what the rows are, in words: "edge mechanism";
 * field: where such a name stands: "edges.mechanism".
 * Errors: HRR_EINVAL naming the choices. */
hrr_status hrr_names_choose(size_t *out, hrr_name_at *name_at, const char *name, const char *kind,
                            const char *field, hrr_error *err);

#endif
