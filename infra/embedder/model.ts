import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The used parts of onnxruntime-node and @huggingface/tokenizers: they are installed next to the model, not in this package. */
interface Onnx {
  InferenceSession: { create(path: string, options: object): Promise<Session> };
  Tensor: new (type: 'int64', data: BigInt64Array, dims: number[]) => Tensor;
}
interface Session {
  inputNames: readonly string[];
  outputNames: readonly string[];
  run(feeds: Record<string, Tensor>): Promise<Record<string, Tensor>>;
}
interface Tensor {
  data: Float32Array | BigInt64Array;
  dims: readonly number[];
}
interface Tokenizers {
  Tokenizer: new (tokenizer: unknown, config: unknown) => { encode(text: string): { ids: number[] } };
}

/** What this family of models reads of a text; the rest is cut off. A passage has about 300 tokens. */
const MAX_TOKENS = 512;

/** The runtime's own: from 1.29 on it reports every session to its vendor. Ours is older. */
const NO_TELEMETRY = 'ORT_DISABLE_TELEMETRY';

/** Embeds texts as unit vectors, all in one run of the model. */
export type EmbedTexts = (texts: string[]) => Promise<Float32Array[]>;

/** Loads the model in the folder with the runtime next to it: seconds, and some hundred megabytes. */
export async function loadModel(folder: string, threads: number): Promise<EmbedTexts> {
  const require = createRequire(join(folder, 'package.json'));
  process.env[NO_TELEMETRY] = '1';
  const onnx = require('onnxruntime-node') as Onnx;
  const words = require('@huggingface/tokenizers') as Tokenizers;
  const readJson = async (name: string) => JSON.parse(await readFile(join(folder, 'model', name), 'utf8'));
  const tokenizer = new words.Tokenizer(
    await readJson('tokenizer.json'),
    await readJson('tokenizer_config.json'),
  );
  const session = await onnx.InferenceSession.create(join(folder, 'model', 'model.onnx'), {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    // Otherwise kept for the largest batch so far.
    enableCpuMemArena: false,
  });
  return async (texts) => {
    const rows = texts.map((text) => cut(tokenizer.encode(text).ids));
    const output = await session.run(feeds(onnx, session, rows));
    const tensor = output[session.outputNames[0] ?? ''];
    if (tensor === undefined) throw new Error('the model has no output');
    return rows.map((row, index) => unit(pool(tensor, index, row.length)));
  };
}

/** The end of a text has a special meaning for the model, so its last token stays. */
function cut(ids: number[]): number[] {
  return ids.length <= MAX_TOKENS ? ids : [...ids.slice(0, MAX_TOKENS - 1), ...ids.slice(-1)];
}

/** Pads shorter rows with tokens that the mask hides. */
function feeds({ Tensor }: Onnx, { inputNames }: Session, rows: number[][]): Record<string, Tensor> {
  const length = Math.max(...rows.map((row) => row.length));
  const fill = (value: (row: number[], at: number) => number) => {
    const data = new BigInt64Array(rows.length * length);
    for (const [index, row] of rows.entries()) {
      for (let at = 0; at < length; at++) data[index * length + at] = BigInt(value(row, at));
    }
    return new Tensor('int64', data, [rows.length, length]);
  };
  const all: Record<string, () => Tensor> = {
    input_ids: () => fill((row, at) => row[at] ?? 0),
    attention_mask: () => fill((row, at) => (at < row.length ? 1 : 0)),
    token_type_ids: () => fill(() => 0),
  };
  return Object.fromEntries(
    inputNames.map((name) => {
      const make = all[name];
      if (make === undefined) throw new Error(`the model asks for ${name}: it is not one that embeds texts`);
      return [name, make()];
    }),
  );
}

/** Returns the mean over a text's tokens, if the model returns one vector per token. */
function pool({ data, dims }: Tensor, index: number, tokens: number): Float32Array {
  const values = data as Float32Array;
  const size = dims.at(-1) ?? 0;
  if (dims.length === 2) return values.slice(index * size, (index + 1) * size);
  const length = dims[1] ?? 0;
  const sum = new Float32Array(size);
  for (let token = 0; token < tokens; token++) {
    const start = (index * length + token) * size;
    for (let at = 0; at < size; at++) sum[at] = (sum[at] ?? 0) + (values[start + at] ?? 0);
  }
  return sum;
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / (length || 1));
}
