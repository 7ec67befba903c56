/* bench_vision.c: our side of bench/run vision, in processor time, on one thread.
 *
 *     bench_vision decode SIDE FILE..             pictures to SIDE x SIDE pixels
 *     bench_vision tensors MODEL N BATCH          the runtime alone, on tensors that are ready
 *     bench_vision decoder DATA N D SIDE STEPS    steps of a decoder's training; DATA: x, then
 * pictures */
#include "timing.h"

#include "base/memory.h"
#include "learn/decoder.h"
#include "learn/optimiser.h"
#include "vision/picture.h"
#include "vision/runtime.h"

#include <math.h>
#include <string.h>

static double processor(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

static void *need(void *memory)
{
    if (!memory) exit(1);
    return memory;
}

static void decode(uint32_t side, char **files)
{
    const hrr_picture_limits limits = {
        .most_pixels = 100000000, .most_bytes = 1 << 30, .long_side = 1280, .enough = side};
    hrr_error err;
    hrr_vips *vips;
    double sum = 0;
    uint64_t n = 0;
    must(hrr_vips_open(&vips, &err), &err);
    const double began = processor();
    for (; *files; files++, n++) {
        hrr_picture whole, small;
        must(hrr_picture_read(&whole, vips, *files, &limits, &err), &err);
        must(hrr_picture_resize(&small, vips, &whole, side, side, &err), &err);
        for (uint64_t i = 0; i < 3 * (uint64_t)side * side; i++)
            sum += small.rgb[i];
        hrr_picture_clear(&whole);
        hrr_picture_clear(&small);
    }
    printf("{\"name\": \"decode\", \"cpu\": %.9g, \"mean\": %.9g}\n", processor() - began,
           sum / (3.0 * side * side * (double)n));
    hrr_vips_close(vips);
}

static void tensors(const char *model, uint32_t n, uint32_t batch)
{
    hrr_error err;
    hrr_runtime *runtime;
    hrr_network *network;
    const size_t wanted = 0;
    must(hrr_runtime_open(&runtime, NULL, &err), &err);
    must(hrr_network_read(&network, runtime, model, NULL, &err), &err);
    hrr_tensor_shape shape = hrr_network_input(network, 0)->shape;
    size_t size;
    shape.dims[0] = batch;
    if (!hrr_tensor_size(&size, &shape)) exit(1);
    float *input = need(hrr_alloc(size, sizeof *input));
    for (size_t i = 0; i < size; i++)
        input[i] = (float)(i % 255) / 255;
    double began = 0;
    for (uint32_t done = 0; done < n + batch; done += batch) {
        hrr_answer answer = {0};
        if (done == batch) began = processor(); /* the first one warms up */
        must(hrr_network_run(&answer, network, input, &shape, &wanted, 1, &err), &err);
        hrr_answer_clear(&answer, network);
    }
    printf("{\"name\": \"tensors\", \"cpu\": %.9g}\n", processor() - began);
    hrr_free(input);
    hrr_network_free(network);
    hrr_runtime_close(runtime);
}

static void train(const char *path, uint64_t n, uint64_t d, uint32_t side, int steps)
{
    enum { batch = 32, width = 16 };
    hrr_error err;
    hrr_decoder decoder;
    hrr_decoder_pass pass;
    hrr_stepper stepper;
    hrr_train_options adam;
    const uint64_t pixels = 3 * (uint64_t)side * side;
    float *x = need(hrr_alloc(n, d * sizeof *x)), *y = need(hrr_alloc(n, pixels * sizeof *y));
    FILE *file = need(fopen(path, "rb"));
    if (fread(x, d * sizeof *x, n, file) != n || fread(y, pixels * sizeof *y, n, file) != n)
        exit(1);
    fclose(file);
    hrr_train_options_init(&adam);
    adam.optimiser = HRR_ADAM;
    adam.learning_rate = 0.002;
    adam.weight_decay = 0;
    must(hrr_decoder_init(&decoder, d, side, 3, width, 1, &err), &err);
    must(hrr_decoder_pass_init(&pass, &decoder, batch, 1, &err), &err);
    must(hrr_stepper_init(&stepper, decoder.n_parameters, &adam, &err), &err);
    memset(decoder.offset, 0, pixels * sizeof(float));
    float *gradient = need(hrr_alloc(decoder.n_parameters, sizeof *gradient));
    const double began = processor();
    for (int step = 0; step < steps; step++) {
        const uint64_t first = (uint64_t)step * batch % (n - batch + 1) / batch * batch;
        hrr_decoder_forward(&pass, x + first * d, batch);
        hrr_decoder_backward(gradient, &pass, x + first * d, y + first * pixels, batch);
        hrr_step(decoder.parameters, gradient, &stepper);
    }
    const double took = processor() - began;
    const float *guess = hrr_decoder_forward(&pass, x, batch);
    double error = 0;
    for (uint64_t i = 0; i < batch * pixels; i++)
        error += pow((double)guess[i] - (double)y[i], 2) / (double)(batch * pixels);
    printf("{\"name\": \"decoder\", \"cpu\": %.9g, \"error\": %.9g}\n", took, error);
    hrr_free(x);
    hrr_free(y);
    hrr_free(gradient);
    hrr_stepper_clear(&stepper);
    hrr_decoder_pass_clear(&pass);
    hrr_decoder_clear(&decoder);
}

int main(int argc, char **argv)
{
    if (argc > 3 && strcmp(argv[1], "decode") == 0)
        decode((uint32_t)atoi(argv[2]), argv + 3);
    else if (argc == 5 && strcmp(argv[1], "tensors") == 0)
        tensors(argv[2], (uint32_t)atoi(argv[3]), (uint32_t)atoi(argv[4]));
    else if (argc == 7 && strcmp(argv[1], "decoder") == 0)
        train(argv[2], (uint64_t)atol(argv[3]), (uint64_t)atol(argv[4]), (uint32_t)atoi(argv[5]),
              atoi(argv[6]));
    else
        return 2;
    return 0;
}
