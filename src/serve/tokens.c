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

void hrr_tokens_clear(hrr_tokens *tokens)
{
    if (tokens->callers) pthread_mutex_destroy(&tokens->lock);
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
        return word[5] && !*end && caller->rate >= 0 && caller->rate <= 1e9;
    }
    if (strncmp(word, "limit=", 6) == 0 && word[6] >= '0' && word[6] <= '9') {
        caller->limit = strtoull(word + 6, &end, 10);
        return !*end && caller->limit > 0; /* 0 would read as none at all */
    }
    return false;
}

static hrr_status read_line(hrr_caller *caller, char *line, size_t number, hrr_error *err)
{
    char *rest;
    const char *name = strtok_r(line, " \t\r", &rest), *hash = strtok_r(NULL, " \t\r", &rest);
    if (strlen(name) >= sizeof caller->name ||
        strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._@-") !=
            strlen(name))
        return hrr_fail(err, HRR_EDATA,
                        "line %zu of the file of tokens: a name has letters, digits and . _ @ - "
                        "alone, and at most %zu of them",
                        number, sizeof caller->name - 1);
    strcpy(caller->name, name);
    if (!hash || !read_hash(caller->hash, hash))
        return hrr_fail(err, HRR_EDATA,
                        "line %zu of the file of tokens: after the name comes the token's SHA-256, "
                        "64 hexadecimal digits",
                        number);
    for (const char *word; (word = strtok_r(NULL, " \t\r", &rest));)
        if (!read_setting(caller, word))
            return hrr_fail(err, HRR_EDATA,
                            "line %zu of the file of tokens: '%.40s' is neither rate=REQUESTS-A-"
                            "SECOND nor limit=NODES",
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
            return hrr_fail(err, HRR_EDATA, "the file of tokens has more than %d", HRR_MOST_TOKENS);
        hrr_caller *caller = &out->callers[out->n_callers++];
        *caller = (hrr_caller){.rate = rate};
        const hrr_status status = read_line(caller, line, number, err);
        if (status) return status;
        caller->allowance = fmax(1, caller->rate);
        for (size_t i = 0; i + 1 < out->n_callers; i++)
            if (strcmp(out->callers[i].name, caller->name) == 0 ||
                memcmp(out->callers[i].hash, caller->hash, sizeof caller->hash) == 0)
                return hrr_fail(err, HRR_EDATA,
                                "line %zu of the file of tokens has the name or the token of "
                                "another line",
                                number);
    }
    if (!out->n_callers)
        return hrr_fail(err, HRR_EDATA, "the file of tokens has none: nobody could ask");
    return HRR_OK;
}

hrr_status hrr_tokens_init(hrr_tokens *out, const char *text, double rate, hrr_error *err)
{
    *out = (hrr_tokens){.open = !text};
    char *copy = text ? hrr_copy_text(text) : NULL;
    out->callers = hrr_alloc_zero(text ? HRR_MOST_TOKENS : 1, sizeof *out->callers);
    if (!out->callers || (text && !copy)) {
        hrr_free(out->callers);
        hrr_free(copy);
        *out = (hrr_tokens){0};
        return hrr_no_memory(err);
    }
    pthread_mutex_init(&out->lock, NULL);
    hrr_status status = HRR_OK;
    if (text) {
        status = read_lines(out, copy, rate, err);
    } else {
        out->callers[0] = (hrr_caller){.name = "anybody", .rate = rate, .allowance = fmax(1, rate)};
        out->n_callers = 1;
    }
    hrr_free(copy);
    if (status) hrr_tokens_clear(out);
    return status;
}

hrr_caller *hrr_tokens_find(hrr_tokens *tokens, const char *token)
{
    uint8_t hash[hrr_sha256_size];
    hrr_caller *found = NULL;
    if (tokens->open) return &tokens->callers[0];
    if (!EVP_Digest(token ? token : "", token ? strlen(token) : 0, hash, NULL, EVP_sha256(), NULL))
        return NULL;
    for (size_t i = 0; i < tokens->n_callers; i++) /* to the end, in any case */
        if (CRYPTO_memcmp(tokens->callers[i].hash, hash, sizeof hash) == 0)
            found = &tokens->callers[i];
    return token ? found : NULL;
}

bool hrr_caller_may_ask(hrr_tokens *tokens, hrr_caller *caller, double now, double *wait)
{
    *wait = 0;
    pthread_mutex_lock(&tokens->lock);
    const double burst = fmax(1, caller->rate);
    caller->allowance = fmin(burst, caller->allowance + caller->rate * (now - caller->seen));
    caller->seen = now;
    bool may = true;
    if (caller->limit && caller->nodes >= caller->limit) {
        may = false;
        *wait = -1;
    } else if (caller->rate > 0 && caller->allowance < 1) {
        may = false;
        *wait = (1 - caller->allowance) / caller->rate;
    } else {
        caller->allowance -= caller->rate > 0;
        caller->requests++;
    }
    caller->refused += !may;
    pthread_mutex_unlock(&tokens->lock);
    return may;
}

bool hrr_caller_take(hrr_tokens *tokens, hrr_caller *caller, uint64_t n_nodes)
{
    pthread_mutex_lock(&tokens->lock);
    const bool may = !caller->limit || n_nodes <= caller->limit - caller->nodes;
    if (may)
        caller->nodes += n_nodes;
    else
        caller->refused++;
    pthread_mutex_unlock(&tokens->lock);
    return may;
}
