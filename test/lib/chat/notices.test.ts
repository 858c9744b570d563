import { describe, expect, it } from '@jest/globals';
import { notices } from '../../../lib/chat/notices.ts';
import type { SearchResult } from '../../../lib/retrieval/search.ts';

const FOUND: SearchResult = { mode: 'lexical', fellBack: undefined, nearness: 1, passages: [] };

function told(found: Partial<SearchResult>) {
  return [...notices('ready', { ...FOUND, ...found }, [])];
}

describe('notice of keyword-only search', () => {
  it.each([
    ['failed', 'The embedding service failed'],
    ['other-index', 'Re-index the workspace'],
  ] as const)('states the reason: %s', (fellBack, text) => {
    expect(told({ fellBack })).toEqual([
      { type: 'data-notice', data: { code: 'search-by-words', text: expect.stringContaining(text) } },
    ]);
  });

  it('is not sent without a configured embedder', () => {
    expect(told({})).toEqual([]);
  });
});
