import * as z from 'zod';
import { type Location, locate } from '../../datasets/mounts.ts';
import { InvalidInput, TooLarge } from '../../errors.ts';
import { encodedFormats, formatOfBytes, type KnownFormat, readingFormat } from '../../formats/all-formats.ts';
import { decodeSource } from '../../formats/decode-source.ts';
import type { Decoded, Unit } from '../../formats/format.ts';
import { MAX_FILE_BYTES } from '../../formats/max-file-bytes.ts';
import { openInside } from '../../paths/confine.ts';
import { sha256 } from '../../paths/hash.ts';
import { readAtMost } from '../../paths/read-at-most.ts';
import { shownPath, toolPath, workspacePath } from './path.ts';
import { defineTool } from './tool.ts';
import { cutWindow, lineUnits, type Window } from './window.ts';

const encodedTitles = encodedFormats.map(({ title }) => title);
const inParts = encodedFormats.filter(({ unit }) => unit !== 'line');
const firstPart = inParts.map(({ title, unit }) => `of a ${title}: ${unit}`).join(', ');
const someParts = inParts.map(({ title, unit }) => `of a ${title}: ${unit}s`).join(', ');

const input = z.strictObject({
  path: toolPath,
  offset: z.int().min(1).optional().describe(`first line (${firstPart}), from 1`),
  limit: z.int().min(1).optional().describe(`how many lines (${someParts}); default: as many as fit`),
  column: z.int().min(1).optional().describe('where to begin within the first line, from 1'),
});

export function readFileTool() {
  return defineTool({
    name: 'readFile',
    description: `Reads a text file, or the text of a ${encodedTitles.join(' or ')}. The content is without line numbers, and of a UTF-8 text file exact: any part of it can be given to editFile. What was read out of a ${encodedTitles.join(' or ')} is not in the file as such and cannot be edited. Long files come in parts: \`next\` is what to ask for to read on. \`hash\` names this version of the file.`,
    input,
    inEveryMode: true,
    timeoutMs: 90_000,
    async run({ path, ...request }, context) {
      const own = workspacePath(context, path);
      const location = await locate(context.records, context.workspace, own);
      const bytes = await readBytes(location);
      const file = { path: shownPath(context, own), hash: await sha256(bytes) };
      const format = formatOfBytes(bytes) ?? readingFormat(own);
      const { text, partStarts } = await readText(format, bytes, { hash: file.hash, root: location.root });
      const { unit } = format;
      const starts = unit === 'line' ? lineUnits(text) : partStarts;
      const { content, next, ...counts } = cutWindow(text, starts, request, `${unit}s`);
      const note = text.trim() === '' ? format.emptyNote : undefined;
      return { ...file, content, ...countedIn(unit, counts), next, note };
    },
  });
}

/** In words that fit: startLine, endPage, totalPages. */
function countedIn(unit: Unit, { first, last, total }: Pick<Window, 'first' | 'last' | 'total'>) {
  const name = `${unit.charAt(0).toUpperCase()}${unit.slice(1)}`;
  return { [`start${name}`]: first, [`end${name}`]: last, [`total${name}s`]: total };
}

async function readBytes({ root, path }: Location): Promise<Buffer> {
  const handle = await openInside(root, path);
  try {
    const { size } = await handle.stat();
    if (size > MAX_FILE_BYTES)
      throw new TooLarge('path: over 50 MB; look for what matters with grep, or cut a part out with bash');
    return await readAtMost(handle, size);
  } finally {
    await handle.close();
  }
}

/** A long file that has to be decoded is read in many parts, one call each, and decoding it takes seconds. */
const MAX_KEPT = 4;
const kept = new Map<string, Decoded>();

async function readText(
  format: KnownFormat,
  bytes: Buffer,
  { hash, root }: { hash: string; root: string },
): Promise<Decoded> {
  const key = `${format.name} ${hash}`;
  const decoded = kept.get(key) ?? (await decodeSource(format, bytes, root));
  if (decoded === undefined) throw binary(bytes.length);
  if (format.content === 'encoded') keep(key, decoded);
  return decoded;
}

function binary(size: number): InvalidInput {
  const readable = ['text', ...encodedTitles].join(' and ');
  return new InvalidInput(
    `path: a binary file of ${size} bytes; only ${readable} can be read (bash can look into others)`,
  );
}

/** The last used stay. */
function keep(key: string, decoded: Decoded): void {
  kept.delete(key);
  kept.set(key, decoded);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
}
