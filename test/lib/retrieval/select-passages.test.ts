import { describe, expect, it } from '@jest/globals';
import type { ScoredPassage } from '../../../lib/ports/vectors.ts';
import { selectPassages } from '../../../lib/retrieval/select-passages.ts';
import { foundPassage as passage } from '../../support/samples/found-passage.ts';

const paths = (passages: ScoredPassage[]) => passages.map(({ path }) => path);

describe('selectPassages', () => {
  it('returns at most twelve passages', () => {
    const ranked = Array.from({ length: 20 }, (_, at) => passage(`f${at}`));
    expect(selectPassages(ranked)).toEqual(ranked.slice(0, 12));
  });

  it('returns as many passages as fit into their token budget', () => {
    const ranked = [
      passage('a', 'a'.repeat(15_000)),
      passage('b', 'b'.repeat(2000)),
      passage('c', 'c'.repeat(900)),
    ];
    expect(selectPassages(ranked).map(({ path }) => path)).toEqual(['a', 'c']);
  });

  it('returns a duplicate text once', () => {
    expect(selectPassages([passage('a', 'same'), passage('copy', 'same')]).map(({ path }) => path)).toEqual([
      'a',
    ]);
  });
});

describe('passages of one file', () => {
  const part = (
    path: string,
    chunk: number,
    score: number,
    over: Partial<ScoredPassage> = {},
  ): ScoredPassage => {
    const place = { chunk, startLine: chunk * 10 + 1, endLine: chunk * 10 + 9, startChar: chunk * 100 };
    return { ...passage(path, `${path} ${chunk}`), ...place, endChar: chunk * 100 + 90, score, ...over };
  };
  const long = Array.from({ length: 20 }, (_, at) => part('long.md', at * 2, 1 - at / 100));

  it('leave places for other files, but not for distant passages', () => {
    const selected = selectPassages([...long, part('b.md', 0, 0.5), part('c.md', 0, 0.01)]);
    expect(paths(selected)).toContain('b.md');
    expect(paths(selected)).not.toContain('c.md');
    expect(selected).toHaveLength(12);
  });

  it('take all places if the question names the file', () => {
    const selected = selectPassages([part('b.md', 0, 1), ...long], 'What does long.md say?');
    expect(new Set(paths(selected))).toEqual(new Set(['long.md']));
  });

  it('are joined if they are adjacent, at the rank of the better passage', () => {
    const selected = selectPassages([
      part('a.md', 3, 0.9),
      part('b.md', 0, 0.8),
      part('a.md', 2, 0.7),
      part('a.md', 4, 0.6),
    ]);
    expect(paths(selected)).toEqual(['a.md', 'b.md']);
    expect(selected[0]).toMatchObject({
      ...{ chunk: 2, startLine: 21, endLine: 49, startChar: 200, endChar: 490, score: 0.9 },
      text: 'a.md 2\n\na.md 3\n\na.md 4',
    });
  });

  it('are not joined across pages or versions', () => {
    const pages = [part('a.pdf', 0, 1, { part: { page: 1 } }), part('a.pdf', 1, 1, { part: { page: 2 } })];
    expect(selectPassages(pages)).toHaveLength(2);
    const versions = [part('a.md', 0, 1), part('a.md', 1, 1, { fileHash: 'other' })];
    expect(selectPassages(versions)).toHaveLength(2);
  });
});
