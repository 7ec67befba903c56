/* io.h: files to graphs and arrays, and back. Formats are described in docs/formats.md.
 * Nothing here reads or writes pickle. */
#ifndef HETERORR_IO_H
#define HETERORR_IO_H

#include <heterorr/graph.h>
#include <heterorr/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- arrays ------------------------------------------------------------------------------- */

typedef enum hrr_array_type {
    HRR_ARRAY_BOOL = 1,
    HRR_ARRAY_I8,
    HRR_ARRAY_I16,
    HRR_ARRAY_I32,
    HRR_ARRAY_I64,
    HRR_ARRAY_U8,
    HRR_ARRAY_U16,
    HRR_ARRAY_U32,
    HRR_ARRAY_U64,
    HRR_ARRAY_F16,
    HRR_ARRAY_F32,
    HRR_ARRAY_F64,
    HRR_ARRAY_BYTES, /* numpy S: item_size bytes, NUL padded */
    HRR_ARRAY_UCS4   /* numpy U: item_size / 4 code points */
} hrr_array_type;

#define HRR_ARRAY_MAX_DIMS 4

/* An n-dimensional array as numpy stores it, brought to this machine's byte order and row-major
 * order. A file that is so already stays mapped: `data` points into it. */
typedef struct hrr_array {
    hrr_array_type type;
    size_t item_size;
    int n_dims;
    uint64_t shape[HRR_ARRAY_MAX_DIMS];
    uint64_t n_items;
    void *data;
    hrr_region storage;
} hrr_array;

HRR_API HRR_STATUS hrr_array_read(hrr_array *out, const char *npy_path, hrr_error *err);
HRR_API HRR_STATUS hrr_array_write(const hrr_array *array, const char *npy_path, hrr_error *err);
HRR_API void hrr_array_clear(hrr_array *array);

/* A 2-dimensional array as a matrix of U8, F32 or F64 (a 1-dimensional one as a column). F32,
 * F64, U8 and BOOL move without a copy; other integers become F64, F16 becomes F32. `what` names
 * the array in messages. The array is left empty on success. */
HRR_API HRR_STATUS hrr_array_into_dense(hrr_dense *out, hrr_array *array, const char *what,
                                        hrr_error *err);
HRR_API HRR_STATUS hrr_dense_write(const hrr_dense *matrix, const char *npy_path, hrr_error *err);

/* ---- npz archives --------------------------------------------------------------------------- */

typedef struct hrr_npz_reader hrr_npz_reader;
HRR_API HRR_STATUS hrr_npz_open(hrr_npz_reader **out, const char *path, hrr_error *err);
HRR_API HRR_STATUS hrr_npz_read(hrr_array *out, hrr_npz_reader *npz, const char *name,
                                hrr_error *err);
HRR_API void hrr_npz_close(hrr_npz_reader *npz);

typedef struct hrr_npz_item {
    const char *name;
    const hrr_array *array;
} hrr_npz_item;
HRR_API HRR_STATUS hrr_npz_write(const char *path, const hrr_npz_item *items, size_t n_items,
                                 hrr_error *err);

/* ---- graphs --------------------------------------------------------------------------------- */

/* The formats, as in hrr_read_options.format: "native", "edges", "npz", "musae", "graphsage",
 * "ppi", "ppi-csv", "ogb", "mtx", "graphml", "gexf", "parquet". NULL-terminated. */
HRR_API const char *const *hrr_graph_formats(void);

/* Decisions that the readers made because the files leave them open, one sentence each, for the
 * owner. They name files, lines and columns, never values. All zero bytes is an empty report. */
typedef struct hrr_read_report {
    size_t n_notes;
    char **notes;
} hrr_read_report;

HRR_API void hrr_read_report_clear(hrr_read_report *report);

typedef struct hrr_read_options {
    size_t size;                /* set by hrr_read_options_init() */
    const char *format;         /* NULL: recognise */
    const char *header;         /* "yes" or "no": whether the first row of each text file names its
                                   columns; NULL: decided by comparing it with the others */
    const char *private_column; /* the mark column or edge attribute to use; NULL: all of them */
    const char *private_edges;  /* an edge list of the private edges, in the graph's own ids */
    bool all_private;           /* every edge is private, whatever the data says */
    double private_fraction;    /* negative: not used */
    uint64_t mark_seed;
    const char *candidates; /* one node id a line; NULL: all nodes */
    const char *features;   /* npy, or text with one row per node, for a graph without features; for
                               an edge list, these rows define the nodes */
    const char *labels;     /* the same for labels, which replace those of the graph */
    const char *label_column; /* which column or attribute has the labels; NULL: the only one */
    uint64_t n_features; /* the publicly known number of features; 0: as the files state or need */
    int threads;
    hrr_read_report *report; /* receives the decisions of the readers; NULL: not wanted */
} hrr_read_options;

HRR_API void hrr_read_options_init_sized(hrr_read_options *options, size_t size);
static inline void hrr_read_options_init(hrr_read_options *options)
{
    hrr_read_options_init_sized(options, sizeof *options);
}

/* Recognise the layout at path: a name from hrr_graph_formats(), or NULL with err saying what was
 * looked for. */
HRR_API const char *hrr_graph_recognise(const char *path, hrr_error *err);

/* Read, canonicalise and validate. Errors name the file, the line or row, and what to do. */
HRR_API HRR_STATUS hrr_graph_read(hrr_graph **out, const char *path,
                                  const hrr_read_options *options, hrr_progress *progress,
                                  hrr_error *err);

/* Write; format NULL: by the ending of the path (.csv .tsv .txt .edges .pairs .mtx .graphml
 * .gexf, also with .gz or .zst, .npz, .parquet), anything else is a native directory; but the
 * ending of another program's files, such as .feather, is refused. "parquet" is a table of edges if
 * the path ends so, otherwise a directory with nodes and edges. `replace` allows overwriting.
 * Formats that cannot hold everything drop the rest and say so in the JSON summary of `convert`. */
typedef struct hrr_write_options {
    size_t size; /* set by hrr_write_options_init() */
    bool replace;
    const char *format;
    const char *compression; /* of Parquet: "zstd" (NULL) or "none" */
    uint64_t shard_rows;     /* of a native directory: cut features into files of this many rows,
                                rounded up to a multiple of 4096; 0: one file */
    uint64_t shard_edges;    /* the same for edges and their private marks */
} hrr_write_options;

HRR_API void hrr_write_options_init_sized(hrr_write_options *options, size_t size);
static inline void hrr_write_options_init(hrr_write_options *options)
{
    hrr_write_options_init_sized(options, sizeof *options);
}

/* A native directory that is not a release: it may be replaced by another graph. */
HRR_API const hrr_dir_kind *hrr_graph_dir_kind(void);

/* What hrr_graph_write() refuses whatever the graph is: HRR_EINVAL, before any work is done. */
HRR_API HRR_STATUS hrr_graph_write_check(const char *path, const hrr_write_options *options,
                                         hrr_error *err);

HRR_API HRR_STATUS hrr_graph_write(const hrr_graph *graph, const char *path,
                                   const hrr_write_options *options, hrr_progress *progress,
                                   hrr_error *err);

/* ---- Arrow ---------------------------------------------------------------------------------- */

/* Tables in memory, as pyarrow, pandas, polars, DuckDB and others hand them to each other. The two
 * structs are those of the Arrow C data interface, which says what each member means:
 * https://arrow.apache.org/docs/format/CDataInterface.html. The guard is the specification's, so
 * that another header may declare them as well. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};
#endif

typedef enum hrr_arrow_part {
    HRR_ARROW_EDGES = 1, /* source and target, uint32; private, uint8, if somebody said which are */
    HRR_ARROW_FEATURES,  /* features, a list of d numbers a row */
    HRR_ARROW_LABELS     /* class, int32 (-1: unknown); or labels, a list of C uint8 a row */
} hrr_arrow_part;

/* A part of the graph as a table, without a copy: the arrays are the graph's own. Of a release,
 * give hrr_release_graph(). done(user) is called once, when the last piece of *array was released,
 * by whichever thread does so: until then the graph must be there, unchanged. done may be NULL.
 * Ownership: the caller releases *array and *schema by their callbacks. On failure both callbacks
 *            are NULL, and done is not called.
 * Errors:    HRR_EINVAL if the graph has no such part, HRR_ENOMEM. */
HRR_EXPERIMENTAL HRR_STATUS hrr_graph_to_arrow(struct ArrowArray *array, struct ArrowSchema *schema,
                                               const hrr_graph *graph, hrr_arrow_part part,
                                               void (*done)(void *user), void *user,
                                               hrr_error *err);

/* Edges of a table for a graph that has none: columns source and target, or the first two, hold
 * node numbers 0..n-1 in integers of any size. Columns whose names begin with "private", and
 * `private_column` unless it is NULL, mark private edges by true and false or 1 and 0; others are
 * passed over. The table stays the caller's.
 * Errors: HRR_EDATA names the column and the row: a missing value, one that is no node or no mark;
 *         what hrr_graph_take_edges() says. */
HRR_EXPERIMENTAL HRR_STATUS hrr_graph_edges_from_arrow(hrr_graph *graph,
                                                       const struct ArrowArray *array,
                                                       const struct ArrowSchema *schema,
                                                       const char *private_column,
                                                       hrr_progress *progress, hrr_error *err);

/* Features of a table with a row for each node: every column is a feature, numbers or true and
 * false; or one column holds lists of equal length. Row-major in the narrowest of uint8, float and
 * double that holds them; columns of true and false alone lie in 0 to 1. The table stays the
 * caller's. Errors: HRR_EDATA names the column and the row. */
HRR_EXPERIMENTAL HRR_STATUS hrr_graph_features_from_arrow(hrr_graph *graph,
                                                          const struct ArrowArray *array,
                                                          const struct ArrowSchema *schema,
                                                          hrr_error *err);

#ifdef __cplusplus
}
#endif
#endif
