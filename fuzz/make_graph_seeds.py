"""Make the seeds of the fuzz targets that read graph layouts, and of fuzz_json.

A seed is the files of a layout joined by the line "=====" (see fuzz_files.h). They are committed;
run this again only to change them."""
import gzip
import io
import json
import os
import pathlib
import subprocess
import tempfile

import numpy as np

SEEDS = pathlib.Path(__file__).resolve().parent / "seeds"
CUT = b"\n=====\n"


def put(target, name, *files):
    path = SEEDS / target / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(CUT.join(files))


def npy(values, kind):
    buffer = io.BytesIO()
    np.save(buffer, np.array(values, dtype=kind))
    return buffer.getvalue()


def npz(**arrays):
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


put("json", "all", rb'{"a": [1, -2.5e+3, "x\u00e9\ud83d\ude00\n"], "b": {"c": null}, "d": [true, false]}')
put("json", "numbers", b"[0, -0, 1e5, 0.5E-3, 9223372036854775807]")
put("json", "utf8", '["é中😀"]'.encode())
put("json", "deep", b"[[[[[[{}]]]]]]")

put("native", "classes", b'{"format_version": 1, "name": "g", "n_nodes": 3, "n_edges": 2, "n_features": 2,'
    b'"n_classes": 2, "multilabel": false, "class_names": ["a", "b"]}',
    npy([[0, 1], [1, 2]], "<i4"), npy([0, 1], "u1"), npy([[0, 1], [2, 3], [4, 5]], "<f4"),
    npy([0, 1, -1], "<i4"), npy([0, 1, 2], "u1"), npy([b"x", b"yy", b"z"], "S2"),
    npy([0, 0, 0], "<u4"), npy([[0, 1], [2, 3], [4, 5]], "<f4"), npy([1, 0, 1], "u1"))
put("native", "labels", b'{"n_nodes": 3}', npy([[2, 1, 0], [1, 2, 0]], "<i8"), b"", b"",
    npy([[0, 1], [1, 1], [0, 0]], "u1"), b"", npy([7, 5, 6], "<i8"))
put("native", "shards", b'{"n_nodes": 3, "n_edges": 3, "n_features": 1}', *[b""] * 9,
    npy([[0, 0], [1, 2]], "<i4"), npy([[1], [2]], "<i4"), npy([0, 1], "u1"), npy([1], "u1"),
    npy([[0], [1]], "<f4"), npy([[2]], "<f4"))

CSR = dict(adj_data=np.ones(3, "f4"), adj_indices=np.array([1, 2, 2], "i4"),
           adj_indptr=np.array([0, 2, 3, 3], "i4"), adj_shape=np.array([3, 3]))
put("npzgraph", "sparse", npz(**CSR, attr_data=np.ones(2, "f4"), attr_indices=np.array([0, 1], "i4"),
                              attr_indptr=np.array([0, 1, 2, 2], "i4"), attr_shape=np.array([3, 2]),
                              labels=np.array([0, 1, 0], "i1"), node_names=np.array(["a", "b", "c"]),
                              class_names=np.array(["x", "y"]), idx_train=np.array([0])))
put("npzgraph", "dense", npz(**CSR, attr_matrix=np.zeros((3, 2), "f4"), labels=np.eye(3, 2, dtype="u1"),
                             edge_private=np.array([0, 1, 0], "u1"), split=np.array([0, 1, 2], "u1")))

put("npzgraph", "scipy", npz(format=np.array(b"csr"), data=np.ones(4, "f4"),
                             indices=np.array([1, 0, 2, 1], "i4"), indptr=np.array([0, 1, 3, 4]),
                             shape=np.array([3, 3])))

put("musae", "twitch", b"from,to\n0,1\n1,2\n2,2\n", b'{"0": [1, 5], "2": []}',
    b"id,days,mature,views,partner,new_id\n9,1,True,2,False,0\n8,1,False,2,False,2\n7,1,True,1,True,1\n")
put("musae", "facebook", b"id_1,id_2\n0,1\n", b'{"1": [0, 0]}',
    b'id,facebook_id,page_name,page_type\n0,1,"a, b",tvshow\n1,2,c,company\n')

NODES = (b'{"directed": false, "nodes": [{"id": "b", "val": false, "test": true}, {"id": "a"}],'
         b'"links": [{"source": 0, "target": 1}]}')
put("graphsage", "classes", NODES, b'{"a": 0, "b": 1}', b'{"a": 3, "b": 0}', npy([[1, 2], [3, 4]], "<f8"))
put("graphsage", "labels", b'{"links": [{"target": "a", "source": "b"}], "nodes": [{"id": "a"}, {"id": "b"}]}',
    b'{"b": 0, "a": 1}', b'{"a": [0, 1], "b": [1, 1.0]}')

GRAPH = b'{"nodes": [{"id": 0}, {"id": 1}], "links": [{"source": 0, "target": 1}]}'
PARTS = (npy([[1, 2], [3, 4]], "<f8"), npy([[0, 1], [1, 1]], "u1"), npy([1, 1], "<i8"))
put("ppi", "both", GRAPH, *PARTS, GRAPH, *PARTS)
put("ppi", "one", b"", b"", b"", b"", GRAPH, *PARTS)

EDGES = b"src,dst,private_01,private_02\n0,0,1,1\n0,1,0,1\n"
put("ppicsv", "marks", EDGES, EDGES, EDGES)
put("ppicsv", "features", EDGES, EDGES, EDGES, npy([[1], [2], [3], [4]], "<f4"), npy([1, 1, 2, 2], "<i8"),
    npy([[1], [2]], "<f4"), npy([5, 5], "<i8"))

put("ogb", "nodes", b"0,1\n1,2\n", b"3\n", b"2\n", b"0.5,-1\n1e3,2\n0,0\n", b"1\n0\nnan\n", b"0\n", b"1\n", b"2\n")
put("ogb", "graphs", gzip.compress(b"0,1\n0,1\n", mtime=0), b"2\n2\n", b"1\n1\n", b"", b"0,1\n1,1\n0,0\n1,0\n",
    b"0\n", b"# none\n", b"1\n")

put("graphml", "all", b"<?xml version='1.0'?>\n<graphml><key id='c' for='node' attr.name='class' attr.type='string'>"
    b"<desc>classes: b|a</desc></key><key id='f' for='node' attr.name='x' attr.type='float'><default>1</default></key>"
    b"<key id='s' for='node' attr.name='split' attr.type='string'/><key id='p' for='edge' attr.name='private' "
    b"attr.type='boolean'/><graph edgedefault='directed'><node id='7'><data key='c'>a</data><data key='f'>0.5</data>"
    b"<data key='s'>train</data></node><node id='&#233;'><data key='s'>test</data></node>"
    b"<edge source='7' target='&#233;'><data key='p'>true</data></edge></graph></graphml>")
put("graphml", "labels", b"<g:graphml><g:key id='a' for='node' attr.name='class:0' attr.type='boolean'/>"
    b"<g:key id='t' attr.name='text' attr.type='string'/><g:graph><g:node id='1'><g:data key='a'>1</g:data></g:node>"
    b"<g:node id='0'><g:data key='a'>false</g:data></g:node><g:edge source='0' target='1'/></g:graph></g:graphml>")
put("graphml", "entities", b"<!DOCTYPE graphml [<!ENTITY a 'aa'>]><graphml><graph>&a;</graph></graphml>")
put("graphml", "utf16", "<?xml version='1.0' encoding='utf-16'?><graphml><graph><node id='a'/></graph></graphml>"
    .encode("utf-16"))

put("gexf", "all", b"<?xml version='1.0'?><gexf version='1.2'><graph defaultedgetype='directed'><attributes class='node'>"
    b"<attribute id='0' title='class' type='string'><options>b|a</options></attribute><attribute id='1' title='x' "
    b"type='double'><default>1</default></attribute></attributes><attributes class='edge'><attribute id='0' "
    b"title='private' type='boolean'/></attributes><nodes><node id='7'><attvalues><attvalue for='0' value='a'/><attvalue "
    b"id='1' value='0.5'/></attvalues></node><node id='a'/></nodes><edges><edge source='7' target='a' weight='2'>"
    b"<attvalues><attvalue for='0' value='true'/></attvalues></edge></edges></graph></gexf>")
put("gexf", "labels", b"<gexf><graph><attributes class='node'><attribute id='a' title='class:x' type='boolean'/><attribute "
    b"id='s' title='split' type='string'/></attributes><nodes><node id='1'><attvalues><attvalue for='a' value='1'/><attvalue "
    b"for='s' value='test'/></attvalues></node></nodes></graph></gexf>")


def parquet():
    """Tables as the command (HETERORR) and other programs (HETERORR_NPM: tests/io/test_parquet.py has installed them there)
    write them."""
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "g.graphml").write_bytes((SEEDS / "graphml" / "all").read_bytes())
    for name, options in (("zstd", []), ("plain", ["--compression", "none"])):
        subprocess.run([os.environ["HETERORR"], "convert", folder / "g.graphml", "--to", "parquet", *options, "-o", folder / name],
                       check=True, capture_output=True)
        put("parquet", name, *((folder / name / file).read_bytes() for file in ("edges.parquet", "nodes.parquet")))
    (folder / "t.json").write_text(json.dumps([
        {"name": "source", "type": "STRING", "data": ["a", "b", "a"]}, {"name": "target", "type": "STRING", "data": ["b", "c", "c"]},
        {"name": "private", "type": "BOOLEAN", "data": [True, None, False]}, {"name": "w", "type": "DOUBLE", "data": [1, None, 2]}]))
    names = json.loads(subprocess.run(["node", "oracle.mjs", "write", folder / "t.json", folder], cwd=os.environ["HETERORR_NPM"],
                                      check=True, capture_output=True).stdout)
    for name in names:
        if not ("BROTLI" in name or "LZ4" in name):
            put("parquet", name, (folder / (name + ".parquet")).read_bytes())


parquet()
