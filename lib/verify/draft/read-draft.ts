import { InvalidInput, TooLarge, Unreadable } from '../../errors.ts';
import { formatOf, formatOfBytes } from '../../formats/all-formats.ts';
import { decodeWithName } from '../../formats/decode.ts';
import { whyNotOfFormat } from '../../formats/found-in-bytes.ts';
import type { WordComment } from '../../formats/office/comment-docx.ts';
import { docx } from '../../formats/office/docx.ts';
import { runIsolated } from '../../isolation/run-isolated.ts';
import { MAX_DRAFT_CHARACTERS } from '../request-schema.ts';
import type { DraftFormat } from '../schema.ts';
import { MAX_DRAFT_SENTENCES, type ReadDraft } from './draft.ts';

const TIMEOUT_MS = 60_000;
/** In milliseconds. API Gateway ends a request after 45 s, including a cold start. */
const IN_TIME_MS = 20_000;
/** The maximum output size in bytes: larger than any file that may be added, including its comments. */
const MAX_OUTPUT_BYTES = 128 * 1024 * 1024;

const FORMATS: Partial<Record<string, DraftFormat>> = {
  docx: 'docx',
  markdown: 'md',
  latex: 'tex',
  html: 'html',
  text: 'txt',
};

/** The name of a text sent without a file. It may be copied from a Markdown file. */
export const PASTED = 'draft.txt';
/** A heading, or the delimiter row of a table. */
const LIKE_MARKDOWN = /^(?:#{1,6} \S|\|?(?: ?:?-{3,100}:? ?\|){1,50}(?: ?:?-{3,100}:? ?)?$)/m;

/** The file to read, its workspace, and the signal that ends the reading. */
interface Wanted {
  name: string;
  bytes: Uint8Array;
  workspaceId: string;
  signal?: AbortSignal | undefined;
}

/** Calls `readBounded()` within the time of a request. Returns undefined for a draft that takes longer. */
export async function readInTime(wanted: Wanted, timeMs = IN_TIME_MS): Promise<ReadDraft | undefined> {
  const signal = AbortSignal.timeout(timeMs);
  return readBounded({ ...wanted, signal }).catch((error: unknown) => {
    if (signal.aborted && error === signal.reason) return undefined;
    throw error;
  });
}

/** Reads a draft within the limits of a check. Throws InvalidInput, TooLarge, Unreadable, and the signal's reason. */
export async function readBounded({ name, bytes, workspaceId, signal }: Wanted): Promise<ReadDraft> {
  const draft = await readDraft(name, bytes, workspaceId, signal);
  const { text, sentences } = draft;
  if (sentences.length === 0) throw new InvalidInput('draft_empty', 'The draft has no text.');
  if (text.length > MAX_DRAFT_CHARACTERS)
    throw new TooLarge('draft_too_large', `The draft has more than ${MAX_DRAFT_CHARACTERS} characters.`);
  if (sentences.length > MAX_DRAFT_SENTENCES)
    throw new TooLarge(
      'draft_too_large',
      `The draft has ${sentences.length} sentences, and the limit is ${MAX_DRAFT_SENTENCES}. Check it in parts.`,
    );
  return draft;
}

/**
 * Returns the text of a draft, its sentences, and the indexes of those that contain a claim. The extension of
 * the name determines the format; without one, it is plain text. Throws Unreadable for another format, and
 * for an unreadable file.
 */
export async function readDraft(
  name: string,
  bytes: Uint8Array,
  whose = '',
  signal?: AbortSignal,
): Promise<ReadDraft> {
  const format = formatOfDraft(name, bytes);
  // Imported here, so that bundles have the program as a separate file.
  const { program } = await import('./draft-program.ts');
  const options = { timeoutMs: TIMEOUT_MS, whose, signal };
  if (format === 'docx') return runIsolated(program, 'readDocx', { bytes }, options).catch(explain(bytes));
  const decoded = decodeWithName(bytes);
  if (decoded === undefined)
    throw new Unreadable('kind', 'The file is binary, or its text encoding is unknown.');
  const isMarkdown = name === PASTED && LIKE_MARKDOWN.test(decoded.text);
  const read = { format: isMarkdown ? 'md' : format, source: decoded.text };
  return runIsolated(program, 'readText', read, options);
}

/** Throws Unreadable. */
export function formatOfDraft(name: string, bytes: Uint8Array): DraftFormat {
  const known = formatOfBytes(bytes) ?? formatOf(name);
  const format = known === undefined ? 'txt' : FORMATS[known.name];
  if (format !== undefined) return format;
  throw new Unreadable('kind', 'A draft can be DOCX, Markdown, LaTeX, HTML, or plain text.');
}

/**
 * Returns a DOCX file with comments on its text, at the places that `readDraft()` reports. All other parts of
 * the file stay byte-identical. Throws Unreadable for an encrypted or damaged file, and for one that unpacks
 * to too much.
 */
export async function commentDraft(
  bytes: Uint8Array,
  comments: WordComment[],
  whose = '',
): Promise<Uint8Array> {
  const { program } = await import('./draft-program.ts');
  const options = { timeoutMs: TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES, whose };
  const input = { bytes, comments, at: new Date() };
  return runIsolated(program, 'commentDocx', input, options).catch(explain(bytes));
}

/** For `catch`: reports the actual format of the bytes if it can be detected. */
function explain(bytes: Uint8Array): (error: unknown) => never {
  return (error) => {
    const isBroken = error instanceof InvalidInput && error.code === 'file_damaged';
    throw (isBroken && whyNotOfFormat(docx, bytes)) || error;
  };
}
