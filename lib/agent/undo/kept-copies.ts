import { constants } from 'node:fs';
import { copyFile, open, stat, writeFile } from 'node:fs/promises';
import { forEachConcurrent } from '../../async/for-each-concurrent.ts';
import { log } from '../../log.ts';
import { hasCode } from '../../paths/file-errors.ts';
import { flush } from '../../paths/flush.ts';
import { hashOfFile, sha256 } from '../../paths/hash.ts';
import { DamagedCopy, isPacked, type Pack, readPacked } from './copies.ts';
import { type EntryState, type FileEntry, hashAt, NONE } from './entry-state.ts';
import type { KeptRun } from './kept-run.ts';
import type { TreeList } from './manifest.ts';

const COPIES_AT_ONCE = 16;
const CLONE_NEW = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;

type Kept = [path: string, state: EntryState];

/** Brings what the copy of a workspace has of paths to a run: small files into one pack, because one flush is then enough. */
export async function keepFrom(manifest: TreeList, kept: KeptRun, paths: string[]): Promise<Kept[]> {
  const pack = kept.startPack();
  const states: Kept[] = [];
  let isWhole = false;
  try {
    await forEachConcurrent(paths, COPIES_AT_ONCE, async (path) => {
      states.push([path, await keepOne(manifest, kept, pack, manifest.get(path) ?? NONE)]);
    });
  } finally {
    isWhole = pack.close();
  }
  if (states.some(([, state]) => hasCopy(state))) await flush(kept.copyPlace(''));
  return isWhole ? states : states.map(([path, state]) => [path, withoutPack(state)]);
}

async function keepOne(
  manifest: TreeList,
  kept: KeptRun,
  pack: Pack,
  state: EntryState,
): Promise<EntryState> {
  if (!hasCopy(state)) return state;
  const { copy, ...rest } = state;
  if (!(await kept.takeRoom(state.size))) return { ...rest, why: 'limit' };
  try {
    if (!manifest.copies.isSmall(state)) return { ...rest, copy: await bringLarge(manifest, kept, state) };
    const bytes = manifest.copies.read(copy, state.size);
    const hash = await sha256(bytes);
    if (hash !== (state.hash ?? hash)) throw new DamagedCopy();
    return { ...rest, hash, copy: pack.addBytes(bytes) };
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    log.warn('a file could not be kept for an undo: its copy is missing or damaged', {
      reason: code ?? name,
    });
    return { ...rest, why: hasCode(error, 'ENOSPC', 'EDQUOT') ? 'limit' : 'unreadable' };
  }
}

async function bringLarge(
  manifest: TreeList,
  kept: KeptRun,
  { copy = '', size }: FileEntry,
): Promise<string> {
  return kept.takeCopy(async (place) => {
    await manifest.copies.bring(copy, place);
    if ((await stat(place)).size !== size) throw new DamagedCopy();
    await flush(place);
  });
}

function hasCopy(state: EntryState): state is FileEntry & { copy: string } {
  return state.kind === 'file' && state.copy !== undefined;
}

function withoutPack(state: EntryState): EntryState {
  if (!hasCopy(state) || !isPacked(state.copy)) return state;
  return { ...state, copy: undefined, why: 'limit' };
}

/** The hash of the contents that were kept; some entries have it only in their copies. */
export async function keptHash(kept: KeptRun, before: EntryState): Promise<string | undefined> {
  if (before.kind !== 'file') return undefined;
  return before.hash ?? (before.copy === undefined ? undefined : hashAt(kept.copyPlace(before.copy)));
}

/** Whether the copy of a file is there as it was kept. */
export async function isCopyWhole(kept: KeptRun, { copy = '', size, hash }: FileEntry): Promise<boolean> {
  try {
    if (isPacked(copy)) return (await sha256(readPacked(kept.copyPlace(''), copy, size))) === hash;
    if ((await stat(kept.copyPlace(copy))).size !== size) return false;
    return hash === undefined || (await hashAt(kept.copyPlace(copy))) === hash;
  } catch (error) {
    if (error instanceof DamagedCopy || hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

/** Brings a copy to a new file, and flushes it. Throws DamagedCopy if it isn't what was kept. */
export async function copyBack(kept: KeptRun, before: FileEntry, place: string): Promise<void> {
  const { copy = '', size, hash } = before;
  if (isPacked(copy))
    await writeFile(place, readPacked(kept.copyPlace(''), copy, size), { mode: 0o600, flag: 'wx' });
  else await copyFile(kept.copyPlace(copy), place, CLONE_NEW).catch(damagedIfMissing);
  await using handle = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW);
  if ((await handle.stat()).size !== size) throw new DamagedCopy();
  if (hash !== undefined && (await hashOfFile(handle)) !== hash) throw new DamagedCopy();
  await handle.sync();
}

function damagedIfMissing(error: unknown): never {
  throw hasCode(error, 'ENOENT') ? new DamagedCopy() : error;
}
