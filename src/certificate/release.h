/* release.h: how a release is put together, for the rooms that make one. */
#ifndef HRR_CERTIFICATE_RELEASE_H
#define HRR_CERTIFICATE_RELEASE_H

#include "io/hash.h"

#include <heterorr/certificate.h>

#include <jansson.h>

/* The arrays of edgerr-node. */
typedef struct hrr_count_parts {
    hrr_array count;   /* int64, n x blocks; without data: there are no counts */
    hrr_array counted; /* uint8, n; without data: all nodes' neighbours were counted */
    hrr_array need;    /* uint32, n; without data: a pair was not counted by need */
    hrr_array block;   /* uint32, n; looked at with need */
    hrr_array rivals;  /* uint32, n x 2; without data: no blocks of a node share a count */
} hrr_count_parts;

struct hrr_release {
    const hrr_graph *graph;
    hrr_graph *own_graph; /* NULL: it is borrowed */
    hrr_terms *terms;     /* NULL: no certificate speaks of it */
    bool mixed;           /* parts of the graph come from other files than the certificate's */
    bool mixed_labels;
    char id[HRR_SHA256_TEXT_SIZE]; /* SHA-256 of its certificate; "": it has none yet */
    bool own_split;                /* whoever trains has chosen another split */
    hrr_count_parts parts;         /* what the counts below look at */
    hrr_block_counts counts;       /* n_blocks 0: none */
    hrr_reports reports;           /* of a head's answers; n_answers 0: none */
    /* Of one that was made in memory, so that it can be written later: */
    json_t *record;          /* its certificate but for the list of files; NULL: it has its files */
    hrr_edge_release beside; /* what the edge mechanism released beside edges */
};

/* Put a release together. It takes graph, terms and arrays over, and leaves them empty, if it
 * succeeds.
 * Errors: HRR_EDATA for counts that do not go with graph and terms, HRR_ENOMEM. */
hrr_status hrr_release_assemble(hrr_release **out, hrr_graph **graph, hrr_terms **terms,
                                hrr_count_parts *parts, hrr_error *err);
void hrr_count_parts_clear(hrr_count_parts *parts);

/* The same of one that was made in memory. Its terms are those of the record, and its counts are
 * found beside its edges. */
hrr_status hrr_release_assemble_made(hrr_release **out, hrr_graph **graph, json_t **record,
                                     hrr_edge_release *beside, hrr_error *err);

/* Find the reports of a head in the features, where the terms say that they are. Errors: HRR_EDATA
 * for features that are not as the terms say, HRR_ENOMEM. */
hrr_status hrr_release_find_reports(hrr_release *release, hrr_error *err) HRR_CHECKED;

/* As hrr_release_non_private(), of a graph that it takes over if it succeeds: draws of an
 * experiment have a seed, and promise nothing. Errors: HRR_ENOMEM. */
hrr_status hrr_release_take_non_private(hrr_release **out, hrr_graph **graph,
                                        hrr_error *err) HRR_CHECKED;

#endif
