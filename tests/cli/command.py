"""What the tests of the command share: running it, a scratch directory, and the real data."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HETERORR = os.environ.get("HETERORR", "heterorr")
SANITIZED = "HETERORR_SANITIZED" in os.environ  # tests/CMakeLists.txt says what then is done less often
DATA = pathlib.Path(os.environ.get("HETERORR_DATA", "../shared/data"))


def heterorr(*words, **options):
    """Run the command; the result has returncode, stdout and stderr (text)."""
    options.setdefault("timeout", 900)  # sanitizers on a busy machine; CTest stops what hangs
    options.setdefault("stdout", subprocess.PIPE)
    done = subprocess.run([HETERORR, *map(str, words)], stderr=subprocess.PIPE,
                          encoding="utf-8", errors="surrogateescape", **options)
    for said in (done.stdout, done.stderr):  # whatever the test is about
        assert "(null)" not in (said or ""), f"{words}: printed a missing text: {said}"
    return done


def ls(directory):
    """What is in it, also if it comes and goes."""
    try:
        return os.listdir(directory)
    except OSError:  # gone meanwhile
        return []


def mechanisms(kind):
    """The names in a table of mechanisms: features, edges or trees."""
    return [row["name"] for row in json.loads(heterorr("help", "mechanisms", "--json").stdout)[kind]]


def for_a_service():
    """The environment of a service under the sanitizers: it is confined, so leaks cannot be looked for when it ends. The C
    tests of serve/ look for them."""
    return {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}


class CommandTest(unittest.TestCase):
    """A scratch directory for each test, and assertions that show what the command said."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="heterorr-cli-")
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)
        # A ledger for each test: nobody's own is charged, and no test knows of another's releases.
        home = tempfile.TemporaryDirectory(prefix="heterorr-data-")
        self.addCleanup(home.cleanup)
        os.environ["XDG_DATA_HOME"] = home.name

    def start(self, *words, **options):
        """Run it in the background; the end of the test is its end, whatever happens."""
        process = subprocess.Popen([HETERORR, *map(str, words)], **options)

        def end():
            process.kill()
            process.wait()
            for stream in (process.stdout, process.stderr):
                if stream:
                    stream.close()

        self.addCleanup(end)
        return process

    def succeeds(self, *words, **options):
        done = heterorr(*words, **options)
        self.assertEqual(done.returncode, 0, f"{words}: {done.stderr}")
        return done

    def json(self, *words, **options):
        """The one object that the command prints with --json."""
        return json.loads(self.succeeds(*words, "--json", **options).stdout)

    def fails(self, code, *words, says="", **options):
        """It exits with code, explains itself in one line, and says the same in JSON."""
        done = heterorr(*words, **options)
        self.assertEqual(done.returncode, code, f"{words}: {done.stdout} {done.stderr}")
        self.assertIn("heterorr: error: ", done.stderr)
        self.assertIn(says, done.stderr)
        again = heterorr(*words, "--json", **options)
        self.assertEqual(again.returncode, code, f"{words}: {again.stdout} {again.stderr}")
        answer = json.loads(again.stdout)
        self.assertEqual(list(answer), ["error"], again.stdout)
        self.assertIn(says, answer["error"]["message"])
        self.assertTrue(answer["error"]["code"])
        self.assertNotRegex(done.stderr, "`[a-z0-9_.]+`", "a field of the library instead of an option")
        return done

    def names(self):
        """What the scratch directory holds, hidden files too."""
        return sorted(os.listdir(self.scratch))


def skip_all(reason):
    """Loudly: a test that could not run is never reported as passed."""
    print(f"SKIPPED: {reason}", file=sys.stderr)
    sys.exit(77)
