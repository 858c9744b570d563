import { constants } from 'node:fs';
import { mkdir, open, readdir, rmdir, symlink, unlink } from 'node:fs/promises';
import { ServiceError } from '../../errors.ts';
import { log } from '../../log.ts';
import { withHeld } from '../../paths/confine.ts';
import { hasCode } from '../../paths/file-errors.ts';
import { withPathLock } from '../../paths/path-lock.ts';
import { makeThenRename } from '../../paths/replace-file.ts';
import { sweepUnfinished } from '../../paths/stale-temp-files.ts';
import { besides, isTempName } from '../../paths/temp-name.ts';
import { DamagedCopy, isCopyWhole, readCopy } from './copies.ts';
import {
  atEntry,
  type CopiedFile,
  type EntryState,
  entryStateOf,
  hasCopy,
  isSameVersion,
  lookAt,
  statOf,
} from './entry-state.ts';
import type { Change, KeptRun } from './kept-run.ts';
import { isFromRun, isKept, isSameAs } from './run-changes.ts';

export interface Undo {
  root: string;
  kept: KeptRun;
  /** True if paths that were changed after the run are also undone. */
  force: boolean;
  /** Returns whether there is time for another path. */
  mayGoOn(): boolean;
  /** Changes the workspace at one path. */
  change<Result>(path: string, make: () => Promise<Result>): Promise<Result>;
}

/**
 * Restores paths of a workspace to their state before the run. Each path is complete at any time, and after a
 * kill at any point, the next call does the rest. Entries are removed first, the deepest before the others;
 * then folders are created, then files and links. Folders get their permissions last, because these may
 * forbid writing. Returns the changed paths.
 */
export async function undoChanges(undo: Undo, changes: Change[]): Promise<string[]> {
  const wanted = changes.filter(
    ({ undo: state }) => state === 'possible' || (undo.force && state === 'conflict'),
  );
  const deepestFirst = [...wanted].sort((one, other) => depthOf(other.path) - depthOf(one.path));
  const outermostFirst = [...wanted].sort((one, other) => depthOf(one.path) - depthOf(other.path));
  const changed: string[] = [];
  const each = async (some: Change[], make: (undo: Undo, change: Change) => Promise<boolean>) => {
    for (const change of some) {
      if (!undo.mayGoOn()) return;
      const { path } = change;
      // Inside the lock of the workspace's copy, as for a write by an agent. The opposite order could
      // deadlock.
      const locked = () => withPathLock(`${undo.root}/${path}`, () => make(undo, change));
      if (await undo.change(path, locked)) changed.push(path);
    }
  };
  await each(deepestFirst.filter(isInTheWay), removeEntry);
  await each(outermostFirst.filter(isFolder), makeFolder);
  await each(outermostFirst.filter(hasContents), restore);
  await each(deepestFirst.filter(isFolder), setMode);
  return [...new Set(changed)];
}

function depthOf(path: string): number {
  return path.split('/').length;
}

function isFolder({ kept }: Change): boolean {
  return kept.before.kind === 'folder';
}

function hasContents({ kept }: Change): boolean {
  return kept.before.kind === 'file' || kept.before.kind === 'link';
}

/**
 * Returns whether an entry must be removed first. A file is replaced in one step, unless an entry of another
 * kind is in its place.
 */
function isInTheWay({ kept: { before, after } }: Change): boolean {
  return before.kind === 'none' || before.kind !== after?.state.kind;
}

/**
 * Returns the current entry if the undo may replace it. It's checked again right before, because it may have
 * changed since it was listed.
 */
async function replaceable(
  { root, force }: Undo,
  { path, kept: known }: Change,
): Promise<EntryState | undefined> {
  const now = await lookAt(root, path);
  if (now.kind === 'other' || !isKept(known)) return undefined;
  if (await isSameAs(root, path, known.before, now)) return undefined;
  return force || (await isFromRun(root, path, known, now)) ? now : undefined;
}

async function removeEntry(undo: Undo, change: Change): Promise<boolean> {
  const { path, kept: known } = change;
  const now = await replaceable(undo, change);
  if (now === undefined || now.kind === 'none' || now.kind === known.before.kind) return false;
  if (hasCopy(known.before) && !(await isCopyWhole(undo.kept.copies, known.before)))
    return noteDamaged(undo, change);
  if (known.before.kind !== 'none') await note(undo, change);
  return atEntry(undo.root, path, async (entry) => {
    if (!isSameVersion(await entryStateOf(entry, await statOf(entry)), now)) return false;
    try {
      if (now.kind === 'folder') await removeFolder(entry);
      else await unlink(entry);
      return true;
    } catch (error) {
      // If someone has put an entry into a folder of the run, both stay.
      if (hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) return false;
      throw error;
    }
  });
}

/** Removes a folder, together with an unfinished file that a killed write may have left in it. */
async function removeFolder(entry: string): Promise<void> {
  await withHeld(entry, async (folder) => {
    for (const name of (await readdir(folder)).filter(isTempName)) await sweepUnfinished(`${folder}/${name}`);
  });
  await rmdir(entry);
}

/**
 * Records that the undo is about to change a path. A kill afterwards leaves an incomplete folder there, or no
 * entry; the record shows that the undo did this.
 */
async function note({ kept }: Undo, { path }: Change): Promise<void> {
  await kept.write([{ is: 'undoing', path }]);
}

async function makeFolder(undo: Undo, change: Change): Promise<boolean> {
  const now = await replaceable(undo, change);
  if (now?.kind !== 'none') return false;
  await note(undo, change);
  return atEntry(undo.root, change.path, (entry) => mkdir(entry).then(() => true), { make: true });
}

async function setMode({ root, force }: Undo, { path, kept: known }: Change): Promise<boolean> {
  const { before } = known;
  const now = await lookAt(root, path);
  if (before.kind !== 'folder' || now.kind !== 'folder' || now.mode === before.mode) return false;
  const wasMade = known.after?.state.kind !== 'folder';
  if (!force && !wasMade && !(await isFromRun(root, path, known, now))) return false;
  await atEntry(root, path, async (entry) => {
    await using folder = await open(entry, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    await folder.chmod(before.mode);
  });
  return true;
}

async function restore(undo: Undo, change: Change): Promise<boolean> {
  const { path, kept: known } = change;
  const { before } = known;
  const now = await replaceable(undo, change);
  if (now === undefined || now.kind === 'folder') return false;
  return atEntry(
    undo.root,
    path,
    async (entry) => {
      await makeThenRename(besides(entry), entry, async (place) => {
        if (before.kind === 'link') await symlink(before.target, place);
        if (hasCopy(before)) await bringBack(undo.kept.copies, before, place);
        if (!isSameVersion(await entryStateOf(entry, await statOf(entry)), now)) throw new ChangedMeanwhile();
      });
      return true;
    },
    { make: true },
  ).catch((error: unknown) => {
    if (error instanceof ChangedMeanwhile || error instanceof ServiceError) return false;
    if (error instanceof DamagedCopy) return noteDamaged(undo, change);
    throw error;
  });
}

async function bringBack(copies: string, before: CopiedFile, place: string): Promise<void> {
  await using file = await open(place, 'wx', 0o600);
  await file.writeFile(readCopy(copies, before));
  await file.utimes(new Date(), new Date(before.mtimeMs));
  await file.chmod(before.mode);
  await file.sync();
}

/** Records a damaged copy. The entry at the path stays, as if its earlier contents had never been stored. */
async function noteDamaged({ kept }: Undo, { path }: Change): Promise<false> {
  log.warn('an undo found a kept copy missing or damaged');
  await kept.write([{ is: 'damaged', path }]);
  return false;
}

class ChangedMeanwhile extends Error {}
