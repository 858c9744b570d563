import { describe, expect, it } from '@jest/globals';
import type * as z from 'zod';
import { nameOf, routes, rows, rowsOfAll, shapeOf } from './access-table.ts';

/** Whether what it says is so is asked of the service by access.test.ts, among the slow suites. */
describe('the table of access', () => {
  it('has a row for each route, and no others', () => {
    expect([...rows.keys()].sort()).toEqual(routes.map(nameOf).sort());
  });

  it('has a second row for each route that may name a workspace, and need not', () => {
    const optional = routes.filter(({ query, body }) => {
      const named = [query, body].map((schema) => shapeOf(schema).workspaceId as z.ZodType | undefined);
      const fields = named.filter((field) => field !== undefined);
      return fields.length > 0 && fields.every((field) => field.safeParse(undefined).success);
    });
    expect([...rowsOfAll.keys()].sort()).toEqual(optional.map(nameOf).sort());
  });
});
