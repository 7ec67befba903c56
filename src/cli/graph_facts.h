/* graph_facts.h: what `inspect` counts in a graph. */
#ifndef CLI_GRAPH_FACTS_H
#define CLI_GRAPH_FACTS_H

#include <heterorr/graph.h>

enum { CLI_N_QUANTILES = 5 };
extern const double cli_quantiles[CLI_N_QUANTILES]; /* 0.25, 0.5, 0.75, 0.9, 0.99 */

typedef struct cli_graph_facts {
    /* degrees */
    uint64_t isolated_nodes;
    double density; /* edges over the pairs of nodes that lie in the same graph */
    double mean_degree;
    uint64_t max_degree;
    uint64_t degree_quantile[CLI_N_QUANTILES];
    uint64_t *nodes_of_degree; /* max_degree + 1 counts */
    /* labels */
    uint64_t *nodes_of_class; /* n_classes counts, or NULL */
    uint64_t unlabelled;
    double homophily; /* share of the edges that join two nodes of one class; NaN: no classes */
    uint64_t split_size[3];
    /* features */
    double feature_low, feature_high; /* NaN: no features */
    double feature_nonzero;           /* share of the values */
    uint64_t candidates;
} cli_graph_facts;

/* O(n + m + n d) time, O(n + max_degree) memory. Errors: HRR_ENOMEM, HRR_ECANCEL. */
hrr_status cli_graph_facts_init(cli_graph_facts *out, const hrr_graph *graph,
                                hrr_progress *progress, hrr_error *err);
void cli_graph_facts_clear(cli_graph_facts *facts);

#endif
