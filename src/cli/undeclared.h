/* undeclared.h: what the owner of the data has to declare, in the words of the command. */
#ifndef HRR_CLI_UNDECLARED_H
#define HRR_CLI_UNDECLARED_H

#include <heterorr/release.h>

#define CLI_UNDECLARED_SIZE 1000

/* What --public says, "nodes,edges", as hrr_public bits, added to *bits; list may be NULL.
 * Errors: HRR_EINVAL. */
hrr_status cli_read_declared(unsigned *bits, const char *list, hrr_error *err);

/* Which declarations are missing, why, and what to do if it is not public. */
void cli_undeclared_advice(char text[CLI_UNDECLARED_SIZE], unsigned undeclared);

/* HRR_EINVAL, with what to type, where hrr_protect() would fail for want of a declaration. */
hrr_status cli_refuse_undeclared(const hrr_graph *graph, const hrr_protect_options *options,
                                 hrr_error *err);

#endif
