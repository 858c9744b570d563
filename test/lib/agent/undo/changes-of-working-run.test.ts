import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { runs } from '../../../../lib/runs/schema.ts';
import { startUndoRig } from '../../../support/undo-rig.ts';

describe('the changes of a run that works', () => {
  it('are listed without waiting for its command', async () => {
    const { ports, keeper, endedRun, changes, undo, at } = await startUndoRig();
    const runId = await endedRun();
    const run = await runs.get(ports.records, { id: runId });
    if (run === undefined) throw new Error('no run');
    await runs.put(ports.records, { ...run, status: 'running' });
    const [started, stop] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const command = keeper(runId).around('./x', async () => {
      await writeFile(at('new.md'), 'new');
      started.resolve();
      await stop.promise;
    });
    await started.promise;
    const before = performance.now();
    await changes(runId);
    await expect(undo(runId)).rejects.toMatchObject({ code: 'run_in_progress' });
    expect(performance.now() - before).toBeLessThan(5000);
    stop.resolve();
    await command;
  });
});
