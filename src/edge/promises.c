/* promises.c: see promises.h. */
#include "edge/promises.h"
#include "base/memory.h"

#include <string.h>

hrr_status hrr_edge_promise_join(hrr_edge_promise *out, const char *mechanism,
                                 const hrr_edge_claim *graphs, uint32_t n, hrr_error *err)
{
    bool same_statement = true, same_evidence = true;
    *out = (hrr_edge_promise){.realised_eps = graphs[0].realised_eps,
                              .not_certified = graphs[0].not_certified};
    for (uint32_t g = 1; g < n; g++) {
        if (graphs[g].realised_eps > out->realised_eps) out->realised_eps = graphs[g].realised_eps;
        same_statement &= strcmp(graphs[g].statement, graphs[0].statement) == 0;
        same_evidence &= strcmp(graphs[g].evidence, graphs[0].evidence) == 0;
    }
    char eps[HRR_EPS_TEXT_SIZE];
    hrr_eps_format(eps, graphs[0].eps_nano);
    out->statement =
        same_statement
            ? hrr_copy_text(graphs[0].statement)
            : hrr_format_text("%s: eps = %s for one candidate pair of any of %u graphs, each "
                              "protected by itself; what differs between them is said of each",
                              mechanism, eps, n);
    out->evidence = same_evidence
                        ? hrr_copy_text(graphs[0].evidence)
                        : hrr_copy_text("that of each graph; a pair lies in one graph only, so the "
                                        "largest epsilon of any graph is that of the whole");
    if (out->statement && out->evidence) return HRR_OK;
    hrr_edge_promise_clear(out);
    return hrr_no_memory(err);
}
