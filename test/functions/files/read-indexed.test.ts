import { copyFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { FileContent } from '../../../lib/files/schema.ts';
import { makePdf } from '../../support/samples/pdf.ts';
import { startService } from '../../support/service.ts';
import { syncWorkspace } from '../../support/sync.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const service = await startService();
const { id, root } = await makeWorkspace(service);
const documents = resolve(import.meta.dirname, '../../golden/documents');
for (const name of ['apes.xlsx', 'apes.pptx', 'apes.docx'])
  await copyFile(join(documents, name), join(root, name));
await writeFile(join(root, 'two.pdf'), makePdf(['The first page', 'The second page']));
await writeFile(join(root, 'plain.md'), '# Plain\n');
await syncWorkspace(service, id);

function read(path: string, as = 'indexed') {
  const query = new URLSearchParams({ workspaceId: id, path, as });
  return service.call<FileContent & { error: string }>('GET', `/api/files/read?${query}`);
}

describe('GET /api/files/read?as=indexed', () => {
  it('returns the text of a document, with the first line of each part', async () => {
    const { status, body } = await read('two.pdf');
    expect(status).toBe(200);
    const lines = body.content.split('\n');
    expect(body.parts?.map(({ line, page }) => [page, lines[line - 1]])).toEqual([
      [1, 'The first page'],
      [2, 'The second page'],
    ]);
    expect(body.hash).toBe((await read('two.pdf', 'file')).body.hash);
  });

  it('returns the row of a sheet for each line', async () => {
    const { body } = await read('apes.xlsx');
    const [sheet] = body.parts ?? [];
    expect(sheet).toMatchObject({ sheet: 'Counts', line: 1 });
    expect(sheet?.rowNumbers?.slice(0, 3)).toEqual([1, 2, 40]);
    expect(body.content.split('\n')[1]).toContain('animal | seen');
  });

  it('counts slides, and returns a text without parts unchanged', async () => {
    expect((await read('apes.pptx')).body.parts?.[0]).toMatchObject({ slide: 1, line: 1 });
    expect((await read('apes.docx')).body.parts).toEqual([]);
  });

  it('returns the lines of headings, list items, and table rows', async () => {
    const { body } = await read('apes.docx');
    const lines = body.content.split('\n');
    const blocks = body.blocks?.map(({ line, kind, level }) => [lines[line - 1], kind, level]);
    expect(blocks).toEqual([
      ['Field notes', 'heading', 1],
      ['Methods', 'heading', 1],
      ['Ergebnisse der Zählung', 'heading', 2],
      ['- bananas', 'item', undefined],
      ['- figs', 'item', undefined],
      ['ape | height', 'row', undefined],
      ['Koko | 12 m | tall inner | table', 'row', undefined],
    ]);
    const slides = (await read('apes.pptx')).body;
    const titles = slides.blocks?.filter(({ kind }) => kind === 'heading').map(({ line }) => line);
    expect(titles?.[0]).toBe(slides.parts?.[0]?.line);
    expect((await read('two.pdf')).body.blocks).toBeUndefined();
  });

  it.each([
    ['plain.md', 404],
    ['nothing.pdf', 404],
    ['../x.pdf', 400],
  ])('rejects %s with %i', async (path, status) => {
    expect((await read(path)).status).toBe(status);
  });

  it('rejects another value of `as`', async () => {
    expect((await read('two.pdf', 'html')).status).toBe(400);
  });

  it("returns no text for a version that wasn't read", async () => {
    await writeFile(join(root, 'new.pdf'), makePdf(['Not read yet']));
    const { status, body } = await read('new.pdf');
    expect([status, body.error]).toEqual([404, expect.stringContaining('has no indexed text')]);
  });
});
