/* graph_formats.h: one reader a layout, one writer a layout that is written. A reader returns the
 * graph as the files have it; read.c adds what the options ask for. */
#ifndef HRR_IO_GRAPH_FORMATS_H
#define HRR_IO_GRAPH_FORMATS_H

#include "io/edge_text.h"
#include "graph/name_index.h"

#include <heterorr/io.h>

typedef hrr_status hrr_graph_reader(hrr_graph **out, const char *path,
                                    const hrr_read_options *options, hrr_progress *progress,
                                    hrr_error *err);

hrr_graph_reader hrr_native_read;
hrr_graph_reader hrr_edges_read;
/* The same, where something else says which n nodes there are: those of `names`, or 0..n-1. */
hrr_status hrr_edges_read_between(hrr_graph **out, const char *path, uint64_t n,
                                  const hrr_name_index *names, const hrr_read_options *options,
                                  hrr_progress *progress, hrr_error *err);
/* The graph of a list that was read, between n nodes. Takes edges and ids. */
hrr_status hrr_edge_text_into_graph(hrr_graph **out, hrr_edge_text *text, uint64_t n,
                                    const char *path, hrr_progress *progress, hrr_error *err);
hrr_graph_reader hrr_npz_graph_read;
hrr_graph_reader hrr_musae_read;
hrr_graph_reader hrr_graphsage_read;
hrr_graph_reader hrr_ppi_read;
hrr_graph_reader hrr_ppi_csv_read;
hrr_graph_reader hrr_ogb_read;
hrr_graph_reader hrr_mtx_graph_read;
hrr_graph_reader hrr_graphml_read;
hrr_graph_reader hrr_gexf_read;
hrr_graph_reader hrr_parquet_graph_read;

hrr_status hrr_native_write(const hrr_graph *graph, const char *path,
                            const hrr_write_options *options, hrr_progress *progress,
                            hrr_error *err);
/* delimiter ',' or '\t'; compressed if the path ends in .gz or .zst. */
hrr_status hrr_edges_write(const hrr_graph *graph, const char *path, char delimiter,
                           hrr_progress *progress, hrr_error *err);
hrr_status hrr_npz_graph_write(const hrr_graph *graph, const char *path, hrr_error *err);
hrr_status hrr_mtx_graph_write(const hrr_graph *graph, const char *path, hrr_progress *progress,
                               hrr_error *err);
hrr_status hrr_graphml_write(const hrr_graph *graph, const char *path, hrr_progress *progress,
                             hrr_error *err);
/* A folder with nodes.csv and relationships.csv; not read. */
hrr_status hrr_neo4j_write(const hrr_graph *graph, const char *path, bool replace,
                           hrr_progress *progress, hrr_error *err);
hrr_status hrr_gexf_write(const hrr_graph *graph, const char *path, hrr_progress *progress,
                          hrr_error *err);

/* A table of edges, or with `folder` a folder with nodes.parquet and edges.parquet. */
hrr_status hrr_parquet_graph_write(const hrr_graph *graph, const char *path, bool folder,
                                   bool replace, bool uncompressed, hrr_progress *progress,
                                   hrr_error *err);

/* How a graph's edge lists are read: what the options say about them all, and the policy.
 * Errors: HRR_EINVAL for options that mean nothing. */
hrr_status hrr_edge_text_options_of(hrr_edge_text_options *out, const hrr_read_options *options,
                                    hrr_id_policy ids, uint64_t n_nodes, hrr_error *err);

/* The three MUSAE files that `path` names (a prefix, a folder or one of the three), hrr memory in
 * out[0..2]: edges, features, target. *found is false, and out NULL, if they are not there. */
hrr_status hrr_musae_find(char *out[3], bool *found, const char *path, hrr_error *err);
/* The prefix P of the GraphSAGE files that `path` names: P itself, one of its files, or a folder
 * that holds the files of one prefix; NULL if there is no P-G.json. */
hrr_status hrr_graphsage_find(char **prefix, const char *path, hrr_error *err);
/* The folder with edge.csv and num-node-list.csv: `path` or its raw/; NULL if there is none. */
hrr_status hrr_ogb_find(char **raw, const char *path, hrr_error *err);

/* The tables of a graph in a folder: edges.parquet must be there. */
#define HRR_PARQUET_NODES "nodes.parquet"
#define HRR_PARQUET_EDGES "edges.parquet"

/* train, valid, test: their names in file names, in the order of hrr_split. */
extern const char *const hrr_split_names[3];
/* For names like train_07.csv (also .gz, .zst): the split and the number; false otherwise. */
bool hrr_ppi_csv_name(const char *name, int *split, uint64_t *number);

#endif
