import { type CitationCheck, weakestOf } from '../../lib/api-contract/citation.ts';
import { findCitedSentences } from '../../lib/api-contract/cited-sentences.ts';
import { splitMarkers, writeMarkers } from '../../lib/api-contract/markers.ts';
import type { Citation } from './message-view.ts';

/** Inline code without a marker. The service ignores it when comparing, but readers need it. */
const CODE = /(?<!`)`([^`\n[【]+)`(?!`)/g;

/** A sentence that cites a source. */
export interface CitingSentence {
  /** The sentence without its Markdown. */
  text: string;
  /** The citation for this sentence alone, with its quote and support. */
  citation: Citation;
}

/** Returns the sentences of a text that cite a source, in order, as the service compared them. */
export function citingSentences(text: string, citation: Citation): CitingSentence[] {
  const claims = claimsOf(text, citation.index);
  const withCode = claimsOf(text.replace(CODE, '$1'), citation.index);
  const shown = withCode.length === claims.length ? withCode : claims;
  return claims.map((claim, at) => ({
    text: withoutMarks(shown[at] ?? claim),
    citation: citationFor(citation, claim, at + 1),
  }));
}

function claimsOf(text: string, index: number): string[] {
  return findCitedSentences(text).flatMap(({ claim, numbers }) => (numbers.includes(index) ? [claim] : []));
}

/** Returns the citation for a sentence. A citation without a sentence number is about the first sentence. */
function citationFor({ claims, ...citation }: Citation, claim: string, nth: number): Citation {
  const own = claims?.find(({ text }) => text === claim);
  if (own === undefined) return { ...citation, nth };
  const { text: _, ...known } = own;
  const { index, path, isStale } = citation;
  return { index, path, ...known, isStale: isStale && !known.isMissing, nth };
}

/**
 * Returns a citation for its weakest sentence, for a view with one quote, so that quote, state, and checks
 * belong together.
 */
export function asWeakest(citation: Citation): Citation {
  const [first, ...others] = (citation.claims ?? []).flatMap((claim, at) =>
    claim.support === undefined ? [] : [{ ...claim, support: claim.support, nth: at + 1 }],
  );
  if (first !== undefined) return asNth(citation, weakestOf([first, ...others]).nth);
  const { claims: _, ...single } = citation;
  return single;
}

/** Returns a citation for the open sentence, counted from 1. */
export function asNth({ claims, ...citation }: Citation, nth: number): Citation {
  const claim = claims?.[nth - 1];
  return citationFor({ ...citation, claims: claim && [claim] }, claim?.text ?? '', nth);
}

/** Returns the sentences that cite a source if their states differ. */
export function differingSentences(citation: Citation): CitingSentence[] {
  const { claims = [] } = citation;
  if (new Set(claims.map(({ support }) => support)).size < 2) return [];
  return claims.map(({ text }, at) => ({ text: withoutMarks(text), citation: asNth(citation, at + 1) }));
}

/** A text in which each sentence has a separate citation. */
export interface NumberedSentences {
  text: string;
  /** The citations by their numbers in the text. */
  byNumber: ReadonlyMap<number, Citation>;
  /** Maps a position in the given text to this text. */
  placeOf(place: number): number;
}

/** The largest number, because a marker has at most three digits. */
const MAX_NUMBER = 999;

/**
 * Gives each further sentence that cites a source its own hidden number, because its marker may have another
 * state and open another quote. `before` is the earlier text of the same answer.
 */
export function numberSentences(
  text: string,
  citations: readonly Citation[],
  before = '',
): NumberedSentences {
  const numbering = startNumbering(citations, before);
  const changed = (citations.length === 0 ? [] : findCitedSentences(text)).flatMap(
    ({ claim, numbers, markers }) => {
      const renamed = numbering.rename(claim, numbers);
      const rename = (index: number) => renamed.get(index) ?? index;
      return markers.map((marker) => ({ ...marker, numbers: marker.numbers.map(rename) }));
    },
  );
  return { ...replaceMarkers(text, changed), byNumber: numbering.byNumber };
}

function startNumbering(citations: readonly Citation[], before: string) {
  const known = new Map(citations.map((each) => [each.index, each]));
  const counts = new Map([...known.keys()].map((index) => [index, claimsOf(before, index).length]));
  const byNumber = new Map(known);
  let next = Math.max(0, ...known.keys()) + 1;
  const numberOf = (citation: Citation, claim: string) => {
    const nth = (counts.get(citation.index) ?? 0) + 1;
    if (nth > 1 && next > MAX_NUMBER) return citation.index;
    counts.set(citation.index, nth);
    const number = nth === 1 ? citation.index : next++;
    byNumber.set(number, citationFor(citation, claim, nth));
    return number;
  };
  return {
    byNumber,
    /** Returns a sentence's numbers by its citations. */
    rename(claim: string, numbers: number[]): Map<number, number> {
      const cited = [...new Set(numbers)].flatMap((index) => known.get(index) ?? []);
      return new Map(cited.map((citation) => [citation.index, numberOf(citation, claim)]));
    },
  };
}

function replaceMarkers(text: string, markers: { start: number; end: number; numbers: number[] }[]) {
  const changed = markers.flatMap(({ start, end, numbers }) => {
    const marker = writeMarkers(numbers);
    return marker.length === end - start && text.startsWith(marker, start) ? [] : [{ start, end, marker }];
  });
  let replaced = '';
  let from = 0;
  for (const { start, end, marker } of changed) {
    replaced += text.slice(from, start) + marker;
    from = end;
  }
  const placeOf = (place: number) =>
    changed.reduce(
      (moved, { start, end, marker }) => (end <= place ? moved + marker.length - (end - start) : moved),
      place,
    );
  return { text: replaced + text.slice(from), placeOf };
}

/**
 * Returns a text and its citations with a number for each quote and state, because a note has one quote and
 * one state per number. Overlapping passages share the number of their quote.
 */
export function asSeparateSources(answer: string, citations: readonly Citation[]): SeparateSources {
  const { text, byNumber } = numberSentences(answer, citations);
  const firsts = new Map<string, number>();
  const found = new Map<number, CitationCheck[]>();
  const numbers = new Map<number, number>();
  for (const [number, citation] of byNumber) {
    const { path, place, quote, support, startLine, endLine, isMissing, by, reason, findings, checks } =
      citation;
    const lacking = checks?.filter(({ ok }) => !ok);
    const where = [path, place?.at, startLine, endLine, quote];
    const key = JSON.stringify([where, support, isMissing, by, reason, findings, lacking]);
    const first = firsts.get(key) ?? number;
    firsts.set(key, first);
    numbers.set(number, first);
    found.set(first, [...(found.get(first) ?? []), ...(checks ?? [])]);
  }
  const given = splitMarkers(text).markers.map((marker) => ({
    ...marker,
    numbers: [...new Set(marker.numbers.map((number) => numbers.get(number) ?? number))],
  }));
  const places = placesOf(
    given.flatMap((marker) => marker.numbers),
    [...firsts.values()],
    [...byNumber.keys()].sort((one, other) => one - other),
  );
  const markers = given.map((marker) => ({
    ...marker,
    numbers: marker.numbers.map((number) => places.get(number) ?? number),
  }));
  const separate = [...firsts.values()].flatMap((number) => {
    const citation = byNumber.get(number);
    if (citation === undefined) return [];
    const checks = oneOfEachKind(found.get(number) ?? []);
    return [{ ...citation, index: places.get(number) ?? number, ...(checks.length > 0 && { checks }) }];
  });
  return {
    text: replaceMarkers(text, markers).text,
    citations: separate.sort((one, other) => one.index - other.index),
  };
}

/**
 * Returns one check of each kind. Sentences that share a number differ only in facts that the quote contains.
 */
function oneOfEachKind(checks: CitationCheck[]): CitationCheck[] {
  return checks.filter(({ kind }, at) => checks.findIndex((each) => each.kind === kind) === at);
}

/**
 * Numbers citations in the order of the text with the first free numbers. Citations that aren't in the text
 * come last.
 */
function placesOf(used: number[], all: number[], free: number[]): Map<number, number> {
  const known = new Set(all);
  const inOrder = new Set([...used.filter((number) => known.has(number)), ...all]);
  return new Map([...inOrder].map((number, at) => [number, free[at] ?? number]));
}

interface SeparateSources {
  text: string;
  citations: Citation[];
}

function withoutMarks(claim: string): string {
  return claim
    .replace(/^(?:\s|>|#{1,6}\s|[-+*]\s|\d{1,3}[.)]\s|\|)+/, '')
    .replace(/\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, '$1')
    .replace(/(\*\*|__|~~)/g, '')
    .replace(/(?<![\p{L}\p{N}])[*_](?=\S)|(?<=\S)[*_](?![\p{L}\p{N}])/gu, '')
    .replaceAll('|', ' · ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s·]+|(?<![\s·])[\s·]+$/g, '');
}
