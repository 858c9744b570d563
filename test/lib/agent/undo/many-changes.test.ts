import { describe, expect, it } from '@jest/globals';

import type { EntryState } from '../../../../lib/agent/undo/entry-state.ts';
import type { Change } from '../../../../lib/agent/undo/kept-run.ts';
import { describeRunChanges } from '../../../../lib/agent/undo/run-changes.ts';
import { longestSlice, MOST_SLICE_MS } from '../../../support/processes/longest-slice.ts';
import { startUndoRig } from '../../../support/undo-rig.ts';

const MANY = 30_000;

function file(inode: number, fields: { size?: number; hash?: string } = {}): EntryState {
  return {
    ...{ kind: 'file', mode: 0o644, size: 1, mtimeMs: 0, version: `${inode}:1:0:0`, ...fields },
  };
}

function change(path: string, before: EntryState, after: EntryState): Change {
  const kind = before.kind === 'none' ? 'created' : 'deleted';
  return { path, change: kind, undo: 'possible', kept: { since: 0, before, after: { at: 1, state: after } } };
}

const none: EntryState = { kind: 'none' };
const numbers = (length: number) => Array.from({ length }, (_, index) => index);

describe('the changes of a run that changed many files', () => {
  it('are listed without blocking other clients if all files have the same size', async () => {
    const changes = [
      ...numbers(MANY).map((n) => change(`a/f${n}`, file(n), none)),
      ...numbers(MANY).map((n) => change(`b/f${n}`, none, file(MANY - n))),
    ];
    let moved = 0;
    const slice = await longestSlice(async () => {
      const files = await describeRunChanges(changes);
      moved = files.filter((one) => one.change === 'moved').length;
    });
    expect(moved).toBe(MANY - 1);
    expect(slice).toBeLessThan(MOST_SLICE_MS);
  });

  it('are undone by name without blocking other clients', async () => {
    const { kept, endedRun, undo } = await startUndoRig();
    const runId = await endedRun();
    const run = await kept(runId);
    await run.makeFolders();
    const paths = numbers(MANY).map((n) => `a/f${n}`);
    await run.write([
      ...paths.map((path) => ({
        is: 'before' as const,
        path,
        since: 0,
        state: { kind: 'folder' as const, mode: 0o755 },
      })),
      ...paths.map((path) => ({ is: 'after' as const, path, at: 1, state: none })),
      // Undone before, so that only the choice remains.
      ...paths.map((path) => ({ is: 'undone' as const, path, at: 2 })),
    ]);
    const named = paths.filter((_, index) => index % 6 === 0);
    const slice = await longestSlice(() => undo(runId, { paths: named }));
    expect(slice).toBeLessThan(MOST_SLICE_MS);
  });
});

describe('a moved file', () => {
  it('is matched by its inode or else by its contents, and each file only once', async () => {
    const changes = [
      change('a/1', file(1), none),
      change('a/2', file(2, { hash: 'same' }), none),
      change('a/3', file(3, { hash: 'same' }), none),
      change('b/1', none, file(1)),
      change('b/2', none, file(12, { hash: 'same' })),
      change('b/3', none, file(13, { hash: 'same' })),
      change('b/4', none, file(14, { hash: 'same' })),
      change('b/5', none, file(15)),
    ];
    const files = await describeRunChanges(changes);
    expect(files.map(({ path, from }) => [path, from])).toEqual([
      ['b/1', 'a/1'],
      ['b/2', 'a/2'],
      ['b/3', 'a/3'],
      ['b/4', undefined],
      ['b/5', undefined],
    ]);
  });
});
