/* network_words.c: see network_words.h. */
#include "experiment/network_words.h"

#include <inttypes.h>
#include <stdio.h>

void hrr_network_words(char text[HRR_NETWORK_SIZE], const hrr_train_options *t)
{
    static const char *const aggregations[] = {"none", "symmetric", "mean", "first-order"};
    snprintf(text, HRR_NETWORK_SIZE,
             "%" PRIu32 ",%" PRIu32 ",%s,%d,%s,%.9g,%.9g,%.9g,%.9g,%" PRIu32 ",%" PRIu32,
             t->n_hidden, t->n_layers, aggregations[t->normalisation], t->bias,
             t->optimiser == HRR_SGD ? "sgd" : "adam", t->learning_rate, t->momentum,
             t->weight_decay, t->dropout, t->epochs, t->patience);
}
