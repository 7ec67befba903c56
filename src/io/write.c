/* write.c: graph to path, in the format that is asked for or that the path's ending names. An
 * ending of another program's files is refused: a directory called graph.feather would help nobody.
 */
#include "io/file_names.h"
#include "io/graph_formats.h"
#include "base/memory.h"
#include "base/options.h"

#include <string.h>
#include <strings.h>

typedef enum layout {
    LAYOUT_NATIVE,
    LAYOUT_CSV,
    LAYOUT_TSV,
    LAYOUT_NPZ,
    LAYOUT_MTX,
    LAYOUT_GRAPHML,
    LAYOUT_GEXF,
    LAYOUT_NEO4J,
    LAYOUT_PARQUET,       /* a table of edges */
    LAYOUT_PARQUET_FOLDER /* nodes and edges */
} layout;

static const struct {
    const char *ending;
    layout layout;
    bool packed; /* may be followed by .gz or .zst */
} written[] = {
    {".csv", LAYOUT_CSV, true},   {".tsv", LAYOUT_TSV, true},
    {".txt", LAYOUT_TSV, true},   {".edges", LAYOUT_TSV, true},
    {".mtx", LAYOUT_MTX, true},   {".pairs", LAYOUT_TSV, true},
    {".npz", LAYOUT_NPZ, false},  {".graphml", LAYOUT_GRAPHML, true},
    {".gexf", LAYOUT_GEXF, true}, {".parquet", LAYOUT_PARQUET, false},
};

static const char *const foreign[] = {
    ".gml", ".net",      ".paj",     ".dot",   ".gv",   ".json", ".xml", ".npy",    ".mat",
    ".h5",  ".hdf5",     ".feather", ".arrow", ".xlsx", ".xls",  ".pkl", ".pickle", ".gpickle",
    ".pt",  ".edgelist", ".adjlist", ".metis", ".zip",  ".tar",  ".gz",  ".zst",    ".tgz",
};

/* Whether the first `length` bytes of the path end so, in capitals or not. */
static bool ends(const char *path, size_t length, const char *ending)
{
    const size_t tail = strlen(ending);
    return length > tail && strncasecmp(path + length - tail, ending, tail) == 0;
}

static hrr_status layout_of_path(layout *out, const char *path, hrr_error *err)
{
    const size_t whole = strlen(path);
    const size_t plain = whole - (ends(path, whole, ".gz") ? 3 : ends(path, whole, ".zst") ? 4 : 0);
    for (size_t i = 0; i < sizeof written / sizeof *written; i++)
        if (ends(path, written[i].packed ? plain : whole, written[i].ending)) {
            *out = written[i].layout;
            return HRR_OK;
        }
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (ends(path, whole, foreign[i]))
            return hrr_fail(err, HRR_EINVAL,
                            "%s: files with this ending cannot be written; choose .csv, .tsv, "
                            ".txt, .mtx, .graphml or .gexf (also with .gz or .zst), .npz, "
                            ".parquet, or a name without an ending for a directory",
                            path);
    *out = LAYOUT_NATIVE;
    return HRR_OK;
}

static hrr_status choose_layout(layout *out, const char *format, const char *path, hrr_error *err)
{
    hrr_status status = layout_of_path(out, path, format ? NULL : err);
    if (!format) return status;
    if (strcmp(format, "native") == 0)
        *out = LAYOUT_NATIVE;
    else if (strcmp(format, "edges") == 0)
        *out = !status && *out == LAYOUT_TSV ? LAYOUT_TSV : LAYOUT_CSV;
    else if (strcmp(format, "npz") == 0)
        *out = LAYOUT_NPZ;
    else if (strcmp(format, "mtx") == 0)
        *out = LAYOUT_MTX;
    else if (strcmp(format, "graphml") == 0)
        *out = LAYOUT_GRAPHML;
    else if (strcmp(format, "gexf") == 0)
        *out = LAYOUT_GEXF;
    else if (strcmp(format, "neo4j") == 0)
        *out = LAYOUT_NEO4J;
    else if (strcmp(format, "parquet") == 0)
        *out = !status && *out == LAYOUT_PARQUET ? LAYOUT_PARQUET : LAYOUT_PARQUET_FOLDER;
    else
        return hrr_fail(err, HRR_EINVAL,
                        "`format` %s: cannot be written; choose native, edges, npz, mtx, graphml, "
                        "gexf, parquet or neo4j",
                        format);
    return HRR_OK;
}

void hrr_write_options_init_sized(hrr_write_options *options, size_t size)
{
    const hrr_write_options own = {0};
    hrr_options_init(options, size, &own, sizeof own);
}

static hrr_status choose(layout *out, hrr_write_options *own, const char *path,
                         const hrr_write_options *options, hrr_error *err)
{
    hrr_status status = HRR_ADOPT(hrr_write_options, own, options, err);
    if (!status) status = choose_layout(out, own->format, path, err);
    const bool parquet = *out == LAYOUT_PARQUET || *out == LAYOUT_PARQUET_FOLDER;
    if (!status && own->compression && !parquet)
        status = hrr_fail(
            err, HRR_EINVAL,
            "`compression` applies only to Parquet files, and %s is not one; leave it out", path);
    if (!status && own->compression && strcmp(own->compression, "none") != 0 &&
        strcmp(own->compression, "zstd") != 0)
        status =
            hrr_fail(err, HRR_EINVAL, "`compression` %s: is not supported; choose zstd or none",
                     own->compression);
    if (!status && (own->shard_rows || own->shard_edges) && *out != LAYOUT_NATIVE)
        status =
            hrr_fail(err, HRR_EINVAL,
                     "only a graph directory is cut into shards (`shard_rows`, `shard_edges`), "
                     "and %s is none; leave them out",
                     path);
    if (!status && *out != LAYOUT_NATIVE && !own->replace && hrr_path_is_regular(path))
        status =
            hrr_fail(err, HRR_EINVAL,
                     "%s: exists already; remove it, choose another path, or pass `replace`", path);
    return status;
}

hrr_status hrr_graph_write_check(const char *path, const hrr_write_options *options, hrr_error *err)
{
    layout ignored;
    hrr_write_options own;
    return choose(&ignored, &own, path, options, err);
}

hrr_status hrr_graph_write(const hrr_graph *graph, const char *path,
                           const hrr_write_options *options, hrr_progress *progress, hrr_error *err)
{
    layout chosen;
    hrr_write_options own;
    hrr_status status = choose(&chosen, &own, path, options, err);
    if (status) return status;
    switch (chosen) {
    case LAYOUT_NATIVE:
        return hrr_native_write(graph, path, &own, progress, err);
    case LAYOUT_CSV:
        return hrr_edges_write(graph, path, ',', progress, err);
    case LAYOUT_TSV:
        return hrr_edges_write(graph, path, '\t', progress, err);
    case LAYOUT_NPZ:
        return hrr_npz_graph_write(graph, path, err);
    case LAYOUT_MTX:
        return hrr_mtx_graph_write(graph, path, progress, err);
    case LAYOUT_GRAPHML:
        return hrr_graphml_write(graph, path, progress, err);
    case LAYOUT_GEXF:
        return hrr_gexf_write(graph, path, progress, err);
    case LAYOUT_NEO4J:
        return hrr_neo4j_write(graph, path, own.replace, progress, err);
    case LAYOUT_PARQUET:
    case LAYOUT_PARQUET_FOLDER:
        return hrr_parquet_graph_write(graph, path, chosen == LAYOUT_PARQUET_FOLDER, own.replace,
                                       own.compression && strcmp(own.compression, "none") == 0,
                                       progress, err);
    }
    return HRR_OK;
}
