/* protect.h: hrr_protect() for the rooms behind it, which look at what it shows to whom. */
#ifndef HRR_RELEASE_PROTECT_H
#define HRR_RELEASE_PROTECT_H

#include "release/own_blocks.h"

/* *own gets all that is given, and the defaults of what the program does not know.
 * Errors: HRR_EINVAL. */
hrr_status hrr_protect_options_adopt(hrr_protect_options *own, const hrr_protect_options *given,
                                     hrr_error *err) HRR_CHECKED;

/* hrr_protect() with blocks of another maker than the library's; NULL: as options->blocks_from
 * says. */
hrr_status hrr_protect_with_maker(hrr_release **out, hrr_protect_summary *summary,
                                  const char *bundle, const hrr_graph *graph,
                                  const hrr_protect_options *options, const hrr_block_maker *maker,
                                  hrr_random *random, hrr_progress *progress, hrr_error *err);

#endif
