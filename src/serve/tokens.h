/* tokens.h: who may ask, how fast and how much. */
#ifndef HRR_SERVE_TOKENS_H
#define HRR_SERVE_TOKENS_H

#include "io/hash.h"

#include <heterorr/base.h>

#include <pthread.h>

enum { HRR_TOKEN_NAME = 64, HRR_MOST_TOKENS = 4096 };

/* A caller: one token, or everybody where there are none. */
typedef struct hrr_caller {
    char name[HRR_TOKEN_NAME];
    uint8_t hash[hrr_sha256_size]; /* of the token, which is kept nowhere */
    double rate;                   /* requests a second; 0: as many as they like */
    uint64_t limit;                /* nodes that are told about; 0: all they like */
    double allowance, seen;        /* requests they may make at the time `seen` */
    uint64_t requests, nodes, refused;
} hrr_caller;

/* Text of a file of tokens: a line for each, NAME SHA256 [rate=R] [limit=N]; '#' begins a comment.
 */
typedef struct hrr_tokens {
    pthread_mutex_t lock; /* of what changes in callers */
    hrr_caller *callers;
    size_t n_callers;
    bool open; /* no token is needed: the one caller is everybody */
} hrr_tokens;

/* From the text of a file; NULL: everybody may ask. rate: of lines that say nothing about it.
 * Errors: HRR_EDATA naming the line, HRR_ENOMEM. */
HRR_STATUS hrr_tokens_init(hrr_tokens *out, const char *text, double rate, hrr_error *err);
void hrr_tokens_clear(hrr_tokens *tokens);

/* The caller who has this token; NULL: nobody. Takes as long for a wrong token as for a right one.
 */
hrr_caller *hrr_tokens_find(hrr_tokens *tokens, const char *token);

/* May the caller make a request now? Otherwise how many seconds to wait; negative: there is no
 * point in waiting. */
bool hrr_caller_may_ask(hrr_tokens *tokens, hrr_caller *caller, double now, double *wait);
/* They were told about so many nodes. False, and nothing is counted: that would be too many. */
bool hrr_caller_take(hrr_tokens *tokens, hrr_caller *caller, uint64_t n_nodes);

#endif
