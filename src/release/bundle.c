/* bundle.c: see bundle.h.
 *
 * A release is a graph in the native layout, without private.npy (nothing in it is private any
 * more), masked_features.npy (a second view of the private features) and candidates.npy (it has no
 * private pairs). What loaders of other libraries expect beside it is loaders.c's. The input's own
 * provenance is not copied: who wrote it did not mean to publish it. */
#include "release/bundle.h"
#include "release/loaders.h"
#include "io/native_write.h"
#include "certificate/file.h"
#include "certificate/keys.h"
#include "certificate/signature.h"
#include "base/memory.h"
#include "base/paths.h"

#include <sys/stat.h>
#include <sys/statvfs.h>

hrr_status hrr_bundle_check_room(const char *directory, const hrr_certificate *certificate,
                                 hrr_error *err)
{
    const hrr_feature_claim *features = &certificate->features;
    if (!certificate->n_features_in) return HRR_OK;
    const double needed = (double)certificate->n_nodes * (double)features->n_features_out *
                          (double)hrr_dtype_size(features->dtype_out);
    struct statvfs there;
    if (statvfs(directory, &there) != 0) return HRR_OK; /* writing will show */
    const double room = (double)there.f_bavail * (double)there.f_frsize;
    if (needed <= room) return HRR_OK;
    return hrr_fail(err, HRR_EIO,
                    "the disk of the bundle has room for %.4g bytes, but its features alone need "
                    "%.4g; nothing was spent. Free some space, or write the bundle elsewhere",
                    room, needed);
}

/* ---- files ---------------------------------------------------------------------------------- */

static hrr_status write_parts(const char *directory, const hrr_edge_release *beside, hrr_error *err)
{
    hrr_status status = HRR_OK;
    for (int i = 0; i < beside->n_parts && !status; i++)
        status = hrr_native_put(directory, beside->parts[i].name, &beside->parts[i].array, err);
    return status;
}

static hrr_status write_nodes(const char *directory, const hrr_graph *released,
                              hrr_progress *progress, hrr_error *err)
{
    const uint64_t n = hrr_graph_n_nodes(released);
    hrr_status status = hrr_native_put_vector(directory, "labels.npy", HRR_ARRAY_I32,
                                              sizeof(int32_t), hrr_graph_classes(released), n, err);
    if (!status)
        status = hrr_native_put_dense(directory, "labels", hrr_graph_label_matrix(released),
                                      progress, err);
    if (!status)
        status = hrr_native_put_vector(directory, "split.npy", HRR_ARRAY_U8, 1,
                                       hrr_graph_split(released), n, err);
    if (!status)
        status = hrr_native_put_vector(directory, "graph_ids.npy", HRR_ARRAY_U32, sizeof(uint32_t),
                                       hrr_graph_graph_ids(released), n, err);
    return status ? status : hrr_native_put_ids(released, directory, err);
}

hrr_status hrr_bundle_write(const char *directory, const hrr_graph *released,
                            const hrr_edge_release *beside, uint64_t n_features_there,
                            hrr_progress *progress, hrr_error *err)
{
    const hrr_dense *features = n_features_there ? NULL : hrr_graph_features(released);
    const uint64_t n_features = features ? features->cols : n_features_there;
    hrr_progress_begin(progress, "writing the bundle", 0);
    hrr_status status = write_parts(directory, beside, err);
    if (!status) status = hrr_native_put_dense(directory, "features", features, progress, err);
    if (!status) status = hrr_native_put_edges(released, directory, progress, err);
    if (!status) status = write_nodes(directory, released, progress, err);
    if (!status)
        status = hrr_native_put_json(released, directory, hrr_graph_n_edges(released), n_features,
                                     false, hrr_graph_marking(released) == HRR_ALL_PUBLIC, 0,
                                     hrr_graph_provenance(released), err);
    return status ? status : hrr_loaders_write(directory, released, n_features > 0, err);
}

/* ---- the certificate ------------------------------------------------------------------------ */

/* Those that a bundle may have, in the order in which the certificate lists them. */
static const char *const names[] = {
    "graph.json",       "edges.npy",       "tree.npy",         "tree_counts.npy", "blocks.npy",
    "block_counts.npy", "counted.npy",     "need.npy",         "rivals.npy",      "features.npy",
    "labels.npy",       "split.npy",       "train_mask.npy",   "valid_mask.npy",  "test_mask.npy",
    "graph_ids.npy",    "node_ids.npy",    "metadata.yaml",    "edge_index.npy",  "train_nodes.npy",
    "train_labels.npy", "valid_nodes.npy", "valid_labels.npy", "test_nodes.npy",  "test_labels.npy",
    "README.txt",       "CERTIFICATE.txt"};
enum { n_names = sizeof names / sizeof *names };

/* Those that are there: their names, and their paths (hrr_free()). */
typedef struct files {
    size_t n;
    const char *name[n_names];
    char *path[n_names];
    hrr_hashed_file *hashed;
} files;

static void clear_files(files *in)
{
    for (size_t i = 0; i < in->n; i++)
        hrr_free(in->path[i]);
    hrr_free(in->hashed);
}

static hrr_status find_files(files *out, const char *directory, hrr_error *err)
{
    struct stat there;
    *out = (files){.hashed = hrr_alloc_zero(n_names, sizeof *out->hashed)};
    if (!out->hashed) return hrr_no_memory(err);
    for (size_t i = 0; i < n_names; i++) {
        char *path = hrr_path_join(directory, names[i]);
        if (!path) return hrr_no_memory(err);
        if (stat(path, &there) != 0) {
            hrr_free(path);
            continue;
        }
        out->name[out->n] = names[i];
        out->hashed[out->n].path = path;
        out->path[out->n++] = path;
    }
    return HRR_OK;
}

/* name: {bytes, sha256} of each; json_decref(). */
static hrr_status list_files(json_t **out, const files *in, hrr_error *err)
{
    json_t *list = json_object();
    bool whole = list != NULL;
    hrr_status status = HRR_OK;
    for (size_t i = 0; i < in->n && !status; i++) {
        const hrr_hashed_file *file = &in->hashed[i];
        if (file->error.status) status = hrr_fail(err, HRR_EIO, "%s", file->error.message);
        whole &= !json_object_set_new(
            list, in->name[i],
            json_pack("{s:I, s:s}", "bytes", (json_int_t)file->size, "sha256", file->sha256));
    }
    if (!status && !whole) status = hrr_no_memory(err);
    if (status) json_decref(list);
    *out = status ? NULL : list;
    return status;
}

static hrr_status hash_files(json_t **out, const char *directory, int threads,
                             hrr_progress *progress, hrr_error *err)
{
    files found;
    *out = NULL;
    hrr_progress_begin(progress, "hashing the bundle", 0);
    hrr_status status = find_files(&found, directory, err);
    if (!status) status = hrr_sha256_files(found.hashed, found.n, threads, progress, err);
    if (!status) status = list_files(out, &found, err);
    clear_files(&found);
    return status;
}

/* The record, with the name of the key that signs it; its other members are shared. NULL: no
 * memory.
 */
static json_t *certificate_of(const json_t *record, const hrr_signing_key *sign_with)
{
    json_t *certificate = json_copy((json_t *)record);
    json_t *signer = sign_with ? json_string(hrr_signing_key_fingerprint(sign_with)) : json_null();
    if (certificate && !json_object_set_new(certificate, "signer", signer)) return certificate;
    json_decref(certificate);
    return NULL;
}

hrr_status hrr_bundle_certify(const char *directory, const json_t *record,
                              const hrr_signing_key *sign_with, int threads, hrr_progress *progress,
                              hrr_error *err)
{
    json_t *hashes = NULL, *certificate = certificate_of(record, sign_with);
    hrr_status status =
        certificate ? hrr_certificate_save_page(certificate, directory, err) : hrr_no_memory(err);
    if (!status) status = hash_files(&hashes, directory, threads, progress, err);
    if (!status && json_object_set(certificate, "files", hashes)) status = hrr_no_memory(err);
    if (!status) status = hrr_certificate_save(certificate, directory, err);
    if (!status && sign_with) status = hrr_signature_write(directory, sign_with, err);
    json_decref(hashes);
    json_decref(certificate);
    return status;
}
