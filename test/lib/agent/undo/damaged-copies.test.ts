import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { writeText } from '../../../../lib/files/write-text.ts';
import { startUndoRig, undoByPath } from '../../../support/undo-rig.ts';

const LARGE = 'large\n'.repeat(20_000);

/** Makes a run that changes one file by a write, and a small and a large file by a command. */
async function startChanged() {
  const rig = await startUndoRig();
  const { at, root, keptAt } = rig;
  for (const [path, text] of [
    ['thesis.md', 'my words\n'.repeat(500)],
    ['small.md', 'small\n'],
    ['large.md', LARGE],
  ])
    await writeFile(at(path ?? ''), text ?? '');
  const runId = await rig.endedRun();
  await rig.keeper(runId).change('thesis.md', () => writeText(root, 'thesis.md', 'by the run\n'));
  await rig.command(runId, async () => {
    await writeFile(at('small.md'), 'by the run\n');
    await rm(at('large.md'));
    await mkdir(at('large.md'));
  });
  const copies = async () => {
    const folder = keptAt(runId, 'copies');
    return (await readdir(folder)).map((name) => join(folder, name));
  };
  return { ...rig, runId, copies };
}

const ALL = ['large.md', 'small.md', 'thesis.md'];
const all = (undo: string) => Object.fromEntries(ALL.map((path) => [path, undo]));

async function overwrite(place: string): Promise<void> {
  await writeFile(place, 'Z'.repeat((await readFile(place)).length));
}

describe('an undo whose stored copies were damaged', () => {
  it.each([
    ['emptied', (place: string) => truncate(place, 0)],
    ['overwritten', overwrite],
    ['removed', (place: string) => rm(place)],
  ])('leaves the files as the run left them, and reports the damage: %s', async (_, damage) => {
    const { runId, copies, undo, changes, at } = await startChanged();
    expect(undoByPath(await changes(runId))).toEqual(all('possible'));
    for (const place of await copies()) await damage(place);
    expect(undoByPath(await undo(runId))).toEqual(all('not_kept'));
    expect(undoByPath(await undo(runId, { force: true }))).toEqual(all('not_kept'));
    expect(await readFile(at('thesis.md'), 'utf8')).toBe('by the run\n');
    expect(await readFile(at('small.md'), 'utf8')).toBe('by the run\n');
    expect(await readdir(at('large.md'))).toEqual([]);
  });

  it('restores files whose copies are intact', async () => {
    const { runId, undo, at } = await startChanged();
    expect(undoByPath(await undo(runId))).toEqual(all('done'));
    expect(await readFile(at('thesis.md'), 'utf8')).toBe('my words\n'.repeat(500));
    expect(await readFile(at('small.md'), 'utf8')).toBe('small\n');
    expect(await readFile(at('large.md'), 'utf8')).toBe(LARGE);
  });

  it('uses nothing from a damaged copy of the workspace', async () => {
    const { command, endedRun, changes, keptAt, at } = await startChanged();
    for (const name of await readdir(keptAt('workspace', 'copies')))
      await overwrite(keptAt('workspace', `copies/${name}`));
    const runId = await endedRun();
    await command(runId, () => writeFile(at('small.md'), 'again by a run\n'));
    expect(undoByPath(await changes(runId))).toEqual({ 'small.md': 'not_kept' });
  });
});

describe('a copy of a workspace that lacks some file contents', () => {
  it.each([
    ['missing', (place: string) => rm(place)],
    ['empty', (place: string) => truncate(place, 0)],
    ['truncated', (place: string) => truncate(place, 1000)],
  ])('is completed by the next scan after a restart: %s', async (_, damage) => {
    const { command, endedRun, restart, changes, undo, keptAt, at } = await startUndoRig();
    await writeFile(at('small.md'), 'small\n');
    await writeFile(at('large.md'), LARGE);
    await command(await endedRun(), () => writeFile(at('new.md'), 'new\n'));
    for (const name of await readdir(keptAt('workspace', 'copies')))
      await damage(keptAt('workspace', `copies/${name}`));
    restart();
    const runId = await endedRun();
    await command(runId, async () => {
      await writeFile(at('small.md'), 'by the run\n');
      await writeFile(at('large.md'), 'by the run\n');
    });
    expect((await changes(runId)).complete).toBe(true);
    expect(undoByPath(await undo(runId))).toEqual({ 'large.md': 'done', 'small.md': 'done' });
    expect(await readFile(at('small.md'), 'utf8')).toBe('small\n');
    expect(await readFile(at('large.md'), 'utf8')).toBe(LARGE);
  });
});

describe('the copies of a run', () => {
  it('are written to disk before the journal names them', async () => {
    const flushed: number[] = [];
    await using handle = await open(import.meta.filename);
    const handles = Object.getPrototypeOf(handle) as { sync(): Promise<void> };
    const sync = jest.spyOn(handles, 'sync').mockImplementation(async function (this: FileHandle) {
      flushed.push((await this.stat()).ino);
    });
    const rig = await startUndoRig();
    await writeFile(rig.at('thesis.md'), 'my words\n');
    const runId = await rig.endedRun();
    await rig.keeper(runId).change('thesis.md', () => writeText(rig.root, 'thesis.md', 'by the run\n'));
    sync.mockRestore();
    const inodeOf = async (path: string) => (await stat(rig.keptAt(runId, path))).ino;
    const [copy = ''] = await readdir(rig.keptAt(runId, 'copies'));
    const [journal = ''] = (await readdir(rig.keptAt(runId))).filter((name) => name.startsWith('journal-'));
    const [first, second, third] = [`copies/${copy}`, 'copies', journal].map(inodeOf);
    expect(flushed.slice(0, 3)).toEqual([await first, await second, await third]);
  });
});
