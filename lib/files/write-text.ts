import { Conflict, noneIfRefused } from '../errors.ts';
import { readWhole } from './read.ts';
import type { FileContent, WrittenFile } from './schema.ts';
import { writeWhole } from './write.ts';

/**
 * Replaces or makes a file of UTF-8. Throws Conflict over a text in another encoding, which nobody asked to be changed, and
 * when `expectedHash` is not the file's hash now.
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
    'conflict',
    `path: not UTF-8 but ${encoding}, and writing would change that; convert it first (iconv -f ${encoding} -t utf-8), or remove it`,
  );
}
