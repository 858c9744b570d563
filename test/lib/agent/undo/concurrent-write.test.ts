import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { keeperOf } from '../../../../lib/agent/undo/keeper.ts';
import { readChanges } from '../../../../lib/agent/undo/run-changes.ts';
import { openKept, workspaceCopyOf } from '../../../../lib/agent/undo/undo-store.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

async function start() {
  const store = { folder: await tempFolder(), changed: async () => {} };
  const workspace = { id: 'w', rootPath: await tempFolder() };
  await writeFile(join(workspace.rootPath, 'a.md'), 'before');
  const keeper = keeperOf(store, workspace, 'run', async () => {});
  const copy = workspaceCopyOf(store, workspace);
  const write = (text: string) => writeFile(join(workspace.rootPath, 'a.md'), text);
  const undoOf = async () => {
    await copy.recover();
    const changes = await readChanges(workspace.rootPath, await openKept(store, 'w', 'run'));
    return changes.map(({ path, undo }) => ({ path, undo }));
  };
  return { keeper, copy, write, undoOf };
}

describe('a write of a run that also runs a command', () => {
  it.each(['the run', 'someone else'])('differs from a later one: it is by %s', async (by) => {
    const { keeper, copy, write, undoOf } = await start();
    const ready = Promise.withResolvers<void>();
    const landing = Promise.withResolvers<void>();
    const look = Promise.withResolvers<void>();
    const change = keeper.change('a.md', async () => {
      ready.resolve();
      await landing.promise;
      await write('by the run');
    });
    await ready.promise;
    let aside: Promise<unknown> = Promise.resolve();
    await keeper.around('./x', async () => {
      aside = copy.aside([], () => look.promise);
    });
    await sleep(20); // after the end of the command, whose look waits
    landing.resolve();
    await change;
    if (by === 'someone else') await write('by someone else');
    look.resolve();
    await aside;
    expect(await undoOf()).toEqual([{ path: 'a.md', undo: by === 'the run' ? 'possible' : 'conflict' }]);
  });
});
