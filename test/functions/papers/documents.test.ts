import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { DocumentLookup } from '../../../lib/bibliography/look-up-document.ts';
import type { Document } from '../../../lib/documents/schema.ts';
import type { CitedDocument } from '../../../lib/research/references/cite-documents.ts';
import { type FakePaper, paperEnv, startFakePapers } from '../../support/fakes/fake-papers.ts';
import { startService } from '../../support/service.ts';
import { syncWorkspace } from '../../support/sync.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const fake = await startFakePapers();
const service = await startService(paperEnv(fake));

const OWLS: FakePaper = {
  ...{ title: 'Night hunting of barn owls in rice fields', authors: ['Ann Sand', 'Ben Hill'] },
  ...{ published: '2020-01-05T00:00:00Z', doi: '10.1000/owls.1', venue: 'Journal of Raptor Research' },
};

beforeEach(() => {
  fake.faults = {};
  fake.replaced = {};
  fake.papers = { openalex: [], crossref: [], semantic_scholar: [], preprint_server: [], hub_a: [] };
});

async function start(files: Record<string, string>) {
  const { id, root } = await makeWorkspace(service);
  await mkdir(join(root, 'papers'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
  await syncWorkspace(service, id);
  const address = (path: string) => `/api/workspaces/${id}/documents/${encodeURIComponent(path)}`;
  return {
    get: (path: string) => service.call<Document>('GET', address(path)),
    correct: (path: string, body: object) => service.call('PATCH', address(path), body),
    lookUp: (path: string, body?: object) =>
      service.call<DocumentLookup>('POST', `${address(path)}/lookup`, body),
    cite: (...paths: string[]) =>
      service.call<CitedDocument[]>('POST', `/api/workspaces/${id}/references`, { paths }),
  };
}

const frontMatter = (fields: string) => `---\n${fields}\n---\nThe owls hunt at night.\n`;

describe('POST /api/workspaces/{workspaceId}/documents/{path}/lookup', () => {
  it('finds the paper by the DOI of the document, whatever its title, and changes nothing', async () => {
    fake.papers.openalex = [OWLS];
    const { lookUp, get } = await start({
      'papers/a.md': frontMatter('title: Untitled 7\ndoi: 10.1000/OWLS.1'),
    });
    const { status, body } = await lookUp('papers/a.md');
    expect([status, body]).toEqual([
      200,
      {
        state: 'found',
        record: {
          ...{ title: OWLS.title, authors: OWLS.authors, year: 2020, doi: '10.1000/owls.1', arxivId: null },
          ...{
            venue: 'Journal of Raptor Research',
            url: 'https://doi.org/10.1000/owls.1',
            source: 'openalex',
          },
        },
        unavailable: [],
      },
    ]);
    expect((await get('papers/a.md')).body).toMatchObject({ title: 'Untitled 7', corrected: [] });
  });

  it('finds it by an identifier that was entered, also if Crossref redirects it', async () => {
    fake.papers.crossref = [OWLS];
    fake.replaced = { '10.1000/old': '10.1000/owls.1' };
    const { lookUp } = await start({ 'a.md': 'The owls hunt.\n' });
    const { body } = await lookUp('a.md', { identifier: ' https://doi.org/10.1000/OLD ' });
    expect(body).toMatchObject({ state: 'found', record: { title: OWLS.title, doi: '10.1000/old' } });
  });

  it('finds it by its title if nothing else is known, with a retraction', async () => {
    fake.papers.openalex = [{ ...OWLS, isRetracted: true }];
    const { lookUp } = await start({ 'a.md': frontMatter(`title: ${OWLS.title}`) });
    expect((await lookUp('a.md')).body).toMatchObject({ state: 'retracted', record: { year: 2020 } });
  });

  it('says which catalogs did not answer, and when nothing is known to look up', async () => {
    fake.faults = { crossref: [403] };
    const { lookUp } = await start({ 'a.md': 'The owls hunt.\n' });
    expect((await lookUp('a.md', { identifier: '10.1000/none' })).body).toEqual({
      ...{ state: 'not_checked', record: null, unavailable: ['crossref'] },
    });
    expect((await lookUp('a.md')).body).toEqual({ state: 'not_checked', record: null, unavailable: [] });
    fake.faults = {};
    expect((await lookUp('a.md', { identifier: '10.1000/gone' })).body.state).toBe('not_found');
  });

  it('returns at most 100 of 10,000 authors, as one line each', async () => {
    const authors = Array.from({ length: 10_000 }, (_, at) => `A\u202e${at}\n Owl`);
    fake.papers.openalex = [
      { ...OWLS, doi: '10.1000/many', title: 'constructor\u0007 <b>__proto__</b>', authors },
    ];
    const { lookUp } = await start({ 'a.md': frontMatter('doi: 10.1000/many') });
    const { record } = (await lookUp('a.md')).body;
    expect(record?.title).toBe('constructor __proto__');
    expect(record?.authors).toHaveLength(100);
    expect(record?.authors[1]).toBe('A1 Owl');
  });

  it.each([['owls'], ['http://127.0.0.1/'], ['10.1/x']])('refuses the identifier %j', async (identifier) => {
    const { lookUp } = await start({ 'a.md': 'The owls hunt.\n' });
    const { status, headers } = await lookUp('a.md', { identifier });
    expect([status, headers['x-error-field']]).toEqual([400, 'identifier']);
  });

  it('returns 404 for a file that is not in the index', async () => {
    const { lookUp } = await start({ 'a.md': 'The owls hunt.\n' });
    for (const path of ['../a.md', 'a/'.repeat(1500), '__proto__', 'a.md\u202e'])
      expect((await lookUp(path)).status).toBe(404);
  });
});

const BIB = `@article{sand2020,
  title = {Night flights of owls in winter}, author = {Sand, Ann}, year = 2020, journal = {Raptors}, doi = {10.1000/1}
}
@article{__proto__, title = {A paper about something else}, author = {Lee, C.}, doi = {10.1000/2}}
`;

describe('POST /api/workspaces/{workspaceId}/references', () => {
  it('returns items with different keys, from bibliographies, corrections, and files', async () => {
    const { cite, correct } = await start({
      'library.bib': BIB,
      'papers/a.md': frontMatter('doi: 10.1000/1'),
      'papers/b.md': frontMatter('doi: 10.1000/2'),
      'papers/c.md': frontMatter('title: Night flights\nauthor: Ann Sand\ndate: 2021'),
      'papers/d.md': frontMatter('title: Night flights\nauthor: Ann Sand\ndate: 2021'),
    });
    await correct('papers/d.md', { tags: ['x'], authors: ['Ben Hill'] });
    const paths = ['papers/a.md', 'papers/b.md', 'papers/c.md', 'papers/d.md', 'none.md', 'papers/a.md'];
    const { status, body } = await cite(...paths);
    expect(status).toBe(200);
    expect(body).toEqual([
      {
        path: 'papers/a.md',
        item: {
          ...{ id: 'sand2020', type: 'article-journal', title: 'Night flights of owls in winter' },
          ...{ author: [{ family: 'Sand', given: 'Ann' }], issued: { 'date-parts': [[2020]] } },
          ...{ 'container-title': 'Raptors', DOI: '10.1000/1' },
        },
      },
      { path: 'papers/b.md', item: expect.objectContaining({ id: '__proto__' }) },
      { path: 'papers/c.md', item: expect.objectContaining({ id: 'sand2021night', note: 'papers/c.md' }) },
      { path: 'papers/d.md', item: expect.objectContaining({ id: 'hill2021night' }) },
    ]);
  });

  it('gives documents of the same author, year, and title different keys', async () => {
    const text = frontMatter('title: Night flights\nauthor: Ann Sand\ndate: 2021');
    const { cite } = await start({ 'a.md': text, 'b.md': `${text}\n` });
    const { body } = await cite('a.md', 'b.md');
    expect(body.map(({ item }) => item.id)).toEqual([
      'sand2021night',
      expect.stringMatching(/^sand2021night-[0-9a-f]{4}$/),
    ]);
  });

  it('leaves out paths that cannot be in the index', async () => {
    const { cite } = await start({ 'a.md': 'The owls hunt.\n' });
    const { status, body } = await cite('constructor', '../a.md', 'a/'.repeat(2000), '\u0000');
    expect([status, body]).toEqual([200, []]);
  });

  it('refuses more than 200 paths', async () => {
    const { cite } = await start({ 'a.md': 'The owls hunt.\n' });
    expect((await cite(...Array.from({ length: 201 }, (_, at) => `${at}.md`))).status).toBe(400);
  });
});
