import { mkdir, writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../../lib/adapters/sqlite/records.ts';
import { correctDocument } from '../../../../lib/documents/documents.ts';
import { keepBibliographies } from '../../../../lib/documents/references.ts';
import { fileRecordKey } from '../../../../lib/documents/schema.ts';
import { EXAMPLE_FILES } from '../../../../lib/example/built.ts';
import { describeSources } from '../../../../lib/research/references/describe-sources.ts';
import type { Source } from '../../../../lib/research/schema.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const ID = '00000000-0000-7000-8000-000000000001';
const TREES = 'papers/2021-street-trees.pdf';

interface StoredFile {
  path: string;
  document?: object;
}

async function start({ indexed = ['papers/library.bib'], files = [] as StoredFile[] } = {}) {
  const records = sqliteRecords(openDatabase(await tempFolder()));
  const rootPath = await tempFolder();
  await mkdir(`${rootPath}/papers`);
  for (const { path, text, base64 } of EXAMPLE_FILES)
    if (path.startsWith('papers/'))
      await writeFile(`${rootPath}/${path}`, text ?? Buffer.from(base64 ?? '', 'base64'));
  await keepBibliographies(records, { id: ID }, { added: indexed, removed: [] });
  for (const file of files) await putFile(records, file);
  const look = async (...paths: string[]) => {
    const sources = new Map(
      paths.map((path): [string, Source] => [path, { kind: 'file', title: path.split('/').at(-1) ?? '' }]),
    );
    return describeSources(records, { id: ID, rootPath }, sources, AbortSignal.timeout(60_000));
  };
  return { rootPath, look, records };
}

/** Stores a file as the index does. */
function putFile(records: ReturnType<typeof sqliteRecords>, file: StoredFile) {
  const value = { mtimeMs: 1, hash: 'h', ...file };
  return records.put({ key: fileRecordKey({ workspaceId: ID, path: value.path }), value });
}

describe('describeSources', () => {
  it('uses what people corrected, and otherwise what the index knows', async () => {
    const path = 'papers/2024-residents.md';
    const document = { title: 'What residents say', authors: ['B. Own'], year: 2024 };
    const { look, records } = await start({ files: [{ path, document }, { path: TREES }] });
    expect((await look(path)).get(path)).toEqual({ kind: 'file', ...document });
    await correctDocument(records, { workspaceId: ID, path }, { authors: ['A. Right'], citeKey: 'right' });
    expect((await look(path)).get(path)).toMatchObject({
      ...{ title: 'What residents say', authors: ['A. Right'], citationKey: 'right' },
    });
    await correctDocument(records, { workspaceId: ID, path: TREES }, { title: 'Trees', year: 2022 });
    expect((await look(TREES)).get(TREES)).toMatchObject({
      ...{ title: 'Trees', year: 2022, citationKey: 'moreau2021trees' },
    });
  });

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
