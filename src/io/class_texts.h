/* class_texts.h: labels that a file has as texts, numbered as classes. */
#ifndef HRR_IO_CLASS_TEXTS_H
#define HRR_IO_CLASS_TEXTS_H

#include "graph/name_index.h"

/* class_of[i] (n_names of `labels`) is the class of the i-th distinct text: the number that it is,
 * 0 and 1 for false and true, or its place in the alphabet. In the last case *names (hrr memory,
 * texts of `labels`) has the names in order; otherwise it is NULL. `where` begins the messages.
 * Errors: HRR_EDATA also if the texts count something: more than 64 classes, with fewer than ten of
 * the n_nodes nodes each on average. */
hrr_status hrr_number_classes(int32_t *class_of, const char ***names, const hrr_name_index *labels,
                              uint64_t n_nodes, const char *where, hrr_error *err);

#endif
