/* methods.h: the ways to a tree, by name. */
#ifndef HRR_EDGE_METHODS_H
#define HRR_EDGE_METHODS_H

#include "edge/trees.h"

/* Errors: HRR_EINVAL naming the choices. */
hrr_status hrr_tree_method_choose(const hrr_tree_method **out, const char *name, hrr_error *err);

#endif
