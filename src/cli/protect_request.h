/* protect_request.h: what was typed, as the options that the library takes: all that can be refused
 * before anything is charged. */
#ifndef HRR_CLI_PROTECT_REQUEST_H
#define HRR_CLI_PROTECT_REQUEST_H

#include "cli/protect_args.h"
#include "cli/public_bounds.h"
#include "cli/scores_file.h"

#include <heterorr/experiment.h>
#include <heterorr/learn.h>

/* Everything that the options point at. */
typedef struct cli_protect_inputs {
    cli_bounds bounds;
    cli_scores scores;
    cli_directions directions;
    uint32_t *blocks;
    hrr_head head;
} cli_protect_inputs;

void cli_protect_inputs_clear(cli_protect_inputs *in);

/* What can be said before the graph is read. Errors: HRR_EINVAL. */
hrr_status cli_protect_read_words(hrr_protect_options *out, const protect_args *a, hrr_error *err);

/* What the release is for: as typed, or as is usual for such a graph. */
hrr_use cli_protect_use(const protect_args *a, const hrr_graph *graph);

/* What needs the graph: files with a number for each feature or node, blocks, and the choice of
 * what was not named. *out points into *in. Errors: HRR_EINVAL, HRR_EDATA, HRR_EIO, HRR_ENOMEM. */
hrr_status cli_protect_read_files(hrr_protect_options *out, cli_protect_inputs *in,
                                  const protect_args *a, const hrr_graph *graph, hrr_error *err);

#endif
