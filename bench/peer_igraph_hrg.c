/* peer_igraph_hrg.c: igraph_hrg_fit (igraph is GPL, so this program is its own and links nothing of
 * ours). Prints one JSON object, as bench_edge_chain does.
 *   peer_igraph_hrg EDGES STEPS_PER_NODE [sample]
 * EDGES: text, two node numbers a line. Repeated edges and self-loops are dropped and isolated
 * nodes too, so that both sides have the same graph. A step is a look at one internal node, on both
 * sides. igraph starts from a random tree, and returns the best one that it met. */
#include <igraph/igraph.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void read_graph(igraph_t *out, const char *path)
{
    igraph_vector_int_t degree, ends;
    igraph_t raw;
    long long u, v;
    FILE *file = fopen(path, "r");
    if (!file) exit((fprintf(stderr, "peer_igraph_hrg: cannot open %s\n", path), 1));
    igraph_vector_int_init(&ends, 0);
    while (fscanf(file, "%lld%lld", &u, &v) == 2) {
        igraph_vector_int_push_back(&ends, u);
        igraph_vector_int_push_back(&ends, v);
    }
    fclose(file);
    igraph_create(&raw, &ends, 0, IGRAPH_UNDIRECTED);
    igraph_simplify(&raw, 1, 1, NULL);
    igraph_vector_int_init(&degree, 0);
    igraph_degree(&raw, &degree, igraph_vss_all(), IGRAPH_ALL, IGRAPH_NO_LOOPS);
    igraph_vector_int_clear(&ends);
    for (igraph_integer_t i = 0; i < igraph_vcount(&raw); i++)
        if (VECTOR(degree)[i] > 0) igraph_vector_int_push_back(&ends, i);
    igraph_induced_subgraph(&raw, out, igraph_vss_vector(&ends), IGRAPH_SUBGRAPH_AUTO);
    igraph_destroy(&raw);
    igraph_vector_int_destroy(&degree);
    igraph_vector_int_destroy(&ends);
}

static double phi(double x)
{
    return x > 0 ? x * log(x) : 0;
}

/* igraph's trees: a child >= 0 is a leaf, -1 - r is internal node r; vertices counts the leaves. */
static double leaves_of(const igraph_hrg_t *hrg, igraph_integer_t child)
{
    return child >= 0 ? 1 : (double)VECTOR(hrg->vertices)[-child - 1];
}

static double likelihood(const igraph_hrg_t *hrg)
{
    double sum = 0;
    for (igraph_integer_t r = 0; r < igraph_vector_int_size(&hrg->left); r++) {
        const double pairs =
            leaves_of(hrg, VECTOR(hrg->left)[r]) * leaves_of(hrg, VECTOR(hrg->right)[r]);
        const double edges = (double)VECTOR(hrg->edges)[r];
        sum += phi(edges) + phi(pairs - edges) - phi(pairs);
    }
    return sum;
}

/* The root must hold all leaves, or the numbers mean something else in this version of igraph. */
static int is_understood(const igraph_hrg_t *hrg)
{
    return VECTOR(hrg->vertices)[0] == igraph_vector_int_size(&hrg->left) + 1;
}

static int sample(const igraph_hrg_t *hrg)
{
    igraph_t graph;
    const double began = cpu_seconds();
    if (igraph_hrg_sample(hrg, &graph)) return 1;
    printf("{\"name\": \"igraph_hrg_sample\", \"cpu_seconds\": %.6g, \"n_edges\": %.0f}\n",
           cpu_seconds() - began, (double)igraph_ecount(&graph));
    igraph_destroy(&graph);
    return 0;
}

int main(int argc, char **argv)
{
    igraph_t graph;
    igraph_hrg_t hrg;
    if (argc != 3 && argc != 4)
        return fprintf(stderr, "usage: peer_igraph_hrg EDGES STEPS_PER_NODE [sample]\n"), 2;
    read_graph(&graph, argv[1]);
    const double n = (double)igraph_vcount(&graph), steps = floor(atof(argv[2]) * n);
    igraph_rng_seed(igraph_rng_default(), 1);
    igraph_hrg_init(&hrg, igraph_vcount(&graph));
    const double began = cpu_seconds();
    if (igraph_hrg_fit(&graph, &hrg, /* start= */ 0, (igraph_integer_t)steps)) return 1;
    const double spent = cpu_seconds() - began;
    if (!is_understood(&hrg)) return fprintf(stderr, "peer_igraph_hrg: strange tree\n"), 1;
    printf("{\"name\": \"igraph_hrg_fit\", \"steps_per_cpu_second\": %.6g, \"cpu_seconds\": %.6g, "
           "\"likelihood\": %.1f, \"n_nodes\": %.0f, \"n_edges\": %.0f}\n",
           steps / spent, spent, likelihood(&hrg), n, (double)igraph_ecount(&graph));
    const int failed = argc == 4 ? sample(&hrg) : 0;
    igraph_hrg_destroy(&hrg);
    igraph_destroy(&graph);
    return failed;
}
