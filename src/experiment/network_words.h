/* network_words.h: a network and its training as settings of a row. */
#ifndef HRR_EXPERIMENT_NETWORK_WORDS_H
#define HRR_EXPERIMENT_NETWORK_WORDS_H

#include <heterorr/learn.h>

/* The columns, and what stands in them, with commas between. */
#define HRR_NETWORK_COLUMNS                                                                        \
    "hidden", "layers", "aggregation", "bias", "optimiser", "lr", "momentum", "weight_decay",      \
        "dropout", "epochs", "patience"
#define HRR_NETWORK_SIZE 256
void hrr_network_words(char text[HRR_NETWORK_SIZE], const hrr_train_options *train);

#endif
