import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { filterQuery, searchFilter } from '../../../../lib/retrieval/filter/filter-schema.ts';
import { invalidInput } from '../../../../lib/validation/describe-issues.ts';

const body = z.strictObject({ filter: searchFilter.optional() });
const query = z.object({ filter: filterQuery });

/** Returns the code, the field, and the message with which a value is refused. */
function refusal(schema: z.ZodType, value: unknown, place: string) {
  const parsed = schema.safeParse(value);
  if (parsed.success) return undefined;
  const { code, field, message } = invalidInput(parsed.error, schema, value, place);
  return { code, field, message };
}

const REFUSED: [unknown, string, string][] = [
  [{ source: '../x' }, 'invalid_value', 'filter.source'],
  [{ source: '' }, 'invalid_value', 'filter.source'],
  [{ kinds: 'pdf' }, 'unknown_field', 'filter.kinds'],
  [{ year: { since: 2020 } }, 'unknown_field', 'filter.year.since'],
  [{ modified: { after: '2026-01-01' } }, 'unknown_field', 'filter.modified.after'],
  [{ kind: 'movies' }, 'invalid_value', 'filter.kind'],
  [{ kind: ['pdf'] }, 'invalid_value', 'filter.kind'],
  [{ year: 2020 }, 'invalid_value', 'filter.year'],
  [{ year: {} }, 'invalid_value', 'filter.year'],
  [{ year: { from: '2020' } }, 'invalid_value', 'filter.year.from'],
  [{ year: { from: 2020.5 } }, 'invalid_value', 'filter.year.from'],
  [{ year: { from: 999 } }, 'invalid_value', 'filter.year.from'],
  [{ year: { to: 3000 } }, 'invalid_value', 'filter.year.to'],
  [{ year: { from: 2021, to: 2020 } }, 'invalid_value', 'filter.year'],
  [{ modified: {} }, 'invalid_value', 'filter.modified'],
  [{ modified: '2026-01-01' }, 'invalid_value', 'filter.modified'],
  [{ modified: { from: 'yesterday' } }, 'invalid_value', 'filter.modified.from'],
  [{ modified: { from: '2026-02-30' } }, 'invalid_value', 'filter.modified.from'],
  [{ modified: { to: '2026-01-01T10:00:00' } }, 'invalid_value', 'filter.modified.to'],
  [{ modified: { to: 1_790_000_000 } }, 'invalid_value', 'filter.modified.to'],
  [{ modified: { from: '2026-12-01', to: '2026-11-30' } }, 'invalid_value', 'filter.modified'],
  [{ modified: { from: '2026-11-30T23:00:00-02:00', to: '2026-11-30' } }, 'invalid_value', 'filter.modified'],
  [{ author: '' }, 'invalid_value', 'filter.author'],
  [{ author: ' – ' }, 'invalid_value', 'filter.author'],
  [{ author: 'a'.repeat(201) }, 'invalid_value', 'filter.author'],
  [{ author: { name: 'Sand' } }, 'invalid_value', 'filter.author'],
  [{ tag: ' # ' }, 'invalid_value', 'filter.tag'],
  [{ tag: null }, 'invalid_value', 'filter.tag'],
  [{ path: 7 }, 'invalid_value', 'filter.path'],
  [{ path: 'a'.repeat(5000) }, 'invalid_value', 'filter.path'],
];

describe('filter of a search', () => {
  it.each(REFUSED)('is refused by its field in a body: %j', (filter, code, field) => {
    expect(refusal(body, { filter }, 'body')).toMatchObject({ code, field });
  });

  it.each(REFUSED)('is refused by its field in a query: %j', (filter, code, field) => {
    const refused = refusal(query, { filter: JSON.stringify(filter) }, 'query');
    expect(refused).toMatchObject({ code, field });
    expect(refused?.message).not.toContain('required');
  });

  it.each(['', '{', 'pdf', '{"kind":"pdf"}}', '\u0000'])('is refused if it is no JSON: %j', (filter) => {
    expect(refusal(query, { filter }, 'query')).toEqual({
      ...{ code: 'invalid_value', field: 'filter' },
      message: 'filter must be JSON, such as {"kind":"pdf"}.',
    });
  });

  it.each(['null', '7', '"pdf"', '[]', 'true'])('is refused if it is no object: %s', (filter) => {
    expect(refusal(query, { filter }, 'query')).toMatchObject({ code: 'invalid_value', field: 'filter' });
  });

  it('is refused with both forms of a moment, and once', () => {
    expect(refusal(body, { filter: { modified: { from: 'yesterday' } } }, 'body')?.message).toBe(
      'filter.modified.from must be a day or a time, such as 2026-11-22 or 2026-11-22T08:00:00Z.',
    );
  });

  it('refuses a name that objects inherit', () => {
    expect(refusal(query, { filter: '{"constructor":1}' }, 'query')).toMatchObject({ code: 'unknown_field' });
    expect(refusal(query, { filter: '{"__proto__":{"kind":"pdf"}}' }, 'query')).toMatchObject({
      code: 'unknown_field',
    });
  });

  it('accepts an empty filter, each end of a range alone, and a range of one moment', () => {
    for (const filter of [
      {},
      { year: { from: 2020, to: 2020 } },
      { year: { to: 2020 } },
      { modified: { from: '2026-11-30' } },
      { modified: { from: '2026-11-30T10:00:00Z', to: '2026-11-30T11:00:00+01:00' } },
    ])
      expect(query.parse({ filter: JSON.stringify(filter) })).toEqual({ filter });
  });

  it('is the same after it was stored and read again', () => {
    const filter = { path: './a//b/', author: ' Sand ', modified: { to: '2026/1/5' } };
    const parsed = searchFilter.parse(filter);
    expect(parsed).toEqual({ path: 'a/b', author: 'Sand', modified: { to: '2026-01-05' } });
    expect(searchFilter.parse(JSON.parse(JSON.stringify(parsed)))).toEqual(parsed);
  });
});
