/* fuzz_results: any bytes as a results file: its rows, their names, means and tests. */
#include "fuzz_input.h"

#include "report/significance.h"
#include "base/memory.h"

#include <heterorr/report.h>

static volatile size_t sink;

static void study_rows(const hrr_all_rows *all, hrr_rows_kind kind)
{
    const hrr_rows *rows = &all->kind[kind];
    hrr_study study = {0};
    hrr_comparison *tests = NULL;
    size_t n = 0;
    hrr_column x, other;
    hrr_budget_columns(&x, &other, rows);
    hrr_status status =
        kind == HRR_ROWS_ROC ? hrr_study_roc(&study, rows, &all->words, NULL)
        : kind == HRR_ROWS_STRUCTURE
            ? hrr_study_hops(&study, rows, &all->words, NULL)
            : hrr_study_budgets(&study, rows, &all->words, x, other, HRR_COL_ACCURACY, NULL);
    if (!status) status = hrr_significance(&tests, &n, &study, NULL, NULL);
    for (size_t i = 0; i < study.cells.n; i++)
        if (study.cells.at[i].n + study.cells.at[i].n_missing == 0) abort();
    sink += n;
    hrr_free(tests);
    hrr_study_clear(&study);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    hrr_all_rows all = {0};
    hrr_results_file file;
    hrr_error err;
    if (hrr_all_rows_read(&file, &all, fuzz_path(bytes, size), NULL, &err) == HRR_OK)
        study_rows(&all, file.kind);
    hrr_all_rows_clear(&all);
    return 0;
}
