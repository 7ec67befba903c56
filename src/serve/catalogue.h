/* catalogue.h: all that a service has at a time: models, and who may ask them. A reload makes
 * another one; whoever is being answered keeps the old one until then. */
#ifndef HRR_SERVE_CATALOGUE_H
#define HRR_SERVE_CATALOGUE_H

#include "serve/served.h"
#include "serve/tokens.h"

#include <stdatomic.h>

typedef struct hrr_catalogue {
    atomic_int users;
    hrr_served **models;
    size_t n_models;
    bool is_private; /* all of them are */
    hrr_tokens tokens;
} hrr_catalogue;

/* One user, the caller. accounts outlive it. Errors: as hrr_server_start(). */
HRR_STATUS hrr_catalogue_open(hrr_catalogue **out, const hrr_served_model *models, size_t n_models,
                              const hrr_server_options *options, hrr_accounts *accounts,
                              hrr_progress *progress, hrr_error *err);
void hrr_catalogue_use(hrr_catalogue *catalogue);
void hrr_catalogue_leave(hrr_catalogue *catalogue); /* the last user frees it; NULL is allowed */

hrr_served *hrr_catalogue_find(const hrr_catalogue *catalogue, const char *name);

#endif
