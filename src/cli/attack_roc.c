/* attack_roc.c: --roc: a file of points of ROC curves, as report draws them. */
#include "cli/attack.h"
#include "cli/graph_input.h"

#include <heterorr/experiment.h>
#include <heterorr/privacy.h>

enum { most_points = 200 };

hrr_status cli_attack_roc_check(const cli_attack_curves *curves, hrr_error *err)
{
    return curves->roc ? cli_refuse_existing(curves->roc, curves->force, err) : HRR_OK;
}

hrr_status cli_attack_roc_open(cli_attack_roc *out, const cli_attack_curves *curves,
                               const hrr_graph *graph, hrr_error *err)
{
    *out = (cli_attack_roc){0};
    hrr_results_name(out->graph, sizeof out->graph, hrr_graph_name(graph));
    if (!curves->roc) return HRR_OK;
    hrr_status status = hrr_output_open(&out->output, curves->roc, err);
    if (!status)
        status = hrr_output_printf(out->output, err,
                                   "graph,mechanism,run,false_positive_rate,true_positive_rate\n");
    return status;
}

void cli_attack_roc_see(void *user, const char *attack, uint64_t eps_nano, uint32_t run,
                        const hrr_link_pairs *pairs, const double *scores)
{
    cli_attack_roc *self = user;
    hrr_roc_point *points = NULL;
    size_t n = 0;
    (void)eps_nano;
    if (!self->output || self->err.status) return;
    hrr_status status = hrr_link_roc(&points, &n, pairs, scores, most_points, &self->err);
    for (size_t i = 0; i < n && !status; i++)
        status =
            hrr_output_printf(self->output, &self->err, "%s,%s,%u,%.6g,%.6g\n", self->graph, attack,
                              run, points[i].false_positive_rate, points[i].true_positive_rate);
    hrr_free(points);
}

hrr_status cli_attack_roc_close(cli_attack_roc *self, hrr_error *err)
{
    if (!self->output) return HRR_OK;
    if (self->err.status) {
        *err = self->err;
        return err->status;
    }
    return hrr_output_commit(self->output, err);
}
