/* releases.h: a small private graph with everything in it, and its release. */
#ifndef TESTS_RELEASE_RELEASES_H
#define TESTS_RELEASE_RELEASES_H

#include "base/memory.h"
#include "support/check.h"
#include "support/files.h"
#include "support/graphs.h"

#include "release/protect.h"

#include <heterorr/io.h>
#include <heterorr/release.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

enum { small_nodes = 6, small_features = 3, small_classes = 3 };

/* Six nodes, seven edges of which edges 1, 3 and 6 are private. */
static const uint32_t small_pairs[] = {0, 1, 0, 2, 1, 2, 1, 3, 2, 4, 3, 4, 4, 5};
static const uint8_t small_marks[] = {0, 1, 0, 1, 0, 0, 1};

static inline void give_features(hrr_graph *graph, const float *value, uint64_t n, uint64_t d)
{
    hrr_dense features;
    assert_ok(hrr_dense_init(&features, HRR_F32, n, d, NULL));
    memcpy(features.data, value, n * d * sizeof *value);
    assert_ok(hrr_graph_take_features(graph, &features, NULL));
    assert_ok(hrr_graph_set_feature_range(graph, 0, 1, NULL));
}

static inline void give_classes(hrr_graph *graph, const int32_t *value)
{
    int32_t *classes = hrr_alloc(small_nodes, sizeof *classes);
    assert_non_null(classes);
    memcpy(classes, value, small_nodes * sizeof *value);
    assert_ok(hrr_graph_take_classes(graph, &classes, small_classes, NULL));
}

/* n_edges < 7 leaves the last ones out. */
static inline hrr_graph *small_graph(uint64_t n_edges)
{
    static const float value[] = {0,    1,   .5f, .25f, .75f, 0,   1,   1, 1,
                                  .125, .5f, .9f, .1f,  .2f,  .3f, .6f, 0, .4f};
    static const int32_t classes[] = {0, 1, 2, 0, -1, 1};
    hrr_graph *graph = graph_of(small_nodes, n_edges, small_pairs, small_marks);
    give_features(graph, value, small_nodes, small_features);
    give_classes(graph, classes);
    return graph;
}

static inline hrr_protect_options usual_options(void)
{
    hrr_protect_options options;
    hrr_protect_options_init(&options);
    options.features.eps_nano = HRR_EPS_UNIT;
    return options;
}

/* Protect with seed 1, so that a bundle can be compared with another byte by byte. */
static inline hrr_protect_summary protect(const char *bundle, const hrr_graph *graph,
                                          const hrr_protect_options *options)
{
    hrr_random *random;
    hrr_protect_summary summary;
    hrr_error err = {0};
    assert_ok(hrr_random_new_insecure(&random, 1, NULL));
    hrr_status status = hrr_protect(NULL, &summary, bundle, graph, options, random, NULL, &err);
    if (status) print_error("%s\n", err.message);
    assert_int_equal(status, HRR_OK);
    hrr_random_free(random);
    return summary;
}

/* What a release would take. */
static inline hrr_protect_summary foresee(const hrr_graph *graph,
                                          const hrr_protect_options *options)
{
    hrr_protect_options dry = *options;
    dry.dry_run = true;
    return protect(NULL, graph, &dry);
}

/* With the system's generator: the only release that may call itself private. */
static inline hrr_protect_summary protect_privately(const char *bundle, const hrr_graph *graph,
                                                    const hrr_protect_options *options)
{
    hrr_random *random;
    hrr_protect_summary summary;
    hrr_error err = {0};
    assert_ok(hrr_random_new(&random, NULL));
    hrr_status status = hrr_protect(NULL, &summary, bundle, graph, options, random, NULL, &err);
    if (status) print_error("%s\n", err.message);
    assert_int_equal(status, HRR_OK);
    hrr_random_free(random);
    return summary;
}

/* What becomes of it, seeded; also where memory runs out before. maker: of blocks, or NULL. */
static inline hrr_status try_protect_with(hrr_protect_summary *summary, const char *bundle,
                                          const hrr_graph *graph,
                                          const hrr_protect_options *options,
                                          const hrr_block_maker *maker, hrr_error *err)
{
    hrr_random *random;
    hrr_status status = hrr_random_new_insecure(&random, 1, err);
    if (status) return status;
    status =
        hrr_protect_with_maker(NULL, summary, bundle, graph, options, maker, random, NULL, err);
    hrr_random_free(random);
    return status;
}

static inline hrr_status try_protect(hrr_error *err, const char *bundle, const hrr_graph *graph,
                                     const hrr_protect_options *options)
{
    hrr_protect_summary summary;
    return try_protect_with(&summary, bundle, graph, options, NULL, err);
}

static inline bool same_file(const char *a, const char *b)
{
    size_t size_a = 0, size_b = 0;
    char *bytes_a = read_file(a, &size_a), *bytes_b = read_file(b, &size_b);
    bool same = bytes_a && bytes_b && size_a == size_b && memcmp(bytes_a, bytes_b, size_a) == 0;
    free(bytes_a);
    free(bytes_b);
    return same;
}

static const char *const bundle_files[] = {
    "graph.json",       "edges.npy",      "features.npy",   "labels.npy",      "CERTIFICATE.txt",
    "edge_index.npy",   "train_mask.npy", "valid_mask.npy", "test_mask.npy",   "train_nodes.npy",
    "train_labels.npy", "README.txt",     "metadata.yaml",  "certificate.json"};
enum { n_bundle_files = sizeof bundle_files / sizeof *bundle_files };

/* The same files, byte by byte, and no others. */
static inline void assert_same_bundle(const char *a, const char *b)
{
    char path_a[4200], path_b[4200];
    DIR *dir = opendir(a);
    assert_non_null(dir);
    int n = 0;
    for (const struct dirent *entry; (entry = readdir(dir));) {
        if (entry->d_name[0] == '.') continue;
        snprintf(path_a, sizeof path_a, "%s/%s", a, entry->d_name);
        snprintf(path_b, sizeof path_b, "%s/%s", b, entry->d_name);
        if (!same_file(path_a, path_b)) fail_msg("%s differs", entry->d_name);
        n++;
    }
    closedir(dir);
    assert_int_equal(n, count_entries(b));
}

#endif
