import { execFileSync } from 'node:child_process';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRows } from '../../lib/datasets/tables/read-table.ts';
import { type BenchRow, ms } from './table.ts';

const ROWS = 100;
const SIZE = 2 * 1024 ** 3;
const PARQUET = join(import.meta.dirname, '../support/parquet/rows-snappy.parquet');

interface Measured {
  rows: number;
  ms: number;
  /** Growth of the process in megabytes. */
  grownMb: number;
}

/** Measures the time to the first rows of a 2 GB file in a fresh process, and the growth of its memory. */
export async function benchPreview(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'wrs-preview-'));
  try {
    const rows: BenchRow[] = [];
    for (const format of ['jsonl', 'json', 'csv', 'parquet']) {
      const path = join(folder, `train.${format}`);
      await (format === 'parquet' ? makeSparseParquet(path) : makeSparse(path, format));
      rows.push(rowOf(format, measureApart(path)));
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function rowOf(format: string, measured: Measured): BenchRow {
  return {
    measure: `${measured.rows} rows of ${format}, 2 GB`,
    ours: `${ms(measured.ms)}, ${Math.round(measured.grownMb)} MB`,
    baseline: '-',
    aim: 'under 100 ms, 100 MB',
    met: measured.rows > 0 && measured.ms < 100 && measured.grownMb < 100,
  };
}

/** Writes real rows at the start, followed by a hole, because unread parts needn't exist. */
async function makeSparse(path: string, format: string): Promise<void> {
  const row = (id: number) => {
    const text = 'x'.repeat(400);
    if (format === 'csv') return `${id},"${text}"\n`;
    return `${JSON.stringify({ id, text })}${format === 'json' ? ',' : ''}\n`;
  };
  const head = { csv: 'id,text\n', json: '[\n', jsonl: '' }[format] ?? '';
  const handle = await open(path, 'w');
  await handle.write(head + Array.from({ length: 5000 }, (_, id) => row(id)).join(''));
  await handle.truncate(SIZE);
  await handle.close();
}

/** Rows at the start and the footer at the end, with a hole between them. */
async function makeSparseParquet(path: string): Promise<void> {
  const bytes = await readFile(PARQUET);
  const footer = bytes.readUInt32LE(bytes.length - 8) + 8;
  const handle = await open(path, 'w');
  await handle.write(bytes, 0, bytes.length - footer, 0);
  await handle.write(bytes, bytes.length - footer, footer, SIZE - footer);
  await handle.close();
}

function measureApart(path: string): Measured {
  return JSON.parse(execFileSync(process.execPath, [import.meta.filename, path]).toString()) as Measured;
}

async function measure(path: string): Promise<Measured> {
  const format = path.slice(path.lastIndexOf('.') + 1);
  const before = process.memoryUsage.rss();
  const start = performance.now();
  const handle = await open(path);
  const { size } = await handle.stat();
  const { rows } = await readRows({ handle, size }, format, { skip: 0, count: ROWS });
  const taken = performance.now() - start;
  await handle.close();
  const peak = process.resourceUsage().maxRSS * 1024;
  return { rows: rows.length, ms: taken, grownMb: (peak - before) / 1e6 };
}

if (import.meta.main) console.log(JSON.stringify(await measure(process.argv[2] ?? '')));
