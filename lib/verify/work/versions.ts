import { shareThread } from '../../async/share-thread.ts';
import { isExportedCheck } from '../show-check.ts';

/**
 * `shares`: it may be a version of the draft, a larger draft that contains it, or a source that it repeats.
 */
export type DraftLikeness = 'export' | 'shares' | 'other';

/** The maximum number of characters to compare of a text. */
const MAX_LENGTH = 1_000_000;
/**
 * The minimum number of letters in a sentence to compare. Shorter ones are headings, which many texts share.
 */
const MIN_LETTERS = 6;
/**
 * The minimum share that the draft and a version have in common. Up to half of a version may be rewritten.
 */
const SOME = 0.3;
const NEARLY_ALL = 0.9;
/** The minimum number of shared sentences. Fewer may be quotes from a source. */
const MIN_SHARED = 3;

/**
 * Detects files that aren't reliable evidence for the draft. Versions of the draft share sentences with it,
 * but so does a source that it repeats, and code can't distinguish these. An exported check is never
 * evidence.
 */
export function openVersions(draft: string) {
  let own: Set<string> | undefined;
  const known = new Map<string, Promise<DraftLikeness>>();
  const share = shareThread();
  async function likenessOf(read: () => Promise<string | undefined>): Promise<DraftLikeness> {
    const text = await read();
    if (text === undefined) return 'other';
    if (isExportedCheck(text)) return 'export';
    await share();
    own ??= sentencesOf(draft);
    return sharesSentences(own, sentencesOf(text)) ? 'shares' : 'other';
  }
  return {
    compare(
      workspaceId: string,
      path: string,
      read: () => Promise<string | undefined>,
    ): Promise<DraftLikeness> {
      const key = JSON.stringify([workspaceId, path]);
      const comparing = known.get(key) ?? likenessOf(read);
      known.set(key, comparing);
      return comparing;
    },
  };
}

export type Versions = ReturnType<typeof openVersions>;

function sharesSentences(draft: Set<string>, file: Set<string>): boolean {
  const shared = [...draft].filter((sentence) => file.has(sentence));
  const length = lengthOf(shared);
  const [ofFile, ofDraft] = [length / lengthOf(file), length / lengthOf(draft)];
  if (shared.length < MIN_SHARED) return shared.length > 1 && ofFile >= NEARLY_ALL && ofDraft >= NEARLY_ALL;
  return ofFile >= SOME || ofDraft >= SOME;
}

/** Matches references that a version may add: `[3]`, `(Smith 2020)`. */
const REFERENCES = /\[[^[\]]{1,80}\]|[(（][^()（）]{0,200}\d{4}[^()（）]{0,60}[)）]/gu;

/**
 * Returns the letters and digits of each sentence, because references, markup, line breaks, and punctuation differ
 * between formats.
 */
function sentencesOf(text: string): Set<string> {
  const bare = text.slice(0, MAX_LENGTH).replace(REFERENCES, '');
  const pieces = bare.split(/[.!?;。！？；]|\n\s*\n/u);
  const letters = pieces.map((piece) => piece.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase());
  return new Set(letters.filter((piece) => piece.length >= MIN_LETTERS));
}

function lengthOf(sentences: Iterable<string>): number {
  return [...sentences].reduce((sum, { length }) => sum + length, 0);
}
