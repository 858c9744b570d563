import { shareThread } from '../../async/share-thread.ts';
import type { Change } from './change.ts';
import { type FileEntry, inodeOf } from './entry-state.ts';
import { keptHash } from './kept-copies.ts';
import type { KeptRun } from './kept-run.ts';

/** Kept copies that are read to find moves. */
const MAX_READ = 500;

interface FileOf {
  path: string;
  file: FileEntry;
}

/**
 * Finds files that disappeared in one place and appeared in another, from the new path to the old one: by their inode; on AWS, where
 * a moved file is written again, by their contents.
 */
export async function findMoves(kept: KeptRun, changes: Change[]): Promise<Map<string, string>> {
  const [created, gone] = [filesOf(changes, 'created'), filesOf(changes, 'deleted')];
  const moves = await pair(created, gone, ({ file }) => `${file.size}:${inodeOf(file)}`);
  const taken = new Set(moves.values());
  const left = created.filter(({ path }) => !moves.has(path));
  const sizes = new Set(left.map(({ file }) => file.size));
  const candidates = gone.filter(({ path, file }) => sizes.has(file.size) && !taken.has(path));
  let mayRead = MAX_READ;
  const byContents = await pair(left, candidates, async ({ file }) =>
    file.copy === undefined || file.hash !== undefined || mayRead-- <= 0 ? file.hash : keptHash(kept, file),
  );
  return new Map([...moves, ...byContents]);
}

function filesOf(changes: Change[], kind: 'created' | 'deleted'): FileOf[] {
  return changes.flatMap(({ path, change, kept: { before, after } }) => {
    const file = kind === 'created' ? after?.state : before;
    return change === kind && file?.kind === 'file' && file.size > 0 ? [{ path, file }] : [];
  });
}

/** Pairs files with the same key, each with one other. */
async function pair(
  created: FileOf[],
  gone: FileOf[],
  keyOf: (file: FileOf) => string | undefined | Promise<string | undefined>,
): Promise<Map<string, string>> {
  const share = shareThread();
  const byKey = new Map<string, string[]>();
  for (const one of gone.toReversed()) {
    await share();
    const key = await keyOf(one);
    if (key !== undefined) byKey.set(key, byKey.get(key) ?? []);
    if (key !== undefined) byKey.get(key)?.push(one.path);
  }
  const pairs = new Map<string, string>();
  for (const one of created) {
    await share();
    const from = byKey.get((await keyOf(one)) ?? '')?.pop();
    if (from !== undefined) pairs.set(one.path, from);
  }
  return pairs;
}
