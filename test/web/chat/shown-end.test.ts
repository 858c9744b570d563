import { describe, expect, it } from '@jest/globals';
import { endFields, shownEnd } from '../../../web/chat/shown-end.ts';

const said = ['q1', 'a1', 'q2', 'a2', 'q3', 'a3'].map((id) => ({
  id,
  role: id.startsWith('q') ? ('user' as const) : ('assistant' as const),
}));

describe('conversation in a tab', () => {
  it.each([
    ['a3', 0],
    ['q3', 0],
    ['a2', 1],
    ['a1', 2],
    ['q1', 2],
    [undefined, 0],
  ])('has for the message %s %i later questions', (id, later) => {
    expect(shownEnd(said, undefined, id)).toEqual({ parentId: 'a3', later });
  });

  it('ends before a question that the service may not have', () => {
    const unsent = said.slice(0, 3);
    expect(shownEnd(unsent, undefined).parentId).toBe('a1');
    expect(shownEnd(unsent, 'q2').parentId).toBe('q2');
    expect(shownEnd([], undefined).parentId).toBeNull();
  });

  it('consents only to delete existing messages', () => {
    expect(endFields({ parentId: 'a3', later: 0 })).toEqual({ parentId: 'a3' });
    expect(endFields({ parentId: 'a3', later: 2 })).toEqual({ parentId: 'a3', discardLater: true });
  });
});
