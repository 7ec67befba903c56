/* graph.h: the attributed graph: nodes with features, labels and splits; undirected edges, some
 * of them private. An hrr_graph is PRIVATE data, unless it was read from a bundle, whose
 * certificate states the guarantee (certificate.h). */
#ifndef HETERORR_GRAPH_H
#define HETERORR_GRAPH_H

#include <heterorr/base.h>
#include <heterorr/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HRR_MAX_NODES ((uint64_t)INT32_MAX) /* ids are 0..n-1 and fit 31 bits */
#define HRR_MAX_MARKS 8

/* ---- building blocks --------------------------------------------------------------------- */

/* Undirected edges in any order. marks[e] has bit j set if mark column j marks edge e as private;
 * NULL: nothing states which edges are private. The storages own the arrays (which may be views of
 * a mapped file).
 */
typedef struct hrr_edge_list {
    uint64_t n_edges;
    uint32_t *source, *target;
    uint8_t *marks;
    hrr_region source_storage, target_storage, marks_storage;
} hrr_edge_list;

HRR_API HRR_STATUS hrr_edge_list_init(hrr_edge_list *out, uint64_t n_edges, bool with_marks,
                                      hrr_error *err);
HRR_API void hrr_edge_list_clear(hrr_edge_list *edges);

/* What the file called node i: nothing (ids are 0..n-1 already), integers, or texts. */
typedef struct hrr_node_ids {
    int64_t *integer;     /* n integers, or NULL */
    char *text;           /* n NUL-terminated texts one after another, or NULL */
    uint64_t *text_start; /* n + 1 offsets into text */
} hrr_node_ids;

HRR_API void hrr_node_ids_clear(hrr_node_ids *ids);

typedef enum hrr_split { HRR_TRAIN = 0, HRR_VALID = 1, HRR_TEST = 2 } hrr_split;

/* What was removed to reach canonical form. */
typedef struct hrr_removed {
    uint64_t self_loops;
    uint64_t duplicates;     /* repeated and reversed edges */
    uint64_t isolated_nodes; /* named by self-loops alone, in an edge list with gaps in its ids */
} hrr_removed;

/* What was inferred from the data itself because its format does not state it. If the data are
 * private, so is the inference, unless the owner declares it public. */
typedef enum hrr_inferred {
    HRR_INFERRED_NODES = 1 << 0,   /* the nodes are those that rows of an edge list name */
    HRR_INFERRED_CLASSES = 1 << 1, /* the classes are those that labels name */
    HRR_INFERRED_COLUMNS = 1 << 2, /* as many features as the largest feature id needs */
    HRR_INFERRED_EDGES =
        1
        << 4, /* all edges are public, although columns that may mark private edges were not used */
    HRR_INFERRED_MARKS = 1 << 3, /* private edges were drawn among the edges, for an experiment */
    HRR_INFERRED_END = 1 << 5    /* one past the last */
} hrr_inferred;

/* How it is known which edges are private. The answer is public; the number of private edges is
 * not. */
typedef enum hrr_marking {
    HRR_UNDECIDED = 0, /* it is not known: the edges may all be public, or none of them */
    HRR_MARKED,        /* marks, a list, a fraction, or hrr_graph_mark_all() */
    HRR_ALL_PUBLIC     /* hrr_graph_mark_none(), or the graph never took edges: none is private */
} hrr_marking;

/* ---- the graph --------------------------------------------------------------------------- */

typedef struct hrr_graph hrr_graph;

/* A graph of n nodes and nothing else. Errors: HRR_EDATA if n is 0 or over HRR_MAX_NODES. */
HRR_API HRR_STATUS hrr_graph_new(hrr_graph **out, const char *name, uint64_t n_nodes,
                                 hrr_error *err);
HRR_API void hrr_graph_free(hrr_graph *graph);

/* Parts of a graph, for hrr_graph_copy(). */
typedef enum hrr_graph_parts {
    HRR_COPY_EDGES = 1 << 0,        /* all of them; without marks they are undecided */
    HRR_COPY_MARKS = 1 << 1,        /* which of the edges are private, and the mark columns */
    HRR_COPY_PUBLIC_EDGES = 1 << 2, /* instead of both: those that are not private */
    HRR_COPY_FEATURES = 1 << 3,     /* with their bounds */
    HRR_COPY_MASKED_FEATURES = 1 << 4,
    HRR_COPY_LABELS = 1 << 5, /* classes or a label matrix, and their names */
    HRR_COPY_SPLIT = 1 << 6,
    HRR_COPY_NODE_IDS = 1 << 7,
    HRR_COPY_GRAPH_IDS = 1 << 8,
    HRR_COPY_CANDIDATES = 1 << 9,
    HRR_COPY_ORIGIN = 1 << 10, /* provenance, what was removed, what was inferred */
    HRR_COPY_ALL = ((1 << 11) - 1) & ~HRR_COPY_PUBLIC_EDGES,
    /* Edges, features and label matrices are not copied but borrowed: the other graph must outlive
       this one and stay unchanged. */
    HRR_COPY_AS_VIEWS = 1 << 11
} hrr_graph_parts;

/* A graph of the same name on the same nodes with the chosen parts (hrr_graph_parts bits), as far
 * as `graph` has them; 0: nodes alone. What is not chosen is not read.
 * Cost:      the size of the parts that are copied.
 * Ownership: *out belongs to the caller, hrr_graph_free(); NULL on failure.
 * Errors:    HRR_EINVAL for parts that do not go together, HRR_ENOMEM. */
HRR_API HRR_STATUS hrr_graph_copy(hrr_graph **out, const hrr_graph *graph, unsigned parts,
                                  hrr_error *err);

/* The take functions move their argument into the graph (it is left empty) if they succeed, and
 * leave it alone if they fail. Each checks what it takes and says which row is wrong. */

/* Bring edges to canonical form (source < target, sorted, each once, no self-loop); marks of
 * repeated edges are united. Edges that are canonical already are taken without a copy.
 * mark_names: n_marks <= HRR_MAX_MARKS names of the mark columns, or NULL. An edge is private if
 * any mark says so, until hrr_graph_choose_mark(). Marks without a name are one column. Edges
 * without marks are undecided. A graph takes its edges once (HRR_EINVAL after that).
 * Cost: O(n + m) time. */
HRR_API HRR_STATUS hrr_graph_take_edges(hrr_graph *graph, hrr_edge_list *edges,
                                        const char *const *mark_names, int n_marks,
                                        hrr_progress *progress, hrr_error *err);
/* n x d, finite. */
HRR_API HRR_STATUS hrr_graph_take_features(hrr_graph *graph, hrr_dense *features, hrr_error *err);
/* The bounds of each feature, if the input states them: by the type of its values (0 and 1) or
 * explicitly. They must not be computed from the values, which are private. The graph copies
 * n_features numbers each; taking other features forgets them. Errors: HRR_EINVAL without features,
 * HRR_EDATA unless lo < hi are finite, HRR_ENOMEM. */
HRR_API HRR_STATUS hrr_graph_set_feature_bounds(hrr_graph *graph, const double *lo,
                                                const double *hi, hrr_error *err);
/* The same two numbers for every feature. */
HRR_API HRR_STATUS hrr_graph_set_feature_range(hrr_graph *graph, double lo, double hi,
                                               hrr_error *err);
/* The masked copy of the features, for sensitivity scores: same shape. */
HRR_API HRR_STATUS hrr_graph_take_masked_features(hrr_graph *graph, hrr_dense *masked,
                                                  hrr_error *err);
/* One class per node, 0..n_classes-1 (hrr memory, n int32). -1: unknown. */
HRR_API HRR_STATUS hrr_graph_take_classes(hrr_graph *graph, int32_t **classes, uint32_t n_classes,
                                          hrr_error *err);
/* Several labels per node: n x C of 0 and 1, U8. */
HRR_API HRR_STATUS hrr_graph_take_label_matrix(hrr_graph *graph, hrr_dense *labels, hrr_error *err);
HRR_API HRR_STATUS hrr_graph_take_split(hrr_graph *graph, uint8_t **split, hrr_error *err);
/* Which graph of the collection a node is in, 0, 1, ... not decreasing. No edge may cross. */
HRR_API HRR_STATUS hrr_graph_take_graph_ids(hrr_graph *graph, uint32_t **graph_ids, hrr_error *err);
HRR_API HRR_STATUS hrr_graph_take_node_ids(hrr_graph *graph, hrr_node_ids *ids, hrr_error *err);
/* The candidate set V_c: n bytes of 0 and 1; absent: all nodes. */
HRR_API HRR_STATUS hrr_graph_take_candidates(hrr_graph *graph, uint8_t **candidates,
                                             hrr_error *err);
HRR_API HRR_STATUS hrr_graph_set_provenance(hrr_graph *graph, const char *text, hrr_error *err);
/* Copies the n_classes names. */
HRR_API HRR_STATUS hrr_graph_set_class_names(hrr_graph *graph, const char *const *names,
                                             hrr_error *err);
HRR_API void hrr_graph_add_inferred(hrr_graph *graph, hrr_inferred what);

/* Make private exactly the edges that mark column `name` names. */
HRR_API HRR_STATUS hrr_graph_choose_mark(hrr_graph *graph, const char *name, hrr_error *err);
/* For experiments: mark round(fraction * m) edges, chosen uniformly, as private; the others public.
 */
HRR_API HRR_STATUS hrr_graph_mark_fraction(hrr_graph *graph, double fraction, uint64_t seed,
                                           hrr_error *err);
/* Make the listed edges private; those the graph does not have yet are added. The list may be in
 * any order; its own marks are ignored. */
HRR_API HRR_STATUS hrr_graph_mark_edges(hrr_graph *graph, const hrr_edge_list *private_edges,
                                        hrr_error *err);

/* Every edge is private, whatever the marks say. Errors: HRR_ENOMEM. */
HRR_API HRR_STATUS hrr_graph_mark_all(hrr_graph *graph, hrr_error *err);
/* No edge is private: the owner declares it, or the edges were released. */
HRR_API void hrr_graph_mark_none(hrr_graph *graph);

/* Getters. Arrays belong to the graph; NULL where the graph has none. */
HRR_API const char *hrr_graph_name(const hrr_graph *graph);
HRR_API const char *hrr_graph_provenance(const hrr_graph *graph);
HRR_API uint64_t hrr_graph_n_nodes(const hrr_graph *graph);
HRR_API uint64_t hrr_graph_n_edges(const hrr_graph *graph);
HRR_API uint64_t hrr_graph_n_private_edges(const hrr_graph *graph);
HRR_API const uint32_t *hrr_graph_sources(const hrr_graph *graph);
HRR_API const uint32_t *hrr_graph_targets(const hrr_graph *graph);
HRR_API const uint8_t *
hrr_graph_is_private(const hrr_graph *graph); /* m bytes of 0 and 1; NULL unless HRR_MARKED */
HRR_API hrr_marking hrr_graph_marking(const hrr_graph *graph);
HRR_API const hrr_dense *hrr_graph_features(const hrr_graph *graph);
HRR_API const double *hrr_graph_feature_lo(const hrr_graph *graph); /* NULL: not stated */
HRR_API const double *hrr_graph_feature_hi(const hrr_graph *graph);
HRR_API const hrr_dense *hrr_graph_masked_features(const hrr_graph *graph);
HRR_API uint32_t hrr_graph_n_classes(const hrr_graph *graph);
HRR_API bool hrr_graph_is_multilabel(const hrr_graph *graph);
HRR_API const int32_t *hrr_graph_classes(const hrr_graph *graph);
HRR_API const hrr_dense *hrr_graph_label_matrix(const hrr_graph *graph);
HRR_API const char *hrr_graph_class_name(const hrr_graph *graph, uint32_t label); /* or NULL */
HRR_API const uint8_t *hrr_graph_split(const hrr_graph *graph);
HRR_API const uint32_t *hrr_graph_graph_ids(const hrr_graph *graph);
HRR_API uint32_t hrr_graph_n_graphs(const hrr_graph *graph); /* 1 without graph ids */
HRR_API const hrr_node_ids *hrr_graph_node_ids(const hrr_graph *graph);
HRR_API const uint8_t *hrr_graph_candidates(const hrr_graph *graph);
HRR_API hrr_removed hrr_graph_removed(const hrr_graph *graph);
HRR_API unsigned hrr_graph_inferred(const hrr_graph *graph); /* hrr_inferred bits */
HRR_API int hrr_graph_n_marks(const hrr_graph *graph);
HRR_API const char *hrr_graph_mark_name(const hrr_graph *graph, int mark);
HRR_API uint64_t hrr_graph_mark_edges_count(const hrr_graph *graph, int mark);

/* place[i] (n_nodes of `other`) = which node of `original` node i of `other` is. Names decide if
 * both graphs have them, 7 and "7" being the same, or if `other` has fewer nodes, a graph without
 * names calling its nodes 0, 1, 2...; otherwise positions do. Files may number nodes anew, and an
 * edge list has only nodes with edges: so nodes of `original` may be missing from `other`. Cost:
 * O(n) time and memory. Errors: HRR_EDATA if `other` has a node that `original` has not,
 * HRR_ENOMEM. */
HRR_API HRR_STATUS hrr_graph_match_nodes(uint32_t *place, const hrr_graph *original,
                                         const hrr_graph *other, hrr_error *err);

/* ---- matrices of the graph ---------------------------------------------------------------- */

typedef enum hrr_edge_choice {
    HRR_EDGES_ALL = 0,
    HRR_EDGES_PUBLIC,
    HRR_EDGES_PRIVATE
} hrr_edge_choice;

typedef enum hrr_normalisation {
    HRR_NORMALISE_NONE = 0,
    HRR_NORMALISE_SYMMETRIC,  /* D^-1/2 A D^-1/2 */
    HRR_NORMALISE_MEAN,       /* D^-1 A */
    HRR_NORMALISE_FIRST_ORDER /* D^-1/2 A D^-1/2, to which self-loops add I: a node counts as much
                                 as all its neighbours */
} hrr_normalisation;

typedef struct hrr_adjacency_options {
    size_t size; /* set by hrr_adjacency_options_init() */
    hrr_edge_choice edges;
    hrr_normalisation normalisation;
    bool self_loops; /* A + I, degrees counted after adding it (but for first order) */
    int reserved;    /* 0 */
} hrr_adjacency_options;

HRR_API void hrr_adjacency_options_init_sized(hrr_adjacency_options *options, size_t size);
static inline void hrr_adjacency_options_init(hrr_adjacency_options *options)
{
    hrr_adjacency_options_init_sized(options, sizeof *options);
}

/* The n x n adjacency, both directions of each edge. Values only if normalised. O(n + m). */
HRR_API HRR_STATUS hrr_graph_adjacency(hrr_csr *out, const hrr_graph *graph,
                                       const hrr_adjacency_options *options, hrr_error *err);

#ifdef __cplusplus
}
#endif
#endif
