/* table.c: see table.h.
 *
 * A row is found in two steps: collect its bytes (from as many pieces as they span; a quoted
 * newline does not end a row) into one buffer, then cut that buffer into fields in place, which
 * works because taking quotes away never makes text longer. Lines without a quote, nearly all of
 * them, are found with memchr(). Rows and columns are bounded, so that a hostile file costs its
 * reader little memory. */
#include "io/table.h"
#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { max_fields = 1 << 20 };

struct hrr_table {
    hrr_source *source;
    char delimiter; /* '\0' until the first row shows it */
    const char *at; /* unread bytes of the current piece */
    size_t left;
    bool started;
    uint64_t line; /* of the next unread byte */
    char *text;    /* the current row */
    size_t used, capacity;
    char **fields;
    size_t n_fields, field_capacity;
    hrr_table_row row;
};

hrr_status hrr_table_open(hrr_table **out, const char *path, char delimiter, hrr_error *err)
{
    *out = NULL;
    hrr_table *table = hrr_alloc_zero(1, sizeof *table);
    if (!table) return hrr_no_memory(err);
    table->delimiter = delimiter;
    table->line = 1;
    hrr_status status = hrr_source_open(&table->source, path, err);
    if (status)
        hrr_table_close(table);
    else
        *out = table;
    return status;
}

void hrr_table_close(hrr_table *table)
{
    if (!table) return;
    hrr_source_close(table->source);
    hrr_free(table->text);
    hrr_free(table->fields);
    hrr_free(table);
}

char hrr_table_delimiter(const hrr_table *table)
{
    return table->delimiter;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_comment(char first)
{
    return first == '#' || first == '%';
}

/* ---- step one: the bytes of a row --------------------------------------------------------- */

static hrr_status refill(hrr_table *table, hrr_error *err)
{
    hrr_status status = hrr_source_next(table->source, &table->at, &table->left, err);
    if (status || table->started) return status;
    table->started = true;
    if (table->left >= 3 && memcmp(table->at, "\xef\xbb\xbf", 3) == 0) { /* byte-order mark */
        table->at += 3;
        table->left -= 3;
    }
    return HRR_OK;
}

static hrr_status append(hrr_table *table, const char *bytes, size_t size, hrr_error *err)
{
    const char *path = hrr_source_path(table->source);
    if (size > HRR_TABLE_MAX_ROW - table->used)
        return hrr_fail(err, HRR_EDATA,
                        "%s:%" PRIu64 ": the row is longer than %d MiB; check that this is a table "
                        "and that every quote is closed",
                        path, table->row.line, HRR_TABLE_MAX_ROW >> 20);
    if (memchr(bytes, '\0', size))
        return hrr_fail(
            err, HRR_EDATA,
            "%s:%" PRIu64
            ": contains a zero byte; check that this is a text file in UTF-8 (not UTF-16)",
            path, table->row.line);
    if (table->used + size >= table->capacity) { /* one more for the final NUL */
        size_t capacity = 2 * (table->used + size) + 256;
        char *text = hrr_resize(table->text, capacity, 1);
        if (!text) return hrr_no_memory(err);
        table->text = text;
        table->capacity = capacity;
    }
    memcpy(table->text + table->used, bytes, size);
    table->used += size;
    return HRR_OK;
}

/* Whether a quote after `before` (0: at the start of the row) opens a quoted field. Until the
 * delimiter is known, every candidate counts as one. */
static bool opens_field(const hrr_table *table, char before)
{
    if (before == '\0' || before == table->delimiter) return true;
    return !table->delimiter && strchr("\t,;| ", before);
}

/* Walks a row to where it ends, remembering whether it is inside quotes. A doubled quote leaves
 * and enters again, which is right without a special case. */
typedef struct quote_state {
    bool inside;
    bool just_closed;
    char before;     /* the last character that means anything to a quote; 0: none yet */
    uint64_t opened; /* line of the open quote */
} quote_state;

static size_t walk(const hrr_table *table, quote_state *state, const char *bytes, size_t size,
                   uint64_t *line, bool *ended)
{
    bool blanks_delimit = !table->delimiter || table->delimiter == ' ';
    for (size_t i = 0; i < size; i++) {
        char c = bytes[i];
        if (c == '\n') {
            ++*line;
            if (!state->inside) {
                *ended = true;
                return i + 1;
            }
        } else if (c == '"') {
            if (state->inside) {
                state->inside = false;
                state->just_closed = true;
                state->before = c;
                continue;
            }
            if (state->just_closed || opens_field(table, state->before)) {
                state->inside = true;
                state->opened = *line;
            }
        }
        state->just_closed = false;
        if (state->inside) continue;
        if (is_blank(c) && blanks_delimit)
            state->before = ' ';
        else if (!is_blank(c) || c == table->delimiter)
            state->before = c;
    }
    return size;
}

static hrr_status collect(hrr_table *table, bool *found, hrr_error *err)
{
    hrr_status status = HRR_OK;
    quote_state state = {0};
    bool ended = false, plain = true; /* plain: no quote so far */
    char first = '\0';
    table->used = 0;
    table->row.line = table->line;
    *found = false;
    while (!ended) {
        if (table->left == 0 && (status = refill(table, err))) return status;
        if (table->left == 0) break;
        if (!*found) first = table->at[0];
        *found = true;
        const char *newline = plain ? memchr(table->at, '\n', table->left) : NULL;
        size_t size = newline ? (size_t)(newline - table->at) + 1 : table->left;
        if (plain && !is_comment(first) && memchr(table->at, '"', size)) {
            /* From the first quote on, the row is walked; what came before held none, but the
             * walk must know what it ended with. */
            uint64_t ignored = 0;
            plain = false;
            walk(table, &state, table->text, table->used, &ignored, &ended);
        }
        if (plain) {
            ended = newline;
            table->line += ended;
        } else {
            size = walk(table, &state, table->at, table->left, &table->line, &ended);
        }
        if ((status = append(table, table->at, size, err))) return status;
        table->at += size;
        table->left -= size;
    }
    if (state.inside)
        return hrr_fail(err, HRR_EDATA,
                        "%s:%" PRIu64 ": the quote that opens here is never closed; close it, or "
                        "double it if it belongs to the text",
                        hrr_source_path(table->source), state.opened);
    if (*found) table->text[table->used] = '\0';
    return HRR_OK;
}

/* ---- step two: its fields ----------------------------------------------------------------- */

/* The first of tab, comma, semicolon and bar that stands outside quotes; otherwise blanks. Tabs
 * come first because commas are common in text and tabs are not. */
static char recognise_delimiter(const char *text)
{
    static const char candidates[] = "\t,;|";
    bool seen[sizeof candidates] = {false}, inside = false;
    for (const char *c = text; *c; c++) {
        bool may_open = c == text || strchr("\t,;| \"", c[-1]);
        if (*c == '"' && (inside || may_open)) inside = !inside;
        const char *candidate = inside ? NULL : strchr(candidates, *c);
        if (candidate) seen[candidate - candidates] = true;
    }
    for (size_t i = 0; candidates[i]; i++)
        if (seen[i]) return candidates[i];
    return ' ';
}

static hrr_status add_field(hrr_table *table, char *field, hrr_error *err)
{
    if (table->n_fields == max_fields)
        return hrr_fail(err, HRR_EDATA,
                        "%s:%" PRIu64
                        ": there are more than %d columns; check that this is a table",
                        hrr_source_path(table->source), table->row.line, max_fields);
    if (table->n_fields == table->field_capacity) {
        size_t capacity = 2 * table->field_capacity + 16;
        char **fields = hrr_resize(table->fields, capacity, sizeof *fields);
        if (!fields) return hrr_no_memory(err);
        table->fields = fields;
        table->field_capacity = capacity;
    }
    table->fields[table->n_fields++] = field;
    return HRR_OK;
}

static char *skip_blanks(const hrr_table *table, char *c)
{
    while (is_blank(*c) && (*c != table->delimiter || table->delimiter == ' '))
        c++;
    return c;
}

/* Undo, in place, the quoting that starts at c. Returns where the text ends now and in *end what
 * follows the closing quote; NULL: there is none. */
static char *unquote(char *c, char **end)
{
    char *to = c;
    for (char *from = c + 1; *from; from++) {
        if (*from == '"' && *++from != '"') {
            *end = from;
            return to;
        }
        *to++ = *from;
    }
    return NULL;
}

/* Cut the field at c off; *rest is the text after its delimiter, or NULL after the last one. */
static hrr_status cut_field(hrr_table *table, char *c, char **rest, hrr_error *err)
{
    bool blanks_delimit = table->delimiter == ' ';
    char *last, *end = c; /* where the text ends, and where the delimiter stands */
    if (*c == '"') {
        last = unquote(c, &end);
        char *after = last ? skip_blanks(table, end) : NULL;
        if (!after || (*after && *after != table->delimiter && !(blanks_delimit && after > end)))
            return hrr_fail(
                err, HRR_EDATA,
                "%s:%" PRIu64
                ": there is text after a closing quote; double the quotes that belong to the text",
                hrr_source_path(table->source), table->row.line);
        end = after;
    } else {
        while (*end && (blanks_delimit ? !is_blank(*end) : *end != table->delimiter))
            end++;
        for (last = end; last > c && is_blank(last[-1]);)
            last--;
    }
    *rest = *end && !blanks_delimit ? end + 1 : skip_blanks(table, end);
    if (*end == '\0' || (blanks_delimit && **rest == '\0')) *rest = NULL;
    *last = '\0';
    return add_field(table, c, err);
}

static hrr_status cut_row(hrr_table *table, hrr_error *err)
{
    if (!table->delimiter) table->delimiter = recognise_delimiter(table->text);
    table->n_fields = 0;
    for (char *rest = table->text; rest;) {
        hrr_status status = cut_field(table, skip_blanks(table, rest), &rest, err);
        if (status) return status;
    }
    return HRR_OK;
}

hrr_status hrr_table_next(hrr_table *table, const hrr_table_row **row, hrr_error *err)
{
    hrr_status status = HRR_OK;
    *row = NULL;
    for (;;) {
        bool found;
        if ((status = collect(table, &found, err))) return status;
        if (!found) return HRR_OK;
        char *text = table->text;
        while (table->used && (text[table->used - 1] == '\n' || text[table->used - 1] == '\r'))
            text[--table->used] = '\0';
        if (is_comment(text[0]) || text[strspn(text, " \t\r")] == '\0') continue;
        if ((status = cut_row(table, err))) return status;
        table->row.n_fields = table->n_fields;
        table->row.fields = table->fields;
        *row = &table->row;
        return HRR_OK;
    }
}

/* ---- copies ------------------------------------------------------------------------------- */

hrr_status hrr_table_row_copy(hrr_table_row *out, const hrr_table_row *row, hrr_error *err)
{
    size_t size = row->n_fields * sizeof(char *);
    *out = (hrr_table_row){0};
    for (size_t i = 0; i < row->n_fields; i++)
        size += strlen(row->fields[i]) + 1;
    char **fields = hrr_alloc(size, 1); /* the texts stand behind the pointers to them */
    if (!fields) return hrr_no_memory(err);
    char *text = (char *)(fields + row->n_fields);
    for (size_t i = 0; i < row->n_fields; i++) {
        fields[i] = text;
        text = stpcpy(text, row->fields[i]) + 1;
    }
    *out = (hrr_table_row){.line = row->line, .n_fields = row->n_fields, .fields = fields};
    return HRR_OK;
}

void hrr_table_row_clear(hrr_table_row *copy)
{
    hrr_free((void *)(uintptr_t)copy->fields);
    *copy = (hrr_table_row){0};
}

/* ---- conversions -------------------------------------------------------------------------- */

bool hrr_field_integer(const char *field, int64_t *out)
{
    const char *digits = field + (*field == '-');
    size_t length = strspn(digits, "0123456789");
    if (length == 0 || digits[length]) return false;
    errno = 0;
    long long value = strtoll(field, NULL, 10);
    if (errno) return false;
    *out = value;
    return true;
}

bool hrr_field_number(const char *field, double *out)
{
    /* strtod would also take leading blanks and hexadecimal, which no table means. */
    if (strspn(field, "+-.0123456789eEinfatyINFATY") != strlen(field)) return false;
    char *end;
    double value = strtod(field, &end);
    if (end == field || *end) return false;
    *out = value;
    return true;
}

bool hrr_field_truth(const char *field, bool *out)
{
    static const char *const words[] = {"0", "1", "false", "true", "no", "yes"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(field, words[i]) == 0) {
            *out = i & 1;
            return true;
        }
    return false;
}
