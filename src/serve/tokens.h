/* tokens.h: who may ask, how fast and how much. */
#ifndef HRR_SERVE_TOKENS_H
#define HRR_SERVE_TOKENS_H

#include "io/hash.h"

#include <heterorr/base.h>

#include <pthread.h>

enum { HRR_TOKEN_NAME = 64, HRR_MOST_TOKENS = 4096 };

/* What a caller has used up. It outlives the file of tokens that named them: a reload, and requests
 * that still use the file as it was, go on with the same numbers. */
typedef struct hrr_account {
    char name[HRR_TOKEN_NAME];
    double allowance, seen; /* requests they may make at the time `seen` */
    uint64_t requests, nodes, refused;
    struct hrr_account *next;
} hrr_account;

/* Everybody who was ever named, for as long as the service runs. */
typedef struct hrr_accounts {
    pthread_mutex_t lock; /* of all that changes */
    hrr_account *first;
} hrr_accounts;
void hrr_accounts_init(hrr_accounts *accounts);
void hrr_accounts_clear(hrr_accounts *accounts);

/* A caller: one token, or everybody where there are none. */
typedef struct hrr_caller {
    char name[HRR_TOKEN_NAME];
    uint8_t hash[hrr_sha256_size]; /* of the token, which is kept nowhere */
    double rate;                   /* requests a second; 0: as many as they like */
    uint64_t limit;                /* nodes that are told about; 0: all they like */
    bool sees_all;                 /* /metrics tells them about other callers, too */
    hrr_account *account;
} hrr_caller;

/* Text of a file of tokens: a line for each, NAME SHA256 [rate=R] [limit=N] [metrics=all]; '#'
 * begins a comment. */
typedef struct hrr_tokens {
    hrr_accounts *accounts;
    hrr_caller *callers;
    size_t n_callers;
    bool open; /* no token is needed: the one caller is everybody */
} hrr_tokens;

/* From the text of a file; NULL: everybody may ask. rate: of lines that say nothing about it.
 * Callers of a name that the accounts know go on from there.
 * Errors: HRR_EDATA naming the line, HRR_ENOMEM. */
HRR_STATUS hrr_tokens_init(hrr_tokens *out, const char *text, double rate, hrr_accounts *accounts,
                           hrr_error *err);
void hrr_tokens_clear(hrr_tokens *tokens);

/* The caller who has this token; NULL: nobody. Takes as long for a wrong token as for a right one.
 */
const hrr_caller *hrr_tokens_find(const hrr_tokens *tokens, const char *token);

/* May the caller make a request now? Otherwise how many seconds to wait; negative: there is no
 * point in waiting. */
bool hrr_caller_may_ask(hrr_tokens *tokens, const hrr_caller *caller, double now, double *wait);
/* They were told about so many nodes. False, and nothing is counted: that would be too many. */
bool hrr_caller_take(hrr_tokens *tokens, const hrr_caller *caller, uint64_t n_nodes);

#endif
