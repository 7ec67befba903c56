#include "io/listed.h"
#include "io/parquet.h"
#include "io/thrift.h"
#include "base/memory.h"

#include <zlib.h>
#include <zstd.h>

/* ---- round trips ----------------------------------------------------------------------------- */

static const char attributed[] =
    "<graphml><desc>inferred: 4</desc><key id='c' for='node' attr.name='class' attr.type='string'>"
    "<desc>classes: b, c|a</desc></key><key id='f' for='node' attr.name='f' "
    "attr.type='float'/><key "
    "id='s' for='node' attr.name='split' attr.type='string'/><key id='p' for='edge' attr.name="
    "'private' attr.type='boolean'/><graph><node id='x&quot; y'><data key='c'>b, c</data><data "
    "key='f'>.1</data><data key='s'>test</data></node><node id='w'><data key='f'>-2</data><data "
    "key='s'>train</data></node><edge source='w' target='x&quot; y'><data key='p'>1</data></edge>"
    "</graph></graphml>";

static const char labelled[] =
    "<graphml><key id='a' for='node' attr.name='class:x' attr.type='boolean'/><key id='b' "
    "for='node' attr.name='b' attr.type='boolean'/><graph><node id='7'><data key='a'>1</data>"
    "<data key='b'>0</data></node><node id='9'><data key='a'>0</data><data key='b'>1</data>"
    "</node><edge source='7' target='9'/></graph></graphml>";

static void comes_back(void **state, const char *name, const char *text, bool uncompressed)
{
    char path[4096];
    hrr_write_options options;
    hrr_write_options_init(&options);
    options.format = "parquet";
    options.compression = uncompressed ? "none" : NULL;
    options.replace = true;
    write_text(in_dir(*state, name), text);
    hrr_graph *before = read_graph(in_dir(*state, name), NULL);
    snprintf(path, sizeof path, "%s", in_dir(*state, "tables"));
    assert_ok(hrr_graph_write(before, path, &options, NULL, NULL));
    hrr_graph *after = read_graph(path, NULL);
    assert_same_edges(before, after);
    assert_same_bytes(hrr_graph_is_private(before), hrr_graph_is_private(after),
                      hrr_graph_n_edges(before));
    assert_same_dense(hrr_graph_features(before), hrr_graph_features(after));
    assert_int_equal(hrr_graph_feature_lo(before) != NULL, hrr_graph_feature_lo(after) != NULL);
    assert_same_labels(before, after);
    assert_same_ids(before, after);
    assert_same_bytes(hrr_graph_split(before), hrr_graph_split(after), hrr_graph_n_nodes(before));
    assert_int_equal(hrr_graph_inferred(before), hrr_graph_inferred(after));
    hrr_graph_free(before);
    hrr_graph_free(after);
}

static void test_parquet__a_folder_holds_what_graphml_holds(void **state)
{
    comes_back(state, "a.graphml", attributed, false);
    comes_back(state, "a.graphml", attributed, true);
    comes_back(state, "l.graphml", labelled, false);
}

static void test_parquet__edges_alone_are_an_edge_list(void **state)
{
    static const char *const lists[] = {
        "source,target,private\n5,9,1\n9,7,0\n5,5,0\n12,12,1\n", /* 12 is dropped, as of text */
        "source,target\nb,a\nc,a\nd,d\n",
        "source,target,hush\n0,1,1\n", /* hush might mark private edges */
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        write_text(in_dir(*state, "e.csv"), lists[i]);
        hrr_graph *graph = read_graph(in_dir(*state, "e.csv"), NULL);
        assert_comes_back(graph, in_dir(*state, "e.parquet"));
    }
}

static void test_parquet__only_its_own_folder_is_replaced(void **state)
{
    hrr_write_options options;
    hrr_write_options_init(&options);
    options.format = "parquet";
    options.replace = true;
    write_text(in_dir(*state, "e.csv"), "source,target\n0,1\n");
    hrr_graph *graph = read_graph(in_dir(*state, "e.csv"), NULL);
    const char *folder = fresh_dir(state, "mine");
    write_text(in_dir(*state, "mine/edges.parquet"), "my notes");
    assert_int_equal(hrr_graph_write(graph, folder, &options, NULL, NULL), HRR_EINVAL);
    options.format = "mtx";
    options.compression = "none";
    hrr_error err = {0};
    assert_int_equal(hrr_graph_write(graph, in_dir(*state, "x.mtx"), &options, NULL, &err),
                     HRR_EINVAL);
    assert_says(err, "`compression` applies only to Parquet files,");
    hrr_graph_free(graph);
}

static hrr_status write_once(void *user)
{
    void **arguments = user;
    hrr_write_options options;
    hrr_write_options_init(&options);
    options.format = "parquet";
    options.replace = true;
    return hrr_graph_write(arguments[0], arguments[1], &options, NULL, NULL);
}

static hrr_status read_tables(void *user)
{
    hrr_graph *graph;
    hrr_status status = hrr_graph_read(&graph, user, NULL, NULL, NULL);
    hrr_graph_free(graph);
    return status;
}

static void test_parquet__every_allocation_may_fail(void **state)
{
    char path[4096];
    snprintf(path, sizeof path, "%s", in_dir(*state, "tables"));
    write_text(in_dir(*state, "a.graphml"), attributed);
    hrr_graph *graph = read_graph(in_dir(*state, "a.graphml"), NULL);
    void *arguments[] = {graph, path};
    assert_true(brutal(write_once, arguments) > 10);
    assert_true(brutal(read_tables, path) > 20);
    hrr_graph_free(graph);
}

/* ---- files that lie -------------------------------------------------------------------------- */

/* A table whose columns share one page of the integers 0 and 1, with one thing wrong. */
typedef struct lie {
    int64_t rows, group_rows, values, offset, size, codec, encoding, page_rows, page_size, children,
        repetition, type, converted, crc, encrypted, elsewhere, no_pages;
    int64_t entries; /* of a dictionary 0, 1 before the page; 0: there is none */
    const uint8_t *page;
    const char *names[3]; /* the third may be NULL, or is the one that is converted */
} lie;

static const uint8_t zero_and_one[8] = {0, 0, 0, 0, 1, 0, 0, 0};

static const lie truth = {.rows = 2,
                          .group_rows = 2,
                          .values = 2,
                          .page_rows = 2,
                          .page_size = 8,
                          .type = HRR_PARQUET_INT32,
                          .converted = -1,
                          .crc = -1,
                          .page = zero_and_one,
                          .names = {"source", "target", NULL}};

static void put_column(hrr_thrift_out *out, const lie *l, const char *name)
{
    const int column = hrr_thrift_open(out, 0);
    hrr_thrift_put_integer(out, 1, HRR_THRIFT_I32, l->type);
    hrr_thrift_put_integer(out, 3, HRR_THRIFT_I32, l->repetition);
    hrr_thrift_put_text(out, 4, name);
    if (l->children) hrr_thrift_put_integer(out, 5, HRR_THRIFT_I32, l->children);
    if (l->converted >= 0 && (!l->names[2] || name == l->names[2]))
        hrr_thrift_put_integer(out, 6, HRR_THRIFT_I32, l->converted);
    hrr_thrift_close(out, column);
}

static void put_chunk(hrr_thrift_out *out, const lie *l, size_t dictionary, size_t size)
{
    const int chunk = hrr_thrift_open(out, 0);
    if (l->elsewhere) hrr_thrift_put_text(out, 1, "other.parquet");
    hrr_thrift_put_integer(out, 2, HRR_THRIFT_I64, 4);
    const int inside = hrr_thrift_open(out, 3);
    hrr_thrift_put_integer(out, 1, HRR_THRIFT_I32, HRR_PARQUET_INT32);
    hrr_thrift_put_integer(out, 4, HRR_THRIFT_I32, l->codec);
    hrr_thrift_put_integer(out, 5, HRR_THRIFT_I64, l->values);
    hrr_thrift_put_integer(out, 7, HRR_THRIFT_I64, l->no_pages ? 0 : (int64_t)size + l->size);
    hrr_thrift_put_integer(out, 9, HRR_THRIFT_I64, 4 + (int64_t)dictionary + l->offset);
    if (dictionary) hrr_thrift_put_integer(out, 11, HRR_THRIFT_I64, 4);
    hrr_thrift_close(out, inside);
    hrr_thrift_close(out, chunk);
}

/* The header of a page of eight bytes. */
static void put_header(hrr_thrift_out *out, const lie *l, bool dictionary)
{
    const int header = hrr_thrift_open(out, 0);
    hrr_thrift_put_integer(out, 1, HRR_THRIFT_I32,
                           dictionary ? HRR_PARQUET_DICTIONARY_PAGE : HRR_PARQUET_DATA_PAGE);
    hrr_thrift_put_integer(out, 2, HRR_THRIFT_I32, dictionary ? 8 : l->page_size);
    hrr_thrift_put_integer(out, 3, HRR_THRIFT_I32, 8);
    if (l->crc >= 0) hrr_thrift_put_integer(out, 4, HRR_THRIFT_I32, l->crc);
    const int data = hrr_thrift_open(out, dictionary ? 7 : 5);
    hrr_thrift_put_integer(out, 1, HRR_THRIFT_I32, dictionary ? l->entries : l->page_rows);
    hrr_thrift_put_integer(out, 2, HRR_THRIFT_I32, dictionary ? HRR_PARQUET_PLAIN : l->encoding);
    hrr_thrift_close(out, data);
    hrr_thrift_close(out, header);
}

static void put_footer(hrr_thrift_out *out, const lie *l, size_t dictionary, size_t size)
{
    const int n_columns = l->names[2] ? 3 : 2;
    const int footer = hrr_thrift_open(out, 0);
    hrr_thrift_put_integer(out, 1, HRR_THRIFT_I32, 1);
    hrr_thrift_put_list(out, 2, HRR_THRIFT_STRUCT, (uint64_t)n_columns + 1);
    const int root = hrr_thrift_open(out, 0);
    hrr_thrift_put_text(out, 4, "schema");
    hrr_thrift_put_integer(out, 5, HRR_THRIFT_I32, n_columns);
    hrr_thrift_close(out, root);
    for (int i = 0; i < n_columns; i++)
        put_column(out, l, l->names[i]);
    hrr_thrift_put_integer(out, 3, HRR_THRIFT_I64, l->rows);
    hrr_thrift_put_list(out, 4, HRR_THRIFT_STRUCT, 1);
    const int group = hrr_thrift_open(out, 0);
    hrr_thrift_put_list(out, 1, HRR_THRIFT_STRUCT, (uint64_t)n_columns);
    for (int i = 0; i < n_columns; i++)
        put_chunk(out, l, dictionary, size);
    hrr_thrift_put_integer(out, 3, HRR_THRIFT_I64, l->group_rows);
    hrr_thrift_close(out, group);
    if (l->encrypted) {
        const int algorithm = hrr_thrift_open(out, 8);
        hrr_thrift_close(out, algorithm);
    }
    hrr_thrift_close(out, footer);
}

static void append(uint8_t file[1024], size_t *used, const void *bytes, size_t size)
{
    assert_true(*used + size <= 1024);
    memcpy(file + *used, bytes, size);
    *used += size;
}

static void write_lie(const char *path, const lie *l)
{
    hrr_thrift_out first = {0}, page = {0}, out = {0};
    uint8_t file[1024];
    size_t used = 0, dictionary = 0;
    append(file, &used, "PAR1", 4);
    if (l->entries) {
        put_header(&first, l, true);
        append(file, &used, first.bytes, first.size);
        append(file, &used, zero_and_one, 8);
        dictionary = used - 4;
    }
    put_header(&page, l, false);
    append(file, &used, page.bytes, page.size);
    append(file, &used, l->page, 8);
    put_footer(&out, l, dictionary, used - 4);
    append(file, &used, out.bytes, out.size);
    const uint8_t tail[] = {(uint8_t)out.size, (uint8_t)(out.size >> 8), 0, 0, 'P', 'A', 'R', '1'};
    append(file, &used, tail, sizeof tail);
    write_file(path, file, used);
    hrr_free(first.bytes);
    hrr_free(page.bytes);
    hrr_free(out.bytes);
}

/* One member of the truth that is something else. */
static const struct {
    size_t member;
    int64_t value;
    const char *says;
} lies[] = {
#define MEMBER(member) offsetof(lie, member)
    {MEMBER(rows), 3, "its footer cannot be read"},
    {MEMBER(rows), -1, "its footer cannot be read"},
    {MEMBER(group_rows), 3, "a group of rows does not have all columns"},
    {MEMBER(values), 1, "a group of rows does not have all columns"},
    {MEMBER(offset), 1 << 20, "column source is not where the footer says"},
    {MEMBER(offset), -3, "column source is not where the footer says"},
    {MEMBER(size), 1 << 20, "column source is not where the footer says"},
    {MEMBER(size), -4, "the header of a page cannot be read"},
    {MEMBER(no_pages), 1, "it has fewer pages than its footer says"},
    {MEMBER(codec), 4,
     "column source is compressed with brotli, which is not supported; write it with zstd,"},
    {MEMBER(codec), 99, "compressed with an unknown codec,"},
    {MEMBER(codec), HRR_PARQUET_ZSTD, "a page cannot be decompressed"},
    {MEMBER(codec), HRR_PARQUET_SNAPPY, "a page cannot be decompressed"},
    {MEMBER(codec), HRR_PARQUET_GZIP, "a page cannot be decompressed"},
    {MEMBER(encoding), 5, "column source uses the encoding DELTA_BINARY_PACKED, which is not"},
    {MEMBER(encoding), 77, "an unknown encoding"},
    {MEMBER(encoding), HRR_PARQUET_RLE_DICTIONARY, "a page of entries is truncated"},
    {MEMBER(page_rows), 3, "a page has more rows than its group"},
    {MEMBER(page_rows), -1, "a page has more rows than its group"},
    {MEMBER(page_size), 1 << 30, "a page states an impossible size"},
    {MEMBER(page_size), 4, "a page cannot be decompressed"},
    {MEMBER(page_size), -8, "the header of a page cannot be read"},
    {MEMBER(children), 1, "column source contains lists or tables, but only flat tables are"},
    {MEMBER(repetition), HRR_PARQUET_REPEATED, "column source contains lists or tables,"},
    {MEMBER(repetition), 7, "a column has no name or no type"},
    {MEMBER(repetition), HRR_PARQUET_OPTIONAL, "the levels of a page are truncated"},
    {MEMBER(type), 42, "a column has no name or no type"},
    {MEMBER(type), HRR_PARQUET_INT64, "column source is not where the footer says"},
    {MEMBER(converted), 6, "column source contains neither integers nor texts, as ids must"},
    {MEMBER(crc), 1, "a page does not match its checksum"},
    {MEMBER(encrypted), 1, "is encrypted; write it without encryption"},
    {MEMBER(elsewhere), 1, "the pages of column source are in another file"},
#undef MEMBER
};

static void test_parquet__files_that_lie_are_refused(void **state)
{
    const char *path = in_dir(*state, "e.parquet");
    write_lie(path, &truth);
    hrr_graph *graph = read_graph(path, NULL);
    assert_int_equal(hrr_graph_n_nodes(graph), 2);
    hrr_graph_free(graph);
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        lie l = truth;
        memcpy((char *)&l + lies[i].member, &lies[i].value, sizeof lies[i].value);
        write_lie(path, &l);
        assert_refused(path, NULL, HRR_EDATA, path, lies[i].says);
    }
}

/* Entries of two bits: a packed group whose first two are 1 and `second`. */
static void test_parquet__entries_are_those_of_the_dictionary(void **state)
{
    const char *path = in_dir(*state, "e.parquet");
    const struct {
        int64_t entries;
        uint8_t second;
        const char *says; /* NULL: it is read */
    } cases[] = {
        {2, 0, NULL},
        {2, 2, "a row refers to an entry that the dictionary does not have"},
        {2, 3, "a row refers to an entry that the dictionary does not have"},
        {1, 0, "a row refers to an entry that the dictionary does not have"},
        {0, 0, "a row refers to an entry that the dictionary does not have"},
        {3, 0, "a page is shorter than its values"},
        {-1, 0, "a dictionary is shorter than its entries"},
        {INT32_MAX, 0, "a dictionary is shorter than its entries"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint8_t page[8] = {2, 3, (uint8_t)(1 | cases[i].second << 2)};
        lie l = truth;
        l.entries = cases[i].entries;
        l.encoding = HRR_PARQUET_RLE_DICTIONARY;
        l.page = page;
        write_lie(path, &l);
        if (cases[i].says) {
            assert_refused(path, NULL, HRR_EDATA, path, cases[i].says);
            continue;
        }
        hrr_graph *graph = read_graph(path, NULL);
        assert_int_equal(hrr_graph_n_nodes(graph), 2);
        hrr_graph_free(graph);
    }
    const uint8_t wide[8] = {33, 3};
    lie l = truth;
    l.entries = 2;
    l.encoding = HRR_PARQUET_RLE_DICTIONARY;
    l.page = wide;
    write_lie(path, &l);
    assert_refused(path, NULL, HRR_EDATA, path, "a page of entries is truncated");
}

/* Columns that may have no value: four bytes of the length of the levels, and a run of them. */
static void test_parquet__levels_say_which_rows_have_a_value(void **state)
{
    const char *path = in_dir(*state, "e.parquet");
    const struct {
        uint8_t page[8];
        const char *says;
    } cases[] = {
        {{2, 0, 0, 0, 4, 0}, "e.parquet:1: an id is missing"},
        {{2, 0, 0, 0, 4, 1}, "a page is shorter than its values"},
        {{2, 0, 0, 0, 4, 2}, "the levels of a page are truncated"}, /* neither there nor missing */
        {{2, 0, 0, 0, 2, 0}, "the levels of a page are truncated"}, /* of one row */
        {{5, 0, 0, 0, 4, 0}, "the levels of a page are longer than the page"},
        {{255, 255, 255, 255, 4, 0}, "the levels of a page are longer than the page"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lie l = truth;
        l.repetition = HRR_PARQUET_OPTIONAL;
        l.page = cases[i].page;
        write_lie(path, &l);
        assert_refused(path, NULL, HRR_EDATA, path, cases[i].says);
    }
}

/* ---- codecs ---------------------------------------------------------------------------------- */

static void test_parquet__snappy_copies_only_what_there_is(void **state)
{
    (void)state;
    static const struct {
        const char *packed;
        size_t packed_size, size;
        const char *out; /* NULL: refused */
    } cases[] = {
        {"\x04\x0c"
         "abcd",
         6, 4, "abcd"},
        {"\x06\x04"
         "ab\x01\x02",
         6, 6, "ababab"}, /* four bytes from two back: a copy of what it copies */
        {"\x05\x00"
         "a\x0e\x01\x00",
         6, 5, "aaaaa"},
        {"\x05\x00"
         "a\x0f\x01\x00\x00\x00",
         8, 5, "aaaaa"},
        {"\x03\xf0\x02"
         "abc",
         6, 3, "abc"},
        {"\x06\x04"
         "ab\x01\x03",
         6, 6, NULL}, /* begins before the first byte */
        {"\x06\x04"
         "ab\x01\x00",
         6, 6, NULL}, /* from nowhere */
        {"\x05\x04"
         "ab\x01\x02",
         6, 5, NULL}, /* one byte too many */
        {"\x07\x04"
         "ab\x01\x02",
         6, 7, NULL}, /* one too few */
        {"\x07\x04"
         "ab\x01\x02",
         6, 6, NULL}, /* states another size */
        {"\x04\x0c"
         "abc",
         5, 4, NULL}, /* bytes beyond the end */
        {"\x02\x0c"
         "abcd",
         6, 2, NULL}, /* more bytes than there is room for */
        {"\x04\xfc\xff\xff\xff\xff", 6, 4, NULL},
        {"\x04\xf4\xff", 3, 4, NULL},
        {"\x05\x00"
         "a\x0e\x01",
         5, 5, NULL},
        {"\x80\x80\x80\x80\x80\x80", 6, 0, NULL},
        {"", 0, 0, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        /* `packed` ends where its block ends, so that a checker of memory sees a byte too many. */
        uint8_t *packed = malloc(cases[i].packed_size + !cases[i].packed_size);
        uint8_t out[128];
        memset(out, 0xa5, sizeof out);
        memcpy(packed, cases[i].packed, cases[i].packed_size);
        assert_int_equal(hrr_parquet_unpack(out, cases[i].size, packed, cases[i].packed_size,
                                            HRR_PARQUET_SNAPPY),
                         cases[i].out != NULL);
        if (cases[i].out) assert_memory_equal(out, cases[i].out, cases[i].size);
        for (size_t j = cases[i].size; j < sizeof out; j++)
            assert_int_equal(out[j], 0xa5);
        free(packed);
    }
}

/* A page states its size: neither fewer bytes nor more. */
static void test_parquet__a_page_unpacks_to_its_size(void **state)
{
    (void)state;
    uint8_t packed[2][256], out[8];
    uLongf size = sizeof packed[0];
    assert_int_equal(compress(packed[0], &size, (const Bytef *)"abcd", 4), Z_OK);
    const struct {
        int64_t codec;
        const uint8_t *bytes;
        uint64_t size;
    } pages[] = {
        {HRR_PARQUET_GZIP, packed[0], size},
        {HRR_PARQUET_ZSTD, packed[1], ZSTD_compress(packed[1], sizeof packed[1], "abcd", 4, 1)},
        {HRR_PARQUET_UNCOMPRESSED, (const uint8_t *)"abcd", 4},
    };
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        for (uint64_t stated = 0; stated <= sizeof out; stated++)
            assert_int_equal(
                hrr_parquet_unpack(out, stated, pages[i].bytes, pages[i].size, pages[i].codec),
                stated == 4);
        assert_true(hrr_parquet_unpack(out, 4, pages[i].bytes, pages[i].size, pages[i].codec));
        assert_memory_equal(out, "abcd", 4);
        assert_false(hrr_parquet_unpack(out, 4, pages[i].bytes, pages[i].size - 1, pages[i].codec));
    }
}

/* ---- names ----------------------------------------------------------------------------------- */

/* A mark that is read as an id marks nothing: private edges would pass for edges that nobody
 * marked. */
static void test_parquet__a_mark_is_never_an_id(void **state)
{
    const char *path = in_dir(*state, "e.parquet");
    const struct {
        const char *names[3], *says; /* NULL: it is read */
    } cases[] = {
        {{"private", "u", "v"},
         "column private marks private edges, but is in a position where an id is"},
        {{"u", "Private_2", "v"}, "column Private_2 marks private edges"},
        {{"hush", "u", "v"}, "column hush marks private edges"},
        {{"n", "src", "dst"}, "columns 2 and 3 have names of edge ends"},
        {{"src", "dst", "private"}, NULL},
        {{"private", "target", "source"}, NULL},
        {{"a", "b", "hush"}, NULL},
    };
    hrr_read_options options;
    hrr_read_options_init(&options);
    options.private_column = "hush";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lie l = truth;
        hrr_graph *graph;
        hrr_error err = {0};
        memcpy(l.names, cases[i].names, sizeof l.names);
        write_lie(path, &l);
        const bool told = strcmp(l.names[0], "hush") == 0 || strcmp(l.names[2], "hush") == 0;
        const hrr_status status = hrr_graph_read(&graph, path, told ? &options : NULL, NULL, &err);
        assert_int_equal(status, cases[i].says ? HRR_EDATA : HRR_OK);
        if (cases[i].says)
            assert_says(err, cases[i].says);
        else
            assert_int_equal(hrr_graph_marking(graph), HRR_MARKED);
        hrr_graph_free(graph);
    }
}

/* What nobody says is asked about: which edges are private, and which nodes there are. */
static void test_parquet__files_of_others_leave_questions_open(void **state)
{
    const char *path = in_dir(*state, "e.parquet");
    const struct {
        const char *third;
        hrr_marking marking;
        unsigned inferred;
    } cases[] = {
        {NULL, HRR_UNDECIDED, HRR_INFERRED_NODES},
        {"weight", HRR_UNDECIDED, HRR_INFERRED_NODES},
        {"hush", HRR_UNDECIDED, HRR_INFERRED_NODES | HRR_INFERRED_EDGES},
        {"private", HRR_MARKED, HRR_INFERRED_NODES},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lie l = truth;
        l.names[2] = cases[i].third;
        write_lie(path, &l);
        hrr_graph *graph = read_graph(path, NULL);
        assert_int_equal(hrr_graph_marking(graph), cases[i].marking);
        assert_int_equal(hrr_graph_inferred(graph), cases[i].inferred);
        hrr_graph_free(graph);
    }
    lie dates = truth;
    dates.names[2] = "private";
    dates.converted = 6;
    write_lie(path, &dates);
    assert_refused(path, NULL, HRR_EDATA, path, "column private marks edges, so its");
    lie twos = truth;
    const uint8_t page[8] = {0, 0, 0, 0, 2, 0, 0, 0};
    twos.names[2] = "private";
    twos.page = page;
    write_lie(path, &twos);
    assert_refused(path, NULL, HRR_EDATA, "e.parquet:2", "a private mark is neither 0 nor 1");
}

static void test_parquet__a_table_without_rows_has_no_edges(void **state)
{
    const char *path = in_dir(*state, "e.parquet");
    lie l = truth;
    l.rows = l.group_rows = l.values = l.page_rows = 0;
    for (int marked = 0; marked < 2; marked++) {
        l.names[2] = marked ? "private" : NULL;
        write_lie(path, &l);
        assert_refused(path, NULL, HRR_EDATA, path,
                       ": has no edges, and there is no file of nodes beside it");
    }
}

static void test_parquet__more_rows_than_bytes_can_hold_are_refused(void **state)
{
    const char *path = in_dir(*state, "e.parquet");
    lie l = truth;
    l.rows = l.group_rows = l.values = (int64_t)1 << 40;
    write_lie(path, &l);
    assert_refused(path, NULL, HRR_EDATA, path, "more rows than a file of its size can have");
}

static void test_parquet__files_cut_at_any_byte_are_refused(void **state)
{
    size_t size;
    const char *path = in_dir(*state, "e.parquet");
    write_lie(path, &truth);
    char *whole = read_file(path, &size);
    for (size_t cut = 0; cut < size; cut++) {
        write_file(path, whole, cut);
        assert_refused(path, "parquet", HRR_EDATA, path,
                       cut < 4 ? "is not a Parquet file" : "is truncated:");
    }
    memcpy(whole + size - 4, "PARE", 4);
    write_file(path, whole, size);
    assert_refused(path, NULL, HRR_EDATA, path, "is encrypted");
    memcpy(whole + size - 8, "\xff\xff\xff\x7fPAR1", 8);
    write_file(path, whole, size);
    assert_refused(path, NULL, HRR_EDATA, path, "its footer is longer than the file");
    memcpy(whole, "BAR1", 4);
    write_file(path, whole, size);
    assert_refused(path, NULL, HRR_EDATA, path, "does not begin with PAR1");
    free(whole);
}

/* Whatever byte is changed, reading ends, with a graph or with words. */
static void test_parquet__any_byte_may_be_wrong(void **state)
{
    size_t size;
    const char *path = in_dir(*state, "e.parquet");
    write_lie(path, &truth);
    char *whole = read_file(path, &size);
    for (size_t i = 0; i < 8 * size; i++) {
        hrr_graph *graph;
        hrr_error err = {0};
        whole[i / 8] ^= (char)(1 << i % 8);
        write_file(path, whole, size);
        if (hrr_graph_read(&graph, path, NULL, NULL, &err)) assert_true(*err.message != '\0');
        hrr_graph_free(graph);
        whole[i / 8] ^= (char)(1 << i % 8);
    }
    free(whole);
}

static void test_parquet__rows_are_named(void **state)
{
    const char *folder = fresh_dir(state, "both");
    lie nodes = truth;
    nodes.names[0] = "id";
    write_lie(in_dir(*state, "both/edges.parquet"), &truth);
    write_lie(in_dir(*state, "both/nodes.parquet"), &nodes);
    hrr_graph *graph = read_graph(folder, NULL); /* "target" is a feature of nodes */
    assert_int_equal(hrr_graph_n_nodes(graph), 2);
    assert_int_equal(hrr_graph_features(graph)->cols, 1);
    hrr_graph_free(graph);
    nodes.names[0] = "__index_level_0__";
    write_lie(in_dir(*state, "both/nodes.parquet"), &nodes);
    assert_refused(folder, NULL, HRR_EDATA, "nodes.parquet", "is the index of a pandas frame");
    write_text(in_dir(*state, "e.csv"), "source,target\n0,1\n1,7\n");
    graph = read_graph(in_dir(*state, "e.csv"), NULL);
    hrr_write_options options;
    hrr_write_options_init(&options);
    options.replace = true;
    assert_ok(hrr_graph_write(graph, in_dir(*state, "both/edges.parquet"), &options, NULL, NULL));
    hrr_graph_free(graph);
    nodes.names[0] = "id";
    write_lie(in_dir(*state, "both/nodes.parquet"), &nodes);
    assert_refused(folder, NULL, HRR_EDATA, "edges.parquet:2",
                   "an edge names a node that the file does not list");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_parquet__a_folder_holds_what_graphml_holds),
        WITH_SCRATCH(test_parquet__edges_alone_are_an_edge_list),
        WITH_SCRATCH(test_parquet__only_its_own_folder_is_replaced),
        WITH_SCRATCH(test_parquet__every_allocation_may_fail),
        WITH_SCRATCH(test_parquet__files_that_lie_are_refused),
        WITH_SCRATCH(test_parquet__entries_are_those_of_the_dictionary),
        WITH_SCRATCH(test_parquet__levels_say_which_rows_have_a_value),
        cmocka_unit_test(test_parquet__snappy_copies_only_what_there_is),
        cmocka_unit_test(test_parquet__a_page_unpacks_to_its_size),
        WITH_SCRATCH(test_parquet__a_mark_is_never_an_id),
        WITH_SCRATCH(test_parquet__files_of_others_leave_questions_open),
        WITH_SCRATCH(test_parquet__a_table_without_rows_has_no_edges),
        WITH_SCRATCH(test_parquet__more_rows_than_bytes_can_hold_are_refused),
        WITH_SCRATCH(test_parquet__files_cut_at_any_byte_are_refused),
        WITH_SCRATCH(test_parquet__any_byte_may_be_wrong),
        WITH_SCRATCH(test_parquet__rows_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
