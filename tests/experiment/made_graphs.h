/* made_graphs.h: the small graphs that experiments are tried on. */
#ifndef TESTS_EXPERIMENT_MADE_GRAPHS_H
#define TESTS_EXPERIMENT_MADE_GRAPHS_H

#include "support/check.h"

#include <heterorr/generate.h>

/* Six features, three classes. */
static inline hrr_graph *made_graph(uint64_t n_nodes, double average_degree,
                                    double private_fraction, bool multilabel)
{
    hrr_generate_options options;
    hrr_generate_options_init(&options);
    options.n_nodes = n_nodes;
    options.n_features = 6;
    options.n_classes = 3;
    options.average_degree = average_degree;
    options.private_fraction = private_fraction;
    options.multilabel = multilabel;
    hrr_graph *graph;
    assert_ok(hrr_generate(&graph, NULL, &options, NULL, NULL));
    return graph;
}

#endif
