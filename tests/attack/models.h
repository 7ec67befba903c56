/* models.h: models of every kind on small graphs, a few epochs old. */
#ifndef TESTS_ATTACK_MODELS_H
#define TESTS_ATTACK_MODELS_H

#include "learn/networks.h"
#include "support/references.h"

#include <heterorr/attack.h>
#include <heterorr/generate.h>

typedef struct kind {
    hrr_arch arch;
    hrr_normalisation normalisation;
    uint32_t n_layers, n_propagate;
    bool bias, standardise, multilabel;
} kind;

static const kind kinds[] = {
    {HRR_ARCH_GCN, HRR_NORMALISE_SYMMETRIC, 2, 0, true, false, false},
    {HRR_ARCH_GCN, HRR_NORMALISE_FIRST_ORDER, 2, 0, true, true, false},
    {HRR_ARCH_GCN, HRR_NORMALISE_MEAN, 3, 0, false, true, true},
    {HRR_ARCH_GCN, HRR_NORMALISE_SYMMETRIC, 2, 2, true, true, false},
    {HRR_ARCH_GCN, HRR_NORMALISE_FIRST_ORDER, 1, 0, true, false, true},
    {HRR_ARCH_GCN, HRR_NORMALISE_MEAN, 4, 1, true, false, false},
    {HRR_ARCH_MLP, HRR_NORMALISE_SYMMETRIC, 2, 0, true, false, false},
    {HRR_ARCH_MLP, HRR_NORMALISE_SYMMETRIC, 2, 1, true, true, false},
};
enum { n_kinds = sizeof kinds / sizeof *kinds };

static inline hrr_model *model_of(const kind *k, const hrr_graph *graph)
{
    hrr_train_options options;
    hrr_model *model;
    hrr_train_options_init(&options);
    options.arch = k->arch;
    options.normalisation = k->normalisation;
    options.n_layers = k->n_layers;
    options.n_propagate = k->n_propagate;
    options.bias = k->bias;
    if (k->standardise) options.scale = HRR_SCALE_STANDARD;
    options.n_hidden = 12;
    options.epochs = 5;
    options.threads = 1;
    assert_ok(train_on(&model, NULL, graph, &options, NULL, NULL));
    return model;
}

static inline hrr_graph *graph_for(const kind *k, uint32_t n)
{
    return small_graph(n, HRR_F32, 9, .6, 3, k->multilabel, 5);
}

/* 300 nodes whose classes features and edges tell something about. */
static inline hrr_graph *learnable(double private_fraction)
{
    hrr_generate_options options;
    hrr_graph *graph;
    hrr_generate_options_init(&options);
    options.n_nodes = 300;
    options.n_features = 16;
    options.n_classes = 3;
    options.average_degree = 6;
    options.private_fraction = private_fraction;
    options.threads = 1;
    assert_ok(hrr_generate(&graph, NULL, &options, NULL, NULL));
    return graph;
}

static inline hrr_model *trained(const hrr_graph *graph)
{
    hrr_model *model;
    const hrr_train_options options = short_training(16, 30, 1);
    assert_ok(train_on(&model, NULL, graph, &options, NULL, NULL));
    return model;
}

#endif
