/* fuzz_results: any bytes as a results file: its rows, their names, means and tests. */
#include "fuzz_input.h"

#include "report/study.h"

#include <heterorr/experiment.h>

static void study_rows(const hrr_all_rows *all, hrr_rows_kind kind)
{
    const hrr_rows *rows = &all->kind[kind];
    hrr_study study = {0};
    hrr_column x, other;
    hrr_budget_columns(&x, &other, rows);
    hrr_status status =
        kind == HRR_ROWS_ROC ? hrr_study_roc(&study, rows, &all->words, NULL)
        : kind == HRR_ROWS_STRUCTURE
            ? hrr_study_hops(&study, rows, &all->words, NULL)
            : hrr_study_budgets(&study, rows, &all->words, x, other, HRR_COL_ACCURACY, NULL);
    for (size_t i = 0; !status && i < study.cells.n; i++)
        if (study.cells.at[i].n + study.cells.at[i].n_missing == 0) abort();
    hrr_study_clear(&study);
}

/* What the one judge makes of the file: means and tests, or a refusal. */
static void judge(const char *path)
{
    hrr_training_mean *training = NULL;
    hrr_structure_mean *structure = NULL;
    hrr_pgb_table table;
    size_t n;
    if (hrr_training_means(&training, &n, path, NULL, NULL, NULL) == HRR_OK) hrr_free(training);
    if (hrr_structure_means(&structure, &n, path, NULL) == HRR_OK) hrr_free(structure);
    if (hrr_pgb_means(&table, path, NULL, NULL) == HRR_OK) hrr_pgb_table_clear(&table);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    hrr_all_rows all = {0};
    hrr_results_file file;
    hrr_error err;
    const char *path = fuzz_path(bytes, size);
    if (hrr_all_rows_read(&file, &all, path, NULL, &err) == HRR_OK) study_rows(&all, file.kind);
    hrr_all_rows_clear(&all);
    judge(path);
    return 0;
}
