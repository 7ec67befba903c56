/* pgb_published.c: see pgb_published.h. */
#include "experiment/pgb_published.h"
#include "experiment/judge.h"
#include "experiment/samples.h"

#include <heterorr/experiment.h>

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool is_name_of(const char *published, const char *graph)
{
    const size_t length = strlen(published);
    return length && strncasecmp(published, graph, length) == 0 &&
           !isalnum((unsigned char)graph[length]);
}

const char *hrr_pgb_nearer_name(const char *best, const char *candidate, const char *graph)
{
    if (!is_name_of(candidate, graph)) return best;
    return best && strlen(best) >= strlen(candidate) ? best : candidate;
}

hrr_status hrr_pgb_published_read(hrr_all_rows *all, const char *path, hrr_error *err)
{
    const hrr_rows *rows = &all->kind[HRR_ROWS_PGB];
    const uint64_t first = rows->n;
    hrr_status status = hrr_all_rows_read_kind(all, path, HRR_ROWS_PGB, err);
    for (uint64_t i = first; i < rows->n && !status; i++)
        if (hrr_run_of(rows, i).word)
            status = hrr_fail(err, HRR_EDATA,
                              "%s: contains runs, but a file of published values has only the "
                              "columns graph, query, mechanism, eps and value; remove the others",
                              path);
    return status;
}

/* The graphs of the rows, each once: "A, B, C". */
static void list_graphs(char *text, size_t size, const hrr_all_rows *all)
{
    const hrr_rows *rows = &all->kind[HRR_ROWS_PGB];
    size_t used = 0;
    text[0] = '\0';
    for (uint64_t i = 0; i < rows->n; i++) {
        uint64_t k = 0;
        while (rows->word[HRR_COL_GRAPH][k] != rows->word[HRR_COL_GRAPH][i])
            k++;
        if (k == i && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                     hrr_row_text(rows, &all->words, HRR_COL_GRAPH, i));
    }
}

hrr_status hrr_pgb_published_check(const char *published, const hrr_graph *graph, hrr_error *err)
{
    hrr_all_rows all = {0};
    hrr_pgb_table table = {0};
    char name[64], graphs[256];
    const char *found = NULL;
    hrr_results_name(name, sizeof name, hrr_graph_name(graph));
    hrr_status status = hrr_pgb_published_read(&all, published, err);
    if (!status) status = hrr_judge_pgb(&table, &all, err);
    const hrr_rows *rows = &all.kind[HRR_ROWS_PGB];
    for (uint64_t i = 0; i < rows->n && !status; i++)
        found = hrr_pgb_nearer_name(found, hrr_row_text(rows, &all.words, HRR_COL_GRAPH, i), name);
    if (!status && !found) {
        list_graphs(graphs, sizeof graphs, &all);
        status = hrr_fail(err, HRR_EDATA,
                          "%s: has no values for the graph '%s', only for: %.200s; give the graph "
                          "one of these names, or leave the published values out",
                          published, name, graphs);
    }
    hrr_pgb_table_clear(&table);
    hrr_all_rows_clear(&all);
    return status;
}
