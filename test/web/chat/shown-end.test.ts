import { expect, it } from '@jest/globals';
import { shownEnd } from '../../../web/chat/shown-end.ts';

const said = ['q1', 'a1', 'q2', 'a2'].map((id) => ({
  id,
  role: id.startsWith('q') ? ('user' as const) : ('assistant' as const),
}));

it('conversation in a tab ends before a question that the service may not have', () => {
  expect(shownEnd(said, undefined).parentId).toBe('a2');
  const unsent = said.slice(0, 3);
  expect(shownEnd(unsent, undefined).parentId).toBe('a1');
  expect(shownEnd(unsent, 'q2').parentId).toBe('q2');
  expect(shownEnd([], undefined).parentId).toBeNull();
});
