import { describe, expect, it } from '@jest/globals';
import { matching, mentionAt } from '../../../web/chat/mention.ts';
import { checkedState, MAX_PATHS, pathsOf, togglePath } from '../../../web/chat/scope.ts';

describe('scope of a question', () => {
  it('includes a folder instead of its entries', () => {
    expect(togglePath(['a/b', 'ab', 'a/c/d'], 'a')).toEqual(['ab', 'a']);
    expect(togglePath(['a'], 'a/b')).toEqual(['a']);
    expect(togglePath(['a', 'b'], 'a')).toEqual(['b']);
  });

  it('shows chosen entries, entries inside them, and folders with some of them', () => {
    const states = ['a', 'a/b', 'c', 'c/d', 'ab'].map((path) => checkedState(['a', 'c/d'], path));
    expect(states).toEqual([true, true, 'mixed', true, false]);
  });

  it("is limited to the service's maximum", () => {
    const many = Array.from({ length: MAX_PATHS }, (_, at) => `f${at}`);
    expect(togglePath(many, 'one more')).toEqual(many);
  });

  it('is read from a stored question, whatever it contains', () => {
    expect(pathsOf({ metadata: { paths: ['a', 7] } })).toEqual(['a']);
    expect([pathsOf(undefined), pathsOf({ metadata: null }), pathsOf({ metadata: { paths: 'a' } })]).toEqual([
      [],
      [],
      [],
    ]);
  });
});

describe('mention', () => {
  it.each([
    ['@', { start: 0, folder: '', name: '' }],
    ['see @notes/a.m', { start: 4, folder: 'notes', name: 'a.m' }],
    ['（@a/b/c', { start: 1, folder: 'a/b', name: 'c' }],
    ['bo@example.org', undefined],
    ['@done and', undefined],
  ])('is typed at the end of %j', (text, expected) => {
    expect(mentionAt(text, text.length)).toEqual(expected);
  });

  it('offers names that start with its text first', () => {
    const entries = ['my-owl.md', 'Owl.pdf', 'tea.md'].map((name) => ({ name }) as never);
    expect(matching(entries, 'owl').map(({ name }) => name)).toEqual(['Owl.pdf', 'my-owl.md']);
  });
});
