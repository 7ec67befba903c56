/* describe.h: what a service says about itself and its models. */
#ifndef HRR_SERVE_DESCRIBE_H
#define HRR_SERVE_DESCRIBE_H

#include "serve/reply.h"

/* What stands in the header of every answer. */
#define HRR_PRIVACY_HEADER "Heterorr-Privacy"
const char *hrr_privacy_word(bool is_private); /* "private", "NOT PRIVATE" */

/* GET /v2 */
json_t *hrr_describe_server(hrr_served *const *models, size_t n_models);
/* GET /v2/models/M */
json_t *hrr_describe_model(const hrr_served *served);
/* GET /privacy: the promise of every model, in words. */
void hrr_describe_privacy(hrr_text *out, hrr_served *const *models, size_t n_models);
/* The node that POST /v2/models/M/neighbours asks about: {"node": NAME}. False: why not is in
 * *refusal. */
bool hrr_neighbours_parse(uint32_t *node, hrr_reply *refusal, const hrr_served *served,
                          const void *body, size_t size);
/* Its neighbours, as released. */
void hrr_describe_neighbours(hrr_reply *out, const hrr_served *served, uint32_t node);

#endif
