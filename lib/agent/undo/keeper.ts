import { foldersOf } from '../../paths/entry-path.ts';
import { withPathLock } from '../../paths/path-lock.ts';
import { readsOnly } from '../../permissions/reads-only.ts';
import type { ChangeKeeper } from '../../ports/commands.ts';
import { atEntry, type EntryState, type FileEntry, hashAt, lookAt, type PathState } from './entry-state.ts';
import type { JournalLine, KeptRun } from './kept-run.ts';
import { KEPT_LIMITS, WORKSPACE_COPY } from './kept-space.ts';
import { openKept, type Place, type UndoStore, workspaceCopyOf } from './undo-store.ts';

/**
 * Stores the changes that a run makes in its workspace. `begin` is called before the first change is stored.
 */
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
        workspaceCopyOf(store, workspace).change(paths, async () => {
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
      await begin(WORKSPACE_COPY).catch((error: unknown) => kept.lose(error));
      return workspaceCopyOf(store, workspace).around(runId, kept, work);
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
  const [lines, first]: [JournalLine[], PathState[]] = [[], []];
  for (const path of paths) {
    const isWanted = kept.wants(path, since);
    const known = kept.paths.get(path);
    if (!isWanted && known === undefined) continue;
    const state = await lookAt(root, path);
    // A write doesn't change a folder that already exists.
    if (state.kind === 'folder' && path !== paths[0]) continue;
    if (isWanted) first.push([path, state]);
    else lines.push({ is: 'changing', path, at: Math.max(since, (known?.after?.at ?? 0) + 1) });
  }
  const copied = await kept.copy(first, isCopied, (writer, file, path) =>
    atEntry(root, path, (entry) => writer.add(entry, file)),
  );
  await kept.write([
    ...lines,
    ...copied.map(([path, state]): JournalLine => ({ is: 'before', path, since, state })),
  ]);
}

/** Returns whether it is a file small enough to be copied. */
function isCopied(state: EntryState): state is FileEntry {
  return state.kind === 'file' && state.size <= KEPT_LIMITS.fileBytes;
}

async function keepAfter(root: string, kept: KeptRun, paths: string[]): Promise<void> {
  const lines: JournalLine[] = [];
  for (const path of paths) {
    const known = kept.paths.get(path);
    if (known === undefined) continue;
    // Later than the start, even within one millisecond.
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
  return isCopied(state) ? { ...state, hash: await atEntry(root, path, hashAt) } : state;
}
