import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { describeIssues } from '../../lib/describe-issues.ts';

const schema = z.strictObject({
  title: z.string(),
  kind: z.enum(['a', 'b']),
  place: z.object({ id: z.union([z.string(), z.number()]) }),
  size: z.number().optional(),
});
const good = { title: 't', kind: 'a', place: { id: 1 } };

function problemOf(value: unknown): string {
  const { error } = schema.safeParse(value);
  return error === undefined ? '' : describeIssues(error, value, 'body');
}

describe('what is wrong with a value', () => {
  it.each([
    [{ ...good, title: undefined }, 'title is missing'],
    [{ ...good, kind: undefined }, 'kind is missing'],
    [{ ...good, place: {} }, 'place.id is missing'],
    [undefined, 'body is missing'],
    [{ place: good.place }, 'title is missing; kind is missing'],
    [{ ...good, title: null }, 'title: Invalid input: expected string, received null'],
    [{ ...good, kind: 'c' }, 'kind: Invalid option: expected one of "a"|"b"'],
    [{ ...good, sise: 1 }, 'body: Unrecognized key: "sise"'],
  ])('%j: %s', (value, problem) => {
    expect(problemOf(value)).toBe(problem);
  });
});
