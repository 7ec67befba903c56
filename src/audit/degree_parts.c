/* degree_parts.c: see degree_parts.h.
 *
 * Neighbours: the pair 2-4 has no edge, or has one. Where it is to close a triangle, 2-3 and 3-4
 * are private edges; otherwise there is no other, so that the pair makes a component. */
#include "audit/degree_parts.h"

static const uint32_t pair[2] = {2, 4};
static const uint32_t source[] = {2, 3, 2}, target[] = {3, 4, 4}; /* the pair is the last */
enum { n_nodes = 5, n_others = 2 };

/* Fine enough for thirds, coarse enough to meet a value twice. */
enum { closed_step = 1 << 14 };

static const float no_groups = -1e6F;
static const uint64_t next_to_nothing = 1000; /* 1e-6 */

static bool closes(hrr_degree_part part)
{
    return part == HRR_PART_TRIANGLES || part == HRR_PART_CLOSED;
}

hrr_degree_attack hrr_degree_attack_on(hrr_degree_part part, uint64_t eps_nano, uint64_t seed)
{
    hrr_degree_attack out = {.part = part, .seed = seed, .width = 1};
    /* The part has all; the others get next to nothing, for which cell of the classes a pair lies
     * in tells of degrees. */
    for (int p = 0; p < HRR_N_DEGREE_PARTS; p++)
        out.noise[p] =
            hrr_degree_noise_of((hrr_degree_part)p, p == (int)part ? eps_nano : next_to_nothing);
    if (part == HRR_PART_STAIRCASE || part == HRR_PART_DEGREES) out.width = 2;
    out.realised = (double)hrr_degree_shares[part].moves * hrr_degree_noise_eps(&out.noise[part]);
    return out;
}

static float noisy_degree(const hrr_degree_numbers *numbers, uint32_t node)
{
    uint64_t k = 0;
    while (numbers->rank[k].node != node)
        k++;
    return (float)numbers->rank[k].noisy;
}

/* What the pair moves. */
static void show(float *out, const hrr_degree_numbers *s, hrr_degree_part part)
{
    int i, j;
    switch (part) {
    case HRR_PART_STAIRCASE: /* the largest degree is 1 or more, and so is the second */
        out[0] = (float)s->row[0];
        out[1] = (float)s->column[0];
        return;
    case HRR_PART_DEGREES:
        out[0] = noisy_degree(s, pair[0]);
        out[1] = noisy_degree(s, pair[1]);
        return;
    case HRR_PART_CLASSES: /* which cell it is follows from degrees, which the onlooker has */
        i = hrr_mixing_class(s->degree[pair[0]]);
        j = hrr_mixing_class(s->degree[pair[1]]);
        out[0] = (float)s->count[i < j ? i * s->n_classes + j : j * s->n_classes + i];
        return;
    case HRR_PART_TRIANGLES:
        out[0] = (float)s->triangles;
        return;
    case HRR_PART_CLOSED:
        out[0] = (float)(s->closed / closed_step);
        return;
    case HRR_PART_COMMUNITIES: /* the cell of the pair, if released degrees asked for groups */
        i = s->n_groups ? (int)s->group[pair[0]] : 0;
        j = s->n_groups ? (int)s->group[pair[1]] : 0;
        out[0] = s->n_groups ? (float)s->group_count[i * (int)s->n_groups + j] : no_groups;
        return;
    default:
        out[0] = (float)s->n_components;
    }
}

hrr_status hrr_degree_attack_run(float *out, const void *user, int side, uint64_t first, uint64_t n,
                                 hrr_error *err)
{
    const hrr_degree_attack *attack = user;
    const uint64_t seed = attack->seed + ((uint64_t)(side + 1) << 40);
    const int skip = closes(attack->part) ? 0 : n_others;
    const hrr_edge_public known = {.n_nodes = n_nodes};
    const hrr_edge_secret secret = {(uint64_t)(n_others - skip + side), source + skip,
                                    target + skip};
    hrr_status status = HRR_OK;
    for (uint64_t i = 0; i < n && !status; i++, out += attack->width) {
        hrr_degree_numbers numbers;
        hrr_random *random;
        if ((status = hrr_random_new_insecure(&random, seed + first + i, err))) break;
        status =
            hrr_degree_numbers_draw(&numbers, &known, &secret, attack->noise, random, 1, NULL, err);
        if (!status) {
            show(out, &numbers, attack->part);
            hrr_degree_numbers_clear(&numbers);
        }
        hrr_random_free(random);
    }
    return status;
}
