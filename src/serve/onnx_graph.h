/* onnx_graph.h: a graph of ONNX operators under construction. Operators are put one after another;
 * each names what it takes and what it makes. Its only failure is want of memory, remembered in
 * `out`. */
#ifndef HRR_SERVE_ONNX_GRAPH_H
#define HRR_SERVE_ONNX_GRAPH_H

#include "report/text.h"

/* By onnx.proto. */
typedef enum hrr_onnx_type {
    HRR_ONNX_FLOAT = 1,
    HRR_ONNX_UINT8 = 2,
    HRR_ONNX_INT64 = 7
} hrr_onnx_type;

enum { HRR_ONNX_NAME = 32 };

typedef struct hrr_onnx_graph {
    hrr_text out;     /* of the message GraphProto */
    uint32_t n_names; /* that hrr_onnx_new_name() has given */
} hrr_onnx_graph;

typedef struct hrr_onnx_attribute {
    const char *name; /* NULL: none */
    const char *text; /* NULL: a number */
    int64_t number;
} hrr_onnx_attribute;

/* A name that nothing has yet. */
void hrr_onnx_new_name(char name[HRR_ONNX_NAME], hrr_onnx_graph *graph);

/* output = operator(a, b, c); b, c and attributes may be NULL. Attributes end with one without a
 * name. */
void hrr_onnx_operate(hrr_onnx_graph *graph, const char *operator_, const char *output,
                      const char *a, const char *b, const char *c,
                      const hrr_onnx_attribute *attributes);

/* A constant. n_cols 0: one dimension. */
void hrr_onnx_floats(hrr_onnx_graph *graph, const char *name, const float *values, uint64_t n_rows,
                     uint64_t n_cols);
void hrr_onnx_integers(hrr_onnx_graph *graph, const char *name, const int64_t *values,
                       uint64_t n_rows, uint64_t n_cols);

/* What goes in, or comes out. A dimension of 0 is as long as the caller makes it, and is called
 * `free`. */
typedef struct hrr_onnx_value {
    const char *name;
    hrr_onnx_type type;
    int n_dims;
    uint64_t dims[2];
    const char *free;
} hrr_onnx_value;
void hrr_onnx_input(hrr_onnx_graph *graph, const hrr_onnx_value *value);
void hrr_onnx_output(hrr_onnx_graph *graph, const hrr_onnx_value *value);

#endif
