/* listed.h: what the tests of GraphML and GEXF share. */
#ifndef TESTS_IO_LISTED_H
#define TESTS_IO_LISTED_H

#include "io/graphs.h"

/* Writes the graph to the path, reads it again and wants all that the layouts can hold equal. The
 * graph is freed. */
static inline void assert_comes_back(hrr_graph *before, const char *path)
{
    hrr_write_options options;
    hrr_write_options_init(&options);
    options.replace = true;
    assert_ok(hrr_graph_write(before, path, &options, NULL, NULL));
    hrr_graph *after = read_graph(path, NULL);
    assert_same_edges(before, after);
    assert_same_bytes(hrr_graph_is_private(before), hrr_graph_is_private(after),
                      hrr_graph_n_edges(before));
    assert_int_equal(hrr_graph_marking(before), hrr_graph_marking(after));
    assert_same_dense(hrr_graph_features(before), hrr_graph_features(after));
    assert_int_equal(hrr_graph_feature_lo(before) != NULL, hrr_graph_feature_lo(after) != NULL);
    assert_same_labels(before, after);
    assert_same_ids(before, after);
    assert_same_bytes(hrr_graph_split(before), hrr_graph_split(after), hrr_graph_n_nodes(before));
    assert_removed(after, 0, 0);
    assert_int_equal(hrr_graph_inferred(before), hrr_graph_inferred(after));
    hrr_graph_free(before);
    hrr_graph_free(after);
}

static inline hrr_status write_listed(void *user)
{
    void **arguments = user;
    hrr_write_options options;
    hrr_write_options_init(&options);
    options.replace = true;
    return hrr_graph_write(arguments[0], arguments[1], &options, NULL, NULL);
}

/* Reading with options; the notes that the reader made are joined in `notes`. */
static inline hrr_graph *read_noting(const char *path, hrr_read_options *options, char notes[4096])
{
    hrr_read_report report = {0};
    hrr_graph *graph;
    hrr_error err = {0};
    options->report = &report;
    if (hrr_graph_read(&graph, path, options, NULL, &err)) fail_msg("%s", err.message);
    notes[0] = '\0';
    for (size_t i = 0; i < report.n_notes; i++)
        strcat(strcat(notes, report.notes[i]), "\n");
    hrr_read_report_clear(&report);
    return graph;
}

#endif
