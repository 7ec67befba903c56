/* graph_parts.h: what the graph readers and writers share: arrays turned into the parts of a
 * graph under checks, and errors that carry the name of the file they are about.
 *
 * `where` is the file, or "ARCHIVE: MEMBER", that a message names. The take functions consume
 * their array: it is cleared whether they succeed or not. */
#ifndef HRR_IO_GRAPH_PARTS_H
#define HRR_IO_GRAPH_PARTS_H

#include <heterorr/io.h>

/* Bounds on what a damaged file can make us allocate. */
#define HRR_MAX_CLASSES 65536u
#define HRR_MAX_SPARSE_FEATURES (1 << 20) /* width of features given as lists of positions */

/* Put "WHERE: " before a message about data; other failures already say what they are about. */
hrr_status hrr_error_add_place(hrr_error *err, hrr_status status, const char *where);

/* ---- values ------------------------------------------------------------------------------- */

bool hrr_array_is_integer(const hrr_array *array); /* BOOL too */
/* Item i; an unsigned one over INT64_MAX reads as INT64_MAX. Asserts the type. */
int64_t hrr_array_integer(const hrr_array *array, uint64_t i);

/* HRR_EDATA unless the array is a vector of n integers. */
hrr_status hrr_check_integers(const hrr_array *array, uint64_t n, const char *where,
                              hrr_error *err);

/* n integers of 0..largest as bytes; *out is hrr memory. */
hrr_status hrr_array_bytes(uint8_t **out, const hrr_array *array, uint64_t n, uint8_t largest,
                           const char *where, hrr_error *err);

/* ---- parts of a graph --------------------------------------------------------------------- */

/* n x d numbers. */
hrr_status hrr_take_features_array(hrr_graph *graph, hrr_array *features, const char *where,
                                   hrr_error *err);
/* n integers: one class each (-1 unknown); n x C of 0 and 1: several labels each. n_classes 0:
 * the largest class + 1. */
hrr_status hrr_take_labels_array(hrr_graph *graph, hrr_array *labels, uint32_t n_classes,
                                 const char *where, hrr_error *err);
/* n integers or texts. */
hrr_status hrr_take_ids_array(hrr_graph *graph, hrr_array *ids, const char *where, hrr_error *err);
hrr_status hrr_take_split_array(hrr_graph *graph, hrr_array *split, const char *where,
                                hrr_error *err);
/* C texts; ignored if the graph has no classes. */
hrr_status hrr_set_class_names_array(hrr_graph *graph, hrr_array *names, const char *where,
                                     hrr_error *err);
/* Classes by node, hrr memory, taken on success; n_classes 0: the largest + 1. */
hrr_status hrr_take_classes_counted(hrr_graph *graph, int32_t **classes, uint32_t n_classes,
                                    const char *where, hrr_error *err);

/* ---- and back ----------------------------------------------------------------------------- */

/* A view; the graph's memory stays the graph's. */
hrr_array hrr_array_view(hrr_array_type type, size_t item_size, const void *data, uint64_t rows,
                         uint64_t cols); /* cols 0: a vector */
hrr_array hrr_array_of_dense(const hrr_dense *matrix);
/* The ids as int64 (a view) or S bytes (hrr memory inside *out). */
hrr_status hrr_array_of_ids(hrr_array *out, const hrr_node_ids *ids, uint64_t n_nodes,
                            hrr_error *err);
hrr_status hrr_array_of_class_names(hrr_array *out, const hrr_graph *graph, hrr_error *err);

#endif
