/* release_input.c: see release_input.h. */
#include "cli/release_input.h"
#include "cli/graph_input.h"
#include "cli/message.h"

#include <heterorr/learn.h>

#include <string.h>

hrr_status cli_release_read(cli_release *out, const char *path, const hrr_read_options *options,
                            hrr_progress *progress, hrr_error *err)
{
    if (!hrr_path_is_bundle(path))
        return cli_release_read_non_private(out, path, options, progress, err);
    *out = (cli_release){0};
    cli_read_talk talk;
    cli_read_begin(&talk, options);
    hrr_status status = hrr_release_open(&out->release, path, &talk.options, progress, err);
    cli_read_end(&talk, path, status ? NULL : hrr_release_graph(out->release));
    if (status == HRR_ECHECK) cli_add_advice(err, " (heterorr verify says more)");
    return status;
}

hrr_status cli_release_read_non_private(cli_release *out, const char *path,
                                        const hrr_read_options *options, hrr_progress *progress,
                                        hrr_error *err)
{
    *out = (cli_release){0};
    hrr_status status = cli_read_graph(&out->graph, path, options, progress, err);
    if (!status) status = hrr_release_non_private(&out->release, out->graph, err);
    if (status) cli_release_clear(out);
    return status;
}

void cli_release_clear(cli_release *input)
{
    hrr_release_free(input->release);
    hrr_graph_free(input->graph);
    *input = (cli_release){0};
}

hrr_status cli_release_draw_split(cli_release *input, double train, double valid, uint64_t seed,
                                  hrr_error *err)
{
    const uint64_t n = hrr_graph_n_nodes(hrr_release_graph(input->release));
    uint8_t *split = hrr_split_new(n, train, valid, seed, err);
    if (!split) return err->status;
    hrr_status status = input->graph ? hrr_graph_take_split(input->graph, &split, err)
                                     : hrr_release_take_split(input->release, &split, err);
    if (status) hrr_free(split);
    return status;
}

const char *const *cli_counts_words(void)
{
    static const char *const names[] = {"auto", "ignore", NULL};
    return names;
}

bool cli_ignores_counts(const char *word)
{
    return strcmp(word, cli_counts_words()[1]) == 0;
}
