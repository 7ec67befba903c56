/* features.c: node features in [0, 1] with known truth.
 *
 * An important feature is bell-shaped around a mean that depends on the class: the classes, in an
 * order of the feature's own, stand evenly between 0.4 and 0.6. Any other feature is centred on
 * 0.5 for everyone. The masked copy has 0.5, the mean over all nodes, in place of every sensitive
 * feature and equals the original elsewhere: it says what remains once the sensitive part is
 * hidden. One important feature moves the classes apart by about one standard deviation, so that
 * features alone classify well, not perfectly, and neighbours still help. */
#include "generate/features.h"
#include "generate/parallel.h"
#include "base/memory.h"
#include "random/fast.h"

#include <math.h>

static const float middle = 0.5f, spread = 0.2f;
/* Largest distance from the mean. Values stay in [0, 1] without clipping, which would bend the
 * means; the standard deviation is reach / sqrt(12). */
static const float reach = 0.4f;

/* Values are written as they are, or as 0..255 for 0..1. */
static inline uint8_t to_byte(float value)
{
    return (uint8_t)(value * 255.0f + 0.5f);
}

/* ---- the truth --------------------------------------------------------------------------- */

void hrr_generated_truth_clear(hrr_generated_truth *truth)
{
    hrr_free(truth->important);
    hrr_free(truth->sensitive);
    *truth = (hrr_generated_truth){0};
}

static void shuffle(uint32_t *items, uint32_t n, hrr_fast_random *random)
{
    for (uint32_t left = n; left > 1; left--) {
        uint32_t other = (uint32_t)hrr_fast_below(random, left), item = items[other];
        items[other] = items[left - 1];
        items[left - 1] = item;
    }
}

/* How many features are both, if a and b of n are one or the other: what independence would give,
 * moved so that none of the four combinations is empty wherever that can be. */
static int64_t overlap(int64_t n, int64_t a, int64_t b)
{
    int64_t least = a + b > n ? a + b - n : 0, most = a < b ? a : b;
    int64_t both = llround((double)a * (double)b / (double)n);
    int64_t least_mixed = a + b - n + 1 > 1 ? a + b - n + 1 : 1;
    if (least_mixed <= most - 1) {
        least = least_mixed;
        most = most - 1;
    }
    return both < least ? least : both > most ? most : both;
}

hrr_status hrr_truth_draw(hrr_generated_truth *out, const hrr_generate_options *options,
                          hrr_error *err)
{
    hrr_status status = HRR_OK;
    uint32_t n = options->n_features;
    *out = (hrr_generated_truth){0};
    if (n == 0) return HRR_OK;
    hrr_generated_truth truth = {hrr_alloc_zero(n, 1), hrr_alloc_zero(n, 1)};
    uint32_t *order = hrr_alloc(n, sizeof *order);
    if (!truth.important || !truth.sensitive || !order) {
        status = hrr_no_memory(err);
        goto done;
    }
    hrr_fast_random random;
    hrr_draws_init(&random, options->seed, HRR_DRAW_TRUTH, 0);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    shuffle(order, n, &random);
    int64_t n_important = llround(options->important_fraction * n);
    int64_t n_sensitive = llround(options->sensitive_fraction * n);
    int64_t first_sensitive = n_important - overlap(n, n_important, n_sensitive);
    for (int64_t i = 0; i < n; i++) {
        truth.important[order[i]] = i < n_important;
        truth.sensitive[order[i]] = i >= first_sensitive && i < first_sensitive + n_sensitive;
    }
    *out = truth;
    truth = (hrr_generated_truth){0};
done:
    hrr_generated_truth_clear(&truth);
    hrr_free(order);
    return status;
}

/* ---- the values -------------------------------------------------------------------------- */

typedef struct drawing {
    const hrr_blocks *blocks;
    const uint8_t *sensitive;
    float *means; /* C x F */
    hrr_dense features, masked;
} drawing;

static hrr_status set_means(drawing *d, const hrr_generated_truth *truth,
                            const hrr_generate_options *options, hrr_error *err)
{
    uint32_t n_classes = options->n_classes, n_features = options->n_features;
    uint32_t *level = hrr_alloc(n_classes, sizeof *level);
    d->means = hrr_alloc((size_t)n_classes * n_features, sizeof *d->means);
    if (!level || !d->means) {
        hrr_free(level);
        return hrr_no_memory(err);
    }
    for (uint32_t f = 0; f < n_features; f++) {
        hrr_fast_random random;
        hrr_draws_init(&random, options->seed, HRR_DRAW_TRUTH, 1 + f);
        for (uint32_t label = 0; label < n_classes; label++)
            level[label] = label;
        shuffle(level, n_classes, &random);
        for (uint32_t label = 0; label < n_classes; label++) {
            bool carries = truth->important[f] && n_classes > 1;
            float offset = carries ? (float)level[label] / (float)(n_classes - 1) - 0.5f : 0.0f;
            d->means[(size_t)label * n_features + f] = middle + spread * offset;
        }
    }
    hrr_free(level);
    return HRR_OK;
}

/* Mean 0, between -1 and 1: four 16-bit pieces of one draw, added. */
static inline float bell(hrr_fast_random *random)
{
    uint64_t bits = hrr_fast_u64(random);
    int32_t sum = (int32_t)(bits & 0xffff) + (int32_t)(bits >> 16 & 0xffff) +
                  (int32_t)(bits >> 32 & 0xffff) + (int32_t)(bits >> 48);
    return (float)(sum - 2 * 0xffff) * (1.0f / (2 * 0xffff));
}

static void draw_block(void *user, uint64_t begin, uint64_t end, hrr_fast_random *random)
{
    const drawing *d = user;
    uint64_t n_features = d->features.cols;
    bool bytes = d->features.dtype == HRR_U8;
    for (uint64_t node = begin; node < end; node++) {
        const float *mean = d->means + hrr_blocks_class(d->blocks, node) * n_features;
        uint64_t row = node * n_features;
        for (uint64_t f = 0; f < n_features; f++) {
            float value = mean[f] + reach * bell(random);
            float masked = d->sensitive[f] ? middle : value;
            if (bytes) {
                ((uint8_t *)d->features.data)[row + f] = to_byte(value);
                ((uint8_t *)d->masked.data)[row + f] = to_byte(masked);
            } else {
                ((float *)d->features.data)[row + f] = value;
                ((float *)d->masked.data)[row + f] = masked;
            }
        }
    }
}

hrr_status hrr_features_draw(hrr_graph *graph, const hrr_generated_truth *truth,
                             const hrr_blocks *blocks, const hrr_generate_options *options,
                             hrr_progress *progress, hrr_error *err)
{
    hrr_status status;
    drawing d = {.blocks = blocks, .sensitive = truth->sensitive};
    hrr_dtype dtype = options->feature_dtype;
    if ((status = set_means(&d, truth, options, err))) goto done;
    if ((status = hrr_dense_init(&d.features, dtype, blocks->n_nodes, options->n_features, err)))
        goto done;
    if ((status = hrr_dense_init(&d.masked, dtype, blocks->n_nodes, options->n_features, err)))
        goto done;
    hrr_progress_begin(progress, "drawing features", blocks->n_nodes);
    if ((status = hrr_each_block(blocks->n_nodes, options->threads, options->seed,
                                 HRR_DRAW_FEATURES, draw_block, &d, progress, err)))
        goto done;
    if ((status = hrr_graph_take_features(graph, &d.features, err))) goto done;
    if ((status = hrr_graph_set_feature_range(graph, 0, dtype == HRR_U8 ? UINT8_MAX : 1, err)))
        goto done;
    status = hrr_graph_take_masked_features(graph, &d.masked, err);
done:
    hrr_free(d.means);
    hrr_dense_clear(&d.features);
    hrr_dense_clear(&d.masked);
    return status;
}
