/* bundle.c: the public files of a release, and the hashes of all.
 *
 * A release is a graph in the native layout, without private.npy (nothing in it is private any
 * more), masked_features.npy (a second view of the private features) and candidates.npy (it has no
 * private pairs). What loaders of other libraries expect beside it is loaders.c's. The input's own
 * provenance is not copied: who wrote it did not mean to publish it. */
#include "release/bundle.h"
#include "release/loaders.h"
#include "io/native_write.h"
#include "io/npy.h"
#include "base/memory.h"
#include "base/paths.h"

#include <string.h>
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
    return hrr_fail(
        err, HRR_EIO,
        "where the bundle is to be there is room for %.4g bytes, and its features alone are "
        "%.4g; nothing was spent. Make room, or write it elsewhere",
        room, needed);
}

/* ---- edges ---------------------------------------------------------------------------------- */

/* 2 x E: all sources, then all targets. */
static hrr_status write_edges(const char *directory, const hrr_graph *released, hrr_error *err)
{
    const uint64_t n_edges = hrr_graph_n_edges(released);
    const size_t size = n_edges * sizeof(uint32_t);
    const hrr_array shape = {.type = HRR_ARRAY_I32,
                             .item_size = sizeof(int32_t),
                             .n_dims = 2,
                             .shape = {2, n_edges},
                             .n_items = 2 * n_edges};
    hrr_output *output = NULL;
    char *path = hrr_path_join(directory, "edges.npy");
    if (!path) return hrr_no_memory(err);
    hrr_status status = hrr_npy_begin(&output, path, &shape, err);
    if (!status) status = hrr_output_write(output, hrr_graph_sources(released), size, err);
    if (!status) status = hrr_output_write(output, hrr_graph_targets(released), size, err);
    if (!status) status = hrr_output_commit(output, err);
    hrr_output_free(output);
    hrr_free(path);
    return status;
}

hrr_status hrr_bundle_write_parts(const char *directory, const hrr_edge_release *drawn,
                                  hrr_error *err)
{
    hrr_status status = HRR_OK;
    for (int i = 0; i < drawn->n_parts && !status; i++)
        status = hrr_native_put(directory, drawn->parts[i].name, &drawn->parts[i].array, err);
    return status;
}

/* ---- split ---------------------------------------------------------------------------------- */

static hrr_status write_split(const char *directory, const hrr_graph *graph, hrr_error *err)
{
    hrr_status status =
        hrr_native_put_vector(directory, "split.npy", HRR_ARRAY_U8, 1, hrr_graph_split(graph),
                              hrr_graph_n_nodes(graph), err);
    return status ? status : hrr_loaders_write_masks(directory, graph, err);
}

/* ---- together ------------------------------------------------------------------------------- */

static hrr_status write_description(const char *directory, const hrr_graph *graph,
                                    const hrr_certificate *certificate, hrr_error *err)
{
    const hrr_recorded_request *request = &certificate->request;
    char *provenance = hrr_format_text(
        "%sreleased by heterorr %s in %s mode: features by %s, edges by %s, labels %s%s; see "
        "CERTIFICATE.txt",
        hrr_certificate_is_private(certificate) ? "" : "NOT PRIVATE: ", hrr_version(),
        request->paper_mode ? "paper" : "strict",
        certificate->n_features_in ? request->features->mechanism : "nothing",
        request->edge_mechanism,
        request->eps_labels_nano ? "by randomized response" : "as they are",
        hrr_graph_split(graph) ? "" : "; no split was given, so every node is in train_mask");
    if (!provenance) return hrr_no_memory(err);
    hrr_status status = hrr_native_put_json(
        graph, directory, certificate->edges_out, certificate->features.n_features_out, false,
        hrr_certificate_is_private(certificate), 0, provenance, err);
    hrr_free(provenance);
    return status;
}

hrr_status hrr_bundle_write_public(const char *directory, const hrr_graph *graph,
                                   const hrr_graph *released, const hrr_certificate *certificate,
                                   hrr_error *err)
{
    hrr_status status = write_edges(directory, released, err);
    if (!status) status = write_split(directory, graph, err);
    if (!status)
        status = hrr_native_put_vector(directory, "graph_ids.npy", HRR_ARRAY_U32, sizeof(uint32_t),
                                       hrr_graph_graph_ids(graph), hrr_graph_n_nodes(graph), err);
    if (!status) status = hrr_native_put_ids(graph, directory, err);
    if (!status) status = write_description(directory, graph, certificate, err);
    return status;
}

hrr_status hrr_bundle_hash(hrr_certificate *certificate, const char *directory, int threads,
                           hrr_progress *progress, hrr_error *err)
{
    static const char *const names[] = {
        "graph.json",       "edges.npy",        "tree.npy",         "tree_counts.npy",
        "blocks.npy",       "block_counts.npy", "counted.npy",      "features.npy",
        "labels.npy",       "split.npy",        "train_mask.npy",   "valid_mask.npy",
        "test_mask.npy",    "graph_ids.npy",    "node_ids.npy",     "metadata.yaml",
        "edge_index.npy",   "train_nodes.npy",  "train_labels.npy", "valid_nodes.npy",
        "valid_labels.npy", "test_nodes.npy",   "test_labels.npy",  "README.txt",
        "CERTIFICATE.txt"};
    enum { n_names = sizeof names / sizeof *names };
    _Static_assert((int)n_names <= (int)HRR_MOST_FILES, "room for every file");
    hrr_hashed_file *hashed = hrr_alloc_zero(n_names, sizeof *hashed);
    char *paths[n_names] = {0};
    hrr_status status = hashed ? HRR_OK : hrr_no_memory(err);
    size_t n = 0;
    hrr_progress_begin(progress, "hashing the bundle", 0);
    for (size_t i = 0; i < n_names && !status; i++) {
        struct stat there;
        paths[n] = hrr_path_join(directory, names[i]);
        if (!paths[n]) {
            status = hrr_no_memory(err);
        } else if (stat(paths[n], &there) == 0) {
            certificate->files[n].name = names[i];
            hashed[n].path = paths[n];
            n++;
        } else {
            hrr_free(paths[n]);
            paths[n] = NULL;
        }
    }
    if (!status) status = hrr_sha256_files(hashed, n, threads, progress, err);
    for (size_t i = 0; i < n && !status; i++) {
        hrr_certified_file *file = &certificate->files[i];
        file->size = hashed[i].size;
        memcpy(file->sha256, hashed[i].sha256, sizeof file->sha256);
        if (hashed[i].error.status) status = hrr_fail(err, HRR_EIO, "%s", hashed[i].error.message);
    }
    if (!status) certificate->n_files = (int)n;
    for (size_t i = 0; i < n_names; i++)
        hrr_free(paths[i]);
    hrr_free(hashed);
    return status;
}
