/* law_table.h: the certificate that every discrete law is held against, whoever wrote it: a table
 * of integer weights, one row an input, one column an answer. */
#ifndef TESTS_FEATURE_LAW_TABLE_H
#define TESTS_FEATURE_LAW_TABLE_H

#include "privacy/exp_bound.h"

#include <stdbool.h>
#include <stddef.h>

/* True if all rows have the same total and no column has two weights further apart than e^eps; in
 * integers, against a lower bound of e^eps. */
static inline bool table_certifies(const uint64_t *weight, size_t n_inputs, size_t n_answers,
                                   uint64_t eps_nano)
{
    const hrr_exp_bound bound = hrr_exp_lower_bound(eps_nano);
    unsigned __int128 first_total = 0;
    for (size_t i = 0; i < n_inputs; i++) {
        unsigned __int128 total = 0;
        for (size_t u = 0; u < n_answers; u++)
            total += weight[i * n_answers + u];
        if (i == 0) first_total = total;
        if (total != first_total) return false;
    }
    for (size_t u = 0; u < n_answers; u++) {
        uint64_t largest = weight[u], smallest = weight[u];
        for (size_t i = 1; i < n_inputs; i++) {
            uint64_t w = weight[i * n_answers + u];
            if (w > largest) largest = w;
            if (w < smallest) smallest = w;
        }
        if (((unsigned __int128)largest << bound.bits) >
            (unsigned __int128)bound.mantissa * smallest)
            return false;
    }
    return true;
}

#endif
