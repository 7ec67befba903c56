/* pgb_queries.c: the table of PGB's queries (Liu et al., "PGB: Benchmarking differentially private
 * synthetic graph generation algorithms", 2024). */
#include "structure/pgb.h"

#include <string.h>

static const hrr_pgb_row rows[HRR_N_PGB_QUERIES] = {
    [HRR_PGB_NODES] = {"nodes", "nodes", HRR_PGB_RELATIVE_ERROR, false},
    [HRR_PGB_EDGES] = {"edges", "edges", HRR_PGB_RELATIVE_ERROR, false},
    [HRR_PGB_TRIANGLES] = {"triangles", "triangles", HRR_PGB_RELATIVE_ERROR, true},
    [HRR_PGB_MEAN_DEGREE] = {"mean_degree", "mean degree", HRR_PGB_RELATIVE_ERROR, false},
    [HRR_PGB_DEGREE_VARIANCE] = {"degree_variance", "degree variance", HRR_PGB_RELATIVE_ERROR,
                                 true},
    [HRR_PGB_DEGREES] = {"degree_kl", "degree distribution", HRR_PGB_DIVERGENCE, true},
    [HRR_PGB_DIAMETER] = {"diameter", "diameter", HRR_PGB_RELATIVE_ERROR, true},
    [HRR_PGB_MEAN_PATH] = {"mean_path", "mean path", HRR_PGB_RELATIVE_ERROR, true},
    [HRR_PGB_DISTANCES] = {"distance_kl", "path distribution", HRR_PGB_DIVERGENCE, true},
    [HRR_PGB_TRANSITIVITY] = {"gcc", "transitivity", HRR_PGB_RELATIVE_ERROR, true},
    [HRR_PGB_LOCAL_CLUSTERING] = {"acc", "mean local clustering", HRR_PGB_RELATIVE_ERROR, true},
    [HRR_PGB_COMMUNITIES] = {"nmi", "communities", HRR_PGB_MUTUAL_INFORMATION, true},
    [HRR_PGB_MODULARITY] = {"modularity", "modularity", HRR_PGB_RELATIVE_ERROR, true},
    [HRR_PGB_ASSORTATIVITY] = {"assortativity", "assortativity", HRR_PGB_RELATIVE_ERROR, true},
    [HRR_PGB_CENTRALITY] = {"evc_mae", "eigenvector centrality", HRR_PGB_MEAN_DIFFERENCE, true},
};

const hrr_pgb_row *hrr_pgb_rows(void)
{
    return rows;
}

const char *hrr_pgb_measure_name(hrr_pgb_measure measure)
{
    static const char *const names[] = {"relative error", "KL divergence", "NMI",
                                        "mean difference"};
    return names[measure];
}

bool hrr_pgb_is_better(hrr_pgb_query query, double a, double b)
{
    return rows[query].measure == HRR_PGB_MUTUAL_INFORMATION ? a > b : a < b;
}

bool hrr_pgb_query_find(hrr_pgb_query *query, const char *name)
{
    for (int q = 0; q < HRR_N_PGB_QUERIES; q++)
        if (strcmp(rows[q].name, name) == 0) {
            *query = (hrr_pgb_query)q;
            return true;
        }
    return false;
}
