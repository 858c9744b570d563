import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/**
 * The parts that we use of onnxruntime-node and @huggingface/tokenizers, which are installed next to the
 * model, not in this package.
 */
interface Onnx {
  InferenceSession: { create(path: string, options: object): Promise<Session> };
  Tensor: new (type: 'int64', data: BigInt64Array, dims: number[]) => Tensor;
}
interface Session {
  inputNames: readonly string[];
  outputNames: readonly string[];
  run(feeds: Record<string, Tensor>): Promise<Record<string, Tensor>>;
}
interface Tokenizers {
  Tokenizer: new (tokenizer: unknown, config: unknown) => Tokenizer;
}
interface Tokenizer {
  encode(
    text: string,
    options: { text_pair?: string; return_token_type_ids: true },
  ): { ids: number[]; token_type_ids?: number[] };
}

export interface Tensor {
  data: Float32Array | BigInt64Array;
  dims: readonly number[];
}

/** The tokens of one text or of a pair of texts, as the model reads them. */
interface Tokens {
  ids: number[];
  /** 1 for each token of a pair's second text. */
  types: number[];
}

export interface OnnxModel {
  /** Returns the number of tokens in a whole text. */
  count(text: string): number;
  /** Returns the tokens. Truncates text that doesn't fit into the model; in a pair, the second text. */
  tokenize(text: string, second?: string): Tokens;
  /** Runs the model once, and returns its first output, one row per input. */
  run(rows: Tokens[]): Promise<Tensor>;
}

/** Maximum tokens of these models; longer input is truncated. A passage has about 300 tokens. */
export const MAX_TOKENS = 512;

/**
 * The runtime's own variable. From 1.29 on, the runtime reports every session to its vendor; our version is
 * older.
 */
const NO_TELEMETRY = 'ORT_DISABLE_TELEMETRY';

/** Returns the number of threads, which leaves one core to the service. */
export function modelThreads(): number {
  return Math.max(1, availableParallelism() - 1);
}

/** Loads a model's files with the packages of a folder, which takes seconds and some hundred megabytes. */
export async function openOnnxModel(packages: string, files: string, threads: number): Promise<OnnxModel> {
  const require = createRequire(join(packages, 'package.json'));
  process.env[NO_TELEMETRY] = '1';
  const onnx = require('onnxruntime-node') as Onnx;
  const { Tokenizer } = require('@huggingface/tokenizers') as Tokenizers;
  const readJson = async (name: string) => JSON.parse(await readFile(join(files, name), 'utf8'));
  const tokenizer = new Tokenizer(await readJson('tokenizer.json'), await readJson('tokenizer_config.json'));
  const session = await onnx.InferenceSession.create(join(files, 'model.onnx'), {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    // The arena would keep the memory of the largest batch so far.
    enableCpuMemArena: false,
  });
  const encode = (text: string, pair: { text_pair?: string } = {}) =>
    tokenizer.encode(text, { ...pair, return_token_type_ids: true });
  return {
    count: (text) => encode(text).ids.length,
    tokenize(text, second) {
      const { ids, token_type_ids } = encode(text, second === undefined ? {} : { text_pair: second });
      return { ids: cut(ids), types: cut(token_type_ids ?? ids.map(() => 0)) };
    },
    async run(rows) {
      const output = await session.run(feeds(onnx, session, rows));
      const tensor = output[session.outputNames[0] ?? ''];
      if (tensor === undefined) throw new Error('The model has no output.');
      return tensor;
    },
  };
}

/** Keeps the last token, because the end of a text has a special meaning for the model. */
function cut(tokens: number[]): number[] {
  return tokens.length <= MAX_TOKENS ? tokens : [...tokens.slice(0, MAX_TOKENS - 1), ...tokens.slice(-1)];
}

/** Pads shorter rows with tokens that the mask hides. */
function feeds({ Tensor }: Onnx, { inputNames }: Session, rows: Tokens[]): Record<string, Tensor> {
  const length = Math.max(...rows.map(({ ids }) => ids.length));
  const fill = (value: (row: Tokens, at: number) => number) => {
    const data = new BigInt64Array(rows.length * length);
    for (const [index, row] of rows.entries()) {
      for (let at = 0; at < length; at++) data[index * length + at] = BigInt(value(row, at));
    }
    return new Tensor('int64', data, [rows.length, length]);
  };
  const all: Record<string, () => Tensor> = {
    input_ids: () => fill(({ ids }, at) => ids[at] ?? 0),
    attention_mask: () => fill(({ ids }, at) => (at < ids.length ? 1 : 0)),
    token_type_ids: () => fill(({ types }, at) => types[at] ?? 0),
  };
  return Object.fromEntries(
    inputNames.map((name) => {
      const make = all[name];
      if (make === undefined)
        throw new Error(`The model needs the input ${name}, which is not supported. Choose another model.`);
      return [name, make()];
    }),
  );
}
