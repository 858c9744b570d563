import { expect, it } from '@jest/globals';
import { findRendered } from '../../../web/files/find-rendered.ts';

/** Returns the marked words in the rendered texts. */
function marked(items: string[], quote: string): string[] {
  return findRendered(items, quote).map(({ item, start, end }) => (items[item] ?? '').slice(start, end));
}

it.each([
  ['emphasis and code', ['Owls hunt ', 'at night', ', with ', 'ears'], 'Owls hunt **at night**, with `ears`'],
  ['a heading and a list', ['Owls', 'They hunt.', 'They hear.'], '# Owls\n\n- They hunt.\n- They hear.'],
  ['a link', ['See ', 'the paper', ' first.'], 'See [the paper](papers/a.md) first.'],
  ['brackets in a link', ['See ', 'the paper', ' first.'], 'See [the paper](papers/a_(b).md) first.'],
])('findRendered finds a quote in rendered Markdown: %s', (_, items, quote) => {
  expect(marked(items, quote)).toEqual(items.map((text) => text.trim()));
});

it('findRendered marks the existing lines even if other content is between them', () => {
  expect(
    marked(['Owls hunt at night.', 'Figure 1', 'Kestrels do not.'], 'Owls hunt at night.\nKestrels do not.'),
  ).toEqual(['Owls hunt at night.', 'Kestrels do not.']);
  expect(marked(['Owls hunt.'], 'Something else')).toEqual([]);
});
