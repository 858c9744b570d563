import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { createQueues, sqliteQueue } from '../../../lib/adapters/sqlite/queue.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { storeAddresses } from '../../../lib/papers/found-addresses.ts';
import { systemClock } from '../../../lib/ports/clock.ts';
import type { Article, Papers } from '../../../lib/ports/papers.ts';
import { listSavedPapers, saveFoundPaper } from '../../../lib/research/save-paper.ts';
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
  await storeAddresses(stores, [ARTICLE]);
  const ports = { ...stores, touchQueue: sqliteQueue(database, 'touch'), papers: { fetch } };
  const workspace = { id: '00000000-0000-7000-8000-000000000001', rootPath: await tempFolder() } as Workspace;
  return { ports, workspace, keep: () => saveFoundPaper(ports, MEMBER, workspace, ARTICLE.pdfUrl ?? '') };
}

describe('saveFoundPaper', () => {
  it("gives up if the PDF can't be downloaded, and stops retrying it", async () => {
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
        ...{ status: 502, message: 'The PDF did not arrive within 80 s. Try again.' },
      });
      await asked.promise;
      await jest.advanceTimersByTimeAsync(80_000);
      await kept;
    } finally {
      jest.useRealTimers();
    }
    expect(given?.aborted).toBe(true);
    expect(await listSavedPapers(workspace, { limit: 100 })).toEqual({ items: [] });
  });

  it('recognizes the same bytes under another URL as the saved paper', async () => {
    const bytes = makePdf(['Owls hunt at night.']);
    const { keep, ports, workspace } = await start(async ({ url }) => {
      return { url, text: 'Owls hunt at night.', bytes, extension: '.pdf' };
    });
    const first = await keep();
    const other = 'https://other.example/owl';
    const twin = { ...ARTICLE, url: other, pdfUrl: `${other}.pdf`, doi: null, id: 'x' };
    await storeAddresses(ports, [twin]);
    const second = await saveFoundPaper(ports, MEMBER, workspace, twin.pdfUrl);
    expect([first.isNew, second.isNew, second.paper]).toEqual([true, false, first.paper]);
    expect(await listSavedPapers(workspace, { limit: 100 })).toEqual({ items: [first.paper] });
  });
});

it('saveFoundPaper reports that a report has already saved the page of the paper, and downloads no PDF', async () => {
  const { keep, workspace } = await start(async () => Promise.reject(new Error('nothing is fetched here')));
  const folder = join(workspace.rootPath, 'sources/papers');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'owl.html'), '<p>Owls hunt at night.</p>');
  const source = { kind: 'paper', title: 'The owl', url: ARTICLE.url, doi: ARTICLE.doi };
  await writeFile(
    join(folder, 'owl.json'),
    JSON.stringify({ custom: { file: 'owl.html', sha256: 'x', source } }),
  );
  expect(await keep()).toMatchObject({
    paper: { path: 'sources/papers/owl.html', isPdf: false, isWhole: true },
    isNew: false,
  });
});

describe('listSavedPapers', () => {
  /** Metadata next to papers, as reports write it. */
  async function keepMany(rootPath: string, papers: { title: string; authors?: string[] }[]): Promise<void> {
    const folder = join(rootPath, 'sources/papers');
    await mkdir(folder, { recursive: true });
    for (const [at, paper] of papers.entries()) {
      const source = { kind: 'paper', url: `https://journal.example/${at}`, ...paper };
      await writeFile(join(folder, `p${at}.pdf`), '');
      const metadata = { custom: { file: `p${at}.pdf`, sha256: `hash ${at}`, source } };
      await writeFile(join(folder, `p${at}.json`), JSON.stringify(metadata));
    }
  }

  it('has pages, sorted by title, with each paper once, whatever is deleted in the meantime', async () => {
    const { workspace } = await start(async () => Promise.reject(new Error('nothing is fetched here')));
    await keepMany(
      workspace.rootPath,
      ['d', 'b', 'a', 'c', 'b'].map((title) => ({ title })),
    );
    const first = await listSavedPapers(workspace, { limit: 2 });
    expect(first.items.map(({ title }) => title)).toEqual(['a', 'b']);
    const before = first.items.at(-1)?.path ?? '';
    await rm(join(workspace.rootPath, before));
    const second = await listSavedPapers(workspace, { limit: 2, cursor: first.cursor });
    expect(second.items.map(({ title }) => title)).toEqual(['b', 'c']);
    expect(second.items.map(({ path }) => path)).not.toContain(before);
    const third = await listSavedPapers(workspace, { limit: 2, cursor: second.cursor });
    expect([third.items.map(({ title }) => title), third.cursor]).toEqual([['d'], undefined]);
    await expect(listSavedPapers(workspace, { limit: 2, cursor: 'owls' })).rejects.toThrow('cursor');
  });

  it('ends a page early if descriptions are long, and truncates a text at a whole character', async () => {
    const { workspace } = await start(async () => Promise.reject(new Error('nothing is fetched here')));
    const authors = Array.from({ length: 10 }, () => '文'.repeat(500));
    const many = Array.from({ length: 200 }, (_, at) => ({ title: `${at} ${'x'.repeat(900)}`, authors }));
    await keepMany(workspace.rootPath, [...many, { title: `${'!'.repeat(499)}😀` }]);
    const { items, cursor } = await listSavedPapers(workspace, { limit: 1000 });
    expect(items[0]?.title).toBe('!'.repeat(499));
    expect(Buffer.byteLength(JSON.stringify(items))).toBeLessThan(3 * 1024 * 1024);
    expect(cursor).toBeDefined();
  });

  it('reads metadata of papers only up to a limit', async () => {
    const { workspace } = await start(async () => Promise.reject(new Error('nothing is fetched here')));
    const long = Array.from({ length: 140 }, () => ({ title: 'x'.repeat(250_000) }));
    await keepMany(workspace.rootPath, long);
    const looks = [1, 2].map(() => listSavedPapers(workspace, { limit: 1000 }));
    const counts = (await Promise.all(looks)).map(({ items }) => items.length);
    expect(counts).toEqual([134, 134]); // with 32 MB
  });
});
