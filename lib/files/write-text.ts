import { Conflict, noneIfRefused } from '../errors.ts';
import { readWhole } from './read.ts';
import type { FileContent, WrittenFile } from './schema.ts';
import { writeWhole } from './write.ts';

/**
 * Replaces or creates a file of UTF-8. Throws Conflict over a text in another encoding, which would change unasked, and
 * if `expectedHash` isn't the file's hash now.
 */
export async function writeText(
  root: string,
  path: string,
  text: string,
  expectedHash?: string | null,
): Promise<WrittenFile> {
  // Writing itself judges what is not there, is no file or is too large to be read.
  const before = await readWhole(root, path).catch(noneIfRefused);
  if (before !== undefined) requireUtf8(before);
  return writeWhole(root, path, Buffer.from(text), expectedHash);
}

/** Throws Conflict. */
export function requireUtf8({ encoding }: Pick<FileContent, 'encoding'>): void {
  if (encoding === 'utf-8' || encoding === 'base64') return;
  throw new Conflict(
    'file_not_utf8',
    `path is ${encoding}, not UTF-8, and writing would change that. Convert the file first (iconv -f ${encoding} -t utf-8), or remove it.`,
    { field: 'path' },
  );
}
