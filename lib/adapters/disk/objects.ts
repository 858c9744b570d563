import { type FileHandle, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import type { Objects } from '../../ports/objects.ts';
import { writeFileAtomically } from './atomic-file.ts';

/** Objects as files below a folder. The caller supplies `presignPut`, because it serves the signed URLs. */
export function diskObjects(folder: string, presignPut: Objects['presignPut']): Objects {
  const locate = (key: string) => objectFile(folder, key);
  return {
    put: (key, body) => writeObject(folder, key, body),
    async get(key) {
      const handle = await open(locate(key)).catch(ignoreMissing);
      return handle && readOpen(handle);
    },
    getBytes: (key) => readFile(locate(key)).catch(ignoreMissing),
    isDeleted: async (key) => (await stat(locate(key)).catch(ignoreMissing)) === undefined,
    delete: (key) => rm(locate(key), { force: true }),
    async deletePrefix(prefix) {
      if (!prefix.endsWith('/')) throw new RangeError('An object prefix must end with a slash.');
      await rm(locate(prefix.slice(0, -1)), { recursive: true, force: true });
    },
    async *keys(prefix, after = '') {
      if (!prefix.endsWith('/')) throw new RangeError('An object prefix must end with a slash.');
      const below = locate(prefix.slice(0, -1));
      const options = { recursive: true, withFileTypes: true } as const;
      const entries = (await readdir(below, options).catch(ignoreMissing)) ?? [];
      const files = entries.filter((entry) => entry.isFile());
      const keys = files.map(({ parentPath, name }) => prefix + relative(below, join(parentPath, name)));
      const asked = keys.filter((key) => compareBytes(key, after) > 0).sort(compareBytes);
      for (let start = 0; start < asked.length; start += KEYS_PER_PAGE)
        yield asked.slice(start, start + KEYS_PER_PAGE);
    },
    presignPut,
  };
}

/** The same number as S3 returns per request. */
const KEYS_PER_PAGE = 1000;

function compareBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** Writes an object. No key starts with a dot, so none collides with the folder of unfinished objects. */
export function writeObject(
  folder: string,
  key: string,
  body: Uint8Array | Readable | AsyncIterable<Uint8Array>,
): Promise<void> {
  return writeFileAtomically(join(folder, '.unfinished'), objectFile(folder, key), body);
}

/**
 * Returns the size and the bytes of one version of a file, even if the file is replaced in the meantime. The
 * stream closes the handle.
 */
async function readOpen(handle: FileHandle): Promise<{ size: number; body: Readable } | undefined> {
  const found = await handle.stat();
  if (found.isFile()) return { size: found.size, body: handle.createReadStream() };
  await handle.close();
  return undefined;
}

/**
 * Returns the path of an object's file. The service creates all keys; this checks them again, in case one
 * contains external text.
 */
function objectFile(folder: string, key: string): string {
  const file = join(folder, key);
  if (file !== folder + sep + key || key.endsWith('/') || key.includes('\0'))
    throw new RangeError('The object key leads outside the store.');
  return file;
}

/** Error codes of keys without an object, including those that name a folder or lead through a file. */
const MISSING = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (!MISSING.has(error.code ?? '')) throw error;
}
