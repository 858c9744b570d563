import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { documentsAt } from '../../../lib/documents/documents.ts';
import { shownProvenance } from '../../../lib/documents/provenance.ts';
import { fileRecordKey } from '../../../lib/documents/schema.ts';
import { deleteSource, startSourceSync } from '../../../lib/sources/sources.ts';
import { recallSources } from '../../../lib/sources/work.ts';
import { type FakeZotero, fillLibrary, startFakeZotero, zoteroKey } from '../../support/fakes/fake-zotero.ts';
import { makePdf } from '../../support/samples/pdf.ts';
import { SOURCE_WORKSPACE, startSourceRig, zoteroSource } from '../../support/sources.ts';

let fake: FakeZotero;
let rig: Awaited<ReturnType<typeof startSourceRig>>;
const DAY_MS = 24 * 60 * 60_000;

beforeEach(async () => {
  fake = await startFakeZotero();
  rig = await startSourceRig(zoteroSource(fake));
});

/** Returns the files of the source's folder, without its trash. */
async function tree(): Promise<string[]> {
  const top = join(rig.root, 'sources/Zotero');
  const entries = await readdir(top, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(top.length + 1))
    .filter((path) => !path.startsWith('.trash'))
    .sort();
}

const at = (path: string) => join(rig.root, 'sources/Zotero', path);

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const OWL = makePdf(['The barn owl nests in hollow trees.']);
const OTHER = makePdf(['The tawny owl nests in old crows’ nests.']);

/** Adds one paper with its PDF in a collection. */
function addOwl(bytes = OWL): void {
  fake.putCollection('CCCCCCCC', 'Birds');
  fake.putItem('PPPPPPPP', {
    ...{
      itemType: 'journalArticle',
      title: 'Barn owls',
      date: 'May 2019',
      DOI: '10.1000/OWL',
      tags: [{ tag: 'night' }],
    },
    ...{
      creators: [{ firstName: 'Ann', lastName: 'Strix' }, { name: 'Owl Trust' }],
      collections: ['CCCCCCCC'],
    },
  });
  fake.putFile('FFFFFFFF', { parentItem: 'PPPPPPPP', filename: 'owl.pdf' }, bytes);
}

describe('sync of a library', () => {
  it('makes files of 200 items with notes in the folders of their collections, and asks once if nothing is new', async () => {
    fillLibrary(fake, 200);
    const first = await rig.sync();
    expect(first).toMatchObject({
      status: 'success',
      total: 250,
      done: 250,
      counts: { added: 250, failed: 0 },
    });
    const files = await tree();
    expect(files).toHaveLength(250);
    expect(files).toEqual(
      expect.arrayContaining(['Birds 0/Owl 0.pdf', 'Birds 1/Owls/Owl 1.pdf', 'Birds 0/Remark 0.md']),
    );
    expect(await readFile(at('Birds 0/Remark 0.md'), 'utf8')).toBe('# Remark 0\n\nSee **page** 1.');
    expect(await readFile(at('Birds 0/Owl 0.pdf'))).toEqual(fake.files.get(zoteroKey('F', 0)));
    fake.asked.length = 0;
    const second = await rig.sync();
    expect(second).toMatchObject({ status: 'success', requests: 1, total: 0 });
    expect(fake.asked).toHaveLength(1);
  });

  it('lists what would change without changing it', async () => {
    addOwl();
    const run = await rig.sync({ dryRun: true });
    expect(run.changes).toEqual([{ path: 'sources/Zotero/Birds/owl.pdf', action: 'add' }]);
    expect(await tree()).toEqual([]);
    expect((await rig.sync()).counts).toMatchObject({ added: 1 });
  });

  it('updates, moves, and trashes files as the library does, and restores one from the trash', async () => {
    addOwl();
    await rig.sync();
    fake.putFile('FFFFFFFF', {}, OTHER);
    expect((await rig.sync()).counts).toMatchObject({ updated: 1 });
    expect(await readFile(at('Birds/owl.pdf'))).toEqual(OTHER);
    fake.putCollection('CCCCCCCC', 'Night birds');
    expect((await rig.sync()).counts).toMatchObject({ moved: 1 });
    expect(await tree()).toEqual(['Night birds/owl.pdf']);
    expect(await readdir(at('.'))).toEqual(['Night birds']);
    fake.putItem('PPPPPPPP', { deleted: 1 });
    expect((await rig.sync()).counts).toMatchObject({ trashed: 1 });
    expect(await tree()).toEqual([]);
    expect(await readFile(at('.trash/FFFFFFFF/owl.pdf'))).toEqual(OTHER);
    const before = fake.fileRequests();
    fake.putItem('PPPPPPPP', { deleted: 0 });
    expect((await rig.sync()).counts).toMatchObject({ added: 1 });
    expect(await tree()).toEqual(['Night birds/owl.pdf']);
    expect(fake.fileRequests()).toBe(before);
  });

  it('keeps the trash for 30 days', async () => {
    addOwl();
    await rig.sync();
    fake.remove('items', 'FFFFFFFF');
    await rig.sync();
    rig.time.offsetMs = 29 * DAY_MS;
    await rig.sync();
    expect(await readFile(at('.trash/FFFFFFFF/owl.pdf'))).toEqual(OWL);
    rig.time.offsetMs = 31 * DAY_MS;
    await rig.sync();
    await expect(readFile(at('.trash/FFFFFFFF/owl.pdf'))).rejects.toThrow('ENOENT');
    expect(await rig.files()).toEqual([]);
  });

  it('stops at its limits', async () => {
    fillLibrary(fake, 20);
    rig = await startSourceRig(zoteroSource(fake), { maxFiles: 7 });
    expect((await rig.sync()).counts).toMatchObject({ added: 7, skipped: 18 });
    const size = fake.files.get(zoteroKey('F', 0))?.length ?? 0;
    rig = await startSourceRig(zoteroSource(fake), { maxBytes: 5 * size });
    const { counts, changes } = await rig.sync();
    expect(counts.added).toBeGreaterThanOrEqual(5);
    expect(counts.added + counts.skipped).toBe(25);
    expect(changes).toContainEqual(expect.objectContaining({ action: 'skip', reason: 'quota' }));
    const bytes = (await rig.files()).reduce((sum, file) => sum + file.size, 0);
    expect(bytes).toBeLessThanOrEqual(5 * size);
  });

  it('moves and updates a file in one sync', async () => {
    addOwl();
    await rig.sync();
    fake.putCollection('CCCCCCCC', 'Night birds');
    fake.putFile('FFFFFFFF', {}, OTHER);
    expect((await rig.sync()).counts).toMatchObject({ moved: 1, updated: 1 });
    expect(await tree()).toEqual(['Night birds/owl.pdf']);
    expect(await readFile(at('Night birds/owl.pdf'))).toEqual(OTHER);
  });

  it('stores no more files than its limit, also if new ones come first', async () => {
    rig = await startSourceRig(zoteroSource(fake), { maxFiles: 2 });
    for (const key of ['XXXXXXXX', 'YYYYYYYY']) fake.putFile(key, { filename: `${key}.pdf` }, makePdf([key]));
    await rig.sync();
    for (const key of ['AAAAAAAA', 'BBBBBBBB']) fake.putFile(key, { filename: `${key}.pdf` }, makePdf([key]));
    expect((await rig.sync()).counts).toMatchObject({ added: 0, skipped: 2 });
    expect(await tree()).toEqual(['XXXXXXXX.pdf', 'YYYYYYYY.pdf']);
  });

  it('keeps no more in the trash than its limits, the newest first', async () => {
    rig = await startSourceRig(zoteroSource(fake), { maxFiles: 2 });
    for (const [day, key] of ['AAAAAAAA', 'BBBBBBBB', 'CCCCCCCC', 'DDDDDDDD'].entries()) {
      fake.putFile(key, { filename: `${key}.pdf` }, makePdf([key]));
      await rig.sync();
      rig.time.offsetMs = day * DAY_MS;
      fake.remove('items', key);
      await rig.sync();
    }
    await rig.sync();
    expect((await readdir(at('.trash'))).sort()).toEqual(['CCCCCCCC', 'DDDDDDDD']);
  });
});

describe('files that a person changed', () => {
  beforeEach(async () => {
    addOwl();
    await rig.sync();
  });

  it('stay, with the version of the source next to them, until one of both is removed', async () => {
    await writeFile(at('Birds/owl.pdf'), 'my remarks');
    fake.putFile('FFFFFFFF', {}, OTHER);
    const beside = 'sources/Zotero/Birds/owl (source).pdf';
    const run = await rig.sync();
    expect(run.changes).toEqual([
      { path: 'sources/Zotero/Birds/owl.pdf', action: 'conflict', reason: 'changed_here', beside },
    ]);
    expect(await readFile(at('Birds/owl.pdf'), 'utf8')).toBe('my remarks');
    expect(await readFile(at('Birds/owl (source).pdf'))).toEqual(OTHER);
    expect((await rig.sync()).counts).toMatchObject({ conflicts: 1 });
    await rm(at('Birds/owl.pdf'));
    await rig.sync();
    expect((await rig.sync()).counts).toMatchObject({ conflicts: 0 });
    expect(await readFile(at('Birds/owl.pdf'))).toEqual(OTHER);
    expect(await tree()).toEqual(['Birds/owl.pdf']);
  });

  it('stay if they are deleted at the source', async () => {
    await writeFile(at('Birds/owl.pdf'), 'my remarks');
    fake.remove('items', 'FFFFFFFF');
    expect((await rig.sync()).counts).toMatchObject({ conflicts: 1, trashed: 0 });
    expect(await readFile(at('Birds/owl.pdf'), 'utf8')).toBe('my remarks');
  });

  it('are not restored after a person deleted them, unless the source has a new version', async () => {
    await rm(at('Birds/owl.pdf'));
    fake.putItem('PPPPPPPP', { title: 'Other' });
    await rig.sync();
    expect(await tree()).toEqual([]);
    fake.putCollection('CCCCCCCC', 'Elsewhere');
    await rig.sync();
    expect(await tree()).toEqual([]);
    fake.putFile('FFFFFFFF', {}, OTHER);
    await rig.sync();
    expect(await tree()).toEqual(['Elsewhere/owl.pdf']);
  });

  it('are never replaced by a new file with their name', async () => {
    await mkdir(at('Other'), { recursive: true });
    await writeFile(at('Other/owl.pdf'), 'mine');
    fake.putCollection('DDDDDDDD', 'Other');
    fake.putFile('GGGGGGGG', { collections: ['DDDDDDDD'], filename: 'owl.pdf', title: 'owl' }, OTHER);
    expect((await rig.sync()).counts).toMatchObject({ conflicts: 1 });
    expect(await readFile(at('Other/owl.pdf'), 'utf8')).toBe('mine');
    expect(await readFile(at('Other/owl (source).pdf'))).toEqual(OTHER);
    await rm(at('Other/owl.pdf'));
    await rig.sync();
    expect(await tree()).toEqual(['Birds/owl.pdf', 'Other/owl.pdf']);
  });
});

/** Lets the sync die right after it has recorded that it will write a file. */
async function dieBeforeWrite(): Promise<void> {
  const { records } = rig.ports;
  const { put } = records;
  records.put = async (record, expect) => {
    await put.call(records, record, expect);
    if (typeof record.value.writing === 'string') throw new Error('killed');
  };
  await rig.sync();
  records.put = put;
}

describe('a sync that died before a write', () => {
  beforeEach(async () => {
    addOwl();
    await rig.sync();
  });

  it('is repeated for a file that left the trash meanwhile', async () => {
    fake.putItem('PPPPPPPP', { deleted: 1 });
    await rig.sync();
    await rm(at('.trash/FFFFFFFF'), { recursive: true });
    fake.putItem('PPPPPPPP', { deleted: 0 });
    await dieBeforeWrite();
    await rig.sync();
    expect(await readFile(at('Birds/owl.pdf'))).toEqual(OWL);
  });

  it('is repeated for a new file whose collection was renamed meanwhile', async () => {
    const collections = ['CCCCCCCC'];
    fake.putItem('QQQQQQQQ', { itemType: 'journalArticle', title: 'Hawks', collections });
    fake.putFile('GGGGGGGG', { parentItem: 'QQQQQQQQ', filename: 'hawk.pdf' }, OTHER);
    await dieBeforeWrite();
    await writeFile(at('Birds/hawk.pdf'), OTHER); // as the sync did before it died
    fake.putCollection('CCCCCCCC', 'Raptors');
    expect(await rig.sync()).toMatchObject({ status: 'success' });
    expect(await tree()).toEqual(['Raptors/hawk.pdf', 'Raptors/owl.pdf']);
  });

  it('is repeated if the source has the earlier version again', async () => {
    fake.putFile('FFFFFFFF', {}, OTHER);
    await dieBeforeWrite();
    await writeFile(at('Birds/owl.pdf'), OTHER); // as the sync did before it died
    fake.putFile('FFFFFFFF', {}, OWL);
    await rig.sync();
    expect(await readFile(at('Birds/owl.pdf'))).toEqual(OWL);
  });

  it('leaves no file behind when the source is deleted', async () => {
    fake.putFile('FFFFFFFF', {}, OTHER);
    await dieBeforeWrite();
    await writeFile(at('Birds/owl.pdf'), OTHER);
    await deleteSource(rig.ports, rig.made, { keepFiles: false });
    await rig.work();
    expect(await tree()).toEqual([]);
  });

  it('leaves no file behind that was trashed before, and whose place in the trash is taken', async () => {
    fake.putItem('PPPPPPPP', { deleted: 1 });
    await rig.sync();
    await writeFile(at('.trash/FFFFFFFF/owl.pdf'), 'other');
    fake.putItem('PPPPPPPP', { deleted: 0 });
    await rig.sync();
    fake.putItem('PPPPPPPP', { deleted: 1 });
    expect((await rig.sync()).counts).toMatchObject({ trashed: 1, conflicts: 0 });
    expect(await tree()).toEqual([]);
    expect(await readFile(at('.trash/FFFFFFFF/owl.pdf'))).toEqual(OWL);
  });
});

describe('what the library says about a file', () => {
  it('is its provenance, and describes the document, also after it changed in the library', async () => {
    addOwl();
    await rig.sync();
    const { records } = rig.ports;
    const hash = hashOf(OWL);
    expect(await shownProvenance(records, SOURCE_WORKSPACE, hash)).toMatchObject({
      ...{ sourceId: rig.made.id, kind: 'zotero', title: 'Barn owls', authors: ['Ann Strix', 'Owl Trust'] },
      url: 'https://www.zotero.org/users/4711/items/PPPPPPPP',
    });
    const path = 'sources/Zotero/Birds/owl.pdf';
    const value = { path, hash, mtimeMs: 1, document: { title: 'untitled', authors: ['x'] } };
    await records.put({ key: fileRecordKey({ workspaceId: SOURCE_WORKSPACE, path }), value });
    const document = async () =>
      (await documentsAt(records, { id: SOURCE_WORKSPACE, hasWebPages: true }, [path])).get(path);
    expect(await document()).toMatchObject({
      ...{
        title: 'Barn owls',
        authors: ['Ann Strix', 'Owl Trust'],
        year: 2019,
        doi: '10.1000/owl',
        tags: ['night'],
      },
    });
    fake.putItem('PPPPPPPP', { title: 'Barn owls\u202e of\nEurope' });
    fake.asked.length = 0;
    await rig.sync();
    expect((await document())?.title).toBe('Barn owls of Europe');
    expect(fake.fileRequests()).toBe(0);
  });
});

describe('runs of a source', () => {
  it('are joined while one is in progress, and recalled if its message was lost', async () => {
    addOwl();
    const asked = { dryRun: false, trigger: 'manual' } as const;
    const [one, other] = [
      await startSourceSync(rig.ports, rig.made, asked),
      await startSourceSync(rig.ports, rig.made, asked),
    ];
    expect(other.id).toBe(one.id);
    const lost = await rig.ports.taskQueue.receive({ max: 10, waitSeconds: 0 });
    await rig.ports.taskQueue.delete(lost.map(({ receipt }) => receipt));
    await recallSources(rig.ports);
    expect(await rig.ports.taskQueue.receive({ max: 10, waitSeconds: 0 })).toEqual([]);
    rig.time.offsetMs = 120_000;
    await recallSources(rig.ports);
    const [recalled] = await rig.ports.taskQueue.receive({ max: 10, waitSeconds: 0 });
    expect(JSON.parse(recalled?.body ?? '{}')).toEqual({
      kind: 'source',
      workspaceId: SOURCE_WORKSPACE,
      name: 'Zotero',
    });
  });

  it('fail with a reason for a refused key, and continue with the next sync after the source was unreachable', async () => {
    addOwl();
    fake.apiKey = 'AnotherKey456789';
    expect(await rig.sync()).toMatchObject({ status: 'error', error: expect.stringContaining('API key') });
    fake.apiKey = 'FakeZoteroKey123';
    expect((await rig.sync()).counts).toMatchObject({ added: 1 });
  });
});
