import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const WORDS = [
  '[UNK]',
  '[CLS]',
  '[SEP]',
  'query',
  'passage',
  ':',
  'owls',
  'hunt',
  'at',
  'night',
  'birds',
  'rivers',
  'flow',
  'sea',
];
const DIMENSIONS = 16;

/** Known words: each has its own dimension in the vectors, other words have none. */
const FIRST_MEANING = WORDS.indexOf('query');

/**
 * A model in the usual format, created here: an ONNX graph that looks up a vector per word, and its
 * tokenizer. Each known word has its own dimension, so that texts with the same words are close to each
 * other.
 */
export async function writeTinyModel(folder: string): Promise<void> {
  await writeModel(folder, embeddingGraph(), null);
}

/** A cross-encoder: its score is the number of common words of the two texts, minus a half. */
export async function writeTinyReranker(folder: string): Promise<void> {
  await writeModel(folder, pairGraph([{ each: 1, bias: -0.5 }]), PAIRS);
}

/** Values that the labels of a tiny entailment model sum up. */
const COLUMNS: Record<string, Column> = {
  entailment: { each: 4, sea: 0 },
  neutral: { each: 0, bias: 6 },
  contradiction: { each: 0, sea: 30 },
};

/**
 * A cross-encoder with labels: `entailment` if the two texts share at least two words, `contradiction` if
 * both contain `sea`. Without names, like a fact-checking model: the second label means entailment.
 */
export async function writeTinyEntailment(folder: string, names?: string[]): Promise<void> {
  const columns = (names ?? ['neutral', 'entailment']).map(
    (name) => COLUMNS[name.toLowerCase()] ?? { each: 0 },
  );
  await writeModel(folder, pairGraph(columns), PAIRS);
  const config = names && { id2label: Object.fromEntries(names.entries()) };
  await writeFile(join(folder, 'config.json'), JSON.stringify({ ...config }));
}

const special = (id: string) => ({ id, ids: [WORDS.indexOf(id)], tokens: [id] });
const piece = (id: 'A' | 'B', type: number) => [
  { Sequence: { id, type_id: type } },
  { SpecialToken: { id: '[SEP]', type_id: type } },
];
const FIRST = { SpecialToken: { id: '[CLS]', type_id: 0 } };
const PAIRS = {
  type: 'TemplateProcessing',
  single: [FIRST, ...piece('A', 0)],
  pair: [FIRST, ...piece('A', 0), ...piece('B', 1)],
  special_tokens: { '[CLS]': special('[CLS]'), '[SEP]': special('[SEP]') },
};

async function writeModel(folder: string, graph: Buffer, postProcessor: object | null): Promise<void> {
  await mkdir(join(folder, 'onnx'), { recursive: true });
  await writeFile(join(folder, 'onnx/model_quantized.onnx'), graph);
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer(postProcessor)));
  await writeFile(join(folder, 'tokenizer_config.json'), '{}');
}

function tokenizer(postProcessor: object | null) {
  return {
    version: '1.0',
    added_tokens: [],
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: postProcessor,
    decoder: null,
    model: {
      type: 'WordPiece',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(WORDS.map((word, id) => [word, id])),
      unk_token: '[UNK]',
    },
  };
}

const INPUTS = ['input_ids', 'attention_mask', 'token_type_ids'];

/** `last_hidden_state = Gather(table, input_ids)`. */
function embeddingGraph(): Buffer {
  const output = value('last_hidden_state', FLOAT, ['batch', 'length', DIMENSIONS]);
  return model([node('Gather', ['table', 'input_ids'], 'last_hidden_state')], [table()], {
    inputs: INPUTS.slice(0, 2),
    output,
  });
}

/** The summands of a number for a pair: one per word in both texts, and a start value. */
interface Column {
  each: number;
  sea?: number;
  bias?: number;
}

/** Sums up the vectors of each text, multiplies the sums, and weights the common words. */
function pairGraph(columns: Column[]): Buffer {
  const nodes = [
    node('Gather', ['table', 'input_ids'], 'words'),
    node('Unsqueeze', ['token_type_ids', 'last'], 'types'),
    node('Cast', ['types'], 'second', [attribute('to', FLOAT)]),
    node('Mul', ['words', 'second'], 'of_second'),
    node('Sub', ['words', 'of_second'], 'of_first'),
    node('ReduceSum', ['of_first', 'middle'], 'sum_of_first', [attribute('keepdims', 0)]),
    node('ReduceSum', ['of_second', 'middle'], 'sum_of_second', [attribute('keepdims', 0)]),
    node('Mul', ['sum_of_first', 'sum_of_second'], 'shared'),
    node('MatMul', ['shared', 'weights'], 'weighed'),
    node('Add', ['weighed', 'bias'], 'logits'),
  ];
  const weights = Array.from({ length: DIMENSIONS }, (_, at) =>
    columns.map(({ each, sea = each }) => (at === WORDS.indexOf('sea') ? sea : each)),
  );
  const constants = [
    table(),
    constant('last', INT64, [1], new BigInt64Array([2n])),
    constant('middle', INT64, [1], new BigInt64Array([1n])),
    constant('weights', FLOAT, [DIMENSIONS, columns.length], new Float32Array(weights.flat())),
    constant('bias', FLOAT, [columns.length], new Float32Array(columns.map(({ bias = 0 }) => bias))),
  ];
  return model(nodes, constants, {
    inputs: INPUTS,
    output: value('logits', FLOAT, ['batch', columns.length]),
  });
}

function table(): Buffer {
  const vectors = new Float32Array(WORDS.length * DIMENSIONS);
  for (let id = FIRST_MEANING; id < WORDS.length; id++) vectors[id * DIMENSIONS + id] = 1;
  return constant('table', FLOAT, [WORDS.length, DIMENSIONS], vectors);
}

/** As onnx.proto defines it. */
function model(
  nodes: Buffer[],
  constants: Buffer[],
  { inputs, output }: { inputs: string[]; output: Buffer },
): Buffer {
  const graph = message([
    ...nodes.map((each) => bytes(1, each)),
    text(2, 'tiny'),
    ...constants.map((each) => bytes(5, each)),
    ...inputs.map((name) => bytes(11, value(name, INT64, ['batch', 'length']))),
    bytes(12, output),
  ]);
  return message([number(1, 8), bytes(7, graph), bytes(8, message([text(1, ''), number(2, 13)]))]);
}

function node(operator: string, inputs: string[], output: string, attributes: Buffer[] = []): Buffer {
  return message([
    ...inputs.map((name) => text(1, name)),
    text(2, output),
    text(3, output),
    text(4, operator),
    ...attributes.map((each) => bytes(5, each)),
  ]);
}

/** An integer. */
function attribute(name: string, at: number): Buffer {
  return message([text(1, name), number(3, at), number(20, 2)]);
}

function constant(
  name: string,
  type: number,
  dims: number[],
  { buffer }: Float32Array<ArrayBuffer> | BigInt64Array<ArrayBuffer>,
): Buffer {
  return message([
    ...dims.map((dim) => number(1, dim)),
    number(2, type),
    text(8, name),
    bytes(9, Buffer.from(buffer)),
  ]);
}

const FLOAT = 1;
const INT64 = 7;

function value(name: string, type: number, dims: (string | number)[]): Buffer {
  const shape = message(
    dims.map((dim) => bytes(1, message([typeof dim === 'number' ? number(1, dim) : text(2, dim)]))),
  );
  return message([text(1, name), bytes(2, message([bytes(1, message([number(1, type), bytes(2, shape)]))]))]);
}

function message(fields: Buffer[]): Buffer {
  return Buffer.concat(fields);
}

function varint(value: number): Buffer {
  const out: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.from([...out, left]);
    out.push((left % 128) + 128);
  }
}

function number(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)]);
}

function bytes(field: number, value: Buffer): Buffer {
  return Buffer.concat([varint(field * 8 + 2), varint(value.length), value]);
}

function text(field: number, value: string): Buffer {
  return bytes(field, Buffer.from(value));
}
