import { describe, expect, it } from '@jest/globals';
import type * as z from 'zod';
import { nameOf, routes, rows, rowsOfAll, shapeOf } from './access-table.ts';

/** The slow suite access.test.ts checks the statements of the rows against the service. */
describe('access table', () => {
  it('has a row for each route, and no other rows', () => {
    expect([...rows.keys()].sort()).toEqual(routes.map(nameOf).sort());
  });

  it('has a second row for each route with an optional workspace', () => {
    const optional = routes.filter(({ query, body }) => {
      const named = [query, body].map((schema) => shapeOf(schema).workspaceId as z.ZodType | undefined);
      const fields = named.filter((field) => field !== undefined);
      return fields.length > 0 && fields.every((field) => field.safeParse(undefined).success);
    });
    const always = ['POST /api/chat', 'POST /api/research']; // they name one workspace or several
    const expected = optional.map(nameOf).filter((name) => !always.includes(name));
    expect([...rowsOfAll.keys()].sort()).toEqual(expected.sort());
  });
});
