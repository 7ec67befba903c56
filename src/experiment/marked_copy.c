/* marked_copy.c: see marked_copy.h. */
#include "experiment/marked_copy.h"

#include <stdio.h>

void hrr_fraction_format(char text[HRR_FRACTION_SIZE], double fraction)
{
    if (fraction < 0)
        snprintf(text, HRR_FRACTION_SIZE, "as marked");
    else
        snprintf(text, HRR_FRACTION_SIZE, "%g", fraction);
}

hrr_status hrr_marked_copy(hrr_graph **out, const hrr_graph *graph, double fraction, uint64_t seed,
                           hrr_error *err)
{
    const bool as_marked = fraction < 0;
    hrr_status status = hrr_graph_copy(out, graph,
                                       HRR_COPY_EDGES | HRR_COPY_GRAPH_IDS | HRR_COPY_AS_VIEWS |
                                           (as_marked ? HRR_COPY_MARKS | HRR_COPY_CANDIDATES : 0u),
                                       err);
    if (!status && !as_marked && (status = hrr_graph_mark_fraction(*out, fraction, seed, err))) {
        hrr_graph_free(*out);
        *out = NULL;
    }
    return status;
}

hrr_status hrr_fractions_check(const hrr_graph *graph, const double *fractions, size_t n,
                               hrr_error *err)
{
    if (n == 0 && !hrr_graph_is_private(graph))
        return hrr_fail(err, HRR_EINVAL,
                        "the graph does not say which edges are private: treat all edges as "
                        "private (`all_private`), or mark some at random (`private_fractions`)");
    for (size_t i = 0; i < n; i++)
        if (!(fractions[i] >= 0 && fractions[i] <= 1))
            return hrr_fail(err, HRR_EINVAL, "`private_fractions` must lie between 0 and 1");
    return HRR_OK;
}
