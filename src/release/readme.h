/* readme.h: README.txt of a bundle: how to load it, for whoever receives it. */
#ifndef HRR_RELEASE_README_H
#define HRR_RELEASE_README_H

#include <heterorr/graph.h>

/* has_features, has_labels: which files the bundle has. Errors: HRR_EIO, HRR_ENOMEM. */
hrr_status hrr_readme_write(const char *directory, const hrr_graph *graph, bool has_features,
                            bool has_labels, hrr_error *err);

#endif
