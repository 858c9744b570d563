import { constants } from 'node:fs';
import {
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  rm,
  rmdir,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { DiskFull, ServiceError, TooLarge } from '../../errors.ts';
import { isInside, withDirectory, withParent } from '../../paths/confine.ts';
import { removeTree } from '../../paths/remove-tree.ts';
import { makeThenRename } from '../../paths/replace-file.ts';
import { besides } from '../../paths/temp-name.ts';
import { tooLarge } from '../git/bounds.ts';

type Options = string | { encoding?: BufferEncoding; mode?: number } | undefined;

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** Maximum bytes of a file, because the library reads packs and files of the tree whole. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;
/**
 * Maximum files open at once. The library would open all files and folders of a tree, more than a process may
 * have open.
 */
const FILES_AT_ONCE = 16;
const WRITE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * The file system for isomorphic-git, which itself follows any link. Here, changes to the working tree go
 * through the file's open, checked folder (lib/paths/confine.ts), and a link at the end of a path is never
 * followed. Git's own folder (the shadow) is outside the tree and belongs to the service. All operations stop
 * at the signal.
 */
export function confinedFs(
  { root, gitdir }: { root: string; gitdir: string },
  signal: AbortSignal,
  written: (bytes: number) => void = () => {},
) {
  const inTurn = limitAtOnce(FILES_AT_ONCE);
  function confined<Result>(path: string, work: (entry: string) => Promise<Result>): Promise<Result> {
    return inTurn(() => reach(path, work));
  }
  async function reach<Result>(path: string, work: (entry: string) => Promise<Result>): Promise<Result> {
    signal.throwIfAborted();
    const place = inTree(join(path).replace(/(?<=.)\/$/, ''));
    // The path to an open directory is itself a link, so something must follow it.
    if (place === root) return withDirectory(root, root, (open) => work(`${open}/.`)).catch(asSystemError);
    if (!isInside(root, place) && isInside(gitdir, place)) return work(place);
    return withParent(root, place, work).catch(asSystemError);
  }
  /** Maps the shadow's objects to the tree, because they are a link to the clone's objects. */
  function inTree(place: string): string {
    const objects = join(gitdir, 'objects');
    return isInside(objects, place) ? join(root, '.git/objects', place.slice(objects.length)) : place;
  }
  const look = (path: string) => confined(path, (entry) => lstat(entry));
  return {
    promises: {
      readFile: (path: string, options: Options) =>
        confined(path, (entry) => readBounded(entry, asObject(options))),
      writeFile: (path: string, content: Uint8Array | string, options: Options) => {
        written(content.length);
        const asNew = { ...asObject(options), flag: WRITE };
        return confined(path, (entry) => replace(entry, (place) => writeFile(place, content, asNew)));
      },
      mkdir: (path: string, options?: object) => confined(path, (entry) => mkdir(entry, options)),
      rmdir: (path: string) => confined(path, (entry) => rmdir(entry)),
      rm: (path: string, options?: object) =>
        confined(path, (entry) => (isRecursive(options) ? removeTree(entry) : rm(entry, options))),
      unlink: (path: string) => confined(path, (entry) => unlink(entry)),
      stat: look,
      lstat: look,
      readdir: (path: string) => confined(path, (entry) => readdir(entry)),
      readlink: (path: string, options?: BufferEncoding) =>
        confined(path, (entry) => readlink(entry, options)),
      symlink: (target: string, path: string) =>
        confined(path, (entry) => replace(entry, (place) => symlink(target, place))),
    },
  };
}

/**
 * Creates an entry next to its destination and renames it, so that other processes see either the old or the
 * new entry. Another NFS host might not see a write in place for a minute.
 */
function replace(entry: string, make: (place: string) => Promise<void>): Promise<void> {
  return makeThenRename(besides(entry), entry, make);
}

async function readBounded(entry: string, options: { encoding?: BufferEncoding }) {
  await using handle = await open(entry, READ);
  if ((await handle.stat()).size > MAX_FILE_BYTES) throw tooLarge();
  return await handle.readFile(options);
}

function isRecursive(options: object | undefined): boolean {
  return options !== undefined && 'recursive' in options && options.recursive === true;
}

function asObject(options: Options): { encoding?: BufferEncoding; mode?: number } {
  return typeof options === 'string' ? { encoding: options as BufferEncoding } : (options ?? {});
}

/**
 * Throws the system's error codes, which the library expects for missing files. A path that leads through a
 * link counts as missing.
 */
function asSystemError(error: unknown): never {
  if (!(error instanceof ServiceError) || error instanceof TooLarge || error instanceof DiskFull) throw error;
  const code = error.status === 409 ? 'EEXIST' : error.status < 500 ? 'ENOENT' : 'EIO';
  throw Object.assign(new Error(error.message), { code });
}

/** Limits how many tasks run at the same time; further ones wait for their turn. */
function limitAtOnce(most: number) {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    while (underWay >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    underWay += 1;
    try {
      return await work();
    } finally {
      underWay -= 1;
      waiting.shift()?.();
    }
  };
}
