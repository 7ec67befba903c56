/* edge_texts.h: edge lists as texts, and what reading them gives or says. */
#ifndef TESTS_IO_EDGE_TEXTS_H
#define TESTS_IO_EDGE_TEXTS_H

#include "io/bad_files.h"
#include "support/check.h"
#include "support/files.h"
#include "support/pack.h"

#include "io/edge_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const hrr_edge_text_options map_ids = {.ids = HRR_IDS_MAP, .threads = 2};

/* What was read, in one line: "NODES: s-t[marks] ... | ids | marks | removed". */
static inline char *show(const hrr_edge_text *text)
{
    char *shown = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&shown, &size);
    fprintf(to, "%" PRIu64 ":", text->n_nodes);
    for (uint64_t i = 0; i < text->edges.n_edges; i++) {
        fprintf(to, " %" PRIu32 "-%" PRIu32, text->edges.source[i], text->edges.target[i]);
        if (text->edges.marks) fprintf(to, "/%d", text->edges.marks[i]);
    }
    if (text->ids.integer || text->ids.text) fprintf(to, " |");
    for (uint64_t i = 0; i < text->n_nodes && text->ids.integer; i++)
        fprintf(to, " %" PRId64, text->ids.integer[i]);
    for (uint64_t i = 0; i < text->n_nodes && text->ids.text; i++)
        fprintf(to, " %s", text->ids.text + text->ids.text_start[i]);
    for (int i = 0; i < text->n_marks; i++)
        fprintf(to, " (%s)", text->mark_names[i]);
    if (text->removed.self_loops || text->removed.isolated_nodes)
        fprintf(to, " removed %" PRIu64 " %" PRIu64, text->removed.self_loops,
                text->removed.isolated_nodes);
    fclose(to);
    return shown;
}

static inline void assert_reads_with(const char *directory, const hrr_edge_text_options *options,
                                     const char *contents, const char *expected)
{
    const char *path = in_dir(directory, "edges.csv");
    for (int form = 0; form < 3; form++) {
        if (form == 0) write_text(path, contents);
        if (form == 1) write_gzip(path, contents, strlen(contents), 0);
        if (form == 2) write_zstd(path, contents, strlen(contents), 0);
        hrr_edge_text text;
        hrr_error err = {0};
        hrr_status status = hrr_edge_text_read(&text, path, options, NULL, &err);
        assert_string_equal(err.message, "");
        assert_ok(status);
        char *shown = show(&text);
        assert_string_equal(shown, expected);
        free(shown);
        hrr_edge_text_clear(&text);
    }
}

static inline void assert_reads(const char *directory, const char *contents, const char *expected)
{
    assert_reads_with(directory, &map_ids, contents, expected);
}

static inline void assert_refused_with(const char *directory, const char *file,
                                       const hrr_edge_text_options *options, const char *contents,
                                       const char *says)
{
    const char *path = in_dir(directory, file);
    for (int form = 0; form < 2; form++) {
        if (form == 0) write_text(path, contents);
        if (form == 1) write_gzip(path, contents, strlen(contents), 0);
        hrr_edge_text text;
        hrr_error err = {0};
        assert_int_equal(hrr_edge_text_read(&text, path, options, NULL, &err), HRR_EDATA);
        assert_null(text.edges.source);
        assert_says(err, path);
        assert_says(err, says);
    }
}

static inline void refuse(void **state, const char *file, const char *text, const char *says)
{
    assert_refused_with(*state, file, &map_ids, text, says);
}

#endif
