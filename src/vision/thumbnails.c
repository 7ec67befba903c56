/* thumbnails.c: small copies of the pictures of a graph's nodes. The whole picture is stretched to
 * a square: what a guess is compared with must not depend on where a network looks. */
#include "vision/thumbnails.h"

#include "vision/album.h"
#include "vision/picture.h"

#include <heterorr/io.h>

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>

void hrr_thumbnails_clear(hrr_thumbnails *thumbnails)
{
    hrr_dense_clear(&thumbnails->pixels);
    *thumbnails = (hrr_thumbnails){0};
}

/* ---- from a file of bytes -------------------------------------------------------------------- */

static hrr_status take_array(hrr_thumbnails *out, uint64_t n, const char *path, uint32_t side,
                             hrr_error *err)
{
    hrr_array array = {0};
    hrr_status status = hrr_array_read(&array, path, err);
    if (status) return status;
    const bool is_colour = array.n_dims == 4 && array.shape[3] == 3;
    const bool fits = array.type == HRR_ARRAY_U8 && (array.n_dims == 3 || is_colour) &&
                      array.shape[1] == array.shape[2] && array.shape[1] > 0 &&
                      array.shape[1] <= UINT16_MAX;
    if (!fits)
        status =
            hrr_fail(err, HRR_EDATA,
                     "%s: pictures must be bytes, n x side x side or n x side x side x 3", path);
    else if (array.shape[0] != n)
        status = hrr_fail(err, HRR_EDATA,
                          "%s: contains %" PRIu64 " pictures, but the graph has %" PRIu64 " nodes",
                          path, array.shape[0], n);
    else if (side && array.shape[1] != side)
        status = hrr_fail(err, HRR_EINVAL,
                          "%s: the pictures have %" PRIu64
                          " pixels per side, which is not the requested size; leave the size out",
                          path, array.shape[1]);
    if (!status) {
        const uint32_t channels = is_colour ? 3 : 1, own = (uint32_t)array.shape[1];
        array.n_dims = 2;
        array.shape[1] = (uint64_t)own * own * channels;
        hrr_dense pixels = {0};
        status = hrr_array_into_dense(&pixels, &array, path, err);
        if (!status) *out = (hrr_thumbnails){pixels, own, channels};
    }
    hrr_array_clear(&array);
    return status;
}

/* ---- from a directory ------------------------------------------------------------------------ */

typedef struct reading {
    const hrr_graph *graph;
    const hrr_vips *vips;
    const hrr_album *album;
    uint32_t side;
    uint8_t *rgb;
} reading;

static hrr_status read_one(const reading *r, uint64_t node, hrr_error *err)
{
    static const hrr_picture_limits limits = {
        .most_pixels = 100 * 1000 * 1000, .most_bytes = UINT64_C(1) << 30, .long_side = 1280};
    const size_t size = (size_t)r->side * r->side * 3;
    char decimal[hrr_decimal_size];
    const char *name = hrr_node_name(decimal, hrr_graph_node_ids(r->graph), node);
    hrr_picture whole = {0}, small = {0};
    uint32_t at;
    if (!hrr_name_index_find(&r->album->names, name, &at))
        return hrr_fail(err, HRR_EDATA, "the picture '%.200s' of node %" PRIu64 " is missing", name,
                        node);
    hrr_status status =
        hrr_picture_read(&whole, r->vips, r->album->pictures[at].path, &limits, err);
    if (!status) status = hrr_picture_resize(&small, r->vips, &whole, r->side, r->side, err);
    if (!status) memcpy(r->rgb + node * size, small.rgb, size);
    hrr_picture_clear(&whole);
    hrr_picture_clear(&small);
    return status;
}

static hrr_status read_all(const reading *r, int threads, hrr_progress *progress, hrr_error *err)
{
    const uint64_t n = hrr_graph_n_nodes(r->graph);
    hrr_status first = HRR_OK;
    hrr_error told = {0};
    atomic_bool stop = false;
    hrr_progress_begin(progress, "reading pictures", n);
#pragma omp parallel for schedule(dynamic, 8) num_threads(hrr_threads(threads))
    for (uint64_t i = 0; i < n; i++) {
        hrr_error mine = {0};
        if (atomic_load(&stop)) continue;
        hrr_status status = read_one(r, i, &mine);
        if (!status) status = hrr_progress_advance(progress, 1, &mine);
        if (!status) continue;
        atomic_store(&stop, true);
#pragma omp critical(hrr_thumbnails_failure)
        if (!first) {
            first = status;
            told = mine;
        }
    }
    if (first && err) *err = told;
    return first;
}

/* Grey pictures lose two channels, in place. */
static uint32_t drop_channels(uint8_t *rgb, uint64_t n_pixels)
{
    for (uint64_t i = 0; i < n_pixels; i++)
        if (rgb[3 * i] != rgb[3 * i + 1] || rgb[3 * i] != rgb[3 * i + 2]) return 3;
    for (uint64_t i = 0; i < n_pixels; i++)
        rgb[i] = rgb[3 * i];
    return 1;
}

static hrr_status read_directory(hrr_thumbnails *out, const hrr_graph *graph, const char *path,
                                 uint32_t side, int threads, hrr_progress *progress, hrr_error *err)
{
    const uint64_t n = hrr_graph_n_nodes(graph), pixels = (uint64_t)side * side;
    hrr_album album = {0};
    hrr_vips *vips = NULL;
    hrr_dense colour = {0};
    hrr_status status = hrr_vips_open(&vips, err);
    if (!status) status = hrr_album_read(&album, &path, 1, err);
    if (!status) status = hrr_dense_init(&colour, HRR_U8, n, pixels * 3, err);
    const reading r = {graph, vips, &album, side, colour.data};
    if (!status) status = read_all(&r, threads, progress, err);
    if (!status) {
        const uint32_t channels = drop_channels(colour.data, n * pixels);
        colour.cols = pixels * channels;
        *out = (hrr_thumbnails){colour, side, channels};
        colour = (hrr_dense){0};
    }
    hrr_dense_clear(&colour);
    hrr_album_clear(&album);
    hrr_vips_close(vips);
    return status;
}

hrr_status hrr_thumbnails_read(hrr_thumbnails *out, const hrr_graph *graph, const char *path,
                               uint32_t side, int threads, hrr_progress *progress, hrr_error *err)
{
    enum { usual_side = 32, largest_side = 1024 };
    struct stat about;
    *out = (hrr_thumbnails){0};
    if (side > largest_side)
        return hrr_fail(err, HRR_EINVAL, "a side of a picture must have 1 to %d pixels",
                        largest_side);
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return read_directory(out, graph, path, side ? side : usual_side, threads, progress, err);
    return take_array(out, hrr_graph_n_nodes(graph), path, side, err);
}

/* ---- as floats ------------------------------------------------------------------------------- */

hrr_status hrr_thumbnails_floats(hrr_dense *out, const hrr_thumbnails *thumbnails, hrr_error *err)
{
    const hrr_dense *from = &thumbnails->pixels;
    hrr_status status = hrr_dense_init(out, HRR_F32, from->rows, from->cols, err);
    for (uint64_t i = 0; !status && i < from->rows * from->cols; i++)
        ((float *)out->data)[i] = (float)((const uint8_t *)from->data)[i] / 255;
    return status;
}
