/* release_input.h: how verbs that learn, predict or attack read what they are given: a bundle,
 * which is verified, or any graph, as the reference without privacy. */
#ifndef CLI_RELEASE_INPUT_H
#define CLI_RELEASE_INPUT_H

#include <heterorr/certificate.h>
#include <heterorr/io.h>
#include <heterorr/learn.h>

typedef struct cli_release {
    hrr_release *release;
    hrr_graph *graph; /* that the release borrows; NULL: it has its own */
} cli_release;

/* Errors: those of hrr_release_open() and cli_read_graph(). */
hrr_status cli_release_read(cli_release *out, const char *path, const hrr_read_options *options,
                            hrr_progress *progress, hrr_error *err);
/* A bundle, too, is read as a graph like any other, with no promise. */
hrr_status cli_release_read_non_private(cli_release *out, const char *path,
                                        const hrr_read_options *options, hrr_progress *progress,
                                        hrr_error *err);
void cli_release_clear(cli_release *input);

/* Where train found what it trained the model on, as it wrote it down; free() it.
 * Errors: HRR_EINVAL if it did not, HRR_ENOMEM. */
hrr_status cli_release_recorded(char **out, const char *model, hrr_error *err);

/* A note if model and release are private, and the model was trained on another release with the
 * same promise, or does not say. */
void cli_release_note_match(const hrr_model *model, const hrr_release *release);

/* Draw which nodes to train on. Errors: those of hrr_split_new(). */
hrr_status cli_release_draw_split(cli_release *input, double train, double valid, uint64_t seed,
                                  hrr_error *err);

/* The words that --counts takes, for releases with counts of neighbours: auto, ignore. */
const char *const *cli_counts_words(void);
bool cli_ignores_counts(const char *word);

#endif
