import { describe, expect, it, jest } from '@jest/globals';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { createQueues, sqliteQueue } from '../../../lib/adapters/sqlite/queue.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { keepAddresses } from '../../../lib/papers/found-addresses.ts';
import { systemClock } from '../../../lib/ports/clock.ts';
import type { Article, Papers } from '../../../lib/ports/papers.ts';
import { keepFoundPaper, listKeptPapers } from '../../../lib/research/keep-paper.ts';
import type { Workspace } from '../../../lib/workspaces/schema.ts';
import { MEMBER } from '../../support/agent.ts';
import { makePdf } from '../../support/samples/pdf.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const ARTICLE: Article = {
  ...{ id: '10.5555/owl', title: 'The owl', authors: [], abstract: '', url: 'https://journal.example/owl' },
  ...{ pdfUrl: 'https://journal.example/owl.pdf', publishedDate: null, doi: '10.5555/owl', score: 1 },
  source: 'openalex',
};

async function start(fetch: Papers['fetch']) {
  const database = openDatabase(await tempFolder());
  createQueues(database, [{ name: 'touch', fifo: false, visibilityTimeoutSeconds: 60 }]);
  const stores = { records: sqliteRecords(database), clock: systemClock };
  await keepAddresses(stores, [ARTICLE]);
  const ports = { ...stores, touchQueue: sqliteQueue(database, 'touch'), papers: { fetch } };
  const workspace = { id: '00000000-0000-7000-8000-000000000001', rootPath: await tempFolder() } as Workspace;
  return { ports, workspace, keep: () => keepFoundPaper(ports, MEMBER, workspace, ARTICLE.pdfUrl ?? '') };
}

describe('keepFoundPaper', () => {
  it('is given up when the PDF does not come, and stops asking for it', async () => {
    let given: AbortSignal | undefined;
    const asked = Promise.withResolvers<void>();
    const { keep, workspace } = await start((_address, { signal } = {}) => {
      given = signal;
      asked.resolve();
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    });
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      const kept = expect(keep()).rejects.toMatchObject({
        ...{ status: 502, message: 'the PDF did not come within 80 s' },
      });
      await asked.promise;
      await jest.advanceTimersByTimeAsync(80_000);
      await kept;
    } finally {
      jest.useRealTimers();
    }
    expect(given?.aborted).toBe(true);
    expect(await listKeptPapers(workspace)).toEqual([]);
  });

  it('takes the same bytes under another address for the paper that lies there', async () => {
    const bytes = makePdf(['Owls hunt at night.']);
    const { keep, ports, workspace } = await start(async ({ url }) => {
      return { url, text: 'Owls hunt at night.', bytes, extension: '.pdf' };
    });
    const first = await keep();
    const other = 'https://other.example/owl';
    const twin = { ...ARTICLE, url: other, pdfUrl: `${other}.pdf`, doi: null, id: 'x' };
    await keepAddresses(ports, [twin]);
    const second = await keepFoundPaper(ports, MEMBER, workspace, twin.pdfUrl);
    expect([first.isNew, second.isNew, second.paper]).toEqual([true, false, first.paper]);
    expect(await listKeptPapers(workspace)).toEqual([first.paper]);
  });
});
