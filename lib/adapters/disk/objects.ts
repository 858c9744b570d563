import { createReadStream } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Objects } from '../../ports/objects.ts';
import { writeFileAtomically } from './atomic-file.ts';

/** Objects as files below a folder. `presignPut` comes from whoever serves the addresses. */
export function diskObjects(folder: string, presignPut: Objects['presignPut']): Objects {
  const locate = (key: string) => objectFile(folder, key);
  return {
    put: (key, body) => writeFileAtomically(locate(key), body),
    async get(key) {
      const file = locate(key);
      const found = await stat(file).catch(ignoreMissing);
      return found?.isFile() ? { size: found.size, body: createReadStream(file) } : undefined;
    },
    getBytes: (key) => readFile(locate(key)).catch(ignoreMissing),
    delete: (key) => rm(locate(key), { force: true }),
    deletePrefix: (prefix) => rm(locate(prefix.replace(/\/$/, '')), { recursive: true, force: true }),
    presignPut,
  };
}

/** Keys are made by the service; this is the second fence, should one ever carry an outside text. */
export function objectFile(folder: string, key: string): string {
  const file = join(folder, key);
  if (!file.startsWith(folder + sep) || key.includes('\0'))
    throw new RangeError('an object key leads out of the store');
  return file;
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}
