/* graph_input.h: how every verb that takes GRAPH reads it. */
#ifndef CLI_GRAPH_INPUT_H
#define CLI_GRAPH_INPUT_H

#include "cli/verb.h"

#include <heterorr/io.h>

/* --format, --private-edges and their kin; `at` counts from an hrr_read_options. */
extern const cli_option cli_graph_options[];

/* --scratch, of the verbs for graphs that are larger than memory; `at` counts from a const char *,
 * which goes to hrr_set_scratch(). */
extern const cli_option cli_scratch_options[];

/* Read the graph; a choice that the reader made for the user is said on stderr.
 * Errors: those of hrr_graph_read(). */
hrr_status cli_read_graph(hrr_graph **out, const char *path, const hrr_read_options *options,
                          hrr_progress *progress, hrr_error *err);

/* The same around another way to read. Before: talk->options are what to read with. After, in any
 * case: what the reader noticed is said; graph NULL: it could not be read. */
typedef struct cli_read_talk {
    hrr_read_options options;
    hrr_read_report report;
} cli_read_talk;
void cli_read_begin(cli_read_talk *out, const hrr_read_options *options);
void cli_read_end(cli_read_talk *talk, const char *path, const hrr_graph *graph);

/* The format's name: the one asked for, or the one recognised; "unknown" if neither. */
const char *cli_graph_format(const char *path, const hrr_read_options *options);

/* HRR_EINVAL if `output` is the graph itself: replacing it would lose the original. */
hrr_status cli_refuse_own_place(const char *graph, const char *output, hrr_error *err);

/* HRR_EINVAL if something is at `output` already and `force` does not allow to replace it: said
 * before any work is done. */
hrr_status cli_refuse_existing(const char *output, bool force, hrr_error *err);

#endif
