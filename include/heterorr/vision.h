/* vision.h: makes a graph from pictures: the embedding z of each picture by a pretrained network,
 * and the embedding zhat of the same picture with faces or other regions masked.
 *
 * Embeddings of private pictures are PRIVATE, because a decoder can reconstruct pictures from them.
 * The result is an input of hrr_protect(), never a release. ONNX Runtime and libvips are loaded
 * when the function is called; if they are missing, the error says how to install them
 * (docs/vision.md). */
#ifndef HETERORR_VISION_H
#define HETERORR_VISION_H

#include <heterorr/base.h>
#include <heterorr/graph.h>
#include <heterorr/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hrr_embed_options {
    size_t size;         /* set by hrr_embed_options_init() */
    const char *model;   /* an ONNX file: one input of pictures */
    const char *profile; /* how pictures are prepared: a name or a JSON file; NULL: the file
                            beside the model */
    const char *faces;   /* RetinaFace as an ONNX file: faces are masked; NULL: none */
    const char *regions; /* instead: a csv of boxes to mask; NULL: none */
    const char *edges;   /* an edge list in the pictures' names; NULL: no edges */
    const char *labels;  /* a csv or npy of labels, one row a picture; NULL: none */
    const char
        *masked_pictures; /* a directory to which every masked picture is written; NULL: none */
    const char *runtime;  /* libonnxruntime.so; NULL: HETERORR_ONNXRUNTIME, then the usual
                             places */
    double least_score;   /* of a face, 0..1 */
    double most_overlap;  /* of two faces, as intersection over union */
    double margin;        /* each box is enlarged by this share of its size on every side */
    uint64_t most_pixels; /* of one picture; larger ones are refused */
    uint32_t long_side;   /* pictures are shrunk to this size before faces are detected */
    uint32_t batch;       /* pictures that a network sees at once */
    int threads;          /* 0: all there are */
    bool replace;     /* replace a graph at this path, and an unfinished run with other pictures or
                         settings */
    bool reserved[3]; /* false */
} hrr_embed_options;

HRR_EXPERIMENTAL void hrr_embed_options_init_sized(hrr_embed_options *options, size_t size);
static inline void hrr_embed_options_init(hrr_embed_options *options)
{
    hrr_embed_options_init_sized(options, sizeof *options);
}

/* The built-in profiles, by name; ends with NULL. */
HRR_EXPERIMENTAL const char *const *hrr_embed_profiles(void);

typedef struct hrr_embed_summary {
    uint64_t pictures, features;
    uint64_t boxes;         /* masked, in all pictures */
    uint64_t without_boxes; /* pictures with nothing to mask: their zhat is z */
    uint64_t from_before;   /* pictures that an interrupted run had already finished */
    uint64_t edges;
    uint64_t
        not_pictures; /* files in the directories whose names do not end like those of pictures */
} hrr_embed_summary;

/* Embed pictures (files, and directories with all that is in them) and make a graph directory: one
 * node per picture, named by its path inside the directory, or by the name of the file; z as its
 * features, zhat as its masked features; also z.npy, zhat.npy, boxes.csv and ids.csv.
 *
 * An interrupted run leaves DIRECTORY.unfinished; the same call continues there. The result does
 * not depend on the number of threads or on interruptions.
 * Cost:   one pass of the network for each picture, another if something is masked. Memory does not
 *         grow with the number of pictures, apart from their names and boxes.
 * Errors: HRR_EINVAL, HRR_EDATA naming the picture, HRR_EIO, HRR_ENOMEM, HRR_ECANCEL. `summary` may
 *         be NULL. */
HRR_EXPERIMENTAL HRR_STATUS hrr_embed(hrr_embed_summary *summary, const char *const *images,
                                      size_t n_images, const char *directory,
                                      const hrr_embed_options *options, hrr_progress *progress,
                                      hrr_error *err);

/* ---- small copies ---------------------------------------------------------------------------- */

/* Pictures of one small size, a row for each: side x side pixels from the top, the channels of a
 * pixel side by side; U8. Grey if all of them are. */
typedef struct hrr_thumbnails {
    hrr_dense pixels;
    uint32_t side, channels; /* 1 or 3 channels */
} hrr_thumbnails;
HRR_EXPERIMENTAL void hrr_thumbnails_clear(hrr_thumbnails *thumbnails);

/* The pictures of a graph's nodes: those in a directory that have the nodes' names, as hrr_embed()
 * calls them; or a .npy file of n x side x side, or n x side x side x 3, bytes. side 0: the file's
 * own, or 32.
 *
 * Cost:   decoding every picture; memory for the small copies.
 * Errors: HRR_EINVAL, HRR_EDATA naming the node without a picture, HRR_EIO, HRR_ENOMEM,
 *         HRR_ECANCEL. */
HRR_EXPERIMENTAL HRR_STATUS hrr_thumbnails_read(hrr_thumbnails *out, const hrr_graph *graph,
                                                const char *path, uint32_t side, int threads,
                                                hrr_progress *progress, hrr_error *err);

#ifdef __cplusplus
}
#endif
#endif
