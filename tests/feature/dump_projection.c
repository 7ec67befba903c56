/* dump_projection: what the library makes of a public sample or a head, for test_projection.py to
 * compare with numpy. Writes doubles to stdout: directions (r x d), then with a sample also centre
 * (d), lo (r) and hi (r).
 *
 *     dump_projection pca SAMPLE.npy R LO HI
 *     dump_projection head HEAD.npz R LO HI */
#include <heterorr/feature.h>
#include <heterorr/io.h>
#include <heterorr/learn.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(hrr_status status, const hrr_error *err)
{
    if (!status) return;
    fprintf(stderr, "%s\n", err->message);
    exit(1);
}

static double *repeat(double value, uint64_t n)
{
    double *all = malloc(n * sizeof *all);
    for (uint64_t i = 0; all && i < n; i++)
        all[i] = value;
    return all;
}

int main(int argc, char **argv)
{
    if (argc != 6) return 2;
    const uint32_t r = (uint32_t)atoi(argv[3]);
    hrr_error err = {0};
    hrr_projection made = {0};
    hrr_head head = {0};
    hrr_dense sample = {0};
    const bool from_head = strcmp(argv[1], "head") == 0;
    if (from_head) {
        must(hrr_head_read(&head, argv[2], HRR_OUTPUT_SOFTMAX, &err), &err);
    } else {
        hrr_array array = {0};
        must(hrr_array_read(&array, argv[2], &err), &err);
        must(hrr_array_into_dense(&sample, &array, argv[2], &err), &err);
        hrr_array_clear(&array);
    }
    const uint64_t d = !from_head                ? sample.cols
                       : head.hidden_weight.data ? head.hidden_weight.rows
                                                 : head.weight.rows;
    double *lo = repeat(atof(argv[4]), d), *hi = repeat(atof(argv[5]), d);
    if (from_head)
        must(hrr_head_directions(&made.directions, &head, lo, hi, r, &err), &err);
    else
        must(hrr_projection_from_sample(&made, &sample, lo, hi, r, &err), &err);
    fwrite(made.directions.data, sizeof(double), made.directions.rows * d, stdout);
    if (!from_head) {
        fwrite(made.centre, sizeof(double), d, stdout);
        fwrite(made.lo, sizeof(double), made.directions.rows, stdout);
        fwrite(made.hi, sizeof(double), made.directions.rows, stdout);
    }
    hrr_projection_clear(&made);
    hrr_head_clear(&head);
    hrr_dense_clear(&sample);
    free(lo);
    free(hi);
    return 0;
}
