/* pgb.h: what rooms know of PGB's queries beside <heterorr/structure.h>. */
#ifndef HRR_STRUCTURE_PGB_H
#define HRR_STRUCTURE_PGB_H

#include <heterorr/structure.h>

/* Whether a is nearer to the original than b; never if either is NAN. */
bool hrr_pgb_is_better(hrr_pgb_query query, double a, double b);

/* The query of this name in files; false: there is none. */
bool hrr_pgb_query_find(hrr_pgb_query *query, const char *name);

#endif
