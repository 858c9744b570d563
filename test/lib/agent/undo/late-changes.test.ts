import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { workspaceCopyOf } from '../../../../lib/agent/undo/undo-store.ts';
import { writeText } from '../../../../lib/files/write-text.ts';
import { eventually } from '../../../support/sync.ts';
import { startUndoRig, undoByPath } from '../../../support/undo-rig.ts';

/** A command whose look waits, because something else works on the copy of the workspace, until `look` is called. */
async function startWaiting(
  change: (at: (path: string) => string) => Promise<unknown>,
  prepare: (rig: Awaited<ReturnType<typeof startUndoRig>>, runId: string) => Promise<void> = async () => {},
) {
  const rig = await startUndoRig();
  const { at, store, workspace, keeper } = rig;
  await mkdir(at('data/old'), { recursive: true });
  for (const path of ['data/a', 'data/b', 'data/old/c', 'other']) await writeFile(at(path), path);
  const runId = await rig.endedRun();
  await prepare(rig, runId);
  const look = Promise.withResolvers<void>();
  const copy = workspaceCopyOf(store, workspace);
  let aside: Promise<unknown> = Promise.resolve();
  await keeper(runId).around('./x', async () => {
    await change(at);
    aside = copy.aside([], () => look.promise);
  });
  await sleep(20);
  const seen = async () => {
    look.resolve();
    await aside;
    return rig.changes(runId);
  };
  return { ...rig, runId, seen };
}

describe('a deletion by someone else after the end of a command', () => {
  it('is a conflict, and an undo leaves it', async () => {
    const { at, seen, undo, runId } = await startWaiting((place) => rm(place('other')));
    await rm(at('data/a'));
    await rename(at('data/b'), at('data/renamed'));
    await rm(at('data/old'), { recursive: true });
    const states = undoByPath(await seen());
    expect(states.other).toBe('possible');
    for (const path of ['data/a', 'data/b', 'data/old', 'data/old/c'])
      expect([path, states[path]]).toEqual([path, 'conflict']);
    await undo(runId);
    expect((await readdir(at('data'))).sort()).toEqual(['renamed']);
  });

  it.each(['ended', 'is in progress'])(
    'differs from one by the command, in a folder that a write of the run changes later: it %s',
    async (state) => {
      const ready = Promise.withResolvers<void>();
      const landing = Promise.withResolvers<void>();
      const finish = Promise.withResolvers<void>();
      let write: Promise<unknown> = Promise.resolve();
      const { seen, undo, runId, at } = await startWaiting(
        (place) => rm(place('data/a')),
        async (rig, id) => {
          write = rig.keeper(id).change('data/new', async () => {
            ready.resolve();
            await landing.promise;
            await writeText(rig.root, 'data/new', 'new');
            if (state !== 'ended') await finish.promise;
          });
          await ready.promise;
        },
      );
      landing.resolve();
      await (state === 'ended'
        ? write
        : eventually(
            async () => existsSync(at('data/new')),
            (is) => is,
          ));
      expect(undoByPath(await seen())).toMatchObject({ 'data/a': 'possible' });
      finish.resolve();
      await write;
      await undo(runId);
      expect((await readdir(at('data'))).sort()).toEqual(['a', 'b', 'old']);
    },
  );
});
