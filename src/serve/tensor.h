/* tensor.h: requests of the Open Inference Protocol, from bytes to tensors. Pure functions: bytes
 * from a stranger go in, numbers or a message come out. */
#ifndef HRR_SERVE_TENSOR_H
#define HRR_SERVE_TENSOR_H

#include <heterorr/base.h>

enum { HRR_TENSOR_DIMS = 4, HRR_MOST_TENSORS = 16, HRR_TENSOR_NAME = 64, HRR_REQUEST_ID = 256 };

typedef enum hrr_tensor_kind {
    HRR_TENSOR_INTEGERS = 0,
    HRR_TENSOR_REALS,
    HRR_TENSOR_TEXTS
} hrr_tensor_kind;

typedef struct hrr_datatype {
    const char *name; /* "INT64" */
    hrr_tensor_kind kind;
    uint32_t bytes; /* of an element; 0: texts */
    bool is_signed;
    int64_t least, most; /* of integers; those of 64 bits are kept as INT64 */
} hrr_datatype;

typedef struct hrr_tensor {
    char name[HRR_TENSOR_NAME];
    const hrr_datatype *type;
    uint32_t n_dims;
    uint64_t shape[HRR_TENSOR_DIMS], n; /* n: their product */
    int64_t *integers;                  /* one of the three, by the kind */
    double *reals;                      /* finite */
    char *text;                         /* NUL-terminated texts one after another */
    uint64_t *text_start;               /* n offsets into text */
} hrr_tensor;

/* An output that the client asks for. */
typedef struct hrr_wanted {
    char name[HRR_TENSOR_NAME];
    bool binary;
} hrr_wanted;

typedef struct hrr_infer_request {
    char id[HRR_REQUEST_ID]; /* "": none */
    hrr_tensor inputs[HRR_MOST_TENSORS];
    uint32_t n_inputs;
    hrr_wanted outputs[HRR_MOST_TENSORS];
    uint32_t n_outputs; /* 0: all */
    bool binary;        /* outputs that say nothing about it */
} hrr_infer_request;

/* json_size: how many bytes of the body are JSON, the rest being binary tensors.
 * Ownership: hrr_infer_request_clear(); *out is empty on failure.
 * Errors:    HRR_EINVAL saying what is wrong with the request, HRR_ENOMEM. */
HRR_STATUS hrr_infer_parse(hrr_infer_request *out, const void *body, size_t size, size_t json_size,
                           hrr_error *err);
void hrr_infer_request_clear(hrr_infer_request *request);

/* The input of that name; NULL: there is none. */
const hrr_tensor *hrr_infer_input(const hrr_infer_request *request, const char *name);

#endif
