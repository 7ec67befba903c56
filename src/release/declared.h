/* declared.h: what must be public for a release to be private, and who says that it is. */
#ifndef HRR_RELEASE_DECLARED_H
#define HRR_RELEASE_DECLARED_H

#include <heterorr/release.h>

/* The hrr_public bits that this release rests on without anything but a declaration behind them. */
unsigned hrr_public_needed(const hrr_graph *graph, const hrr_protect_options *options);

/* The hrr_public bits that were declared. Bounds that are given are the owner's word that they are
 * public, whether they are typed or read from a file. */
unsigned hrr_public_declared(const hrr_protect_options *options);

/* HRR_EINVAL if hrr_public_refused(), or if edges that are marked are declared public. */
hrr_status hrr_public_check(const hrr_graph *graph, const hrr_protect_options *options,
                            hrr_error *err);

/* Those of them that nobody declared. */
unsigned hrr_public_undeclared(const hrr_graph *graph, const hrr_protect_options *options);

#endif
