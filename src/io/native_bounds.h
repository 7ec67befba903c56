/* native_bounds.h: "feature_bounds" of graph.json: [LO, HI] for every feature, or a list with one
 * such pair for each. */
#ifndef HRR_IO_NATIVE_BOUNDS_H
#define HRR_IO_NATIVE_BOUNDS_H

#include <heterorr/graph.h>

#include <jansson.h>

/* NULL or JSON null: the file does not state them. Errors: HRR_EDATA, HRR_ENOMEM. */
hrr_status hrr_native_bounds_read(hrr_graph *graph, const json_t *bounds, hrr_error *err);
/* NULL if the graph does not state them; json_decref(). */
json_t *hrr_native_bounds_json(const hrr_graph *graph);

#endif
