import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, Session } from '@lancedb/lancedb';
import { chooseNearest } from '../../lib/adapters/lancedb/nearest-rows.ts';
import { lancedbVectors } from '../../lib/adapters/lancedb/vectors.ts';
import type { PassageRow, PassageTable } from '../../lib/ports/vectors.ts';
import { residentMegabytes } from '../support/processes/process-memory.ts';
import { clusteredVector, DIMENSIONS } from './dense-vectors.ts';
import { measureLoad, percentile, timed, timedEach } from './load.ts';
import { type BenchRow, ms, perSecond } from './table.ts';

const SIZES = [4000, 40_000];
const AT_ONCE = 5000;
const QUERIES = 20;
const NEAREST = 50;
const SPACE = 'bench';

/** Compares reads, recall, and cost of the vector index with an exact scan of the same table. */
export async function benchVectors(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const size of SIZES) rows.push(...(await benchSize(size)));
  return rows;
}

async function benchSize(size: number): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'wrs-bench-'));
  try {
    const table = await lancedbVectors(folder).open('w', SPACE);
    await fill(table, size);
    const build = await timed(() => table.maintain());
    const session = new Session(256n * 1024n * 1024n, 64n * 1024n * 1024n);
    const stored = await (await connect(join(folder, 'w'), { session })).openTable(SPACE);
    const exact = await look(async (vector) => {
      const search = chooseNearest(stored, vector).bypassVectorIndex().select(['path', '_distance']);
      return search.limit(NEAREST).toArray();
    });
    const opened = await lancedbVectors(folder).open('w', SPACE);
    const ours = await look((vector) => opened.searchVector(vector, NEAREST));
    const recall = share(ours.found, exact.found);
    const what = `${size} x ${DIMENSIONS}`;
    const row = (measure: string, mine: string, baseline: string, aim: string, met: boolean) => ({
      measure: `${what}: ${measure}`,
      ours: mine,
      baseline,
      aim,
      met,
    });
    return [
      row('recall@50', recall.toFixed(3), 'exact scan 1.000', 'at least 0.98', recall >= 0.98),
      row(
        'read a search, warm (cold)',
        `${ours.warm} (${ours.cold})`,
        `exact scan ${exact.warm} (${exact.cold})`,
        'under 2 MB warm',
        Number.parseFloat(ours.warm) < 2,
      ),
      row(
        'p50; 10 at once',
        `${ms(ours.p50)}; ${perSecond(ours.perSecond)}`,
        `exact scan ${ms(exact.p50)}; ${perSecond(exact.perSecond)}`,
        'twice as many',
        ours.perSecond > 2 * exact.perSecond,
      ),
      row(
        'making the index',
        ms(build),
        `memory ${Math.round(residentMegabytes(process.pid))} MB`,
        '-',
        true,
      ),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function look(search: (vector: Float32Array) => Promise<{ path: string }[]>) {
  const found: Set<string>[] = [];
  const ask = async (index: number) => {
    const rows = await search(clusteredVector(1_000_000 + index * 37));
    found[index] = new Set(rows.map(({ path }) => path));
  };
  const cold = await bytesReadBy(() => ask(0));
  await timedEach(QUERIES, ask);
  let times: number[] = [];
  const warm = await bytesReadBy(async () => {
    times = await timedEach(QUERIES, ask);
  });
  let next = 0;
  const { perSecond: rate } = await measureLoad(() => ask(next++ % QUERIES), { concurrency: 10, seconds: 3 });
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  return {
    found,
    cold: megabytes(cold),
    warm: megabytes(warm / QUERIES),
    p50: percentile(times, 0.5),
    perSecond: rate,
  };
}

/** Returns the bytes that this process read from disk or from the page cache, as the kernel counts them. */
async function bytesReadBy(work: () => Promise<void>): Promise<number> {
  const read = () => Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
  const before = read();
  await work();
  return read() - before;
}

function share(found: Set<string>[], wanted: Set<string>[]): number {
  const hits = wanted.map((paths, index) => [...paths].filter((path) => found[index]?.has(path)).length);
  return hits.reduce((sum, each) => sum + each, 0) / (wanted.length * NEAREST);
}

async function fill(table: PassageTable, size: number): Promise<void> {
  for (let start = 0; start < size; start += AT_ONCE) {
    const count = Math.min(AT_ONCE, size - start);
    await table.write(
      Array.from({ length: count }, (_, offset) => passageRow(start + offset)),
      [],
    );
  }
}

function passageRow(index: number): PassageRow {
  const place = { startLine: 1, endLine: 4, startChar: 0, endChar: 600 };
  const vector = clusteredVector(index);
  return {
    path: `${index}.md`,
    chunk: 0,
    fileHash: 'bench',
    text: `text ${index}`,
    part: {},
    context: '',
    ...place,
    vector,
  };
}
