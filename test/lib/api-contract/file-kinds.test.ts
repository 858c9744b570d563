import { expect, it } from '@jest/globals';
import {
  extensionsOf,
  hasLines,
  SEARCH_KINDS,
  searchKindOf,
  viewOf,
} from '../../../lib/api-contract/file-kinds.ts';
import { encodedFormats, formats } from '../../../lib/formats/all-formats.ts';

const indexed = formats.flatMap(({ extensions }) => extensions as readonly string[]);
const decoded = new Set<string>(encodedFormats.flatMap(({ extensions }) => extensions as readonly string[]));

it('finds every indexed extension by a kind', () => {
  expect(indexed.length).toBeGreaterThan(150);
  expect(indexed.filter((extension) => searchKindOf(`a.${extension}`) === undefined)).toEqual([]);
});

it('limits a search to indexed extensions only, each in one kind', () => {
  const all = SEARCH_KINDS.flatMap(extensionsOf);
  expect(all.toSorted()).toEqual(indexed.toSorted());
});

it('has lines in all files but those whose text is decoded', () => {
  const wrong = indexed.filter((extension) => hasLines(`a.${extension}`) === decoded.has(extension));
  expect(wrong).toEqual([]);
});

it('shows no file as text whose text is decoded', () => {
  expect([...decoded].filter((extension) => viewOf(`a.${extension}`) === 'text')).toEqual([]);
});
