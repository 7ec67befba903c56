#include "io/bad_files.h"
#include "support/brutal.h"
#include "support/check.h"
#include "support/files.h"
#include "support/pack.h"

#include "io/mtx.h"

#include <stdlib.h>

#define BANNER "%%MatrixMarket matrix coordinate "

static void test_mtx__pattern_and_valued_matrices_are_edges(void **state)
{
    const char *path = in_dir(*state, "x.mtx");
    const char *contents[] = {
        BANNER "pattern symmetric\n% a comment\n%\n\n4 4 3\n2 1\n3 3\n4 1\n",
        BANNER "real general\r\n4 4 3\r\n2 1 0.5\r\n3 3 -1e-3\r\n4 1 7\r\n",
        "%%matrixmarket MATRIX Coordinate Integer Skew-Symmetric\n 4  4  3\n2 1 5\n3 3 1\n4 1 -7",
    };
    for (int i = 0; i < 6; i++) {
        const char *text = contents[i / 2];
        if (i % 2)
            write_gzip(path, text, strlen(text), 0);
        else
            write_text(path, text);
        hrr_edge_list edges;
        uint64_t n_nodes;
        hrr_error err = {0};
        hrr_status status = hrr_mtx_read(&edges, &n_nodes, path, NULL, &err);
        assert_string_equal(err.message, "");
        assert_ok(status);
        assert_int_equal(n_nodes, 4);
        assert_int_equal(edges.n_edges, 3);
        const uint32_t source[] = {1, 2, 3}, target[] = {0, 2, 0};
        assert_memory_equal(edges.source, source, sizeof source);
        assert_memory_equal(edges.target, target, sizeof target);
        assert_null(edges.marks);
        hrr_edge_list_clear(&edges);
    }
}

static void test_mtx__a_matrix_may_have_no_entries(void **state)
{
    const char *path = in_dir(*state, "x.mtx");
    write_text(path, BANNER "pattern general\n7 7 0\n");
    hrr_edge_list edges;
    uint64_t n_nodes;
    assert_ok(hrr_mtx_read(&edges, &n_nodes, path, NULL, NULL));
    assert_int_equal(n_nodes, 7);
    assert_int_equal(edges.n_edges, 0);
    hrr_edge_list_clear(&edges);
}

static void refuse(void **state, const char *file, const char *text, const char *says)
{
    const char *path = in_dir(*state, file);
    write_text(path, text);
    hrr_edge_list edges;
    uint64_t n_nodes;
    hrr_error err = {0};
    assert_int_equal(hrr_mtx_read(&edges, &n_nodes, path, NULL, &err), HRR_EDATA);
    assert_null(edges.source);
    assert_says(err, path);
    assert_says(err, says);
}

static void test_mtx__what_is_not_read_is_named(void **state)
{
    static const bad_text bad[] = {
        {"", "x.mtx:1: is not a Matrix Market file"},
        {"4 4 1\n1 2\n", "x.mtx:1: is not a Matrix Market file"},
        {"%%MatrixMarket tensor coordinate real general\n", ":1: the first line"},
        {"%%MatrixMarket matrix coordinate real\n", ":1: the first line"},
        {"%%MatrixMarket matrix array real general\n2 2\n1\n", "dense array"},
        {BANNER "complex general\n2 2 1\n1 2 0 1\n", "complex"},
        {BANNER "real hermitian\n2 2 1\n1 2 0\n", "the symmetry must be"},
        {0},
    };
    refuse_each(refuse, state, "x.mtx", bad);
}

static void test_mtx__bad_entries_name_their_line(void **state)
{
    static const bad_text bad[] = {
        {BANNER "pattern general\n", "numbers of rows, columns and entries"},
        {BANNER "pattern general\n%\n4 4\n", ":3: expected the numbers of rows"},
        {BANNER "pattern general\n4 -4 1\n", ":2: expected the numbers of rows"},
        {BANNER "pattern general\n4 5 1\n1 2\n", ":2: the matrix is not square"},
        {BANNER "pattern general\n2147483648 2147483648 1\n1 2\n", "more than"},
        {BANNER "pattern general\n4 4 2\n1 2\n1 5\n", ":4: an index is not between 1"},
        {BANNER "pattern general\n4 4 2\n1 2\n0 1\n", ":4: an index is not between 1"},
        {BANNER "pattern general\n4 4 1\n1 2 3\n", ":3: an entry must consist of"},
        {BANNER "real general\n4 4 1\n1 2\n", ":3: an entry must consist of"},
        {BANNER "real general\n4 4 1\n1 2 x\n", ":3: a value is not a number"},
        {BANNER "pattern general\n4 4 3\n1 2\n1 3\n", ":4: the file ends after 2"},
        {BANNER "pattern general\n4 4 1\n1 2\n1 3\n", ":4: there are more entries than the 1"},
        {BANNER "pattern general\n4 4 9223372036854775807\n1 2\n", "ends after 1"},
        {0},
    };
    refuse_each(refuse, state, "x.mtx", bad);
}

static void test_mtx__missing_files_are_named(void **state)
{
    hrr_edge_list edges;
    uint64_t n_nodes;
    hrr_error err = {0};
    assert_int_equal(hrr_mtx_read(&edges, &n_nodes, in_dir(*state, "x"), NULL, &err), HRR_EIO);
    assert_says(err, "check the path");
}

static hrr_status read_one(void *user)
{
    hrr_edge_list edges;
    uint64_t n_nodes;
    hrr_status status = hrr_mtx_read(&edges, &n_nodes, user, NULL, NULL);
    hrr_edge_list_clear(&edges);
    return status;
}

static void test_mtx__survives_running_out_of_memory_anywhere(void **state)
{
    char path[4096];
    strcpy(path, in_dir(*state, "x.mtx"));
    write_text(path, BANNER "pattern general\n4 4 1\n1 2\n");
    assert_true(brutal(read_one, path) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_mtx__pattern_and_valued_matrices_are_edges),
        WITH_SCRATCH(test_mtx__a_matrix_may_have_no_entries),
        WITH_SCRATCH(test_mtx__what_is_not_read_is_named),
        WITH_SCRATCH(test_mtx__bad_entries_name_their_line),
        WITH_SCRATCH(test_mtx__missing_files_are_named),
        WITH_SCRATCH(test_mtx__survives_running_out_of_memory_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
