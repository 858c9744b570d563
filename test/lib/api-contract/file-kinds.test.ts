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

it('searchKindOf knows every indexed extension', () => {
  expect(indexed.length).toBeGreaterThan(150);
  expect(indexed.filter((extension) => searchKindOf(`a.${extension}`) === undefined)).toEqual([]);
});

it('extensionsOf returns only indexed extensions, each in one kind', () => {
  const all = SEARCH_KINDS.flatMap(extensionsOf);
  expect(all.toSorted()).toEqual(indexed.toSorted());
});

it('hasLines is true for all files except decoded ones', () => {
  const wrong = indexed.filter((extension) => hasLines(`a.${extension}`) === decoded.has(extension));
  expect(wrong).toEqual([]);
});

it('viewOf shows no decoded file as text', () => {
  expect([...decoded].filter((extension) => viewOf(`a.${extension}`) === 'text')).toEqual([]);
});
