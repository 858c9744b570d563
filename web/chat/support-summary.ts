import { countSupport, type SupportCounts } from '../../lib/api-contract/support-counts.ts';
import { numberSentences } from './cited-sentence.ts';
import type { Citation } from './message-view.ts';

/** Counts the shown sentences of an answer; undefined if none cites a source with a known support. */
export function countShown(text: string, citations: readonly Citation[]): SupportCounts | undefined {
  const { text: numbered, byNumber } = numberSentences(text, citations);
  const shown = [...byNumber].map(([index, citation]) => ({ ...citation, claims: [], index }));
  const counts = countSupport(numbered, shown);
  return counts.sentences === 0 ? undefined : counts;
}

/** Returns `messageMetadata.support.uncited`: the number of sentences without a citation. */
export function countUncited(metadata: unknown): number {
  const { support } = (metadata ?? {}) as { support?: { uncited?: unknown } };
  return Number.isSafeInteger(support?.uncited) ? Number(support?.uncited) : 0;
}
