/* words.c: see words.h. */
#include "certificate/words.h"
#include "base/names.h"

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
const char hrr_rivals_given[] =
    "two blocks of a node share one count; which was given with the request";
const char hrr_rivals_predicted[] =
    "two blocks of a node share one count: its two likeliest classes, as its block is predicted";
const char hrr_need_of_public_edges[] = "the fewer public edges a node has, the more";
const char hrr_epsilon_means[] =
    "Epsilon bounds how much more or less likely any release becomes when one thing changes: at "
    "most e^epsilon times. At 0 the release does not depend on it.";
const char hrr_generator_secure[] = "AES-128-CTR keyed by the operating system";
const char hrr_generator_insecure[] = "insecure seed: NOT PRIVATE";
const char hrr_bounds_by_owner[] = "the owner, who declared them public";
const char hrr_bounds_by_format[] = "the format of the input";

static const char *label_mechanism_at(size_t i)
{
    static const char *const names[] = {"none", "randomized response",
                                        "randomized response on every bit", NULL};
    return names[i];
}

const char *hrr_label_mechanism_name(hrr_label_mechanism mechanism)
{
    return label_mechanism_at(mechanism);
}

hrr_label_mechanism hrr_label_mechanism_find(const char *name)
{
    return (hrr_label_mechanism)hrr_names_find(label_mechanism_at, name);
}
