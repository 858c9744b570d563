import type { Extracted } from '../../formats/extract.ts';
import type { Structure } from '../../formats/format.ts';
import { lineAt, lineStarts } from '../../formats/lines.ts';
import { countRowLines, partOf } from '../../formats/part-of.ts';
import { sourceRange } from '../../formats/places.ts';
import type { FilePart } from '../../ports/file-part.ts';
import { contextReader } from './contexts.ts';

/**
 * The approximate number of characters in a passage, and the minimums before a weak and before a strong
 * split.
 */
const TARGET = 1500;
/**
 * The maximum number of characters up to the next heading, or the end, for which a text isn't split. A full
 * passage and a tiny one would both be harder to find.
 */
const MOST = 1.5 * TARGET;
const LEAST = 500;
const LEAST_BEFORE_HEADING = 200;

/** A passage of a file, with positions as in `Passage` (lib/ports/vectors.ts). */
export interface Chunk {
  text: string;
  startLine: number;
  endLine: number;
  startChar: number;
  endChar: number;
  part: FilePart;
  context: string;
}

interface Span {
  start: number;
  end: number;
}

/**
 * Splits a text along its structure into passages of about 1,500 characters. Text isn't rewrapped, and only whitespace
 * is lost.
 */
export function chunkText(extracted: Extracted): Chunk[] {
  const { text, source, places, format } = extracted;
  const starts = lineStarts(source);
  const contextAt = contextReader(extracted);
  const parted = { ...extracted, rowLines: countRowLines(format, source, starts) };
  const chunks: Chunk[] = [];
  for (const section of sectionsOf(extracted)) {
    for (const span of cutSection(extracted, section)) {
      const place = places === undefined ? span : sourceRange(places, span.start, span.end);
      chunks.push({
        text: text.slice(span.start, span.end),
        startLine: lineAt(starts, place.start),
        endLine: lineAt(starts, place.end - 1),
        startChar: place.start,
        endChar: place.end,
        context: contextAt(span.start),
        part: partOf(parted, format.unit, span),
      });
    }
  }
  return chunks;
}

/** Returns the parts (pages, slides), which no passage crosses; otherwise the whole text. */
function sectionsOf({ text, partStarts }: Extracted): Span[] {
  if (partStarts.length === 0) return [{ start: 0, end: text.length }];
  return partStarts.map((start, index) => ({ start, end: partStarts[index + 1] ?? text.length }));
}

function cutSection({ text, format, headings }: Extracted, section: Span): Span[] {
  const cuts = findCuts(text, format.structure, headings, section);
  const spans: Span[] = [];
  let start = section.start;
  let next = 0;
  while (start < section.end) {
    while (next < cuts.length && (cuts[next]?.at ?? 0) <= start) next++;
    const left = section.end - start;
    const isLast = left <= TARGET || (left <= MOST && !hasHeading(cuts, next, start, section.end));
    const end = isLast ? lastEnd(cuts, next, start, section.end) : chooseEnd(text, cuts, next, start);
    const span = trim(text, start, end);
    if (span !== undefined) spans.push(span);
    start = end;
  }
  return spans;
}

interface Cut {
  at: number;
  weight: LineWeight;
}

/** Returns line starts, weighted as places to split (lineWeight). */
function findCuts(
  text: string,
  structure: Structure | undefined,
  headings: Set<number>,
  { start, end }: Span,
): Cut[] {
  const cuts: Cut[] = [];
  let before = 'text'; // no blank line precedes the first line
  for (let at = start; at < end; ) {
    const newline = text.indexOf('\n', at);
    const lineEnd = newline === -1 || newline >= end ? end : newline;
    const line = text.slice(at, Math.min(lineEnd, at + 120));
    const title = cuts.at(-1);
    if (title?.weight === 2 && structure?.isUnderline?.(line, before)) title.weight = 3;
    cuts.push({ at, weight: headings.has(at) ? 3 : lineWeight(structure, line, before) });
    before = line;
    at = lineEnd + 1;
  }
  return cuts;
}

/**
 * Returns the position at which the rest fits into one passage, unless a heading separates two subjects in
 * it.
 */
function lastEnd(cuts: Cut[], from: number, start: number, end: number): number {
  for (let index = cuts.length - 1; index >= from; index--) {
    const cut = cuts[index];
    if (cut === undefined || cut.at - start < LEAST) break;
    if (cut.weight === 3 && end - cut.at >= LEAST_BEFORE_HEADING) return cut.at;
  }
  return end;
}

/** Returns whether a heading separates two subjects between two positions. */
function hasHeading(cuts: Cut[], from: number, start: number, end: number): boolean {
  for (const cut of cutsUpTo(cuts, from, end - LEAST_BEFORE_HEADING)) {
    if (cut.weight === 3 && isFarEnough(cut, start)) return true;
  }
  return false;
}

/**
 * Returns the best split within reach: the one with the highest weight, and the last of several. A heading
 * shortly after the reach is better than any split that isn't a heading.
 */
function chooseEnd(text: string, cuts: Cut[], from: number, start: number): number {
  const reach = [...cutsUpTo(cuts, from, start + MOST)].filter((cut) => isFarEnough(cut, start));
  const near = reach.filter(({ at }) => at - start <= TARGET);
  const isHeading = ({ weight }: Cut) => weight === 3;
  const heaviest = Math.max(...near.map(({ weight }) => weight));
  const best =
    near.findLast(isHeading) ?? reach.find(isHeading) ?? near.findLast((cut) => cut.weight === heaviest);
  return best?.at ?? cutLongLine(text, start, start + TARGET);
}

function* cutsUpTo(cuts: Cut[], from: number, limit: number): Iterable<Cut> {
  for (let index = from; index < cuts.length; index++) {
    const cut = cuts[index] as Cut;
    if (cut.at > limit) return;
    yield cut;
  }
}

function isFarEnough({ at, weight }: Cut, start: number): boolean {
  return at - start >= (weight === 3 ? LEAST_BEFORE_HEADING : LEAST);
}

/**
 * Splits within a line: after the last sentence, otherwise at the last white space, otherwise anywhere except
 * inside a character.
 */
function cutLongLine(text: string, start: number, limit: number): number {
  const reach = text.slice(start + LEAST, limit);
  const sentence = lastMatch(reach, /[.!?;]\s|[。！？；]/g);
  const cut = sentence ?? lastMatch(reach, /\s/g);
  if (cut !== undefined) return start + LEAST + cut;
  const code = text.charCodeAt(limit - 1);
  return code >= 0xd800 && code <= 0xdbff ? limit - 1 : limit;
}

function lastMatch(text: string, pattern: RegExp): number | undefined {
  let end: number | undefined;
  for (const match of text.matchAll(pattern)) end = match.index + match[0].length;
  return end;
}

/** Returns the span without surrounding white space; undefined if nothing is left. */
function trim(text: string, start: number, end: number): Span | undefined {
  const piece = text.slice(start, end);
  const trimmed = piece.trimStart();
  if (trimmed === '') return undefined;
  const from = start + piece.length - trimmed.length;
  return { start: from, end: from + trimmed.trimEnd().length };
}

type LineWeight = 0 | 1 | 2 | 3;

/**
 * Rates the start of a line as a place to split: 3 for a heading or definition, 2 for a new paragraph, 1 for any line,
 * 0 for a continuation of the previous line.
 */
function lineWeight(structure: Structure | undefined, line: string, before: string): LineWeight {
  if (structure?.belongsToBefore(line, before)) return 0;
  const blankBefore = before.trim() === '';
  if (structure?.startsSection(line, blankBefore)) return 3;
  return blankBefore && line.trim() !== '' ? 2 : 1;
}
