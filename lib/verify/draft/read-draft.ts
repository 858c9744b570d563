import { Unreadable } from '../../errors.ts';
import { formatOf, formatOfBytes, type KnownFormat } from '../../formats/all-formats.ts';
import { extract } from '../../formats/extract.ts';
import { text as plain } from '../../formats/text.ts';
import type { Draft, DraftFormat, SentenceOfDraft } from './draft.ts';

const FORMATS: Partial<Record<KnownFormat['name'], DraftFormat>> = {
  docx: 'docx',
  markdown: 'md',
  latex: 'tex',
  html: 'html',
  text: 'txt',
};

/** Reads a draft into its sentences. Throws Unreadable for another format, and for bytes that can't be read. */
export async function readDraft(name: string, bytes: Uint8Array): Promise<Draft> {
  const format = formatOfBytes(bytes) ?? formatOf(name) ?? plain;
  const known = FORMATS[format.name];
  if (known === undefined)
    throw new Unreadable(
      'kind',
      `A draft must be DOCX, Markdown, LaTeX, HTML, or plain text. This file is ${format.title}.`,
    );
  const { text } = await extract(format, bytes);
  return { format: known, text, sentences: sentencesOf(text) };
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

function sentencesOf(text: string): SentenceOfDraft[] {
  const lines = [...text.matchAll(/[^\n]+/g)];
  return lines.flatMap(({ 0: line, index }) =>
    [...segmenter.segment(line)].flatMap(({ segment, index: at }) => {
      const trimmed = segment.trim();
      const start = index + at + segment.indexOf(trimmed);
      const heading = /^#{1,6}\s/.test(line) ? { isHeading: true } : {};
      return trimmed === '' ? [] : [{ text: trimmed, start, end: start + trimmed.length, ...heading }];
    }),
  );
}
