/* Under which names a service is asked, and by pages of which sites; requests that a proxy could
 * read in another way. */
#include "serve/headers.h"
#include "serve/site.h"
#include "support/check.h"

#include <string.h>

static const hrr_site loopback = {.loopback = true, .other_hosts = "graphs.example,other"};
static const hrr_site reached = {.other_hosts = "graphs.example,other"};
static const hrr_site named = {.tls = true};

static void test_site__is_called_by_numbers_and_given_names_alone(void **state)
{
    (void)state;
    static const struct {
        const char *host;
        bool loopback, reached;
    } rows[] = {
        {"localhost", true, true},
        {"LocalHost:8080", true, true},
        {"127.0.0.1:8080", true, true},
        {"127.0.0.2", true, true},
        {"[::1]:7", true, true},
        {"graphs.example:80", true, true},
        {"OTHER", true, true},
        {"192.168.1.5:8080", false, true},
        {"[2001:db8::5]:8080", false, true},
        {"evil.example", false, false},
        {"127.0.0.1.evil.example", false, false},
        {"192.168.1.5.evil.example", false, false},
        {"graphs.example.evil", false, false},
        {"[evil.example]", false, false},
        {"", false, false},
        {":80", false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s\n", rows[i].host);
        assert_int_equal(hrr_site_has_name(&loopback, rows[i].host), rows[i].loopback);
        assert_int_equal(hrr_site_has_name(&reached, rows[i].host), rows[i].reached);
        assert_true(hrr_site_has_name(&named, rows[i].host)); /* the certificate says its name */
    }
    assert_true(hrr_site_has_name(&reached, NULL));
}

static void test_site__answers_its_own_pages_alone(void **state)
{
    (void)state;
    static const struct {
        const char *origin, *host;
        bool is;
    } rows[] = {
        {NULL, "127.0.0.1:8080", true},
        {"http://127.0.0.1:8080", "127.0.0.1:8080", true},
        {"https://Graphs.Example", "127.0.0.1:8080", true}, /* behind a proxy */
        {"http://127.0.0.1:8081", "127.0.0.1:8080", false}, /* another service of the machine */
        {"http://evil.example", "127.0.0.1:8080", false},
        {"http://graphs.example.evil", "127.0.0.1:8080", false},
        {"null", "127.0.0.1:8080", false},
        {"", "127.0.0.1:8080", false},
        {"file://127.0.0.1:8080", "127.0.0.1:8080", false},
        {"http://", "", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s\n", rows[i].origin ? rows[i].origin : "(none)");
        assert_int_equal(hrr_site_is_origin(&reached, rows[i].origin, rows[i].host), rows[i].is);
    }
}

static void test_headers__are_read_in_one_way_or_refused(void **state)
{
    (void)state;
    static const struct {
        const char *header[4], *says;
    } rows[] = {
        {{"host", "a", "Content-Length", "7"}, NULL},
        {{"Transfer-Encoding", "Chunked", "X", "a b"}, NULL},
        {{"Accept", "a", "Accept", "b"}, NULL},
        {{"Content-Length", "7", "content-length", "7"}, "twice"},
        {{"Host", "a", "HOST", "b"}, "twice"},
        {{"Origin", NULL, "Origin", "b"}, "twice"},
        {{"Authorization", "a", "Authorization", "b"}, "twice"},
        {{"Content-Length", "7", "Transfer-Encoding", "chunked"}, "both"},
        {{"Transfer-Encoding", "chunked", "Content-Length", "7"}, "both"},
        {{"Transfer-Encoding", "xchunked", "X", ""}, "chunked"},
        {{"Transfer-Encoding", "gzip, chunked", "X", ""}, "chunked"},
        {{"Transfer-Encoding", "identity", "Content-Length", "7"}, "chunked"},
        {{"Transfer-Encoding ", "chunked", "X", ""}, "name"},
        {{"Content-Length\v", "7", "X", ""}, "name"},
        {{"", "7", "X", ""}, "name"},
        {{"X", "a\rContent-Length: 7", "Y", ""}, "line"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hrr_request_headers headers = {0};
        for (int k = 0; k < 4; k += 2)
            hrr_request_headers_take(&headers, rows[i].header[k], rows[i].header[k + 1]);
        print_message("%s: %s\n", rows[i].header[0], headers.fault ? headers.fault : "");
        assert_int_equal(!headers.fault, !rows[i].says);
        if (rows[i].says) assert_non_null(strstr(headers.fault, rows[i].says));
    }
    hrr_request_headers old = {.is_http_1_0 = true};
    hrr_request_headers_take(&old, "Content-Length", "7");
    assert_null(old.fault);
    old.content_length = NULL;
    hrr_request_headers_take(&old, "Transfer-Encoding", "chunked");
    assert_non_null(strstr(old.fault, "HTTP/1.0"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_site__is_called_by_numbers_and_given_names_alone),
        cmocka_unit_test(test_site__answers_its_own_pages_alone),
        cmocka_unit_test(test_headers__are_read_in_one_way_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
