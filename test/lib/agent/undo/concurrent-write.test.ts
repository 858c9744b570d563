import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { keeperOf } from '../../../../lib/agent/undo/keeper.ts';
import { readChanges } from '../../../../lib/agent/undo/run-changes.ts';
import { openKept, shadowOf } from '../../../../lib/agent/undo/undo-store.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

async function start() {
  const store = { folder: await tempFolder(), changed: async () => {} };
  const workspace = { id: 'w', rootPath: await tempFolder() };
  await writeFile(join(workspace.rootPath, 'a.md'), 'before');
  const keeper = keeperOf(store, workspace, 'run', async () => {});
  const shadow = shadowOf(store, workspace);
  const [ready, landing, looking] = [new EventTarget(), new EventTarget(), new EventTarget()];
  const write = (text: string) => writeFile(join(workspace.rootPath, 'a.md'), text);
  const undoOf = async () => {
    await shadow.recover('run');
    const changes = await readChanges(workspace.rootPath, await openKept(store, 'w', 'run'));
    return changes.map(({ path, undo }) => ({ path, undo }));
  };
  return { keeper, shadow, ready, landing, looking, write, undoOf };
}

describe('a write of a run that also runs a command', () => {
  it.each(['the run', 'someone else'])('differs from a later one: it is by %s', async (by) => {
    const { keeper, shadow, ready, landing, looking, write, undoOf } = await start();
    const isReady = once(ready, 'event');
    const change = keeper.change('a.md', async () => {
      const landed = once(landing, 'event');
      ready.dispatchEvent(new Event('event'));
      await landed;
      await write('by the run');
    });
    await isReady;
    const look = once(looking, 'event');
    let aside: Promise<unknown> = Promise.resolve();
    await keeper.around('./x', async () => {
      aside = shadow.aside([], () => look);
    });
    await sleep(20); // after the end of the command, whose look waits
    landing.dispatchEvent(new Event('event'));
    await change;
    if (by === 'someone else') await write('by someone else');
    looking.dispatchEvent(new Event('event'));
    await aside;
    expect(await undoOf()).toEqual([{ path: 'a.md', undo: by === 'the run' ? 'possible' : 'conflict' }]);
  });
});
