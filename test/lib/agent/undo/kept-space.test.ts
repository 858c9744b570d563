import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { KEPT_LIMITS } from '../../../../lib/agent/undo/kept-space.ts';
import { writeText } from '../../../../lib/files/write-text.ts';
import { startUndoRig, undoByPath } from '../../../support/undo-rig.ts';

const WAS = { ...KEPT_LIMITS };
const BYTES = 1000;

afterEach(() => {
  Object.assign(KEPT_LIMITS, WAS);
});

/** Makes runs that each replace a file of 1,000 bytes, by a write or a command, and create a file. */
async function startRuns() {
  const rig = await startUndoRig();
  const { root, at, keeper, command, keptAt } = rig;
  const replace = async (by: 'write' | 'command'): Promise<string> => {
    const runId = await rig.endedRun();
    await writeFile(at(`${runId}.md`), 'x'.repeat(BYTES));
    const change = (path: string) => writeText(root, path, 'by the run');
    for (const path of [`${runId}.md`, `${runId}-new.md`])
      await (by === 'write'
        ? keeper(runId).change(path, () => change(path))
        : command(runId, () => change(path)));
    return runId;
  };
  const copiesOf = async (runId: string) => (await readdir(keptAt(runId, 'copies')).catch(() => [])).length;
  return { ...rig, replace, copiesOf };
}

describe('the undo data of the runs of a workspace', () => {
  it.each(['write', 'command'] as const)('replaces the oldest data if a %s needs space', async (by) => {
    KEPT_LIMITS.workspaceBytes = 2.5 * BYTES;
    const { replace, copiesOf, changes, undo } = await startRuns();
    const [oldest, older, newest] = [await replace(by), await replace(by), await replace(by)];
    expect(await Promise.all([oldest, older, newest].map(copiesOf))).toEqual([0, 1, 1]);
    expect(undoByPath(await changes(oldest))).toEqual({
      [`${oldest}.md`]: 'not_kept',
      [`${oldest}-new.md`]: 'possible',
    });
    expect(new Set(Object.values(undoByPath(await undo(newest))))).toEqual(new Set(['done']));
    expect(new Set(Object.values(undoByPath(await undo(older))))).toEqual(new Set(['done']));
  });

  it.each(['write', 'command'] as const)('leaves free space on the disk during a %s', async (by) => {
    const { replace, copiesOf, changes } = await startRuns();
    const first = await replace(by);
    KEPT_LIMITS.freePart = 1e12;
    const second = await replace(by);
    expect(await Promise.all([first, second].map(copiesOf))).toEqual([1, 0]);
    expect(undoByPath(await changes(second))[`${second}.md`]).toBe('not_kept');
    expect((await changes(second)).complete).toBe(true);
  });
});

describe('the copy of a workspace', () => {
  it('is rewritten when most of it is unused, and stays complete', async () => {
    const { command, endedRun, undo, keptAt, at } = await startUndoRig();
    await writeFile(at('small.md'), 'small');
    const MB = 1024 * 1024;
    for (const letter of 'abcd') {
      const contents = letter.repeat(20 * MB);
      await command(await endedRun(), () => writeFile(at('large.md'), contents));
    }
    const copies = await readdir(keptAt('workspace', 'copies'));
    const sizes = await Promise.all(
      copies.map(async (name) => (await stat(keptAt('workspace', `copies/${name}`))).size),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(50 * MB);
    const last = await endedRun();
    await command(last, () => Promise.all(['small.md', 'large.md'].map((path) => rm(at(path)))));
    expect(new Set(Object.values(undoByPath(await undo(last))))).toEqual(new Set(['done']));
    expect(await readFile(at('large.md'), 'utf8')).toBe('d'.repeat(20 * MB));
    expect(await readFile(at('small.md'), 'utf8')).toBe('small');
  });
});
