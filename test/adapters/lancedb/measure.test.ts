import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { measureTables } from '../../../lib/adapters/lancedb/measure.ts';
import { lancedbVectors } from '../../../lib/adapters/lancedb/vectors.ts';
import { dataMeter } from '../../../lib/system/measure-data.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const PLACE = { startLine: 1, endLine: 1, startChar: 0, endChar: 1, part: {}, context: '' };
const TEXT = 'owls hunt at night '.repeat(50);

async function measure(dataDir: string) {
  const { parts } = await dataMeter({
    dataDir,
    folders: [['versions', ['vectors']]],
    measureDatabase: () => ({}),
    measureTables: () => measureTables(join(dataDir, 'vectors')),
    databaseFiles: [],
  })();
  const bytes = new Map(parts.map((part) => [part.name, part.bytes]));
  return { index: bytes.get('index') ?? 0, versions: bytes.get('versions') ?? 0 };
}

describe('measureTables', () => {
  it('distinguishes older versions from the current one, and counts everything as current if a table is damaged', async () => {
    const dataDir = await tempFolder();
    const table = await lancedbVectors(join(dataDir, 'vectors')).open('w', 'lexical');
    expect(await measure(dataDir)).toEqual({ index: 0, versions: 0 });
    for (let at = 0; at < 5; at++) {
      const rows = Array.from({ length: 200 }, (_, chunk) => ({
        ...PLACE,
        chunk,
        text: `${TEXT} ${at} ${chunk}`,
      }));
      await table.write(
        rows.map((row) => ({ ...row, path: 'a.md', fileHash: `h${at}`, vector: null })),
        [],
      );
    }
    const before = await measure(dataDir);
    expect(before.index).toBeGreaterThan(50_000);
    expect(before.versions).toBeGreaterThan(before.index);
    await mkdir(join(dataDir, 'vectors/damaged/lexical.lance/_versions'), { recursive: true });
    await writeFile(join(dataDir, 'vectors/damaged/lexical.lance/_versions/1.manifest'), 'x');
    const after = await measure(dataDir);
    expect(after.versions).toBe(0);
    expect(after.index).toBeGreaterThanOrEqual(before.index + before.versions);
  });
});
