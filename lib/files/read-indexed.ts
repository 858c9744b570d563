import { NotFound, TooLarge } from '../errors.ts';
import { formatOfBytes, readingFormat } from '../formats/all-formats.ts';
import type { Decoded, Unit } from '../formats/format.ts';
import { lineAt, lineStarts } from '../formats/lines.ts';
import { MAX_FILE_BYTES } from '../formats/max-file-bytes.ts';
import { readStoredText } from '../formats/stored-source.ts';
import { openInside, storedPath } from '../paths/confine.ts';
import { hashOfFile } from '../paths/hash.ts';
import { readAtMost } from '../paths/read-at-most.ts';
import type { Objects } from '../ports/objects.ts';
import { type FileContent, MAX_READ_BYTES } from './schema.ts';

/** In bytes: longer than any signature. */
const HEAD_BYTES = 1024;

/**
 * Returns the index's text of a document, with its parts. The lines of citations and found passages refer to
 * it. Throws NotFound for a plain-text file, and for a version that isn't in the index.
 */
export async function readIndexed(
  objects: Objects,
  workspaceId: string,
  root: string,
  path: string,
): Promise<FileContent> {
  await using handle = await openInside(root, path);
  const { size, mtime } = await handle.stat();
  if (size > MAX_FILE_BYTES) throw notIndexed();
  const format = formatOfBytes(await readAtMost(handle, HEAD_BYTES)) ?? readingFormat(path);
  if (format.content !== 'encoded') throw notIndexed();
  const hash = await hashOfFile(handle);
  const stored = await readStoredText(objects, { workspaceId, hash });
  if (stored === undefined) throw notIndexed();
  if (stored.text.length > MAX_READ_BYTES)
    throw new TooLarge('file_too_large', 'The text of this file is over 5 MB.');
  const written = { path: await storedPath(root, path), size, modifiedAt: mtime.toISOString(), hash };
  const parts = partsOf(stored, format.unit);
  const blocks = blocksOf(stored);
  return { ...written, content: stored.text, encoding: 'utf-8', parts, ...(blocks && { blocks }) };
}

function notIndexed(): NotFound {
  return new NotFound(
    'indexed_text_not_found',
    'path has no indexed text for this version of the file. Re-index the workspace.',
    { field: 'path' },
  );
}

function partsOf({ text, partStarts, sheets, recognized }: Decoded, unit: Unit): FileContent['parts'] {
  if (unit === 'line') return [];
  const lines = lineStarts(text);
  return partStarts.map((start, index) => {
    const line = lineAt(lines, start);
    const sheet = sheets?.[index];
    if (sheet !== undefined) {
      const { name, rowNumbers, columns } = sheet;
      return { line, sheet: name, rowNumbers, ...(columns && { columnNumbers: columns }) };
    }
    return { line, [unit]: index + 1, ...(recognized?.includes(index + 1) && { recognized: true as const }) };
  });
}

function blocksOf({ text, blocks }: Decoded): FileContent['blocks'] {
  const lines = lineStarts(text);
  return blocks?.map(({ at, ...block }) => ({ line: lineAt(lines, at), ...block }));
}
