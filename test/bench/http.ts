import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startService } from '../support/service.ts';
import { createWorkspace } from '../support/sync.ts';
import { measureLoad, percentile, timedEach } from './load.ts';
import { type BenchRow, ms, perSecond } from './table.ts';

/** The cheap requests: listing workspaces under load, and browsing a large directory. */
export async function benchHttp(): Promise<BenchRow[]> {
  const service = await startService({ LOG_LEVEL: 'warn' });
  try {
    const folder = join(service.root, 'large');
    await mkdir(folder, { recursive: true });
    for (let index = 0; index < 5000; index++) await writeFile(join(folder, `file-${index}.txt`), 'x');
    const workspaceId = await createWorkspace(service, 'large');
    const get = async (path: string) => void (await service.call('GET', path));
    await measureLoad(() => get('/api/workspaces'), { concurrency: 10, seconds: 1 });
    const list = await measureLoad(() => get('/api/workspaces'), { concurrency: 10, seconds: 4 });
    const health = await measureLoad(() => get('/api/health'), { concurrency: 10, seconds: 2 });
    const browse = await timedEach(30, () => get(`/api/files/browse?workspaceId=${workspaceId}&path=`));
    return [
      {
        measure: 'GET /api/workspaces, 10 at once',
        ours: perSecond(list.perSecond),
        baseline: `GET /api/health ${perSecond(health.perSecond)}`,
        aim: 'over 2000/s',
        met: list.perSecond > 2000,
      },
      {
        measure: 'browse of 5000 entries, p50',
        ours: ms(percentile(browse, 0.5)),
        baseline: '-',
        aim: 'under 40 ms',
        met: percentile(browse, 0.5) < 40,
      },
    ];
  } finally {
    await service.stop();
  }
}
