/* arrow_export.c: parts of a graph as Arrow tables that look at the graph's own arrays.
 *
 * A consumer may move a column out of its table and release the table first, so each piece, table
 * or column, can be released by itself: it owns what describes it, and shares with the others only
 * the count of pieces that are left. */
#include "base/memory.h"

#include <heterorr/io.h>

#include <assert.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { most_children = 3 };

/* ---- what the pieces share ------------------------------------------------------------------- */

typedef struct pieces {
    atomic_uint n_left;
    void (*done)(void *user);
    void *user;
} pieces;

static void drop_piece(pieces *shared)
{
    if (atomic_fetch_sub(&shared->n_left, 1) != 1) return;
    if (shared->done) shared->done(shared->user);
    hrr_free(shared);
}

/* ---- one piece ------------------------------------------------------------------------------- */

typedef struct array_piece {
    pieces *shared;
    const void *buffers[2]; /* no validity: nothing is missing; the values */
    struct ArrowArray *places[most_children];
    struct ArrowArray children[most_children];
} array_piece;

typedef struct schema_piece {
    char format[32];
    struct ArrowSchema *places[most_children];
    struct ArrowSchema children[most_children];
} schema_piece;

static void release_array(struct ArrowArray *array)
{
    array_piece *piece = array->private_data;
    for (int64_t i = 0; i < array->n_children; i++)
        if (array->children[i]->release) array->children[i]->release(array->children[i]);
    drop_piece(piece->shared);
    hrr_free(piece);
    array->release = NULL;
}

static void release_schema(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children; i++)
        if (schema->children[i]->release) schema->children[i]->release(schema->children[i]);
    hrr_free(schema->private_data);
    schema->release = NULL;
}

/* n_children pieces that are still to be made; values NULL: they are the children's. */
static bool make_array(struct ArrowArray *out, pieces *shared, uint64_t length, const void *values,
                       int n_children)
{
    array_piece *piece = hrr_alloc_zero(1, sizeof *piece);
    if (!piece) return false;
    piece->shared = shared;
    piece->buffers[1] = values;
    for (int i = 0; i < n_children; i++)
        piece->places[i] = &piece->children[i];
    *out = (struct ArrowArray){.length = (int64_t)length,
                               .n_buffers = n_children ? 1 : 2,
                               .buffers = piece->buffers,
                               .n_children = n_children,
                               .children = n_children ? piece->places : NULL,
                               .release = release_array,
                               .private_data = piece};
    atomic_fetch_add(&shared->n_left, 1);
    return true;
}

/* name is a literal. */
static schema_piece *make_schema(struct ArrowSchema *out, const char *name, int n_children)
{
    schema_piece *piece = hrr_alloc_zero(1, sizeof *piece);
    if (!piece) return NULL;
    for (int i = 0; i < n_children; i++)
        piece->places[i] = &piece->children[i];
    *out = (struct ArrowSchema){.format = piece->format,
                                .name = name,
                                .n_children = n_children,
                                .children = n_children ? piece->places : NULL,
                                .release = release_schema,
                                .private_data = piece};
    return piece;
}

/* ---- tables ---------------------------------------------------------------------------------- */

typedef struct column {
    const char *name, *format; /* literals; the format is that of one value */
    const void *values;
    uint64_t width; /* lists of so many; 0: one value a row */
} column;

typedef struct parts {
    uint64_t n_rows;
    int n_columns;
    column columns[most_children];
} parts;

static bool make_column(struct ArrowArray *array, struct ArrowSchema *schema, pieces *shared,
                        const column *c, uint64_t n_rows)
{
    if (!make_array(array, shared, n_rows, c->width ? NULL : c->values, c->width ? 1 : 0))
        return false;
    schema_piece *piece = make_schema(schema, c->name, c->width ? 1 : 0);
    if (!piece) return false;
    if (!c->width) {
        strcpy(piece->format, c->format);
        return true;
    }
    snprintf(piece->format, sizeof piece->format, "+w:%" PRIu64, c->width);
    if (!make_array(array->children[0], shared, n_rows * c->width, c->values, 0)) return false;
    schema_piece *item = make_schema(schema->children[0], "item", 0);
    if (item) strcpy(item->format, c->format);
    return item != NULL;
}

static bool make_table(struct ArrowArray *array, struct ArrowSchema *schema, pieces *shared,
                       const parts *table)
{
    if (!make_array(array, shared, table->n_rows, NULL, table->n_columns)) return false;
    schema_piece *piece = make_schema(schema, "", table->n_columns);
    if (!piece) return false;
    strcpy(piece->format, "+s");
    for (int i = 0; i < table->n_columns; i++)
        if (!make_column(array->children[i], schema->children[i], shared, &table->columns[i],
                         table->n_rows))
            return false;
    return true;
}

/* ---- parts of a graph ------------------------------------------------------------------------ */

static void add_column(parts *table, const char *name, const char *format, const void *values,
                       uint64_t width)
{
    assert(table->n_columns < most_children);
    table->columns[table->n_columns++] = (column){name, format, values, width};
}

static void add_dense(parts *table, const char *name, const hrr_dense *matrix)
{
    const char *format = matrix->dtype == HRR_U8 ? "C" : matrix->dtype == HRR_F32 ? "f" : "g";
    add_column(table, name, format, matrix->data, matrix->cols);
}

/* False if the graph does not have it. */
static bool find_part(parts *table, const hrr_graph *graph, hrr_arrow_part part)
{
    const hrr_dense *features = hrr_graph_features(graph), *labels = hrr_graph_label_matrix(graph);
    table->n_rows = part == HRR_ARROW_EDGES ? hrr_graph_n_edges(graph) : hrr_graph_n_nodes(graph);
    if (part == HRR_ARROW_EDGES) {
        add_column(table, "source", "I", hrr_graph_sources(graph), 0);
        add_column(table, "target", "I", hrr_graph_targets(graph), 0);
        if (hrr_graph_is_private(graph))
            add_column(table, "private", "C", hrr_graph_is_private(graph), 0);
    }
    if (part == HRR_ARROW_FEATURES && features) add_dense(table, "features", features);
    if (part == HRR_ARROW_LABELS && labels) add_dense(table, "labels", labels);
    if (part == HRR_ARROW_LABELS && hrr_graph_classes(graph))
        add_column(table, "class", "i", hrr_graph_classes(graph), 0);
    return table->n_columns > 0;
}

hrr_status hrr_graph_to_arrow(struct ArrowArray *array, struct ArrowSchema *schema,
                              const hrr_graph *graph, hrr_arrow_part part, void (*done)(void *user),
                              void *user, hrr_error *err)
{
    parts table = {0};
    *array = (struct ArrowArray){0};
    *schema = (struct ArrowSchema){0};
    if (!find_part(&table, graph, part))
        return hrr_fail(err, HRR_EINVAL, "the graph has no %s",
                        part == HRR_ARROW_FEATURES ? "features"
                        : part == HRR_ARROW_LABELS ? "labels"
                                                   : "such part");
    pieces *shared = hrr_alloc_zero(1, sizeof *shared);
    if (!shared) return hrr_no_memory(err);
    atomic_init(&shared->n_left, 1); /* ours, until the table is whole */
    shared->user = user;
    const bool whole = make_table(array, schema, shared, &table);
    if (!whole && array->release) array->release(array);
    if (!whole && schema->release) schema->release(schema);
    if (whole) shared->done = done;
    drop_piece(shared);
    return whole ? HRR_OK : hrr_no_memory(err);
}
