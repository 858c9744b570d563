import { ownValue } from '../../text/own-value.ts';

const ENDINGS: Record<string, string> = {
  jsonl: 'jsonl ndjson',
  json: 'json',
  csv: 'csv',
  tsv: 'tsv',
  parquet: 'parquet',
  arrow: 'arrow feather',
  tar: 'tar',
  zip: 'zip',
  text: 'txt md',
  code: 'py',
  safetensors: 'safetensors',
  binary: 'bin',
  pytorch: 'pt pth',
  gguf: 'gguf',
};

const FORMATS = new Map(
  Object.entries(ENDINGS).flatMap(([format, endings]) =>
    endings.split(' ').map((ending): [string, string] => [ending, format]),
  ),
);

/** Returns the format of a file, by its name. */
export function datasetFormatOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return FORMATS.get(name.slice(name.lastIndexOf('.') + 1)) ?? 'other';
}

const TABLES = ['jsonl', 'json', 'csv', 'tsv', 'parquet'];

/** Returns whether a format's rows can be counted and shown. */
export function isTable(format: string): boolean {
  return TABLES.includes(format);
}

/** Returns whether a file may contain a split's rows, unlike a README named after a split. */
function isData(format: string): boolean {
  return isTable(format) || ['arrow', 'tar', 'zip', 'text'].includes(format);
}

const ALIASES: Record<string, string> = {
  train: 'train',
  training: 'train',
  valid: 'valid',
  validation: 'valid',
  val: 'valid',
  dev: 'valid',
  test: 'test',
  testing: 'test',
  eval: 'test',
};
/**
 * Matches folders that only contain others: `data/train-00000-of-00001.parquet` is the split train, not
 * data/train.
 */
const PLAIN_FOLDER = 'data';

/**
 * Returns a file's split: a folder named after a split, or the start of the file's name. The folders above it
 * are a configuration: `en/train`. If neither names a split, it is `default`.
 */
export function splitOf(path: string): string {
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  const at = folders.findIndex((folder) => aliasOf(folder) !== undefined);
  const split = at >= 0 ? aliasOf(folders[at] ?? '') : splitOfName(name, datasetFormatOf(path));
  if (split === undefined) return 'default';
  const above = (at >= 0 ? folders.slice(0, at) : folders).filter((folder) => folder !== PLAIN_FOLDER);
  return [...above, split].join('/');
}

function splitOfName(name: string, format: string): string | undefined {
  if (!isData(format)) return undefined;
  const [, word = ''] = /^([a-z]+)(?![a-z])/i.exec(name) ?? [];
  return aliasOf(word);
}

function aliasOf(word: string): string | undefined {
  return ownValue(ALIASES, word.toLowerCase());
}

/** Normalizes a split's name: `en/validation` is `en/valid`. */
export function canonicalSplit(split: string): string {
  const parts = split.split('/');
  const last = parts.pop() ?? '';
  return [...parts, aliasOf(last) ?? last].join('/');
}
