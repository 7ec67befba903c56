/* demo_noise.c: see demo_noise.h. With a = exp(-eps) the discrete Laplace distribution is
 * P(y) = (1 - a) / (1 + a) * a^|y| over the integers. The sampler works on integers alone, so the
 * shares differ from P only by the luck of the draw. */
#include "cli/demo_noise.h"
#include "cli/figures.h"

#include <heterorr/random.h>

#include <math.h>
#include <stdlib.h>

enum { n_draws = 200000, widest = 5, bar_cells = 28 };

static double exact_probability(int64_t y)
{
    double a = exp(-1);
    return (1 - a) / (1 + a) * pow(a, fabs((double)y));
}

/* drawn[k]: how many draws were k - widest; draws beyond the middle are left out. */
static hrr_status draw(uint64_t drawn[2 * widest + 1], hrr_error *err)
{
    hrr_random *secret = NULL;
    hrr_stream *stream = NULL;
    int64_t *noise = malloc(n_draws * sizeof *noise);
    hrr_status status =
        noise ? hrr_random_new(&secret, err) : hrr_fail(err, HRR_ENOMEM, "out of memory");
    if (status) goto done;
    if ((status = hrr_stream_new(&stream, secret, err))) goto done;
    hrr_stream_seek(stream, HRR_PURPOSE_TEST, 0);
    hrr_sample_laplace_fill(noise, n_draws, stream, 1, 1);
    for (size_t i = 0; i < n_draws; i++)
        if (noise[i] >= -widest && noise[i] <= widest) drawn[noise[i] + widest]++;
done:
    hrr_stream_free(stream);
    hrr_random_free(secret);
    free(noise);
    return status;
}

static json_t *noise_json(const uint64_t drawn[2 * widest + 1])
{
    json_t *rows = json_array();
    for (int64_t y = -widest; y <= widest; y++)
        json_array_append_new(rows, json_pack("{s:I, s:I, s:f}", "noise", (json_int_t)y, "drawn",
                                              (json_int_t)drawn[y + widest], "probability",
                                              exact_probability(y)));
    return json_pack("{s:f, s:i, s:o}", "eps", 1.0, "draws", n_draws, "rows", rows);
}

hrr_status cli_demo_noise(cli_task *task, hrr_error *err)
{
    uint64_t drawn[2 * widest + 1] = {0};
    hrr_status status = draw(drawn, err);
    if (status) return status;
    if (task->json) {
        task->result = noise_json(drawn);
        return task->result ? HRR_OK : hrr_fail(err, HRR_ENOMEM, "out of memory");
    }
    printf("  noise     exact     drawn\n");
    for (int64_t y = -widest; y <= widest; y++) {
        double share = (double)drawn[y + widest] / n_draws;
        printf("  %5d  %8s  %8s  ", (int)y, cli_percent(exact_probability(y)).text,
               cli_percent(share).text);
        cli_print_bar(stdout, share / exact_probability(0), bar_cells);
        printf("\n");
    }
    return HRR_OK;
}
