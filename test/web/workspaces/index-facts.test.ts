import { describe, expect, it } from '@jest/globals';
import { factsOf, groupErrors, needsRecognition } from '../../../web/workspaces/index-facts.ts';

const EMPTY = {
  status: 'ready' as const,
  syncId: 's1',
  finishedAt: '2026-11-20T00:00:00Z',
  waitingCount: 0,
  index: { searchable: 0, noText: 0, failed: 0, skipped: 0 },
  asOf: '2026-11-20T00:00:00Z',
  done: 0,
  total: 0,
};

describe('factsOf', () => {
  it('counts files that were added after the latest sync', () => {
    const index = { searchable: 36, noText: 1, failed: 1, skipped: 2 };
    expect(factsOf({ ...EMPTY, index })).toMatchObject({ askable: 36, skipped: 3, unreadable: 1 });
  });

  it('has no sync figures while files are indexed without a sync', () => {
    const state = { ...EMPTY, status: 'indexing' as const, waitingCount: 40, total: 7, done: 7 };
    expect(factsOf(state)).toMatchObject({ sync: undefined, changes: 40, freshness: 'indexing' });
  });

  it('has the figures of a running sync', () => {
    const state = {
      ...EMPTY,
      status: 'indexing' as const,
      finishedAt: null,
      asOf: null,
      done: 12,
      total: 40,
    };
    expect(factsOf(state)).toMatchObject({ sync: { done: 12, total: 40 }, freshness: 'indexing' });
  });

  it('never calls a folder checked if that is unknown', () => {
    expect(factsOf({ ...EMPTY, asOf: null }).freshness).toBe('unchecked');
    expect(factsOf({ ...EMPTY, status: 'failed' }).freshness).toBe('failed');
    expect(factsOf({ ...EMPTY, waitingCount: 1 }).freshness).toBe('indexing');
    expect(factsOf(EMPTY).freshness).toBe('checked');
  });

  it('returns no number if the service reports no number', () => {
    expect(factsOf({ ...EMPTY, index: null }).askable).toBeUndefined();
  });
});

describe('needsRecognition', () => {
  const scan = { path: 'scan.PDF', reason: 'no_text' as const };

  it('is true for images and PDFs without text that OCR has not read', () => {
    expect([scan, { ...scan, path: 'a/photo.jpeg' }].map(needsRecognition)).toEqual([true, true]);
  });

  it.each([
    ['OCR has read it', { recognition: { pages: 1, pagesRead: 1, waiting: false } }],
    ['it is empty', { found: 'empty' }],
    ['it is damaged', { reason: 'broken' as const }],
    ["its format can't contain images", { path: 'a.md' }],
  ])('is false if %s', (_, changed) => {
    expect(needsRecognition({ ...scan, ...changed })).toBe(false);
  });
});

it('index facts list files with the same error once, with their number', () => {
  const refused = 'Embedding failed. The endpoint refused the key.';
  const errors = [
    { path: 'a.pdf', error: 'The PDF file is incomplete.' },
    { path: 'b.md', error: refused },
    { path: 'c.md', error: refused },
  ];
  expect(groupErrors(errors)).toEqual([
    { error: refused, paths: ['b.md', 'c.md'] },
    { error: 'The PDF file is incomplete.', paths: ['a.pdf'] },
  ]);
});
