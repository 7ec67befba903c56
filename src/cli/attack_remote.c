/* attack_remote.c: --url: a service that is asked instead of a model on disk. */
#include "cli/attack.h"
#include "cli/figures.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static hrr_status read_token(char *out, size_t size, const char *path, hrr_error *err)
{
    FILE *file = fopen(path, "re");
    if (!file) return hrr_fail(err, HRR_EIO, "%s: cannot be read: %s", path, strerror(errno));
    const bool read = fgets(out, (int)size, file) != NULL;
    fclose(file);
    out[read ? strcspn(out, "\r\n") : 0] = '\0';
    if (out[0]) return HRR_OK;
    return hrr_fail(err, HRR_EDATA, "%s: has no token on its first line", path);
}

hrr_status cli_attack_remote_open(hrr_remote **out, const cli_attack_remote *a, const char *model,
                                  hrr_returns most, const hrr_graph *graph, hrr_progress *progress,
                                  hrr_error *err)
{
    char token[4096];
    hrr_remote_options options;
    hrr_remote_options_init(&options);
    options.url = a->url;
    options.model = model;
    options.ca = a->ca;
    options.answers = a->answers;
    options.most = most;
    *out = NULL;
    if (a->token) {
        const hrr_status status = read_token(token, sizeof token, a->token, err);
        if (status) return status;
        options.token = token;
    }
    return hrr_remote_open(out, graph, &options, progress, err);
}

void cli_attack_remote_show(const hrr_remote *remote)
{
    const hrr_remote_count n = hrr_remote_asked(remote);
    printf("The service returns %s; it was asked %s",
           cli_attack_returns_word(hrr_remote_returns(remote)),
           cli_count(n.questions, "question", "questions").text);
    if (n.remembered)
        printf("; answers to %s were read from the file of answers",
               cli_count(n.remembered, "request", "requests").text);
    if (n.refused)
        printf("; the program waited for the service %s, %s in total",
               cli_count(n.refused, "time", "times").text, cli_duration(n.seconds_waited).text);
    printf(".\n");
}

json_t *cli_attack_remote_json(json_t *result, const hrr_remote *remote)
{
    if (!result || !remote) return result;
    const hrr_remote_count n = hrr_remote_asked(remote);
    json_object_set_new(result, "questions", json_integer((json_int_t)n.questions));
    json_object_set_new(result, "requests", json_integer((json_int_t)n.requests));
    json_object_set_new(result, "remembered", json_integer((json_int_t)n.remembered));
    json_object_set_new(result, "refused", json_integer((json_int_t)n.refused));
    json_object_set_new(result, "seconds_waited", json_real(n.seconds_waited));
    return result;
}
