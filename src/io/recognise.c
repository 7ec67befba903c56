/* recognise.c: which layout a path names, judged by what is there: the files in a folder, the
 * ending of a file's name, files that begin with the path; last, the first bytes of a file. */
#include "io/file_names.h"
#include "io/graph_formats.h"
#include "io/source.h"
#include "base/memory.h"
#include "base/paths.h"

#include <string.h>

const char *const *hrr_graph_formats(void)
{
    static const char *const formats[] = {"native", "edges",   "npz", "musae", "graphsage",
                                          "ppi",    "ppi-csv", "ogb", "mtx",   "graphml",
                                          "gexf",   "parquet", NULL};
    return formats;
}

static hrr_status has_file(bool *yes, const char *directory, const char *name, hrr_error *err)
{
    char *path = hrr_path_join(directory, name);
    if (!path) return hrr_no_memory(err);
    *yes = hrr_path_is_file(path);
    hrr_free(path);
    return HRR_OK;
}

static hrr_status is_native(bool *yes, const char *path, hrr_error *err)
{
    return has_file(yes, path, "graph.json", err);
}

static hrr_status is_parquet(bool *yes, const char *path, hrr_error *err)
{
    return has_file(yes, path, HRR_PARQUET_EDGES, err);
}

static hrr_status is_ppi(bool *yes, const char *path, hrr_error *err)
{
    hrr_status status = has_file(yes, path, "train_graph.json", err);
    if (!status && !*yes) status = has_file(yes, path, "valid_graph.json", err);
    if (!status && !*yes) status = has_file(yes, path, "test_graph.json", err);
    return status;
}

static hrr_status is_musae(bool *yes, const char *path, hrr_error *err)
{
    char *files[3];
    hrr_status status = hrr_musae_find(files, yes, path, err);
    for (int i = 0; i < 3; i++)
        hrr_free(files[i]);
    return status;
}

static hrr_status is_graphsage(bool *yes, const char *path, hrr_error *err)
{
    char *prefix;
    hrr_status status = hrr_graphsage_find(&prefix, path, err);
    *yes = prefix != NULL;
    hrr_free(prefix);
    return status;
}

static hrr_status is_ogb(bool *yes, const char *path, hrr_error *err)
{
    char *raw;
    hrr_status status = hrr_ogb_find(&raw, path, err);
    *yes = raw != NULL;
    hrr_free(raw);
    return status;
}

static hrr_status is_ppi_csv(bool *yes, const char *path, hrr_error *err)
{
    hrr_entries entries;
    *yes = false;
    hrr_status status = hrr_entries_read(&entries, path, err);
    for (uint64_t i = 0; i < entries.n; i++) {
        int split;
        uint64_t number;
        *yes = *yes || hrr_ppi_csv_name(entries.names[i], &split, &number);
    }
    hrr_entries_clear(&entries);
    return status;
}

static const char *recognise_directory(const char *path, hrr_error *err)
{
    static const struct {
        const char *format;
        hrr_status (*is)(bool *yes, const char *path, hrr_error *err);
    } layouts[] = {{"native", is_native},       {"musae", is_musae}, {"ppi", is_ppi},
                   {"graphsage", is_graphsage}, {"ogb", is_ogb},     {"ppi-csv", is_ppi_csv},
                   {"parquet", is_parquet}};
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        bool yes;
        if (layouts[i].is(&yes, path, err)) return NULL;
        if (yes) return layouts[i].format;
    }
    hrr_fail(
        err, HRR_EDATA,
        "%s: this directory contains no graph in a known format; expected graph.json (native), "
        "edges.csv with features.json and target.csv, also as P_edges.csv or edges/P_edges.csv "
        "with one prefix P (musae; if there are several prefixes, name one as DIRECTORY/P), "
        "train_graph.json (ppi), P-G.json with one prefix P (graphsage), raw/edge.csv.gz with "
        "num-node-list.csv.gz (ogb), train_0.csv (ppi-csv) or edges.parquet (parquet)",
        path);
    return NULL;
}

static bool has_ending(const char *name, const char *const *endings)
{
    for (; *endings; endings++)
        if (hrr_ends_with(name, *endings)) return true;
    return false;
}

/* A tag, perhaps after a byte-order mark and blanks. */
static bool begins_as_xml(const char *bytes, size_t size)
{
    size_t at = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < size && strchr(" \t\r\n", bytes[at]) && bytes[at])
        at++;
    return at < size && bytes[at] == '<';
}

/* The layout whose outermost element these bytes of an XML file open; NULL if it is none. */
static const char *recognise_xml(const char *bytes, size_t size)
{
    static const char *const formats[] = {"graphml", "gexf"}; /* called as the element is */
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        char plain[16] = "<", prefixed[16] = ":";
        strcat(plain, formats[i]);
        strcat(prefixed, formats[i]);
        if (memmem(bytes, size, plain, strlen(plain)) ||
            memmem(bytes, size, prefixed, strlen(prefixed)))
            return formats[i];
    }
    return NULL;
}

/* By the first bytes; text that nothing else claims is an edge list. */
static const char *recognise_contents(const char *path, hrr_error *err)
{
    static const char banner[] = "%%MatrixMarket";
    hrr_source *source;
    const char *bytes, *format = NULL;
    size_t size;
    if (hrr_source_open(&source, path, err)) return NULL;
    if (hrr_source_next(source, &bytes, &size, err)) goto done;
    if (size > 4096) size = 4096;
    if (size >= 2 && (unsigned char)bytes[0] == 0x80 && bytes[1] <= 5) {
        hrr_fail(err, HRR_EDATA,
                 "%s: is a Python pickle, which is never read; save it as .npz or .csv", path);
        goto done;
    }
    if (size >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0)) {
        hrr_fail(err, HRR_EDATA,
                 "%s: is text in UTF-16; save it as UTF-8 (iconv -f UTF-16 -t UTF-8)", path);
        goto done;
    }
    if (size >= 4 && memcmp(bytes, "PK\3\4", 4) == 0)
        format = "npz";
    else if (size >= 4 && (memcmp(bytes, "PAR1", 4) == 0 || memcmp(bytes, "PARE", 4) == 0))
        format = "parquet";
    else if (size >= strlen(banner) && memcmp(bytes, banner, strlen(banner)) == 0)
        format = "mtx";
    else if (begins_as_xml(bytes, size))
        format = recognise_xml(bytes, size);
    else if (size > 0 && !memchr(bytes, '\0', size) && bytes[0] != '{' && bytes[0] != '[')
        format = "edges";
    if (!format)
        hrr_fail(err, HRR_EDATA,
                 "%s: is not a graph in a known format: it is not an edge list (.csv .tsv .txt "
                 ".pairs), .npz, .mtx, .graphml, .gexf or .parquet file, nor a file of a musae or "
                 "graphsage graph whose other files are beside it; name the format with `format`",
                 path);
done:
    hrr_source_close(source);
    return format;
}

static const char *recognise_file(const char *path, hrr_error *err)
{
    static const char *const npz[] = {".npz", NULL};
    static const char *const mtx[] = {".mtx", ".mtx.gz", ".mtx.zst", NULL};
    static const char *const graphml[] = {".graphml", ".graphml.gz", ".graphml.zst", NULL};
    static const char *const gexf[] = {".gexf", ".gexf.gz", ".gexf.zst", NULL};
    static const char *const parquet[] = {".parquet", NULL};
    bool yes;
    if (has_ending(path, npz)) return "npz";
    if (has_ending(path, mtx)) return "mtx";
    if (has_ending(path, graphml)) return "graphml";
    if (has_ending(path, gexf)) return "gexf";
    if (has_ending(path, parquet)) return "parquet";
    if (is_musae(&yes, path, err)) return NULL;
    if (yes) return "musae";
    if (is_graphsage(&yes, path, err)) return NULL;
    if (yes) return "graphsage";
    return recognise_contents(path, err);
}

const char *hrr_graph_recognise(const char *path, hrr_error *err)
{
    bool yes;
    if (hrr_path_is_directory(path)) return recognise_directory(path, err);
    if (hrr_path_is_file(path)) return recognise_file(path, err);
    if (is_musae(&yes, path, err)) return NULL;
    if (yes) return "musae";
    if (is_graphsage(&yes, path, err)) return NULL;
    if (yes) return "graphsage";
    hrr_fail(err, HRR_EIO,
             "%s: there is no such file or directory, and there are no files %s_edges.csv with "
             "%s_features.json and %s_target.csv (musae) or %s-G.json (graphsage)",
             path, path, path, path, path);
    return NULL;
}
