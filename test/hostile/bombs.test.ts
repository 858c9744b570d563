import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Preview } from '../../lib/datasets/schema.ts';
import { peakMegabytes } from '../support/processes/process-memory.ts';
import { officeBomb, officeKinds, parquetBomb, pdfBomb } from '../support/samples/bombs.ts';
import { startService } from '../support/service.ts';
import { createWorkspace, syncWorkspace } from '../support/sync.ts';

const service = await startService();
const PATIENCE_MS = 15 * 60_000;
/** Files of each kind. */
const AT_ONCE = Number(process.env.HOSTILE_FILES ?? 0) > 0 ? 8 : 1;
/** The maximum for a table, in MB. These files take 487 to 575, depending on garbage collection. */
const MAX_SERVICE_MB = 640;

/** Returns whether the response has no row because the time was over before a row was read. */
function isOutOfTime({ rows, notices = [] }: Partial<Preview>): boolean {
  return rows?.length === 0 && notices.some((notice) => notice.startsWith('train.parquet '));
}

async function put(path: string, bytes: Uint8Array | string): Promise<void> {
  await mkdir(join(service.root, path, '..'), { recursive: true });
  await writeFile(join(service.root, path), bytes);
}

describe('files that unpack to gigabytes', () => {
  it('are rejected as tables with a reason, many at once, in limited memory', async () => {
    await put('tables/train.parquet', parquetBomb(2047));
    await put('tables/test.json', `[${'['.repeat(8_000_000)}`);
    const localPath = join(service.root, 'tables');
    const { body } = await service.call<{ id: string }>('POST', '/api/datasets/import-local', { localPath });
    const ask = (split: string) =>
      service.call<Partial<Preview>>('GET', `/api/datasets/${body.id}/preview?split=${split}`);
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => ask('train')));
    // They run one after the other, because on a busy host the last ones would have no time left to be
    // rejected, and would show nothing.
    const shown = answers.filter(({ status, body }) => status !== 409 && !isOutOfTime(body));
    expect(shown).toEqual([]);
    expect(answers[0]?.body).toEqual({
      error: "train.parquet can't be shown. Reading the file takes more than 640 MB of memory.",
    });
    expect((await ask('test')).status).toBeLessThan(500);
    expect(peakMegabytes(service.pid)).toBeLessThan(MAX_SERVICE_MB);
  });

  it(
    'are reported by a sync, which indexes the others',
    async () => {
      for (let number = 0; number < AT_ONCE; number++)
        await put(`papers/${number}.pdf`, pdfBomb(1500 + number));
      for (const kind of officeKinds)
        for (let number = 0; number < AT_ONCE; number++)
          await put(`papers/${number}.${kind}`, officeBomb(kind, 1500 + number));
      await put('papers/lies.docx', officeBomb('docx', 1500, { lies: true }));
      await put('papers/deep.html', '<div>'.repeat(1_000_000));
      await put('papers/wide.html', '<p>&amp;'.repeat(1_200_000));
      await put('papers/owls.md', '# Owls\n\nOwls hunt at night.');
      const id = await createWorkspace(service, 'papers');
      const state = await syncWorkspace(service, id, PATIENCE_MS);
      expect(state.status).toBe('ready');
      // The wide page is indexed if the host reads it within a file's time limit, and otherwise reported.
      const refused = state.errors.filter(({ path }) => path !== 'wide.html');
      expect(refused).toHaveLength(AT_ONCE * (officeKinds.length + 1) + 2);
      const unpacked = state.errors.filter(({ error }) =>
        error.endsWith('unpacks to more than 500 times its size.'),
      );
      expect(unpacked).toHaveLength(AT_ONCE * officeKinds.length);
      const { body } = await service.call<{ path: string }[]>('GET', `/api/workspaces/${id}/search?q=night`);
      expect(body.map(({ path }) => path)).toContain('owls.md');
      expect(peakMegabytes(service.pid)).toBeLessThan(MAX_SERVICE_MB);
    },
    PATIENCE_MS,
  );
});
