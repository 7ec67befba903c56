/* parse.c: the one parser for every verb's table. It is strict, because a mistyped number in a
 * privacy tool is not a detail: all of a value must be understood, an option may be given once,
 * and no abbreviation is guessed, only suggested. */
#include "cli/parse.h"
#include "cli/nearest.h"
#include "cli/number.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct parser {
    const cli_verb *verb;
    char *args;
    uint64_t seen; /* bit i: option i of the verb was given */
    size_t n_operands;
    hrr_error *err;
} parser;

/* An option of the verb, where its value goes, and its number. */
typedef struct found_option {
    const cli_option *option;
    void *value;
    size_t number;
} found_option;

static hrr_status refuse(const parser *p, const char *format, ...) HRR_PRINTF(2, 3);
static hrr_status refuse(const parser *p, const char *format, ...)
{
    char what[HRR_ERROR_SIZE / 2];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return hrr_fail(p->err, HRR_EINVAL, "%s (see heterorr %s --help)", what, p->verb->name);
}

/* The option called `name` (of `length` letters), or with that short letter if name is NULL. */
static found_option find(const parser *p, const char *name, size_t length, char letter)
{
    found_option found = {0};
    for (const cli_option_set *set = p->verb->sets; set->options; set++) {
        for (const cli_option *o = set->options; o->name; o++, found.number++) {
            bool same = name ? strlen(o->name) == length && memcmp(o->name, name, length) == 0
                             : o->letter == letter;
            if (!same) continue;
            found.option = o;
            found.value = p->args + set->base + o->at;
            return found;
        }
    }
    return found;
}

static const char *nearest_option(const parser *p, const char *typed)
{
    const char *nearest = NULL;
    size_t best = cli_slip_distance(typed) + 1;
    for (const cli_option_set *set = p->verb->sets; set->options; set++) {
        for (const cli_option *o = set->options; o->name; o++) {
            size_t distance = cli_word_distance(typed, o->name);
            if (distance < best) best = distance, nearest = o->name;
        }
    }
    return nearest;
}

static bool has_option(const cli_verb *verb, const char *name)
{
    for (const cli_option_set *set = verb->sets; set->options; set++)
        for (const cli_option *o = set->options; o->name; o++)
            if (strcmp(o->name, name) == 0) return true;
    return false;
}

/* "attack attributes, attack chain": who among the subcommands has the option; empty: none. */
static void list_owners(char *out, size_t size, const cli_verb *verb, const char *name)
{
    const cli_verb *whole = verb->parts ? verb : cli_whole_verb(verb);
    size_t used = 0;
    out[0] = '\0';
    for (const cli_verb *const *part = whole ? whole->parts : NULL; part && *part; part++)
        if (has_option(*part, name) && used < size)
            used +=
                (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", (*part)->name);
}

static hrr_status unknown_option(const parser *p, const char *name, size_t length)
{
    char typed[64], owners[256];
    snprintf(typed, sizeof typed, "%.*s", (int)(length < 63 ? length : 63), name);
    list_owners(owners, sizeof owners, p->verb, typed);
    if (*owners)
        return refuse(p, "%s has no --%s; it is an option of %s", p->verb->name, typed, owners);
    const char *nearest = nearest_option(p, typed);
    if (nearest) return refuse(p, "there is no option --%s; did you mean --%s?", typed, nearest);
    return refuse(p, "there is no option --%s", typed);
}

/* How messages call an option or operand. */
static void describe(char *out, size_t size, const cli_option *o)
{
    snprintf(out, size, "%s%s", o->name ? "--" : "", o->name ? o->name : o->argument);
}

static hrr_status take_choice(const parser *p, const cli_option *o, const char **out,
                              const char *text)
{
    char label[64], list[512] = "";
    size_t used = 0, best = cli_slip_distance(text) + 1;
    const char *nearest = NULL;
    for (const char *const *choice = o->choices(); *choice; choice++) {
        if (strcmp(*choice, text) == 0) {
            *out = *choice;
            return HRR_OK;
        }
        size_t distance = cli_word_distance(text, *choice);
        if (distance < best) best = distance, nearest = *choice;
        int length = snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", *choice);
        if (length > 0 && (size_t)length < sizeof list - used) used += (size_t)length;
    }
    describe(label, sizeof label, o);
    if (nearest)
        return refuse(p, "%s: there is no '%.99s'; did you mean %s?", label, text, nearest);
    return refuse(p, "%s: there is no '%.99s'; choose one of %s", label, text, list);
}

static uint64_t most_of(const cli_option *o)
{
    if (o->most) return o->most;
    return o->kind == CLI_U64 ? UINT64_MAX : o->kind == CLI_U32 ? UINT32_MAX : INT_MAX;
}

static hrr_status take_count(const parser *p, const cli_option *o, void *out, const char *text)
{
    uint64_t count;
    if (!cli_read_count(text, &count) || count < o->least || count > most_of(o))
        return refuse(p, "--%s: '%.99s' is not a whole number from %" PRIu64 " to %" PRIu64,
                      o->name, text, o->least, most_of(o));
    if (o->kind == CLI_U64)
        *(uint64_t *)out = count;
    else if (o->kind == CLI_U32)
        *(uint32_t *)out = (uint32_t)count;
    else
        *(int *)out = (int)count;
    return HRR_OK;
}

static hrr_status take_real(const parser *p, const cli_option *o, double *out, const char *text)
{
    double real;
    if (!cli_read_real(text, &real) || real < o->low || real > o->high)
        return refuse(p, "--%s: '%.99s' is not a number from %g to %g", o->name, text, o->low,
                      o->high);
    *out = real;
    return HRR_OK;
}

static hrr_status take_value(const parser *p, const cli_option *o, void *out, const char *text)
{
    switch (o->kind) {
    case CLI_FLAG:
        *(bool *)out = true;
        return HRR_OK;
    case CLI_TEXT:
    case CLI_LIST:
    case CLI_PATH:
    case CLI_DIRECTORY:
        if (!*text) {
            char label[64];
            describe(label, sizeof label, o);
            return refuse(p, "%s: the value is empty", label);
        }
        *(const char **)out = text;
        return HRR_OK;
    case CLI_CHOICE:
        return take_choice(p, o, out, text);
    case CLI_U64:
    case CLI_U32:
    case CLI_INT:
        return take_count(p, o, out, text);
    case CLI_REAL:
        return take_real(p, o, out, text);
    }
    return HRR_OK;
}

/* `inside`: the value that came in the same word, or NULL. Moves *word on if it took the next. */
static hrr_status take_option(parser *p, found_option found, const char *inside,
                              const char *const **word)
{
    const cli_option *o = found.option;
    assert(found.number < 64);
    if (p->seen >> found.number & 1) return refuse(p, "--%s is given twice", o->name);
    p->seen |= (uint64_t)1 << found.number;
    if (o->kind == CLI_FLAG) {
        if (inside) return refuse(p, "--%s takes no value", o->name);
        return take_value(p, o, found.value, NULL);
    }
    if (!inside) {
        /* A following option is more likely than a file whose name begins with dashes. */
        const char *next = (*word)[1];
        if (!next || strncmp(next, "--", 2) == 0)
            return refuse(p, "--%s needs a value: --%s %s", o->name, o->name, o->argument);
        inside = next;
        ++*word;
    }
    return take_value(p, o, found.value, inside);
}

static hrr_status take_long(parser *p, const char *const **word)
{
    const char *name = **word + 2, *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    found_option found = find(p, name, length, 0);
    if (!found.option) return unknown_option(p, name, length);
    return take_option(p, found, equals ? equals + 1 : NULL, word);
}

static hrr_status take_short(parser *p, const char *const **word)
{
    const char *letter = **word + 1;
    found_option found = find(p, NULL, 0, *letter);
    if (!found.option) return refuse(p, "there is no option -%c", *letter);
    return take_option(p, found, letter[1] ? letter + 1 : NULL, word);
}

static hrr_status take_operand(parser *p, const char *text)
{
    const cli_option *o = p->verb->operands;
    for (size_t i = 0; o && o->argument && !o->many && i < p->n_operands; i++)
        o++;
    if (!o || !o->argument)
        return refuse(p, "'%.99s' is one argument too many for heterorr %s", text, p->verb->name);
    p->n_operands++;
    if (!o->many) return take_value(p, o, p->args + o->at, text);
    cli_list *list = (cli_list *)(void *)(p->args + o->at);
    if (list->n == CLI_MOST_ITEMS)
        return refuse(p, "%s: at most %d are allowed", o->argument, CLI_MOST_ITEMS);
    return take_value(p, o, &list->items[list->n++], text);
}

static hrr_status check_required(const parser *p)
{
    size_t number = 0;
    for (const cli_option *o = p->verb->operands; o && o->argument; o++, number++)
        if (o->required && number >= p->n_operands)
            return refuse(p, "%s is missing: %s", o->argument, o->help);
    number = 0;
    for (const cli_option_set *set = p->verb->sets; set->options; set++)
        for (const cli_option *o = set->options; o->name; o++, number++)
            if (o->required && !(p->seen >> number & 1))
                return refuse(p, "--%s %s is missing: %s", o->name, o->argument, o->help);
    return HRR_OK;
}

hrr_status cli_parse(void *args, const cli_verb *verb, const char *const *words, hrr_error *err)
{
    parser p = {.verb = verb, .args = args, .err = err};
    bool options_ended = false;
    for (const char *const *word = words; *word; word++) {
        hrr_status status = HRR_OK;
        if (options_ended || (*word)[0] != '-' || (*word)[1] == '\0')
            status = take_operand(&p, *word);
        else if (strcmp(*word, "--") == 0)
            options_ended = true;
        else if ((*word)[1] == '-')
            status = take_long(&p, &word);
        else
            status = take_short(&p, &word);
        if (status) return status;
    }
    found_option help = find(&p, "help", 4, 0);
    if (help.option && *(bool *)help.value) return HRR_OK;
    return check_required(&p);
}
