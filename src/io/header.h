/* header.h: whether the first row of a text file names its columns: one decision for every reader.
 *
 * The row is compared with those below it. A header mistaken for data would invent two people; data
 * mistaken for a header would lose an edge. So where the signs disagree or there are none, the
 * answer is doubt, and the reader asks the owner. */
#ifndef HRR_IO_HEADER_H
#define HRR_IO_HEADER_H

#include "io/table.h"

typedef enum hrr_told_header {
    HRR_HEADER_UNTOLD = 0,
    HRR_HEADER_YES,
    HRR_HEADER_NO
} hrr_told_header;

/* "yes", "no" or NULL. Errors: HRR_EINVAL for anything else. */
hrr_status hrr_told_header_read(hrr_told_header *out, const char *word, hrr_error *err);

typedef struct hrr_header_signs {
    hrr_told_header told;
    bool reserved; /* a column has a name that the reader itself asks for: private, id */
    bool words;    /* the columns of ids are called as such columns are: source, user_id */
    bool numbers;  /* a cell is a number */
    bool alike;    /* a cell has digits, and all that is below it differ from it in digits alone:
                      user17, 2024-11-03 */
    bool over_numbers; /* a cell is a text, and all that is below it are numbers */
    bool numbers_only; /* texts cannot be data in this file */
    bool ids_again;    /* a cell that would be an id is an id elsewhere */
} hrr_header_signs;

typedef enum hrr_header_verdict {
    HRR_FIRST_IS_DATA = 0,
    HRR_FIRST_IS_HEADER,
    HRR_FIRST_IN_DOUBT
} hrr_header_verdict;

hrr_header_verdict hrr_header_decide(const hrr_header_signs *signs);

/* Set `numbers`, `over_numbers` and `alike` from the first row (a copy) and up to a hundred rows
 * below it, of which `next`, which may be NULL, is the first. The table moves on. Errors: those of
 * hrr_table_next(). */
hrr_status hrr_header_compare(hrr_header_signs *signs, const hrr_table_row *first,
                              const hrr_table_row *next, hrr_table *table, hrr_error *err);

/* Whether a cell is a number as people write them, not a word such as "nan". */
bool hrr_header_is_number(const char *cell);
/* Whether two columns of ids are usually called so, in words that are not names of people: follower
 * and followee, account_from and account_to, user1 and user2. */
bool hrr_header_has_words(const char *one, const char *other);
/* Whether the first column of a table about nodes is called as one that names them: id, user_id,
 * CustomerId, name, person. Narrower than the words above, of which some are measured: start, u. */
bool hrr_header_names_nodes(const char *cell);
/* Whether the column has no name: programs that number the rows write such a column first. */
bool hrr_header_is_unnamed(const char *cell);

#endif
