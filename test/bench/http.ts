import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startService } from '../support/service.ts';
import { createWorkspace } from '../support/sync.ts';
import { percentile, timedEach } from './load.ts';
import { type BenchRow, ms } from './table.ts';

/** Measures browsing in a large directory. */
export async function benchHttp(): Promise<BenchRow[]> {
  const service = await startService({ LOG_LEVEL: 'warn' });
  try {
    const folder = join(service.root, 'large');
    await mkdir(folder, { recursive: true });
    for (let index = 0; index < 5000; index++) await writeFile(join(folder, `file-${index}.txt`), 'x');
    const workspaceId = await createWorkspace(service, 'large');
    const get = async (path: string) => void (await service.call('GET', path));
    const browse = await timedEach(30, () => get(`/api/files/browse?workspaceId=${workspaceId}&path=`));
    return [
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
