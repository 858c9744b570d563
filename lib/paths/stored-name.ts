import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileError, hasCode, noneIfMissing } from './file-errors.ts';

/**
 * Maximum entries of a folder in which to look for similar names. In a larger folder, only the exact name
 * counts.
 */
const MAX_ENTRIES = 20_000;

/**
 * Returns the name of the only entry of a folder that looks the same, if no entry has the exact name: macOS
 * stores `é` as two characters, Windows as one. Case matters. Otherwise, returns the name itself. Reads the
 * disk only for names that have another Unicode form.
 */
export async function storedName(folder: string, name: string): Promise<string> {
  if (!hasOtherForms(name)) return name;
  if ((await lstat(join(folder, name)).catch(noneIfMissing).catch(noneIfNoFolder)) !== undefined) return name;
  const [same = name, another] = await namesLike(folder, name);
  return another === undefined ? same : name;
}

/** Returns whether a name, or a path, can be written in another Unicode form. */
export function hasOtherForms(name: string): boolean {
  return name.normalize('NFC') !== name.normalize('NFD');
}

async function namesLike(folder: string, name: string): Promise<string[]> {
  const wanted = name.normalize('NFC');
  const directory = await opendir(folder, { bufferSize: 1024 }).catch(noneIfNoFolder);
  const found: string[] = [];
  let entries = 0;
  for await (const entry of directory ?? []) {
    if (entries++ === MAX_ENTRIES) return [];
    if (entry.name.normalize('NFC') === wanted) found.push(entry.name);
  }
  return found;
}

function noneIfNoFolder(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT', 'ENOTDIR')) fileError(error);
}
