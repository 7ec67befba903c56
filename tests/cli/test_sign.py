"""Keys, signed releases, and everything that must not pass for one."""
import json
import os
import shutil
import stat
import subprocess
import unittest

from command import CommandTest

MADE = ["--eps-features", "1"]


class Sign(CommandTest):
    def setUp(self):
        super().setUp()
        self.key, self.pub = self.scratch / "owner.key", self.scratch / "owner.pub"
        self.graph, self.bundle = self.scratch / "graph", self.scratch / "bundle"
        self.name = self.json("keys", "new", "-o", self.scratch / "owner")["key"]
        self.succeeds("generate", "--nodes", "50", "--avg-degree", "4", "--features", "3", "-o", self.graph)

    def sign(self, bundle=None, key=None):
        self.succeeds("protect", self.graph, "-o", bundle or self.bundle, *MADE, "--sign", key or self.key)

    def refused(self, says):
        self.fails(5, "verify", self.bundle, "--signer", self.pub, says=says)

    def test_keys_are_the_owners_alone_and_never_replaced(self):
        self.assertEqual(stat.S_IMODE(self.key.stat().st_mode), 0o600)
        before = self.key.read_bytes(), self.pub.read_bytes()
        self.fails(3, "keys", "new", "-o", self.scratch / "owner", says="never replaced")
        self.key.unlink()
        self.fails(3, "keys", "new", "-o", self.scratch / "owner", says="owner.pub: already exists")
        self.assertFalse(self.key.exists(), "half a pair was left behind")
        self.assertEqual(self.pub.read_bytes(), before[1])

    def test_a_signed_release_says_who(self):
        self.sign()
        self.assertEqual((self.bundle / "certificate.sig").stat().st_size, 64)
        self.assertEqual(json.loads((self.bundle / "certificate.json").read_text())["signer"], self.name)
        self.assertIn(f"by the key {self.name}; heterorr verify BUNDLE --signer PUB",
                      " ".join((self.bundle / "CERTIFICATE.txt").read_text().split()))
        self.assertIn(f"signed with the key {self.name}",
                      self.succeeds("verify", self.bundle, "--signer", self.pub).stdout)
        answer = self.json("verify", self.bundle, "--signer", self.pub)
        self.assertEqual((answer["signed"], answer["signer"]), (True, self.name))
        self.assertIn("was not checked", self.succeeds("verify", self.bundle).stdout)
        answer = self.json("verify", self.bundle)
        self.assertEqual((answer["signed"], answer["signer"]), (True, None))

    def test_openssl_checks_it_too(self):
        if not shutil.which("openssl"):
            self.skipTest("SKIPPED: openssl is not installed")
        self.sign()
        subprocess.run(["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", self.pub, "-rawin", "-in",
                        self.bundle / "certificate.json", "-sigfile", self.bundle / "certificate.sig"],
                       check=True, capture_output=True)

    def test_a_changed_byte_anywhere_is_noticed(self):
        self.sign()
        for path in sorted(self.bundle.iterdir()):
            whole = path.read_bytes()
            for place in {0, len(whole) // 2, len(whole) - 1}:
                damaged = bytearray(whole)
                damaged[place] ^= 1
                path.write_bytes(damaged)
                with self.subTest(file=path.name, place=place):
                    self.refused("do not rely on this bundle")
            path.write_bytes(whole)
        self.succeeds("verify", self.bundle, "--signer", self.pub)

    def test_every_byte_of_the_signature_counts(self):
        self.sign()
        path = self.bundle / "certificate.sig"
        whole = path.read_bytes()
        for place in range(64):
            damaged = bytearray(whole)
            damaged[place] ^= 128
            path.write_bytes(damaged)
            self.assertEqual(subprocess.run([os.environ.get("HETERORR", "heterorr"), "verify", self.bundle, "--signer",
                                             self.pub], capture_output=True).returncode, 5, place)

    def test_a_signature_that_is_missing_or_cut_or_too_long(self):
        self.sign()
        path = self.bundle / "certificate.sig"
        whole = path.read_bytes()
        for wrong in (whole[:63], b"", whole + b"\n"):
            path.write_bytes(wrong)
            self.refused("certificate.sig is not a signature,")
            self.fails(5, "verify", self.bundle, says="certificate.sig is not a signature,")
        path.unlink()
        self.refused("has no signature")
        self.fails(5, "verify", self.bundle, says=f"says that the key {self.name} signed it")
        self.fails(5, "train", self.bundle, "-o", self.scratch / "model", says="has no signature")

    def test_another_signer(self):
        self.succeeds("keys", "new", "-o", self.scratch / "other")
        self.sign(key=self.scratch / "other.key")
        self.refused("somebody else signed it")

    def test_a_certificate_and_files_of_another_release_of_the_same_signer(self):
        other = self.scratch / "other"
        self.sign()
        self.sign(other)
        shutil.copy(self.bundle / "certificate.sig", other)
        self.fails(5, "verify", other, "--signer", self.pub, says="did not sign this certificate")

    def test_a_consistent_forgery(self):
        """Without a signature a forged bundle is whole; with one it is not."""
        self.sign()
        signature = (self.bundle / "certificate.sig").read_bytes()
        self.succeeds("protect", self.graph, "-o", self.bundle, "--eps-features", "9", "--force")
        (self.bundle / "certificate.sig").write_bytes(signature)
        self.succeeds("verify", self.bundle)
        self.refused("did not sign this certificate")

    def test_the_stored_release_keeps_its_signer(self):
        ledger, other = ["--ledger", self.scratch / "ledger"], self.scratch / "other"
        words = ["protect", self.graph, *MADE, *ledger]
        self.succeeds("keys", "new", "-o", other)
        self.succeeds(*words, "-o", self.bundle, "--sign", self.key, "--issuer", "The office")
        copy = [*words, "-o", self.scratch / "copy", "--again"]
        self.fails(2, *copy, "--sign", f"{other}.key", says=f"signed by the key {self.name}, not by")
        self.fails(2, *copy, "--issuer", "Another", says='--issuer is "Another" and its certificate says "The office"')
        self.succeeds(*copy, "--sign", self.key, "--issuer", "The office")
        self.succeeds("verify", self.scratch / "copy", "--signer", self.pub)

    def test_a_release_that_nobody_signed_may_be_signed_when_it_is_given_out_again(self):
        words = ["protect", self.graph, *MADE, "--ledger", self.scratch / "ledger"]
        self.succeeds(*words, "-o", self.bundle)
        self.succeeds(*words, "-o", self.scratch / "copy", "--again", "--sign", self.key)
        self.succeeds("verify", self.scratch / "copy", "--signer", self.pub)

    def test_keys_that_are_none_stop_before_anything_is_charged(self):
        os.makedirs(self.scratch / "home")
        os.environ["XDG_DATA_HOME"] = str(self.scratch / "home")
        wrong = {"nowhere.key": (None, "cannot read the key"), "text.key": ("hello\n", "not a private key"),
                 "empty.key": ("", "not a private key"),
                 "cut.key": (self.key.read_text()[:60], "not a private key"),
                 "public.key": (self.pub.read_text(), "is a public key")}
        for name, (text, says) in wrong.items():
            if text is not None:
                (self.scratch / name).write_text(text)
            for more in ([], ["--dry-run"]):
                self.fails(3, "protect", self.graph, "-o", self.bundle, *MADE, "--sign", self.scratch / name, *more,
                           says=says)
        self.assertEqual(os.listdir(self.scratch / "home"), [])
        self.assertFalse(self.bundle.exists())
        self.sign()
        self.fails(3, "verify", self.bundle, "--signer", self.key, says="is a private key")
        self.fails(3, "verify", self.bundle, "--signer", self.scratch / "text.key", says="not a public key")

    def test_keys_of_another_kind_or_with_a_passphrase(self):
        if not shutil.which("openssl"):
            self.skipTest("SKIPPED: openssl is not installed")
        for algorithm, more, says in (("X25519", [], "of type X25519"), ("RSA", [], "of type RSA"),
                                      ("ED25519", ["-aes256", "-pass", "pass:secret"], "by a passphrase")):
            key = self.scratch / f"{algorithm}.key"
            subprocess.run(["openssl", "genpkey", "-algorithm", algorithm, "-out", key, *more], check=True,
                           capture_output=True)
            self.fails(3, "protect", self.graph, "-o", self.bundle, *MADE, "--sign", key, says=says,
                       stdin=subprocess.DEVNULL)

    def test_an_own_pair_of_openssl_serves(self):
        if not shutil.which("openssl"):
            self.skipTest("SKIPPED: openssl is not installed")
        key, pub = self.scratch / "made.key", self.scratch / "made.pub"
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key], check=True)
        subprocess.run(["openssl", "pkey", "-in", key, "-pubout", "-out", pub], check=True)
        self.sign(key=key)
        self.succeeds("verify", self.bundle, "--signer", pub)

    def test_the_private_key_is_nowhere_in_the_bundle(self):
        self.sign()
        secret = "".join(self.key.read_text().splitlines()[1:-1])
        for path in self.bundle.iterdir():
            self.assertNotIn(secret.encode(), path.read_bytes(), path.name)
        self.assertNotIn("certificate.sig",
                         json.loads((self.bundle / "certificate.json").read_text())["files"])


if __name__ == "__main__":
    unittest.main()
