/** `[1]`, `[1, 2]`, `[1-3]` and their full-width forms; not `[1](address)`, which is a link. */
const MARKER = /[[【](\d{1,3}(?:\s*[,，、;；–-]\s*\d{1,3})*)[\]】](?!\()/g;
/** The beginning of a marker, or all of it. */
const BEGINNING = /^[[【](?:\d{1,3}\s*[,，、;；–-]\s*)*(?:\d{1,3}(?:\s*|[\]】]))?$/;
/** A longer list isn't one. */
const MAX_MARKER_LENGTH = 200;
/** A longer range isn't one: no prompt offers that many passages. */
const MAX_RANGE = 20;
/** Code in Markdown, fenced or inline; unclosed code extends to the end. */
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;
const SENTENCE_END = /[.!?](?=\s)|[。！？\n]/g;
/** Fewer characters say nothing that can be searched for. */
const MIN_CLAIM_LENGTH = 8;

export interface Marker {
  number: number;
  /** The sentence that the passage supports. */
  claim: string;
}

/** Returns the passages that an answer cites, each once, in order of first use. Markers inside code are ignored. */
export function findMarkers(answer: string): Marker[] {
  const prose = withoutCode(answer);
  const markers = new Map<number, Marker>();
  for (const { start, end, numbers } of markersIn(answer, prose)) {
    const claim = claimAround(prose, start, end);
    for (const number of numbers) {
      if (!markers.has(number)) markers.set(number, { number, claim });
    }
  }
  return [...markers.values()];
}

/** Keeps the length. */
function withoutCode(answer: string): string {
  return answer.replace(CODE, (code) => ' '.repeat(code.length));
}

export interface PlacedMarker {
  start: number;
  end: number;
  numbers: number[];
}

/** An answer without its code and its markers, which blanks replace, and the markers. */
export function splitMarkers(answer: string): { prose: string; markers: PlacedMarker[] } {
  const withMarkers = withoutCode(answer);
  const markers = markersIn(answer, withMarkers);
  let prose = '';
  for (const { start, end } of markers) {
    prose += withMarkers.slice(prose.length, start) + ' '.repeat(end - start);
  }
  return { prose: prose + withMarkers.slice(prose.length), markers };
}

/** Returns the markers outside code; none has code within it. */
function markersIn(answer: string, prose: string): PlacedMarker[] {
  return [...prose.matchAll(MARKER)].flatMap(({ 0: whole, index: start }) => {
    const numbers = answer.startsWith(whole, start) ? numbersOf(whole) : [];
    return numbers.length === 0 ? [] : [{ start, end: start + whole.length, numbers }];
  });
}

/** Whether a text is a marker or may become one with more text: the stream of an answer holds it back until it is complete. */
export function mayBecomeMarker(text: string): boolean {
  return text.length <= MAX_MARKER_LENGTH && BEGINNING.test(text);
}

/** Returns the numbers of a whole marker: `[1, 3-5]` → 1, 3, 4, 5. None for a list with zero, such as the interval `[0, 1]`. */
export function numbersOf(marker: string): number[] {
  const numbers = marker.length > MAX_MARKER_LENGTH ? [] : readNumbers(marker.slice(1, -1));
  return numbers.length > 1 && numbers.includes(0) ? [] : numbers;
}

/** An implausible range counts as its two numbers. */
function readNumbers(list: string): number[] {
  return list.split(/[,，、;；]/).flatMap((item) => {
    const ends = item.split(/[–-]/).map(Number);
    const [first = 0, last = first] = ends;
    const length = last - first + 1;
    if (ends.length !== 2 || length < 1 || length > MAX_RANGE) return ends;
    return Array.from({ length }, (_, step) => first + step);
  });
}

/** The form that clients show as citations. */
export function writeMarkers(numbers: number[]): string {
  return [...new Set(numbers)].map((number) => `[${number}]`).join('');
}

/** Removes the markers of an answer: in a later turn the numbers would mean other passages. */
export function withoutMarkers(answer: string): string {
  return answer.replace(MARKER, '');
}

/** Renumbers the markers of an answer; a number without a new one is removed, and with its last number the whole marker. */
export function renumberMarkers(answer: string, rename: (number: number) => number | undefined): string {
  let renamed = '';
  let from = 0;
  for (const { start, end, numbers } of markersIn(answer, withoutCode(answer))) {
    const known = numbers.flatMap((number) => rename(number) ?? []);
    renamed += answer.slice(from, start);
    renamed = known.length > 0 ? renamed + writeMarkers(known) : renamed.trimEnd();
    from = end;
  }
  return renamed + answer.slice(from);
}

/** Returns the sentence before the marker, whether the full stop is before or after it; otherwise the one after. */
function claimAround(prose: string, start: number, end: number): string {
  const before = withoutMarkers(prose.slice(Math.max(0, start - 1000), start)).replace(
    /(?<![\s.!?。！？])[\s.!?。！？]+$/u,
    '',
  );
  const ends = [...before.matchAll(SENTENCE_END)];
  const sentence = before.slice(ends.length === 0 ? 0 : (ends.at(-1)?.index ?? 0) + 1).trim();
  if (sentence.length >= MIN_CLAIM_LENGTH) return sentence;
  const after = prose.slice(end, end + 1000);
  return `${sentence} ${after.split(SENTENCE_END)[0] ?? ''}`.trim();
}
