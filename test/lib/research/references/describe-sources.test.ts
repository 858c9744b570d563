import { mkdir, writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../../lib/adapters/sqlite/records.ts';
import { keepBibliographies } from '../../../../lib/documents/references.ts';
import { EXAMPLE_FILES } from '../../../../lib/example/built.ts';
import { describeSources } from '../../../../lib/research/references/describe-sources.ts';
import type { Source } from '../../../../lib/research/schema.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const ID = '00000000-0000-7000-8000-000000000001';
const TREES = 'papers/2021-street-trees.pdf';

async function start({ indexed = ['papers/library.bib'] } = {}) {
  const records = sqliteRecords(openDatabase(await tempFolder()));
  const rootPath = await tempFolder();
  await mkdir(`${rootPath}/papers`);
  for (const { path, text, base64 } of EXAMPLE_FILES)
    if (path.startsWith('papers/'))
      await writeFile(`${rootPath}/${path}`, text ?? Buffer.from(base64 ?? '', 'base64'));
  await keepBibliographies(records, { id: ID }, { added: indexed, removed: [] });
  const look = async (...paths: string[]) => {
    const sources = new Map(
      paths.map((path): [string, Source] => [path, { kind: 'file', title: path.split('/').at(-1) ?? '' }]),
    );
    return describeSources(records, { id: ID, rootPath }, sources, AbortSignal.timeout(60_000));
  };
  return { rootPath, look };
}

describe('describeSources', () => {
  it("uses title, authors, and key of the workspace's own library", async () => {
    const { look } = await start();
    expect((await look(TREES)).get(TREES)).toEqual({
      ...{ kind: 'file', title: 'Street trees and afternoon air temperature in Fernbrook' },
      ...{ authors: ['Moreau, A.', 'Lindqvist, T.'], year: 2021, venue: 'Fernbrook Climate Notes' },
      ...{ entryType: 'article', citationKey: 'moreau2021trees' },
    });
  });

  it('reads the PDF if the library has no entry, and opens no file for the other sources', async () => {
    const { look } = await start({ indexed: [] });
    const found = await look(TREES, 'papers/2024-residents.md');
    expect(found.get(TREES)).toEqual({
      ...{ kind: 'file', title: 'Street trees and afternoon air temperature in Fernbrook' },
      authors: ['A. Moreau', 'T. Lindqvist'],
    });
    expect(found.get('papers/2024-residents.md')).toEqual({ kind: 'file', title: '2024-residents.md' });
  });

  it('uses the file name of a PDF that is damaged, missing, or outside', async () => {
    const { rootPath, look } = await start();
    await writeFile(`${rootPath}/papers/damaged.pdf`, '%PDF-1.4 and no more');
    const paths = ['papers/damaged.pdf', 'papers/missing.pdf', '../outside.pdf'];
    const found = await look(...paths);
    expect(paths.map((path) => found.get(path)?.title)).toEqual([
      'damaged.pdf',
      'missing.pdf',
      'outside.pdf',
    ]);
  });

  it('reads a changed library', async () => {
    const { rootPath, look } = await start();
    await look(TREES);
    await writeFile(
      `${rootPath}/papers/library.bib`,
      `@book{own, title={Trees}, file={2021-street-trees.pdf}}`,
    );
    expect((await look(TREES)).get(TREES)).toMatchObject({ title: 'Trees', citationKey: 'own' });
  });
});
