/* native_write.h: the parts of the native layout, for a writer that leaves some out or makes them
 * itself. Each writes into an existing directory. */
#ifndef HRR_IO_NATIVE_WRITE_H
#define HRR_IO_NATIVE_WRITE_H

#include <heterorr/io.h>

hrr_status hrr_native_put(const char *directory, const char *name, const hrr_array *array,
                          hrr_error *err);
/* n items; nothing is written if data is NULL. */
hrr_status hrr_native_put_vector(const char *directory, const char *name, hrr_array_type type,
                                 size_t item_size, const void *data, uint64_t n, hrr_error *err);
/* NAME.npy, in pieces that progress counts; nothing is written if matrix is NULL. */
hrr_status hrr_native_put_dense(const char *directory, const char *name, const hrr_dense *matrix,
                                hrr_progress *progress, hrr_error *err);
/* edges.npy. */
hrr_status hrr_native_put_edges(const hrr_graph *graph, const char *directory,
                                hrr_progress *progress, hrr_error *err);
/* node_ids.npy, if the graph has ids of its own. */
hrr_status hrr_native_put_ids(const hrr_graph *graph, const char *directory, hrr_error *err);
/* graph.json: name, classes and number of nodes are the graph's, the rest is what was written.
 * same_features: they are the graph's own, so its bounds are stated too.
 * all_public: that no edge is private is known, and not just that none is marked.
 * inferred: hrr_inferred bits, which must survive a copy: what was concluded from private data is
 * still private in another layout. */
hrr_status hrr_native_put_json(const hrr_graph *graph, const char *directory, uint64_t n_edges,
                               uint64_t n_features, bool same_features, bool all_public,
                               unsigned inferred, const char *provenance, hrr_error *err);

/* All parts that the graph has, into an existing directory: what hrr_native_write() puts there, for
 * a writer that adds files of its own. */
hrr_status hrr_native_put_parts(const hrr_graph *graph, const char *directory,
                                const hrr_write_options *options, hrr_progress *progress,
                                hrr_error *err);

#endif
