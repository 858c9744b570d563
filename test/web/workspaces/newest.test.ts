import { describe, expect, it } from '@jest/globals';
import { newestOf } from '../../../web/workspaces/newest.ts';

const changed = (id: string, updatedAt: string) => ({ id, updatedAt });

describe('latest conversations', () => {
  it('are ordered by time, pinned or not, limited to the displayed number', () => {
    const listed = [
      changed('pinned', '2026-11-01T08:00:00.000Z'),
      changed('last', '2026-11-23T08:00:00.000Z'),
      changed('before', '2026-11-22T08:00:00.000Z'),
    ];
    expect(newestOf(listed, 2).map(({ id }) => id)).toEqual(['last', 'before']);
    expect(listed[0]?.id).toBe('pinned');
    expect(newestOf([], 5)).toEqual([]);
  });
});
