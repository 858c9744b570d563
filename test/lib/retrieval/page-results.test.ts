import { describe, expect, it } from '@jest/globals';
import { pageOfResults } from '../../../lib/retrieval/page-results.ts';

const PASSAGES = Array.from({ length: 45 }, (_, at) => at);
const page = (k: number, cursor?: string, asked: unknown = 'owls') =>
  pageOfResults(PASSAGES, { k, cursor, asked });

describe('pageOfResults', () => {
  it('returns every result once, in order, also with pages of different sizes', () => {
    const found: number[] = [];
    let cursor: string | undefined;
    for (const k of [20, 1, 7, 100]) {
      const { passages, cursor: next } = page(k, cursor);
      found.push(...passages);
      cursor = next;
    }
    expect(found).toEqual(PASSAGES);
    expect(cursor).toBeUndefined();
  });

  it('has no next page after the last result', () => {
    expect(page(45)).toEqual({ passages: PASSAGES });
    expect(page(100)).toEqual({ passages: PASSAGES });
    expect(pageOfResults([], { k: 8, cursor: undefined, asked: 'owls' })).toEqual({ passages: [] });
  });

  it('returns an empty page if the index has lost results in between', () => {
    const { cursor } = page(40);
    expect(pageOfResults(PASSAGES.slice(0, 10), { k: 8, cursor, asked: 'owls' })).toEqual({ passages: [] });
  });

  it('refuses the cursor of another search, and other texts', () => {
    const { cursor = '' } = page(8);
    expect(() => page(8, cursor, 'hawks')).toThrow("cursor isn't a cursor of this list.");
    const [list] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const made = (place: unknown) => Buffer.from(JSON.stringify([list, place])).toString('base64url');
    for (const wrong of ['', 'x', 'null', made('-8'), made('1e3'), made('0'), made('9'.repeat(20)), made({})])
      expect(() => page(8, wrong)).toThrow("cursor isn't a cursor of this list.");
    expect(page(8, made('8')).passages[0]).toBe(8);
  });
});
