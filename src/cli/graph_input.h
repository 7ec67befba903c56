/* graph_input.h: how every verb that takes GRAPH reads it. */
#ifndef CLI_GRAPH_INPUT_H
#define CLI_GRAPH_INPUT_H

#include "cli/verb.h"

#include <heterorr/io.h>

/* --format, --private-edges and their kin; `at` counts from an hrr_read_options. */
extern const cli_option cli_graph_options[];

/* Read the graph; a choice that the reader made for the user is said on stderr.
 * Errors: those of hrr_graph_read(). */
hrr_status cli_read_graph(hrr_graph **out, const char *path, const hrr_read_options *options,
                          hrr_progress *progress, hrr_error *err);

/* The format's name: the one asked for, or the one recognised; "unknown" if neither. */
const char *cli_graph_format(const char *path, const hrr_read_options *options);

/* HRR_EINVAL if `output` is the graph itself: replacing it would lose the original. */
hrr_status cli_refuse_own_place(const char *graph, const char *output, hrr_error *err);

/* HRR_EINVAL if something is at `output` already and `force` does not allow to replace it: said
 * before any work is done. */
hrr_status cli_refuse_existing(const char *output, bool force, hrr_error *err);

/* Whether the path is a bundle that protect wrote. */
bool cli_is_release(const char *path);

#endif
