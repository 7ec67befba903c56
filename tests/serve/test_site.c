/* Under which names a service is asked, and by pages of which sites. */
#include "serve/site.h"
#include "support/check.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_site__is_called_by_numbers_and_given_names_alone),
        cmocka_unit_test(test_site__answers_its_own_pages_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
