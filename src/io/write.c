/* write.c: graph to path, in the format that is asked for or that the path's ending names. */
#include "io/file_names.h"
#include "io/graph_formats.h"
#include "base/memory.h"

#include <string.h>

typedef enum layout { LAYOUT_NATIVE, LAYOUT_CSV, LAYOUT_TSV, LAYOUT_NPZ, LAYOUT_MTX } layout;

static layout layout_of_path(const char *path)
{
    static const struct {
        const char *ending;
        layout layout;
    } endings[] = {
        {".csv", LAYOUT_CSV}, {".csv.gz", LAYOUT_CSV}, {".csv.zst", LAYOUT_CSV},
        {".tsv", LAYOUT_TSV}, {".tsv.gz", LAYOUT_TSV}, {".tsv.zst", LAYOUT_TSV},
        {".mtx", LAYOUT_MTX}, {".mtx.gz", LAYOUT_MTX}, {".mtx.zst", LAYOUT_MTX},
        {".npz", LAYOUT_NPZ},
    };
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (hrr_ends_with(path, endings[i].ending)) return endings[i].layout;
    return LAYOUT_NATIVE;
}

static hrr_status choose_layout(layout *out, const char *format, const char *path, hrr_error *err)
{
    *out = layout_of_path(path);
    if (!format) return HRR_OK;
    if (strcmp(format, "native") == 0)
        *out = LAYOUT_NATIVE;
    else if (strcmp(format, "edges") == 0)
        *out = *out == LAYOUT_TSV ? LAYOUT_TSV : LAYOUT_CSV;
    else if (strcmp(format, "npz") == 0)
        *out = LAYOUT_NPZ;
    else if (strcmp(format, "mtx") == 0)
        *out = LAYOUT_MTX;
    else
        return hrr_fail(err, HRR_EINVAL,
                        "--format %s: is not written; choose native, edges, npz or mtx", format);
    return HRR_OK;
}

hrr_status hrr_graph_write(const hrr_graph *graph, const char *path,
                           const hrr_write_options *options, hrr_progress *progress, hrr_error *err)
{
    static const hrr_write_options defaults = {0};
    layout chosen;
    if (!options) options = &defaults;
    hrr_status status = choose_layout(&chosen, options->format, path, err);
    if (status) return status;
    if (chosen == LAYOUT_NATIVE)
        return hrr_native_write(graph, path, options->replace, progress, err);
    if (!options->replace && hrr_path_is_regular(path))
        return hrr_fail(err, HRR_EINVAL,
                        "%s: exists already; remove it, choose another path, or pass --force",
                        path);
    switch (chosen) {
    case LAYOUT_CSV:
        return hrr_edges_write(graph, path, ',', progress, err);
    case LAYOUT_TSV:
        return hrr_edges_write(graph, path, '\t', progress, err);
    case LAYOUT_NPZ:
        return hrr_npz_graph_write(graph, path, err);
    case LAYOUT_MTX:
        return hrr_mtx_graph_write(graph, path, progress, err);
    case LAYOUT_NATIVE:
        break;
    }
    return HRR_OK;
}
