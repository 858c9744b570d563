import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { createQueues, sqliteQueue } from '../../../lib/adapters/sqlite/queue.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { renewIndexes } from '../../../lib/indexing/renew-indexes.ts';
import { indexes } from '../../../lib/passages/search-space.ts';
import { systemClock } from '../../../lib/ports/clock.ts';
import { takeAll } from '../../support/pipeline.ts';
import { killable } from '../../support/processes/killable.ts';
import { tempFolder } from '../../support/temp-folder.ts';

async function makePorts(workspaces: number) {
  const database = openDatabase(await tempFolder());
  createQueues(database, [{ name: 'maintain', fifo: true, visibilityTimeoutSeconds: 60 }]);
  const records = sqliteRecords(database);
  const ports = { records, maintainQueue: sqliteQueue(database, 'maintain'), clock: systemClock };
  const names = Array.from({ length: workspaces }, (_, index) => `w${index}`);
  await indexes.putMany(
    ports.records,
    names.map((workspaceId) => ({ workspaceId, space: `space of ${workspaceId}` })),
  );
  const asked = async () => (await takeAll(ports.maintainQueue)).map(({ body }) => JSON.parse(body));
  return { ports, names, asked };
}

describe('renewIndexes', () => {
  it('sends one maintenance message per workspace, over several ticks', async () => {
    const { ports, names, asked } = await makePorts(230);
    const sizes: number[] = [];
    const seen: string[] = [];
    for (let tick = 0; tick < 5; tick++) {
      await renewIndexes(ports);
      const messages = await asked();
      sizes.push(messages.length);
      for (const { workspaceId, space } of messages) {
        expect(space).toBe(`space of ${workspaceId}`);
        seen.push(workspaceId);
      }
    }
    expect(sizes).toEqual([100, 100, 30, 0, 0]);
    expect(seen.sort()).toEqual(names.sort());
  });

  it('skips no workspace if it is killed at any call', async () => {
    for (let lives = 0; lives < 4; lives++) {
      const { ports, names, asked } = await makePorts(3);
      const mortal = killable(ports, ['records', 'maintainQueue'], lives);
      const run = renewIndexes(mortal.ports).catch(() => undefined);
      await Promise.race([mortal.died, run]);
      await renewIndexes(ports);
      const seen = new Set((await asked()).map(({ workspaceId }) => workspaceId));
      expect([...seen].sort()).toEqual(names);
      mortal.bury();
      await run;
    }
  });
});
