import type { StreamPart } from '../../api-contract/stream-part.ts';
import type { SearchNotice } from '../../retrieval/search-notices.ts';
import { notice } from '../../ui-messages/notice.ts';

/** Results of a run's searches for the reader. */
export interface Searched {
  /** Each notice appears once. */
  notices: SearchNotice[];
  /** True if any search found a close match. Another search without one says nothing about the answer. */
  isNear: boolean;
}

export function addSearch({ notices, isNear }: Searched, told: SearchNotice[]): Searched {
  const codes = new Set(notices.map(({ code }) => code));
  const found = !told.some(({ code }) => code === 'nothing-near' || code === 'index-empty');
  return { notices: [...notices, ...told.filter(({ code }) => !codes.has(code))], isNear: isNear || found };
}

/** Yields the notices of searches. Comes after the last step, because further searches may change them. */
export function* tellOfSearches({ notices, isNear }: Searched): Iterable<StreamPart> {
  for (const { code, text } of notices) if (code !== 'nothing-near' || !isNear) yield notice(code, text);
}
