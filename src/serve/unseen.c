/* unseen.c: what a model says about nodes that its release does not have. They join the released
 * graph for the length of one question, with edges to its nodes, whose degrees grow as in any
 * graph.
 *
 * Cost: O(n + m) to put the graph together, then a forward pass over what the new nodes see. */
#include "serve/question.h"
#include "attack/receptive_field.h"
#include "base/memory.h"

#include <string.h>

/* The released edges, and those of the unseen nodes, which are called n, n + 1... */
static hrr_status join(hrr_graph **out, const hrr_graph *released, const hrr_asking *asking,
                       hrr_error *err)
{
    const uint64_t n = hrr_graph_n_nodes(released), m = hrr_graph_n_edges(released);
    hrr_edge_list edges = {0};
    hrr_graph *made = NULL;
    *out = NULL;
    hrr_status status = hrr_graph_new(&made, "", n + asking->n_asked, err);
    if (!status) status = hrr_edge_list_init(&edges, m + asking->n_edges, false, err);
    if (!status) {
        if (m) {
            memcpy(edges.source, hrr_graph_sources(released), m * sizeof *edges.source);
            memcpy(edges.target, hrr_graph_targets(released), m * sizeof *edges.target);
        }
        for (uint64_t e = 0; e < asking->n_edges; e++) {
            edges.source[m + e] = asking->to[e];
            edges.target[m + e] = (uint32_t)n + asking->from[e];
        }
        status = hrr_graph_take_edges(made, &edges, NULL, 0, NULL, err);
    }
    hrr_edge_list_clear(&edges);
    if (status) {
        hrr_graph_free(made);
        return status;
    }
    *out = made;
    return HRR_OK;
}

/* What the first layer makes of the nodes that are seen: it is known of those of the release. */
static void first_rows(hrr_dense *out, const uint32_t *nodes, uint64_t n, const hrr_asking *asking,
                       const hrr_served *served)
{
    const hrr_f64_model *f64 = hrr_local_service_model(served->local);
    const hrr_dense *known = hrr_local_service_first(served->local);
    for (uint64_t i = 0; i < out->rows; i++) {
        double *row = (double *)out->data + i * out->cols;
        if (nodes[i] < n) {
            memcpy(row, (const double *)known->data + nodes[i] * out->cols,
                   out->cols * sizeof *row);
            continue;
        }
        hrr_f64_model_first(row, f64, asking->features + (nodes[i] - n) * f64->shape.n_features);
        for (uint64_t k = 0; k < out->cols; k++)
            row[k] -= f64->centre[k];
    }
}

hrr_status hrr_unseen_answer(double *logits, const hrr_asking *asking, const hrr_served *served,
                             hrr_error *err)
{
    const hrr_f64_model *f64 = hrr_local_service_model(served->local);
    const uint64_t n = hrr_graph_n_nodes(served->graph);
    hrr_graph *joined = NULL;
    hrr_receptive_field field = {0};
    hrr_dense first = {0}, said = {0};
    uint32_t *unseen = NULL;
    hrr_status status = join(&joined, served->graph, asking, err);
    if (status) goto done;
    if (!(unseen = hrr_alloc(asking->n_asked, sizeof *unseen))) {
        status = hrr_no_memory(err);
        goto done;
    }
    for (uint64_t i = 0; i < asking->n_asked; i++)
        unseen[i] = (uint32_t)(n + i);
    if ((status = hrr_receptive_field_init(&field, &f64->shape, joined, unseen, asking->n_asked,
                                           NULL, err)))
        goto done;
    if ((status =
             hrr_dense_init(&first, HRR_F64, field.n_nodes[0], hrr_f64_model_width(f64, 0), err)))
        goto done;
    first_rows(&first, field.nodes[0], n, asking, served);
    if ((status = hrr_f64_model_forward(&said, NULL, f64, &field, &first, 1, NULL, err))) goto done;
    memcpy(logits, said.data, said.rows * said.cols * sizeof *logits);
done:
    hrr_dense_clear(&said);
    hrr_dense_clear(&first);
    hrr_receptive_field_clear(&field);
    hrr_free(unseen);
    hrr_graph_free(joined);
    return status;
}
