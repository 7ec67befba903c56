/* account.c: see account.h. */
#include "release/account.h"
#include "certificate/file.h"
#include "base/memory.h"
#include "base/paths.h"
#include "io/hash.h"

#include <string.h>
#include <unistd.h>

/* ---- the request ---------------------------------------------------------------------------- */

static void hash_reals(hrr_hash *hash, const double *value, uint64_t n)
{
    hrr_hash_part(hash, value, n * sizeof *value);
}

static void hash_matrix(hrr_hash *hash, const hrr_dense *matrix)
{
    hrr_hash_u64(hash, matrix ? matrix->rows : 0);
    if (matrix)
        hrr_hash_part(hash, matrix->data,
                      matrix->rows * matrix->cols * hrr_dtype_size(matrix->dtype));
}

static void hash_features(hrr_hash *hash, const hrr_feature_options *o, uint64_t n_features)
{
    const hrr_projection *projection = o->projection;
    hrr_hash_text(hash, o->mechanism);
    hrr_hash_u64(hash, n_features);
    hrr_hash_u64(hash, o->eps_nano);
    hash_reals(hash, &o->delta, 1);
    hrr_hash_u64(hash, o->n_bins);
    hrr_hash_u64(hash, (uint64_t)o->decoding);
    hrr_hash_u64(hash, o->n_sampled);
    hash_reals(hash, o->theta, n_features);
    hash_reals(hash, o->lo, n_features);
    hash_reals(hash, o->hi, n_features);
    hash_matrix(hash, o->directions);
    hrr_hash_text(hash, projection ? "projection" : NULL);
    if (!projection) return;
    hash_matrix(hash, &projection->directions);
    hash_reals(hash, projection->centre, n_features);
    hash_reals(hash, projection->lo, projection->directions.rows);
    hash_reals(hash, projection->hi, projection->directions.rows);
}

static void hash_edges(hrr_hash *hash, const hrr_edge_options *o, uint64_t n_nodes)
{
    hrr_hash_text(hash, o->mechanism);
    hrr_hash_u64(hash, o->eps_nano);
    hrr_hash_text(hash, o->tree);
    hash_reals(hash, &o->tree_share, 1);
    hrr_hash_u64(hash, o->steps_per_node);
    hrr_hash_u64(hash, o->most_edges_out);
    hrr_hash_u64(hash, o->public_seed);
    hrr_hash_u64(hash, (uint64_t)o->count_ends);
    hrr_hash_u64(hash, o->sample_edges);
    hrr_hash_u64(hash, o->n_blocks);
    hrr_hash_part(hash, o->blocks, o->blocks ? n_nodes * sizeof *o->blocks : 0);
}

hrr_status hrr_account_request(uint8_t request[HRR_FINGERPRINT_SIZE],
                               const hrr_feature_options *features, uint64_t n_features,
                               const hrr_edge_options *edges, uint64_t n_nodes,
                               const uint64_t *others, size_t n_others, hrr_error *err)
{
    hrr_hash hash;
    hrr_hash_init(&hash);
    hrr_hash_text(&hash, features ? "features" : NULL);
    if (features) hash_features(&hash, features, n_features);
    hrr_hash_text(&hash, edges ? "edges" : NULL);
    if (edges) hash_edges(&hash, edges, n_nodes);
    for (size_t i = 0; i < n_others; i++)
        hrr_hash_u64(&hash, others[i]);
    return hrr_hash_finish(request, &hash, err);
}

/* ---- the ledger ----------------------------------------------------------------------------- */

hrr_status hrr_account_open(hrr_account *out, const hrr_graph *graph, const char *ledger,
                            const uint8_t request[HRR_FINGERPRINT_SIZE], bool every_edge,
                            int threads, hrr_progress *progress, hrr_error *err)
{
    *out = (hrr_account){.every_edge = every_edge};
    memcpy(out->request, request, sizeof out->request);
    hrr_status status = hrr_ledger_open(&out->ledger, ledger, progress, err);
    if (!status)
        status = hrr_ledger_fingerprint(&out->input, out->ledger, graph, every_edge, threads, err);
    if (status) hrr_account_clear(out);
    return status;
}

void hrr_account_clear(hrr_account *account)
{
    hrr_ledger_free(account->ledger);
    *account = (hrr_account){0};
}

static hrr_status hash_certificate(char sha256[HRR_SHA256_TEXT_SIZE], const char *bundle,
                                   hrr_progress *progress, hrr_error *err)
{
    uint64_t size;
    char *path = hrr_path_join(bundle, hrr_certificate_name);
    if (!path) return hrr_no_memory(err);
    hrr_status status = hrr_sha256_file(sha256, &size, path, progress, err);
    hrr_free(path);
    return status;
}

hrr_status hrr_account_stored(char **bundle, hrr_account *account, hrr_progress *progress,
                              hrr_error *err)
{
    char expected[HRR_DIGEST_TEXT_SIZE], found[HRR_SHA256_TEXT_SIZE] = "";
    *bundle = NULL;
    if (!account->ledger) return HRR_OK;
    hrr_status status = hrr_ledger_find_release(bundle, expected, account->ledger, &account->input,
                                                account->request, err);
    if (status || !*bundle) return status;
    status = hash_certificate(found, *bundle, progress, err);
    if (status == HRR_EIO || (!status && strcmp(expected, found) != 0))
        status = hrr_fail(err, HRR_EINVAL,
                          "the release for this very request was made before, but %s is gone or "
                          "changed; put it back, or pay for a new one with --fresh",
                          *bundle);
    if (!status) return HRR_OK;
    hrr_free(*bundle);
    *bundle = NULL;
    return status;
}

hrr_status hrr_account_charge(hrr_account *account, const hrr_graph *graph, const hrr_spend *spend,
                              uint64_t limit_nano, hrr_error *err)
{
    if (!account->ledger) return HRR_OK;
    return hrr_ledger_charge(&account->entry, account->ledger, &account->input, spend,
                             account->request, hrr_graph_name(graph), limit_nano, err);
}

hrr_status hrr_account_confirm(const hrr_account *account, const hrr_graph *graph, int threads,
                               hrr_error *err)
{
    hrr_fingerprint now;
    if (!account->ledger) return HRR_OK;
    hrr_status status =
        hrr_ledger_fingerprint(&now, account->ledger, graph, account->every_edge, threads, err);
    if (status || memcmp(&now, &account->input, sizeof now) == 0) return status;
    return hrr_fail(err, HRR_EDATA,
                    "the input changed while it was protected, so nothing is released. Let the "
                    "files rest and try again");
}

hrr_status hrr_account_certified(hrr_account *account, const char *directory,
                                 hrr_progress *progress, hrr_error *err)
{
    if (!account->ledger) return HRR_OK;
    return hash_certificate(account->certificate_sha256, directory, progress, err);
}

hrr_status hrr_account_released(hrr_account *account, const char *bundle, hrr_error *err)
{
    if (!account->ledger || !account->entry.number) return HRR_OK;
    return hrr_ledger_released(account->ledger, &account->entry, bundle,
                               account->certificate_sha256, err);
}

/* ---- a look at it --------------------------------------------------------------------------- */

static hrr_status ledger_exists(bool *exists, const char *ledger, hrr_error *err)
{
    char *path = NULL;
    hrr_status status = ledger ? HRR_OK : hrr_ledger_default_path(&path, err);
    *exists = !status && access(ledger ? ledger : path, F_OK) == 0;
    hrr_free(path);
    return status;
}

hrr_status hrr_account_peek(hrr_spend *spent, bool *stored, const hrr_graph *graph,
                            const char *ledger, const uint8_t request[HRR_FINGERPRINT_SIZE],
                            bool every_edge, int threads, hrr_progress *progress, hrr_error *err)
{
    hrr_account account = {0};
    bool exists;
    char *bundle = NULL;
    *spent = (hrr_spend){0};
    *stored = false;
    hrr_status status = ledger_exists(&exists, ledger, err);
    if (status || !exists) return status;
    memcpy(account.request, request, sizeof account.request);
    status = hrr_ledger_open_existing(&account.ledger, ledger, progress, err);
    if (!status)
        status =
            hrr_ledger_fingerprint(&account.input, account.ledger, graph, every_edge, threads, err);
    if (!status) status = hrr_ledger_spent(spent, account.ledger, &account.input, err);
    if (!status) status = hrr_account_stored(&bundle, &account, progress, err);
    if (status == HRR_EINVAL) status = HRR_OK; /* one that is gone is not given again */
    *stored = bundle != NULL;
    hrr_free(bundle);
    hrr_account_clear(&account);
    return status;
}
