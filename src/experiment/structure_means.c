/* structure_means.c: what a results file of structure_sweep.c says on average. */
#include "experiment/columns.h"
#include "base/memory.h"

#include <heterorr/experiment.h>

#include <stdio.h>
#include <string.h>

typedef struct columns {
    int mechanism, tree, eps, fraction, count_error, precision, recall;
    int rms[HRR_MAX_HOPS + 1];
    int hops;
    size_t n;
} columns;

static hrr_status read_header(columns *out, const hrr_table_row *row, const char *path,
                              hrr_error *err)
{
    *out = (columns){.hops = -1, .n = row ? row->n_fields : 0};
    if (row) {
        out->mechanism = hrr_column_find(row, "edge_mechanism");
        out->tree = hrr_column_find(row, "tree");
        out->eps = hrr_column_find(row, "eps_edges");
        out->fraction = hrr_column_find(row, "private_fraction");
        out->count_error = hrr_column_find(row, "private_count_error");
        out->precision = hrr_column_find(row, "private_precision");
        out->recall = hrr_column_find(row, "private_recall");
        for (int h = 0; h <= HRR_MAX_HOPS; h++) {
            char name[16];
            snprintf(name, sizeof name, "rms_%d", h);
            if ((out->rms[h] = hrr_column_find(row, name)) < 0) break;
            out->hops = h;
        }
    }
    if (out->hops >= 0 && out->mechanism >= 0 && out->tree >= 0 && out->eps >= 0 &&
        out->fraction >= 0 && out->count_error >= 0 && out->precision >= 0 && out->recall >= 0)
        return HRR_OK;
    return hrr_fail(err, HRR_EDATA,
                    "%s: is no results file of compare --structure: columns are missing", path);
}

static bool same(const hrr_structure_mean *mean, const columns *at, const hrr_table_row *row)
{
    return strcmp(mean->mechanism, row->fields[at->mechanism]) == 0 &&
           strcmp(mean->tree, row->fields[at->tree]) == 0 &&
           strcmp(mean->eps_edges, row->fields[at->eps]) == 0 &&
           strcmp(mean->private_fraction, row->fields[at->fraction]) == 0;
}

static void copy(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from);
}

/* The row's setting, a new one if it is the first of its kind. */
static hrr_status find_mean(hrr_structure_mean **out, hrr_structure_mean **means, size_t *n,
                            const columns *at, const hrr_table_row *row, hrr_error *err)
{
    for (size_t i = *n; i-- > 0;)
        if (same(&(*means)[i], at, row)) {
            *out = &(*means)[i];
            return HRR_OK;
        }
    hrr_structure_mean *more = hrr_resize(*means, *n + 1, sizeof *more);
    if (!more) return hrr_no_memory(err);
    *means = more;
    hrr_structure_mean *mean = *out = &more[(*n)++];
    *mean = (hrr_structure_mean){.hops = at->hops};
    copy(mean->mechanism, sizeof mean->mechanism, row->fields[at->mechanism]);
    copy(mean->tree, sizeof mean->tree, row->fields[at->tree]);
    copy(mean->eps_edges, sizeof mean->eps_edges, row->fields[at->eps]);
    copy(mean->private_fraction, sizeof mean->private_fraction, row->fields[at->fraction]);
    return HRR_OK;
}

/* "nan" is a number here: a run without private edges has no recall. */
static bool add_field(double *sum, const hrr_table_row *row, int column)
{
    double value;
    if (!hrr_column_number(&value, row, column)) return false;
    *sum += value;
    return true;
}

static hrr_status add_row(hrr_structure_mean **means, size_t *n, const columns *at,
                          const hrr_table_row *row, const char *path, hrr_error *err)
{
    hrr_structure_mean *mean = NULL;
    hrr_status status = hrr_columns_check(row, at->n, path, err);
    if (!status) status = find_mean(&mean, means, n, at, row, err);
    if (status) return status;
    mean->runs++;
    bool good = add_field(&mean->count_error, row, at->count_error) &&
                add_field(&mean->private_precision, row, at->precision) &&
                add_field(&mean->private_recall, row, at->recall);
    for (int h = 0; h <= at->hops; h++)
        good = good && add_field(&mean->rms[h], row, at->rms[h]);
    return good ? HRR_OK : hrr_column_no_number(row, path, err);
}

hrr_status hrr_structure_means(hrr_structure_mean **rows, size_t *n_rows, const char *results,
                               hrr_error *err)
{
    hrr_structure_mean *means = NULL;
    size_t n = 0;
    columns at = {0};
    hrr_table *table = NULL;
    const hrr_table_row *row = NULL;
    *rows = NULL;
    *n_rows = 0;
    hrr_status status = hrr_table_open(&table, results, ',', err);
    if (!status) status = hrr_table_next(table, &row, err);
    if (!status) status = read_header(&at, row, results, err);
    while (!status && !(status = hrr_table_next(table, &row, err)) && row)
        status = add_row(&means, &n, &at, row, results, err);
    hrr_table_close(table);
    if (status) {
        hrr_free(means);
        return status;
    }
    for (size_t i = 0; i < n; i++) {
        means[i].count_error /= means[i].runs;
        means[i].private_precision /= means[i].runs;
        means[i].private_recall /= means[i].runs;
        for (int h = 0; h <= means[i].hops; h++)
            means[i].rms[h] /= means[i].runs;
    }
    *rows = means;
    *n_rows = n;
    return HRR_OK;
}
