import type { StoredRecord } from '../../../lib/ports/records.ts';

/** Limits the bytes of a record to those that show its shape. */
const MAX_BYTES = 6000;
const MAX_OF_KIND = 8;
/** Keeps records with an expiration if it isn't near. */
const ENDS_AFTER = Date.parse('2026-11-20') / 1000;

/** Picks records in which every kind has each of its shapes: which fields with which types. */
export function pickRecords(lines: string): StoredRecord[] {
  const seen = new Map<string, Set<string>>();
  const keys = new Set<string>();
  return lines
    .split('\n')
    .filter((line) => line !== '' && line.length <= MAX_BYTES)
    .map((line) => JSON.parse(neutral(line)) as StoredRecord)
    .filter(isOfService)
    .filter((record) => {
      const shapes = seen.get(kindOf(record)) ?? new Set();
      seen.set(kindOf(record), shapes);
      const shape = JSON.stringify([shapeOf(record.value), record.index !== undefined]);
      const key = JSON.stringify([record.key.partition, record.key.sort]);
      if (keys.has(key) || shapes.has(shape) || shapes.size >= MAX_OF_KIND) return false;
      if ((record.expiresAt ?? ENDS_AFTER) < ENDS_AFTER) return false;
      shapes.add(shape);
      keys.add(key);
      return true;
    });
}

/**
 * Picks one small object of each kind: the first, by the start and end of its key. A text keeps its parts.
 */
export function pickObjects(lines: string): string {
  const small = lines
    .split('\n')
    .filter((line) => line !== '' && line.length <= MAX_BYTES && !line.endsWith('"body":null}'));
  const written = new Map(small.map((line) => [keyIn(line), line]));
  const seen = new Set<string>();
  const picked = [...written].filter(([key]) => {
    const kind = `${key.split('/')[0]} ${/\.\w+$/.exec(key)?.[0]}`;
    const isWhole = !key.endsWith(TEXT) || written.has(partsOf(key));
    if (!isWhole || key.endsWith(PARTS) || seen.has(kind)) return false;
    seen.add(kind);
    return true;
  });
  return picked
    .flatMap(([key, line]) => [line, ...(key.endsWith(TEXT) ? [written.get(partsOf(key)) ?? ''] : [])])
    .map((line) => `${neutral(line)}\n`)
    .join('');
}

const TEXT = '.txt';
const PARTS = '.parts.json';

function partsOf(key: string): string {
  return key.slice(0, -TEXT.length) + PARTS;
}

function keyIn(line: string): string {
  return (JSON.parse(line) as { key: string }).key;
}

/** Tests of the store, and of the writes of later releases, store records of their own. */
function isOfService({ key, value }: StoredRecord): boolean {
  const isMade = key.partition.startsWith('notes#') || key.partition === 'second' || value.later === true;
  return !isMade && !JSON.stringify(value).includes('"more":1');
}

/** The temporary folder of a test must not be in a fixture. */
function neutral(line: string): string {
  return line.replaceAll(/\/tmp\/[^/"\\#]+(\/[^/"\\#]+)?/g, '/srv/data');
}

function kindOf({ key }: StoredRecord): string {
  const word = /^[A-Z_]+(?=#|$)/;
  const [partition, sort] = [word.exec(key.partition)?.[0], word.exec(key.sort)?.[0]];
  return `${partition}/${sort}`;
}

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (value === null || typeof value !== 'object') return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}
