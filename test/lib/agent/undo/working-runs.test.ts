import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { writeText } from '../../../../lib/files/write-text.ts';
import { runs } from '../../../../lib/runs/schema.ts';
import { startUndoRig } from '../../../support/undo-rig.ts';

const PATHS = Array.from({ length: 20 }, (_, index) => `f${index}.md`);

describe('the changes of an active run', () => {
  it("are listed without waiting for the run's current command", async () => {
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

describe('an undo next to a run that writes the same files', () => {
  it('finishes, as the run does, while a command works in the workspace', async () => {
    const { keeper, endedRun, undo, changes, root, at } = await startUndoRig();
    const [first, second, third] = [await endedRun(), await endedRun(), await endedRun()];
    for (const path of PATHS) await writeFile(at(path), 'old\n');
    const writeAll = async (runId: string, text: string) => {
      for (const path of PATHS) await keeper(runId).change(path, () => writeText(root, path, text));
    };
    await writeAll(first, 'by the first\n');
    const stop = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const command = keeper(second).around('./x', () => {
      started.resolve();
      return stop.promise;
    });
    await started.promise;
    const both = Promise.all([undo(first), writeAll(third, 'by the third\n')]);
    expect(await Promise.race([both.then(() => 'ended'), sleep(10_000, 'hangs', { ref: false })])).toBe(
      'ended',
    );
    stop.resolve();
    await command;
    expect((await changes(second)).complete).toBe(true);
    for (const path of PATHS) expect(await readFile(at(path), 'utf8')).toBe('by the third\n');
  });
});
