/* labels.c: what is to be learnt about the nodes: one class each, or several labels each. Labels
 * may be private: a message names the row, never the value. */
#include "graph/graph.h"
#include "base/memory.h"

#include <inttypes.h>

static void clear_class_names(hrr_graph *graph)
{
    for (uint32_t label = 0; graph->class_names && label < graph->n_classes; label++)
        hrr_free(graph->class_names[label]);
    hrr_free(graph->class_names);
    graph->class_names = NULL;
}

void hrr_labels_clear(hrr_graph *graph)
{
    clear_class_names(graph);
    hrr_free(graph->classes);
    graph->classes = NULL;
    hrr_dense_clear(&graph->label_matrix);
    graph->n_classes = 0;
}

hrr_status hrr_graph_take_classes(hrr_graph *graph, int32_t **classes, uint32_t n_classes,
                                  hrr_error *err)
{
    if (n_classes == 0 || n_classes > INT32_MAX)
        return hrr_fail(err, HRR_EDATA, "labels: the number of classes must be 1 to %" PRId32,
                        INT32_MAX);
    for (uint64_t node = 0; node < graph->n_nodes; node++)
        if ((*classes)[node] < -1 || (*classes)[node] >= (int64_t)n_classes)
            return hrr_fail(err, HRR_EDATA,
                            "labels: row %" PRIu64
                            " (counting from 0) is neither a class from 0 to %" PRIu32
                            " nor -1 (unknown)",
                            node, n_classes - 1);
    hrr_labels_clear(graph);
    graph->classes = *classes;
    graph->n_classes = n_classes;
    *classes = NULL;
    return HRR_OK;
}

hrr_status hrr_graph_take_label_matrix(hrr_graph *graph, hrr_dense *labels, hrr_error *err)
{
    if (labels->dtype != HRR_U8)
        return hrr_fail(err, HRR_EDATA,
                        "labels: a label matrix must contain bytes that are 0 or 1");
    if (labels->rows != graph->n_nodes)
        return hrr_fail(err, HRR_EDATA,
                        "labels: %" PRIu64 " %s, but the graph has %" PRIu64
                        " %s; there must be one row per node",
                        labels->rows, hrr_plural(labels->rows, "row", "rows"), graph->n_nodes,
                        hrr_plural(graph->n_nodes, "node", "nodes"));
    if (labels->cols == 0 || labels->cols > INT32_MAX)
        return hrr_fail(err, HRR_EDATA, "labels: the number of columns must be 1 to %" PRId32,
                        INT32_MAX);
    const uint8_t *label = labels->data;
    uint64_t count = labels->rows * labels->cols;
    for (uint64_t i = 0; i < count; i++)
        if (label[i] > 1)
            return hrr_fail(err, HRR_EDATA,
                            "labels: row %" PRIu64 ", column %" PRIu64
                            " (counting from 0) is neither 0 nor 1",
                            i / labels->cols, i % labels->cols);
    hrr_labels_clear(graph);
    graph->n_classes = (uint32_t)labels->cols;
    graph->label_matrix = *labels;
    *labels = (hrr_dense){0};
    return HRR_OK;
}

hrr_status hrr_graph_set_class_names(hrr_graph *graph, const char *const *names, hrr_error *err)
{
    if (graph->n_classes == 0)
        return hrr_fail(err, HRR_EINVAL, "class names need labels, and the graph has none");
    char **copies = hrr_alloc_zero(graph->n_classes, sizeof *copies);
    bool whole = copies != NULL;
    for (uint32_t label = 0; whole && label < graph->n_classes; label++)
        whole = (copies[label] = hrr_copy_text(names[label])) != NULL;
    if (whole) {
        clear_class_names(graph);
        graph->class_names = copies;
        return HRR_OK;
    }
    for (uint32_t label = 0; copies && label < graph->n_classes; label++)
        hrr_free(copies[label]);
    hrr_free(copies);
    return hrr_no_memory(err);
}
