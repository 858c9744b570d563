import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { describeIssues } from '../../../lib/validation/describe-issues.ts';

const part = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('count'), count: z.int() }),
]);
const named = z.strictObject({ name: z.string().max(9).nullish() }).meta({ id: 'Named' });
const schema = z.strictObject({
  title: z.string().min(1).max(200),
  mode: z.enum(['agent', 'plan', 'ask']),
  place: z.object({ id: z.union([z.uuid(), z.int()]) }),
  limit: z.coerce.number().int().min(1).max(200).optional(),
  share: z.number().positive().optional(),
  size: z.int().optional(),
  day: z.iso.date().optional(),
  address: z.url().optional(),
  code: z.string().length(4).optional(),
  slug: z
    .string()
    .regex(/^[a-z]+$/)
    .optional(),
  host: z
    .string()
    .regex(/^[a-z]+$/, 'must be the name of a host')
    .optional(),
  tags: z.array(z.string()).min(1).max(2).optional(),
  deep: z.boolean().optional(),
  env: z.record(z.string(), z.string()).optional(),
  parts: z.array(part).optional(),
  owner: named.optional(),
  form: z.union([z.strictObject({ text: z.string() }), z.strictObject({ url: z.url() })]).optional(),
  flag: z.stringbool().optional(),
  made: z
    .string()
    .transform((text) => text.length)
    .pipe(z.number().min(3))
    .optional(),
});
const good = { title: 't', mode: 'ask', place: { id: 1 } };

function problemOf(value: unknown): string {
  const { error } = schema.safeParse(value);
  return error === undefined ? '' : describeIssues(error, schema, value, 'body');
}

describe('description of an invalid value', () => {
  it.each([
    [{ ...good, title: undefined }, 'title is required.'],
    [{ ...good, mode: undefined }, 'mode is required.'],
    [{ ...good, place: {} }, 'place.id is required.'],
    [undefined, 'body is required.'],
    [{ place: good.place }, 'title is required. mode is required.'],
    [[], 'body must be an object.'],
    [{ ...good, title: null }, 'title must be text of 1 to 200 characters.'],
    [{ ...good, title: '' }, 'title must be text of 1 to 200 characters.'],
    [{ ...good, title: 'x'.repeat(201) }, 'title must be text of 1 to 200 characters.'],
    [{ ...good, mode: 'chat' }, 'mode must be agent, plan or ask.'],
    [{ ...good, mode: 3 }, 'mode must be agent, plan or ask.'],
    [{ ...good, limit: '0' }, 'limit must be a whole number from 1 to 200.'],
    [{ ...good, limit: '201' }, 'limit must be a whole number from 1 to 200.'],
    [{ ...good, limit: '1.5' }, 'limit must be a whole number from 1 to 200.'],
    [{ ...good, limit: 'many' }, 'limit must be a whole number from 1 to 200.'],
    [{ ...good, share: 0 }, 'share must be a number, above 0.'],
    [{ ...good, size: 2 ** 60 }, 'size must be a whole number.'],
    [{ ...good, day: '2026-02-30' }, 'day must be a date, YYYY-MM-DD.'],
    [{ ...good, address: 'here' }, 'address must be a URL.'],
    [{ ...good, code: '12345' }, 'code must be text of 4 characters.'],
    [{ ...good, slug: 'A' }, 'slug must be text that matches ^[a-z]+$.'],
    [{ ...good, host: 'A' }, 'host must be the name of a host.'],
    [{ ...good, tags: [] }, 'tags must be a list of 1 to 2 entries.'],
    [{ ...good, tags: 'a' }, 'tags must be a list of 1 to 2 entries.'],
    [{ ...good, tags: ['a', 1] }, 'tags.1 must be text.'],
    [{ ...good, deep: 'yes' }, 'deep must be true or false.'],
    [{ ...good, flag: 'maybe' }, 'flag must be true or false.'],
    [{ ...good, env: { HOME: 1 } }, 'env.HOME must be text.'],
    [{ ...good, place: { id: 'x' } }, 'place.id must be an ID (a UUID).'],
    [{ ...good, owner: { name: 1 } }, 'owner.name must be text of at most 9 characters or null.'],
    [{ ...good, parts: [{ type: 'image' }] }, 'parts.0.type must be text or count.'],
    [{ ...good, parts: [{ type: 'count', count: 'x' }] }, 'parts.0.count must be a whole number.'],
    [{ ...good, form: { url: 'x' } }, 'form.url must be a URL.'],
    [{ ...good, form: 7 }, 'form must be an object.'],
    [{ ...good, made: 'ab' }, 'made must be at least 3.'],
    [{ ...good, tile: 1 }, "tile isn't a known field. Did you mean title?"],
    [{ ...good, Mode: 1 }, "Mode isn't a known field. Did you mean mode?"],
    [
      { ...good, colour: 1, sise: 1 },
      "colour isn't a known field. sise isn't a known field. Did you mean size?",
    ],
    [{ ...good, owner: { nam: 'x' } }, "owner.nam isn't a known field. Did you mean name?"],
    [{ ...good, place: { id: true } }, 'place.id must be an ID (a UUID) or a whole number.'],
    [{ ...good, constructor: 1 }, "constructor isn't a known field."],
  ])('is for %j: %s', (value, problem) => {
    expect(problemOf(value)).toBe(problem);
  });

  it('lists at most five issues', () => {
    const value = { ...good, a1: 1, b2: 1, c3: 1, d4: 1, e5: 1, f6: 1 };
    expect(problemOf(value).split('. ')).toHaveLength(5);
  });

  it('stops checking after five issues', () => {
    const keys = ['a1', 'b2', 'c3', 'd4', 'e5', 'f6'];
    const issue = { code: 'unrecognized_keys' as const, keys, path: [], message: '' };
    Object.defineProperty(keys, 5, {
      get: () => {
        throw new Error('the sixth was looked at');
      },
    });
    expect(describeIssues(new z.ZodError([issue]), schema, good, 'body').split('. ')).toHaveLength(5);
  });

  it('is short, whatever names were sent', () => {
    const value = { ...good, ['x'.repeat(100_000)]: 1, env: { ['y'.repeat(100_000)]: 1 } };
    expect(problemOf(value).length).toBeLessThanOrEqual(1000);
  });
});
