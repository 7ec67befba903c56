/* onnx_graph.c: see onnx_graph.h. The numbers of fields are those of onnx.proto. */
#include "serve/onnx_graph.h"
#include "serve/protobuf.h"

#include <stdio.h>

void hrr_onnx_new_name(char name[HRR_ONNX_NAME], hrr_onnx_graph *graph)
{
    snprintf(name, HRR_ONNX_NAME, "t%u", graph->n_names++);
}

static void put_attribute(hrr_text *node, const hrr_onnx_attribute *attribute)
{
    enum { is_integer = 2, is_text = 3 };
    hrr_text message = {0};
    hrr_pb_text(&message, 1, attribute->name);
    if (attribute->text)
        hrr_pb_text(&message, 4, attribute->text);
    else
        hrr_pb_number(&message, 3, attribute->number);
    hrr_pb_number(&message, 20, attribute->text ? is_text : is_integer);
    hrr_pb_message(node, 5, &message);
}

void hrr_onnx_operate(hrr_onnx_graph *graph, const char *operator_, const char *output,
                      const char *a, const char *b, const char *c,
                      const hrr_onnx_attribute *attributes)
{
    const char *const inputs[] = {a, b, c};
    hrr_text node = {0};
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0] && inputs[i]; i++)
        hrr_pb_text(&node, 1, inputs[i]);
    hrr_pb_text(&node, 2, output);
    hrr_pb_text(&node, 3, output);
    hrr_pb_text(&node, 4, operator_);
    for (const hrr_onnx_attribute *at = attributes; at && at->name; at++)
        put_attribute(&node, at);
    hrr_pb_message(&graph->out, 1, &node);
}

/* ---- constants ------------------------------------------------------------------------------- */

static void put_constant(hrr_onnx_graph *graph, const char *name, hrr_onnx_type type,
                         uint64_t n_rows, uint64_t n_cols, hrr_text *data)
{
    hrr_text tensor = {0};
    hrr_pb_number(&tensor, 1, (int64_t)n_rows);
    if (n_cols) hrr_pb_number(&tensor, 1, (int64_t)n_cols);
    hrr_pb_number(&tensor, 2, type);
    hrr_pb_text(&tensor, 8, name);
    hrr_pb_message(&tensor, 9, data);
    hrr_pb_message(&graph->out, 5, &tensor);
}

/* Little-endian, on any machine. */
static void put_little(hrr_text *out, uint64_t bits, size_t n_bytes)
{
    uint8_t bytes[8];
    for (size_t i = 0; i < n_bytes; i++)
        bytes[i] = (uint8_t)(bits >> (8 * i));
    hrr_text_put_bytes(out, bytes, n_bytes);
}

void hrr_onnx_floats(hrr_onnx_graph *graph, const char *name, const float *values, uint64_t n_rows,
                     uint64_t n_cols)
{
    hrr_text data = {0};
    for (uint64_t i = 0; i < n_rows * (n_cols ? n_cols : 1); i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        put_little(&data, bits, sizeof bits);
    }
    put_constant(graph, name, HRR_ONNX_FLOAT, n_rows, n_cols, &data);
}

void hrr_onnx_integers(hrr_onnx_graph *graph, const char *name, const int64_t *values,
                       uint64_t n_rows, uint64_t n_cols)
{
    hrr_text data = {0};
    for (uint64_t i = 0; i < n_rows * (n_cols ? n_cols : 1); i++)
        put_little(&data, (uint64_t)values[i], sizeof *values);
    put_constant(graph, name, HRR_ONNX_INT64, n_rows, n_cols, &data);
}

/* ---- what goes in and comes out -------------------------------------------------------------- */

static void put_value(hrr_onnx_graph *graph, uint32_t field, const hrr_onnx_value *value)
{
    hrr_text shape = {0}, tensor = {0}, type = {0}, info = {0};
    for (int i = 0; i < value->n_dims; i++) {
        hrr_text dim = {0};
        if (value->dims[i])
            hrr_pb_number(&dim, 1, (int64_t)value->dims[i]);
        else
            hrr_pb_text(&dim, 2, value->free);
        hrr_pb_message(&shape, 1, &dim);
    }
    hrr_pb_number(&tensor, 1, value->type);
    hrr_pb_message(&tensor, 2, &shape);
    hrr_pb_message(&type, 1, &tensor);
    hrr_pb_text(&info, 1, value->name);
    hrr_pb_message(&info, 2, &type);
    hrr_pb_message(&graph->out, field, &info);
}

void hrr_onnx_input(hrr_onnx_graph *graph, const hrr_onnx_value *value)
{
    put_value(graph, 11, value);
}

void hrr_onnx_output(hrr_onnx_graph *graph, const hrr_onnx_value *value)
{
    put_value(graph, 12, value);
}
