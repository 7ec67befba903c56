/* rows.h: the rows of results files, column by column. */
#ifndef HRR_EXPERIMENT_ROWS_H
#define HRR_EXPERIMENT_ROWS_H

#include "experiment/columns.h"
#include "graph/name_index.h"

#include <math.h>

/* Texts, each once; a text is known by its number. */
typedef hrr_name_index hrr_words;

hrr_status hrr_words_add(uint32_t *number, hrr_words *words, const char *text, hrr_error *err);
/* Valid until the next is added. */
const char *hrr_words_text(const hrr_words *words, uint32_t number);

/* All rows of one kind, from any number of files. A column that no file has is NULL; where one file
 * lacks it, texts are empty and numbers NAN. */
typedef struct hrr_rows {
    uint64_t n, room;
    uint32_t *word[HRR_N_TEXT_COLUMNS];
    double *number[HRR_N_COLUMNS]; /* from HRR_N_TEXT_COLUMNS on */
} hrr_rows;

/* A field; "" or NAN where there is none. */
static inline const char *hrr_row_text(const hrr_rows *rows, const hrr_words *words,
                                       hrr_column column, uint64_t row)
{
    return rows->word[column] ? hrr_words_text(words, rows->word[column][row]) : "";
}

static inline double hrr_row_number(const hrr_rows *rows, hrr_column column, uint64_t row)
{
    return column < HRR_N_COLUMNS && rows->number[column] ? rows->number[column][row] : NAN;
}

typedef struct hrr_results_file {
    const char *path;
    hrr_rows_kind kind;
    uint64_t n_rows;
    char sha256[65];
} hrr_results_file;

typedef struct hrr_all_rows {
    hrr_rows kind[HRR_N_ROWS_KINDS];
    hrr_words words; /* number 0 is the empty text */
} hrr_all_rows;

void hrr_all_rows_clear(hrr_all_rows *all);

/* Add the rows of a file to those of its kind, which its header tells.
 * Errors: HRR_EDATA: no results, no rows, a column missing, a field that is no number; HRR_EIO,
 *         HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_all_rows_read(hrr_results_file *file, hrr_all_rows *all, const char *path,
                             hrr_progress *progress, hrr_error *err);

/* The rows of one file, which must be of this kind.
 * Errors: as above; HRR_EDATA also for another kind. */
hrr_status hrr_all_rows_read_kind(hrr_all_rows *all, const char *path, hrr_rows_kind kind,
                                  hrr_error *err);

#endif
