import { lstat, readlink } from 'node:fs/promises';
import { openInside, withParent } from '../../paths/confine.ts';
import { readAtMost } from '../../paths/read-at-most.ts';
import { type FileDiff, MAX_DIFF_BYTES, MAX_DIFF_LINES } from '../../ports/repositories.ts';

/** Reads the output of `git diff` for one file. `isCut` says that its end is missing. */
export function readPatch(text: string, isCut: boolean): FileDiff {
  const start = text.search(/^@@ /m);
  const isBinary = start === -1 && /^Binary files /m.test(text);
  return cutPatch(start === -1 ? '' : text.slice(start), isCut, isBinary);
}

/** Cuts a patch to whole lines within the limits. */
export function cutPatch(text: string, isCut: boolean, isBinary = false): FileDiff {
  const lines = text.split('\n');
  if (isCut) lines.pop(); // the last line may be incomplete
  if (lines.length <= MAX_DIFF_LINES) return { patch: lines.join('\n'), isBinary, isCut };
  return { patch: lines.slice(0, MAX_DIFF_LINES).join('\n'), isBinary, isCut: true };
}

/** Bytes in which git looks for a NUL, which makes a file binary. */
const LOOKED_AT = 8000;

export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, LOOKED_AT).includes(0);
}

/**
 * Returns an untracked file as a patch that adds all its lines. For a link, the contents are its target, as
 * in git.
 */
export async function patchOfNewFile(root: string, path: string): Promise<FileDiff> {
  const target = await withParent(root, `${root}/${path}`, async (entry) =>
    (await lstat(entry)).isSymbolicLink() ? Buffer.from(await readlink(entry)) : undefined,
  );
  if (target !== undefined) return patchOfText(target, false);
  await using handle = await openInside(root, path);
  const bytes = await readAtMost(handle, MAX_DIFF_BYTES + 1);
  const isCut = bytes.length > MAX_DIFF_BYTES;
  return patchOfText(isCut ? bytes.subarray(0, MAX_DIFF_BYTES) : bytes, isCut);
}

const NO_LINE_BREAK = '\\ No newline at end of file';

function patchOfText(bytes: Buffer, isCut: boolean): FileDiff {
  if (isBinary(bytes)) return { patch: '', isBinary: true, isCut: false };
  const text = bytes.toString();
  if (text === '') return { patch: '', isBinary: false, isCut };
  const lines = text.replace(/\n$/, '').split('\n');
  const body = lines.map((line) => `+${line}`);
  const end = text.endsWith('\n') || isCut ? [] : [NO_LINE_BREAK];
  return cutPatch([`@@ -0,0 +1,${lines.length} @@`, ...body, ...end, ''].join('\n'), isCut);
}
