import { InvalidInput, Unreadable } from '../../errors.ts';
import { formatOf, formatOfBytes } from '../../formats/all-formats.ts';
import { decodeWithName } from '../../formats/decode.ts';
import { whyNotOfFormat } from '../../formats/found-in-bytes.ts';
import { docx } from '../../formats/office/docx.ts';
import { runIsolated } from '../../isolation/run-isolated.ts';
import type { DraftFormat, ReadDraft } from './draft.ts';

export const DRAFT_TIMEOUT_MS = 60_000;

const FORMATS: Partial<Record<string, DraftFormat>> = {
  docx: 'docx',
  markdown: 'md',
  latex: 'tex',
  html: 'html',
  text: 'txt',
};

/** The name of a text that was sent without a file: it may be copied from a file in Markdown. */
export const PASTED = 'draft.txt';
/** A heading, or the line below the header of a table. */
const LIKE_MARKDOWN = /^(?:#{1,6} \S|\|?(?: ?:?-{3,100}:? ?\|){1,50}(?: ?:?-{3,100}:? ?)?$)/m;

/**
 * Returns the text of a draft, its sentences, and which of them hold a claim. The format is that of its name; without an extension it's plain text. Throws
 * Unreadable for another format, and for a file that can't be read.
 */
export async function readDraft(
  name: string,
  bytes: Uint8Array,
  whose = '',
  signal?: AbortSignal,
): Promise<ReadDraft> {
  const format = formatOfDraft(name, bytes);
  // Imported here so that a bundle keeps the program as a separate file.
  const { program } = await import('./draft-program.ts');
  const options = { timeoutMs: DRAFT_TIMEOUT_MS, whose, signal };
  if (format === 'docx') {
    return runIsolated(program, 'readDocx', { bytes }, options).catch((error: unknown) => {
      throw explained(error, bytes);
    });
  }
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

/** Says what the bytes are instead of a DOCX file, where they show it. */
export function explained(error: unknown, bytes: Uint8Array): unknown {
  const isBroken = error instanceof InvalidInput && error.code === 'file_damaged';
  return (isBroken && whyNotOfFormat(docx, bytes)) || error;
}
