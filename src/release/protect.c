/* protect.c: from a private graph to a release that may be published: in memory, as a bundle, or
 * both.
 *
 * The order is the argument:
 *   1. decide    everything public: options against each other, the plans of the edges and of the
 *                features, the tables of the labels, the certificate's sentences, the place of the
 *                bundle;
 *   2. charge    what it costs, if there is a ledger;
 *   3. draw      features, labels, blocks of nodes that are made from the release, edges (drawn.h);
 *   4. certify   put the record of what was done beside it; hash the files of a bundle, and sign;
 *   5. publish   one rename of a bundle; of a release in memory, a pointer.
 * Over ranks (processes that mpirun started) every rank decides, and the decisions and inputs are
 * compared (same_input.h). Rank 0 alone charges; the others draw when it has. Rank 0 certifies and
 * publishes when all have drawn.
 * If the owner asks for the release that is stored (again), step 1 is followed by a copy of it. It
 * is found by what is public: no private data decides whether a bundle is drawn or copied.
 * Failures of step 1 depend on public data only. Private features are finite: hrr_graph takes no
 * others, and the plan looks again before it draws, in case a mapped file changed. Whatever fails
 * later leaves nothing behind. */
#include "release/charge.h"
#include "release/request.h"
#include "release/bundle.h"
#include "release/certify.h"
#include "release/clock.h"
#include "release/decide.h"
#include "release/declared.h"
#include "release/drawn.h"
#include "release/expected.h"
#include "release/protect.h"
#include "release/same_input.h"
#include "release/stored.h"
#include "certificate/file.h"
#include "certificate/release.h"
#include "certificate/signature.h"
#include "base/memory.h"
#include "base/paths.h"
#include "base/output.h"
#include "base/shared_file.h"
#include "random/generator.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* ---- the job -------------------------------------------------------------------------------- */

typedef struct job {
    const hrr_graph *graph;
    const hrr_protect_options *options;
    hrr_random *random;
    hrr_feature_options features; /* as asked for, with the bounds that are used */
    hrr_edge_protection edges;
    const hrr_block_maker *maker; /* NULL: blocks are given, or communities, or there are none */
    hrr_block_maker predicted;
    hrr_feature_plan *plan;
    hrr_label_response labels;
    hrr_certificate certificate;
    hrr_charge charge;
    bool in_memory; /* the release is wanted as one */
    hrr_drawn drawn;
    json_t *record;       /* the certificate, but for the list of files */
    hrr_release *release; /* what the caller gets, if all is well */
    bool stored, not_recorded;
    hrr_spend spent; /* on this input, in all */
    hrr_expected expected;
    double chain_seconds;
    hrr_protect_phases phases;
    hrr_ranks *ranks; /* NULL: this process is alone */
    hrr_own_input own_input;
} job;

/* Whether this process is the one that charges, certifies and publishes. */
static bool leads(const job *j)
{
    return hrr_ranks_rank(j->ranks) == 0;
}

static hrr_status decide_blocks(job *j, hrr_error *err)
{
    if (j->maker || j->options->blocks_from != HRR_BLOCKS_PREDICTED) return HRR_OK;
    hrr_status status = hrr_block_maker_init(&j->predicted, j->graph, err);
    if (!status) j->maker = &j->predicted;
    return status;
}

static hrr_status decide(job *j, hrr_progress *progress, hrr_error *err)
{
    const hrr_protect_options *options = j->options;
    hrr_status status = decide_blocks(j, err);
    if (!status) status = hrr_decide_request(j->graph, options, j->maker, err);
    if (!status)
        status = hrr_label_response_init(&j->labels, j->graph, options->eps_labels_nano, err);
    if (!status && !options->bounds_from_data)
        status = hrr_bounds_settle(&j->features, j->graph, err);
    if (!status)
        status = hrr_decide_features(&j->plan, j->graph, &j->features, options->bounds_from_data,
                                     progress, err);
    const double began = hrr_clock();
    if (!status) status = hrr_decide_edges(&j->edges, j->graph, options, j->maker, progress, err);
    j->chain_seconds = hrr_clock() - began;
    if (!status) status = hrr_decide_edges_out(&j->edges, j->graph, &options->edges, err);
    if (status) return status;
    hrr_feature_claim claim = {0};
    if (j->plan) claim = hrr_feature_plan_claim(j->plan);
    if (options->n_propagate && j->plan && claim.dtype_out != HRR_F32)
        return hrr_fail(
            err, HRR_EINVAL,
            "`n_propagate` averages numbers, so it cannot be used with bins (`features.decoding`)");
    status = hrr_certify(&j->certificate, j->graph, options, j->maker, j->plan ? &claim : NULL,
                         &j->edges.claim, j->labels.realised_eps, hrr_random_is_insecure(j->random),
                         err);
    j->certificate.edges_of_graph = j->edges.of_graph;
    j->certificate.n_graphs = j->edges.sides.n_graphs;
    j->certificate.edges_out = hrr_edge_protection_least(&j->edges);
    return status;
}

/* ---- charge --------------------------------------------------------------------------------- */

/* Every option that decides what is drawn; their order never changes, and later ones are left out
 * where they are not used, so that releases made before they existed are found. */
static hrr_status describe_request(uint8_t request[HRR_FINGERPRINT_SIZE], const job *j,
                                   hrr_error *err)
{
    const hrr_protect_options *o = j->options;
    const uint64_t others[] = {o->paper_mode,
                               o->eps_labels_nano,
                               o->declared_public,
                               o->scores_are_public,
                               0 /* once: bounds that were read from a file */,
                               o->bounds_from_data,
                               o->n_propagate,
                               hrr_random_is_insecure(j->random)};
    return hrr_request_hash(request, j->graph, j->certificate.protects_public_edges,
                            j->plan ? &j->features : NULL, j->certificate.n_features_in, &o->edges,
                            others, sizeof others / sizeof *others, j->maker, err);
}

static hrr_status describe_terms(hrr_charge_terms *terms, const job *j, hrr_error *err)
{
    const hrr_protect_options *o = j->options;
    *terms = (hrr_charge_terms){.graph = j->graph,
                                .ledger = o->ledger,
                                .account = o->account,
                                .lo = j->features.lo,
                                .hi = j->features.hi,
                                .threads = o->threads};
    return describe_request(terms->request, j, err);
}

/* What can be asked for again: a release that is not private protects nothing that a second one
 * would spend. */
static hrr_status check_again(const job *j, hrr_error *err)
{
    if (!j->options->with_ledger)
        return hrr_fail(
            err, HRR_EINVAL,
            "`again` needs a ledger (`with_ledger`), which records where the stored release is");
    if (hrr_certificate_is_private(&j->certificate)) return HRR_OK;
    return hrr_fail(err, HRR_EINVAL,
                    "a release that is NOT PRIVATE cannot be copied again; leave `again` out");
}

/* *stored: hrr_free(). */
static hrr_status find_stored(char **stored, job *j, hrr_progress *progress, hrr_error *err)
{
    hrr_charge_terms terms;
    *stored = NULL;
    hrr_status status = check_again(j, err);
    if (!status) status = describe_terms(&terms, j, err);
    return status ? status : hrr_charge_find_stored(stored, &terms, progress, err);
}

static hrr_status open_charge(job *j, hrr_progress *progress, hrr_error *err)
{
    hrr_charge_terms terms;
    if (!j->options->with_ledger) return HRR_OK;
    hrr_status status = describe_terms(&terms, j, err);
    return status ? status : hrr_charge_open(&j->charge, &terms, progress, err);
}

static hrr_spend cost(const job *j)
{
    const hrr_certificate *c = &j->certificate;
    return (hrr_spend){.features_nano = c->features.eps_nano,
                       .edges_nano = c->edges.eps_nano,
                       .labels_nano = j->labels.eps_nano,
                       .delta = c->features.delta,
                       .unbounded = !hrr_certificate_is_private(c)};
}

/* Durable when this returns; nothing private has been drawn from yet. The sum is asked for before
 * the bundle is published: afterwards nothing that fails may take back that it was. */
static hrr_status charge(job *j, hrr_error *err)
{
    const hrr_spend spend = cost(j);
    hrr_status status = hrr_charge_make(&j->charge, &spend, j->options->limit_nano, err);
    if (!status) j->certificate.ledger_entry = j->charge.entry;
    if (!status)
        status = hrr_charge_before(&j->certificate.account_before,
                                   &j->certificate.account_charges_before, &j->charge, err);
    return status ? status : hrr_charge_spent(&j->spent, &j->charge, err);
}

/* ---- ranks ---------------------------------------------------------------------------------- */

/* Everything that was decided, and what is to become of it. */
static hrr_status digest_decisions(uint8_t digest[hrr_sha256_size], const job *j,
                                   const char *bundle, hrr_error *err)
{
    const hrr_protect_options *o = j->options;
    const hrr_certificate *c = &j->certificate;
    const double eps[] = {c->features.realised_eps, c->edges.realised_eps, j->labels.realised_eps};
    uint8_t request[HRR_FINGERPRINT_SIZE];
    hrr_hash hash;
    hrr_status status = describe_request(request, j, err);
    if (status) return status;
    hrr_hash_init(&hash);
    hrr_hash_add(&hash, request, sizeof request);
    hrr_hash_u64(&hash, c->n_nodes);
    hrr_hash_u64(&hash, c->n_features_in);
    hrr_hash_text(&hash, c->statement);
    hrr_hash_add(&hash, eps, sizeof eps);
    hrr_edge_protection_digest(&hash, &j->edges);
    hrr_hash_text(&hash, bundle);
    hrr_hash_u64(&hash, o->with_ledger);
    hrr_hash_text(&hash, o->ledger);
    hrr_hash_text(&hash, o->account);
    hrr_hash_u64(&hash, o->limit_nano);
    hrr_hash_u64(&hash, o->again);
    hrr_hash_u64(&hash, o->replace);
    hrr_hash_u64(&hash, o->dry_run);
    return hrr_hash_finish(digest, &hash, err);
}

/* status: of the decisions of this rank. */
static hrr_status agree_on_decisions(job *j, hrr_status status, const char *bundle, hrr_error *err)
{
    uint8_t digest[hrr_sha256_size];
    if (!j->ranks) return status;
    if (!status) status = digest_decisions(digest, j, bundle, err);
    status = hrr_ranks_agree(j->ranks, status, err);
    if (!status) status = hrr_same_input(&j->own_input, j->ranks, digest, j->graph, err);
    if (!status) status = hrr_random_share(j->random, j->ranks, err);
    if (!status) hrr_edge_protection_share(&j->edges, j->ranks);
    return status;
}

/* The directory of rank 0, for every rank: *out, hrr_free(). */
static hrr_status share_staging(char **out, const char *staging, hrr_ranks *ranks, hrr_error *err)
{
    uint64_t length = staging ? strlen(staging) : 0;
    *out = NULL;
    hrr_status status = hrr_ranks_broadcast(ranks, &length, sizeof length, 0, err);
    if (status) return status;
    char *text = hrr_alloc_zero(length + 1, 1);
    status = hrr_ranks_agree(ranks, text ? HRR_OK : hrr_no_memory(err), err);
    if (!status && staging) memcpy(text, staging, length);
    if (!status) status = hrr_ranks_broadcast(ranks, text, length, 0, err);
    if (status) {
        hrr_free(text);
        return status;
    }
    *out = text;
    return HRR_OK;
}

/* ---- draw, certify, publish ----------------------------------------------------------------- */

static hrr_drawing drawing_of(job *j)
{
    return (hrr_drawing){.graph = j->graph,
                         .features = j->plan,
                         .n_propagate = j->options->n_propagate,
                         .labels = &j->labels,
                         .maker = j->maker,
                         .edges = &j->edges,
                         .threads = j->options->threads,
                         .random = j->random,
                         .ranks = j->ranks};
}

/* Whether features go to the bundle row by row, and from every rank. */
static bool streams(job *j)
{
    const hrr_drawing drawing = drawing_of(j);
    return j->plan && !j->in_memory && !hrr_drawing_keeps_features(&drawing);
}

/* staging: where the bundle's files go; NULL: there is no bundle. */
static hrr_status draw(job *j, const char *staging, hrr_progress *progress, hrr_error *err)
{
    const hrr_drawing drawing = drawing_of(j);
    hrr_status status =
        hrr_draw(&j->drawn, &drawing, streams(j) ? staging : NULL, &j->phases, progress, err);
    if (status || !leads(j)) return status;
    j->certificate.edges_out = hrr_graph_n_edges(j->drawn.graph);
    /* Of what was drawn, not of the request. */
    j->certificate.edges.realised_eps = j->drawn.beside.realised_eps;
    return HRR_OK;
}

static hrr_status certify(job *j, const char *staging, hrr_progress *progress, hrr_error *err)
{
    const bool streamed = j->plan && !hrr_graph_features(j->drawn.graph);
    const uint64_t n_features_there = streamed ? j->certificate.features.n_features_out : 0;
    double began = hrr_clock();
    hrr_status status = hrr_certify_origin(j->drawn.graph, &j->certificate, err);
    if (!status) status = hrr_certificate_json(&j->record, &j->certificate, err);
    if (status || !staging) return status;
    status = hrr_bundle_write(staging, j->drawn.graph, &j->drawn.beside, n_features_there, progress,
                              err);
    hrr_clock_add(&j->phases.writing, &began);
    if (!status)
        status = hrr_bundle_certify(staging, j->record, j->options->sign_with, j->options->threads,
                                    progress, err);
    hrr_clock_add(&j->phases.hashing, &began);
    return status;
}

/* Why it failed may fill the message; what was spent must be read. */
static void say_spent(const job *j, hrr_status status, hrr_error *err)
{
    const hrr_spend spend = cost(j);
    char features[HRR_EPS_TEXT_SIZE], edges[HRR_EPS_TEXT_SIZE], labels[HRR_EPS_TEXT_SIZE];
    if (!err) return;
    const hrr_error why = *err;
    hrr_eps_format(features, spend.features_nano);
    hrr_eps_format(edges, spend.edges_nano);
    hrr_eps_format(labels, spend.labels_nano);
    hrr_fail(
        err, status,
        "%.700s; nothing was released, but its budget had already been charged (charge %" PRIu64
        " of the ledger: eps_f = %s, eps_e = %s, eps_y = %s) and remains spent",
        status == HRR_ECANCEL ? "interrupted" : why.message, j->charge.entry.charge, features,
        edges, labels);
}

/* The charge is durable when this returns; until then no rank draws. */
static hrr_status pay(job *j, const char *staging, hrr_error *err)
{
    double began = hrr_clock();
    hrr_status status = HRR_OK;
    if (leads(j) && staging) status = hrr_bundle_check_room(staging, &j->certificate, err);
    if (!status && leads(j)) status = charge(j, err);
    status = hrr_ranks_agree(j->ranks, status, err);
    hrr_clock_add(&j->phases.ledger, &began);
    return status;
}

static hrr_status finish(job *j, const char *staging, hrr_progress *progress, hrr_error *err)
{
    hrr_status status = certify(j, staging, progress, err);
    if (!status && j->in_memory)
        status = hrr_release_assemble_made(&j->release, &j->drawn.graph, &j->record,
                                           &j->drawn.beside, err);
    /* The last moment at which a cancel still means "as if it had never run". */
    if (!status) status = hrr_progress_advance(progress, 0, err);
    double began = hrr_clock();
    if (!status) status = hrr_charge_confirm(&j->charge, err);
    if (!status && staging) status = hrr_charge_certified(&j->charge, staging, progress, err);
    hrr_clock_add(&j->phases.ledger, &began);
    return status;
}

static hrr_status make(job *j, const char *staging, hrr_progress *progress, hrr_error *err)
{
    hrr_status status = pay(j, staging, err);
    if (!status) status = draw(j, staging, progress, err);
    if (!status) status = hrr_same_input_still(&j->own_input, j->ranks, j->graph, err);
    status = hrr_ranks_agree(j->ranks, status, err);
    if (!status && leads(j)) status = finish(j, staging, progress, err);
    /* Nothing is published if a rank failed meanwhile. */
    if (!status) status = hrr_ranks_check(j->ranks, err);
    return status;
}

/* Write down what became of the charge. What is released is no less whole if that fails. */
static void note(job *j, const char *bundle)
{
    j->not_recorded = hrr_charge_released(&j->charge, bundle, NULL) != HRR_OK;
}

static hrr_status publish(job *j, hrr_output_dir *dir, const char *bundle, hrr_error *err)
{
    double began = hrr_clock();
    hrr_status status = hrr_output_dir_commit(dir, err);
    if (!status) note(j, bundle);
    hrr_clock_add(&j->phases.publishing, &began);
    return status;
}

static hrr_status make_bundle(job *j, const char *bundle, hrr_progress *progress, hrr_error *err)
{
    hrr_output_dir *dir;
    hrr_status status =
        hrr_output_dir_open(&dir, bundle, &hrr_bundle_directory, j->options->replace, err);
    if (status) return status;
    status = make(j, hrr_output_dir_staging(dir), progress, err);
    if (!status) status = publish(j, dir, bundle, err);
    hrr_output_dir_free(dir);
    return status;
}

/* Of every rank: machines may have a directory each where they should share one. */
static hrr_status check_shared(job *j, const char *staging, hrr_error *err)
{
    hrr_status status = HRR_OK;
    if (streams(j) && access(staging, W_OK | X_OK) != 0)
        status = hrr_fail(err, HRR_EIO,
                          "%s: is not the directory that rank 0 sees, or cannot be written: %s; "
                          "name a bundle by a path that is the same directory for all ranks. "
                          "Nothing was charged or drawn",
                          staging, strerror(errno));
    return hrr_ranks_agree(j->ranks, status, err);
}

/* make_bundle() at a rank that does not lead: it draws into the staging directory of rank 0, and
 * waits until the bundle is in its place. */
static hrr_status help_make_bundle(job *j, const char *staging, hrr_progress *progress,
                                   hrr_error *err)
{
    hrr_status status = make(j, staging, progress, err);
    return hrr_ranks_agree(j->ranks, status, err);
}

/* make_bundle() at rank 0. What is published stays so: a rank that fails while it waits for that
 * cannot take it back. */
static hrr_status lead_make_bundle(job *j, hrr_output_dir *dir, const char *bundle,
                                   const char *staging, hrr_progress *progress, hrr_error *err)
{
    hrr_error late;
    hrr_status status = make(j, staging, progress, err);
    if (!status) status = publish(j, dir, bundle, err);
    if (status) return hrr_ranks_agree(j->ranks, status, err);
    status = hrr_ranks_barrier(j->ranks, &late);
    (void)status;
    return HRR_OK;
}

static hrr_status make_bundle_over_ranks(job *j, const char *bundle, hrr_progress *progress,
                                         hrr_error *err)
{
    hrr_output_dir *dir = NULL;
    char *staging = NULL;
    int held = -1;
    hrr_status status = HRR_OK;
    if (leads(j))
        status = hrr_output_dir_open(&dir, bundle, &hrr_bundle_directory, j->options->replace, err);
    if (dir) held = hrr_staging_hold(hrr_output_dir_staging(dir));
    status = hrr_ranks_agree(j->ranks, status, err);
    if (!status)
        status = share_staging(&staging, dir ? hrr_output_dir_staging(dir) : NULL, j->ranks, err);
    if (!status) status = check_shared(j, staging, err);
    if (!status)
        status = leads(j) ? lead_make_bundle(j, dir, bundle, staging, progress, err)
                          : help_make_bundle(j, staging, progress, err);
    hrr_output_dir_free(dir);
    if (status && staging && !leads(j)) hrr_staging_sweep(staging);
    if (held >= 0) close(held);
    hrr_free(staging);
    return status;
}

static hrr_status make_in_memory(job *j, hrr_progress *progress, hrr_error *err)
{
    hrr_status status = make(j, NULL, progress, err);
    if (!status) note(j, NULL);
    return status;
}

static hrr_status deliver(job *j, const char *bundle, hrr_progress *progress, hrr_error *err)
{
    double began = hrr_clock();
    hrr_status status = leads(j) ? open_charge(j, progress, err) : HRR_OK;
    status = hrr_ranks_agree(j->ranks, status, err);
    hrr_clock_add(&j->phases.ledger, &began);
    if (status) return status;
    status = j->ranks ? make_bundle_over_ranks(j, bundle, progress, err)
             : bundle ? make_bundle(j, bundle, progress, err)
                      : make_in_memory(j, progress, err);
    if (status && j->charge.entry.number) say_spent(j, status, err);
    return status;
}

static hrr_status take_stored(job *j, const char *bundle, const char *stored,
                              hrr_progress *progress, hrr_error *err)
{
    uint64_t *edges_out = &j->certificate.edges_out;
    hrr_status status = HRR_OK;
    if (bundle)
        status = hrr_stored_copy(edges_out, bundle, stored, j->options->replace, progress, err);
    if (!status && j->in_memory)
        status = hrr_release_open(&j->release, stored, NULL, progress, err);
    if (!status && j->in_memory) *edges_out = hrr_graph_n_edges(hrr_release_graph(j->release));
    if (!status && bundle && j->options->sign_with)
        status = hrr_signature_write(bundle, j->options->sign_with, err);
    return status;
}

static hrr_status give_again(job *j, const char *bundle, bool dry, hrr_progress *progress,
                             hrr_error *err)
{
    char *stored;
    double began = hrr_clock();
    hrr_status status = find_stored(&stored, j, progress, err);
    hrr_clock_add(&j->phases.ledger, &began);
    if (!status) status = hrr_stored_check_words(stored, j->options, err);
    if (!status && !dry) status = take_stored(j, bundle, stored, progress, err);
    if (!status && dry && bundle)
        status = hrr_stored_check(bundle, stored, j->options->replace, progress, err);
    j->stored = !status;
    hrr_clock_add(&j->phases.writing, &began);
    hrr_free(stored);
    return status;
}

/* ---- a dry run ------------------------------------------------------------------------------ */

static hrr_status check_place(const job *j, const char *bundle, hrr_error *err)
{
    if (!bundle) return HRR_OK;
    hrr_status status =
        hrr_output_dir_check(bundle, &hrr_bundle_directory, j->options->replace, err);
    if (status) return status;
    char *parent = hrr_path_parent(bundle);
    if (!parent) return hrr_no_memory(err);
    status = hrr_bundle_check_room(parent, &j->certificate, err);
    hrr_free(parent);
    return status;
}

/* What deliver() would refuse, in its order; the ledger is read. */
static hrr_status check_delivery(job *j, const char *bundle, hrr_progress *progress, hrr_error *err)
{
    const hrr_protect_options *o = j->options;
    const hrr_spend spend = cost(j);
    hrr_charge_terms terms;
    hrr_status status = o->with_ledger ? describe_terms(&terms, j, err) : HRR_OK;
    if (!status && o->with_ledger) status = hrr_charge_peek(&j->charge, &terms, progress, err);
    if (!status) status = check_place(j, bundle, err);
    if (status || !o->with_ledger) return status;
    status = hrr_charge_check(&j->charge, &spend, o->limit_nano, err);
    return status ? status : hrr_charge_spent(&j->spent, &j->charge, err);
}

/* What would happen; nothing is drawn from private data. */
static hrr_status foresee(job *j, const char *bundle, hrr_progress *progress, hrr_error *err)
{
    const hrr_protect_options *o = j->options;
    const hrr_edge_claim *edges = &j->certificate.edges;
    const uint64_t private_steps = edges->eps_tree_nano ? edges->chain_steps : 0;
    hrr_status status = check_delivery(j, bundle, progress, err);
    if (status) return status;
    const int n_kept = (j->in_memory || j->maker || o->n_propagate) + (o->n_propagate > 0);
    status = hrr_expect(&j->expected, j->graph, j->plan, n_kept, j->certificate.edges_out,
                        private_steps, o->threads, err);
    if (j->maker) j->expected.seconds += j->maker->expected_seconds;
    return status;
}

static void summarise(hrr_protect_summary *summary, const job *j, double seconds)
{
    const hrr_certificate *c = &j->certificate;
    *summary = (hrr_protect_summary){.eps_features_nano = c->features.eps_nano,
                                     .eps_edges_nano = c->edges.eps_nano,
                                     .eps_labels_nano = j->labels.eps_nano,
                                     .realised_eps_features = c->features.realised_eps,
                                     .realised_eps_edges = c->edges.realised_eps,
                                     .realised_eps_labels = j->labels.realised_eps,
                                     .is_private = hrr_certificate_is_private(c),
                                     .undeclared = hrr_public_undeclared(j->graph, j->options),
                                     .edges_out = c->edges_out,
                                     .seconds = seconds,
                                     .phases = j->phases,
                                     .chain_steps = c->edges.chain_steps,
                                     .stored = j->stored,
                                     .charge_before = j->charge.charge_before,
                                     .ledger_entry = j->charge.entry.number,
                                     .ledger_charge = j->charge.entry.charge,
                                     .spent_in_all = j->spent,
                                     .not_recorded = j->not_recorded,
                                     .expected_seconds = j->expected.seconds,
                                     .expected_memory = j->expected.bytes,
                                     .advice = c->edges.advice};
    memcpy(summary->statement, c->statement, sizeof summary->statement);
    memcpy(summary->treatment, c->treatment, sizeof summary->treatment);
    if (j->phases.features > 0)
        summary->features_per_second =
            (double)c->n_nodes * (double)c->n_features_in / j->phases.features;
    if (j->chain_seconds > 0)
        summary->chain_steps_per_second = (double)c->edges.chain_steps / j->chain_seconds;
}

/* What is wanted must be there to be given. */
static hrr_status check_wanted(bool in_memory, const char *bundle,
                               const hrr_protect_options *options, hrr_error *err)
{
    if (options->dry_run || bundle) return HRR_OK;
    if (!in_memory)
        return hrr_fail(err, HRR_EINVAL,
                        "no output was requested, neither a bundle nor a release in memory; use "
                        "`dry_run` to see what a release would need");
    if (!options->sign_with) return HRR_OK;
    return hrr_fail(err, HRR_EINVAL,
                    "`sign_with` signs the files of a bundle, but no bundle is written; sign the "
                    "release when you save it");
}

/* Steps 2 to 5, or what is asked for in their place. */
static hrr_status give(job *j, const char *bundle, hrr_progress *progress, hrr_error *err)
{
    const hrr_protect_options *o = j->options;
    if (!o->again && !o->dry_run) return deliver(j, bundle, progress, err);
    hrr_status status = HRR_OK;
    if (leads(j))
        status = o->again ? give_again(j, bundle, o->dry_run, progress, err)
                          : foresee(j, bundle, progress, err);
    return hrr_ranks_agree(j->ranks, status, err);
}

static hrr_status protect(hrr_release **out, hrr_protect_summary *summary, const char *bundle,
                          const hrr_graph *graph, const hrr_protect_options *options,
                          const hrr_block_maker *maker, hrr_ranks *ranks, hrr_random *random,
                          hrr_progress *progress, hrr_error *err)
{
    const double began = hrr_clock();
    /* Rows are numbered from 0 in every release: a generator of its own keeps two releases from
     * hiding two secrets with the same draws. */
    hrr_random *own;
    if (out) *out = NULL;
    hrr_status status = check_wanted(out != NULL, bundle, options, err);
    if (!status) status = hrr_random_new_child(&own, random, err);
    if (status) return status;
    job j = {.graph = graph,
             .options = options,
             .random = own,
             .features = options->features,
             .maker = maker,
             .in_memory = out != NULL,
             .ranks = ranks};
    status = agree_on_decisions(&j, decide(&j, progress, err), bundle, err);
    j.phases.plan = hrr_clock() - began;
    if (!status) status = give(&j, bundle, progress, err);
    if (!status && summary) summarise(summary, &j, hrr_clock() - began);
    if (!status && out) {
        *out = j.release;
        j.release = NULL;
    }
    hrr_release_free(j.release);
    json_decref(j.record);
    hrr_drawn_clear(&j.drawn);
    hrr_charge_clear(&j.charge);
    hrr_certificate_clear(&j.certificate);
    hrr_label_response_clear(&j.labels);
    hrr_feature_plan_free(j.plan);
    hrr_edge_protection_clear(&j.edges);
    hrr_random_free(own);
    return status;
}

hrr_status hrr_protect_with_maker(hrr_release **out, hrr_protect_summary *summary,
                                  const char *bundle, const hrr_graph *graph,
                                  const hrr_protect_options *options, const hrr_block_maker *maker,
                                  hrr_random *random, hrr_progress *progress, hrr_error *err)
{
    return protect(out, summary, bundle, graph, options, maker, NULL, random, progress, err);
}

hrr_status hrr_protect_over(hrr_protect_summary *summary, const char *bundle,
                            const hrr_graph *graph, const hrr_protect_options *options,
                            hrr_ranks *ranks, hrr_random *random, hrr_progress *progress,
                            hrr_error *err)
{
    hrr_protect_options own;
    hrr_status status = hrr_protect_options_adopt(&own, options, err);
    if (status) return status;
    hrr_ranks_watch(ranks, progress);
    status = protect(NULL, summary, bundle, graph, &own, NULL, ranks, random, progress, err);
    hrr_ranks_watch(ranks, NULL);
    return status;
}

hrr_status hrr_protect(hrr_release **out, hrr_protect_summary *summary, const char *bundle,
                       const hrr_graph *graph, const hrr_protect_options *options,
                       hrr_random *random, hrr_progress *progress, hrr_error *err)
{
    hrr_protect_options own;
    if (out) *out = NULL;
    hrr_status status = hrr_protect_options_adopt(&own, options, err);
    if (status) return status;
    return hrr_protect_with_maker(out, summary, bundle, graph, &own, NULL, random, progress, err);
}
