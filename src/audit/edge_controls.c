/* edge_controls.c: see edge_controls.h. Each claims eps = 1.
 *
 * Eight of them draw from a law that is written down here, because the library has no way to make
 * the mistake. The others are the mechanisms themselves, handed the wrong candidate set or more
 * budget than they claim. */
#include "audit/edge_controls.h"
#include "audit/controls.h"
#include "audit/degree_parts.h"
#include "audit/edges.h"
#include "edge/ladder.h"
#include "edge/mechanism.h"
#include "edge/trees.h"
#include "random/bernoulli_exp.h"

/* u-v and v-u are both in the list, so that one pair moves its count by two. True epsilon: 2. */
static float draw_counted_twice(int side, hrr_stream *stream)
{
    return (float)(2 * side + hrr_sample_laplace(stream, 1, 1));
}

hrr_status hrr_control_counted_twice(float *out, const void *random, int side, uint64_t first,
                                     uint64_t n, hrr_error *err)
{
    return hrr_control_draws(out, draw_counted_twice, random, side, first, n, err);
}

/* Algorithm 3, line 8, read literally: a subtree of three nodes, each of which is given the same
 * counted edges with noise of its own. All three are high more often than eps allows: the smallest
 * of them is shown. True epsilon: 3. */
static float draw_noise_again(int side, hrr_stream *stream)
{
    int64_t smallest = side + hrr_sample_laplace(stream, 1, 1);
    for (int child = 1; child < 3; child++) {
        const int64_t noisy = side + hrr_sample_laplace(stream, 1, 1);
        if (noisy < smallest) smallest = noisy;
    }
    return (float)smallest;
}

hrr_status hrr_control_noise_again(float *out, const void *random, int side, uint64_t first,
                                   uint64_t n, hrr_error *err)
{
    return hrr_control_draws(out, draw_noise_again, random, side, first, n, err);
}

/* Two rivals, of which a neighbour in the second is taken away from the count of the first, as it
 * should be, and added to a count of its own all the same: the one is low and the other high more
 * often than eps allows. Shown is by how much they are apart, where both agree. True epsilon: 2. */
static float draw_rivals_apart(int side, hrr_stream *stream)
{
    const int64_t first = hrr_sample_laplace(stream, 1, 1) - side;
    const int64_t second = hrr_sample_laplace(stream, 1, 1) + side;
    return first < 0 && second > 0 ? 1 : first >= 0 && second <= 0 ? -1 : 0;
}

hrr_status hrr_control_rivals_apart(float *out, const void *random, int side, uint64_t first,
                                    uint64_t n, hrr_error *err)
{
    return hrr_control_draws(out, draw_rivals_apart, random, side, first, n, err);
}

/* Two counts of a node, of which the pair moves the first, and one noise for both: their difference
 * has none. True epsilon: infinity. */
static float draw_shared_noise(int side, hrr_stream *stream)
{
    const int64_t noise = hrr_sample_laplace(stream, 1, 1), moved = side + noise, other = noise;
    return (float)(moved - other);
}

hrr_status hrr_control_shared_noise(float *out, const void *random, int side, uint64_t first,
                                    uint64_t n, hrr_error *err)
{
    return hrr_control_draws(out, draw_shared_noise, random, side, first, n, err);
}

static bool lies(hrr_stream *stream)
{
    return hrr_sample_below(stream, 100000) < 26894; /* 1 / (1 + e), rounded down */
}

/* Two likely links, of which the second is known to be none, and one coin that turns both answers:
 * the second says whether the first is true. True epsilon: infinity. */
static float draw_shared_coin(int side, hrr_stream *stream)
{
    const int turned = lies(stream);
    return (float)(2 * (side ^ turned) + turned);
}

hrr_status hrr_control_shared_coin(float *out, const void *random, int side, uint64_t first,
                                   uint64_t n, hrr_error *err)
{
    return hrr_control_draws(out, draw_shared_coin, random, side, first, n, err);
}

/* A shortlist of pairs that have a private edge: being asked about is the answer. True epsilon:
 * infinity. */
static float draw_private_list(int side, hrr_stream *stream)
{
    const int turned = lies(stream);
    return side ? (float)!turned : -1;
}

hrr_status hrr_control_private_list(float *out, const void *random, int side, uint64_t first,
                                    uint64_t n, hrr_error *err)
{
    return hrr_control_draws(out, draw_private_list, random, side, first, n, err);
}

/* A shortlist with u-v and v-u on it, each with the whole budget. True epsilon: 2. */
static float draw_asked_twice(int side, hrr_stream *stream)
{
    const int first = side ^ lies(stream), second = side ^ lies(stream);
    return (float)(2 * first + second);
}

hrr_status hrr_control_asked_twice(float *out, const void *random, int side, uint64_t first,
                                   uint64_t n, hrr_error *err)
{
    return hrr_control_draws(out, draw_asked_twice, random, side, first, n, err);
}

/* Four nodes, the tree ((0,1),(2,3)) is known, ((0,2),(1,3)) is proposed. Without an edge both have
 * likelihood 1, and a Metropolis step moves for certain. The edge 0-1 takes the proposed tree down
 * by Delta(4) (docs/privacy.md), so that with the right coefficient, 1/(2 Delta), the step stays
 * with probability 1 - e^(-1/2): an answer that is impossible without the edge. True epsilon:
 * infinity, whatever the coefficient. */
static float draw_metropolis_step(int side, hrr_stream *stream)
{
    return side ? (float)hrr_sample_bernoulli_exp(stream, 1, 2) : 1;
}

hrr_status hrr_control_metropolis_step(float *out, const void *random, int side, uint64_t first,
                                       uint64_t n, hrr_error *err)
{
    return hrr_control_draws(out, draw_metropolis_step, random, side, first, n, err);
}

/* The truth with probability .4, and it says so; otherwise a coin. Its advantage is .4, less than
 * eps = 1 allows: only the ratio shows it. True epsilon: infinity. */
static float draw_truth_or_coin(int side, hrr_stream *stream)
{
    const int truth = 2 + side;
    return (float)(hrr_sample_bernoulli(stream, 2, 5) ? truth : hrr_sample_bernoulli(stream, 1, 2));
}

hrr_status hrr_control_truth_or_coin(float *out, const void *random, int side, uint64_t first,
                                     uint64_t n, hrr_error *err)
{
    return hrr_control_draws(out, draw_truth_or_coin, random, side, first, n, err);
}

/* Triangles with noise as large as one pair of this very graph moves them, a ladder that does not
 * widen: two edges that meet have a pair with a common neighbour, and noise; one edge has none, and
 * its count of 0 is told as it is. True epsilon: infinity. */
static float draw_local_noise(int side, hrr_stream *stream)
{
    const hrr_ladder ladder = {.first = (uint64_t)side, .slope = 0, .most = 3};
    return (float)hrr_ladder_draw(stream, 0, &ladder, 1, 2);
}

hrr_status hrr_control_local_noise(float *out, const void *random, int side, uint64_t first,
                                   uint64_t n, hrr_error *err)
{
    return hrr_control_draws(out, draw_local_noise, random, side, first, n, err);
}

/* ---- mechanisms that spend more than they claim ---------------------------------------------- */

static const uint64_t claim_nano = (uint64_t)(HRR_CONTROL_EPS * (double)HRR_EPS_UNIT);
static const uint64_t control_seed = 7;

/* The released numbers that the pair of the tiny graph moves. */
static hrr_status show_numbers(float *out, const hrr_edge_options *options, int which, int side,
                               uint64_t first, uint64_t n, hrr_error *err)
{
    hrr_edge_attack attack;
    bool visible;
    hrr_status status = hrr_edge_attack_init(&attack, &visible, options, which, HRR_VIEW_NUMBERS,
                                             control_seed, err);
    if (status) return status;
    status = hrr_edge_attack_run(out, &attack, side, first, n, err);
    hrr_edge_attack_clear(&attack);
    return status;
}

static hrr_status spend(float *out, const hrr_edge_method *mechanism, const hrr_tree_method *tree,
                        uint64_t eps_tree_nano, uint64_t eps_counts_nano, int which, int side,
                        uint64_t first, uint64_t n, hrr_error *err)
{
    hrr_edge_options options;
    hrr_edge_options_init(&options);
    options.mechanism = mechanism->about.name;
    if (tree) options.tree = tree->about.name;
    options.eps_nano = eps_tree_nano + eps_counts_nano;
    if (tree) options.tree_share = (double)eps_tree_nano / (double)options.eps_nano;
    options.threads = 1;
    return show_numbers(out, &options, which, side, first, n, err);
}

/* Counts with noise of 1.8, in a tree that is drawn. True epsilon: 2. */
hrr_status hrr_control_barker_twice(float *out, const void *random, int side, uint64_t first,
                                    uint64_t n, hrr_error *err)
{
    (void)random;
    return spend(out, &hrr_edge_edgerr, &hrr_tree_barker, claim_nano / 5, claim_nano / 5 * 9, 1,
                 side, first, n, err);
}

/* Honest counts of .9, and a tree that claims .1: what it tells, it tells by how near the pair
 * stands. True epsilon: up to 5.9. */
hrr_status hrr_control_select_tree(float *out, const void *random, int side, uint64_t first,
                                   uint64_t n, hrr_error *err)
{
    (void)random;
    return spend(out, &hrr_edge_edgerr, &hrr_tree_select, 5 * claim_nano, claim_nano / 10 * 9, 0,
                 side, first, n, err);
}

/* Noise of eps at each end of the pair, not of eps/2. Either count by itself keeps the claim, and
 * so does every advantage. True epsilon: 2. */
hrr_status hrr_control_not_halved(float *out, const void *random, int side, uint64_t first,
                                  uint64_t n, hrr_error *err)
{
    (void)random;
    return spend(out, &hrr_edge_edgerr_node, NULL, 0, 2 * claim_nano, 0, side, first, n, err);
}

/* Each count has noise of eps, as it should if a pair moves one of them; but the end that needs a
 * pair is the one with fewer private edges. The edge 2-4 takes 1-4 from node 4 to node 1, so that
 * the count of 4 goes down while that of 2 goes up. True epsilon: 3, of which two counts show 2. */
hrr_status hrr_control_private_need(float *out, const void *random, int side, uint64_t first,
                                    uint64_t n, hrr_error *err)
{
    (void)random;
    /* 2 - the private edges of a node; 0-3 and 1-4 are private, and on side 1 also 2-4 */
    static const uint32_t need[2][5] = {{1, 1, 2, 1, 1}, {1, 1, 1, 1, 0}};
    static const uint32_t blocks[5] = {0, 0, 0, 1, 1};
    const int which = 1;
    hrr_edge_options options;
    hrr_edge_options_init(&options);
    options.mechanism = hrr_edge_edgerr_node.about.name;
    options.eps_nano = claim_nano;
    options.count_ends = HRR_ENDS_NEEDED;
    options.need = need[side];
    options.blocks = blocks;
    options.n_blocks = 2;
    options.threads = 1;
    return show_numbers(out, &options, which, side, first, n, err);
}

/* The nodes that have a private edge as candidates: synthetic edges meet no other node, so that one
 * at node 2 betrays the edge 2-4. True epsilon: infinity. */
hrr_status hrr_control_private_nodes(float *out, const void *random, int side, uint64_t first,
                                     uint64_t n, hrr_error *err)
{
    (void)random;
    static const uint8_t with_private_edge[2][5] = {{1, 1, 0, 1, 1}, {1, 1, 1, 1, 1}};
    const int which = 1; /* 0-3 and 1-4 are private, and on side 1 also 2-4 */
    hrr_edge_options options;
    hrr_edge_options_init(&options);
    options.mechanism = hrr_edge_edgerr.about.name;
    options.eps_nano = claim_nano;
    options.threads = 1;
    hrr_edge_attack attack;
    hrr_status status = hrr_edge_attack_init_on(&attack, &options, which, with_private_edge[side],
                                                control_seed, err);
    if (!status) status = hrr_edge_attack_run(out, &attack, side, first, n, err);
    hrr_edge_attack_clear(&attack);
    return status;
}

/* edgerr-degrees whose counts between groups get twice their share, as if what the degrees had
 * spent were there again. True epsilon: 2. */
hrr_status hrr_control_groups_twice(float *out, const void *random, int side, uint64_t first,
                                    uint64_t n, hrr_error *err)
{
    (void)random;
    hrr_degree_attack attack = hrr_degree_attack_on(HRR_PART_COMMUNITIES, claim_nano, control_seed);
    attack.noise[HRR_PART_COMMUNITIES] = (hrr_degree_noise){2, 1};
    return hrr_degree_attack_run(out, &attack, side, first, n, err);
}

/* edgerr-degrees with noise of eps on every degree, as if a pair moved one of them. True
 * epsilon: 2.
 */
hrr_status hrr_control_one_degree(float *out, const void *random, int side, uint64_t first,
                                  uint64_t n, hrr_error *err)
{
    (void)random;
    hrr_degree_attack attack = hrr_degree_attack_on(HRR_PART_DEGREES, claim_nano, control_seed);
    attack.noise[HRR_PART_DEGREES] = (hrr_degree_noise){1, 1};
    return hrr_degree_attack_run(out, &attack, side, first, n, err);
}
