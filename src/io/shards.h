/* shards.h: a part of the native layout that is cut into numbered files, NAME-00000.npy,
 * NAME-00001.npy, ...: cut by rows, or, of edges, by columns.
 *
 * All shards have the same type, and all but the last the same length; the last is not longer.
 * Read, they are one array. Pages of a shard are mapped, not copied, where its data begins at the
 * edge of a page and its length is whole pages, which the shards that this program writes are: the
 * header is padded to HRR_SHARD_ALIGNMENT bytes, and lengths are multiples of as many rows or
 * edges. Data that lies otherwise (numpy's own headers have 128 bytes) is copied into memory. */
#ifndef HRR_IO_SHARDS_H
#define HRR_IO_SHARDS_H

#include <heterorr/io.h>

enum { HRR_SHARD_ALIGNMENT = 4096, HRR_MOST_SHARDS = 100000 };

typedef struct hrr_shards {
    uint64_t n;       /* 0: the part is not cut */
    hrr_array *array; /* n, each as its file has it */
    char **path;      /* n */
} hrr_shards;

/* Find and open the shards of NAME; none is no error. n_parts: 1, or 2 for edges, whose shape is
 * 2 x E. Errors: HRR_EDATA for NAME.npy beside shards, a name with too few or too many digits, a
 * missing number, a type or length that differs. */
hrr_status hrr_shards_open(hrr_shards *out, const char *directory, const char *name, int n_parts,
                           hrr_error *err);
/* One array of all; the shards stay open. Of edges, both rows are copied: use
 * hrr_shards_join_edges() for 32-bit ids. */
hrr_status hrr_shards_join(hrr_array *out, const hrr_shards *shards, int n_parts, hrr_error *err);
/* Sources and targets in the order of the shards, without a copy where pages allow. Only for I32
 * and U32. */
hrr_status hrr_shards_join_edges(hrr_edge_list *out, const hrr_shards *shards, hrr_error *err);
/* Every shard must begin behind the last edge of the one before it: HRR_EDATA names the first that
 * does not. `edges` is what they were joined to. */
hrr_status hrr_shards_check_order(const hrr_shards *shards, const hrr_edge_list *edges,
                                  hrr_error *err);
void hrr_shards_clear(hrr_shards *shards);

/* How many rows or edges a shard gets if so many are asked for: whole pages. */
uint64_t hrr_shard_length(uint64_t asked);

#endif
