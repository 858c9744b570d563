import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { startUndoRig, undoByPath } from '../../../support/undo-rig.ts';

describe('a run that was killed during its second write to a file', () => {
  it.each(['new.md', 'notes.md'])('can be undone: %s', async (path) => {
    const { keeper, endedRun, undo, at, root } = await startUndoRig();
    await writeFile(at('notes.md'), 'before');
    const runId = await endedRun();
    await keeper(runId).change(path, () => writeFile(at(path), 'first'));
    const landed = Promise.withResolvers<void>();
    void keeper(runId).change(path, async () => {
      await writeFile(at(path), 'second');
      landed.resolve();
      return new Promise(() => {}); // nothing after it happens
    });
    await landed.promise;
    expect(undoByPath(await undo(runId))).toEqual({ [path]: 'done' });
    expect(await readdir(root)).toEqual(['notes.md']);
    expect(await readFile(at('notes.md'), 'utf8')).toBe('before');
  });

  it('can be undone if the first write left no file', async () => {
    const { keeper, endedRun, undo, at, root } = await startUndoRig();
    const runId = await endedRun();
    await keeper(runId).change('new.md', () => writeFile(at('new.md'), 'first'));
    await keeper(runId).change('new.md', () => rm(at('new.md')));
    const landed = Promise.withResolvers<void>();
    void keeper(runId).change('new.md', async () => {
      await writeFile(at('new.md'), 'second');
      landed.resolve();
      return new Promise(() => {});
    });
    await landed.promise;
    await undo(runId);
    expect(await readdir(root)).toEqual([]);
  });
});
