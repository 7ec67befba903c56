/* account.c: see account.h. */
#include "release/account.h"
#include "certificate/file.h"
#include "base/memory.h"
#include "base/paths.h"
#include "io/hash.h"
#include "privacy/charge.h"

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

/* Pairs that everybody may see, in their canonical order. */
static void hash_public_edges(hrr_hash *hash, const hrr_graph *graph)
{
    const uint32_t *source = hrr_graph_sources(graph), *target = hrr_graph_targets(graph);
    const uint8_t *is_private = hrr_graph_is_private(graph);
    enum { most = 1024 };
    uint32_t pairs[2 * most];
    size_t used = 0;
    for (uint64_t e = 0; e < hrr_graph_n_edges(graph); e++) {
        if (is_private && is_private[e]) continue;
        pairs[used++] = source[e];
        pairs[used++] = target[e];
        if (used == 2 * most) hrr_hash_add(hash, pairs, sizeof pairs);
        used %= 2 * most;
    }
    hrr_hash_add(hash, pairs, used * sizeof *pairs);
}

static void hash_public(hrr_hash *hash, const hrr_graph *graph, bool every_edge)
{
    const uint64_t n = hrr_graph_n_nodes(graph);
    hrr_hash_u64(hash, every_edge);
    if (!every_edge) hash_public_edges(hash, graph);
    hrr_hash_part(hash, hrr_graph_split(graph), n);
    hrr_hash_part(hash, hrr_graph_candidates(graph), n);
    hrr_hash_part(hash, hrr_graph_graph_ids(graph), n * sizeof(uint32_t));
    hrr_hash_u64(hash, hrr_graph_inferred(graph));
    hrr_hash_u64(hash, hrr_graph_n_classes(graph));
    for (uint32_t c = 0; c < hrr_graph_n_classes(graph); c++)
        hrr_hash_text(hash, hrr_graph_class_name(graph, c));
}

hrr_status hrr_account_request(uint8_t request[HRR_FINGERPRINT_SIZE], const hrr_graph *graph,
                               bool every_edge, const hrr_feature_options *features,
                               uint64_t n_features, const hrr_edge_options *edges,
                               const uint64_t *others, size_t n_others,
                               const hrr_block_maker *maker, hrr_error *err)
{
    hrr_hash hash;
    hrr_hash_init(&hash);
    hrr_hash_text(&hash, features ? "features" : NULL);
    if (features) hash_features(&hash, features, n_features);
    hrr_hash_text(&hash, edges ? "edges" : NULL);
    if (edges) hash_edges(&hash, edges, hrr_graph_n_nodes(graph));
    hash_public(&hash, graph, every_edge);
    for (size_t i = 0; i < n_others; i++)
        hrr_hash_u64(&hash, others[i]);
    if (maker) hrr_hash_text(&hash, maker->name);
    if (maker) hrr_hash_u64(&hash, maker->version);
    return hrr_hash_finish(request, &hash, err);
}

/* ---- the ledger ----------------------------------------------------------------------------- */

/* Of an open ledger: the input's names, and what was released for the same public request. */
static hrr_status recognise(hrr_account *out, hrr_error *err)
{
    const hrr_account_terms *t = &out->terms;
    hrr_ledger_release before;
    hrr_status status =
        hrr_ledger_fingerprint(&out->input, out->ledger, t->graph, t->lo, t->hi, t->threads, err);
    if (!status)
        status = hrr_ledger_find_release(&before, out->ledger, out->input.graph, t->name,
                                         t->request, err);
    if (status) return status;
    out->charge_before = before.charge;
    hrr_ledger_release_clear(&before);
    return HRR_OK;
}

hrr_status hrr_account_open(hrr_account *out, const hrr_account_terms *terms,
                            hrr_progress *progress, hrr_error *err)
{
    *out = (hrr_account){.terms = *terms};
    hrr_status status = hrr_ledger_open(&out->ledger, terms->ledger, progress, err);
    if (!status) status = recognise(out, err);
    if (status) hrr_account_clear(out);
    return status;
}

void hrr_account_clear(hrr_account *account)
{
    hrr_ledger_free(account->ledger);
    *account = (hrr_account){0};
}

static hrr_status none_stored(const hrr_account_terms *terms, hrr_error *err)
{
    return hrr_fail(err, HRR_EINVAL,
                    "the ledger knows no release of %s%s%s with these options to give out again; "
                    "graph name, nodes, public edges, account and options must be those of the "
                    "release. Leave `again` out to draw and charge one",
                    hrr_graph_name(terms->graph), terms->name ? " on account " : "",
                    terms->name ? terms->name : "");
}

static hrr_status ledger_exists(bool *exists, const char *ledger, hrr_error *err)
{
    char *path = NULL;
    hrr_status status = ledger ? HRR_OK : hrr_ledger_default_path(&path, err);
    *exists = !status && access(ledger ? ledger : path, F_OK) == 0;
    hrr_free(path);
    return status;
}

static hrr_status find_stored(hrr_ledger_release *found, const hrr_account_terms *terms,
                              hrr_progress *progress, hrr_error *err)
{
    hrr_ledger *ledger = NULL;
    hrr_fingerprint name;
    bool exists;
    *found = (hrr_ledger_release){0};
    hrr_status status = ledger_exists(&exists, terms->ledger, err);
    if (status || !exists) return status;
    status = hrr_ledger_open_existing(&ledger, terms->ledger, progress, err);
    if (!status) status = hrr_ledger_name_graph(&name, ledger, terms->graph, err);
    if (!status)
        status =
            hrr_ledger_find_release(found, ledger, name.graph, terms->name, terms->request, err);
    hrr_ledger_free(ledger);
    return status;
}

hrr_status hrr_account_stored(char **bundle, const hrr_account_terms *terms, hrr_progress *progress,
                              hrr_error *err)
{
    char sha256[HRR_SHA256_TEXT_SIZE] = "";
    hrr_ledger_release found;
    *bundle = NULL;
    hrr_status status = find_stored(&found, terms, progress, err);
    if (status) return status;
    if (!found.charge) return none_stored(terms, err);
    status = hrr_certificate_hash(sha256, found.bundle, progress, err);
    if (status == HRR_EIO || (!status && strcmp(found.certificate_sha256, sha256) != 0))
        status = hrr_fail(err, HRR_EINVAL,
                          "the release to be given out again (charge %llu) is gone or changed: %s; "
                          "put it back, or leave `again` out to draw and charge a new one",
                          (unsigned long long)found.charge, found.bundle);
    if (!status) {
        *bundle = found.bundle;
        found.bundle = NULL;
    }
    hrr_ledger_release_clear(&found);
    return status;
}

hrr_status hrr_account_charge(hrr_account *account, const hrr_spend *spend, uint64_t limit_nano,
                              hrr_error *err)
{
    const hrr_account_terms *t = &account->terms;
    if (!account->ledger) return HRR_OK;
    return hrr_ledger_charge(&account->entry, account->ledger, &account->input, t->name, spend,
                             t->request, hrr_graph_name(t->graph), limit_nano, err);
}

hrr_status hrr_account_charge_check(const hrr_account *account, const hrr_spend *spend,
                                    uint64_t limit_nano, hrr_error *err)
{
    return hrr_ledger_charge_check(account->ledger, &account->input, account->terms.name, spend,
                                   limit_nano, err);
}

hrr_status hrr_account_spent(hrr_spend *spent, const hrr_account *account, hrr_error *err)
{
    *spent = (hrr_spend){0};
    if (!account->ledger) return HRR_OK;
    return hrr_ledger_spent(spent, account->ledger, &account->input, account->terms.name, err);
}

hrr_status hrr_account_before(hrr_spend *spent, uint64_t *n_charges, const hrr_account *account,
                              hrr_error *err)
{
    const char *name = account->terms.name;
    hrr_ledger_list all = {0};
    *spent = (hrr_spend){0};
    *n_charges = 0;
    if (!account->ledger || !name) return HRR_OK;
    hrr_status status = hrr_ledger_read(&all, account->ledger, err);
    hrr_ledger_list earlier = {.rows = all.rows};
    for (; earlier.n_rows < all.n_rows; earlier.n_rows++) {
        const hrr_ledger_row *row = &all.rows[earlier.n_rows];
        if (row->number >= account->entry.number) break;
        *n_charges += strcmp(row->account, name) == 0;
    }
    *spent = hrr_ledger_list_spent(&earlier, NULL, name);
    hrr_ledger_list_clear(&all);
    return status;
}

hrr_status hrr_account_confirm(const hrr_account *account, hrr_error *err)
{
    const hrr_account_terms *t = &account->terms;
    hrr_fingerprint now;
    if (!account->ledger) return HRR_OK;
    hrr_status status =
        hrr_ledger_fingerprint(&now, account->ledger, t->graph, t->lo, t->hi, t->threads, err);
    if (status || memcmp(&now, &account->input, sizeof now) == 0) return status;
    return hrr_fail(err, HRR_EDATA,
                    "the input changed while it was protected, so nothing is released. Let the "
                    "files rest and try again");
}

hrr_status hrr_account_certified(hrr_account *account, const char *directory,
                                 hrr_progress *progress, hrr_error *err)
{
    if (!account->ledger) return HRR_OK;
    return hrr_certificate_hash(account->certificate_sha256, directory, progress, err);
}

hrr_status hrr_account_released(hrr_account *account, const char *bundle, hrr_error *err)
{
    if (!account->ledger || !account->entry.number) return HRR_OK;
    return hrr_ledger_released(account->ledger, &account->entry, bundle,
                               bundle ? account->certificate_sha256 : NULL, err);
}

hrr_status hrr_account_peek(hrr_account *out, const hrr_account_terms *terms,
                            hrr_progress *progress, hrr_error *err)
{
    *out = (hrr_account){.terms = *terms};
    hrr_status status = hrr_ledger_look(&out->ledger, terms->ledger, progress, err);
    if (!status && out->ledger) status = recognise(out, err);
    if (status) hrr_account_clear(out);
    return status;
}
