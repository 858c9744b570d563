import { constants } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeText } from '../formats/decode.ts';
import { openInside } from '../paths/confine.ts';
import { sha256 } from '../paths/hash.ts';
import { readAtMost } from '../paths/read-at-most.ts';
import type { JudgedCall, PathOrigin } from '../permissions/judge.ts';
import { type NamedPath, namedPaths } from '../permissions/named-paths.ts';
import { realPathOf } from '../permissions/paths.ts';
import type { ApprovalBasis, FileBefore } from './schema.ts';

/**
 * The maximum size in bytes of a file to hash. Larger files are compared by size, inode, and time of change,
 * which no program can set.
 */
const MAX_HASHED = 1024 * 1024;
const MAX_REASONS = 300;

/**
 * Returns the facts that a person's answer depends on in addition to the arguments: why the call needs
 * approval, where the paths in it lead, and what is there. Limited in size. Never throws.
 */
export async function basisOf(
  call: JudgedCall,
  place: PathOrigin,
  reasons: string[],
): Promise<ApprovalBasis> {
  const paths: ApprovalBasis['paths'] = [];
  for (const named of await namedPaths(call))
    paths.push({ path: named.path.toWellFormed(), state: await digest(await stateOf(place, named)) });
  return { reasons: await Promise.all(bounded(reasons).map(digest)), paths };
}

/** The maximum size in bytes of a text sent with a question. */
const MAX_SHOWN_BYTES = 200_000;

/** Returns the file before a write. A larger text isn't sent with a question. */
export async function fileBefore(asked: ApprovalBasis, place: PathOrigin): Promise<FileBefore | undefined> {
  const [named] = asked.paths;
  if (named === undefined || asked.paths.length > 1) return undefined;
  const found = await realPathOf(place.rootPath, place.cwd, named.path);
  if (found === undefined) return { state: 'changed' };
  const content = await contentAt(place.rootPath, found.real);
  if ((await digest(`${found.real}\n${content}`)) !== named.state) return { state: 'changed' };
  if (content === 'absent') return { state: 'absent' };
  const { size = 0 } = (await lstat(join(place.rootPath, found.real)).catch(() => undefined)) ?? {};
  if (size > MAX_SHOWN_BYTES) return { state: 'large', size };
  const bytes = await readInside(place.rootPath, found.real).catch(() => undefined);
  // Read again, because the text that is shown must be the one that is compared.
  if (bytes === undefined || (await sha256(bytes)) !== content) return { state: 'changed' };
  const text = decodeText(bytes);
  return text === undefined ? { state: 'binary', size: bytes.length } : { state: 'text', text };
}

/**
 * Returns what has changed since the question, for the model and the person; undefined if the approved call may run.
 */
export function changeSince(asked: ApprovalBasis, now: ApprovalBasis): string | undefined {
  const known = new Map(asked.paths.map(({ path, state }) => [path, state]));
  const changed = now.paths.find(({ path, state }) => known.get(path) !== state);
  if (changed !== undefined) return `${nameOf(changed.path)} changed after`;
  if (now.reasons.some((reason) => !asked.reasons.includes(reason)))
    return 'The workspace rules now require approval of this call for another reason than';
  return undefined;
}

function nameOf(path: string): string {
  return path === '.' ? 'The working directory' : JSON.stringify(path);
}

/** Combines reasons that don't fit into a record. */
function bounded(reasons: string[]): string[] {
  return reasons.length <= MAX_REASONS ? reasons : [reasons.join('\n')];
}

async function digest(text: string): Promise<string> {
  return (await sha256(Buffer.from(text))).slice(0, 32);
}

async function stateOf(place: PathOrigin, { path, changes }: NamedPath): Promise<string> {
  const found = await realPathOf(place.rootPath, place.cwd, path);
  if (found === undefined) return 'outside';
  return changes ? `${found.real}\n${await contentAt(place.rootPath, found.real)}` : found.real;
}

async function contentAt(rootPath: string, path: string): Promise<string> {
  const found = await lstat(join(rootPath, path)).catch(() => undefined);
  if (found === undefined) return 'absent';
  if (!found.isFile()) return `${found.mode & constants.S_IFMT} ${found.ino}`;
  if (found.size > MAX_HASHED) return `${found.size} ${found.ino} ${found.ctimeMs}`;
  return hashAt(rootPath, path).catch(() => 'unreadable');
}

async function hashAt(rootPath: string, path: string): Promise<string> {
  return sha256(await readInside(rootPath, path));
}

async function readInside(rootPath: string, path: string): Promise<Buffer> {
  await using handle = await openInside(rootPath, path);
  return await readAtMost(handle, MAX_HASHED);
}
