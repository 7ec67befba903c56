/* mechanism_names.h: the rows of the library's tables as choices of options. Each list ends with
 * NULL. */
#ifndef CLI_MECHANISM_NAMES_H
#define CLI_MECHANISM_NAMES_H

#include <stddef.h>

const char *const *cli_feature_mechanisms(void);
const char *const *cli_edge_mechanisms(void);
const char *const *cli_edge_trees(void);
/* What compare learning runs: mechanisms of features and of edges, and what experiments have
 * beside; a name that is in two tables comes once. */
const char *const *cli_treatments(void);

/* What is to be said about some of the choices of protect. */
void cli_edge_mechanisms_note(char *out, size_t size);
void cli_edge_trees_note(char *out, size_t size);

#endif
