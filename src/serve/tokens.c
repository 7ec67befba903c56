/* tokens.c: see tokens.h. Tokens are random, so that a hash without salt keeps them; whoever reads
 * the file cannot ask. */
#include "serve/tokens.h"
#include "base/memory.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- accounts -------------------------------------------------------------------------------- */

void hrr_accounts_init(hrr_accounts *accounts)
{
    *accounts = (hrr_accounts){0};
    pthread_mutex_init(&accounts->lock, NULL);
}

void hrr_accounts_clear(hrr_accounts *accounts)
{
    for (hrr_account *next, *at = accounts->first; at; at = next) {
        next = at->next;
        hrr_free(at);
    }
    pthread_mutex_destroy(&accounts->lock);
}

/* The account of that name, new if there is none; NULL: no memory. */
static hrr_account *account_of(hrr_accounts *accounts, const char *name)
{
    pthread_mutex_lock(&accounts->lock);
    hrr_account *found = accounts->first;
    while (found && strcmp(found->name, name) != 0)
        found = found->next;
    if (!found && (found = hrr_alloc_zero(1, sizeof *found))) {
        strcpy(found->name, name);
        found->allowance = INFINITY; /* as much as their rate allows at once */
        found->next = accounts->first;
        accounts->first = found;
    }
    pthread_mutex_unlock(&accounts->lock);
    return found;
}

/* ---- the file -------------------------------------------------------------------------------- */

void hrr_tokens_clear(hrr_tokens *tokens)
{
    hrr_free(tokens->callers);
    *tokens = (hrr_tokens){0};
}

static bool read_hash(uint8_t out[hrr_sha256_size], const char *text)
{
    if (strlen(text) != 2 * hrr_sha256_size) return false;
    for (int i = 0; i < hrr_sha256_size; i++) {
        const char pair[] = {text[2 * i], text[2 * i + 1], 0};
        char *end;
        if (strspn(pair, "0123456789abcdefABCDEF") != 2) return false;
        out[i] = (uint8_t)strtoul(pair, &end, 16);
    }
    return true;
}

static bool read_setting(hrr_caller *caller, const char *word)
{
    char *end;
    if (strncmp(word, "rate=", 5) == 0) {
        caller->rate = strtod(word + 5, &end);
        return !*end && caller->rate >= 1e-6 && caller->rate <= 1e9; /* 0 would read as none */
    }
    if (strncmp(word, "limit=", 6) == 0 && word[6] >= '0' && word[6] <= '9') {
        caller->limit = strtoull(word + 6, &end, 10);
        return !*end && caller->limit > 0; /* likewise */
    }
    caller->sees_all = strcmp(word, "metrics=all") == 0;
    return caller->sees_all;
}

static hrr_status read_line(hrr_caller *caller, char *line, size_t number, hrr_error *err)
{
    char *rest;
    const char *name = strtok_r(line, " \t\r", &rest), *hash = strtok_r(NULL, " \t\r", &rest);
    if (strlen(name) >= sizeof caller->name ||
        strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._@-") !=
            strlen(name))
        return hrr_fail(err, HRR_EDATA,
                        "line %zu of the token file: a name consists of letters, digits and . _ @ "
                        "-, and has at most %zu characters",
                        number, sizeof caller->name - 1);
    strcpy(caller->name, name);
    if (!hash || !read_hash(caller->hash, hash))
        return hrr_fail(err, HRR_EDATA,
                        "line %zu of the token file: the name must be followed by the SHA-256 of "
                        "the token, 64 hexadecimal digits",
                        number);
    for (const char *word; (word = strtok_r(NULL, " \t\r", &rest));)
        if (!read_setting(caller, word))
            return hrr_fail(err, HRR_EDATA,
                            "line %zu of the token file: '%.40s' is not one of "
                            "rate=REQUESTS-PER-SECOND, limit=NODES and metrics=all",
                            number, word);
    return HRR_OK;
}

static hrr_status read_lines(hrr_tokens *out, char *text, double rate, hrr_error *err)
{
    char *rest = text;
    for (size_t number = 1; rest; number++) {
        char *line = strsep(&rest, "\n");
        line += strspn(line, " \t\r");
        if (!*line || *line == '#') continue;
        if (out->n_callers == HRR_MOST_TOKENS)
            return hrr_fail(err, HRR_EDATA, "the token file has more than %d tokens",
                            HRR_MOST_TOKENS);
        hrr_caller *caller = &out->callers[out->n_callers++];
        *caller = (hrr_caller){.rate = rate};
        const hrr_status status = read_line(caller, line, number, err);
        if (status) return status;
        for (size_t i = 0; i + 1 < out->n_callers; i++)
            if (strcmp(out->callers[i].name, caller->name) == 0 ||
                memcmp(out->callers[i].hash, caller->hash, sizeof caller->hash) == 0)
                return hrr_fail(
                    err, HRR_EDATA,
                    "line %zu of the token file repeats the name or the token of another line",
                    number);
    }
    if (!out->n_callers)
        return hrr_fail(err, HRR_EDATA,
                        "the token file has no token, so nobody can use the service");
    return HRR_OK;
}

hrr_status hrr_tokens_init(hrr_tokens *out, const char *text, double rate, hrr_accounts *accounts,
                           hrr_error *err)
{
    *out = (hrr_tokens){.open = !text, .accounts = accounts};
    char *copy = text ? hrr_copy_text(text) : NULL;
    out->callers = hrr_alloc_zero(text ? HRR_MOST_TOKENS : 1, sizeof *out->callers);
    hrr_status status = out->callers && (copy || !text) ? HRR_OK : hrr_no_memory(err);
    if (!status && text) {
        status = read_lines(out, copy, rate, err);
    } else if (!status) {
        out->callers[0] = (hrr_caller){.name = "anybody", .rate = rate, .sees_all = true};
        out->n_callers = 1;
    }
    for (size_t i = 0; i < out->n_callers && !status; i++)
        if (!(out->callers[i].account = account_of(accounts, out->callers[i].name)))
            status = hrr_no_memory(err);
    hrr_free(copy);
    if (status) hrr_tokens_clear(out);
    return status;
}

/* ---- callers --------------------------------------------------------------------------------- */

const hrr_caller *hrr_tokens_find(const hrr_tokens *tokens, const char *token)
{
    uint8_t hash[hrr_sha256_size];
    const hrr_caller *found = NULL;
    if (tokens->open) return &tokens->callers[0];
    if (!EVP_Digest(token ? token : "", token ? strlen(token) : 0, hash, NULL, EVP_sha256(), NULL))
        return NULL;
    for (size_t i = 0; i < tokens->n_callers; i++) /* to the end, in any case */
        if (CRYPTO_memcmp(tokens->callers[i].hash, hash, sizeof hash) == 0)
            found = &tokens->callers[i];
    return token ? found : NULL;
}

bool hrr_caller_may_ask(hrr_tokens *tokens, const hrr_caller *caller, double now, double *wait)
{
    hrr_account *account = caller->account;
    *wait = 0;
    pthread_mutex_lock(&tokens->accounts->lock);
    const double burst = fmax(1, caller->rate);
    account->allowance = fmin(burst, account->allowance + caller->rate * (now - account->seen));
    account->seen = now;
    bool may = true;
    if (caller->limit && account->nodes >= caller->limit) {
        may = false;
        *wait = -1;
    } else if (caller->rate > 0 && account->allowance < 1) {
        may = false;
        *wait = (1 - account->allowance) / caller->rate;
    } else {
        account->allowance -= caller->rate > 0;
        account->requests++;
    }
    account->refused += !may;
    pthread_mutex_unlock(&tokens->accounts->lock);
    return may;
}

bool hrr_caller_take(hrr_tokens *tokens, const hrr_caller *caller, uint64_t n_nodes)
{
    hrr_account *account = caller->account;
    pthread_mutex_lock(&tokens->accounts->lock);
    /* A limit may have become smaller than what was told already. */
    const bool may = !caller->limit ||
                     (account->nodes <= caller->limit && n_nodes <= caller->limit - account->nodes);
    if (may)
        account->nodes += n_nodes;
    else
        account->refused++;
    pthread_mutex_unlock(&tokens->accounts->lock);
    return may;
}
