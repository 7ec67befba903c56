/* measure_logits.c: see measure_logits.h. */
#include "learn/measure_logits.h"
#include "matrix/dense.h"

#include <math.h>

void hrr_to_log_probabilities(hrr_dense *scores, int threads)
{
    const uint64_t n_classes = scores->cols;
    threads = hrr_threads(threads);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint64_t i = 0; i < scores->rows; i++) {
        float *const row = (float *)scores->data + i * n_classes;
        double largest = (double)row[0], sum = 0;
        for (uint64_t c = 1; c < n_classes; c++)
            largest = fmax(largest, (double)row[c]);
        for (uint64_t c = 0; c < n_classes; c++)
            sum += exp((double)row[c] - largest);
        for (uint64_t c = 0; c < n_classes; c++)
            row[c] = (float)((double)row[c] - largest - log(sum));
    }
}

hrr_status hrr_measure_logits(hrr_metrics parts[3], const hrr_dense *logits, const hrr_graph *graph,
                              hrr_error *err)
{
    const int32_t *classes = hrr_graph_classes(graph);
    hrr_dense scores = {0};
    hrr_status status = hrr_dense_convert(&scores, logits, HRR_F32, err);
    if (!status && classes) hrr_to_log_probabilities(&scores, 1);
    for (int part = HRR_TRAIN; part <= HRR_TEST && !status; part++)
        status = hrr_measure(&parts[part], &scores, classes, hrr_graph_label_matrix(graph), 0,
                             hrr_graph_split(graph), (hrr_split)part, err);
    hrr_dense_clear(&scores);
    return status;
}
