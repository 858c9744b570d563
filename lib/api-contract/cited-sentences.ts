import { type PlacedMarker, splitMarkers } from './markers.ts';
import { splitSentences } from './sentences.ts';

interface TextRun {
  start: number;
  end: number;
}

/**
 * The part of a sentence that a marker supports: up to the marker, or to the sentence's end if no other
 * marker follows.
 */
export interface CitedSentence {
  claim: string;
  /** The passages that the marker cites. */
  numbers: number[];
  /** The marker, or consecutive markers. */
  markers: PlacedMarker[];
  /** Passages that the same sentence cites earlier, because its facts may be in those. */
  earlier: number[];
}

/** A sentence of an answer, with its position there. Its text omits code and markers. */
export interface AnswerSentence extends TextRun {
  text: string;
  isCited: boolean;
}

/** Marks of a list, a quotation, or a heading at the start of a line. */
const LEAD = /^(?:\s|>|#{1,6}\s|[-+*]\s|\d{1,3}[.)]\s|\|)+/;
/** Matches words that only introduce a source's statement. */
const NAMES_SOURCE =
  /^(?:(?:according to|as (?:shown|described|reported|stated|noted) (?:in|by)|see|in|per|from)|根据|依据|据|按照|如)$/iu;
/** The minimum number of characters in a claim, because a shorter text is useless for a search. */
const MIN_CLAIM_LENGTH = 8;
/** The maximum number of characters on each side of a marker. */
const MAX_AROUND = 1000;

interface PlacedSentence extends TextRun {
  markers: PlacedMarker[];
}

/** Returns the sentences of an answer that cite something, one for each marker or group of markers, in order. */
export function findCitedSentences(answer: string): CitedSentence[] {
  const { prose, sentences } = readSentences(answer);
  return sentences.flatMap((sentence) => claimsOf(prose, sentence));
}

/** Returns the sentences of an answer, except those that are only code or marks. */
export function sentencesOf(answer: string): AnswerSentence[] {
  const { prose, sentences } = readSentences(answer);
  return sentences.flatMap(({ start, end, markers }) => {
    const text = plain(prose.slice(start, end));
    return text === '' ? [] : [{ start, end, text, isCited: markers.length > 0 }];
  });
}

function readSentences(answer: string): { prose: string; sentences: PlacedSentence[] } {
  const { prose, markers } = splitMarkers(answer);
  const sentences = split(prose).map((run): PlacedSentence => ({ ...run, markers: [] }));
  let at = 0;
  for (const marker of markers) {
    while ((sentences[at + 1]?.start ?? Number.POSITIVE_INFINITY) <= marker.start) at++;
    sentences[at]?.markers.push(marker);
  }
  return { prose, sentences };
}

/**
 * Splits prose into sentences. A sentence starts with its first visible character, so markers after a period, or on
 * their own line, belong to the sentence before them.
 */
function split(prose: string): TextRun[] {
  const sentences: TextRun[] = [];
  let from = 0;
  for (const line of prose.split('\n')) {
    for (const { start, end } of splitLine(line)) sentences.push({ start: from + start, end: from + end });
    from += line.length + 1;
  }
  const [first] = sentences;
  if (first !== undefined) first.start = 0; // markers before it belong to it
  return sentences;
}

/** Splits a line. The marks at its start belong to its first sentence. */
function splitLine(line: string): TextRun[] {
  const lead = LEAD.exec(line)?.[0].length ?? 0;
  const places = splitSentences(line.slice(lead));
  return places.map(({ start, end }, at) => ({ start: at === 0 ? 0 : lead + start, end: lead + end }));
}

function claimsOf(prose: string, sentence: PlacedSentence): CitedSentence[] {
  const claims: CitedSentence[] = [];
  const earlier = new Set<number>();
  const all = new Set(sentence.markers.flatMap(({ numbers }) => numbers));
  for (const [at, marker] of sentence.markers.entries()) {
    const { numbers } = marker;
    const { claim, isWhole } = claimOf(prose, sentence, at);
    const last = claims.at(-1);
    if (last?.claim === claim) {
      last.numbers.push(...numbers);
      last.markers.push(marker);
    } else if (claim !== '')
      claims.push({
        ...{ claim, numbers: [...numbers], markers: [marker] },
        earlier: [...(isWhole ? all : earlier)],
      });
    for (const number of numbers) earlier.add(number);
  }
  return claims;
}

/**
 * `isWhole` means that the text before the marker states nothing, so the marker supports the whole sentence.
 */
function claimOf(prose: string, { start, end, markers }: PlacedSentence, at: number) {
  const [marker, next] = markers.slice(at, at + 2) as [PlacedMarker, PlacedMarker?];
  const isLast = next === undefined || prose.slice(marker.end, Math.min(end, next.start)).trim() === '';
  const before = plain(prose.slice(Math.max(start, marker.start - MAX_AROUND), marker.start));
  const isWhole = !isLast && (before.length < MIN_CLAIM_LENGTH || NAMES_SOURCE.test(before));
  const hasTail = isLast || isWhole;
  const tail = hasTail ? prose.slice(marker.end, Math.min(end, marker.end + MAX_AROUND)) : '';
  return { claim: plain(`${before} ${tail}`), isWhole };
}

/** Removes the marks at the start of a line, and the gaps where text was removed. */
function plain(text: string): string {
  return text
    .replace(LEAD, '')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[.,;:!?)\]。，；：！？）])/g, '')
    .trim();
}
