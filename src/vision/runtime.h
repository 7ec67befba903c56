/* runtime.h: pretrained networks through ONNX Runtime, a shared library that is loaded when it is
 * first needed. Nothing of it is linked: whoever does not embed pictures does not have it. */
#ifndef HRR_VISION_RUNTIME_H
#define HRR_VISION_RUNTIME_H

#include <heterorr/base.h>

enum { HRR_TENSOR_DIMS = 6 };

/* A dimension that the network leaves open is -1. */
typedef struct hrr_tensor_shape {
    int n_dims;
    int64_t dims[HRR_TENSOR_DIMS];
} hrr_tensor_shape;

/* How many numbers a tensor of this shape has. Errors: false if a dimension is open or the product
 * does not fit. */
bool hrr_tensor_size(size_t *out, const hrr_tensor_shape *shape);

/* "1 x 3 x 224 x 224"; an open dimension is "any". */
void hrr_tensor_shape_text(char *out, size_t size, const hrr_tensor_shape *shape);

/* One input or output of a network. */
typedef struct hrr_tensor_port {
    char *name;
    bool is_f32;
    hrr_tensor_shape shape;
} hrr_tensor_port;

/* ---- the library ----------------------------------------------------------------------------- */

typedef struct hrr_runtime hrr_runtime;

/* Load the library: `path` (the file, or a directory that holds it) if it is given; otherwise what
 * the environment variable HETERORR_ONNXRUNTIME names; otherwise the system's; otherwise what
 * tools/onnxruntime fetched.
 * Ownership: *out belongs to the caller, hrr_runtime_close(), after its networks.
 * Errors:    HRR_EINVAL if there is none (`runtime`), saying where it was looked for and how to get
 *            one; or if it is too old. */
HRR_STATUS hrr_runtime_open(hrr_runtime **out, const char *path, hrr_error *err);
const char *hrr_runtime_version(const hrr_runtime *runtime);
void hrr_runtime_close(hrr_runtime *runtime);

/* ---- a network ------------------------------------------------------------------------------- */

typedef struct hrr_network hrr_network;

/* Load a network. `inner` (may be NULL) names a tensor between its layers: it becomes the last
 * output unless it is an output already.
 * Errors: HRR_EIO, HRR_EDATA with what ONNX Runtime says. */
HRR_STATUS hrr_network_read(hrr_network **out, const hrr_runtime *runtime, const char *path,
                            const char *inner, hrr_error *err);
void hrr_network_free(hrr_network *network);

size_t hrr_network_n_inputs(const hrr_network *network);
size_t hrr_network_n_outputs(const hrr_network *network);
const hrr_tensor_port *hrr_network_input(const hrr_network *network, size_t i);
const hrr_tensor_port *hrr_network_output(const hrr_network *network, size_t i);
/* Which output has this name; the number of outputs if none has. */
size_t hrr_network_find_output(const hrr_network *network, const char *name);

/* One answer: data belongs to the answer. All zero bytes is none. */
typedef struct hrr_answer {
    hrr_tensor_shape shape;
    const float *data;
    void *value;
} hrr_answer;

/* Run the network on one input tensor. answers[i] is output wanted[i], i < n_wanted; each is
 * cleared by hrr_answer_clear(), also after a failure. Safe from several threads at a time.
 * Errors: HRR_EDATA with what ONNX Runtime says, and for an output that is not of float32. */
HRR_STATUS hrr_network_run(hrr_answer *answers, const hrr_network *network, const float *input,
                           const hrr_tensor_shape *shape, const size_t *wanted, size_t n_wanted,
                           hrr_error *err);
void hrr_answer_clear(hrr_answer *answer, const hrr_network *network);

#endif
