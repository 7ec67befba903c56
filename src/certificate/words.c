/* words.c: see words.h. */
#include "certificate/words.h"

const char hrr_neighbours_features[] =
    "any two feature vectors of one node, everything else the same";
const char hrr_neighbours_edges[] =
    "two graphs on the same nodes that differ in one private candidate pair";
const char hrr_neighbours_pairs[] =
    "two graphs on the same nodes that differ in one pair of candidates, public or private";
const char hrr_neighbours_labels[] = "any two labels of one node, everything else the same";
const char hrr_blocks_given[] = "given with the request, not made from this release";
const char hrr_blocks_communities[] = "communities of the public edges";
const char hrr_need_given[] = "given with the request, not made from this release";
const char hrr_need_of_public_edges[] = "the fewer public edges a node has, the more";
const char hrr_epsilon_means[] =
    "Epsilon bounds how much more or less likely any release becomes when one thing changes: at "
    "most e^epsilon times. At 0 the release does not depend on it.";
const char hrr_generator_secure[] = "AES-128-CTR keyed by the operating system";
const char hrr_generator_insecure[] = "insecure seed: NOT PRIVATE";
const char hrr_bounds_by_owner[] = "the owner, who declared them public";
const char hrr_bounds_by_format[] = "the format of the input";
