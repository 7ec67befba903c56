/* fingerprint.c: names for the secrets of a graph, by which a ledger knows them again.
 *
 * A name is HMAC(key, SHA-256(canonical bytes)). The plain hash never leaves this file: whoever
 * guesses the private data, or all of it but one value, could confirm the guess against it. Without
 * the key the names are as good as random.
 *
 * Canonical means that the same values get the same name however they are stored: a user who saves
 * float32 features as float64 and protects them again has not got a new secret. Each chunk of
 * 2^20 values is hashed in the narrowest of uint8, float32 and float64 that holds all of it
 * exactly, which depends on the values alone. Chunks are hashed in parallel and the hashes hashed,
 * so the name does not depend on the number of threads.
 *
 * Workload: features of gigabytes, where SHA-256 with the processor's instructions runs at 1.4 GB/s
 * a core; everything else is small beside them. */
#include "privacy/fingerprint.h"
#include "base/memory.h"
#include "io/hash.h"

#include <float.h>
#include <math.h>
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

static bool is_u8(double value)
{
    return value >= 0 && value <= UINT8_MAX && value == (double)(uint8_t)value;
}

static bool is_f32(double value)
{
    return fabs(value) <= (double)FLT_MAX && value == (double)(float)value;
}

/* The narrowest type that holds `count` values from `first` on exactly. Most chunks of real numbers
 * give themselves away in the first few values. */
static hrr_dtype narrowest(const hrr_dense *matrix, uint64_t first, uint64_t count)
{
    hrr_dtype type = HRR_U8;
    if (matrix->dtype == HRR_F32) {
        const float *value = (const float *)matrix->data + first;
        for (uint64_t i = 0; i < count && type == HRR_U8; i++)
            if (!is_u8((double)value[i])) type = HRR_F32;
    }
    if (matrix->dtype == HRR_F64) {
        const double *value = (const double *)matrix->data + first;
        for (uint64_t i = 0; i < count && type != HRR_F64; i++) {
            if (type == HRR_U8 && !is_u8(value[i])) type = HRR_F32;
            if (type == HRR_F32 && !is_f32(value[i])) type = HRR_F64;
        }
    }
    return type;
}

static double value_at(const hrr_dense *matrix, uint64_t i)
{
    return matrix->dtype == HRR_F32 ? (double)((const float *)matrix->data)[i]
                                    : ((const double *)matrix->data)[i];
}

static void add_narrowed(hrr_hash *hash, const hrr_dense *matrix, uint64_t first, uint64_t count,
                         hrr_dtype type)
{
    union {
        uint8_t u8[values_per_step];
        float f32[values_per_step];
    } step;
    for (uint64_t begin = 0; begin < count; begin += values_per_step) {
        uint64_t n = count - begin < values_per_step ? count - begin : values_per_step;
        for (uint64_t i = 0; i < n; i++)
            if (type == HRR_U8)
                step.u8[i] = (uint8_t)value_at(matrix, first + begin + i);
            else
                step.f32[i] = (float)value_at(matrix, first + begin + i);
        hrr_hash_add(hash, &step, n * hrr_dtype_size(type));
    }
}

static hrr_status hash_chunk(uint8_t digest[hrr_sha256_size], const hrr_dense *matrix,
                             uint64_t first, uint64_t count)
{
    const hrr_dtype type = narrowest(matrix, first, count);
    const size_t size = hrr_dtype_size(type);
    hrr_hash hash;
    hrr_hash_init(&hash);
    hrr_hash_u64(&hash, size);
    if (type == matrix->dtype)
        hrr_hash_add(&hash, (const char *)matrix->data + first * size, count * size);
    else
        add_narrowed(&hash, matrix, first, count, type);
    return hrr_hash_finish(digest, &hash, NULL);
}

static uint64_t count_chunks(const hrr_dense *matrix)
{
    if (!matrix) return 0;
    uint64_t n_values = matrix->rows * matrix->cols;
    return n_values / values_per_chunk + (n_values % values_per_chunk != 0);
}

static hrr_status hash_chunks(uint8_t *digests, const hrr_dense *matrix, int threads,
                              hrr_progress *progress, hrr_error *err)
{
    (void)threads; /* the fuzz targets are built without OpenMP */
    const uint64_t n_values = matrix->rows * matrix->cols, n_chunks = count_chunks(matrix);
    atomic_int failed = HRR_OK;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (uint64_t chunk = 0; chunk < n_chunks; chunk++) {
        if (atomic_load(&failed)) continue;
        uint64_t first = chunk * values_per_chunk, left = n_values - first;
        hrr_status status = hash_chunk(digests + chunk * hrr_sha256_size, matrix, first,
                                       left < values_per_chunk ? left : values_per_chunk);
        if (!status) status = hrr_progress_advance(progress, 1, NULL);
        if (status) atomic_store(&failed, (int)status);
    }
    if (!atomic_load(&failed)) return HRR_OK;
    hrr_status cancelled = hrr_progress_advance(progress, 0, err);
    return cancelled ? cancelled : hrr_no_memory(err);
}

/* rows, columns and the hash of every chunk; NULL is a part too. */
static hrr_status add_matrix(hrr_hash *hash, const hrr_dense *matrix, int threads,
                             hrr_progress *progress, hrr_error *err)
{
    hrr_hash_u64(hash, matrix ? matrix->rows : 0);
    hrr_hash_u64(hash, matrix ? matrix->cols : 0);
    if (!matrix) return HRR_OK;
    const size_t size = (size_t)count_chunks(matrix) * hrr_sha256_size;
    uint8_t *digests = hrr_alloc(size, 1);
    if (!digests) return hrr_no_memory(err);
    hrr_status status = hash_chunks(digests, matrix, threads, progress, err);
    if (!status) hrr_hash_part(hash, digests, size);
    hrr_free(digests);
    return status;
}

/* ---- the secrets ---------------------------------------------------------------------------- */

static hrr_status add_labels(hrr_hash *hash, const hrr_graph *graph, int threads,
                             hrr_progress *progress, hrr_error *err)
{
    const uint64_t n = hrr_graph_n_nodes(graph);
    hrr_hash_u64(hash, n);
    hrr_hash_part(hash, hrr_graph_classes(graph), n * sizeof(int32_t));
    return add_matrix(hash, hrr_graph_label_matrix(graph), threads, progress, err);
}

/* The private pairs in their canonical order; every pair if all are secret, whatever their marks.
 */
static void add_private_edges(hrr_hash *hash, const hrr_graph *graph, bool every_edge)
{
    const uint8_t *is_private = every_edge ? NULL : hrr_graph_is_private(graph);
    const uint32_t *source = hrr_graph_sources(graph), *target = hrr_graph_targets(graph);
    const uint64_t n_edges = is_private || every_edge ? hrr_graph_n_edges(graph) : 0;
    uint32_t step[2 * values_per_step];
    size_t used = 0;
    hrr_hash_u64(hash, hrr_graph_n_nodes(graph));
    for (uint64_t e = 0; e < n_edges; e++) {
        if (is_private && !is_private[e]) continue;
        step[used++] = source[e];
        step[used++] = target[e];
        if (used < sizeof step / sizeof *step) continue;
        hrr_hash_add(hash, step, sizeof step);
        used = 0;
    }
    hrr_hash_add(hash, step, used * sizeof *step);
}

/* Everything else that a release may show or depend on. */
static void add_public(hrr_hash *hash, const hrr_graph *graph)
{
    const uint64_t n = hrr_graph_n_nodes(graph), n_edges = hrr_graph_n_edges(graph);
    const hrr_node_ids *ids = hrr_graph_node_ids(graph);
    hrr_hash_text(hash, hrr_graph_name(graph));
    hrr_hash_part(hash, hrr_graph_sources(graph), n_edges * sizeof(uint32_t));
    hrr_hash_part(hash, hrr_graph_targets(graph), n_edges * sizeof(uint32_t));
    hrr_hash_part(hash, hrr_graph_is_private(graph), n_edges);
    hrr_hash_part(hash, hrr_graph_split(graph), n);
    hrr_hash_part(hash, hrr_graph_candidates(graph), n);
    hrr_hash_part(hash, hrr_graph_graph_ids(graph), n * sizeof(uint32_t));
    hrr_hash_part(hash, ids ? ids->integer : NULL, n * sizeof(int64_t));
    hrr_hash_part(hash, ids ? ids->text : NULL, ids && ids->text ? ids->text_start[n] : 0);
    hrr_hash_u64(hash, hrr_graph_inferred(graph));
    hrr_hash_u64(hash, hrr_graph_n_classes(graph));
    for (uint32_t c = 0; c < hrr_graph_n_classes(graph); c++)
        hrr_hash_text(hash, hrr_graph_class_name(graph, c));
}

static hrr_status finish_keyed(uint8_t out[HRR_FINGERPRINT_SIZE], hrr_hash *hash,
                               const uint8_t key[hrr_ledger_key_size], const char *what,
                               hrr_error *err)
{
    uint8_t digest[hrr_sha256_size];
    hrr_status status = hrr_hash_finish(digest, hash, err);
    return status ? status : hrr_keyed(out, key, what, digest, err);
}

/* A graph without features has no secret there that another graph could share: the name is then its
 * own, made from the whole. */
static hrr_status name_absent(hrr_fingerprint *out, const hrr_graph *graph, bool every_edge,
                              const uint8_t key[hrr_ledger_key_size], hrr_error *err)
{
    const hrr_dense *features = hrr_graph_features(graph);
    const bool labels = hrr_graph_classes(graph) || hrr_graph_label_matrix(graph);
    hrr_status status = HRR_OK;
    if (!features || !features->cols)
        status = hrr_keyed(out->features, key, "no features", out->whole, err);
    if (!status && !labels) status = hrr_keyed(out->labels, key, "no labels", out->whole, err);
    if (!status && !hrr_graph_is_private(graph) && !every_edge)
        status = hrr_keyed(out->edges, key, "no private edges", out->whole, err);
    return status;
}

hrr_status hrr_fingerprint_graph(hrr_fingerprint *out, const hrr_graph *graph, bool every_edge,
                                 const uint8_t key[hrr_ledger_key_size], int threads,
                                 hrr_progress *progress, hrr_error *err)
{
    const hrr_dense *features = hrr_graph_features(graph);
    const int used = hrr_threads(threads);
    hrr_hash hash;
    hrr_status status;
    hrr_progress_begin(progress, "recognising the input",
                       count_chunks(features) + count_chunks(hrr_graph_label_matrix(graph)));

    hrr_hash_init(&hash);
    if ((status = add_matrix(&hash, features, used, progress, err))) goto failed;
    if ((status = finish_keyed(out->features, &hash, key, "features", err))) goto failed;

    hrr_hash_init(&hash);
    if ((status = add_labels(&hash, graph, used, progress, err))) goto failed;
    if ((status = finish_keyed(out->labels, &hash, key, "labels", err))) goto failed;

    hrr_hash_init(&hash);
    add_private_edges(&hash, graph, every_edge);
    if ((status = finish_keyed(out->edges, &hash, key, "private edges", err))) goto failed;

    hrr_hash_init(&hash);
    hrr_hash_add(&hash, out->features, sizeof out->features);
    hrr_hash_add(&hash, out->labels, sizeof out->labels);
    add_public(&hash, graph);
    if ((status = finish_keyed(out->whole, &hash, key, "whole graph", err))) goto failed;
    return name_absent(out, graph, every_edge, key, err);
failed:
    hrr_hash_clear(&hash);
    return status;
}
