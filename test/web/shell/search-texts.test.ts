import { describe, expect, it } from '@jest/globals';
import { readAuditFilter } from '../../../web/audit/filter.ts';
import { readRowsPlace } from '../../../web/datasets/rows-place.ts';
import { readFilesSearch } from '../../../web/files/place.ts';
import { searchTexts } from '../../../web/shell/search-texts.ts';
import { readUsageSearch } from '../../../web/usage/span.ts';

type Read = (search: Record<string, unknown>) => object;

/** As in the router, a reader's result is merged over the input. */
const merged = (read: Read, search: Record<string, unknown>) => ({ ...search, ...read(search) });

const READERS: [string, Read, string[]][] = [
  ['a list', searchTexts('q', 'type'), ['q', 'type']],
  ['files', readFilesSearch, ['path', 'lines', 'page', 'quote', 'edit']],
  ['usage', readUsageSearch, ['from', 'to', 'by', 'of']],
  ['the audit log', readAuditFilter, ['from', 'to', 'actor', 'action']],
  ['rows of a dataset', readRowsPlace, ['split', 'from']],
];

describe('values in a URL', () => {
  it.each(READERS)('reach a view of %s only with their expected types', (_, read, names) => {
    for (const value of [{ a: 1 }, ['a'], null]) {
      const search = Object.fromEntries(names.map((name) => [name, value]));
      expect(Object.values(merged(read, search)).filter((each) => each !== undefined)).toEqual([]);
    }
  });

  it('are text even if a number was typed', () => {
    expect(merged(searchTexts('q'), { q: 2024 })).toEqual({ q: '2024' });
  });
});
