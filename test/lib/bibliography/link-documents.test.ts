import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { correctDocument, documentsAt } from '../../../lib/documents/documents.ts';
import { indexedFiles } from '../../../lib/indexing/schema.ts';
import { requireWorkspace } from '../../../lib/workspaces/access.ts';
import { startPipeline } from '../../support/pipeline.ts';

const pipeline = await startPipeline();
const { records } = pipeline.ports;

const NOTE = '---\ntitle: Owls\nauthor: Somebody\ndoi: 10.1000/owls.1\n---\n\nOwls hunt at night.\n';
const BIB = `@article{smith2020, title = {Night hunting of barn owls}, author = {Smith, Jane and {Owl Group}},
  year = 2020, doi = {10.1000/OWLS.1}}
@article{jones2019, title = {Hawks}, year = 2019, file = {hawks by day.md}}`;

async function makeWorkspace(files: Record<string, string>) {
  const made = await pipeline.makeWorkspace();
  for (const [path, text] of Object.entries(files)) await made.write(path, text);
  await made.sync();
  const look = async (path: string) => {
    const workspace = await requireWorkspace(records, made.id);
    return (await documentsAt(records, workspace, [path])).get(path);
  };
  return { ...made, look };
}

const BY_ENTRY = {
  ...{ title: 'Night hunting of barn owls', authors: ['Jane Smith', 'Owl Group'], year: 2020 },
  ...{ doi: '10.1000/owls.1', citeKey: 'smith2020', corrected: [] },
};

describe('a bibliography of a workspace', () => {
  it('describes the documents that its entries name, and has no passages', async () => {
    const { id, look } = await makeWorkspace({
      'owls.md': NOTE,
      'hawks by day.md': 'Hawks hunt by day.\n',
      'my.bib': BIB,
    });
    expect(await look('owls.md')).toMatchObject(BY_ENTRY);
    expect(await look('hawks by day.md')).toMatchObject({ title: 'Hawks', year: 2019, citeKey: 'jones2019' });
    const file = await indexedFiles.get(records, { workspaceId: id, path: 'my.bib' });
    expect(file).toMatchObject({ chunks: 0, reason: 'bibliography' });
  });

  it('describes documents that come later, until it changes or is deleted', async () => {
    const { look, write, sync, rootPath } = await makeWorkspace({ 'my.bib': BIB });
    await write('owls.md', NOTE);
    await sync();
    expect(await look('owls.md')).toMatchObject(BY_ENTRY);
    await write('my.bib', BIB.replace('smith2020', 'smith2020owls'));
    await sync();
    expect(await look('owls.md')).toMatchObject({ citeKey: 'smith2020owls' });
    await rm(join(rootPath, 'my.bib'));
    await sync();
    expect(await look('owls.md')).toMatchObject({ title: 'Owls', authors: ['Somebody'], citeKey: null });
  });

  it('is believed less than a person, and more than the file', async () => {
    const { id, look } = await makeWorkspace({ 'owls.md': NOTE, 'my.bib': BIB });
    await correctDocument(
      records,
      { workspaceId: id, path: 'owls.md' },
      { title: 'My owls', citeKey: 'mine' },
    );
    expect(await look('owls.md')).toMatchObject({ title: 'My owls', citeKey: 'mine', year: 2020 });
  });

  it('is read by searches in its workspace alone', async () => {
    const others = await makeWorkspace({ 'owls.md': NOTE });
    const own = await makeWorkspace({ 'owls.md': NOTE, 'library.bib': BIB });
    const known = async ({ id }: { id: string }) => (await requireWorkspace(records, id)).hasBibliographies;
    expect([await known(others), await known(own)]).toEqual([undefined, true]);
  });

  it('can be RIS or CSL-JSON, while other JSON stays a source', async () => {
    const csl = [{ id: 'a', type: 'book', title: 'Owls', 'container-title': 'B', DOI: '10.1000/owls.1' }];
    const { id, look } = await makeWorkspace({
      ...{ 'owls.md': NOTE, 'my.json': JSON.stringify(csl), 'data.json': '[{"type": "owl", "id": 1}]' },
      'other.ris': 'TY  - JOUR\nID  - b\nTI  - Hawks\nER  - \n',
    });
    expect(await look('owls.md')).toMatchObject({ title: 'Owls', citeKey: 'a' });
    const paths = ['my.json', 'other.ris', 'data.json'];
    const files = await indexedFiles.getMany(
      records,
      paths.map((path) => ({ workspaceId: id, path })),
    );
    const reasons = Object.fromEntries(files.map(({ path, reason }) => [path, reason]));
    expect(reasons).toEqual({
      'my.json': 'bibliography',
      'other.ris': 'bibliography',
      'data.json': undefined,
    });
  });
});
