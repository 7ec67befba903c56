/* fingerprint.c: names for the secrets of a graph, by which a ledger knows them again.
 *
 * A name is HMAC(key, SHA-256(canonical bytes)). The plain hash never leaves this file: whoever
 * guesses the private data, or all of it but one value, could confirm the guess against it. Without
 * the key the names are as good as random.
 *
 * Canonical means that the same values get the same name however they are stored. A name that two
 * inputs share counts too much at worst; two names for one secret would give it a budget twice. So
 * values are rounded to float32, and -0 is 0: a user who saves float32 features as float64, or the
 * other way round, has not got a new secret. Each chunk of 2^20 values is hashed as uint8 if that
 * holds all of it exactly, else as float32, which depends on the values alone. Chunks are hashed in
 * parallel and the hashes hashed, so the name does not depend on the number of threads.
 *
 * Features have two names, as they are and clipped to the bounds that were declared; edges have
 * two, the private ones and all of them. docs/ledger.md says why one of either is not enough.
 *
 * Workload: features of gigabytes, where SHA-256 with the processor's instructions runs at 1.4 GB/s
 * a core; everything else is small beside them. */
#include "privacy/fingerprint.h"
#include "base/memory.h"
#include "io/hash.h"

#include <float.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdatomic.h>
#include <string.h>

_Static_assert(HRR_FINGERPRINT_SIZE == (int)hrr_sha256_size, "a fingerprint is a SHA-256");

hrr_status hrr_keyed(uint8_t out[HRR_FINGERPRINT_SIZE], const uint8_t key[hrr_ledger_key_size],
                     const char *what, const uint8_t digest[HRR_FINGERPRINT_SIZE], hrr_error *err)
{
    uint8_t message[64 + HRR_FINGERPRINT_SIZE] = {0};
    memcpy(message, what, strnlen(what, 64));
    memcpy(message + 64, digest, HRR_FINGERPRINT_SIZE);
    return HMAC(EVP_sha256(), key, hrr_ledger_key_size, message, sizeof message, out, NULL)
               ? HRR_OK
               : hrr_no_memory(err);
}

/* ---- matrices ------------------------------------------------------------------------------- */

enum { values_per_chunk = 1 << 20, values_per_step = 4096 };

/* A matrix, and the bounds that its values are clipped to, one for each column. */
typedef struct table {
    const hrr_dense *matrix;
    const double *lo, *hi; /* NULL: 0 and 1, as in hrr_feature_options */
} table;

static double low(const table *t, uint64_t column)
{
    return t->lo ? t->lo[column] : 0;
}

static double high(const table *t, uint64_t column)
{
    return t->hi ? t->hi[column] : 1;
}

static float to_f32(double value)
{
    if (value > (double)FLT_MAX) return FLT_MAX;
    if (value < -(double)FLT_MAX) return -FLT_MAX;
    return (float)value + 0.f; /* -0 becomes 0 */
}

/* n canonical values from `first` on. */
static void fill(float *out, const table *t, bool clipped, uint64_t first, uint64_t n)
{
    const hrr_dense *matrix = t->matrix;
    const uint8_t *u8 = (const uint8_t *)matrix->data + first;
    const float *f32 = (const float *)matrix->data + first;
    const double *f64 = (const double *)matrix->data + first;
    if (matrix->dtype == HRR_U8)
        for (uint64_t i = 0; i < n; i++)
            out[i] = (float)u8[i];
    else if (matrix->dtype == HRR_F32)
        for (uint64_t i = 0; i < n; i++)
            out[i] = f32[i] + 0.f;
    else
        for (uint64_t i = 0; i < n; i++)
            out[i] = to_f32(f64[i]);
    if (!clipped) return;
    uint64_t column = first % t->matrix->cols;
    for (uint64_t i = 0; i < n; i++) {
        const double lo = low(t, column), hi = high(t, column), value = (double)out[i];
        if (value < lo || value > hi) out[i] = to_f32(value < lo ? lo : hi);
        column = column + 1 < t->matrix->cols ? column + 1 : 0;
    }
}

static bool is_u8(float value)
{
    return value >= 0 && value <= UINT8_MAX && value == (float)(uint8_t)value;
}

static uint64_t step_size(uint64_t done, uint64_t count)
{
    return count - done < values_per_step ? count - done : values_per_step;
}

/* Most chunks of real numbers give themselves away in the first few values. */
static bool all_u8(const table *t, bool clipped, uint64_t first, uint64_t count)
{
    if (t->matrix->dtype == HRR_U8 && !clipped) return true;
    float step[values_per_step];
    for (uint64_t done = 0; done < count; done += values_per_step) {
        const uint64_t n = step_size(done, count);
        fill(step, t, clipped, first + done, n);
        for (uint64_t i = 0; i < n; i++)
            if (!is_u8(step[i])) return false;
    }
    return true;
}

/* Does clipping change any of n values from `first` on? */
static bool any_outside(const float *value, const table *t, uint64_t first, uint64_t n)
{
    uint64_t column = first % t->matrix->cols;
    bool outside = false;
    for (uint64_t i = 0; i < n; i++) {
        outside |= (double)value[i] < low(t, column) || (double)value[i] > high(t, column);
        column = column + 1 < t->matrix->cols ? column + 1 : 0;
    }
    return outside;
}

/* *outside: would clipping change the chunk? Not asked if it is clipped. */
static hrr_status hash_chunk(uint8_t digest[hrr_sha256_size], bool *outside, const table *t,
                             bool clipped, uint64_t first, uint64_t count)
{
    float step[values_per_step];
    uint8_t bytes[values_per_step];
    const bool u8 = all_u8(t, clipped, first, count);
    hrr_hash hash;
    hrr_hash_init(&hash);
    hrr_hash_u64(&hash, u8 ? sizeof *bytes : sizeof *step);
    *outside = clipped;
    for (uint64_t done = 0; done < count; done += values_per_step) {
        const uint64_t n = step_size(done, count);
        fill(step, t, clipped, first + done, n);
        if (!*outside) *outside = any_outside(step, t, first + done, n);
        for (uint64_t i = 0; i < n && u8; i++)
            bytes[i] = (uint8_t)step[i];
        if (u8)
            hrr_hash_add(&hash, bytes, n * sizeof *bytes);
        else
            hrr_hash_add(&hash, step, n * sizeof *step);
    }
    return hrr_hash_finish(digest, &hash, NULL);
}

/* The chunk as it is and clipped; the two are one for most data. */
static hrr_status hash_both(uint8_t digest[hrr_sha256_size], uint8_t clipped[hrr_sha256_size],
                            const table *t, uint64_t first, uint64_t count)
{
    bool outside;
    hrr_status status = hash_chunk(digest, &outside, t, false, first, count);
    if (status) return status;
    if (outside) return hash_chunk(clipped, &outside, t, true, first, count);
    memcpy(clipped, digest, hrr_sha256_size);
    return HRR_OK;
}

static uint64_t count_chunks(const hrr_dense *matrix)
{
    if (!matrix) return 0;
    uint64_t n_values = matrix->rows * matrix->cols;
    return n_values / values_per_chunk + (n_values % values_per_chunk != 0);
}

static hrr_status hash_chunks(uint8_t *digests, uint8_t *clipped, const table *t, int threads,
                              hrr_progress *progress, hrr_error *err)
{
    (void)threads; /* the fuzz targets are built without OpenMP */
    const uint64_t n_values = t->matrix->rows * t->matrix->cols;
    const uint64_t n_chunks = count_chunks(t->matrix);
    atomic_int failed = HRR_OK;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (uint64_t chunk = 0; chunk < n_chunks; chunk++) {
        if (atomic_load(&failed)) continue;
        const uint64_t first = chunk * values_per_chunk, left = n_values - first;
        const uint64_t at = chunk * hrr_sha256_size;
        hrr_status status = hash_both(digests + at, clipped + at, t, first,
                                      left < values_per_chunk ? left : values_per_chunk);
        if (!status) status = hrr_progress_advance(progress, 1, NULL);
        if (status) atomic_store(&failed, (int)status);
    }
    if (!atomic_load(&failed)) return HRR_OK;
    hrr_status cancelled = hrr_progress_advance(progress, 0, err);
    return cancelled ? cancelled : hrr_no_memory(err);
}

/* Rows, columns and the hash of every chunk, as they are and clipped; NULL is a part too. */
static hrr_status add_matrix(hrr_hash *hash, hrr_hash *clipped, const table *t, int threads,
                             hrr_progress *progress, hrr_error *err)
{
    const hrr_dense *matrix = t->matrix;
    hrr_hash *const both[] = {hash, clipped};
    for (int i = 0; i < 2; i++) {
        hrr_hash_u64(both[i], matrix ? matrix->rows : 0);
        hrr_hash_u64(both[i], matrix ? matrix->cols : 0);
    }
    if (!matrix) return HRR_OK;
    const size_t size = (size_t)count_chunks(matrix) * hrr_sha256_size;
    uint8_t *digests = hrr_alloc(2 * size, 1);
    if (!digests) return hrr_no_memory(err);
    hrr_status status = hash_chunks(digests, digests + size, t, threads, progress, err);
    for (int i = 0; i < 2 && !status; i++)
        hrr_hash_part(both[i], digests + (size_t)i * size, size);
    hrr_free(digests);
    return status;
}

/* ---- names ---------------------------------------------------------------------------------- */

typedef struct namer {
    const hrr_graph *graph;
    const uint8_t *key;
    int threads;
    hrr_progress *progress;
    hrr_error *err;
} namer;

static hrr_status finish_keyed(uint8_t out[HRR_FINGERPRINT_SIZE], hrr_hash *hash, const namer *self,
                               const char *what)
{
    uint8_t digest[hrr_sha256_size];
    hrr_status status = hrr_hash_finish(digest, hash, self->err);
    return status ? status : hrr_keyed(out, self->key, what, digest, self->err);
}

static hrr_status name_features(hrr_fingerprint *out, const namer *self, const double *lo,
                                const double *hi)
{
    const hrr_dense *features = hrr_graph_features(self->graph);
    if (!features || !features->cols) return HRR_OK;
    const table t = {features, lo, hi};
    hrr_hash hash, clipped;
    hrr_hash_init(&hash);
    hrr_hash_init(&clipped);
    hrr_status status = add_matrix(&hash, &clipped, &t, self->threads, self->progress, self->err);
    if (!status) status = finish_keyed(out->features, &hash, self, "features");
    if (!status) status = finish_keyed(out->clipped, &clipped, self, "features");
    hrr_hash_clear(&hash);
    hrr_hash_clear(&clipped);
    return status;
}

/* The class of a row of bits: -1 if it has none, -2 if it has several. */
static int32_t only_bit(const hrr_dense *bits, uint64_t row)
{
    const uint8_t *bit = (const uint8_t *)bits->data + row * bits->cols;
    int32_t found = -1;
    for (uint64_t i = 0; i < bits->cols; i++)
        if (bit[i]) found = found == -1 ? (int32_t)i : -2;
    return found;
}

/* Classes numbered in the order in which nodes have them: calling them otherwise, or writing them
 * as columns of bits, is no new secret. *out NULL: nodes have several labels. */
static hrr_status number_classes(int32_t **out, const namer *self)
{
    const int32_t *classes = hrr_graph_classes(self->graph);
    const hrr_dense *bits = hrr_graph_label_matrix(self->graph);
    const uint64_t n = hrr_graph_n_nodes(self->graph);
    const uint32_t n_classes = hrr_graph_n_classes(self->graph);
    int32_t *number = hrr_alloc(n_classes, sizeof *number), n_seen = 0;
    *out = hrr_alloc(n, sizeof **out);
    hrr_status status = number && *out ? HRR_OK : hrr_no_memory(self->err);
    for (uint32_t c = 0; c < n_classes && !status; c++)
        number[c] = -1;
    for (uint64_t i = 0; i < n && *out && !status; i++) {
        const int32_t class = classes ? classes[i] : only_bit(bits, i);
        const bool known = class >= 0 && (uint32_t) class < n_classes; /* files may change */
        if (known && number[class] < 0) number[class] = n_seen++;
        (*out)[i] = known ? number[class] : -1;
        if (class != -2) continue;
        hrr_free(*out);
        *out = NULL;
    }
    if (status) {
        hrr_free(*out);
        *out = NULL;
    }
    hrr_free(number);
    return status;
}

static hrr_status name_labels(hrr_fingerprint *out, const namer *self)
{
    int32_t *classes;
    if (!hrr_graph_classes(self->graph) && !hrr_graph_label_matrix(self->graph)) return HRR_OK;
    hrr_status status = number_classes(&classes, self);
    if (status) return status;
    const table t = {.matrix = classes ? NULL : hrr_graph_label_matrix(self->graph)};
    hrr_hash hash, unused;
    hrr_hash_init(&hash);
    hrr_hash_init(&unused);
    hrr_hash_part(&hash, classes, hrr_graph_n_nodes(self->graph) * sizeof *classes);
    status = add_matrix(&hash, &unused, &t, self->threads, self->progress, self->err);
    if (!status) status = finish_keyed(out->labels, &hash, self, "labels");
    hrr_hash_clear(&hash);
    hrr_hash_clear(&unused);
    hrr_free(classes);
    return status;
}

/* Pairs in their canonical order, which the order of rows in a file does not change: those that are
 * marked, or all. How many nodes there are without an edge is no part of the secret. */
static hrr_status name_pairs(uint8_t out[HRR_FINGERPRINT_SIZE], const namer *self,
                             const uint8_t *marked)
{
    const uint32_t *source = hrr_graph_sources(self->graph);
    const uint32_t *target = hrr_graph_targets(self->graph);
    const uint64_t n_edges = hrr_graph_n_edges(self->graph);
    uint32_t step[2 * values_per_step];
    size_t used = 0;
    hrr_hash hash;
    hrr_hash_init(&hash);
    for (uint64_t e = 0; e < n_edges; e++) {
        if (marked && !marked[e]) continue;
        step[used++] = source[e];
        step[used++] = target[e];
        if (used < sizeof step / sizeof *step) continue;
        hrr_hash_add(&hash, step, sizeof step);
        used = 0;
    }
    hrr_hash_add(&hash, step, used * sizeof *step);
    return finish_keyed(out, &hash, self, "edges");
}

/* What is public and does not change from one version of the data to the next: neighbours have it
 * in common. */
hrr_status hrr_fingerprint_public(hrr_fingerprint *out, const hrr_graph *graph,
                                  const uint8_t key[hrr_ledger_key_size], hrr_error *err)
{
    const namer self = {.graph = graph, .key = key, .err = err};
    const uint64_t n = hrr_graph_n_nodes(graph);
    const hrr_node_ids *ids = hrr_graph_node_ids(graph);
    hrr_hash hash;
    hrr_hash_init(&hash);
    hrr_hash_text(&hash, hrr_graph_name(graph));
    hrr_hash_u64(&hash, n);
    hrr_hash_part(&hash, ids ? ids->integer : NULL, n * sizeof(int64_t));
    hrr_hash_part(&hash, ids ? ids->text : NULL, ids && ids->text ? ids->text_start[n] : 0);
    return finish_keyed(out->graph, &hash, &self, "graph");
}

hrr_status hrr_fingerprint_graph(hrr_fingerprint *out, const hrr_graph *graph, const double *lo,
                                 const double *hi, const uint8_t key[hrr_ledger_key_size],
                                 int threads, hrr_progress *progress, hrr_error *err)
{
    const uint8_t *marks = hrr_graph_is_private(graph);
    const namer self = {graph, key, hrr_threads(threads), progress, err};
    *out = (hrr_fingerprint){0};
    hrr_progress_begin(progress, "recognising the input",
                       count_chunks(hrr_graph_features(graph)) +
                           count_chunks(hrr_graph_label_matrix(graph)));
    hrr_status status = name_features(out, &self, lo, hi);
    if (!status) status = name_labels(out, &self);
    if (!status && marks) status = name_pairs(out->edges, &self, marks);
    if (!status) status = name_pairs(out->pairs, &self, NULL);
    return status ? status : hrr_fingerprint_public(out, graph, key, err);
}
