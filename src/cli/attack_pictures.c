/* attack_pictures.c: pictures of a graph's nodes, and public ones of others: what reconstruct and
 * chain read. */
#include "cli/attack.h"
#include "cli/graph_input.h"

const cli_option cli_attack_pictures_options[] = {
    {.name = "side",
     .kind = CLI_U32,
     .argument = "N",
     .least = 8,
     .most = 128,
     .at = offsetof(cli_attack_pictures, side),
     .help = "the number of pixels per side of the guessed pictures: 8, 16, 32, 64 or 128; the "
             "default is the size in P.npy, or 32 for a directory"},
    {.name = "public",
     .kind = CLI_PATH,
     .argument = "GRAPH",
     .at = offsetof(cli_attack_pictures, public_graph),
     .help = "the graph of public pictures to learn from, embedded by the same network; without "
             "it, reconstruct uses the share --known of GRAPH itself"},
    {.name = "public-pictures",
     .kind = CLI_PATH,
     .argument = "DIR|P.npy",
     .at = offsetof(cli_attack_pictures, public_pictures),
     .field = "public_pictures",
     .help = "the pictures of the graph --public"},
    {0},
};

hrr_status cli_attack_pictures_read(hrr_thumbnails *out, const hrr_graph *graph, const char *path,
                                    const char *pictures, const cli_attack_pictures *args,
                                    int threads, hrr_progress *progress, hrr_error *err)
{
    if (!hrr_graph_features(graph))
        return hrr_fail(err, HRR_EDATA, "%s has no features to reconstruct pictures from", path);
    return hrr_thumbnails_read(out, graph, pictures, args->side, threads, progress, err);
}

hrr_status cli_attack_public_read(hrr_graph **graph, hrr_thumbnails *pictures,
                                  const cli_attack_pictures *args, const hrr_read_options *read,
                                  hrr_progress *progress, hrr_error *err)
{
    if (!args->public_graph != !args->public_pictures)
        return hrr_fail(err, HRR_EINVAL, "--public and --public-pictures must be given together");
    if (!args->public_graph) return HRR_OK;
    hrr_status status = cli_read_graph(graph, args->public_graph, read, progress, err);
    if (!status)
        status =
            cli_attack_pictures_read(pictures, *graph, args->public_graph, args->public_pictures,
                                     args, read->threads, progress, err);
    return status;
}
