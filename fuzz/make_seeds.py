"""Make the seeds of the array and text fuzz targets: fuzz/seeds/{npy,npz,edges,table,mtx}/.

They are committed; run this again only to change them. zstd seeds need the zstd command."""
import gzip
import io
import pathlib
import subprocess

import numpy as np

SEEDS = pathlib.Path(__file__).resolve().parent / "seeds"

EDGES = {
    "words.csv": b"account_from,account_to,amount\nann,bob,12.5\nbob,eve,\n",
    "no_header.csv": b"ann,bob,2024-01-02\nbob,eve,2023-11-30\n",
    "row_names": b",src,dst\n0,1,2\n",
    "latin_1.csv": b"source,target\nzo\xe9,ann\n",
    "tabs": b"17010\t1943\n17010\t2489\n5\t5\n",
    "marks.csv": b"src,dst,private_005,private_01\n0,0,0,0\n0,372,0,1\n",
    "crlf": b"30 1412\r\n30 3352\r\n",
    "names.csv": b"source,target,private\nalice@example.org,\"Smith, \"\"J\"\"\",1\nbob,bob,0\n",
    "comments": b"\xef\xbb\xbf# a graph\n% \"\n\n1 2 0.5\n9223372036854775807 123456789\n",
    "late_quote": b"1,2\n2,\"3\"\n",
    "regular": b"".join(b"%d,%d\n" % (i * i * 77, i) for i in range(40)),
    "regular_crlf": b"".join(b"%d\t%d\r\n" % (i, i * 99991) for i in range(40)),
    "bars": b"a|b\n1|2\n1;2\n",
}
MTX = {
    "pattern": b"%%MatrixMarket matrix coordinate pattern symmetric\n% c\n4 4 2\n2 1\n4 4\n",
    "real": b"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 -1.5e3\n",
}


def put(target, name, data):
    path = SEEDS / target / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def saved(save, *arrays, **named):
    buffer = io.BytesIO()
    save(buffer, *arrays, **named)
    return buffer.getvalue()


for name, data in EDGES.items():
    put("edges", name, data)
    put("table", name, data)
for name, data in MTX.items():
    put("mtx", name, data)
packed = gzip.compress(EDGES["tabs"], mtime=0)
zstd = subprocess.run(["zstd", "-q", "-c"], input=EDGES["tabs"], capture_output=True, check=True)
for target in "edges", "table":
    put(target, "gz", packed)
    put(target, "two_members.gz", packed + packed)
    put(target, "zst", zstd.stdout)
put("mtx", "gz", gzip.compress(MTX["pattern"], mtime=0))

for kind in "?", "<i4", ">i2", "<f2", ">f8", "|u1", "S3", "<U2":
    array = np.zeros((2, 3), dtype=kind)
    put("npy", "type_" + array.dtype.name, saved(np.save, array))
put("npy", "columns_first", saved(np.save, np.asfortranarray(np.zeros((2, 3), dtype=">f4"))))
put("npy", "scalar", saved(np.save, np.float32(1)))
put("npy", "object", saved(np.save, np.array([None])))
put("npz", "stored", saved(np.savez, a=np.arange(3, dtype="u1"), b=np.zeros((2, 2), ">f4", "F")))
put("npz", "deflated", saved(np.savez_compressed, a=np.zeros(200, "f4"), adj_data=np.arange(3)))
