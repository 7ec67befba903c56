/* public_view.c: what of a graph is public, as a graph of its own, so that whoever looks at it
 * cannot look at more: private edges are not in it, nor how many there were. */
#include <heterorr/release.h>

hrr_status hrr_public_view(hrr_graph **out, const hrr_graph *graph, bool features_are_public,
                           bool labels_are_public, hrr_error *err)
{
    unsigned parts =
        HRR_COPY_PUBLIC_EDGES | HRR_COPY_GRAPH_IDS | HRR_COPY_SPLIT | HRR_COPY_AS_VIEWS;
    if (features_are_public) parts |= HRR_COPY_FEATURES;
    if (labels_are_public) parts |= HRR_COPY_LABELS;
    return hrr_graph_copy(out, graph, parts, err);
}
