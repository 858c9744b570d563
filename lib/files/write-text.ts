import { Conflict, noneIfRefused } from '../errors.ts';
import { readWhole } from './read.ts';
import type { FileContent, WrittenFile } from './schema.ts';
import { writeWhole } from './write.ts';

/**
 * Replaces or creates a UTF-8 file. Throws Conflict for text in another encoding, because that would change
 * silently, and if `expectedHash` isn't the file's current hash.
 */
export async function writeText(
  root: string,
  path: string,
  text: string,
  expectedHash?: string | null,
): Promise<WrittenFile> {
  // The write itself handles a missing file, a directory, and a file that is too large to read.
  const before = await readWhole(root, path).catch(noneIfRefused);
  if (before !== undefined) requireUtf8(before);
  return writeWhole(root, path, Buffer.from(text), expectedHash);
}

/** Throws Conflict for a file in another encoding. */
export function requireUtf8({ encoding }: Pick<FileContent, 'encoding'>): void {
  if (encoding === 'utf-8' || encoding === 'base64') return;
  throw new Conflict(
    'file_not_utf8',
    `path is ${encoding}, not UTF-8, and writing would change that. Convert the file first (iconv -f ${encoding} -t utf-8), or remove it.`,
    { field: 'path' },
  );
}
