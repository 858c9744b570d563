import type { Dirent } from 'node:fs';
import { type FileHandle, lstat, mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { compareNames } from '../../api-contract/compare-names.ts';
import { Conflict, InvalidInput, NotFound, TooLarge } from '../../errors.ts';
import { confine, openInside, withDirectory } from '../../paths/confine.ts';
import { readAtMost } from '../../paths/read-at-most.ts';
import { MAX_BRANCHES } from '../../ports/repositories.ts';
import { readGitConfig } from './git-config.ts';
import type { RemoteSettings } from './remote.ts';
import { withScratch } from './scratch.ts';

const KB = 1024;
const MB = 1024 * KB;
/**
 * Limits of a clone's own files, which are untrusted. They are far above the sizes that git writes for the
 * largest accepted tree.
 */
const MAX_BYTES = {
  '.git/config': MB,
  '.git/index': 64 * MB,
  '.git/shallow': MB,
  '.git/info/exclude': MB,
  '.git/packed-refs': 64 * MB,
};
type Own = keyof typeof MAX_BYTES;
/** Maximum bytes of HEAD and other refs, each of which is one line. */
const MAX_REF_BYTES = 16 * KB;
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const MAX_BRANCH_BYTES = 200;
/** Branch names that git allows, except those that look like an option. */
const BRANCH = /^(?![-./@])(?!.*(?:\.\.|\/[./]|@\{|\.lock(?:\/|$)|\/\/))[^\p{Cc} ~^:?*[\]\\]+(?<![./])$/u;

/** The trusted part of a clone's own git data. */
export interface Clone {
  /** Null if HEAD isn't on a branch. */
  branch: string | null;
  /** The commit that HEAD points to; undefined before the first commit. */
  commit: string | undefined;
  /** The upstream of the branch. */
  upstream: { remote: string; branch: string; url: string; commit: string | undefined } | undefined;
  sha256: boolean;
}

export interface Shadow extends Clone {
  /** The folder that replaces git's own, and uses the clone's objects. */
  gitdir: string;
  /** Identifies the state of the clone's index that was copied. */
  indexMark: string;
}

/** Replaces a file below a root atomically, and creates its parent folders. */
type ReplaceFile = (root: string, path: string, bytes: Uint8Array) => Promise<unknown>;

export interface RepositorySettings extends RemoteSettings {
  /** Replaces the files that a pull changes. */
  replaceFile: ReplaceFile;
}

/**
 * Works on a clone through a separate git folder, which has the clone's objects, index, and the two branches,
 * but none of its settings or hooks. Undefined if the folder isn't a plain clone: `.git` must be a directory
 * that contains no links.
 */
export async function withShadow<Result>(
  root: string,
  work: (shadow: Shadow) => Promise<Result>,
): Promise<Result | undefined> {
  const clone = await readClone(root);
  if (clone === undefined) return undefined;
  return withScratch(async (gitdir) => {
    const indexMark = await markOfIndex(root);
    await fillShadow(root, gitdir, clone);
    return work({ ...clone, gitdir, indexMark });
  });
}

/**
 * Brings the pulled commits into the clone itself, starting with the index, so that an interrupted pull can
 * be repeated.
 */
export async function keepPulled(
  replaceFile: ReplaceFile,
  root: string,
  { gitdir, branch, upstream }: Shadow,
  commit: string,
): Promise<void> {
  if (upstream === undefined) return;
  const line = Buffer.from(`${commit}\n`);
  await copyBack(replaceFile, root, gitdir, 'shallow');
  await replaceFile(root, `.git/refs/remotes/${upstream.remote}/${upstream.branch}`, line);
  await copyBack(replaceFile, root, gitdir, 'index');
  await replaceFile(root, `.git/refs/heads/${branch}`, line);
}

/**
 * Copies the shadow's index into the clone. Throws Conflict if someone changed the clone's index in the
 * meantime.
 */
export async function keepIndex(
  replaceFile: ReplaceFile,
  root: string,
  { gitdir, indexMark }: Shadow,
): Promise<void> {
  if ((await markOfIndex(root)) !== indexMark) throw changedMeanwhile();
  await copyBack(replaceFile, root, gitdir, 'index');
}

/** Sets a branch to a commit. Throws Conflict unless the branch is at the expected commit. */
export async function keepBranch(
  replaceFile: ReplaceFile,
  root: string,
  branch: string,
  { from, to }: { from: string | undefined; to: string },
): Promise<void> {
  if ((await readBranch(root, branch)) !== from) throw changedMeanwhile();
  await replaceFile(root, `.git/refs/heads/${branch}`, Buffer.from(`${to}\n`));
}

export async function keepHead(replaceFile: ReplaceFile, root: string, branch: string): Promise<void> {
  await replaceFile(root, '.git/HEAD', Buffer.from(`ref: refs/heads/${branch}\n`));
}

/** Records that the remote's branch is at this commit. */
export async function keepUpstream(
  replaceFile: ReplaceFile,
  root: string,
  { remote, branch }: { remote: string; branch: string },
  commit: string,
): Promise<void> {
  await replaceFile(root, `.git/refs/remotes/${remote}/${branch}`, Buffer.from(`${commit}\n`));
}

/** Returns the commit of a local branch; undefined if the branch doesn't exist. */
export async function readBranch(root: string, branch: string): Promise<string | undefined> {
  return isBranchName(branch) ? readRef(root, `refs/heads/${branch}`) : undefined;
}

/**
 * Returns whether git accepts the name (`git check-ref-format --branch`), and no command would read it as an
 * option.
 */
export function isBranchName(name: string): boolean {
  return BRANCH.test(name) && name !== 'HEAD' && Buffer.byteLength(name) <= MAX_BRANCH_BYTES;
}

export function changedMeanwhile(): Conflict {
  return new Conflict(
    'git_changed_meanwhile',
    'The repository was changed in the meantime. Read its status, then try again.',
  );
}

async function markOfIndex(root: string): Promise<string> {
  const found = await lstat(join(root, '.git/index'), { bigint: true }).catch(() => undefined);
  return found === undefined ? '' : [found.ino, found.size, found.mtimeNs].join(' ');
}

const IN_PROGRESS = [
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'BISECT_LOG',
  'rebase-merge',
  'rebase-apply',
];

/** Throws Conflict during a merge or a similar operation, because the commit would lose its second parent. */
export async function requireSettled(root: string): Promise<void> {
  const found = await Promise.all(IN_PROGRESS.map((name) => exists(join(root, '.git', name))));
  if (found.includes(true))
    throw new Conflict(
      'git_merge_in_progress',
      'A merge, rebase, or similar is in progress. Finish or abort it with git in the terminal.',
    );
}

async function copyBack(
  replaceFile: ReplaceFile,
  root: string,
  gitdir: string,
  name: 'shallow' | 'index',
): Promise<void> {
  const bytes = await withFile(gitdir, name, MAX_BYTES[`.git/${name}`], readAtMost);
  if (bytes !== undefined) await replaceFile(root, `.git/${name}`, bytes);
}

async function readClone(root: string): Promise<Clone | undefined> {
  if (!(await isPlain(root))) return undefined;
  const head = await readLine(root, '.git/HEAD');
  const settings = readGitConfig(await readText(root, '.git/config', MAX_BYTES['.git/config']));
  const sha256 = settings.get('extensions.objectformat') === 'sha256';
  if (COMMIT.test(head)) return { branch: null, commit: head, upstream: undefined, sha256 };
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
  if (branch === undefined || !BRANCH.test(branch)) return undefined;
  const commit = await readRef(root, `refs/heads/${branch}`);
  return { branch, commit, upstream: await readUpstream(root, branch, settings), sha256 };
}

/**
 * Returns whether a clone has neither links, which could lead git out of the folder, nor alternates, which
 * lead to the objects of other repositories.
 */
async function isPlain(root: string): Promise<boolean> {
  const objects = join(root, '.git/objects');
  const folders = await Promise.all([join(root, '.git'), objects].map(isFolder));
  if (folders.includes(false)) return false;
  const [names, packs] = await Promise.all(
    [objects, join(objects, 'pack')].map((place) => list(root, place)),
  );
  const others = ['.git/objects/info/alternates', '.git/commondir'].map((path) => exists(join(root, path)));
  return (
    names !== undefined &&
    ![...names, ...(packs ?? [])].some((entry) => entry.isSymbolicLink()) &&
    !(await Promise.all(others)).includes(true)
  );
}

async function list(root: string, folder: string): Promise<Dirent[] | undefined> {
  const read = (open: string) => readdir(open, { withFileTypes: true });
  return withDirectory(root, folder, read).catch(unlessElsewhere);
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() ?? false;
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

async function readUpstream(
  root: string,
  branch: string,
  settings: Map<string, string>,
): Promise<Clone['upstream']> {
  const remote = settings.get(`branch.${branch}.remote`) ?? 'origin';
  const merge = settings.get(`branch.${branch}.merge`) ?? `refs/heads/${branch}`;
  const url = settings.get(`remote.${remote}.url`);
  const followed = merge.replace(/^refs\/heads\//, '');
  if (url === undefined || !BRANCH.test(remote) || !BRANCH.test(followed)) return undefined;
  const commit = await readRef(root, `refs/remotes/${remote}/${followed}`);
  return { remote, branch: followed, url, commit };
}

async function readRef(root: string, ref: string): Promise<string | undefined> {
  const loose = await readLine(root, `.git/${ref}`);
  if (COMMIT.test(loose)) return loose;
  const packed = '.git/packed-refs';
  const commit = await withFile(root, packed, MAX_BYTES[packed], (handle) => findPacked(handle, ref));
  return commit !== undefined && COMMIT.test(commit) ? commit : undefined;
}

const LONGEST_HASH = 64;

/** Finds a ref's commit in a line `HASH ref`. */
async function findPacked(handle: FileHandle, ref: string): Promise<string | undefined> {
  const wanted = Buffer.from(` ${ref}\n`);
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of handle.createReadStream({ autoClose: false, highWaterMark: 256 * KB })) {
    const text = Buffer.concat([rest, chunk as Buffer]);
    const end = text.indexOf(wanted);
    if (end !== -1)
      return text
        .subarray(Math.max(0, end - LONGEST_HASH), end)
        .toString('latin1')
        .split('\n')
        .at(-1);
    rest = text.subarray(-(LONGEST_HASH + wanted.length));
  }
  return undefined;
}

/** Returns the local branches, sorted. */
export async function listBranches(root: string, { branch }: Clone): Promise<string[]> {
  const packed = '.git/packed-refs';
  const lines = await withFile(root, packed, MAX_BYTES[packed], readPackedBranches);
  const names = new Set([...(branch === null ? [] : [branch]), ...(lines ?? [])]);
  await addLoose(root, '', names);
  return [...names].filter(isBranchName).sort(compareNames).slice(0, MAX_BRANCHES);
}

async function readPackedBranches(handle: FileHandle): Promise<string[]> {
  const names: string[] = [];
  for await (const line of handle.readLines({ autoClose: false })) {
    const name = /^[0-9a-f]{40,64} refs\/heads\/(.+)$/.exec(line)?.[1];
    if (name !== undefined) names.push(name);
    if (names.length >= MAX_BRANCHES) break;
  }
  return names;
}

/** Adds the branches that are stored as files of their own, at most MAX_BRANCHES in all. */
async function addLoose(root: string, below: string, names: Set<string>): Promise<void> {
  const entries = (await list(root, join(root, '.git/refs/heads', below))) ?? [];
  for (const entry of entries) {
    const name = `${below}${entry.name}`;
    if (names.size >= MAX_BRANCHES || Buffer.byteLength(name) > MAX_BRANCH_BYTES) return;
    if (entry.isDirectory()) await addLoose(root, `${name}/`, names);
    else if (entry.isFile()) names.add(name);
  }
}

async function fillShadow(root: string, gitdir: string, clone: Clone): Promise<void> {
  const { branch, commit, upstream } = clone;
  await symlink(await confine(root, '.git/objects'), join(gitdir, 'objects'));
  await mkdir(join(gitdir, 'info'));
  await put(gitdir, 'HEAD', branch === null ? `${commit}\n` : `ref: refs/heads/${branch}\n`);
  await mkdir(join(gitdir, 'refs/heads'), { recursive: true });
  if (branch !== null && commit !== undefined) await put(gitdir, `refs/heads/${branch}`, `${commit}\n`);
  if (upstream?.commit !== undefined)
    await put(gitdir, `refs/remotes/origin/${upstream.branch}`, `${upstream.commit}\n`);
  await put(gitdir, 'config', shadowConfig(clone));
  for (const name of ['index', 'shallow', 'info/exclude'] as const) await copyIn(root, gitdir, name);
}

function shadowConfig({ branch, upstream, sha256 }: Clone): string {
  const format = sha256 ? '1\n[extensions]\n\tobjectFormat = sha256' : '0';
  const core = `[core]\n\tfilemode = true\n\tbare = false\n\trepositoryformatversion = ${format}\n`;
  if (branch === null || upstream === undefined) return core;
  const followed = upstream.branch;
  const remote = `[remote "origin"]\n\tfetch = "+refs/heads/${followed}:refs/remotes/origin/${followed}"\n`;
  const own = `[branch "${branch.replaceAll('"', '\\"')}"]\n\tremote = origin\n\tmerge = "refs/heads/${followed}"\n`;
  return core + remote + own;
}

async function put(gitdir: string, name: string, text: string): Promise<void> {
  await mkdir(dirname(join(gitdir, name)), { recursive: true });
  await writeFile(join(gitdir, name), text);
}

/**
 * Copies a file with its time. Git compares this time with other files' times to find those that changed
 * while it wrote the index.
 */
async function copyIn(
  root: string,
  gitdir: string,
  name: 'index' | 'shallow' | 'info/exclude',
): Promise<void> {
  const path: Own = `.git/${name}`;
  await withFile(root, path, MAX_BYTES[path], async (handle, size) => {
    const { mtime } = await handle.stat();
    await writeFile(join(gitdir, name), await readAtMost(handle, size));
    await utimes(join(gitdir, name), mtime, mtime);
  });
}

async function readLine(root: string, path: string): Promise<string> {
  return (await readText(root, path, MAX_REF_BYTES)).trim();
}

async function readText(root: string, path: string, most: number): Promise<string> {
  const bytes = await withFile(root, path, most, readAtMost);
  return bytes?.toString() ?? '';
}

/** Opens a file. Undefined if it doesn't exist, or leads outside. Throws TooLarge. */
async function withFile<Result>(
  root: string,
  path: string,
  most: number,
  work: (handle: FileHandle, size: number) => Promise<Result>,
): Promise<Result | undefined> {
  await using handle = await openInside(root, path).catch(unlessElsewhere);
  if (handle === undefined) return undefined;
  const { size } = await handle.stat();
  if (size > most)
    throw new TooLarge(
      'git_repository_too_large',
      `The clone’s ${path} is over ${Math.floor(most / KB)} KB.`,
    );
  return await work(handle, size);
}

function unlessElsewhere(error: unknown): undefined {
  if (!(error instanceof NotFound) && !(error instanceof InvalidInput)) throw error;
}
