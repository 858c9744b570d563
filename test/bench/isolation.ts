import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRows } from '../../lib/datasets/tables/read-table.ts';
import { readTextRows } from '../../lib/datasets/tables/text.ts';
import { decoders } from '../../lib/formats/all-decoders.ts';
import { decodeSource } from '../../lib/formats/decode-source.ts';
import { pdf } from '../../lib/formats/pdf.ts';
import { peakMegabytes } from '../support/processes/process-memory.ts';
import { parquetBomb, pdfBomb } from '../support/samples/bombs.ts';
import { makePdf } from '../support/samples/pdf.ts';
import { startService } from '../support/service.ts';
import { createWorkspace } from '../support/sync.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { measureLoad, percentile, timed, timedEach } from './load.ts';
import { type BenchRow, ms, perSecond } from './table.ts';

const PAGES = 200;
const MAX_MB = 500;

/** Measures the cost and the benefit of reading untrusted bytes in a separate process. */
export async function benchIsolation(): Promise<BenchRow[]> {
  return [await benchPages(), await benchTable(), ...(await benchBombs())];
}

async function benchPages(): Promise<BenchRow> {
  const bytes = makePdf(Array.from({ length: PAGES }, (_, page) => `page ${page} ${'word '.repeat(400)}`));
  const pagesASecond = async (decode: () => Promise<unknown>) => {
    await decode();
    return (PAGES * 1000) / percentile(await timedEach(8, decode), 0.5);
  };
  const within = await pagesASecond(() => decoders.pdf(bytes));
  const apart = await pagesASecond(() => decodeSource(pdf, bytes));
  return {
    measure: 'PDF pages, in a process of their own',
    ours: perSecond(apart),
    baseline: `within the service ${perSecond(within)}`,
    aim: 'over .7 of it',
    met: apart > 0.7 * within,
  };
}

async function benchTable(): Promise<BenchRow> {
  const path = join(await tempFolder(), 'rows.csv');
  await writeFile(
    path,
    `id,text\n${Array.from({ length: 5000 }, (_, id) => `${id},${'x'.repeat(200)}`).join('\n')}`,
  );
  const handle = await open(path);
  const { size } = await handle.stat();
  const read = async (position: number, length: number) => {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  };
  const first = await timed(() => readRows({ handle, size }, 'csv', { skip: 0, count: 100 }));
  const apart = await timedEach(100, () => readRows({ handle, size }, 'csv', { skip: 0, count: 100 }));
  const within = await timedEach(100, () => readTextRows({ size, read }, 'csv', { skip: 0, count: 100 }));
  await handle.close();
  return {
    measure: '100 rows of CSV, p50 (the first, which starts the process)',
    ours: `${ms(percentile(apart, 0.5))} (${ms(first)})`,
    baseline: `within the service ${ms(percentile(within, 0.5))}`,
    aim: 'under 10 ms',
    met: percentile(apart, 0.5) < 10,
  };
}

/** Measures other users' requests while previews and a sync process files that unpack to gigabytes. */
async function benchBombs(): Promise<BenchRow[]> {
  const service = await startService();
  try {
    for (const [path, bytes] of [
      ['tables/train.parquet', parquetBomb(2047)],
      ...Array.from({ length: 4 }, (_, index) => [`papers/${index}.pdf`, pdfBomb(1500 + index)]),
    ] as [string, Buffer][]) {
      await mkdir(join(service.root, path, '..'), { recursive: true });
      await writeFile(join(service.root, path), bytes);
    }
    const localPath = join(service.root, 'tables');
    const { body } = await service.call<{ id: string }>('POST', '/api/datasets/import-local', { localPath });
    const workspaceId = await createWorkspace(service, 'papers');
    const get = async (path: string) => void (await service.call('GET', path));
    const ask = () => measureLoad(() => get('/api/workspaces'), { concurrency: 2, seconds: 10 });
    const quiet = await ask();
    await service.call('POST', `/api/workspaces/${workspaceId}/sync`);
    const bombs = measureLoad(() => get(`/api/datasets/${body.id}/preview`), { concurrency: 4, seconds: 10 });
    const [busy] = await Promise.all([ask(), bombs]);
    const peak = peakMegabytes(service.pid);
    return [
      {
        measure: 'GET /api/workspaces under bombs, p99',
        ours: ms(busy.p99),
        baseline: `without ${ms(quiet.p99)}`,
        aim: 'under 200 ms',
        met: busy.p99 < 200,
      },
      {
        measure: 'memory of the service under bombs, peak',
        ours: `${Math.round(peak)} MB`,
        baseline: '-',
        aim: `under ${MAX_MB} MB`,
        met: peak < MAX_MB,
      },
    ];
  } finally {
    await service.stop();
  }
}
