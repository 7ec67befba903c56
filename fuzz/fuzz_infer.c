/* fuzz_infer: a request of the inference protocol. The first two bytes say how much of the rest is
 * JSON; 0xffff: all of it. */
#include "serve/route.h"
#include "serve/tensor.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    hrr_infer_request request;
    hrr_error err;
    char model[HRR_MODEL_NAME], path[256];
    if (size < 2) return 0;
    const size_t json = bytes[0] | (size_t)bytes[1] << 8;
    bytes += 2;
    size -= 2;
    if (hrr_infer_parse(&request, bytes, size, json == 0xffff ? size : json, &err) == HRR_OK)
        for (uint32_t i = 0; i < request.n_inputs; i++)
            if (!hrr_infer_input(&request, request.inputs[i].name)) abort();
    hrr_infer_request_clear(&request);
    const size_t length = size < sizeof path - 1 ? size : sizeof path - 1;
    memcpy(path, bytes, length);
    path[length] = '\0';
    hrr_route_find(model, path);
    return 0;
}
