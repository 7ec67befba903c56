/* advise_structure.c: what advise says of a graph without labels: which edge mechanism suits which
 * purpose, each with the command that follows; see advise.h. */
#include "cli/advise.h"
#include "cli/figures.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/structure_table.h"

#include <heterorr/certificate.h>

#include <stdlib.h>
#include <string.h>

static const hrr_structure_mean *choice_of(const cli_advice *self, int s)
{
    const int64_t row = self->structure.choice[s];
    return row < 0 ? NULL : &self->structure.rows[row];
}

/* What to protect with for a purpose; false: nothing is advised. Without a rehearsal the budget is
 * the first that was asked about. */
static bool plan(const char **mechanism, const char **eps, const cli_advice *self, int s)
{
    if (!self->blind) {
        const hrr_structure_mean *choice = choice_of(self, s);
        *mechanism = choice ? choice->mechanism : NULL;
        *eps = choice ? choice->eps_edges : NULL;
        return choice;
    }
    size_t n;
    const hrr_structure_guide *guide = hrr_structure_guides(&n);
    *eps = NULL;
    for (size_t i = 0; i < n; i++)
        if ((int)guide[i].purpose == s && hrr_guide_suits(&guide[i])) {
            *mechanism = guide[i].mechanism->name;
            return true;
        }
    return false;
}

static void make_command(cli_command *to, const cli_advice *self, const cli_advise_args *a,
                         const char *mechanism, const char *eps)
{
    const cli_advise_args nothing = {0};
    cli_command_add(to, "protect", NULL);
    cli_advice_add_input(to, a);
    cli_command_add(to, "-o", "BUNDLE", NULL);
    cli_command_add_given(to, cli_advise_passed_on, a, &nothing);
    cli_advice_add_features(to, self, a);
    cli_command_add(to, "--edge-mechanism", mechanism, "--eps-edges", eps ? eps : "1", NULL);
}

/* ---- for people ------------------------------------------------------------------------------ */

static void print_rehearsal(const cli_advice *self, const cli_advise_args *a, FILE *to)
{
    fprintf(to,
            "The graph has no labels, so there is nothing to learn, and the advice is about its "
            "structure.\n%s of the public edges were hidden as if they were private, and "
            "mechanisms released them again.\n",
            cli_percent(a->private_share).text);
    cli_structure_print(self->structure.rows, self->structure.n_rows, to);
    for (int s = 0; s < HRR_N_STATISTICS; s++) {
        const hrr_structure_mean *choice = choice_of(self, s);
        const char *name = hrr_statistic_name((hrr_statistic)s);
        if (choice)
            fprintf(to,
                    "-> %s: %s with eps %s is the cheapest setting that is nearer to the original "
                    "than public-only\n",
                    name, choice->mechanism, choice->eps_edges);
        else
            fprintf(to,
                    "-> %s: leave private edges out; no setting that was tried is nearer to the "
                    "original\n",
                    name);
    }
    fprintf(to, "\n");
}

static void print_guide(const cli_advice *self, FILE *to)
{
    size_t n;
    const hrr_structure_guide *guide = hrr_structure_guides(&n);
    char why[96] = "there is no public edge";
    if (self->n_public_edges)
        snprintf(why, sizeof why, "%s %s too few",
                 cli_count(self->n_public_edges, "public edge", "public edges").text,
                 hrr_plural(self->n_public_edges, "is", "are"));
    fprintf(to,
            "The graph has no labels, and %s to rehearse with. The table shows five other graphs "
            "with all edges private, at\nepsilon 1 (docs/structure.md): the distance of the "
            "nearest release from the original, and that of the graph without edges:\n",
            why);
    fprintf(to, "%-14s %-16s %10s %16s\n", "purpose", "mechanism", "distance", "without edges");
    for (size_t i = 0; i < n; i++)
        fprintf(to, "%-14s %-16s %10.3g %16.3g   %s\n", hrr_statistic_name(guide[i].purpose),
                guide[i].mechanism->name, guide[i].distance, guide[i].without,
                hrr_guide_suits(&guide[i]) ? "" : "not kept");
    fprintf(to, "-> not kept: no mechanism halves the distance of the graph without edges, so a "
                "release says little about it\n\n");
}

/* Whether an earlier purpose has the same plan. */
static bool is_repeated(const cli_advice *self, int s, const char *mechanism, const char *eps)
{
    for (int k = 0; k < s; k++) {
        const char *other, *other_eps;
        if (plan(&other, &other_eps, self, k) && strcmp(other, mechanism) == 0 &&
            (eps == other_eps || (eps && other_eps && strcmp(eps, other_eps) == 0)))
            return true;
    }
    return false;
}

static hrr_status print_commands(const cli_advice *self, const cli_advise_args *a, cli_task *task,
                                 hrr_error *err)
{
    hrr_status status = HRR_OK;
    for (int s = 0; s < HRR_N_STATISTICS && !status; s++) {
        const char *mechanism, *eps;
        if (!plan(&mechanism, &eps, self, s) || is_repeated(self, s, mechanism, eps)) continue;
        cli_command command = {0};
        hrr_error refusal = {0};
        make_command(&command, self, a, mechanism, eps);
        char *text = cli_command_text(&command);
        if (!text)
            status = hrr_fail(err, HRR_ENOMEM, "out of memory");
        else
            status = cli_advice_try(&refusal, &command, task, err);
        if (!status) fprintf(task->talk, "%s\n", text);
        if (!status && refusal.status)
            cli_note("protect refuses this command: %s", refusal.message);
        free(text);
        cli_command_clear(&command);
    }
    return status;
}

/* ---- for scripts ----------------------------------------------------------------------------- */

static json_t *purpose_json(const cli_advice *self, const cli_advise_args *a, int s)
{
    const char *mechanism, *eps;
    char *text = NULL;
    json_t *command = json_null();
    if (plan(&mechanism, &eps, self, s)) {
        cli_command words = {0};
        make_command(&words, self, a, mechanism, eps);
        if ((text = cli_command_text(&words))) command = cli_json_text(text);
        cli_command_clear(&words);
    } else {
        mechanism = eps = NULL;
    }
    json_t *purpose =
        json_pack("{s:s, s:s?, s:s?, s:o}", "purpose", hrr_statistic_name((hrr_statistic)s),
                  "edge_mechanism", mechanism, "eps_edges", eps, "command", command);
    free(text);
    return purpose;
}

static json_t *structure_json(const cli_advice *self, const cli_advise_args *a)
{
    json_t *purposes = json_array();
    for (int s = 0; s < HRR_N_STATISTICS; s++)
        json_array_append_new(purposes, purpose_json(self, a, s));
    return json_pack("{s:s?, s:o, s:o, s:o, s:o}", "cannot_know",
                     self->blind ? "there are too few public edges to rehearse with" : NULL,
                     "structure", cli_structure_json(self->structure.rows, self->structure.n_rows),
                     "purposes", purposes, "features", cli_advice_features_json(self),
                     "eps_features",
                     self->feature_choice ? json_real(self->feature_choice->eps) : json_null());
}

hrr_status cli_advice_tell_structure(const cli_advice *self, const cli_advise_args *a,
                                     cli_task *task, hrr_error *err)
{
    cli_progress_erase();
    if (task->json) {
        task->result = structure_json(self, a);
        return task->result ? HRR_OK : hrr_fail(err, HRR_ENOMEM, "out of memory");
    }
    if (self->blind)
        print_guide(self, task->talk);
    else
        print_rehearsal(self, a, task->talk);
    cli_advice_print_features(self, a, task->talk);
    return hrr_path_is_bundle(a->graph) ? HRR_OK : print_commands(self, a, task, err);
}
