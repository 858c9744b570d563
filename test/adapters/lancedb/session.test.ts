import { readdirSync, readlinkSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { lancedbVectors } from '../../../lib/adapters/lancedb/vectors.ts';
import type { PassageRow } from '../../../lib/ports/vectors.ts';
import { eventually } from '../../support/sync.ts';
import { tempFolder } from '../../support/temp-folder.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function row(n: number): PassageRow {
  const place = { startLine: 1, endLine: 1, startChar: 0, endChar: 4 };
  const file = {
    path: `${n % 50}.md`,
    chunk: 0,
    fileHash: `${n}`,
    text: `The owls of number${n} hunt at night. `.repeat(20),
  };
  return { ...file, ...place, part: { unit: 'page', number: 1 }, context: '', vector: null } as PassageRow;
}

const openRemoved = (folder: string) =>
  readdirSync('/proc/self/fd').filter((name) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${name}`);
      return target.startsWith(folder) && target.endsWith(' (deleted)');
    } catch {
      return false;
    }
  }).length;

const ROWS = 45;
/** The number depends on the machine's speed, because versions are kept for half a second. */
const MOST_WRITES = 2000;

/** Writes until enough removed files are open. Nothing refers to the table afterward. */
async function writeOften(folder: string): Promise<void> {
  const limits = { keepVersionsMs: 500, checkSessionMs: 600_000 };
  const table = await lancedbVectors(folder, limits).open('w', 's');
  for (let n = 0; n < ROWS || (openRemoved(folder) <= 5 && n < MOST_WRITES); n++) {
    await table.write([row(n % ROWS)], []);
    await table.maintain();
    await table.searchText('owls', 5);
  }
}

const onLinux = process.platform === 'linux' ? it : it.failing;

describe('session', () => {
  onLinux('closes index files that were removed, and still finds rows', async () => {
    const folder = await tempFolder();
    await writeOften(folder);
    expect(openRemoved(folder)).toBeGreaterThan(5);
    const table = await lancedbVectors(folder, { checkSessionMs: 0 }).open('w', 's');
    expect(await table.searchText('number44', 1)).toMatchObject([{ path: '44.md' }]);
    const open = async () => {
      collectGarbage(); // first the table, then its session
      return openRemoved(folder);
    };
    await eventually(open, (count) => count === 0, 10_000);
  });
});
