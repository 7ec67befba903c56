/* header.c: see header.h. */
#include "io/header.h"
#include "base/memory.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

hrr_status hrr_told_header_read(hrr_told_header *out, const char *word, hrr_error *err)
{
    *out = HRR_HEADER_UNTOLD;
    if (!word) return HRR_OK;
    if (strcmp(word, "yes") == 0)
        *out = HRR_HEADER_YES;
    else if (strcmp(word, "no") == 0)
        *out = HRR_HEADER_NO;
    else
        return hrr_fail(err, HRR_EINVAL, "`header` %s: must be yes or no", word);
    return HRR_OK;
}

hrr_header_verdict hrr_header_decide(const hrr_header_signs *signs)
{
    if (signs->told != HRR_HEADER_UNTOLD)
        return signs->told == HRR_HEADER_YES ? HRR_FIRST_IS_HEADER : HRR_FIRST_IS_DATA;
    if (signs->reserved) return HRR_FIRST_IS_HEADER;
    if (signs->alike || (signs->numbers && !signs->words)) return HRR_FIRST_IS_DATA;
    if (signs->numbers_only) return HRR_FIRST_IS_HEADER;
    const bool like_header = signs->words || signs->over_numbers;
    if (like_header != signs->ids_again)
        return like_header ? HRR_FIRST_IS_HEADER : HRR_FIRST_IS_DATA;
    return HRR_FIRST_IN_DOUBT;
}

bool hrr_header_is_number(const char *cell)
{
    double ignored;
    return !isalpha((unsigned char)cell[0]) && hrr_field_number(cell, &ignored);
}

/* Whether two cells differ in their digits alone, of which the first has some. */
static bool is_alike(const char *one, const char *other)
{
    static const char digits[] = "0123456789";
    if (!one[strcspn(one, digits)]) return false;
    for (;;) {
        const size_t n_one = strspn(one, digits), n_other = strspn(other, digits);
        one += n_one;
        other += n_other;
        if (!n_one != !n_other || *one != *other) return false;
        if (!*one) return true;
        one++;
        other++;
    }
}

/* What the cells below one of the first row are. */
typedef struct column {
    bool number; /* some are numbers */
    bool other;  /* some are neither numbers nor blank */
    bool unlike; /* some are not like the first */
} column;

static void look_at_row(column *columns, const hrr_table_row *first, const hrr_table_row *row)
{
    for (size_t i = 0; i < first->n_fields && i < row->n_fields; i++) {
        const char *cell = row->fields[i];
        const bool number = hrr_header_is_number(cell);
        columns[i].number |= number;
        columns[i].other |= !number && *cell; /* a missing value is no sign */
        columns[i].unlike |= *cell && !is_alike(first->fields[i], cell);
    }
}

hrr_status hrr_header_compare(hrr_header_signs *signs, const hrr_table_row *first,
                              const hrr_table_row *next, hrr_table *table, hrr_error *err)
{
    enum { most_rows = 100 };
    column *columns = hrr_alloc_zero(first->n_fields, sizeof *columns);
    hrr_status status = columns ? HRR_OK : hrr_no_memory(err);
    for (int row = 0; row < most_rows && next && !status; row++) {
        look_at_row(columns, first, next);
        status = hrr_table_next(table, &next, err);
    }
    for (size_t i = 0; i < first->n_fields && !status; i++) {
        const column *below = &columns[i];
        const bool number = hrr_header_is_number(first->fields[i]);
        const bool text = !number && *first->fields[i];
        signs->numbers |= number;
        signs->over_numbers |= text && below->number && !below->other;
        signs->alike |= text && below->other && !below->unlike;
    }
    hrr_free(columns);
    return status;
}

/* ---- words ---------------------------------------------------------------------------------- */

/* What columns of ids are called. Single letters but u and v are left out: small graphs call their
 * nodes a, b, c. */
static const char *const words[] = {
    "account",  "acct",      "actor",       "address",  "author",    "begin",      "borrower",
    "buyer",    "called",    "callee",      "caller",   "child",     "citation",   "cited",
    "citing",   "client",    "coauthor",    "code",     "contact",   "creditor",   "customer",
    "debtor",   "dest",      "destination", "dst",      "employee",  "end",        "entity",
    "first",    "followed",  "followee",    "follower", "follows",   "following",  "friend",
    "from",     "head",      "host",        "id",       "ident",     "identifier", "ids",
    "index",    "ip",        "key",         "lender",   "manager",   "member",     "name",
    "neighbor", "neighbour", "node",        "nodeid",   "nr",        "num",        "number",
    "object",   "orig",      "origin",      "page",     "paper",     "parent",     "patient",
    "payee",    "payer",     "person",      "receiver", "recipient", "second",     "seller",
    "sender",   "source",    "src",         "start",    "station",   "subject",    "supervisor",
    "tail",     "target",    "tgt",         "to",       "u",         "user",       "userid",
    "username", "v",         "vertex",      "who",      "whom",
};

static bool is_word(const char *part, size_t length)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && strncasecmp(words[i], part, length) == 0) return true;
    return false;
}

/* account_from, FromNodeId, user1: every part is a word. */
static bool is_made_of_words(const char *cell)
{
    bool any = false;
    for (const char *c = cell; *c;) {
        if (strchr("_-. 0123456789", *c)) {
            c++;
            continue;
        }
        const char *start = c++;
        /* A part ends before a capital letter that follows a small one. */
        while (isalpha((unsigned char)*c) &&
               !(isupper((unsigned char)*c) && islower((unsigned char)c[-1])))
            c++;
        if (!is_word(start, (size_t)(c - start))) return false;
        any = true;
    }
    return any;
}

bool hrr_header_has_words(const char *one, const char *other)
{
    return strcasecmp(one, other) != 0 && is_made_of_words(one) && is_made_of_words(other);
}

bool hrr_header_names_nodes(const char *cell)
{
    static const char *const names[] = {"id",     "ids",    "identifier", "name",   "node",
                                        "vertex", "person", "user",       "nodeid", "userid"};
    static const char *const ends[] = {"_id", "-id", ".id", " id", "Id", "ID", "_name"};
    const size_t length = strlen(cell);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(cell, names[i]) == 0) return true;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t end = strlen(ends[i]);
        const bool capital = isupper((unsigned char)ends[i][0]); /* customerId, but not "paid" */
        if (length <= end) continue;
        if (capital ? strcmp(cell + length - end, ends[i]) == 0 &&
                          islower((unsigned char)cell[length - end - 1])
                    : strcasecmp(cell + length - end, ends[i]) == 0)
            return true;
    }
    return false;
}

bool hrr_header_is_unnamed(const char *cell)
{
    return !*cell || strncmp(cell, "Unnamed:", 8) == 0; /* nothing, and what pandas makes of it */
}
