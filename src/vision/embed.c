/* embed.c: pictures to a graph of their embeddings (vision.h).
 *
 * The graph comes first: names, edges and labels are read before any picture is, so that a mistake
 * in them costs nothing. Then each thread takes the next few pictures, decodes them, looks for
 * faces, masks them and asks the network, whose own threads are off: no thread waits for another.
 * Rows go to disk as they are made (unfinished.h). Last, the graph is written with the rows as its
 * features, from the mapped file.
 *
 * Everything here is private. The directory says so in PRIVATE.txt, and it has no certificate,
 * which is what every reader takes a release by. */
#include <heterorr/vision.h>

#include "vision/album.h"
#include "vision/embedder.h"
#include "vision/faces.h"
#include "vision/regions.h"
#include "vision/unfinished.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/output.h"
#include "base/paths.h"
#include "io/graph_formats.h"
#include "io/graph_parts.h"
#include "io/hash.h"
#include "io/native_write.h"
#include "io/node_names.h"
#include "io/node_rows.h"
#include "io/text_sink.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void hrr_embed_options_init_sized(hrr_embed_options *options, size_t size)
{
    const hrr_embed_options own = {.least_score = 0.75,
                                   .most_overlap = 0.4,
                                   .margin = 0.1,
                                   .most_pixels = 100 * 1000 * 1000,
                                   .long_side = 1280,
                                   .batch = 8};
    hrr_options_init(options, size, &own, sizeof own);
}

const char *const *hrr_embed_profiles(void)
{
    static const char *const names[] = {"resnet50-torchvision", "resnet50-keras",
                                        "resnet50v2-keras", NULL};
    return names;
}

/* All that a run works with. */
typedef struct embedding {
    hrr_embed_options options;
    hrr_album album;
    hrr_graph *graph;
    hrr_profile profile;
    hrr_vips *vips;
    hrr_runtime *runtime;
    hrr_embedder *embedder;
    hrr_faces *faces;
    hrr_regions regions;
    hrr_picture_limits limits;
    bool masks; /* faces or regions are looked for */
    uint8_t neutral[3];
    hrr_unfinished *unfinished;
    _Atomic uint64_t next; /* picture */
    atomic_bool stop;
    hrr_status status; /* of the first thread that failed, under a lock */
    hrr_error error;
} embedding;

static void clear_embedding(embedding *e)
{
    hrr_unfinished_free(e->unfinished);
    hrr_regions_clear(&e->regions);
    hrr_faces_free(e->faces);
    hrr_embedder_free(e->embedder);
    hrr_runtime_close(e->runtime);
    hrr_vips_close(e->vips);
    hrr_graph_free(e->graph);
    hrr_album_clear(&e->album);
}

/* ---- before any picture is decoded -------------------------------------------------------------
 */

static hrr_status check_options(const hrr_embed_options *o, hrr_error *err)
{
    if (!o->model) return hrr_fail(err, HRR_EINVAL, "`model` must name a network, an ONNX file");
    if (o->faces && o->regions)
        return hrr_fail(err, HRR_EINVAL,
                        "`faces` and `regions` both give boxes to mask; leave one of them out");
    if (o->masked_pictures && !o->faces && !o->regions)
        return hrr_fail(
            err, HRR_EINVAL,
            "`masked_pictures` needs `faces` or `regions`, without which nothing is masked");
    if (!(o->least_score > 0 && o->least_score <= 1))
        return hrr_fail(err, HRR_EINVAL, "`least_score` must be above 0 and at most 1");
    if (!(o->most_overlap >= 0 && o->most_overlap <= 1))
        return hrr_fail(err, HRR_EINVAL, "`most_overlap` must lie between 0 and 1");
    if (!(o->margin >= 0 && o->margin <= 10))
        return hrr_fail(err, HRR_EINVAL, "`margin` must lie between 0 and 10");
    if (o->long_side < 16 || o->long_side > 16384)
        return hrr_fail(err, HRR_EINVAL, "`long_side` must lie between 16 and 16384");
    if (o->batch < 1 || o->batch > 1024)
        return hrr_fail(err, HRR_EINVAL, "`batch` must lie between 1 and 1024");
    if (o->most_pixels < 1) return hrr_fail(err, HRR_EINVAL, "`most_pixels` must be at least 1");
    return HRR_OK;
}

static hrr_status take_labels(hrr_graph *graph, const char *path, hrr_error *err)
{
    const hrr_node_rows_options how = {.labels = true};
    hrr_node_rows rows = {0};
    hrr_status status = hrr_node_rows_read(&rows, path, &how, err);
    if (!status) status = hrr_node_rows_join(&rows, graph, err);
    if (!status) status = hrr_take_labels_array(graph, &rows.values, 0, path, err);
    hrr_node_rows_clear(&rows);
    return status;
}

/* Nodes, names, edges and labels: all but features. */
static hrr_status make_graph(embedding *e, hrr_progress *progress, hrr_error *err)
{
    hrr_read_options how;
    hrr_node_ids ids = {0};
    hrr_read_options_init(&how);
    how.threads = e->options.threads;
    hrr_status status;
    if (e->options.edges) {
        status = hrr_edges_read_between(&e->graph, e->options.edges, e->album.n, &e->album.names,
                                        &how, progress, err);
    } else {
        status = hrr_graph_new(&e->graph, "pictures", e->album.n, err);
        if (!status) status = hrr_names_into_ids(&ids, &e->album.names, err);
        if (!status && (ids.integer || ids.text))
            status = hrr_graph_take_node_ids(e->graph, &ids, err);
    }
    if (!status && e->options.labels) status = take_labels(e->graph, e->options.labels, err);
    hrr_node_ids_clear(&ids);
    return status;
}

static hrr_status load_networks(embedding *e, hrr_error *err)
{
    const hrr_embed_options *o = &e->options;
    const hrr_faces_options how = {o->least_score, o->most_overlap};
    hrr_status status = hrr_profile_choose(&e->profile, o->profile, o->model, err);
    if (!status) status = hrr_vips_open(&e->vips, err);
    if (!status) status = hrr_runtime_open(&e->runtime, o->runtime, err);
    if (!status)
        status = hrr_embedder_read(&e->embedder, e->runtime, o->model, &e->profile, o->batch, err);
    if (!status && o->faces) status = hrr_faces_read(&e->faces, e->runtime, o->faces, &how, err);
    if (!status && o->regions)
        status = hrr_regions_read(&e->regions, o->regions, &e->album.names, err);
    e->masks = o->faces || o->regions;
    e->limits = (hrr_picture_limits){
        .most_pixels = o->most_pixels, .most_bytes = UINT64_C(1) << 30, .long_side = o->long_side};
    if (!e->masks) /* who looks for faces wants all pixels */
        e->limits.enough = e->profile.fit == HRR_FIT_CROP         ? e->profile.resize
                           : e->profile.width > e->profile.height ? e->profile.width
                                                                  : e->profile.height;
    hrr_profile_neutral(e->neutral, &e->profile);
    return status;
}

static hrr_status hash_file(hrr_hash *hash, const char *path, hrr_error *err)
{
    char digest[HRR_SHA256_TEXT_SIZE] = "";
    uint64_t size;
    hrr_status status = path ? hrr_sha256_file(digest, &size, path, NULL, err) : HRR_OK;
    hrr_hash_text(hash, path ? digest : NULL);
    return status;
}

static void hash_number(hrr_hash *hash, double number)
{
    hrr_hash_part(hash, &number, sizeof number);
}

/* Everything that a row depends on. */
static hrr_status hash_plan(uint8_t digest[hrr_sha256_size], const embedding *e, hrr_error *err)
{
    const hrr_embed_options *o = &e->options;
    const hrr_profile *p = &e->profile;
    hrr_hash hash;
    hrr_hash_init(&hash);
    hrr_hash_text(&hash, hrr_version());
    hrr_hash_text(&hash, hrr_runtime_version(e->runtime));
    hrr_status status = hash_file(&hash, o->model, err);
    if (!status) status = hash_file(&hash, o->faces, err);
    if (!status) status = hash_file(&hash, o->regions, err);
    if (status) {
        hrr_hash_clear(&hash);
        return status;
    }
    const uint64_t numbers[] = {p->width, p->height,        (uint64_t)p->fit, p->resize,
                                p->bgr,   p->channels_last, o->long_side,     o->most_pixels};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        hrr_hash_u64(&hash, numbers[i]);
    const double reals[] = {p->scale,        p->mean[0],      p->mean[1],      p->mean[2],
                            p->deviation[0], p->deviation[1], p->deviation[2], o->least_score,
                            o->most_overlap, o->margin};
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        hash_number(&hash, reals[i]);
    hrr_hash_text(&hash, p->output);
    hrr_hash_text(&hash, o->masked_pictures);
    hrr_hash_u64(&hash, e->album.n);
    for (uint64_t i = 0; i < e->album.n; i++) {
        hrr_hash_text(&hash, e->album.pictures[i].name);
        hrr_hash_u64(&hash, e->album.pictures[i].size);
        hrr_hash_u64(&hash, (uint64_t)e->album.pictures[i].changed);
    }
    return hrr_hash_finish(digest, &hash, err);
}

/* ---- a few pictures ----------------------------------------------------------------------------
 */

/* What one thread works with: room for a batch. */
typedef struct worker {
    const embedding *e;
    uint64_t *rows;
    hrr_boxes *boxes;
    uint32_t n, n_masked;
    uint32_t *masked_of; /* which of the batch the i-th masked picture is */
    float *input, *masked_input, *z, *zhat, *masked_z;
} worker;

static hrr_status open_worker(worker *w, const embedding *e, hrr_error *err)
{
    const size_t batch = hrr_embedder_batch(e->embedder);
    const size_t input = hrr_embedder_input_size(e->embedder) * sizeof(float);
    const size_t row = hrr_embedder_n_features(e->embedder) * sizeof(float);
    *w = (worker){.e = e};
    w->rows = hrr_alloc(batch, sizeof *w->rows);
    w->boxes = hrr_alloc_zero(batch, sizeof *w->boxes);
    w->masked_of = hrr_alloc(batch, sizeof *w->masked_of);
    w->input = hrr_alloc(batch, input);
    w->z = hrr_alloc(batch, row);
    bool whole = w->rows && w->boxes && w->masked_of && w->input && w->z;
    if (e->masks && whole) {
        w->masked_input = hrr_alloc(batch, input);
        w->zhat = hrr_alloc(batch, row);
        w->masked_z = hrr_alloc(batch, row);
        whole = w->masked_input && w->zhat && w->masked_z;
    }
    return whole ? HRR_OK : hrr_no_memory(err);
}

static void close_worker(worker *w)
{
    for (uint32_t i = 0; w->boxes && i < hrr_embedder_batch(w->e->embedder); i++)
        hrr_boxes_clear(&w->boxes[i]);
    hrr_free(w->rows);
    hrr_free(w->boxes);
    hrr_free(w->masked_of);
    hrr_free(w->input);
    hrr_free(w->masked_input);
    hrr_free(w->z);
    hrr_free(w->zhat);
    hrr_free(w->masked_z);
}

/* A failure of the network or of a transformation says which picture it was about. */
static hrr_status about(hrr_error *err, hrr_status status, const char *path)
{
    if (status != HRR_EDATA) return status;
    hrr_error told = *err;
    return hrr_fail(err, status, "%s: %s", path, told.message);
}

static hrr_status write_masked(const embedding *e, const hrr_picture *picture, uint64_t row,
                               hrr_error *err)
{
    const char *base = strrchr(e->album.pictures[row].name, '/');
    base = base ? base + 1 : e->album.pictures[row].name;
    char *path = hrr_format_text("%s/%08" PRIu64 "-%s.png", e->options.masked_pictures, row, base);
    if (!path) return hrr_no_memory(err);
    hrr_status status = hrr_picture_write_png(picture, e->vips, path, err);
    hrr_free(path);
    return status;
}

static hrr_status prepare_masked(worker *w, hrr_picture *picture, uint64_t row, hrr_error *err)
{
    const embedding *e = w->e;
    const size_t size = hrr_embedder_input_size(e->embedder);
    hrr_boxes_mask(picture, &w->boxes[w->n], e->options.margin, e->neutral);
    hrr_status status = e->options.masked_pictures ? write_masked(e, picture, row, err) : HRR_OK;
    if (!status)
        status = hrr_profile_apply(w->masked_input + w->n_masked * size, &e->profile, e->vips,
                                   picture, err);
    if (!status) w->masked_of[w->n_masked++] = w->n;
    return status;
}

/* Decode picture `row`, find what is to be masked, and put both versions into the batch. */
static hrr_status prepare(worker *w, uint64_t row, hrr_error *err)
{
    const embedding *e = w->e;
    const hrr_album_picture *file = &e->album.pictures[row];
    const size_t size = hrr_embedder_input_size(e->embedder);
    hrr_picture picture = {0};
    hrr_status status = hrr_picture_read(&picture, e->vips, file->path, &e->limits, err);
    if (status) return status;
    if (e->options.regions)
        status = hrr_regions_find(&w->boxes[w->n], &e->regions, row, file->name, &picture, err);
    if (e->faces)
        status = about(err, hrr_faces_find(&w->boxes[w->n], e->faces, e->vips, &picture, err),
                       file->path);
    if (!status)
        status = about(
            err, hrr_profile_apply(w->input + w->n * size, &e->profile, e->vips, &picture, err),
            file->path);
    if (!status && w->boxes[w->n].n)
        status = about(err, prepare_masked(w, &picture, row, err), file->path);
    if (!status) w->rows[w->n++] = row;
    hrr_picture_clear(&picture);
    return status;
}

static hrr_status run_network(worker *w, hrr_error *err)
{
    const embedding *e = w->e;
    const size_t d = hrr_embedder_n_features(e->embedder);
    uint32_t bad;
    hrr_status status = hrr_embedder_run(w->z, &bad, e->embedder, w->input, w->n, err);
    if (status && bad < w->n) return about(err, status, e->album.pictures[w->rows[bad]].path);
    if (status || !e->masks) return status;
    memcpy(w->zhat, w->z, w->n * d * sizeof *w->z); /* nothing to mask: zhat is z */
    if (w->n_masked == 0) return HRR_OK;
    status = hrr_embedder_run(w->masked_z, &bad, e->embedder, w->masked_input, w->n_masked, err);
    if (status && bad < w->n_masked)
        return about(err, status, e->album.pictures[w->rows[w->masked_of[bad]]].path);
    for (uint32_t i = 0; i < w->n_masked && !status; i++)
        memcpy(w->zhat + w->masked_of[i] * d, w->masked_z + i * d, d * sizeof *w->zhat);
    return status;
}

/* The next pictures that nobody has done, up to a batch; w->n 0: there are none. */
static hrr_status fill_batch(worker *w, embedding *e, hrr_error *err)
{
    hrr_status status = HRR_OK;
    w->n = w->n_masked = 0;
    while (w->n < hrr_embedder_batch(e->embedder) && !status && !atomic_load(&e->stop)) {
        uint64_t row = atomic_fetch_add(&e->next, 1);
        if (row >= e->album.n) break;
        if (!hrr_unfinished_has(e->unfinished, row)) status = prepare(w, row, err);
    }
    return status;
}

static void fail_once(embedding *e, hrr_status status, const hrr_error *error)
{
#pragma omp critical(hrr_embed_failure)
    if (!e->status) {
        e->status = status;
        e->error = *error;
    }
    atomic_store(&e->stop, true);
}

static void work(embedding *e, hrr_progress *progress)
{
    worker w;
    hrr_error error = {0};
    hrr_status status = open_worker(&w, e, &error);
    while (!status && !atomic_load(&e->stop)) {
        if ((status = fill_batch(&w, e, &error)) || w.n == 0) break;
        if ((status = run_network(&w, &error))) break;
#pragma omp critical(hrr_embed_keep)
        status = hrr_unfinished_keep(e->unfinished, w.rows, w.n, w.z, w.zhat, w.boxes, &error);
        if (!status) status = hrr_progress_advance(progress, w.n, &error);
    }
    if (status) fail_once(e, status, &error);
    close_worker(&w);
}

static hrr_status embed_all(embedding *e, hrr_progress *progress, hrr_error *err)
{
    const uint64_t left = e->album.n - hrr_unfinished_count(e->unfinished);
    const uint64_t batch = hrr_embedder_batch(e->embedder), batches = (left + batch - 1) / batch;
    int threads = hrr_threads(e->options.threads);
    if ((uint64_t)threads > batches) threads = batches ? (int)batches : 1;
    if (e->options.masked_pictures && mkdir(e->options.masked_pictures, 0777) != 0 &&
        errno != EEXIST)
        return hrr_path_refused(e->options.masked_pictures, "made", errno, err);
    hrr_progress_begin(progress, "embedding", left);
#pragma omp parallel num_threads(threads)
    work(e, progress);
    if (!e->status) return HRR_OK;
    if (e->status == HRR_ECANCEL)
        return hrr_fail(err, HRR_ECANCEL,
                        "interrupted after %" PRIu64 " of %" PRIu64
                        " pictures; the same command continues there (%s)",
                        hrr_unfinished_count(e->unfinished), e->album.n,
                        hrr_unfinished_path(e->unfinished));
    return hrr_fail(err, e->status, "%s", e->error.message);
}

/* ---- the directory -----------------------------------------------------------------------------
 */

static hrr_status write_boxes(const embedding *e, const char *directory, hrr_error *err)
{
    hrr_text_sink *sink = NULL;
    char line[160];
    char *path = hrr_path_join(directory, "boxes.csv");
    hrr_status status = path ? hrr_text_sink_open(&sink, path, err) : hrr_no_memory(err);
    static const char header[] = "picture,left,top,right,bottom,score\n";
    if (!status) status = hrr_text_sink_write(sink, header, strlen(header), err);
    for (uint64_t i = 0; i < e->album.n && !status; i++) {
        const hrr_boxes *boxes = hrr_unfinished_boxes(e->unfinished, i);
        for (size_t j = 0; j < boxes->n && !status; j++) {
            const hrr_box *b = &boxes->items[j];
            int length = snprintf(line, sizeof line, ",%.2f,%.2f,%.2f,%.2f,%.4f\n", b->left, b->top,
                                  b->right, b->bottom, b->score);
            status = hrr_text_sink_write_field(sink, e->album.pictures[i].name, err);
            if (!status) status = hrr_text_sink_write(sink, line, (size_t)length, err);
        }
    }
    if (!status) status = hrr_text_sink_commit(sink, err);
    hrr_text_sink_free(sink);
    hrr_free(path);
    return status;
}

/* Which row is which picture, and how much of it was masked: 0 boxes says that zhat is z. */
static hrr_status write_ids(const embedding *e, const char *directory, hrr_error *err)
{
    hrr_text_sink *sink = NULL;
    char line[64];
    char *path = hrr_path_join(directory, "ids.csv");
    hrr_status status = path ? hrr_text_sink_open(&sink, path, err) : hrr_no_memory(err);
    const char *header = e->masks ? "row,picture,boxes\n" : "row,picture\n";
    if (!status) status = hrr_text_sink_write(sink, header, strlen(header), err);
    for (uint64_t i = 0; i < e->album.n && !status; i++) {
        int length = snprintf(line, sizeof line, "%" PRIu64 ",", i);
        status = hrr_text_sink_write(sink, line, (size_t)length, err);
        if (!status) status = hrr_text_sink_write_field(sink, e->album.pictures[i].name, err);
        length = e->masks ? snprintf(line, sizeof line, ",%zu\n",
                                     hrr_unfinished_boxes(e->unfinished, i)->n)
                          : snprintf(line, sizeof line, "\n");
        if (!status) status = hrr_text_sink_write(sink, line, (size_t)length, err);
    }
    if (!status) status = hrr_text_sink_commit(sink, err);
    hrr_text_sink_free(sink);
    hrr_free(path);
    return status;
}

static hrr_status write_warning(const char *directory, hrr_error *err)
{
    hrr_output *output = NULL;
    char *path = hrr_path_join(directory, "PRIVATE.txt");
    hrr_status status = path ? hrr_output_open(&output, path, err) : hrr_no_memory(err);
    if (!status)
        status = hrr_output_printf(
            output, err,
            "This folder is PRIVATE. It is not a release.\n\nz.npy (features.npy) and zhat.npy "
            "(masked_features.npy) contain embeddings of pictures.\nboxes.csv contains the "
            "positions of faces. ids.csv and node_ids.npy contain file names.\nPictures can be "
            "reconstructed from their embeddings, so do not publish this folder.\nPublish only "
            "a release that is made from it: a release has a certificate, this has none.\n");
    if (!status) status = hrr_output_commit(output, err);
    hrr_output_free(output);
    hrr_free(path);
    return status;
}

/* The rows as a part of the graph, mapped from the unfinished file. */
static hrr_status take_rows(embedding *e, bool masked, hrr_error *err)
{
    hrr_array array = {0};
    hrr_dense rows = {0};
    char *path = hrr_unfinished_array(e->unfinished, masked);
    hrr_status status = path ? hrr_array_read(&array, path, err) : hrr_no_memory(err);
    if (!status) status = hrr_array_into_dense(&rows, &array, path, err);
    if (!status)
        status = masked ? hrr_graph_take_masked_features(e->graph, &rows, err)
                        : hrr_graph_take_features(e->graph, &rows, err);
    hrr_dense_clear(&rows);
    hrr_array_clear(&array);
    hrr_free(path);
    return status;
}

/* The same file under the name that the paper's symbols have: one content, two names. */
static hrr_status link_rows(const char *directory, const char *name, const char *other,
                            hrr_error *err)
{
    char *from = hrr_path_join(directory, name), *to = hrr_path_join(directory, other);
    hrr_status status = from && to ? HRR_OK : hrr_no_memory(err);
    if (!status && link(from, to) != 0 && symlink(name, to) != 0)
        status = hrr_fail(err, HRR_EIO, "%s: cannot be created: %s", to, strerror(errno));
    hrr_free(from);
    hrr_free(to);
    return status;
}

static hrr_status set_provenance(embedding *e, hrr_error *err)
{
    const char *model = strrchr(e->options.model, '/');
    char *text = hrr_format_text("PRIVATE: embeddings of %" PRIu64
                                 " %s by %s, made by heterorr %s embed; not a release",
                                 e->album.n, hrr_plural(e->album.n, "picture", "pictures"),
                                 model ? model + 1 : e->options.model, hrr_version());
    hrr_status status = text ? hrr_graph_set_provenance(e->graph, text, err) : hrr_no_memory(err);
    hrr_free(text);
    return status;
}

static hrr_status write_directory(embedding *e, const char *directory, hrr_progress *progress,
                                  hrr_error *err)
{
    hrr_output_dir *dir = NULL;
    hrr_status status = take_rows(e, false, err);
    if (!status && e->masks) status = take_rows(e, true, err);
    if (!status) status = set_provenance(e, err);
    if (!status)
        status =
            hrr_output_dir_open(&dir, directory, hrr_graph_dir_kind(), e->options.replace, err);
    if (status) goto done;
    const char *staging = hrr_output_dir_staging(dir);
    const hrr_write_options whole = {0};
    if ((status = hrr_native_put_parts(e->graph, staging, &whole, progress, err))) goto done;
    if ((status = link_rows(staging, "features.npy", "z.npy", err))) goto done;
    if (e->masks && (status = link_rows(staging, "masked_features.npy", "zhat.npy", err)))
        goto done;
    if (e->masks && (status = write_boxes(e, staging, err))) goto done;
    if ((status = write_ids(e, staging, err))) goto done;
    if ((status = write_warning(staging, err))) goto done;
    status = hrr_output_dir_commit(dir, err);
done:
    hrr_output_dir_free(dir);
    return status;
}

/* ---- the whole ---------------------------------------------------------------------------------
 */

static hrr_embed_summary summarise(const embedding *e, uint64_t from_before)
{
    hrr_embed_summary summary = {.pictures = e->album.n,
                                 .features = hrr_embedder_n_features(e->embedder),
                                 .from_before = from_before,
                                 .edges = hrr_graph_n_edges(e->graph),
                                 .not_pictures = e->album.not_pictures};
    for (uint64_t i = 0; i < e->album.n && e->masks; i++) {
        const size_t n = hrr_unfinished_boxes(e->unfinished, i)->n;
        summary.boxes += n;
        summary.without_boxes += n == 0;
    }
    return summary;
}

hrr_status hrr_embed(hrr_embed_summary *summary, const char *const *images, size_t n_images,
                     const char *directory, const hrr_embed_options *options,
                     hrr_progress *progress, hrr_error *err)
{
    embedding e = {0};
    uint8_t plan[hrr_sha256_size];
    hrr_status status = HRR_ADOPT(hrr_embed_options, &e.options, options, err);
    if (!status) status = check_options(&e.options, err);
    if (!status)
        status = hrr_output_dir_check(directory, hrr_graph_dir_kind(), e.options.replace, err);
    if (!status) status = hrr_album_read(&e.album, images, n_images, err);
    if (!status) status = make_graph(&e, progress, err);
    if (!status) status = load_networks(&e, err);
    if (!status) status = hash_plan(plan, &e, err);
    if (!status)
        status = hrr_unfinished_open(&e.unfinished, directory, plan, e.album.n,
                                     hrr_embedder_n_features(e.embedder), e.masks,
                                     e.options.replace, err);
    if (status) goto done;
    const uint64_t from_before = hrr_unfinished_count(e.unfinished);
    if ((status = embed_all(&e, progress, err))) goto done;
    if ((status = write_directory(&e, directory, progress, err))) goto done;
    if (summary) *summary = summarise(&e, from_before);
    hrr_unfinished_remove(e.unfinished);
    e.unfinished = NULL;
done:
    clear_embedding(&e);
    return status;
}
