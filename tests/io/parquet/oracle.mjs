// Two other implementations of Parquet: hyparquet (JavaScript) and arrow-rs (as parquet-wasm).
//   node oracle.mjs read FILE...          each file as both see it: JSON [{hyparquet: {column: values}, arrow: ...}, ...]
//   node oracle.mjs write TABLE.json DIR  the table as both write it, in every way that they offer: prints the names
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { parquetWriteBuffer } from 'hyparquet-writer';
import init, * as wasm from 'parquet-wasm/esm';
const require = createRequire(import.meta.url);
const arrow = require('apache-arrow');
await init({ module_or_path: fs.readFileSync(require.resolve('parquet-wasm/esm/parquet_wasm_bg.wasm')) });

const plain = value => (typeof value === 'bigint' ? Number(value) : value === undefined ? null : value);

const readJavaScript = async bytes => {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  const columns = Object.fromEntries(parquetMetadata(file).schema.slice(1).map(e => [e.name, []]));
  for (const row of await parquetReadObjects({ file, compressors }))
    for (const name of Object.keys(columns)) columns[name].push(plain(row[name]));
  return columns;
};

const readArrow = bytes => {
  const table = arrow.tableFromIPC(wasm.readParquet(new Uint8Array(bytes)).intoIPCStream());
  return Object.fromEntries(table.schema.fields.map(field =>
    [field.name, [...table.getChild(field.name)].map(plain)]));
};

const arrowTypes = {
  INT32: () => new arrow.Int32(), INT64: () => new arrow.Int64(), FLOAT: () => new arrow.Float32(),
  DOUBLE: () => new arrow.Float64(), BOOLEAN: () => new arrow.Bool(), STRING: () => new arrow.Utf8(),
};

const writeAll = (columns, folder) => {
  const names = [];
  const put = (name, bytes) => {
    fs.writeFileSync(path.join(folder, name + '.parquet'), Buffer.from(bytes));
    names.push(name);
  };
  const data = columns.map(c => ({ ...c, data: c.type === 'INT64' ? c.data.map(x => (x === null ? x : BigInt(x))) : c.data }));
  for (const codec of ['UNCOMPRESSED', 'SNAPPY'])
    put(`hyparquet-${codec}`, new Uint8Array(parquetWriteBuffer({ columnData: data, codec, rowGroupSize: 70 })));
  const vectors = Object.fromEntries(data.map(c => [c.name, arrow.vectorFromArray(c.data, arrowTypes[c.type]())]));
  const stream = arrow.tableToIPC(new arrow.Table(vectors), 'stream');
  for (const codec of ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'ZSTD', 'BROTLI', 'LZ4_RAW'])
    for (const version of ['V1', 'V2'])
      for (const dictionary of [true, false]) {
        let properties = new wasm.WriterPropertiesBuilder().setCompression(wasm.Compression[codec]).setDictionaryEnabled(dictionary)
          .setWriterVersion(wasm.WriterVersion[version]).setMaxRowGroupSize(70).setDataPageSizeLimit(64)
          .setWriteBatchSize(16);
        if (!dictionary) properties = properties.setEncoding(wasm.Encoding.PLAIN);
        put(`arrow-${codec}-${version}-${dictionary ? 'dictionary' : 'plain'}`,
          wasm.writeParquet(wasm.Table.fromIPCStream(stream), properties.build()));
      }
  return names;
};

const [verb, ...words] = process.argv.slice(2);
if (verb === 'read') {
  const seen = [];
  for (const file of words) {
    const bytes = fs.readFileSync(file);
    seen.push({ hyparquet: await readJavaScript(bytes), arrow: readArrow(bytes) });
  }
  console.log(JSON.stringify(seen));
} else {
  console.log(JSON.stringify(writeAll(JSON.parse(fs.readFileSync(words[0])), words[1])));
}
