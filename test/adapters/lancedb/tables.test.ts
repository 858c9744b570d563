import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { connect } from '@lancedb/lancedb';
import { Field, Int32, Schema } from 'apache-arrow';
import { passageSchema } from '../../../lib/adapters/lancedb/passage-rows.ts';
import { lancedbVectors } from '../../../lib/adapters/lancedb/vectors.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const PLACE = { startLine: 1, endLine: 1, startChar: 0, endChar: 1, part: {}, context: '' };

describe('folder of a workspace', () => {
  it('is not created by reading, maintaining, trimming, or dropping', async () => {
    const folder = await tempFolder();
    const vectors = lancedbVectors(folder);
    const table = await vectors.open('w', 'lexical');
    expect([await table.count(), await table.dimensions(), await table.rowsOf('a')]).toEqual([
      0,
      undefined,
      [],
    ]);
    await table.maintain();
    await table.write([], [{ path: 'a', keepBelow: 0 }]);
    await vectors.drop('w', { keepSpace: 'lexical' });
    expect(existsSync(join(folder, 'w'))).toBe(false);
  });
});

describe('lancedbVectors', () => {
  const row = { ...PLACE, path: 'a.md', chunk: 0, fileHash: 'h', text: 'owls', vector: null };
  it.each([
    ['is incomplete', ['data', '_indices']],
    ['was being cleared when the writer died', ['_versions']],
  ])('replaces a table that %s', async (_, left) => {
    const folder = await tempFolder();
    for (const name of left) await mkdir(join(folder, 'w', 'space.lance', name), { recursive: true });
    const vectors = lancedbVectors(folder);
    expect(await vectors.has('w', 'space')).toBe(left.includes('_versions'));
    expect(await vectors.clear('w', 'space')).toBe(!left.includes('_versions'));
    const table = await vectors.open('w', 'space');
    expect(await table.count()).toBe(0);
    await table.write([row], []);
    expect(await table.searchText('owls', 5)).toHaveLength(1);
  });
});

describe('table of layout 1, which has pages instead of parts', () => {
  it('is read, and written with its own columns', async () => {
    const folder = await tempFolder();
    const former = new Schema([
      ...passageSchema.fields.filter(({ name }) => name !== 'part'),
      new Field('page', new Int32(), false),
    ]);
    await (await connect(join(folder, 'w'))).createEmptyTable('lexical', former);
    const table = await lancedbVectors(folder).open('w', 'lexical');
    const row = { ...PLACE, chunk: 0, fileHash: 'h', text: 'apes', vector: null };
    const paged = { ...row, path: 'a.pdf', part: { page: 3 } };
    await table.write([paged, { ...row, path: 'b.md' }], []);
    const found = await table.searchText('apes', 5);
    const parts = Object.fromEntries(found.map(({ path, part }) => [path, part]));
    expect(parts).toEqual({ 'a.pdf': { page: 3 }, 'b.md': {} });
    expect(await table.rowsOf('a.pdf')).toEqual([paged]);
  });
});

describe('table whose creation was interrupted before its text index', () => {
  it('gets the index with the next rows', async () => {
    const folder = await tempFolder();
    await (await connect(join(folder, 'w'))).createEmptyTable('lexical', passageSchema);
    const table = await lancedbVectors(folder).open('w', 'lexical');
    const row = { ...PLACE, path: 'a.md', chunk: 0, fileHash: 'h', text: 'the running foxes', vector: null };
    await table.write([row], []);
    expect(await table.searchText('fox', 5)).toHaveLength(1);
  });
});
