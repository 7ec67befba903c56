/* graphs.h: what the tests of graph readers and writers share. */
#ifndef TESTS_IO_GRAPHS_H
#define TESTS_IO_GRAPHS_H

#include "io/bad_files.h"
#include "support/check.h"
#include "support/brutal.h"
#include "support/files.h"

#include <heterorr/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static inline hrr_graph *read_graph(const char *path, const char *format)
{
    hrr_read_options options;
    hrr_read_options_init(&options);
    options.format = format;
    hrr_graph *graph;
    hrr_error err = {0};
    if (hrr_graph_read(&graph, path, &options, NULL, &err)) fail_msg("%s", err.message);
    return graph;
}

/* Reading must fail with the status, and the message must hold both texts. */
static inline void assert_refused(const char *path, const char *format, hrr_status status,
                                  const char *file, const char *message)
{
    hrr_read_options options;
    hrr_read_options_init(&options);
    options.format = format;
    hrr_graph *graph;
    hrr_error err = {0};
    hrr_status found = hrr_graph_read(&graph, path, &options, NULL, &err);
    if (found != status) print_error("%s: %s\n", hrr_status_name(found), err.message);
    assert_int_equal(found, status);
    assert_null(graph);
    assert_int_equal(err.status, status);
    assert_says(err, file);
    assert_says(err, message);
}

/* A fresh folder in the scratch directory. Its path outlives the ring of in_dir(). */
static inline const char *fresh_dir(void **state, const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", (const char *)*state, name);
    mkdir(path, 0777);
    return path;
}

/* cols 0: a vector. */
static inline void put_array(const char *path, hrr_array_type type, size_t item_size,
                             const void *data, uint64_t rows, uint64_t cols)
{
    hrr_array array = {.type = type,
                       .item_size = item_size,
                       .n_dims = cols ? 2 : 1,
                       .shape = {rows, cols},
                       .n_items = cols ? rows * cols : rows,
                       .data = (void *)(uintptr_t)data};
    assert_ok(hrr_array_write(&array, path, NULL));
}

static inline void put_i32(const char *path, const int32_t *data, uint64_t rows, uint64_t cols)
{
    put_array(path, HRR_ARRAY_I32, 4, data, rows, cols);
}

static inline void put_i64(const char *path, const int64_t *data, uint64_t rows, uint64_t cols)
{
    put_array(path, HRR_ARRAY_I64, 8, data, rows, cols);
}

static inline void put_f64(const char *path, const double *data, uint64_t rows, uint64_t cols)
{
    put_array(path, HRR_ARRAY_F64, 8, data, rows, cols);
}

static inline void put_u8(const char *path, const uint8_t *data, uint64_t rows, uint64_t cols)
{
    put_array(path, HRR_ARRAY_U8, 1, data, rows, cols);
}

/* The edges as "0-1 0-2* 1-2 ", a star after a private one. */
static inline const char *edges_text(const hrr_graph *graph)
{
    static char text[4096];
    const uint8_t *is_private = hrr_graph_is_private(graph);
    size_t used = 0;
    text[0] = '\0';
    for (uint64_t e = 0; e < hrr_graph_n_edges(graph); e++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%u-%u%s ",
                                 hrr_graph_sources(graph)[e], hrr_graph_targets(graph)[e],
                                 is_private && is_private[e] ? "*" : "");
    return text;
}

static inline void assert_same_bytes(const void *a, const void *b, size_t size)
{
    assert_int_equal(a != NULL, b != NULL);
    if (a && size) assert_memory_equal(a, b, size);
}

static inline void assert_same_dense(const hrr_dense *a, const hrr_dense *b)
{
    assert_int_equal(a != NULL, b != NULL);
    if (!a) return;
    assert_int_equal(a->dtype, b->dtype);
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->cols, b->cols);
    assert_memory_equal(a->data, b->data, a->rows * a->cols * hrr_dtype_size(a->dtype));
}

static inline void assert_same_edges(const hrr_graph *a, const hrr_graph *b)
{
    uint64_t m = hrr_graph_n_edges(a);
    assert_int_equal(hrr_graph_n_nodes(a), hrr_graph_n_nodes(b));
    assert_int_equal(m, hrr_graph_n_edges(b));
    assert_same_bytes(hrr_graph_sources(a), hrr_graph_sources(b), 4 * m);
    assert_same_bytes(hrr_graph_targets(a), hrr_graph_targets(b), 4 * m);
}

static inline void assert_same_ids(const hrr_graph *a, const hrr_graph *b)
{
    const hrr_node_ids *left = hrr_graph_node_ids(a), *right = hrr_graph_node_ids(b);
    uint64_t n = hrr_graph_n_nodes(a);
    assert_int_equal(left != NULL, right != NULL);
    if (!left) return;
    assert_same_bytes(left->integer, right->integer, 8 * n);
    assert_int_equal(left->text != NULL, right->text != NULL);
    for (uint64_t i = 0; left->text && i < n; i++)
        assert_string_equal(left->text + left->text_start[i], right->text + right->text_start[i]);
}

static inline void assert_same_labels(const hrr_graph *a, const hrr_graph *b)
{
    assert_int_equal(hrr_graph_n_classes(a), hrr_graph_n_classes(b));
    assert_same_bytes(hrr_graph_classes(a), hrr_graph_classes(b), 4 * hrr_graph_n_nodes(a));
    assert_same_dense(hrr_graph_label_matrix(a), hrr_graph_label_matrix(b));
    for (uint32_t i = 0; i < hrr_graph_n_classes(a); i++) {
        const char *left = hrr_graph_class_name(a, i), *right = hrr_graph_class_name(b, i);
        assert_int_equal(left != NULL, right != NULL);
        if (left) assert_string_equal(left, right);
    }
}

static inline void assert_removed(const hrr_graph *graph, uint64_t self_loops, uint64_t duplicates)
{
    hrr_removed removed = hrr_graph_removed(graph);
    assert_int_equal(removed.self_loops, self_loops);
    assert_int_equal(removed.duplicates, duplicates);
}

/* brutal() for a read: user is a read_call. */
typedef struct read_call {
    const char *path;
    hrr_read_options options;
} read_call;

static inline hrr_status read_once(void *user)
{
    read_call *call = user;
    hrr_graph *graph;
    hrr_status status = hrr_graph_read(&graph, call->path, &call->options, NULL, NULL);
    hrr_graph_free(graph);
    return status;
}

/* Every allocation may fail, and nothing may leak. */
static inline void assert_survives_no_memory(const char *path, const char *format)
{
    read_call call = {.path = path};
    hrr_read_options_init(&call.options);
    call.options.format = format;
    call.options.threads = 1;
    assert_true(brutal(read_once, &call) > 5);
}

#endif
