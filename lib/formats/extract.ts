import { Unreadable } from '../errors.ts';
import { runIsolated } from '../isolation/run-isolated.ts';
import type { KnownFormat } from './all-formats.ts';
import { decodeSource } from './decode-source.ts';
import { mayEscape } from './escapes.ts';
import type { Block, Context, Decoded, Sheet } from './format.ts';
import { MARKUP_TIMEOUT_MS } from './quotable-runs.ts';

/**
 * The extracted content of a file: the text that is split into passages, and the mapping of its positions to the source
 * text.
 */
export interface Extracted extends Pick<Decoded, 'left' | 'encoding' | 'encodingCertain' | 'facts'> {
  format: KnownFormat;
  /** The text that positions of passages refer to, which is the decoded file. */
  source: string;
  text: string;
  /** Where the pieces of `text` are in `source` (places.ts). Absent if the two are the same. */
  places?: Uint32Array;
  /** Where the parts (pages, slides) start in `text`; empty if the unit is the line. */
  partStarts: number[];
  /** The parts, if they are sheets. */
  sheets?: Sheet[] | undefined;
  /** The numbers of parts with OCR text, from 1. */
  recognized?: number[];
  /** Where headings start in `text`, for formats whose text doesn't show them. */
  headings: Set<number>;
  blocks?: Block[] | undefined;
  /** Context for the text from a position on, in addition to its headings; in order. */
  contexts?: Context[];
}

/** Throws Unreadable if the bytes can't be decoded. A PDF of images has an empty text. */
export async function extract(format: KnownFormat, bytes: Uint8Array): Promise<Extracted> {
  const decoded = await decodeSource(format, bytes);
  if (decoded === undefined)
    throw new Unreadable('kind', 'The file is binary, or its text encoding is unknown.');
  const { text: source, partStarts, sheets, headings = new Set(), blocks } = decoded;
  const { left, encoding, encodingCertain, facts } = decoded;
  const lacks = { left, encoding, encodingCertain, facts };
  if (format.content !== 'markup' && !mayEscape(format, source)) {
    const contexts = decoded.contexts ?? format.contexts?.(source) ?? [];
    return { format, source, text: source, partStarts, sheets, headings, blocks, contexts, ...lacks };
  }
  const { program } = await import('./markup-program.ts');
  const options = { timeoutMs: MARKUP_TIMEOUT_MS };
  const read = await runIsolated(program, 'read', { format: format.name, source }, options);
  const contexts = format.contexts?.(read.text) ?? [];
  return { format, source, partStarts, contexts, ...lacks, ...read };
}
