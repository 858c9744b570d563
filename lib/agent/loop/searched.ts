import type { StreamPart } from '../../api-contract/stream-part.ts';
import type { SearchNotice } from '../../retrieval/search-notices.ts';
import { notice } from '../../ui-messages/notice.ts';

/** Results of a run's searches for the reader. */
export interface Searched {
  /** Holds each thing once. */
  notices: SearchNotice[];
  /** True when one search found something near: that others did not says nothing of the answer. */
  isNear: boolean;
}

export function addSearch({ notices, isNear }: Searched, told: SearchNotice[]): Searched {
  const codes = new Set(notices.map(({ code }) => code));
  const found = !told.some(({ code }) => code === 'nothing-near' || code === 'index-empty');
  return { notices: [...notices, ...told.filter(({ code }) => !codes.has(code))], isNear: isNear || found };
}

/** Behind the last step, when all searches are known. */
export function* tellOfSearches({ notices, isNear }: Searched): Iterable<StreamPart> {
  for (const { code, text } of notices) if (code !== 'nothing-near' || !isNear) yield notice(code, text);
}
