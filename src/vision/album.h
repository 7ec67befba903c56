/* album.h: which pictures there are, and what each is called. */
#ifndef HRR_VISION_ALBUM_H
#define HRR_VISION_ALBUM_H

#include "graph/name_index.h"

typedef struct hrr_album_picture {
    char *path; /* as it is opened */
    char *name; /* lies in path: what the node is called */
    uint64_t size;
    int64_t changed; /* nanoseconds since 1970 */
} hrr_album_picture;

/* In the order of their names. All zero bytes is none. */
typedef struct hrr_album {
    hrr_album_picture *pictures;
    uint64_t n, room;
    uint64_t not_pictures; /* files passed over, because of their endings */
    hrr_name_index names;
} hrr_album;

/* A directory stands for the files below it that end as pictures do (.jpg .jpeg .png .webp .tif
 * .tiff .gif .bmp .ppm .avif .heic), called by their paths inside it. Hidden files are passed over.
 * A file stands for itself, whatever its ending, and is called by its last part.
 * Errors: HRR_EDATA for two pictures of one name and for none at all, HRR_EIO, HRR_ENOMEM. */
HRR_STATUS hrr_album_read(hrr_album *out, const char *const *paths, size_t n_paths, hrr_error *err);
void hrr_album_clear(hrr_album *album);

#endif
