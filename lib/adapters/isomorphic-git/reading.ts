import { join } from 'node:path';
import { formatPatch, structuredPatch } from 'diff';
import {
  type Commit,
  type DiffRequest,
  type FileDiff,
  type LogRange,
  MAX_COMPARED_BYTES,
  MAX_DIFF_BYTES,
} from '../../ports/repositories.ts';
import { cutPatch, isBinary, patchOfNewFile, readPatch } from '../git/patch.ts';
import type { Shadow } from '../git/shadow.ts';
import { loadGit } from './load.ts';
import { type CloneAt, readIndex } from './trees.ts';

export async function logOf({ fs, gitdir, cache }: CloneAt, { most, skip }: LogRange): Promise<Commit[]> {
  const git = await loadGit();
  const entries = await git.log({ fs, gitdir, cache, depth: skip + most });
  return entries.slice(skip).map(({ oid, commit: { author, message } }) => {
    const [subject = '', ...body] = message.split('\n');
    return { hash: oid, author: author.name, at: author.timestamp, subject, body: body.join('\n').trim() };
  });
}

/** One side of a difference; undefined if the file doesn't exist there. */
type Side = Buffer | undefined;

export async function diffOf(
  place: CloneAt,
  shadow: Shadow,
  root: string,
  { path, staged }: DiffRequest,
): Promise<FileDiff> {
  if (path === undefined) return diffOfStaged(place, shadow);
  const indexed = await indexedSide(place, path);
  if (staged) return compare(path, await committedSide(place, shadow, path), indexed);
  if (indexed !== undefined) return compare(path, indexed, await ownSide(place, root, path));
  const isUntracked = (await loadGit()).statusMatrix({ ...place, filepaths: [path] });
  return (await isUntracked).some(([found]) => found === path)
    ? patchOfNewFile(root, path)
    : cutPatch('', false);
}

/** Compares files until the limit is reached. */
async function diffOfStaged(place: CloneAt, shadow: Shadow): Promise<FileDiff> {
  const git = await loadGit();
  const rows = await git.statusMatrix({ ...place, ref: shadow.commit ?? 'HEAD' });
  let text = '';
  for (const [path, head, , index] of rows.filter((row) => row[1] !== row[3])) {
    const before = head === 0 ? undefined : await committedSide(place, shadow, path);
    const { patch, isBinary } = compare(
      path,
      before,
      index === 0 ? undefined : await indexedSide(place, path),
    );
    text += `diff --git a/${path} b/${path}\n${isBinary ? 'Binary files differ\n' : patch}`;
    if (text.length > MAX_DIFF_BYTES) return cutPatch(text.slice(0, MAX_DIFF_BYTES), true);
  }
  return cutPatch(text, false);
}

async function indexedSide(place: CloneAt, path: string): Promise<Side> {
  const entry = (await readIndex(place, [path])).get(path);
  return entry && readBlob(place, entry.oid);
}

async function committedSide(place: CloneAt, { commit }: Shadow, path: string): Promise<Side> {
  if (commit === undefined) return undefined;
  const git = await loadGit();
  const { fs, gitdir, cache } = place;
  const found = await git.readBlob({ fs, gitdir, cache, oid: commit, filepath: path }).catch(unlessAbsent);
  return found && Buffer.from(found.blob);
}

function unlessAbsent(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'NotFoundError') throw error;
}

async function readBlob({ fs, gitdir, cache }: CloneAt, oid: string): Promise<Buffer> {
  const git = await loadGit();
  return Buffer.from((await git.readBlob({ fs, gitdir, cache, oid })).blob);
}

/** Reads the file through the confined file system. For a link, the contents are its target. */
async function ownSide({ fs }: CloneAt, root: string, path: string): Promise<Side> {
  const place = join(root, path);
  const found = await fs.promises.lstat(place).catch(() => undefined);
  if (found === undefined || found.isDirectory()) return undefined;
  if (found.size > MAX_COMPARED_BYTES) return TOO_LARGE;
  if (found.isSymbolicLink()) return Buffer.from(await fs.promises.readlink(place));
  return Buffer.from(await fs.promises.readFile(place, {}));
}

/** Represents a file that is too large to compare; it's shown as a binary file. */
const TOO_LARGE = Buffer.from('\0');
/** Milliseconds after which two texts count as entirely different. */
const MAX_MS = 5_000;

function compare(path: string, before: Side, after: Side): FileDiff {
  const sides = [before, after].map((side) => side ?? Buffer.alloc(0));
  if (sides.some((side) => isBinary(side) || side.length > MAX_COMPARED_BYTES))
    return { patch: '', isBinary: true, isCut: false };
  const [old = '', fresh = ''] = sides.map((side) => side.toString());
  if (old === fresh) return cutPatch('', false);
  const found = structuredPatch(path, path, old, fresh, '', '', { context: 3, timeout: MAX_MS });
  const text = found === undefined ? wholeText(old, fresh) : formatPatch(found);
  const isCut = Buffer.byteLength(text) > MAX_DIFF_BYTES;
  return readPatch(isCut ? Buffer.from(text).subarray(0, MAX_DIFF_BYTES).toString() : text, isCut);
}

function wholeText(old: string, fresh: string): string {
  const [removed, added] = [old, fresh].map((text) =>
    text === '' ? [] : text.replace(/\n$/, '').split('\n'),
  );
  const head = `@@ -1,${removed?.length} +1,${added?.length} @@`;
  return [
    head,
    ...(removed ?? []).map((line) => `-${line}`),
    ...(added ?? []).map((line) => `+${line}`),
    '',
  ].join('\n');
}
