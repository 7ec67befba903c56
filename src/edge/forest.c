/* forest.c: see forest.h. */
#include "edge/forest.h"
#include "edge/start_match.h"
#include "base/memory.h"

#include <assert.h>

/* Trees over the nodes 0..n-1: what was joined i-th is called n + i. */
typedef struct forest {
    uint32_t n_leaves, n_joined;
    uint32_t *left, *right; /* n - 1: the parts */
    uint32_t *size;         /* n - 1: leaves below */
    uint32_t *top;          /* n: the tree of each cluster */
} forest;

static hrr_status forest_init(forest *out, uint32_t n_leaves, hrr_error *err)
{
    *out = (forest){.n_leaves = n_leaves,
                    .left = hrr_alloc(n_leaves, sizeof(uint32_t)),
                    .right = hrr_alloc(n_leaves, sizeof(uint32_t)),
                    .size = hrr_alloc(n_leaves, sizeof(uint32_t)),
                    .top = hrr_alloc(n_leaves, sizeof(uint32_t))};
    if (!out->left || !out->right || !out->size || !out->top) return hrr_no_memory(err);
    for (uint32_t i = 0; i < n_leaves; i++)
        out->top[i] = i;
    return HRR_OK;
}

static void forest_clear(forest *f)
{
    hrr_free(f->left);
    hrr_free(f->right);
    hrr_free(f->size);
    hrr_free(f->top);
}

static uint32_t size_of(const forest *f, uint32_t tree)
{
    return tree < f->n_leaves ? 1 : f->size[tree - f->n_leaves];
}

static uint32_t join(forest *f, uint32_t a, uint32_t b)
{
    const uint32_t i = f->n_joined++;
    f->left[i] = a;
    f->right[i] = b;
    f->size[i] = size_of(f, a) + size_of(f, b);
    return f->n_leaves + i;
}

/* Join the pairs of mate; to[c]: which cluster c goes to. Returns how many clusters there are now.
 * A cluster's new number is not above its old one, so tops are replaced in place. */
static uint32_t join_pairs(forest *f, uint32_t *to, const uint32_t *mate, uint32_t n_clusters)
{
    uint32_t n = 0;
    for (uint32_t c = 0; c < n_clusters; c++) {
        if (mate[c] < c) {
            to[c] = to[mate[c]];
            continue;
        }
        to[c] = n;
        f->top[n++] = mate[c] == HRR_NO_CLUSTER ? f->top[c] : join(f, f->top[c], f->top[mate[c]]);
    }
    return n;
}

static uint32_t join_the_rest(forest *f, uint32_t n)
{
    while (n > 1) {
        for (uint32_t i = 0; i < n / 2; i++)
            f->top[i] = join(f, f->top[2 * i], f->top[2 * i + 1]);
        if (n % 2) f->top[n / 2] = f->top[n - 1];
        n = n / 2 + n % 2;
    }
    return f->top[0];
}

/* top serves as the stack: the walk holds back at most one right part for each level, and no more
 * parts than there are leaves. */
static void write_dendrogram(hrr_dendrogram *tree, forest *f, uint32_t root)
{
    uint32_t n_held = 0, position = 0, internal = 0;
    f->top[n_held++] = root;
    while (n_held > 0) {
        const uint32_t part = f->top[--n_held];
        if (part < f->n_leaves) {
            tree->leaf[position++] = part;
            continue;
        }
        const uint32_t i = part - f->n_leaves;
        tree->middle[internal++] = position + size_of(f, f->left[i]);
        f->top[n_held++] = f->right[i];
        f->top[n_held++] = f->left[i];
    }
    const bool is_tree = hrr_dendrogram_complete(tree);
    assert(is_tree);
    (void)is_tree;
}

static hrr_status join_by_edges(forest *f, hrr_coarse *graph, uint64_t seed, int threads,
                                hrr_progress *progress, hrr_error *err)
{
    uint32_t *mate = hrr_alloc(f->n_leaves, sizeof *mate);
    uint32_t *to = hrr_alloc(f->n_leaves, sizeof *to);
    hrr_status status = mate && to ? HRR_OK : hrr_no_memory(err);
    for (uint64_t round = 0; !status && graph->n_entries > 0; round++) {
        status = hrr_coarse_match(mate, graph, seed + round, threads, progress, err);
        if (status) break;
        const uint32_t before = graph->n_clusters;
        const uint32_t n = join_pairs(f, to, mate, before);
        hrr_coarse smaller;
        status = hrr_coarse_join(&smaller, graph, to, n, threads, err);
        if (status) break;
        hrr_coarse_clear(graph);
        *graph = smaller;
        status = hrr_progress_advance(progress, before - n, err);
    }
    hrr_free(mate);
    hrr_free(to);
    return status;
}

hrr_status hrr_forest_grow(hrr_dendrogram *out, hrr_coarse *graph, uint64_t seed, int threads,
                           hrr_progress *progress, hrr_error *err)
{
    forest f;
    hrr_dendrogram tree = {0};
    const uint32_t n = graph->n_clusters;
    hrr_status status = forest_init(&f, n, err);
    if (!status) status = join_by_edges(&f, graph, seed, hrr_threads(threads), progress, err);
    if (!status) status = hrr_dendrogram_init(&tree, n, err);
    if (!status) {
        write_dendrogram(&tree, &f, join_the_rest(&f, graph->n_clusters));
        *out = tree;
    }
    forest_clear(&f);
    hrr_coarse_clear(graph);
    return status;
}
