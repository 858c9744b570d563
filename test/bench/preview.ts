import { execFileSync } from 'node:child_process';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readParquet } from '../../lib/datasets/tables/parquet.ts';
import { readText } from '../../lib/datasets/tables/text.ts';

/**
 * How long the first 100 rows of a file of 2 GB take in a fresh process, and by how much its memory grows:
 * `node test/bench/preview.ts`, and with `--parquet FILE` (of pyarrow, say) for that file too.
 */
const ROWS = 100;
const SIZE = 2 * 1024 ** 3;

/** Real rows at its beginning, then a hole: what is not read need not be there. */
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

async function measure(path: string): Promise<void> {
  const format = path.slice(path.lastIndexOf('.') + 1);
  const before = process.memoryUsage.rss();
  const start = performance.now();
  const handle = await open(path);
  const { size } = await handle.stat();
  const { rows } =
    format === 'parquet' ? await readParquet(handle, size, ROWS) : await readText(handle, size, format, ROWS);
  const ms = performance.now() - start;
  await handle.close();
  const peak = process.resourceUsage().maxRSS * 1024;
  console.log(
    `${format.padEnd(8)} ${(size / 1e9).toFixed(1)} GB  ${rows.length} rows  ${ms.toFixed(0)} ms  ` +
      `+${((peak - before) / 1e6).toFixed(0)} MB over ${(before / 1e6).toFixed(0)} MB`,
  );
}

const { values } = parseArgs({ options: { parquet: { type: 'string' }, file: { type: 'string' } } });
if (values.file !== undefined) await measure(values.file);
else {
  const folder = await mkdtemp(join(tmpdir(), 'wrs-preview-'));
  try {
    const files = ['jsonl', 'json', 'csv'].map((format) => join(folder, `train.${format}`));
    for (const file of files) await makeSparse(file, file.slice(file.lastIndexOf('.') + 1));
    if (values.parquet !== undefined && (await stat(values.parquet)).isFile()) files.push(values.parquet);
    for (const file of files)
      execFileSync(process.execPath, [import.meta.filename, '--file', file], { stdio: 'inherit' });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
