import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { foldersOf } from '../../paths/entry-path.ts';
import { flush } from '../../paths/flush.ts';
import { withPathLock } from '../../paths/path-lock.ts';
import { readsOnly } from '../../permissions/reads-only.ts';
import type { ChangeKeeper } from '../../ports/commands.ts';
import { atEntry, copyOut, type EntryState, hashAt, lookAt } from './entry-state.ts';
import { KEPT_LIMITS } from './kept-limits.ts';
import type { JournalLine, KeptRun } from './kept-run.ts';
import { changeAside, openKept, type Place, shadowOf, type UndoStore } from './undo-store.ts';

/** Keeps what a run changes in its workspace. `begin` is called before the first thing is kept. */
export function keeperOf(
  store: UndoStore,
  workspace: Place,
  runId: string,
  begin: (name: string) => Promise<void>,
): ChangeKeeper {
  let opened: Promise<KeptRun> | undefined;
  const open = () => {
    opened ??= openRun(store, workspace, runId, begin);
    return opened;
  };
  return {
    id: runId,
    other: (id) => keeperOf(store, workspace, id, begin),
    async change(path, make) {
      const kept = await open();
      const paths = [path, ...foldersOf(path)];
      return withPathLock(`undo ${workspace.rootPath}/${path}`, () =>
        changeAside(store, workspace, paths, async () => {
          await keepBefore(workspace.rootPath, kept, paths).catch((error: unknown) => kept.lose(error));
          try {
            return await make();
          } finally {
            await keepAfter(workspace.rootPath, kept, paths).catch((error: unknown) => kept.lose(error));
          }
        }),
      );
    },
    async around(script, work) {
      if (readsOnly(script)) return work();
      const kept = await open();
      await begin('shadow').catch((error: unknown) => kept.lose(error));
      return shadowOf(store, workspace).around(runId, kept, work);
    },
  };
}

async function openRun(
  store: UndoStore,
  { id }: Place,
  runId: string,
  begin: (name: string) => Promise<void>,
): Promise<KeptRun> {
  const kept = await openKept(store, id, runId);
  await Promise.all([kept.makeFolders(), begin(runId)]).catch((error: unknown) => kept.lose(error));
  return kept;
}

async function keepBefore(root: string, kept: KeptRun, paths: string[]): Promise<void> {
  const since = Date.now();
  const lines: JournalLine[] = [];
  for (const path of paths) {
    const isWanted = kept.wants(path, since);
    if (!isWanted && !kept.paths.has(path)) continue;
    const state = await lookAt(root, path);
    // A folder that is there stays as it is.
    if (state.kind === 'folder' && path !== paths[0]) continue;
    lines.push(
      isWanted
        ? { is: 'before', path, since, state: await withCopy(root, kept, path, state) }
        : { is: 'changing', path, at: Math.max(since, (kept.paths.get(path)?.after?.at ?? 0) + 1) },
    );
  }
  await kept.write(lines);
}

async function withCopy(root: string, kept: KeptRun, path: string, state: EntryState): Promise<EntryState> {
  if (state.kind !== 'file') return state;
  if (state.size > KEPT_LIMITS.fileBytes) return { ...state, why: 'too_large' };
  if (!(await kept.takeRoom(state.size))) return { ...state, why: 'limit' };
  const copy = randomUUID();
  const place = kept.copyPlace(copy);
  try {
    const copied = await atEntry(root, path, (entry) => copyOut(entry, place));
    if (copied !== undefined) {
      await flush(place);
      await flush(kept.copyPlace(''));
      return { ...copied, copy };
    }
    await rm(place, { force: true });
    return { ...state, why: 'changing' };
  } catch {
    await rm(place, { force: true });
    return { ...state, why: 'unreadable' };
  }
}

async function keepAfter(root: string, kept: KeptRun, paths: string[]): Promise<void> {
  const lines: JournalLine[] = [];
  for (const path of paths) {
    const known = kept.paths.get(path);
    if (known === undefined) continue;
    // Later than the beginning, also within one millisecond.
    lines.push({
      is: 'after',
      path,
      at: Math.max(Date.now(), known.changingAt ?? 0),
      state: await withHash(root, path),
    });
  }
  await kept.write(lines);
}

async function withHash(root: string, path: string): Promise<EntryState> {
  const state = await lookAt(root, path);
  if (state.kind !== 'file' || state.size > KEPT_LIMITS.fileBytes) return state;
  const hash = await atEntry(root, path, hashAt);
  return { ...state, ...(hash !== undefined && { hash }) };
}
