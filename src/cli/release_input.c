/* release_input.c: see release_input.h. */
#include "cli/release_input.h"
#include "cli/graph_input.h"
#include "cli/message.h"

#include <heterorr/learn.h>

#include <jansson.h>
#include <stdio.h>
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

hrr_status cli_release_recorded(char **out, const char *model, hrr_error *err)
{
    char path[4096];
    const int length = snprintf(path, sizeof path, "%s/model.json", model);
    json_t *json = length < (int)sizeof path ? json_load_file(path, 0, NULL) : NULL;
    const char *graph =
        json_string_value(json_object_get(json_object_get(json, "training"), "graph"));
    *out = graph ? strdup(graph) : NULL;
    const bool said = graph;
    json_decref(json);
    if (*out) return HRR_OK;
    if (said) return hrr_fail(err, HRR_ENOMEM, "out of memory");
    return hrr_fail(
        err, HRR_EINVAL,
        "%s does not say what it was trained on; name the release with --release BUNDLE", model);
}

void cli_release_note_match(const hrr_model *model, const hrr_release *release)
{
    const hrr_provenance trained_on = hrr_model_provenance(model);
    if (!trained_on.is_private || !hrr_release_is_private(release)) return;
    const bool same_words =
        trained_on.statement && strcmp(trained_on.statement, hrr_release_statement(release)) == 0;
    const hrr_training_match match = hrr_model_match(model, release);
    if (match == HRR_TRAINED_ELSEWHERE)
        cli_note("the model was trained on another release%s: if both describe the same people, "
                 "their budgets add up",
                 same_words ? " with the same guarantee" : "");
    else if (match == HRR_TRAINED_UNKNOWN && same_words)
        cli_note("the model does not say which release it was trained on, only the guarantee of "
                 "that release");
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
