import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const WORDS = [
  '[UNK]',
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

/**
 * A model as people fetch it, made here: an ONNX graph that looks up a vector a word, and its tokenizer. Of known words
 * each has a place of its own, so that texts with the same words are near each other.
 */
export async function writeTinyModel(folder: string): Promise<void> {
  await mkdir(join(folder, 'onnx'), { recursive: true });
  await writeFile(join(folder, 'onnx/model_quantized.onnx'), tinyGraph());
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer()));
  await writeFile(join(folder, 'tokenizer_config.json'), '{}');
}

function tokenizer() {
  return {
    version: '1.0',
    added_tokens: [],
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: null,
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

/** `last_hidden_state = Gather(table, input_ids)`, as onnx.proto writes it. */
function tinyGraph(): Buffer {
  const table = new Float32Array(WORDS.length * DIMENSIONS);
  WORDS.forEach((_, id) => {
    table[id * DIMENSIONS + id] = 1;
  });
  const node = message([
    text(1, 'table'),
    text(1, 'input_ids'),
    text(2, 'last_hidden_state'),
    text(4, 'Gather'),
  ]);
  const initializer = message([
    number(1, WORDS.length),
    number(1, DIMENSIONS),
    number(2, FLOAT),
    text(8, 'table'),
    bytes(9, Buffer.from(table.buffer)),
  ]);
  const graph = message([
    bytes(1, node),
    text(2, 'tiny'),
    bytes(5, initializer),
    bytes(11, value('input_ids', INT64, ['batch', 'length'])),
    bytes(11, value('attention_mask', INT64, ['batch', 'length'])),
    bytes(12, value('last_hidden_state', FLOAT, ['batch', 'length', DIMENSIONS])),
  ]);
  return message([number(1, 8), bytes(7, graph), bytes(8, message([text(1, ''), number(2, 13)]))]);
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
