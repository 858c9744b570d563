import { shareThread } from '../../async/share-thread.ts';
import { isExportedCheck } from '../show-check.ts';

/** Finds files that are a version of the draft, or the export of a check: they are no evidence for it. */
export interface Versions {
  isVersion(workspaceId: string, path: string, read: () => Promise<string | undefined>): Promise<boolean>;
}

/** What is looked at of a text. */
const MAX_LENGTH = 1_000_000;
/** Shorter ones are headings, which many texts share. */
const MIN_LETTERS = 6;
/** How much of a file is in the draft: of a version most, of one with notes between less. */
const MOST = 0.6;
const SOME = 0.3;
const NEARLY_ALL = 0.9;
/** Fewer sentences may be quoted from a source. */
const MIN_SHARED = 3;

export function openVersions(draft: string): Versions {
  let own: Set<string> | undefined;
  const known = new Map<string, Promise<boolean>>();
  const share = shareThread();
  async function compare(read: () => Promise<string | undefined>): Promise<boolean> {
    const text = await read();
    if (text === undefined) return false;
    if (isExportedCheck(text)) return true;
    if (text.length > draft.length / SOME + MAX_LENGTH / 100) return false;
    await share();
    own ??= sentencesOf(draft);
    return isVersionOf(own, sentencesOf(text));
  }
  return {
    isVersion(workspaceId, path, read) {
      const key = JSON.stringify([workspaceId, path]);
      const comparing = known.get(key) ?? compare(read);
      known.set(key, comparing);
      return comparing;
    },
  };
}

function isVersionOf(draft: Set<string>, file: Set<string>): boolean {
  const shared = [...file].filter((sentence) => draft.has(sentence));
  const length = lengthOf(shared);
  const [ofFile, ofDraft] = [length / lengthOf(file), length / lengthOf(draft)];
  if (shared.length < MIN_SHARED) return shared.length > 1 && ofFile >= NEARLY_ALL && ofDraft >= NEARLY_ALL;
  return ofFile >= MOST || (ofFile >= SOME && ofDraft >= MOST);
}

/** Letters and digits of each sentence: markup, line breaks, and punctuation differ between formats. */
function sentencesOf(text: string): Set<string> {
  const pieces = text.slice(0, MAX_LENGTH).split(/[.!?;。！？；]|\n\s*\n/u);
  const letters = pieces.map((piece) => piece.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase());
  return new Set(letters.filter((piece) => piece.length >= MIN_LETTERS));
}

function lengthOf(sentences: Iterable<string>): number {
  return [...sentences].reduce((sum, { length }) => sum + length, 0);
}
