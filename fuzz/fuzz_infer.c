/* fuzz_infer: a request of the inference protocol. The first two bytes say how much of the rest is
 * JSON; 0xffff: all of it. What is taken is JSON in jansson's eyes, too. */
#include "serve/route.h"
#include "serve/tensor.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Reals beyond its integers are none to jansson unless it is told so. It goes so deep and no
 * deeper, and a list that is read by itself is less deep. */
static bool is_json(const uint8_t *bytes, size_t size)
{
    json_error_t wrong;
    json_t *tree = json_loadb((const char *)bytes, size,
                              JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &wrong);
    const bool is =
        tree ? json_is_object(tree) : json_error_code(&wrong) == json_error_stack_overflow;
    json_decref(tree);
    return is;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    hrr_infer_request request;
    hrr_error err;
    char model[HRR_MODEL_NAME], path[256];
    if (size < 2) return 0;
    const size_t json = bytes[0] | (size_t)bytes[1] << 8;
    bytes += 2;
    size -= 2;
    const size_t json_size = json == 0xffff ? size : json;
    if (hrr_infer_parse(&request, bytes, size, json_size, &err) == HRR_OK) {
        if (!is_json(bytes, json_size)) abort();
        for (uint32_t i = 0; i < request.n_inputs; i++)
            if (!hrr_infer_input(&request, request.inputs[i].name)) abort();
    }
    hrr_infer_request_clear(&request);
    const size_t length = size < sizeof path - 1 ? size : sizeof path - 1;
    memcpy(path, bytes, length);
    path[length] = '\0';
    hrr_route_find(model, path);
    return 0;
}
