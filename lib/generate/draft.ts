import { citedNumbers, escapeUnknown, renumberMarkers } from '../api-contract/markers.ts';
import type { Passage } from '../ports/vectors.ts';
import { OfferedPassages } from '../retrieval/cite/offered-passages.ts';
import { withNormalMarkers } from '../retrieval/markers/normal-markers.ts';

/** A text in which each marker `[n]` means `sources[n - 1]`, and each source is cited. */
export interface Draft {
  text: string;
  sources: Passage[];
}

/**
 * Returns a draft from the model's text about numbered passages. Markers with unknown numbers stay text; the
 * others are renumbered from 1.
 */
export function draftOf(text: string, offered: Passage[]): Draft {
  const isOffered = (number: number) => number >= 1 && number <= offered.length;
  const normal = escapeUnknown(withNormalMarkers(text, new OfferedPassages(offered)), isOffered);
  const cited = citedNumbers(normal).filter(isOffered);
  const places = new Map(cited.map((number, place) => [number, place + 1]));
  return {
    text: renumberMarkers(normal, (number) => places.get(number)).trim(),
    sources: cited.map((number) => offered[number - 1] as Passage),
  };
}

/** Numbers the drafts of one prompt consecutively. A passage that several drafts cite has one number. */
export function numberThrough(drafts: Draft[]): { texts: string[]; sources: Passage[] } {
  const numbers = new Map<Passage, number>();
  const numberOf = (source: Passage | undefined) => {
    if (source === undefined) return undefined;
    if (!numbers.has(source)) numbers.set(source, numbers.size + 1);
    return numbers.get(source);
  };
  const texts = drafts.map(({ text, sources }) =>
    renumberMarkers(text, (number) => numberOf(sources[number - 1])),
  );
  return { texts, sources: [...numbers.keys()] };
}

const SENTENCE_END = /\n|[.!?](?=\s)|[。！？]/g;

/** Truncates the draft to this many bytes, and drops sources that only the removed end cited. */
export function cutDraft(draft: Draft, maxBytes: number): Draft {
  const { text, sources } = draft;
  if (Buffer.byteLength(text) <= maxBytes) return draft;
  const cut = new TextDecoder().decode(Buffer.from(text).subarray(0, maxBytes)).replace(/\uFFFD$/, '');
  const end = ([...cut.matchAll(SENTENCE_END)].at(-1)?.index ?? 0) + 1;
  return draftOf(cut.slice(0, end > cut.length / 2 ? end : cut.length), sources);
}
