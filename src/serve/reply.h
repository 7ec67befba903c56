/* reply.h: answers as the protocol wants them: inferences, errors, JSON documents. */
#ifndef HRR_SERVE_REPLY_H
#define HRR_SERVE_REPLY_H

#include "report/text.h"
#include "serve/question.h"

#include <jansson.h>

typedef struct hrr_reply {
    unsigned status;  /* of HTTP */
    const char *type; /* a literal */
    hrr_text body;    /* hrr_text_clear() */
    size_t
        json_size; /* of an inference with binary tensors: how much of the body is JSON; else 0 */
    double retry_after; /* seconds; 0: nothing to wait for */
} hrr_reply;

/* {"error": "..."}; without memory for that, an empty body. */
void hrr_reply_error(hrr_reply *out, unsigned status, const char *message);
/* The status of HTTP that goes with a failure: 400, 404 or 503. */
void hrr_reply_failure(hrr_reply *out, const hrr_error *err);
/* json is taken over; NULL: no memory. */
void hrr_reply_json(hrr_reply *out, unsigned status, json_t *json);
void hrr_reply_text(hrr_reply *out, const char *type, const char *text);

/* logits: what hrr_asking_answer() gave; they are changed on the way. NULL: hrr_asking_needs_rows()
 * said no. id: "": none. */
void hrr_reply_inference(hrr_reply *out, const hrr_served *served, const hrr_asking *asking,
                         const char *id, double *logits);

/* Quoted and escaped; bytes that are not ASCII become '?' if `ascii`. */
void hrr_text_json(hrr_text *text, const char *words, bool ascii);

#endif
