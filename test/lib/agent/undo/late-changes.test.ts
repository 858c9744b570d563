import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { workspaceCopyOf } from '../../../../lib/agent/undo/undo-store.ts';
import { writeText } from '../../../../lib/files/write-text.ts';
import { startUndoRig, undoByPath } from '../../../support/undo-rig.ts';

/**
 * Starts a command whose look waits until `look` is called, because something else works on the copy of the
 * workspace.
 */
async function startWaiting(change: (at: (path: string) => string) => Promise<unknown>) {
  const rig = await startUndoRig();
  const { at, store, workspace, keeper } = rig;
  await mkdir(at('data/old'), { recursive: true });
  for (const path of ['data/a', 'data/b', 'data/old/c', 'other']) await writeFile(at(path), path);
  const runId = await rig.endedRun();
  const look = Promise.withResolvers<void>();
  const copy = workspaceCopyOf(store, workspace);
  let waiting: Promise<unknown> = Promise.resolve();
  await keeper(runId).around('./x', async () => {
    await change(at);
    waiting = copy.change([], () => look.promise);
  });
  await sleep(20);
  const seen = async () => {
    look.resolve();
    await waiting;
    return rig.changes(runId);
  };
  return { ...rig, runId, seen };
}

describe('a change by someone else after the end of a command', () => {
  it('is a conflict, and is kept by an undo', async () => {
    const { at, seen, undo, runId } = await startWaiting((place) => rm(place('other')));
    await rm(at('data/a'));
    await rename(at('data/b'), at('data/renamed'));
    await rm(at('data/old'), { recursive: true });
    await writeFile(at('data/late'), 'late');
    const states = undoByPath(await seen());
    expect(states.other).toBe('possible');
    for (const path of ['data/a', 'data/b', 'data/late', 'data/old', 'data/old/c'])
      expect([path, states[path]]).toEqual([path, 'conflict']);
    await undo(runId);
    expect((await readdir(at('data'))).sort()).toEqual(['late', 'renamed']);
  });
});

describe('a command that starts during a write by the service', () => {
  it('waits for the end of the write, which would otherwise look like a change after the command', async () => {
    const { keeper, endedRun, changes, undo, root, at } = await startUndoRig();
    await writeFile(at('a.md'), 'a');
    const runId = await endedRun();
    const landing = Promise.withResolvers<void>();
    const done: string[] = [];
    const write = keeper(runId).change('new.md', async () => {
      await landing.promise;
      await writeText(root, 'new.md', 'new');
      done.push('write');
    });
    await sleep(20);
    const command = keeper(runId).around('./x', async () => {
      await rm(at('a.md'));
      done.push('command');
    });
    await sleep(20);
    landing.resolve();
    await Promise.all([write, command]);
    expect(done).toEqual(['write', 'command']);
    expect(undoByPath(await changes(runId))).toEqual({ 'a.md': 'possible', 'new.md': 'possible' });
    await undo(runId);
    expect(await readdir(root)).toEqual(['a.md']);
  });
});
