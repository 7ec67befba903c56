// Runs a network: node run.js MODEL.onnx REQUEST.json OUT. The request has `nodes` (numbers), or `features` (a file of
// float32) and `dims`, or both. Each output becomes the file OUT-NAME, raw.
const fs = require('fs');
const ort = require('onnxruntime-node');

async function main([model, request, out]) {
  const asked = JSON.parse(fs.readFileSync(request, 'utf8'));
  const feeds = {};
  if (asked.nodes)
    feeds.nodes = new ort.Tensor('int64', BigInt64Array.from(asked.nodes.map(BigInt)), [asked.nodes.length]);
  if (asked.features) {
    const bytes = fs.readFileSync(asked.features);
    feeds.features = new ort.Tensor('float32', new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)),
                                    asked.dims);
  }
  const session = await ort.InferenceSession.create(model, { intraOpNumThreads: 1 });
  const said = await session.run(feeds);
  const told = { inputs: session.inputNames };
  for (const [name, tensor] of Object.entries(said)) {
    const { buffer, byteOffset, byteLength } = tensor.data;
    fs.writeFileSync(`${out}-${name}`, Buffer.from(buffer, byteOffset, byteLength));
    told[name] = { type: tensor.type, dims: tensor.dims };
  }
  console.log(JSON.stringify(told));
}

main(process.argv.slice(2)).catch((error) => { console.error(error); process.exit(1); });
