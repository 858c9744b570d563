import { open, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { decodeOpus } from '../../lib/adapters/feishu/speech.ts';
import { readRows } from '../../lib/datasets/tables/read-table.ts';
import { ServiceError } from '../../lib/errors.ts';
import { formats } from '../../lib/formats/all-formats.ts';
import { extract } from '../../lib/formats/extract.ts';
import { quotableRuns } from '../../lib/formats/quotable-runs.ts';
import { chunkText } from '../../lib/indexing/read/chunk.ts';
import { samples } from '../lib/formats/samples.ts';
import { mutate } from '../support/samples/mutate.ts';
import { oggOpus } from '../support/samples/ogg-opus.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Mutations of each kind. */
const FILES = Number(process.env.HOSTILE_FILES ?? 40);
const TIMEOUT_MS = 30_000 + FILES * 200;
const PARQUET = resolve(import.meta.dirname, '../support/parquet');
const folder = await tempFolder();

/** Reads this many mutations of a file; reports the seed of any error except a rejection. */
async function readEach(bytes: Uint8Array | string, read: (bytes: Buffer) => Promise<unknown>) {
  const outcomes = { read: 0, refused: 0 };
  for (let seed = 1; seed <= FILES; seed++) {
    try {
      await read(mutate(Buffer.from(bytes), seed));
      outcomes.read += 1;
    } catch (error) {
      if (!(error instanceof ServiceError))
        throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
      outcomes.refused += 1;
    }
  }
  return outcomes;
}

async function readTable(format: string, bytes: Buffer): Promise<void> {
  const path = join(folder, `mutated.${format}`);
  await writeFile(path, bytes);
  const handle = await open(path);
  await readRows({ handle, size: bytes.length }, format, { skip: 0, count: 10 }).finally(() =>
    handle.close(),
  );
}

describe('damaged file is read or rejected, and its reader continues', () => {
  it.each(formats)(
    '$name',
    async (format) => {
      const { read, refused } = await readEach(samples[format.name].bytes, async (bytes) => {
        const extracted = await extract(format, bytes);
        chunkText(extracted);
        await quotableRuns(format, extracted.source);
      });
      expect(read + refused).toBe(FILES);
      const { text } = await extract(format, Buffer.from(samples[format.name].bytes));
      // OCR, not the decoder, finds text in images.
      expect(text).toContain(format.name === 'picture' ? '' : samples[format.name].says);
    },
    TIMEOUT_MS,
  );

  it.each(['none', 'gzip', 'snappy', 'brotli', 'zstd'])(
    'parquet, compressed with %s',
    async (name) => {
      const bytes = await readFile(join(PARQUET, `rows-${name}.parquet`));
      const { read, refused } = await readEach(bytes, (mutated) => readTable('parquet', mutated));
      expect(read + refused).toBe(FILES);
    },
    TIMEOUT_MS,
  );

  it.each([
    ['csv', 'a;"b ""c"" \n";d\n1;2;3\n4;"5\n6";7\n'],
    ['tsv', 'a\tb\n1\t2\n'],
    ['json', '[{"a":[1,2,{"b":null}]},{"a":"\\u00e9\\ud83d"},3]'],
    ['jsonl', '{"a":1}\n{"a":{"b":[1.5e300]}}\n"x"\n'],
  ])(
    '%s',
    async (format, text) => {
      const { read, refused } = await readEach(text.repeat(20), (mutated) => readTable(format, mutated));
      expect(read + refused).toBe(FILES);
    },
    TIMEOUT_MS,
  );

  it(
    'a voice message',
    async () => {
      const { read, refused } = await readEach(oggOpus(1), (mutated) => decodeOpus(mutated));
      expect(read + refused).toBe(FILES);
    },
    TIMEOUT_MS,
  );
});
