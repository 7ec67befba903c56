/* own_noise.c: a mechanism of one's own on the exact samplers. Each person's answer to a question
 * with four choices is kept with probability 1/2 and drawn anew otherwise, which is ln(5)-DP for
 * each: (1/2 + 1/8) / (1/8) = 5. The true totals get discrete Laplace noise, which is 1-DP if a
 * person may change one answer: two totals move by 1.
 *
 *     cc own_noise.c $(pkg-config --cflags --libs heterorr) -o own_noise
 *     ./own_noise 1000 */
#include <heterorr/heterorr.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **words)
{
    enum { choices = 4 };
    const long n_people = count == 2 ? atol(words[1]) : 0;
    int64_t totals[choices] = {0}, answers[choices] = {0};
    hrr_random *random = NULL;
    hrr_stream *stream = NULL;
    hrr_error err;
    if (hrr_random_new(&random, &err) || hrr_stream_new(&stream, random, &err)) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    for (long person = 0; person < n_people; person++) {
        const uint64_t truth = (uint64_t)(person % 10 < 7 ? 0 : person % choices);
        hrr_stream_seek(stream, HRR_PURPOSE_TEST, (uint64_t)person);
        answers[hrr_sample_bernoulli(stream, 1, 2) ? truth : hrr_sample_below(stream, choices)]++;
        totals[truth]++;
    }
    hrr_stream_seek(stream, HRR_PURPOSE_TEST, (uint64_t)n_people);
    for (int c = 0; c < choices; c++)
        printf("%d: %" PRId64 " answers, noisy total %" PRId64 "\n", c, answers[c],
               totals[c] + hrr_sample_laplace(stream, 1, 2));
    hrr_stream_free(stream);
    hrr_random_free(random);
}
