import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../../../lib/adapters/sqlite/database.ts';
import { createQueues, sqliteQueue } from '../../../../lib/adapters/sqlite/queue.ts';
import { UpstreamFailed } from '../../../../lib/errors.ts';
import { paperFetcher, paperReader } from '../../../../lib/papers/read.ts';
import { paperReferences, paperSearch } from '../../../../lib/papers/search.ts';
import type { Web } from '../../../../lib/ports/web.ts';
import { gatherPapers } from '../../../../lib/research/gather/papers.ts';
import type { Workspace } from '../../../../lib/workspaces/schema.ts';
import { type FakePaper, startFakePapers } from '../../../support/fakes/fake-papers.ts';
import { paperPorts } from '../../../support/papers.ts';
import { makePdf } from '../../../support/samples/pdf.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

function paper(number: number, fields: Partial<FakePaper> = {}): FakePaper {
  return {
    ...{ title: `Owls at night, part ${number}`, abstract: 'How owls hunt.', arxivId: `2401.0000${number}` },
    ...{ published: '2024-01-05T00:00:00Z', authors: ['Jane Smith'] },
    ...fields,
  };
}

async function start(found: FakePaper[]) {
  const fake = await startFakePapers({ preprint_server: found, semantic_scholar: found });
  const asked: string[] = [];
  const gone = new Set<string>();
  const web: Web = {
    async fetchPublic(url) {
      asked.push(url);
      if (gone.has(url)) throw new UpstreamFailed('upstream_failed', 'arxiv.org answers 404');
      return { url, status: 200, contentType: 'application/pdf', bytes: makePdf([`What ${url} says.`]) };
    },
  };
  const folder = await tempFolder();
  const database = openDatabase(folder);
  createQueues(database, [{ name: 'touch', fifo: false, visibilityTimeoutSeconds: 60 }]);
  const search = { ...paperPorts(folder, fake.url, 1), web, hosts: [] };
  const ports = {
    ...search,
    touchQueue: sqliteQueue(database, 'touch'),
    papers: {
      ...{ search: paperSearch(search), read: paperReader(search), fetch: paperFetcher(search) },
      references: paperReferences(search),
      retracted: async () => [],
      lookUp: async () => [],
    },
  };
  const workspace = { id: '00000000-0000-7000-8000-000000000001', rootPath: await tempFolder() } as Workspace;
  const gather = (limit = 2, followReferences = false) =>
    gatherPapers(ports, workspace, {
      ...{ subQuestion: 'How do owls hunt?', keywords: ['owls'], limit, followReferences },
      signal: AbortSignal.timeout(60_000),
    });
  return { fake, asked, gone, workspace, gather, ports };
}

const address = (number: number) => `https://arxiv.org/pdf/2401.0000${number}`;

describe('gatherPapers', () => {
  it('saves the best papers with their metadata, indexes them, and downloads nothing twice', async () => {
    const { asked, gather, workspace, ports } = await start([paper(1), paper(2), paper(3)]);
    const [{ saved, leftOut }, again] = await Promise.all([gather(), gather()]);
    expect(again.saved.map(({ path }) => path)).toEqual(saved.map(({ path }) => path));
    expect(asked.toSorted()).toEqual([address(1), address(2)]);
    expect(saved[0]).toMatchObject({
      path: expect.stringMatching(/^sources\/papers\/owls-at-night-part-1-[0-9a-f]{8}\.pdf$/),
      source: { kind: 'paper', arxivId: '2401.00001', authors: ['Jane Smith'], publishedDate: '2024-01-05' },
    });
    expect(leftOut).toContainEqual(expect.objectContaining({ reason: 'Other papers are a closer match.' }));
    const [path = ''] = saved.map((each) => each.path);
    expect((await readFile(`${workspace.rootPath}/${path}`)).subarray(0, 5).toString()).toBe('%PDF-');
    const metadata = JSON.parse(
      await readFile(`${workspace.rootPath}/${path.replace('.pdf', '.json')}`, 'utf8'),
    );
    expect(metadata).toMatchObject({
      type: 'article',
      archive: 'arXiv',
      number: '2401.00001',
      custom: { source: saved[0]?.source },
    });
    expect((await ports.touchQueue.depth()).waiting).toBeGreaterThan(0);
    expect((await gather()).saved).toEqual(saved);
    expect(asked).toHaveLength(2);
  });

  it('reports failed downloads, and takes the next paper', async () => {
    const { gather, gone } = await start([paper(1), paper(2), paper(3)]);
    gone.add(address(1)).add('http://arxiv.org/abs/2401.00001');
    const { saved, leftOut } = await gather(2);
    expect(saved.map(({ source }) => source.arxivId)).toEqual(['2401.00002', '2401.00003']);
    expect(leftOut).toContainEqual(
      expect.objectContaining({ title: paper(1).title, reason: 'arxiv.org answers 404' }),
    );
  });

  it('downloads only open-access papers, and records their license', async () => {
    const closed = {
      arxivId: undefined,
      isOpen: false,
      pdfUrl: 'https://papers.example/closed.pdf',
    } as never;
    const { gather, asked, fake, workspace } = await start([]);
    fake.papers.openalex = [
      paper(1, { ...(closed as object), doi: '10.1/closed' }),
      paper(2, { isOpen: true, license: 'cc-by' }),
    ];
    const { saved, leftOut } = await gather(2);
    expect(asked.filter((url) => url.includes('closed') || url.includes('doi.org'))).toEqual([]);
    expect(leftOut).toContainEqual(
      expect.objectContaining({
        title: paper(1).title,
        reason: "This paper isn't open access, so its PDF can't be downloaded.",
      }),
    );
    expect(saved).toMatchObject([{ source: { arxivId: '2401.00002', license: 'cc-by' } }]);
    const file = `${workspace.rootPath}/${saved[0]?.path.replace('.pdf', '.json')}`;
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ note: 'License: cc-by' });
  });

  it('saves the abstract of an unavailable paper, marked as an abstract, until the paper is available', async () => {
    const abstract = 'Owls hunt at night. '.repeat(20).trim();
    const { gather, gone, workspace } = await start([paper(1, { abstract }), paper(2)]);
    gone.add(address(1)).add('http://arxiv.org/abs/2401.00001');
    const { saved, leftOut } = await gather(2);
    expect(saved).toMatchObject([
      { source: { title: paper(2).title } },
      { source: { title: `${paper(1).title} (abstract only)`, arxivId: '2401.00001' } },
    ]);
    expect(leftOut).toEqual([]);
    const path = saved[1]?.path ?? '';
    expect(path).toMatch(/\.abstract\.md$/);
    expect(await readFile(`${workspace.rootPath}/${path}`, 'utf8')).toContain(abstract);
    expect((await gather(2)).saved).toEqual(saved);
    gone.clear();
    const whole = (await gather(2)).saved;
    expect(whole.map(({ source }) => source.title)).toEqual([paper(1).title, paper(2).title]);
    expect((await gather(2)).saved).toEqual(whole);
  });

  it('follows the references of the best papers by one step', async () => {
    const { gather, fake } = await start([paper(1)]);
    fake.references['ARXIV:2401.00001'] = [
      paper(7, { title: 'Something else', abstract: 'Of cars.' }),
      paper(8),
    ];
    const { saved } = await gather(4, true);
    expect(saved.map(({ source }) => source.arxivId)).toEqual(['2401.00001', '2401.00008']);
  });

  it('reports the failed source', async () => {
    const { gather, fake } = await start([paper(1)]);
    fake.faults.openalex = ['garbage'];
    const { saved, leftOut } = await gather(1);
    expect(saved).toHaveLength(1);
    expect(leftOut).toContainEqual(expect.objectContaining({ title: 'openalex' }));
  });

  it('downloads a removed paper again, or one without metadata', async () => {
    const { gather, asked, workspace } = await start([paper(1)]);
    const { saved } = await gather(1);
    const folder = `${workspace.rootPath}/sources/papers`;
    const metadata = (await readdir(folder)).find((name) => name.endsWith('.json'));
    await rm(`${folder}/${metadata}`);
    expect((await gather(1)).saved.map(({ path }) => path)).toEqual(saved.map(({ path }) => path));
    expect(asked).toHaveLength(2);
  });

  it('does not overwrite a file that a user has changed, or the metadata of another paper', async () => {
    const { gather, workspace } = await start([paper(1)]);
    const [first] = (await gather(1)).saved;
    const own = `${workspace.rootPath}/${first?.path}`;
    await writeFile(own, 'with notes of mine');
    await writeFile(own.replace('.pdf', '.json'), '{"mine":true}');
    const [second] = (await gather(1)).saved;
    expect(second?.path).toMatch(/part-1-[0-9a-f]{8}-[0-9a-f]{8}\.pdf$/);
    expect(await readFile(own, 'utf8')).toBe('with notes of mine');
    expect(await readFile(own.replace('.pdf', '.json'), 'utf8')).toBe('{"mine":true}');
    expect((await gather(1)).saved).toEqual([second]);
  });
});
