import { compareNames } from '../../api-contract/compare-names.ts';
import { shareThread } from '../../async/share-thread.ts';
import {
  atEntry,
  changedAt,
  type EntryState,
  type FileEntry,
  hasCopy,
  hashAt,
  inodeOf,
  isSameKind,
  lookAt,
  UNKNOWN,
} from './entry-state.ts';
import { joinGitFolders } from './git-folders.ts';
import type { Change, KeptPath, KeptRun } from './kept-run.ts';
import type { ChangedFile } from './schema.ts';

type UndoState = ChangedFile['undo'];

/**
 * Milliseconds after recording a change within which it was made. This matters if the process was killed
 * before it could read the state afterwards.
 */
const KILLED_WITHIN_MS = 5000;
/** Maximum milliseconds by which the time of a change may lag behind the clock: one tick of the system. */
const CLOCK_MS = 10;

/** Returns the changes of a run, each with what an undo could do now. Omits changes without an effect. */
export async function readChanges(root: string, kept: KeptRun): Promise<Change[]> {
  const share = shareThread();
  const changes: Change[] = [];
  for (const [path, known] of kept.paths) {
    await share();
    const change = changeOf(known);
    if (change === undefined || cameToNothing(known)) continue;
    const undo = await undoOf(root, path, known);
    if (undo !== undefined) changes.push({ path, kept: known, change, undo });
  }
  const joined = await joinGitFolders(root, kept, changes);
  return joined.sort((one, other) => compareNames(one.path, other.path));
}

/** Returns whether the process was killed before it recorded the state after its latest change. */
function isCutOff({ after, changingAt = 0 }: KeptPath): boolean {
  return after === undefined || changingAt > after.at;
}

function changeOf(known: KeptPath): Change['change'] | undefined {
  const { before, after } = known;
  return changeBetween(before, after === undefined || isCutOff(known) ? UNKNOWN : after.state);
}

function changeBetween(before: EntryState, after: EntryState): Change['change'] | undefined {
  if (before.kind === 'none') return after.kind === 'none' ? undefined : 'created';
  return after.kind === 'none' ? 'deleted' : 'changed';
}

function cameToNothing(known: KeptPath): boolean {
  const { before, after } = known;
  if (after === undefined || isCutOff(known) || !isSameKind(before, after.state)) return false;
  if (before.kind !== 'file' || after.state.kind !== 'file' || before.version === after.state.version)
    return true;
  return before.hash !== undefined && before.hash === after.state.hash;
}

/** Undefined if the process was killed before the change. */
async function undoOf(root: string, path: string, known: KeptPath): Promise<UndoState | undefined> {
  const { before, after } = known;
  if (known.undoneAt !== undefined) return 'done';
  const now = await lookAt(root, path);
  if (await isSameAs(root, path, before, now))
    return after === undefined || changeBetween(before, after.state) === undefined ? undefined : 'done';
  if (!isKept(known)) return 'not_kept';
  return (await isFromRun(root, path, known, now)) ? 'possible' : 'conflict';
}

/** Returns whether the state of the path was stored completely. */
export function isKept({ before, isDamaged }: KeptPath): boolean {
  if (before.kind === 'file') return hasCopy(before) && !isDamaged;
  return before.kind !== 'other' && before.kind !== 'special';
}

/** Returns whether the path has the contents of that state, from before or after the run. */
export async function isSameAs(
  root: string,
  path: string,
  then: EntryState,
  now: EntryState,
): Promise<boolean> {
  if (!isSameKind(then, now)) return false;
  if (then.kind !== 'file' || now.kind !== 'file' || then.version === now.version) return true;
  return then.hash !== undefined && then.hash === (await atEntry(root, path, hashAt).catch(() => undefined));
}

/** Returns whether the path has the state that the run, or an interrupted undo, left behind. */
export async function isFromRun(
  root: string,
  path: string,
  known: KeptPath,
  now: EntryState,
): Promise<boolean> {
  const { before, after, isUndoing } = known;
  // A restored folder gets its permissions last.
  if (isUndoing && (now.kind === 'none' || (now.kind === 'folder' && before.kind === 'folder'))) return true;
  if (isCutOff(known) && (await isOfCutOff(root, path, known))) return true;
  return after !== undefined && isSameAs(root, path, after.state, now);
}

async function isOfCutOff(root: string, path: string, { since, changingAt }: KeptPath): Promise<boolean> {
  const time = (await changedAt(root, path)) ?? 0;
  if (changingAt === undefined) return time <= since + KILLED_WITHIN_MS;
  return time >= changingAt - CLOCK_MS && time <= changingAt + KILLED_WITHIN_MS;
}

/**
 * Returns the changes as the API shows them. A file that disappeared in one place and appeared in another
 * counts as moved.
 */
export async function describeRunChanges(changes: Change[]): Promise<ChangedFile[]> {
  const origins = await findMoves(changes);
  const gone = new Set(origins.values());
  const undoOfPath = new Map(changes.map(({ path, undo }) => [path, undo]));
  return changes
    .filter(({ path }) => !gone.has(path))
    .map((change) => {
      const from = origins.get(change.path);
      const type = typeOf(change.change === 'deleted' ? change.kept.before : change.kept.after?.state);
      if (from === undefined) return { path: change.path, type, change: change.change, undo: change.undo };
      const undo = worst(change.undo, undoOfPath.get(from) ?? 'done');
      return { path: change.path, type, change: 'moved', undo, from };
    });
}

function typeOf(state: EntryState | undefined): ChangedFile['type'] {
  if (state?.kind === 'folder') return 'directory';
  return state?.kind === 'link' ? 'link' : 'file';
}

function worst(one: UndoState, other: UndoState): UndoState {
  const order: UndoState[] = ['not_kept', 'conflict', 'possible', 'done'];
  return order.find((state) => state === one || state === other) ?? one;
}

interface FileOf {
  path: string;
  file: FileEntry;
}

/**
 * Finds moved files, from the new path to the old one: by inode or, on AWS, where a moved file is written
 * again, by contents.
 */
async function findMoves(changes: Change[]): Promise<Map<string, string>> {
  const [created, gone] = [filesOf(changes, 'created'), filesOf(changes, 'deleted')];
  const moves = await pair(created, gone, (file) => `${file.size}:${inodeOf(file)}`);
  const taken = new Set(moves.values());
  const [left, others] = [
    created.filter(({ path }) => !moves.has(path)),
    gone.filter(({ path }) => !taken.has(path)),
  ];
  return new Map([...moves, ...(await pair(left, others, ({ hash }) => hash))]);
}

function filesOf(changes: Change[], kind: 'created' | 'deleted'): FileOf[] {
  return changes.flatMap(({ path, change, kept: { before, after } }) => {
    const file = kind === 'created' ? after?.state : before;
    return change === kind && file?.kind === 'file' && file.size > 0 ? [{ path, file }] : [];
  });
}

/** Pairs files that have the same key. Each file is in one pair. */
async function pair(
  created: FileOf[],
  gone: FileOf[],
  keyOf: (file: FileEntry) => string | undefined,
): Promise<Map<string, string>> {
  const share = shareThread();
  const byKey = Map.groupBy(gone.toReversed(), ({ file }) => keyOf(file));
  byKey.delete(undefined);
  const pairs = new Map<string, string>();
  for (const { path, file } of created) {
    await share();
    const from = byKey.get(keyOf(file))?.pop();
    if (from !== undefined) pairs.set(path, from.path);
  }
  return pairs;
}
