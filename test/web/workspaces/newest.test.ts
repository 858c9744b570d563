import { describe, expect, it } from '@jest/globals';
import { newestOf } from '../../../web/workspaces/newest.ts';

const changed = (id: string, updatedAt: string) => ({ id, updatedAt });

describe('what was done last', () => {
  it('is in its order whatever was pinned, of the newest as many as are shown', () => {
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
