import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { connect, Index, type Table } from '@lancedb/lancedb';
import { lancedbVectors } from '../../../lib/adapters/lancedb/vectors.ts';
import type { PassageRow, PassageTable } from '../../../lib/ports/vectors.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const DIMENSIONS = 64;
const ROWS = 1500;
/** Fewer than the rows' vectors need. */
const FROM_BYTES = 100_000;
const SPACE = 'model-x';

/** Reproducible noise around one of thirty unit vectors. */
function vectorOf(seed: number): Float32Array {
  const noise = (at: number) => Math.sin((seed + 1) * 12.9898 + at * 78.233) * 43_758.5453;
  const vector = Float32Array.from({ length: DIMENSIONS }, (_, at) => {
    const centre = Math.sin((seed % 30) * 7.31 + at * 3.7);
    return centre + 0.8 * (noise(at) - Math.floor(noise(at)) - 0.5);
  });
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function rowOf(seed: number, path = `f${seed}`): PassageRow {
  const place = { startLine: 1, endLine: 1, startChar: 0, endChar: 1 };
  // Some rows lack their vector, as after a failed embedding.
  const vector = seed % 50 === 49 ? null : vectorOf(seed);
  return { path, chunk: 0, fileHash: 'h', text: `text ${seed}`, part: {}, context: '', ...place, vector };
}

const rowsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => rowOf(first + index));

/** Returns the recall: the share of an exact scan's results that the table also finds. */
async function recallOf(table: PassageTable, rows: PassageRow[]): Promise<number> {
  let found = 0;
  for (let query = 0; query < 20; query++) {
    const vector = vectorOf(10_000 + query);
    const score = (row: PassageRow) =>
      row.vector?.reduce((sum, value, at) => sum + value * (vector[at] ?? 0), 0) ?? -1;
    const exact = rows.map((row) => ({ path: row.path, score: score(row) }));
    const best = exact.sort((a, b) => b.score - a.score).slice(0, 50);
    const paths = new Set((await table.searchVector(vector, 50)).map(({ path }) => path));
    found += best.filter(({ path }) => paths.has(path)).length;
  }
  return found / (20 * 50);
}

async function makeTable() {
  const folder = await tempFolder();
  const table = await lancedbVectors(folder, { indexFromBytes: FROM_BYTES }).open('w', SPACE);
  await table.write(rowsFrom(0, ROWS), []);
  return { folder, table, raw: await (await connect(join(folder, 'w'))).openTable(SPACE) };
}

async function vectorIndexOf(raw: Table) {
  await raw.checkoutLatest();
  const index = (await raw.listIndices()).find(({ columns }) => columns.includes('vector'));
  return index && { kind: index.indexType, ...(await raw.indexStats(index.name)) };
}

describe('vector index', () => {
  let made: Awaited<ReturnType<typeof makeTable>>;
  beforeAll(async () => {
    made = await makeTable();
  });

  it('is not built for few vectors', async () => {
    const table = await lancedbVectors(made.folder, { indexFromBytes: ROWS * DIMENSIONS * 4 }).open(
      'w',
      SPACE,
    );
    await table.maintain();
    expect(await vectorIndexOf(made.raw)).toBeUndefined();
    expect(await recallOf(made.table, rowsFrom(0, ROWS))).toBe(1);
  });

  it('finds the results of an exact scan', async () => {
    await made.table.maintain();
    expect(await vectorIndexOf(made.raw)).toMatchObject({ kind: 'IvfRq', numUnindexedRows: 0 });
    expect(await recallOf(made.table, rowsFrom(0, ROWS))).toBeGreaterThan(0.99);
  });

  it('finds new rows and omits deleted ones, before and after maintenance', async () => {
    await made.table.write([rowOf(7777, 'new'), rowOf(8888, 'f3')], [{ path: 'f4', keepBelow: 0 }]);
    const look = async () => {
      const found = [7777, 8888, 4].map(async (seed) => made.table.searchVector(vectorOf(seed), 1));
      return (await Promise.all(found)).map(([best]) => best?.path);
    };
    expect((await look()).slice(0, 2)).toEqual(['new', 'f3']);
    expect((await look())[2]).not.toBe('f4');
    await made.table.maintain();
    expect(await vectorIndexOf(made.raw)).toMatchObject({ kind: 'IvfRq', numUnindexedRows: 0 });
    expect((await look()).slice(0, 2)).toEqual(['new', 'f3']);
    expect((await look())[2]).not.toBe('f4');
  });

  it('is rebuilt when it is fragmented', async () => {
    for (let round = 0; round < 10; round++) {
      await made.table.write([rowOf(20_000 + round)], []);
      await made.table.maintain();
    }
    expect((await vectorIndexOf(made.raw))?.numIndices).toBeLessThan(9);
    expect((await made.table.searchVector(vectorOf(20_003), 1))[0]?.path).toBe('f20003');
  });
});

describe('vector index of the earlier type', () => {
  it('is replaced at the next maintenance, even if an earlier one was killed', async () => {
    const { folder, table, raw } = await makeTable();
    await raw.createIndex('vector', { config: Index.ivfFlat({ distanceType: 'dot' }) });
    expect(await recallOf(table, rowsFrom(0, ROWS))).toBeGreaterThan(0.99);
    await killWhileItMaintains(folder);
    expect(await recallOf(table, rowsFrom(0, ROWS))).toBeGreaterThan(0.99);
    await table.maintain();
    expect(await vectorIndexOf(raw)).toMatchObject({ kind: 'IvfRq', numUnindexedRows: 0 });
    expect(await recallOf(table, rowsFrom(0, ROWS))).toBeGreaterThan(0.99);
  });
});

/** Kills the process as soon as the new index's first file exists. */
async function killWhileItMaintains(folder: string): Promise<void> {
  const program = resolve(import.meta.dirname, '../../support/processes/maintain-process.ts');
  const indices = join(folder, 'w', `${SPACE}.lance`, '_indices');
  const before = existsSync(indices) ? readdirSync(indices).length : 0;
  const child = spawn(process.execPath, [program, folder, 'w', SPACE, String(FROM_BYTES)]);
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  while (child.exitCode === null && readdirSync(indices).length === before) await sleep(1);
  child.kill('SIGKILL');
  await ended;
}
