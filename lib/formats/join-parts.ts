import { Unreadable } from '../errors.ts';
import type { Block, Decoded } from './format.ts';

/** Separates two parts with a form feed, like pdftotext. */
const PART_BREAK = '\n\f\n';

/**
 * The maximum number of parts. A passage never crosses parts, so a small file with a million cells would fill
 * the index.
 */
const MAX_PARTS = 20_000;

export interface TextPart {
  text: string;
  /** The positions in the text at which headings start. */
  headings?: ReadonlySet<number> | undefined;
  blocks?: readonly Block[] | undefined;
}

/** Joins the parts of a file (its pages) into one text. */
export function joinParts(parts: TextPart[]): Decoded {
  refuseMany(parts);
  const partStarts: number[] = [];
  const headings = new Set<number>();
  const blocks: Block[] = [];
  let length = 0;
  for (const part of parts) {
    partStarts.push(length);
    for (const at of part.headings ?? []) headings.add(length + at);
    blocks.push(...moveBlocks(part.blocks ?? [], length));
    length += part.text.length + PART_BREAK.length;
  }
  const text = parts.map((part) => part.text).join(PART_BREAK);
  return { text, partStarts, headings, ...(parts.some((part) => part.blocks !== undefined) && { blocks }) };
}

/** Separates two texts of one part. */
const GAP = '\n\n';

/** Joins consecutive texts of one part, without empty ones. */
export function chainTexts(texts: TextPart[]): { text: string; headings: Set<number>; blocks: Block[] } {
  const chain = { text: '', headings: new Set<number>(), blocks: [] as Block[] };
  for (const { text, headings = [], blocks = [] } of texts) {
    if (text.trim() === '') continue;
    if (chain.text !== '') chain.text += GAP;
    for (const at of headings) chain.headings.add(chain.text.length + at);
    chain.blocks.push(...moveBlocks(blocks, chain.text.length));
    chain.text += text;
  }
  return chain;
}

/** Returns the blocks moved to their positions in another text, in which theirs starts at `start`. */
export function moveBlocks(blocks: readonly Block[], start: number): Block[] {
  return blocks.map((block) => ({ ...block, at: block.at + start }));
}

/** Returns the texts of the joined parts. */
export function splitParts({ text, partStarts }: Pick<Decoded, 'text' | 'partStarts'>): string[] {
  return partStarts.map((start, index) => {
    const next = partStarts[index + 1];
    return text.slice(start, next === undefined ? text.length : next - PART_BREAK.length);
  });
}

/**
 * Refuses a list with too many parts. Call it before reading the parts, because a list may contain the same
 * part many times.
 */
export function refuseMany(parts: unknown[]): void {
  if (parts.length > MAX_PARTS)
    throw new Unreadable('size', `The file has more than ${MAX_PARTS} pages, slides, or cells.`);
}
