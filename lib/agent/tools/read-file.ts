import * as z from 'zod';
import { locate } from '../../datasets/links/mounts.ts';
import { InvalidInput } from '../../errors.ts';
import { encodedFormats, formatOfBytes, type KnownFormat, readingFormat } from '../../formats/all-formats.ts';
import type { Decoded, Unit } from '../../formats/format.ts';
import { lineAt, lineStarts } from '../../formats/lines.ts';
import { isRecognizable } from '../../formats/recognized.ts';
import { type FileVersion, readStoredText } from '../../formats/stored-source.ts';
import { storedPath } from '../../paths/confine.ts';
import { sha256 } from '../../paths/hash.ts';
import type { Objects } from '../../ports/objects.ts';
import type { Passage } from '../../ports/vectors.ts';
import { shownPath, toolPath, workspacePath } from './path.ts';
import { readBytes, readFileText } from './read-text.ts';
import { defineTool } from './tool.ts';
import { cutWindow, lineUnits, type Window } from './window.ts';

const encodedTitles = encodedFormats.map(({ title }) => title);
const inParts = encodedFormats.filter(({ unit }) => unit !== 'line');
const firstPart = inParts.map(({ title, unit }) => `${unit} of a ${title}`).join(', ');
const someParts = inParts.map(({ title, unit }) => `${unit}s of a ${title}`).join(', ');

const input = z.strictObject({
  path: toolPath,
  offset: z.int().min(1).optional().describe(`First line to read (or ${firstPart}), starting at 1.`),
  limit: z
    .int()
    .min(1)
    .optional()
    .describe(`Maximum number of lines (or ${someParts}). Defaults to as many as fit.`),
  column: z.int().min(1).optional().describe('Column at which to start in the first line, starting at 1.'),
});

export function readFileTool({ objects }: { objects: Objects }) {
  return defineTool({
    name: 'readFile',
    description: `Reads a text file, or the text of a document (${encodedTitles.join(', ')}). The content has no line numbers. For a UTF-8 text file it is exact, so any part of it can be passed to editFile. The text of a document is not in the file as such and cannot be edited. \`recognized\` lists pages whose text comes from OCR and may contain errors. Long files are returned in parts: pass \`next\` to continue. \`hash\` identifies this version of the file.`,
    input,
    inEveryMode: true,
    ruled: { kind: 'path', argument: ({ path }) => path },
    timeoutMs: 90_000,
    async run({ path, ...request }, context) {
      const location = await locate(context.records, context.workspace, workspacePath(context, path));
      const own = location.prefix + (await storedPath(location.root, location.path));
      const bytes = await readBytes(location);
      const file = { path: shownPath(context, own), hash: await sha256(bytes) };
      const format = formatOfBytes(bytes) ?? readingFormat(own);
      const version = { workspaceId: context.workspace.id, hash: file.hash };
      const read =
        (await readRecognizedText(objects, version, format)) ??
        (await readFileText(format, bytes, { hash: file.hash, whose: location.root }));
      if (read === undefined) throw binary(bytes.length);
      const { text, partStarts, encoding } = read;
      const { unit } = format;
      const starts = unit === 'line' ? lineUnits(text) : partStarts;
      const { content, next, ...counts } = cutWindow(text, starts, request, {
        unit: `${unit}s`,
        maxCharacters: context.maxCharacters,
      });
      const note = text.trim() === '' ? format.emptyNote : undefined;
      const recognized = read.recognized === undefined ? {} : { recognized: read.recognized };
      const passage = passageOf(text, content, counts.begin);
      const number =
        content.trim() === ''
          ? undefined
          : context.numberOf?.({ ...passage, path: own, fileHash: file.hash });
      return { number, ...file, encoding, content, ...countedIn(unit, counts), ...recognized, next, note };
    },
  });
}

/**
 * Returns the text that was read as a passage that an answer can cite, with the part from which it's quoted.
 */
function passageOf(text: string, content: string, startChar: number): Omit<Passage, 'path' | 'fileHash'> {
  const endChar = startChar + content.length;
  const lines = lineStarts(text);
  const place = {
    startLine: lineAt(lines, startChar),
    endLine: lineAt(lines, Math.max(startChar, endChar - 1)),
  };
  return { ...place, startChar, endChar, text: content, chunk: 0, part: {}, context: '' };
}

/** Returns the indexed text of a file with OCR, because repeating OCR would make the caller wait. */
async function readRecognizedText(
  objects: Objects,
  version: FileVersion,
  format: KnownFormat,
): Promise<Decoded | undefined> {
  if (!isRecognizable(format)) return undefined;
  const stored = await readStoredText(objects, version);
  return stored?.recognized === undefined ? undefined : stored;
}

/** Names the fields by the unit: startLine, endPage, totalPages. */
function countedIn(unit: Unit, { first, last, total }: Pick<Window, 'first' | 'last' | 'total'>) {
  const name = `${unit.charAt(0).toUpperCase()}${unit.slice(1)}`;
  return { [`start${name}`]: first, [`end${name}`]: last, [`total${name}s`]: total };
}

function binary(size: number): InvalidInput {
  const readable = ['text', ...encodedTitles].join(' and ');
  return new InvalidInput(
    'file_binary',
    `path is a binary file of ${size} bytes. Only ${readable} can be read. Use bash to inspect other files.`,
    { field: 'path' },
  );
}
