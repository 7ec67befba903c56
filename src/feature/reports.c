/* reports.c: see reports.h. */
#include "feature/reports.h"
#include "feature/channels.h"
#include "feature/head_answer.h"
#include "feature/window.h"
#include "matrix/dense.h"
#include "base/memory.h"

#include <math.h>

static bool has_share(const hrr_head *head, uint64_t j)
{
    return !head->shares.data || ((const double *)head->shares.data)[j] > 0;
}

/* What a yes or no through binary randomised response tells about an even answer, in nats. */
static double told(double eps)
{
    const double truth = 1 / (1 + exp(-eps));
    return truth < 1 ? log(2) + truth * log(truth) + (1 - truth) * log1p(-truth) : log(2);
}

uint32_t hrr_head_asked(const hrr_head *head, uint64_t total_nano)
{
    const double eps = (double)total_nano / (double)HRR_EPS_UNIT;
    uint32_t n = 0, best = 1;
    if (head->output != HRR_OUTPUT_SIGMOID) return 0;
    for (uint64_t j = 0; j < head->weight.cols; j++)
        n += has_share(head, j);
    /* More than one for each nat of budget never tell more. */
    for (uint32_t m = 2; m <= n && (double)m <= eps; m++)
        if (m * told(eps / m) > best * told(eps / best)) best = m;
    return best < n ? best : 0;
}

hrr_status hrr_head_budgets(uint64_t *eps_nano, const hrr_head *head, uint64_t total_nano,
                            hrr_error *err)
{
    const uint64_t k = head->weight.cols;
    const uint32_t n_asked = hrr_head_asked(head, total_nano);
    for (uint64_t j = 0; j < k && n_asked; j++)
        eps_nano[j] = has_share(head, j) ? total_nano / n_asked : 0;
    if (n_asked) return HRR_OK;
    if (head->output == HRR_OUTPUT_SIGMOID)
        return hrr_channels_split(eps_nano, total_nano, head->shares.data, k, err);
    for (uint64_t j = 0; j < k; j++)
        eps_nano[j] = total_nano;
    return HRR_OK;
}

hrr_status hrr_reports_read(hrr_reports *out, const hrr_dense *released, uint32_t report_size,
                            const uint64_t *eps_nano, hrr_error *err)
{
    const uint64_t k = released->cols;
    /* Values of named answers lie above it, of the others below. */
    const double middle = report_size ? 1 / (double)k : .5;
    *out = (hrr_reports){.n_nodes = released->rows,
                         .n_answers = (uint32_t)k,
                         .report_size = report_size,
                         .named = hrr_alloc(released->rows, k),
                         .log_ratio = hrr_alloc(k, sizeof *out->log_ratio)};
    if (!out->named || !out->log_ratio) {
        hrr_reports_clear(out);
        return hrr_no_memory(err);
    }
    for (uint64_t i = 0; i < released->rows; i++)
        for (uint64_t j = 0; j < k; j++) {
            const double value = hrr_dense_get(released, i, j);
            const bool silent = !report_size && value == middle;
            out->named[i * k + j] = silent ? HRR_REPORT_SILENT : value > middle;
        }
    for (uint64_t j = 0; j < k; j++)
        out->log_ratio[j] = (double)eps_nano[j] / HRR_EPS_UNIT;
    return HRR_OK;
}

hrr_status hrr_report_values(float *value, uint32_t n_answers, uint32_t report_size,
                             const uint64_t *eps_nano, hrr_error *err)
{
    if (report_size) {
        hrr_window window;
        hrr_window_init(&window, eps_nano[0], n_answers, report_size);
        for (uint32_t j = 0; j < n_answers; j++) {
            value[3 * j] = (float)((double)window.low / (double)window.total);
            value[3 * j + 1] = (float)((double)window.high / (double)window.total);
            value[3 * j + 2] = value[3 * j]; /* a class is always asked for */
        }
        return HRR_OK;
    }
    hrr_channels channels = {0};
    hrr_status status = hrr_channels_init_narrow(&channels, eps_nano, n_answers, 2, err);
    for (uint32_t j = 0; j < n_answers && !status; j++) {
        const double realised = channels.table_eps[hrr_channels_table(&channels, j)];
        value[3 * j + 1] = (float)(1 / (1 + exp(-realised)));
        value[3 * j] = 1 - value[3 * j + 1];
        value[3 * j + 2] = .5f;
    }
    hrr_channels_clear(&channels);
    return status;
}

hrr_status hrr_reports_of_answers(hrr_reports *out, const hrr_head *head, const hrr_dense *features,
                                  hrr_error *err)
{
    const uint64_t n = features->rows, k = head->weight.cols;
    const bool one_class = head->output == HRR_OUTPUT_SOFTMAX;
    hrr_answerer answerer = {0};
    double *space = NULL;
    *out = (hrr_reports){.n_nodes = n, .n_answers = (uint32_t)k, .report_size = one_class};
    hrr_status status = hrr_answerer_init(&answerer, head, features->cols, err);
    if (status) return status;
    space = hrr_alloc(features->cols + k + hrr_answerer_scratch(&answerer), sizeof *space);
    out->named = hrr_alloc_zero(n, k);
    out->log_ratio = hrr_alloc(k, sizeof *out->log_ratio);
    if (!space || !out->named || !out->log_ratio) {
        hrr_reports_clear(out);
        status = hrr_no_memory(err);
    }
    for (uint64_t i = 0; i < n && !status; i++) {
        double *x = space, *score = x + features->cols;
        uint8_t *named = out->named + i * k;
        hrr_row_as_f64(x, features, i);
        hrr_answerer_scores(score, &answerer, x, score + k);
        if (one_class) named[hrr_likeliest_answer(score, (uint32_t)k)] = 1;
        for (uint64_t j = 0; j < k && !one_class; j++)
            named[j] = score[j] > 0;
    }
    for (uint64_t j = 0; j < k && !status; j++)
        out->log_ratio[j] = (double)HRR_EPS_MAX / HRR_EPS_UNIT;
    hrr_free(space);
    hrr_answerer_clear(&answerer);
    return status;
}

void hrr_reports_clear(hrr_reports *reports)
{
    hrr_free(reports->named);
    hrr_free(reports->log_ratio);
    *reports = (hrr_reports){0};
}
