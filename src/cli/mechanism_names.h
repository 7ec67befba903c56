/* mechanism_names.h: the rows of the library's tables as choices of options. Each list ends with
 * NULL. */
#ifndef CLI_MECHANISM_NAMES_H
#define CLI_MECHANISM_NAMES_H

const char *const *cli_feature_mechanisms(void);
const char *const *cli_edge_mechanisms(void);
/* Both; a name that both have comes once. */
const char *const *cli_all_mechanisms(void);
const char *const *cli_edge_trees(void);

#endif
