import { readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { browse, readWhole } from '../../../lib/files/read.ts';
import { makeDirectory, move, remove, writeWhole } from '../../../lib/files/write.ts';
import { confine, openInside } from '../../../lib/paths/confine.ts';
import { makeTree } from '../../support/samples/tree.ts';

/**
 * Names that macOS stores with more characters than Windows: Latin, Greek, Korean, Japanese, Vietnamese,
 * Hindi.
 */
const NAMES = ['café.txt', 'Άρθρο.md', '한글 문서.txt', 'がぎ.csv', 'Tiếng Việt.txt', 'क़लम.txt', 'Å.txt'];
const FORMS = NAMES.flatMap((name) => [
  [name.normalize('NFC'), name.normalize('NFD')] as const,
  [name.normalize('NFD'), name.normalize('NFC')] as const,
]);
const BROWSED = { hidden: false, limit: 10, cursor: undefined };

describe.each(FORMS)('file %j requested as %j', (stored, asked) => {
  it('can be read, and has its stored name', async () => {
    const root = await makeTree({ [stored]: 'owls' });
    expect(await readWhole(root, asked)).toMatchObject({ path: stored, content: 'owls' });
  });

  it('can be written without a duplicate', async () => {
    const root = await makeTree({ [stored]: 'owls' });
    const written = await writeWhole(root, asked, Buffer.from('hawks'));
    expect(written.path).toBe(stored);
    expect(await readdir(root)).toEqual([stored]);
    expect(await readFile(join(root, stored), 'utf8')).toBe('hawks');
  });

  it('can be renamed and deleted', async () => {
    const root = await makeTree({ [stored]: 'owls' });
    await move(root, asked, 'owls.txt', false);
    expect(await readdir(root)).toEqual(['owls.txt']);
    await move(root, 'owls.txt', stored, false);
    await remove(root, asked);
    expect(await readdir(root)).toEqual([]);
  });

  it('blocks another file', async () => {
    const root = await makeTree({ [stored]: 'owls', 'b.txt': 'b' });
    await expect(move(root, 'b.txt', asked, false)).rejects.toMatchObject({ code: 'path_exists' });
  });
});

const [NFC, NFD] = ['é'.normalize('NFC'), 'é'.normalize('NFD')];

describe('entry in another Unicode form', () => {
  it('is also found in folders, without duplicates', async () => {
    const root = await makeTree({ [`${NFD}/${NFD}/a.txt`]: 'owls' });
    expect((await readWhole(root, `${NFC}/${NFD}/a.txt`)).path).toBe(`${NFD}/${NFD}/a.txt`);
    await writeWhole(root, `${NFC}/${NFC}/b.txt`, Buffer.from('b'));
    expect(await makeDirectory(root, `${NFC}/${NFC}`)).toMatchObject({ created: false });
    expect(await readdir(root)).toEqual([NFD]);
    const { items } = await browse(root, { ...BROWSED, path: `${NFC}/${NFC}` });
    expect(items.map(({ path }) => path)).toEqual([`${NFD}/${NFD}/a.txt`, `${NFD}/${NFD}/b.txt`]);
  });

  it('is ignored if the exact name exists', async () => {
    const root = await makeTree({ [NFC]: 'composed', [NFD]: 'decomposed' });
    expect((await readWhole(root, NFC)).content).toBe('composed');
    expect((await readWhole(root, NFD)).content).toBe('decomposed');
    const { items } = await browse(root, { ...BROWSED, path: '' });
    expect(items).toHaveLength(2);
  });

  it('is ignored if two entries look the same', async () => {
    const [one, other] = [`${NFC}${NFD}`, `${NFD}${NFC}`];
    const root = await makeTree({ [one]: 'one', [other]: 'other' });
    await expect(readWhole(root, NFC + NFC)).rejects.toMatchObject({ code: 'path_not_found' });
  });

  it('differs from a name in another case, or without the accent', async () => {
    const root = await makeTree({ [`${NFD}.txt`]: 'owls' });
    for (const other of ['É.txt', 'e.txt'])
      await expect(readWhole(root, other)).rejects.toMatchObject({ code: 'path_not_found' });
  });

  it('is created once by concurrent writers', async () => {
    const root = await makeTree({ 'a.txt': 'a' });
    await rm(join(root, 'a.txt'));
    await Promise.all([NFC, NFD, NFC, NFD].map((name) => writeWhole(root, name, Buffer.from(name))));
    expect(await readdir(root)).toHaveLength(1);
  });

  it('gives no access to outside, like any other link', async () => {
    const [root, outside] = [await makeTree({ 'a.txt': 'a' }), await makeTree({ 'secret.txt': 's' })];
    await symlink(join(outside, 'secret.txt'), join(root, NFD));
    await symlink(outside, join(root, `${NFD}${NFD}`));
    await expect(openInside(root, NFC)).rejects.toMatchObject({ code: 'path_outside_workspace' });
    await expect(openInside(root, `${NFC}${NFC}/secret.txt`)).rejects.toMatchObject({
      code: 'path_outside_workspace',
    });
  });

  it('is not the target of a change by a sandbox', async () => {
    const root = await makeTree({ [NFD]: 'owls' });
    expect(await confine(root, NFC, { isExact: true })).toBe(join(root, NFC));
  });
});
