/* shape.c: see shape.h. */
#include "structure/shape.h"

#include <heterorr/structure.h>

#include <inttypes.h>

hrr_status hrr_same_nodes(const hrr_csr *original, const hrr_csr *released, hrr_error *err)
{
    if (original->rows != original->cols || released->rows != released->cols)
        return hrr_fail(err, HRR_EINVAL, "the adjacency matrix is not square");
    if (original->rows != released->rows)
        return hrr_fail(err, HRR_EINVAL,
                        "the original has %" PRIu64 " nodes and the released graph %" PRIu64
                        "; compare graphs on the same nodes",
                        original->rows, released->rows);
    return HRR_OK;
}

hrr_status hrr_hops_fit(int hops, hrr_error *err)
{
    if (hops >= 1 && hops <= HRR_MAX_HOPS) return HRR_OK;
    return hrr_fail(err, HRR_EINVAL, "`hops` is %d, but must lie between 1 and %d", hops,
                    HRR_MAX_HOPS);
}
