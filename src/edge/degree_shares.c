/* degree_shares.c: see degree_shares.h. */
#include "edge/degree_shares.h"
#include "base/memory.h"
#include "privacy/eps.h"

#include <stdio.h>
#include <string.h>

const hrr_degree_share hrr_degree_shares[HRR_N_DEGREE_PARTS] = {
    [HRR_PART_STAIRCASE] = {"staircase", 41, 2, false},
    [HRR_PART_DEGREES] = {"degrees", 14, 2, false},
    [HRR_PART_CLASSES] = {"classes", 9, 1, false},
    [HRR_PART_TRIANGLES] = {"triangles", 9, 2, false},
    [HRR_PART_CLOSED] = {"closed", 14, 2, false},
    [HRR_PART_COMPONENTS] = {"components", 3, 1, false},
    [HRR_PART_COMMUNITIES] = {"communities", 10, 1, true}};

enum { most_weight = 1000 };

static hrr_status refuse(hrr_error *err, const char *text)
{
    return hrr_fail(
        err, HRR_EINVAL,
        "cannot read the division of the budget (`edges.shares`) \"%.100s\"; write part=weight, "
        "separated by commas, such as \"communities=20,triangles=5\". Weights are whole numbers "
        "from 1 to %d. Each part may occur once; the parts are staircase, degrees, classes, "
        "triangles, closed, components and communities. Only communities may have the weight 0",
        text, most_weight);
}

/* One "name=weight"; size: of it. */
static bool read_weight(hrr_degree_division *out, bool *named, const char *item, size_t size)
{
    const char *equals = memchr(item, '=', size);
    if (!equals || equals + 1 == item + size) return false;
    uint64_t weight = 0;
    for (const char *c = equals + 1; c < item + size; c++) {
        if (*c < '0' || *c > '9') return false;
        weight = weight * 10 + (uint64_t)(*c - '0');
        if (weight > most_weight) return false;
    }
    const size_t name = (size_t)(equals - item);
    for (int p = 0; p < HRR_N_DEGREE_PARTS; p++) {
        const hrr_degree_share *share = &hrr_degree_shares[p];
        if (strlen(share->name) != name || memcmp(share->name, item, name) != 0) continue;
        if (named[p] || (weight == 0 && !share->may_be_none)) return false;
        named[p] = true;
        out->weight[p] = weight;
        return true;
    }
    return false;
}

hrr_status hrr_degree_division_read(hrr_degree_division *out, const char *text, hrr_error *err)
{
    bool named[HRR_N_DEGREE_PARTS] = {false};
    for (int p = 0; p < HRR_N_DEGREE_PARTS; p++)
        out->weight[p] = hrr_degree_shares[p].weight;
    for (const char *item = text; item;) {
        const size_t size = strcspn(item, ",");
        if (!read_weight(out, named, item, size)) return refuse(err, text);
        item = item[size] ? item + size + 1 : NULL;
    }
    return HRR_OK;
}

char *hrr_degree_division_text(const hrr_degree_division *division)
{
    char text[200];
    size_t used = 0;
    for (int p = 0; p < HRR_N_DEGREE_PARTS; p++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s%s=%llu", p ? "," : "",
                             hrr_degree_shares[p].name, (unsigned long long)division->weight[p]);
    return hrr_copy_text(text);
}

hrr_degree_noise hrr_degree_noise_of(hrr_degree_part part, uint64_t share_nano)
{
    hrr_degree_noise out = {0, 1};
    const uint64_t of_one = share_nano / hrr_degree_shares[part].moves;
    if (of_one) hrr_eps_fraction(&out.num, &out.den, of_one);
    return out;
}

hrr_status hrr_degree_divide(hrr_degree_noise *noise, const hrr_degree_division *division,
                             uint64_t eps_nano, hrr_error *err)
{
    uint64_t sum = 0;
    for (int p = 0; p < HRR_N_DEGREE_PARTS; p++)
        sum += division->weight[p];
    for (int p = 0; p < HRR_N_DEGREE_PARTS; p++) {
        noise[p] = hrr_degree_noise_of((hrr_degree_part)p, eps_nano * division->weight[p] / sum);
        if (division->weight[p] == 0 || noise[p].num > 0) continue;
        return hrr_fail(err, HRR_EINVAL,
                        "edgerr-degrees divides epsilon among seven quantities, and nothing is "
                        "left for %s; use a larger epsilon (`edges.eps_nano`), such as 1e-4",
                        hrr_degree_shares[p].name);
    }
    return HRR_OK;
}
