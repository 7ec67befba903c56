/* audit_edge_controls.c: see audit_edge_controls.h. Each claims eps = 1.
 *
 * Three of them draw from a law that is written down here, because the library has no way to make
 * the mistake; V_pri is EdgeRR itself, handed the wrong candidate set. */
#include "release/audit_edge_controls.h"
#include "release/audit_controls.h"
#include "release/audit_edges.h"

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

/* The nodes that have a private edge as candidates: synthetic edges meet no other node, so that one
 * at node 2 betrays the edge 2-4. True epsilon: infinity. */
hrr_status hrr_control_private_nodes(float *out, const void *random, int side, uint64_t first,
                                     uint64_t n, hrr_error *err)
{
    (void)random;
    static const uint8_t with_private_edge[2][5] = {{1, 1, 0, 1, 1}, {1, 1, 1, 1, 1}};
    const int which = 1; /* 0-3 and 1-4 are private, and on side 1 also 2-4 */
    const uint64_t seed = 7;
    hrr_edge_options options;
    hrr_edge_options_init(&options);
    options.mechanism = "edgerr";
    options.eps_nano = (uint64_t)(HRR_CONTROL_EPS * (double)HRR_EPS_UNIT);
    options.threads = 1;
    hrr_edge_attack attack;
    hrr_status status =
        hrr_edge_attack_init_on(&attack, &options, which, with_private_edge[side], seed, err);
    if (!status) status = hrr_edge_attack_run(out, &attack, side, first, n, err);
    hrr_edge_attack_clear(&attack);
    return status;
}
